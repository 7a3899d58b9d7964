import { assert } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { aprFraction, asLowAs } from '../../shared/as-low-as.ts';
import { formatMoney } from '../../shared/money.ts';
import { disclosure as english } from '../../shared/languages/en/disclosure.ts';
import { plansFor } from '../../shared/plans.ts';
import type { RateSheet } from '../../shared/programs/rate-sheet.ts';
import { AsLowAs } from '../../shared/wire/as-low-as.ts';
import { createFee, createOffer, createSheet, TODAY } from '../support/programs.ts';
import { samples } from '../support/random.ts';
import type { CivilDate } from '../../shared/dates.ts';

const standard = createSheet();

describe('asLowAs', () => {
  it('quotes $740.00 on the standard program as $34.14 a month', () => {
    expect(quoteOf(standard, 74_000)).toEqual({
      monthly: 3_414,
      amount: '$34.14',
      termLength: 24,
      termInterval: 'Month',
      apr: 0.0999,
      minApr: 0.0599,
      maxApr: 0.2999,
      asLowAsText: expect.stringContaining('a $740.00 purchase over 24 months at 9.99% APR'),
    });
  });

  it('uses the lowest advertised payment, even if the payment of another tier is lower', () => {
    const unadvertised = createSheet({
      tiers: [tier('A', 700, { advertise: false }), tier('B', 600, { advertise: true })],
      offers: [createOffer({ tierAprBps: { A: 0, B: 1_999 } })],
    });

    expect(quoteOf(unadvertised, 100_000)).toMatchObject({ monthly: 5_089, apr: 0.1999, minApr: 0, maxApr: 0.1999 });
  });

  it('never combines the lowest rate with a term that is not sold at that rate', () => {
    const promotion = createSheet({
      offers: [
        createOffer({ id: 'promo', termLength: 6, tierAprBps: { A: 0 } }),
        createOffer({ termLength: 24, tierAprBps: { A: 1_499 } }),
      ],
    });

    expect(quoteOf(promotion, 60_000)).toMatchObject({ monthly: 2_909, termLength: 24, apr: 0.1499, minApr: 0, maxApr: 0.1499 });
  });

  it('limits minApr and maxApr to the plans sold at this amount', () => {
    const stepped = createSheet({
      offers: [
        createOffer({ id: 'small', tierAprBps: { A: 1_999, B: 2_999 }, maxCents: 50_000 }),
        createOffer({ id: 'large', tierAprBps: { A: 499, B: 999 }, minCents: 50_001 }),
      ],
    });

    expect(quoteOf(stepped, 50_000)).toMatchObject({ apr: 0.1999, minApr: 0.1999, maxApr: 0.2999 });
    expect(quoteOf(stepped, 50_001)).toMatchObject({ apr: 0.0499, minApr: 0.0499, maxApr: 0.0999 });
  });

  it.each([
    { amountCents: 1, side: 'below' },
    { amountCents: 100, side: 'below' },
    { amountCents: 4_999, side: 'just below' },
    { amountCents: 3_000_001, side: 'just above' },
    { amountCents: 99_999_999_999, side: 'far above' },
  ])('quotes no payment for $amountCents cents, $side the range', ({ amountCents }) => {
    const quoted = quoteOf(standard, amountCents);

    expect(quoted).toMatchObject({ monthly: 0, amount: '', termLength: 0, termInterval: 'Month' });
    expect(quoted).toMatchObject({ apr: 0.2999, minApr: 0.0599, maxApr: 0.2999 });
    expect(quoted.asLowAsText).toContain('from $50.00 to $30,000.00');
    expect(() => assert(quoted, AsLowAs)).not.toThrow();
  });

  it('states the amounts that offers cover if no offer covers the amount', () => {
    const narrow = createSheet({
      amount: { minCents: 5_000, maxCents: 3_000_000, mayHaveGaps: true },
      offers: [createOffer({ minCents: 20_000, maxCents: 90_000 }), createOffer({ id: 'b', termLength: 12, minCents: 30_000 })],
    });

    expect(quoteOf(narrow, 10_000).asLowAsText).toContain('for purchases from $200.00 to $30,000.00');
  });

  it('quotes no payment if no tier is advertised', () => {
    const tiers = ['A', 'B', 'C'].map((id, index) => tier(id, 400 + 100 * index, { advertise: false }));

    expect(quoteOf(createSheet({ tiers }), 100_000)).toMatchObject({ monthly: 0, amount: '', minApr: 0.0599, maxApr: 0.2999 });
  });

  it('states the same numbers in its text, its fields and its schedule, for 1,000 amounts', () => {
    for (const amountCents of samples(1_000, 32, (random) => random.magnitude(5_000, 3_000_000))) {
      const quoted = quoteOf(standard, amountCents);
      const { schedule } = plansFor(standard, amountCents, TODAY)[0]!;
      const { levelPaymentCents, lastPaymentCents, totalOfPaymentsCents } = schedule;
      const payments = lastPaymentCents === levelPaymentCents ? [quoted.amount] : [quoted.amount, formatMoney(lastPaymentCents)];

      expect(quoted.amount).toBe(formatMoney(quoted.monthly));
      expect(quoted.asLowAsText.match(/\$[\d,]+\.\d\d/g)).toEqual([
        formatMoney(amountCents),
        ...payments,
        formatMoney(totalOfPaymentsCents),
        '$50.00',
        '$30,000.00',
      ]);
      expect(quoted.asLowAsText.match(/[\d.]+(?=%)/g)?.map((percent) => Number(percent) / 100)).toEqual([
        expect.closeTo(quoted.apr, 10),
        expect.closeTo(quoted.minApr, 10),
        expect.closeTo(quoted.maxApr, 10),
      ]);
      expect(quoted.asLowAsText.match(/\d+ (?=months|monthly)/g)?.map(Number)).toEqual([
        quoted.termLength,
        lastPaymentCents === levelPaymentCents ? quoted.termLength : quoted.termLength - 1,
      ]);
    }
  });
});

