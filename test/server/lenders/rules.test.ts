import fc from 'fast-check';
import { create } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { plansFor } from '../../../shared/plans.ts';
import { Program } from '../../../shared/programs/program.ts';
import { rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { decide, maxAffordableCents, type RulesRequest, tierForScore } from '../../../server/lenders/rules.ts';
import { program as standard } from '../../support/checkout.ts';
import { creditScore } from '../../support/lenders.ts';

const on = '2026-11-21';
const terms = { maxPaymentToIncomePercent: 10, on };
const findScore = (score: number) => ({ found: 'score', score }) as const;

function createRequest(
  overrides: { program?: Program; amountCents?: number; annualIncomeCents?: number; state?: string } = {},
): RulesRequest {
  const { program = standard, amountCents = 75_000, annualIncomeCents = 8_400_000, state = 'IL' } = overrides;
  return { program, amountCents, contact: { state }, applicant: { annualIncomeCents } };
}

/** Creates a program from the required terms of the standard program. */
function createProgram(overrides: Record<string, unknown>): Program {
  const { id, name, version, effective, lender, amount, tiers, offers } = standard;
  return create({ id, name, version, effective, lender, amount, tiers, offers, ...overrides }, Program);
}

const band = (id: string, min: number, max: number) => ({ id, creditBand: { min, max } });
const withGaps = createProgram({ tiers: [band('C', 580, 619), band('A', 740, 800), band('B', 660, 699)] });

describe('The tier for a credit score', () => {
  it.each([
    [300, undefined],
    [579, undefined],
    [580, 'C'],
    [659, 'C'],
    [660, 'B'],
    [739, 'B'],
    [740, 'A'],
    [850, 'A'],
  ])('of %d in the standard program is %s', (score, tier) => {
    expect(tierForScore(standard, score)).toBe(tier);
  });

  it.each([
    [579, undefined],
    [580, 'C'],
    [619, 'C'],
    [620, 'C'],
    [659, 'C'],
    [660, 'B'],
    [699, 'B'],
    [700, 'B'],
    [739, 'B'],
    [740, 'A'],
    [800, 'A'],
    [801, 'A'],
    [850, 'A'],
  ])('of %d in a program with unsorted bands and gaps is %s', (score, tier) => {
    expect(tierForScore(withGaps, score)).toBe(tier);
  });
});

describe('The rules', () => {
  it.each([
    [findScore(850), { outcome: 'approved', tierId: 'A', limitCents: null }],
    [findScore(740), { outcome: 'approved', tierId: 'A', limitCents: null }],
    [findScore(739), { outcome: 'approved', tierId: 'B', limitCents: null }],
    [findScore(580), { outcome: 'approved', tierId: 'C', limitCents: null }],
    [findScore(579), { outcome: 'denied', reasons: ['credit-history'] }],
    [findScore(300), { outcome: 'denied', reasons: ['credit-history'] }],
    [{ found: 'no-score' }, { outcome: 'denied', reasons: ['insufficient-file'] }],
    [{ found: 'no-file' }, { outcome: 'denied', reasons: ['no-file'] }],
    [{ found: 'frozen' }, { outcome: 'needs-action', action: 'unfreeze-credit-file' }],
  ] as const)('decide on the finding %j with %j', (finding, decision) => {
    expect(decide(createRequest(), finding, terms)).toEqual(decision);
  });

  // Tier A pays $34.61 a month for $750.00 over 24 months.
  it.each([
    [415_320, 10, null],
    [415_319, 10, 74_900],
    [207_660, 20, null],
    [207_659, 20, 74_900],
    [200_000, 10, 36_100],
    [1, 100, undefined],
    [0, 10, undefined],
  ])(
    'for an annual income of %d cents and at most %d percent of it limit the amount to %s',
    (annualIncomeCents, percent, limitCents) => {
      const decision = decide(createRequest({ annualIncomeCents }), findScore(800), {
        ...terms,
        maxPaymentToIncomePercent: percent,
      });

      if (limitCents === undefined) expect(decision).toEqual({ outcome: 'denied', reasons: ['income'] });
      else if (limitCents === null) expect(decision).toEqual({ outcome: 'approved', tierId: 'A', limitCents });
      else expect(decision).toEqual({ outcome: 'approved', tierId: 'A', limitCents, reasons: ['income'] });
    },
  );

  it('add the score, with the facts about it that the buyer must receive, to an approval and to a denial', () => {
    const scoreOf = (value: number) => ({ found: 'score', score: { ...creditScore, value } }) as const;
    expect(decide(createRequest(), scoreOf(700), terms)).toEqual({
      outcome: 'approved',
      tierId: 'B',
      limitCents: null,
      score: { ...creditScore, value: 700 },
    });
    expect(decide(createRequest(), scoreOf(521), terms)).toEqual({
      outcome: 'denied',
      reasons: ['credit-history'],
      score: creditScore,
    });
  });

  it('deny a buyer because of their credit if only better tiers have a plan', () => {
    const onlyA = createProgram({ offers: [{ id: 'a', termLength: 12, tierAprBps: { A: 999 } }] });
    const denied = { outcome: 'denied', reasons: ['tier'] };
    expect(decide(createRequest({ program: onlyA, annualIncomeCents: 0 }), findScore(600), terms)).toEqual(denied);
  });

  it('find the buyer ineligible, not denied, if no tier has a plan', () => {
    const excluded = createProgram({ states: { excluded: ['IL'] } });

    const request = createRequest({ program: excluded, annualIncomeCents: 0 });
    expect(decide(request, findScore(600), terms)).toEqual({ outcome: 'ineligible' });
    expect(decide(createRequest({ program: excluded, state: 'CA' }), findScore(600), terms)).toMatchObject({
      outcome: 'approved',
    });
    expect(decide(createRequest({ amountCents: 4_999 }), findScore(800), terms)).toEqual({ outcome: 'ineligible' });
  });

  it('limit the amount to the maximum of the program', () => {
    const decision = decide(createRequest({ amountCents: 5_000_000, annualIncomeCents: 100_000_000 }), findScore(800), terms);

    expect(decision).toEqual({ outcome: 'approved', tierId: 'A', limitCents: 3_000_000 });
  });

  it('use promotional offers only on the days of the promotion', () => {
    const promo = { kind: 'zero-apr', from: '2026-12-01', to: '2026-12-24' };
    const offers = [...standard.offers, { id: 'free', termLength: 36, tierAprBps: { A: 0 }, promo }];
    const program = createProgram({ offers });
    const lowIncome = createRequest({ program, annualIncomeCents: 260_000 });

    expect(decide(lowIncome, findScore(800), { ...terms, on: '2026-12-24' })).toMatchObject({ limitCents: null });
    expect(decide(lowIncome, findScore(800), { ...terms, on: '2026-12-25' })).toMatchObject({ limitCents: 46_900 });
  });

  it('find the buyer ineligible if the caps of the state exclude all offers', () => {
    const program = createProgram({ caps: { stateAprCapBps: { IL: 500 } } });

    expect(decide(createRequest({ program, amountCents: 3_000_000 }), findScore(600), terms)).toEqual({ outcome: 'ineligible' });
  });
});

describe('The largest affordable amount', () => {
  it('is calculated from few candidates, even if the state excludes all offers', () => {
    const sheet = rateSheet(createProgram({ caps: { stateAprCapBps: { IL: 500 } } }), 'IL');
    let readCount = 0;
    const countedSheet = {
      ...sheet,
      get offers() {
        readCount += 1;
        return sheet.offers;
      },
    };

    expect(maxAffordableCents({ sheet: countedSheet, tierId: 'C', on }, 3_000_000, Infinity)).toBeUndefined();
    // The range contains 30,000 whole dollar amounts.
    expect(readCount).toBeLessThan(500);
  });

  const programs = [
    standard,
    createProgram({
      amount: { minCents: 5_050, maxCents: 200_077 },
      offers: [
        { id: 'short', termLength: 3, tierAprBps: { A: 0, B: 1_000 }, maxCents: 49_999 },
        { id: 'long', termLength: 24, tierAprBps: { A: 1_500, B: 3_300 }, minCents: 50_000 },
      ],
      tiers: [band('A', 700, 850), band('B', 300, 699)],
    }),
    createProgram({
      amount: { minCents: 20_000, maxCents: 150_000 },
      downPayment: { percentBps: 2_500, minCents: 5_000 },
      fees: [
        { id: 'f', kind: 'origination', amountBps: 300, minCents: 1_000, maxCents: 3_000, financeCharge: true, financed: true },
      ],
      caps: { maxAprBps: 3_599, stateAprCapBps: { IL: 2_900 } },
    }),
  ];

  it('is the largest affordable one of all whole dollar amounts and range ends', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...programs),
        fc.constantFrom('A', 'B'),
        fc.integer({ min: 4_900, max: 210_000 }),
        fc.integer({ min: 100, max: 30_000 }),
        (program, tierId, amountCents, monthlyCents) => {
          const sheet = rateSheet(program, 'IL');
          const fits = (cents: number) =>
            plansFor(sheet, cents, on).some((plan) => plan.tierId === tierId && plan.schedule.levelPaymentCents <= monthlyCents);
          const dollars = Array.from({ length: Math.ceil(amountCents / 100) }, (_, index) => index * 100);
          const ends = sheet.offers.flatMap(({ maxCents }) => maxCents ?? []);
          const candidates = [amountCents, sheet.amount.maxCents, ...ends, ...dollars];
          const largest = candidates
            .filter((cents) => cents <= amountCents)
            .toSorted((a, b) => b - a)
            .find(fits);

          expect(maxAffordableCents({ sheet, tierId, on }, amountCents, monthlyCents)).toBe(largest);
        },
      ),
      { numRuns: 150 },
    );
  });
});
