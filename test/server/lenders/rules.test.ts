import fc from 'fast-check';
import { create } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { plansFor } from '../../../shared/plans.ts';
import { Program } from '../../../shared/programs/program.ts';
import { rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { decide, maxAffordableCents, type RulesRequest, tierForScore } from '../../../server/lenders/rules.ts';
import { program as standard } from '../../support/checkout.ts';

const on = '2026-11-21';
const terms = { maxPaymentToIncomePercent: 10, on };
const score = (of: number) => ({ found: 'score', score: of }) as const;

function question(
  over: { program?: Program; amountCents?: number; annualIncomeCents?: number; state?: string } = {},
): RulesRequest {
  const { program = standard, amountCents = 75_000, annualIncomeCents = 8_400_000, state = 'IL' } = over;
  return { program, amountCents, contact: { state }, applicant: { annualIncomeCents } };
}

/** A program; say only what matters. */
function givenProgram(over: Record<string, unknown>): Program {
  const { id, name, version, effective, lender, amount, tiers, offers } = standard;
  return create({ id, name, version, effective, lender, amount, tiers, offers, ...over }, Program);
}

const band = (id: string, min: number, max: number) => ({ id, creditBand: { min, max } });
const withGaps = givenProgram({ tiers: [band('C', 580, 619), band('A', 740, 800), band('B', 660, 699)] });

describe('The tier of a credit score', () => {
  it.each([
    [300, undefined],
    [579, undefined],
    [580, 'C'],
    [659, 'C'],
    [660, 'B'],
    [739, 'B'],
    [740, 'A'],
    [850, 'A'],
  ])('of the standard program for %d is %s', (of, tier) => {
    expect(tierForScore(standard, of)).toBe(tier);
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
  ])('with gaps between the bands, in any order, for %d is %s', (of, tier) => {
    expect(tierForScore(withGaps, of)).toBe(tier);
  });
});

describe('The rules', () => {
  it.each([
    [score(850), { outcome: 'approved', tierId: 'A', limitCents: null }],
    [score(740), { outcome: 'approved', tierId: 'A', limitCents: null }],
    [score(739), { outcome: 'approved', tierId: 'B', limitCents: null }],
    [score(580), { outcome: 'approved', tierId: 'C', limitCents: null }],
    [score(579), { outcome: 'denied', reasons: ['credit-history'] }],
    [score(300), { outcome: 'denied', reasons: ['credit-history'] }],
    [{ found: 'no-score' }, { outcome: 'denied', reasons: ['credit-history'] }],
    [{ found: 'no-file' }, { outcome: 'denied', reasons: ['identity'] }],
    [{ found: 'frozen' }, { outcome: 'needs-action', action: 'unfreeze-credit-file' }],
  ] as const)('decide about %j: %j', (finding, decision) => {
    expect(decide(question(), finding, terms)).toEqual(decision);
  });

  // The 24 months of tier A cost $34.61 a month for $750.00.
  it.each([
    [415_320, 10, null],
    [415_319, 10, 74_900],
    [207_660, 20, null],
    [207_659, 20, 74_900],
    [200_000, 10, 36_100],
    [1, 100, undefined],
    [0, 10, undefined],
  ])('for a yearly income of %d cents and %d percent of it lend %s', (annualIncomeCents, percent, limitCents) => {
    const decision = decide(question({ annualIncomeCents }), score(800), { ...terms, maxPaymentToIncomePercent: percent });

    if (limitCents === undefined) expect(decision).toEqual({ outcome: 'denied', reasons: ['income'] });
    else expect(decision).toEqual({ outcome: 'approved', tierId: 'A', limitCents });
  });

  it('do not deny for income when no plan is available in any case', () => {
    const onlyA = givenProgram({ offers: [{ id: 'a', termLength: 12, tierAprBps: { A: 999 } }] });
    const excluded = givenProgram({ states: { excluded: ['IL'] } });

    for (const program of [onlyA, excluded]) {
      expect(decide(question({ program, annualIncomeCents: 0 }), score(600), terms)).toEqual({ outcome: 'ineligible' });
    }
    expect(decide(question({ program: excluded, state: 'CA' }), score(600), terms)).toMatchObject({ outcome: 'approved' });
    expect(decide(question({ amountCents: 4_999 }), score(800), terms)).toEqual({ outcome: 'ineligible' });
  });

  it('lend no more than the maximum of the program', () => {
    const decision = decide(question({ amountCents: 5_000_000, annualIncomeCents: 100_000_000 }), score(800), terms);

    expect(decision).toEqual({ outcome: 'approved', tierId: 'A', limitCents: 3_000_000 });
  });

  it('apply a promotion on its days only', () => {
    const promo = { kind: 'zero-apr', from: '2026-12-01', to: '2026-12-24' };
    const offers = [...standard.offers, { id: 'free', termLength: 36, tierAprBps: { A: 0 }, promo }];
    const program = givenProgram({ offers });
    const poor = question({ program, annualIncomeCents: 260_000 });

    expect(decide(poor, score(800), { ...terms, on: '2026-12-24' })).toMatchObject({ limitCents: null });
    expect(decide(poor, score(800), { ...terms, on: '2026-12-25' })).toMatchObject({ limitCents: 46_900 });
  });

  it('find a program ineligible whose loans the state forbids', () => {
    const program = givenProgram({ caps: { stateAprCapBps: { IL: 500 } } });

    expect(decide(question({ program, amountCents: 3_000_000 }), score(600), terms)).toEqual({ outcome: 'ineligible' });
  });
});

describe('The largest amount for an income', () => {
  it('is computed from few candidates, even if the state forbids all of them', () => {
    const sheet = rateSheet(givenProgram({ caps: { stateAprCapBps: { IL: 500 } } }), 'IL');
    let looks = 0;
    const counted = {
      ...sheet,
      get offers() {
        looks += 1;
        return sheet.offers;
      },
    };

    expect(maxAffordableCents({ sheet: counted, tierId: 'C', on }, 3_000_000, Infinity)).toBeUndefined();
    // 30,000 whole dollars are on offer.
    expect(looks).toBeLessThan(500);
  });

  const programs = [
    standard,
    givenProgram({
      amount: { minCents: 5_050, maxCents: 200_077 },
      offers: [
        { id: 'short', termLength: 3, tierAprBps: { A: 0, B: 1_000 }, maxCents: 49_999 },
        { id: 'long', termLength: 24, tierAprBps: { A: 1_500, B: 3_300 }, minCents: 50_000 },
      ],
      tiers: [band('A', 700, 850), band('B', 300, 699)],
    }),
    givenProgram({
      amount: { minCents: 20_000, maxCents: 150_000 },
      downPayment: { percentBps: 2_500, minCents: 5_000 },
      fees: [
        { id: 'f', kind: 'origination', amountBps: 300, minCents: 1_000, maxCents: 3_000, financeCharge: true, financed: true },
      ],
      caps: { maxAprBps: 3_599, stateAprCapBps: { IL: 2_900 } },
    }),
  ];

  it('is the largest of all whole dollars, compared one by one', () => {
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
          const most = candidates
            .filter((cents) => cents <= amountCents)
            .toSorted((a, b) => b - a)
            .find(fits);

          expect(maxAffordableCents({ sheet, tierId, on }, amountCents, monthlyCents)).toBe(most);
        },
      ),
      { numRuns: 150 },
    );
  });
});
