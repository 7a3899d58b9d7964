import { create } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { Program } from '../../shared/programs.ts';
import { program } from '../support/given.ts';

const offer = program.offers[0]!;
const tier = program.tiers[0]!;
const only = (change: Partial<typeof offer>) => ({ offers: [{ ...offer, ...change }] });
const band = (min: unknown, max: unknown) => ({
  tiers: program.tiers.map((each) => ({ ...each, creditBand: { min, max } })),
});

describe('a financing program', () => {
  it.each([
    ['is the standard one', {}],
    ['has a single offer', { offers: [offer] }],
    ['lends a single amount', { amount: { minCents: 100_000, maxCents: 100_000 } }],
    ['does not sell a term to every tier', only({ tierAprBps: { A: 599 } })],
    ['is without interest', only({ tierAprBps: { A: 0, B: 0, C: 0 } })],
    ['has the highest rate and the longest term', only({ termLength: 120, tierAprBps: { A: 3_599 } })],
    ['bounds an offer more narrowly', only({ minCents: 20_000, maxCents: 50_000 })],
    ['is paid back at once', only({ termLength: 1 })],
  ])('is accepted when it %s', (_, change) => {
    expect(() => create({ ...program, ...change }, Program)).not.toThrow();
  });

  it.each([
    ['an empty id', { id: '' }, 'At path: id -- '],
    ['an id of 65 characters', { id: 'x'.repeat(65) }, 'At path: id -- '],
    ['no version', { version: undefined }, 'At path: version -- '],
    ['version 0', { version: 0 }, 'At path: version -- '],
    ['half a version', { version: 1.5 }, 'At path: version -- '],
    ['a lender without a name', { lender: { name: '' } }, 'At path: lender.name -- '],
    ['an amount of nothing', { amount: { minCents: 0, maxCents: 100 } }, 'At path: amount.minCents -- '],
    ['a fraction of a cent', { amount: { minCents: 5_000.5, maxCents: 9_000 } }, 'At path: amount.minCents -- '],
    ['an unbounded amount', { amount: { minCents: 5_000, maxCents: null } }, 'At path: amount.maxCents -- '],
    ['an amount of 2^53', { amount: { minCents: 5_000, maxCents: 2 ** 53 } }, 'At path: amount.maxCents -- '],
    ['no tier', { tiers: [] }, 'At path: tiers -- '],
    ['a credit score below 300', band(299, 700), 'At path: tiers.0.creditBand.min -- '],
    ['a credit score above 850', band(300, 851), 'At path: tiers.0.creditBand.max -- '],
    ['a yes for a boolean', { tiers: [{ ...tier, advertise: 'yes' }] }, 'At path: tiers.0.advertise -- '],
    ['no offer', { offers: [] }, 'At path: offers -- '],
    ['a term of nothing', only({ termLength: 0 }), 'At path: offers.0.termLength -- '],
    ['a term of eleven years', only({ termLength: 132 }), 'At path: offers.0.termLength -- '],
    ['a rate above 35.99 %', only({ tierAprBps: { A: 3_600 } }), 'At path: offers.0.tierAprBps.A -- '],
    ['a rate in percent', only({ tierAprBps: { A: 9.99 } }), 'At path: offers.0.tierAprBps.A -- '],
    ['a rate below nothing', only({ tierAprBps: { A: -1 } }), 'At path: offers.0.tierAprBps.A -- '],
    ['a negative bound', only({ minCents: -1 }), 'At path: offers.0.minCents -- '],
    ['fees, which it could not quote', { fees: [{ flatCents: 500 }] }, 'At path: fees -- '],
    ['an unknown field of an offer', only({ promo: 'summer' } as never), 'At path: offers.0.promo -- '],
  ])('is refused with %s, at its path', (_, change, message) => {
    expect(() => create({ ...program, ...change }, Program)).toThrow(message);
  });

  it.each([
    [
      'the least amount above the most',
      { amount: { minCents: 2, maxCents: 1 } },
      '`amount.minCents` to be at most `amount.maxCents`',
    ],
    ['a rate for a tier that it does not have', only({ tierAprBps: { Z: 999 } }), 'the id of a tier, but received "Z"'],
  ])('is refused with %s', (_, change, message) => {
    expect(() => create({ ...program, ...change }, Program)).toThrow(message);
  });

  it.each([
    ['two tiers of one id', { tiers: [...program.tiers, tier] }],
    ['two offers of one id', { offers: [offer, offer] }],
    ['a credit band upside down', band(800, 700)],
    ['an offer whose least amount is above its most', only({ minCents: 20_000, maxCents: 10_000 })],
    ['an offer that is sold to nobody', only({ tierAprBps: {} })],
    ['amounts that no rounded payment repays', { ...only({ termLength: 24 }), amount: { minCents: 1, maxCents: 100_000 } }],
  ])('is refused with %s, because it could not be quoted or chosen from', (_, change) => {
    expect(() => create({ ...program, ...change }, Program)).toThrow();
  });
});
