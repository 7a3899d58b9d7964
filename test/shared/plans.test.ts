import { describe, expect, it } from 'vitest';
import { REGULAR } from '../../shared/apr.ts';
import type { RateSheet, RateSheetOffer } from '../../shared/programs/rate-sheet.ts';
import { isAdvertised, plansFor } from '../../shared/plans.ts';
import { createFee, createOffer, createSheet, TODAY } from '../support/programs.ts';

const sheet = createSheet();

describe('plansFor', () => {
  it('returns every term and tier of the standard program, sorted by monthly payment', () => {
    const plans = plansFor(sheet, 100_000, TODAY).map(({ termLength, tierId, aprBps, schedule }) => [
      termLength,
      tierId,
      aprBps,
      schedule.levelPaymentCents,
    ]);

    expect(plans).toEqual([
      [24, 'A', 999, 4_614],
      [24, 'B', 1_999, 5_089],
      [24, 'C', 2_999, 5_591],
      [12, 'A', 799, 8_698],
      [12, 'B', 1_699, 9_120],
      [12, 'C', 2_799, 9_650],
      [6, 'A', 599, 16_959],
      [6, 'B', 1_499, 17_403],
      [6, 'C', 2_499, 17_902],
    ]);
  });

  it.each([
    { bounds: { minCents: 20_000, maxCents: null }, sold: [20_000, 3_000_000], unsold: [19_999, 3_000_001] },
    { bounds: { minCents: null, maxCents: 20_000 }, sold: [5_000, 20_000], unsold: [4_999, 20_001] },
    { bounds: { minCents: 20_000, maxCents: 20_000 }, sold: [20_000], unsold: [19_999, 20_001] },
    { bounds: { minCents: 1, maxCents: 99_999_999 }, sold: [5_000, 3_000_000], unsold: [4_999, 3_000_001] },
  ])('limits an offer from $bounds.minCents to $bounds.maxCents also to the amounts of the program', (example) => {
    const tierAprBps = { A: 599, B: 1_499, C: 2_499 };
    const amount = { minCents: 5_000, maxCents: 3_000_000, mayHaveGaps: true };
    const bounded = createSheet({ offers: [createOffer({ tierAprBps, ...example.bounds })], amount });

    for (const amountCents of example.sold) expect(plansFor(bounded, amountCents, TODAY), `${amountCents}`).toHaveLength(3);
    for (const amountCents of example.unsold) expect(plansFor(bounded, amountCents, TODAY), `${amountCents}`).toEqual([]);
  });

  it('excludes plans whose rounded payments miss the stated rate by more than 1/8 of a point', () => {
    const tiny = createSheet({ amount: { minCents: 100, maxCents: 100_000 }, offers: [createOffer()] });

    expect(plansFor(tiny, 100, TODAY)).toEqual([]);
    expect(plansFor(tiny, 10_000, TODAY)).toHaveLength(1);
  });

  it.each([1, 5, 11])('excludes plans for %i cents whose level payment would be 0', (cents) => {
    const free = createSheet({ amount: { minCents: 1, maxCents: 100_000 }, offers: [createOffer({ tierAprBps: { A: 0 } })] });

    expect(plansFor(free, cents, TODAY)).toEqual([]);
  });

  it('excludes plans that rounded payments repay early', () => {
    const roundedUp = createSheet({
      amount: { minCents: 1, maxCents: 100_000 },
      offers: [createOffer({ tierAprBps: { A: 0 } })],
      rounding: { payment: 'ceil' },
    });

    expect(plansFor(roundedUp, 100, TODAY)).toEqual([]);
    expect(plansFor(roundedUp, 120, TODAY)).toMatchObject([{ termLength: 24 }]);
  });

  describe('with equal monthly payments', () => {
    it('sorts by the total of payments', () => {
      const tied = overlapping([
        { id: 'expensive', tierAprBps: { A: 1_000 } },
        { id: 'cheap', tierAprBps: { A: 999 } },
      ]);

      const plans = plansFor(tied, 10_000, TODAY);

      expect(plans.map(({ schedule }) => schedule.levelPaymentCents)).toEqual([461, 461]);
      expect(plans.map(({ offerId }) => offerId)).toEqual(['cheap', 'expensive']);
    });

    it('sorts by the rate if the totals are equal', () => {
      const tied = overlapping([
        { id: 'expensive', termLength: 1, tierAprBps: { A: 1_000 } },
        { id: 'cheap', termLength: 1, tierAprBps: { A: 999 } },
      ]);

      const plans = plansFor(tied, 5_000, TODAY);

      expect(plans.map(({ schedule }) => schedule.totalOfPaymentsCents)).toEqual([5_042, 5_042]);
      expect(plans.map(({ offerId }) => offerId)).toEqual(['cheap', 'expensive']);
    });

    it('sorts by the ids of the offer and of the tier if everything else is equal', () => {
      const twins = createSheet({
        offers: [createOffer({ id: 'b', tierAprBps: { A: 999 } }), createOffer({ id: 'a', tierAprBps: { C: 999, B: 999 } })],
      });

      const plans = plansFor(twins, 50_000, TODAY).map(({ offerId, tierId }) => offerId + tierId);
      expect(plans).toEqual(['aB', 'aC', 'bA']);
    });
  });
});

