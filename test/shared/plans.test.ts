import { describe, expect, it } from 'vitest';
import { monthlyApr } from '../../shared/apr/monthly.ts';
import { REGULAR_TOLERANCE } from '../../shared/apr/tolerance.ts';
import { lowestAdvertisedPlan, plansFor } from '../../shared/plans.ts';
import type { Program } from '../../shared/programs.ts';
import { program } from '../support/given.ts';
import { samples } from '../support/random.ts';

describe('plansFor', () => {
  it('lists every term and tier of the standard program, from the lowest monthly payment', () => {
    const plans = plansFor(program, 100_000).map(({ termLength, tierId, aprBps, schedule }) => [
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

  it('keeps to one tier when it is given', () => {
    const plans = plansFor(program, 100_000, 'B');

    expect(plans.map(({ termLength, aprBps }) => [termLength, aprBps])).toEqual([
      [24, 1_999],
      [12, 1_699],
      [6, 1_499],
    ]);
  });

  it('has nothing for a tier that the program does not know', () => {
    expect(plansFor(program, 100_000, 'Z')).toEqual([]);
  });

  it.each([
    { amountCents: 4_999, plans: 0 },
    { amountCents: 5_000, plans: 9 },
    { amountCents: 3_000_000, plans: 9 },
    { amountCents: 3_000_001, plans: 0 },
  ])('sells $plans plans for $amountCents cents: the bounds belong to the range', ({ amountCents, plans }) => {
    expect(plansFor(program, amountCents)).toHaveLength(plans);
  });

  it.each([
    { bounds: { minCents: 20_000, maxCents: null }, sold: [20_000, 3_000_000], unsold: [19_999, 3_000_001] },
    { bounds: { minCents: null, maxCents: 20_000 }, sold: [5_000, 20_000], unsold: [4_999, 20_001] },
    { bounds: { minCents: 20_000, maxCents: 20_000 }, sold: [20_000], unsold: [19_999, 20_001] },
    { bounds: { minCents: 1, maxCents: 99_999_999 }, sold: [5_000, 3_000_000], unsold: [4_999, 3_000_001] },
  ])('an offer from $bounds.minCents to $bounds.maxCents is sold within those and the program’s own bounds', (example) => {
    const bounded = givenProgram({ offers: [{ ...program.offers[0]!, ...example.bounds }] });

    for (const amountCents of example.sold) expect(plansFor(bounded, amountCents), `${amountCents}`).toHaveLength(3);
    for (const amountCents of example.unsold) expect(plansFor(bounded, amountCents), `${amountCents}`).toEqual([]);
  });

  it('are not sold when their whole cents miss the stated rate by more than 1/8 of a point', () => {
    const tiny = givenProgram({ amount: { minCents: 100, maxCents: 100_000 }, offers: [givenOffer({ tierAprBps: { A: 999 } })] });

    expect(plansFor(tiny, 100)).toEqual([]);
    expect(plansFor(tiny, 10_000)).toHaveLength(1);
  });

  it('of the standard program can all be stated, and leave every buyer a choice, at every amount from $50 to $200', () => {
    for (let amountCents = 5_000; amountCents <= 20_000; amountCents++) {
      const plans = plansFor(program, amountCents);
      const [lowest] = plans;
      expect(new Set(plans.map(({ tierId }) => tierId)).size, `${amountCents}`).toBe(3);
      expect(lowestAdvertisedPlan(program, amountCents), `${amountCents}`).toMatchObject({
        offerId: lowest!.offerId,
        tierId: 'A',
      });
    }
  });

  describe('when two plans take the same monthly payment', () => {
    it('puts the lower total first', () => {
      const tied = givenProgram({
        amount: { minCents: 100, maxCents: 100_000 },
        offers: [givenOffer({ id: 'dear', tierAprBps: { A: 1_000 } }), givenOffer({ id: 'cheap', tierAprBps: { A: 999 } })],
      });

      const plans = plansFor(tied, 10_000);

      expect(plans.map(({ schedule }) => schedule.levelPaymentCents)).toEqual([461, 461]);
      expect(plans.map(({ offerId }) => offerId)).toEqual(['cheap', 'dear']);
    });

    it('puts the lower rate first when the totals are the same too', () => {
      const tied = givenProgram({
        amount: { minCents: 100, maxCents: 100_000 },
        offers: [
          givenOffer({ id: 'dear', termLength: 1, tierAprBps: { A: 1_000 } }),
          givenOffer({ id: 'free', termLength: 1, tierAprBps: { A: 999 } }),
        ],
      });

      const plans = plansFor(tied, 5_000);

      expect(plans.map(({ schedule }) => schedule.totalOfPaymentsCents)).toEqual([5_042, 5_042]);
      expect(plans.map(({ offerId }) => offerId)).toEqual(['free', 'dear']);
    });

    it('goes by the id of the offer when nothing else tells them apart', () => {
      const twins = givenProgram({ offers: ['b', 'c', 'a'].map((id) => givenOffer({ id, tierAprBps: { A: 999 } })) });

      expect(plansFor(twins, 50_000).map(({ offerId }) => offerId)).toEqual(['a', 'b', 'c']);
    });
  });

  it('states the rate that the cents really cost, for every plan from $50 to $30,000 of the standard program', () => {
    const amounts = [...samples(600, 21, (random) => random.magnitude(5_000, 3_000_000)), 5_000, 5_001, 3_000_000];
    for (const amountCents of amounts) {
      for (const { aprBps, schedule, termLength, tierId } of plansFor(program, amountCents)) {
        const apr = monthlyApr(
          amountCents,
          schedule.installments.map(({ paymentCents }) => paymentCents),
        );
        const difference = Math.abs(apr - aprBps / 10_000);
        if (!(difference <= REGULAR_TOLERANCE)) expect.fail(`${amountCents} over ${termLength} at ${tierId}: ${apr}`);
      }
    }
  });
});

function givenProgram(change: Partial<Program>): Program {
  return { ...program, ...change };
}

function givenOffer(change: Partial<Program['offers'][number]>): Program['offers'][number] {
  return { id: 'offer', termLength: 24, tierAprBps: { A: 999 }, minCents: null, maxCents: null, ...change };
}