describe('asLowAs of a program with fees, a down payment or a promotion', () => {
  it('quotes the rates of the nearest amount that is sold for an amount outside the range', () => {
    const sheet = createSheet({ fees: [createFee({ flatCents: 100 })] });
    const below = quoteOf(sheet, 1);
    const smallest = quoteOf(sheet, 5_000);
    const above = quoteOf(sheet, 99_999_999);
    const largest = quoteOf(sheet, 3_000_000);

    expect([below.minApr, below.maxApr]).toEqual([smallest.minApr, smallest.maxApr]);
    expect([above.minApr, above.maxApr]).toEqual([largest.minApr, largest.maxApr]);
    // The fixed fee has the most effect on small amounts.
    expect(below.minApr).toBeGreaterThan(above.minApr);
  });

  it('quotes the maximum rate if the program has no offers in the state', () => {
    expect(quoteOf(createSheet({ states: { excluded: ['IA'] } }, 'IA'), 100_000)).toMatchObject({
      monthly: 0,
      apr: 0.3599,
      minApr: 0.3599,
      maxApr: 0.3599,
    });
  });
});

describe('aprFraction', () => {
  it.each([
    [999, '0.0999'],
    [2_999, '0.2999'],
    [700, '0.07'],
    [1, '0.0001'],
    [0, '0'],
  ])('converts %d basis points to %s', (aprBps, json) => {
    expect(JSON.stringify(aprFraction(aprBps))).toBe(json);
  });
});

function quoteOf(sheet: RateSheet, purchaseCents: number, on: CivilDate = TODAY): AsLowAs {
  return asLowAs(sheet, purchaseCents, on, english);
}

function tier(id: string, score: number, change: object): object {
  return { id, creditBand: { min: score, max: score + 99 }, advertise: true, ...change };
}