describe('Plans of a program with fees', () => {
  it.each([
    // Calculated by hand, for one payment: $1,005.00 for $970.00 in a month, and $1,035.15 for $1,000.00.
    { fee: { financed: false }, termLength: 1, rateBps: 6_00, aprBps: 4_330, charge: 3_500 },
    { fee: { financed: true }, termLength: 1, rateBps: 6_00, aprBps: 4_218, charge: 3_515 },
    { fee: { financed: true, financeCharge: false }, termLength: 1, rateBps: 6_00, aprBps: 600, charge: 515 },
    { fee: { financed: false, financeCharge: false }, termLength: 1, rateBps: 6_00, aprBps: 600, charge: 500 },
  ])('have an APR of $aprBps basis points including $fee', ({ fee, termLength, rateBps, aprBps, charge }) => {
    const priced = createSheet({
      offers: [createOffer({ termLength, tierAprBps: { A: rateBps } })],
      fees: [createFee({ flatCents: 3_000, ...fee })],
      caps: { maxAprBps: 9_999, maprCapBps: null },
    });

    expect(plansFor(priced, 100_000, TODAY)).toMatchObject([{ noteRateBps: rateBps, aprBps, financeChargeCents: charge }]);
  });

  it('do not have an APR of 0 % if there is even a small finance charge', () => {
    const offers = [createOffer({ termLength: 120, tierAprBps: { A: 0 } })];
    const charged = createSheet({ offers, fees: [createFee({ flatCents: 400 })] });
    const free = createSheet({ offers, fees: [createFee({ flatCents: 400, financeCharge: false })] });

    expect(plansFor(charged, 2_733_600, TODAY)).toMatchObject([{ aprBps: 1, financeChargeCents: 400 }]);
    expect(plansFor(free, 2_733_600, TODAY)).toMatchObject([{ aprBps: 0, financeChargeCents: 0 }]);
  });

  it('are excluded if the down payment and the fees leave nothing to finance', () => {
    expect(plansFor(createSheet({ downPayment: { minCents: 6_000 } }), 6_000, TODAY)).toEqual([]);
    expect(plansFor(createSheet({ fees: [createFee({ flatCents: 6_000, financed: false })] }), 6_000, TODAY)).toEqual([]);
  });
});

