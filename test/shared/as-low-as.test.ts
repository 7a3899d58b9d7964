import { assert } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { aprFraction, asLowAs } from '../../shared/as-low-as.ts';
import { formatMoney } from '../../shared/money.ts';
import { plansFor } from '../../shared/plans.ts';
import type { Program } from '../../shared/programs.ts';
import { AsLowAs } from '../../shared/wire/as-low-as.ts';
import { program } from '../support/given.ts';
import { samples } from '../support/random.ts';

describe('asLowAs', () => {
  it('quotes $740.00 on the standard program as $34.14 a month', () => {
    expect(asLowAs(program, 74_000)).toEqual({
      monthly: 3_414,
      amount: '$34.14',
      termLength: 24,
      termInterval: 'Month',
      apr: 0.0999,
      minApr: 0.0599,
      maxApr: 0.2999,
      asLowAsText: expect.stringContaining('financing $740.00 over 24 months at 9.99% APR'),
    });
  });

  it.each([
    { amountCents: 50_000, monthly: 2_307, amount: '$23.07' },
    { amountCents: 74_000, monthly: 3_414, amount: '$34.14' },
    { amountCents: 5_000, monthly: 231, amount: '$2.31' },
    { amountCents: 3_000_000, monthly: 138_421, amount: '$1,384.21' },
  ])('$amountCents cents cost $amount a month', ({ amountCents, monthly, amount }) => {
    expect(asLowAs(program, amountCents)).toMatchObject({ monthly, amount, termLength: 24, apr: 0.0999 });
  });

  it('takes the lowest payment that is advertised, though another tier pays less', () => {
    const generous = givenProgram({
      tiers: [tier('A', { advertise: false }), tier('B', { advertise: true })],
      offers: [offer({ tierAprBps: { A: 0, B: 1_999 } })],
    });

    expect(asLowAs(generous, 100_000)).toMatchObject({ monthly: 5_089, apr: 0.1999, minApr: 0, maxApr: 0.1999 });
  });

  it('never joins the lowest rate with a term that is not sold at it', () => {
    const promotion = givenProgram({
      offers: [offer({ id: 'promo', termLength: 6, tierAprBps: { A: 0 } }), offer({ termLength: 24, tierAprBps: { A: 1_499 } })],
    });

    expect(asLowAs(promotion, 60_000)).toMatchObject({ monthly: 2_909, termLength: 24, apr: 0.1499, minApr: 0, maxApr: 0.1499 });
  });

  it('spans in minApr and maxApr what is sold at this amount, and nothing else', () => {
    const stepped = givenProgram({
      offers: [
        offer({ id: 'small', tierAprBps: { A: 1_999, B: 2_999 }, maxCents: 50_000 }),
        offer({ id: 'large', tierAprBps: { A: 499, B: 999 }, minCents: 50_001 }),
      ],
    });

    expect(asLowAs(stepped, 50_000)).toMatchObject({ apr: 0.1999, minApr: 0.1999, maxApr: 0.2999 });
    expect(asLowAs(stepped, 50_001)).toMatchObject({ apr: 0.0499, minApr: 0.0499, maxApr: 0.0999 });
  });

  it('says a rate of nothing plainly', () => {
    const free = givenProgram({ offers: [offer({ termLength: 6, tierAprBps: { A: 0 } })] });

    const quoted = asLowAs(free, 1_000_000);

    expect(quoted).toMatchObject({ monthly: 166_667, apr: 0, minApr: 0, maxApr: 0 });
    expect(quoted.asLowAsText).toContain(
      'at 0% APR, fixed, takes 5 monthly payments of $1,666.67 and a last payment of $1,666.65',
    );
    expect(quoted.asLowAsText).toContain('$10,000.00 in total');
  });

  it.each([
    { amountCents: 1, side: 'below' },
    { amountCents: 100, side: 'below' },
    { amountCents: 4_999, side: 'just below' },
    { amountCents: 3_000_001, side: 'just above' },
    { amountCents: 99_999_999_999, side: 'far above' },
  ])('extrapolates no payment for $amountCents cents, $side the range', ({ amountCents }) => {
    const quoted = asLowAs(program, amountCents);

    expect(quoted).toMatchObject({ monthly: 0, amount: '', termLength: 0, termInterval: 'Month' });
    expect(quoted).toMatchObject({ apr: 0.2999, minApr: 0.0599, maxApr: 0.2999 });
    expect(quoted.asLowAsText).toContain('from $50.00 to $30,000.00');
    expect(() => assert(quoted, AsLowAs)).not.toThrow();
  });

  it('names, outside every offer, the amounts that an offer is really there for', () => {
    const narrow = givenProgram({
      offers: [offer({ minCents: 20_000, maxCents: 90_000 }), offer({ id: 'b', minCents: 30_000 })],
    });

    expect(asLowAs(narrow, 10_000).asLowAsText).toContain('for purchases from $200.00 to $30,000.00');
  });

  it('names no payment when nothing may be advertised', () => {
    const discreet = givenProgram({ tiers: program.tiers.map((each) => ({ ...each, advertise: false })) });

    expect(asLowAs(discreet, 100_000)).toMatchObject({ monthly: 0, amount: '', minApr: 0.0599, maxApr: 0.2999 });
  });

  it('quotes 1,000 amounts as a struct on the wire, with the lowest payment that tier A gets', () => {
    for (const amountCents of samples(1_000, 31, (random) => random.magnitude(5_000, 3_000_000))) {
      const quoted = asLowAs(program, amountCents);
      const payments = plansFor(program, amountCents, 'A').map(({ schedule }) => schedule.levelPaymentCents);
      expect(quoted.monthly).toBe(Math.min(...payments));
      assert(quoted, AsLowAs);
    }
  });

  it('says in its text, for 1,000 amounts, the same numbers as in its fields and its schedule', () => {
    for (const amountCents of samples(1_000, 32, (random) => random.magnitude(5_000, 3_000_000))) {
      const quoted = asLowAs(program, amountCents);
      const { schedule } = plansFor(program, amountCents)[0]!;
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

describe('aprFraction', () => {
  it.each([
    [999, '0.0999'],
    [2_999, '0.2999'],
    [700, '0.07'],
    [1, '0.0001'],
    [0, '0'],
  ])('%d basis points stand on the wire as %s', (aprBps, json) => {
    expect(JSON.stringify(aprFraction(aprBps))).toBe(json);
  });

  it('carries no binary noise for any rate', () => {
    for (let aprBps = 0; aprBps < 10_000; aprBps++) {
      expect(JSON.stringify(aprFraction(aprBps)).length).toBeLessThanOrEqual('0.0999'.length);
    }
  });
});

function givenProgram(change: Partial<Program>): Program {
  return { ...program, ...change };
}

function tier(id: string, change: Partial<Program['tiers'][number]>): Program['tiers'][number] {
  return { id, label: id, creditBand: { min: 300, max: 850 }, advertise: true, ...change };
}

function offer(change: Partial<Program['offers'][number]>): Program['offers'][number] {
  return { id: 'offer', termLength: 24, tierAprBps: { A: 999 }, minCents: null, maxCents: null, ...change };
}