describe('Plans of a program with caps', () => {
  it.each([
    { maxAprBps: 2_499, highest: 2_499 },
    { maxAprBps: 2_498, highest: 1_999 },
    { maxAprBps: 0, highest: undefined },
  ])('do not exceed $maxAprBps basis points', ({ maxAprBps, highest }) => {
    const rates = plansFor(createSheet({ caps: { maxAprBps } }), 100_000, TODAY).map(({ aprBps }) => aprBps);

    expect(rates.length === 0 ? undefined : Math.max(...rates)).toBe(highest);
  });

  it.each([
    { maprCapBps: 3_600, sold: 1 },
    { maprCapBps: 3_500, sold: 0 },
    { maprCapBps: null, sold: 1 },
  ])('include every fee in the military APR, whose cap is $maprCapBps', ({ maprCapBps, sold }) => {
    // $1,000 for a month at 24 %, and a fee of $9.00 that only the military APR counts: 1,020 for 991 is 35.1 %.
    const charged = createSheet({
      offers: [createOffer({ termLength: 1, tierAprBps: { A: 2_400 } })],
      fees: [createFee({ flatCents: 900, financeCharge: false, financed: false })],
      caps: { maprCapBps },
    });

    expect(plansFor(charged, 100_000, TODAY)).toHaveLength(sold);
  });

  it('exclude fees from the military APR that the program excludes from it', () => {
    const charged = (mapr: boolean) =>
      createSheet({
        offers: [createOffer({ termLength: 1, tierAprBps: { A: 2_400 } })],
        fees: [createFee({ flatCents: 2_000, financeCharge: false, mapr })],
      });

    expect(plansFor(charged(false), 100_000, TODAY)).toHaveLength(1);
    expect(plansFor(charged(true), 100_000, TODAY)).toHaveLength(0);
  });

  it('may have a military APR of exactly the cap: 3 % a month is 36 %', () => {
    const exact = (rateBps: number) =>
      createSheet({ offers: [createOffer({ termLength: 1, tierAprBps: { A: rateBps } })], caps: { maxAprBps: 4_000 } });

    expect(plansFor(exact(3_600), 100_000, TODAY)).toHaveLength(1);
    expect(plansFor(exact(3_601), 100_000, TODAY)).toHaveLength(0);
  });
});

describe('plansFor a buyer’s state', () => {
  const states = { excluded: ['IA', 'WV'] };
  const caps = { stateAprCapBps: { AR: 1_700, CO: 2_100 } };

  it.each([
    { state: undefined, advertised: 5 },
    { state: 'TX', advertised: 9 },
    { state: 'AR', advertised: 5 },
    { state: 'CO', advertised: 6 },
  ])(
    'returns $advertised advertised plans for $state, where an unknown state has those that every state allows',
    ({ state, advertised }) => {
      const tiers = ['A', 'B', 'C'].map((id, index) => ({
        id,
        creditBand: { min: 700 - 100 * index, max: 799 - 100 * index },
        advertise: true,
      }));
      const priced = createSheet({ states, caps, tiers }, state);

      expect(plansFor(priced, 100_000, TODAY).filter((plan) => isAdvertised(priced, plan))).toHaveLength(advertised);
    },
  );
});

describe('Plans of a promotion', () => {
  const promo = { kind: 'zero-apr', from: '2026-11-20', to: '2026-12-02' };
  const promoted = createSheet({ offers: [createOffer(), createOffer({ id: 'promo', tierAprBps: { A: 0 }, promo })] });

  it.each([
    ['2026-11-19', ['offer']],
    ['2026-11-20', ['promo', 'offer']],
    ['2026-12-02', ['promo', 'offer']],
    ['2026-12-03', ['offer']],
  ] as const)('are sold from the first to the last day of the promotion: on %s the offers are %j', (on, ids) => {
    expect(plansFor(promoted, 60_000, on).map(({ offerId }) => offerId)).toEqual(ids);
  });
});

/** A rate sheet with overlapping offers, which a valid program cannot have, to test the sort order. */
function overlapping(offers: Partial<RateSheetOffer>[]): RateSheet {
  const common = { termLength: 24, tierAprBps: { A: 999 }, minCents: null, maxCents: null, firstPeriod: REGULAR, promo: null };
  return { ...createSheet(), offers: offers.map((offer) => ({ id: 'offer', ...common, ...offer })) };
}
