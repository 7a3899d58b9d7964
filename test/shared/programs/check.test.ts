import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../shared/programs/check.ts';
import { plansFor } from '../../../shared/plans.ts';
import { rateSheet } from '../../../shared/programs/rate-sheet.ts';
import { program } from '../../support/checkout.ts';
import { createFee, createOffer } from '../../support/programs.ts';

const check = (change: object) => checkProgram({ ...program, ...change });
const single = (termLength: number, rateBps: number) => ({ offers: [createOffer({ termLength, tierAprBps: { A: rateBps } })] });
const withNotice = (text: object, at = 'advertisement') => ({
  states: { notices: { CA: [{ at, text }], WI: program.states.notices['WI'] } },
});
const amounts = (minCents: number, maxCents: number) => ({ amount: { minCents, maxCents } });

describe('checkProgram', () => {
  it('accepts the standard program without warnings', () => {
    expect(check({})).toEqual({ program, consistent: program, errors: [], warnings: [] });
  });

  it('accepts the sample program, whose promotion at 0 % costs nothing at any amount', () => {
    const { program: sample, errors } = checkProgram(JSON.parse(readFileSync('demo/programs/holiday.json', 'utf8')));
    expect(errors).toEqual([]);
    const free = [20_000, 129_900, 1_500_000]
      .flatMap((cents) => plansFor(rateSheet(sample!), cents, '2026-12-01'))
      .filter(({ promo }) => promo);
    expect(free).toHaveLength(6);
    expect(free.map(({ financeChargeCents, aprBps }) => financeChargeCents + aprBps)).toEqual(free.map(() => 0));
    expect(free.every(({ financing, schedule }) => schedule.totalOfPaymentsCents === financing.amountFinancedCents)).toBe(true);
    expect(
      free.every(({ financing }) => financing.purchaseCents === financing.downPaymentCents + financing.amountFinancedCents),
    ).toBe(true);
  });

  it.each([null, undefined, 'a program', 7, [], true])('rejects %j', (value) => {
    const { program: checked, errors } = checkProgram(value);

    expect(checked).toBeUndefined();
    expect(errors.length).toBeGreaterThan(0);
  });

  it.each([
    ['a field that shadows a function', { toString: 1 }, 'Expected no field named "toString"'],
    ['a nested field that shadows a function', { ...program, version: { valueOf: 1 } }, 'Expected no field named "valueOf"'],
    ['excessive nesting', JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)), 'Expected at most 32 levels of nesting'],
  ])('rejects %s', (_, value, message) => {
    expect(checkProgram(value).errors).toEqual([{ path: '', message: expect.stringContaining(message) }]);
  });

  it('reports all invalid fields with their paths', () => {
    const { program: checked, errors } = check({
      currency: 'XXQ',
      deferredInterest: 'yes',
      offers: [{ id: 'a', termLength: 0, tierAprBps: { A: 1.5 } }],
    });

    expect(checked).toBeUndefined();
    expect(errors.map(({ path }) => path).toSorted()).toEqual([
      'currency',
      'deferredInterest',
      'offers.0.termLength',
      'offers.0.tierAprBps.A',
    ]);
    for (const { message } of errors) expect(message).toMatch(/^Expected .* received/);
  });

  it('describes an unknown field in plain terms', () => {
    const message = expect.stringContaining('Expected no field of this name, but received: `"red"`');
    expect(check({ colour: 'red' }).errors).toContainEqual({ path: 'colour', message });
  });

  it('reports all inconsistencies', () => {
    const { errors } = check({ ...amounts(10, 5), fees: [createFee({ flatCents: 100, mapr: false })] });

    expect(errors.map(({ path }) => path)).toEqual(expect.arrayContaining(['amount.minCents', 'fees.0.mapr']));
  });

  it.each([
    [
      'amounts so small that rounded payments miss the rate',
      { ...amounts(100, 100_000), ...single(12, 1_999) },
      'Expected payments within 1/8 of a point of 19.99% APR, but rounding to whole cents makes it inaccurate, at $1.00',
    ],
    [
      'amounts that rounded payments repay early',
      { ...amounts(100, 100_000), ...single(24, 999) },
      'Expected 24 payments, but rounded payments repay the loan in 22, at $1.00',
    ],
    [
      'a rate above its cap',
      { ...single(12, 3_600), caps: { maxAprBps: 3_599 } },
      'Expected at most 35.99% APR (caps.maxAprBps), but it is 36.00%, at $50.00',
    ],
    [
      'a military APR above 36 %',
      { ...single(1, 3_601), caps: { maxAprBps: 4_000 } },
      'Expected a military APR of at most 36.00% (caps.maprCapBps), but the loan costs more, at $30,000.00',
    ],
    [
      'a down payment of the whole amount',
      { ...single(12, 999), downPayment: { minCents: 5_000 } },
      'Expected a positive amount financed after the down payment and the fees, but received 0 cents, at $50.00',
    ],
  ])('rejects %s and states the amount', (_, change, message) => {
    const { program: checked, errors } = check(change);

    expect(checked).toBeUndefined();
    expect(errors).toContainEqual({ path: 'offers.0.tierAprBps.A', message: expect.stringContaining(message) });
  });

  it.each([
    ['No interest if paid in full within six months.', 'claims about credit, but received "No interest if"'],
    ['Ninety days same as cash.', 'claims about credit, but received "same as cash"'],
    ['Approval is guaranteed.', 'claims about credit, but received "guaranteed"'],
    ['Our rates are below 36%.', 'rates and amounts, but received "36%"'],
    ['Rates of 36 percent.', 'rates and amounts, but received "36 percent"'],
    ['Payments from $10.', 'rates and amounts, but received "$10'],
  ])('rejects the notice %j', (en, message) => {
    const { program: checked, errors } = check(withNotice({ en }));

    expect(checked).toBeUndefined();
    const path = 'states.notices.CA.0.text.en';
    expect(errors).toEqual([{ path, message: expect.stringContaining(`Expected a notice without ${message}`) }]);
  });

  it.each([
    ['Sin intereses si paga en seis meses.', 'claims about credit, but received "Sin intereses si"'],
    ['Aprobación garantizada: le garantizamos el crédito.', 'claims about credit, but received "garantiza'],
    ['Tasas menores al 36 %.', 'rates and amounts, but received "36 %"'],
  ])('rejects the Spanish notice %j', (es, message) => {
    const { errors } = check(withNotice({ en: 'Licensed in California.', es }));

    const path = 'states.notices.CA.0.text.es';
    expect(errors).toEqual([{ path, message: expect.stringContaining(`Expected a notice without ${message}`) }]);
  });

  it.each([
    'Loans are made under California Financing Law license 60DBO-12345.',
    'You may rescind within 3 business days.',
    'Approval is not guaranteed.',
  ])('accepts the notice %j', (en) => {
    expect(check(withNotice({ en })).errors).toEqual([]);
  });

  it.each(['application', 'agreement'])('accepts rates and amounts in a notice at the %s', (at) => {
    expect(check(withNotice({ en: 'The finance charge is at most 18% of $1,000.' }, at)).errors).toEqual([]);
  });

  it('warns that a program without a notice to applicants in Wisconsin is not sold there', () => {
    const warning = { path: 'states.notices.WI', message: 'Not sold in WI: there is no notice for applicants' };

    expect(check({ states: {} }).warnings).toEqual([warning]);
    expect(check({ states: { excluded: ['WI'] } }).warnings).toEqual([]);
  });

  it('checks every offer for every tier at both ends of its amount range', () => {
    const { errors } = check({ caps: { maxAprBps: 0 } });

    expect(errors).toHaveLength(3 * 3 * 2);
    expect(new Set(errors.map(({ path }) => path)).size).toBe(9);
    expect(errors.filter(({ message }) => message.endsWith('at $50.00'))).toHaveLength(9);
    expect(errors.filter(({ message }) => message.endsWith('at $30,000.00'))).toHaveLength(9);
  });

  it('checks an offer at its own limits or else at those of the program', () => {
    const offers = [createOffer({ maxCents: 10_000 }), createOffer({ id: 'large', minCents: 10_001 })];
    const { errors } = check({ offers, caps: { maxAprBps: 0 } });

    expect(errors.map(({ path }) => path.split('.')[1])).toEqual(['1', '1', '0', '0']);
    expect(errors.map(({ message }) => message.split(', at ')[1])).toEqual(['$100.01', '$30,000.00', '$50.00', '$100.00']);
  });
});

describe('A warning of checkProgram', () => {
  const tiers = (change: object) => ({ tiers: program.tiers.map((tier) => ({ ...tier, ...(tier.id === 'A' && change) })) });

  it.each([
    ['a program without an advertised tier', tiers({ advertise: false }), 'tiers', 'No tier is advertised'],
    [
      'an advertised rate that few buyers qualify for',
      tiers({ representativeShare: 0.09 }),
      'tiers.0.representativeShare',
      'Tier "A" is advertised, but only 9 % of approved buyers qualify for it',
    ],
    ['a tier without offers', single(12, 999), 'tiers.1', 'Tier "B" has no offers'],
    [
      'a state’s cap that excludes offers',
      { caps: { stateAprCapBps: { AR: 1_700 } } },
      'caps.stateAprCapBps.AR',
      'Not sold in AR: standard-6 for C, standard-12 for C, standard-24 for B, standard-24 for C',
    ],
  ])('is returned for %s, which is accepted', (_, change, path, message) => {
    const checked = check(change);

    expect(checked.errors).toEqual([]);
    expect(checked.program).toBeDefined();
    expect(checked.warnings).toContainEqual({ path, message: expect.stringContaining(message) });
  });

  it.each([
    ['a tier that 10 % of the buyers qualify for', tiers({ representativeShare: 0.1 })],
    ['a lender whose name contains a banned claim', { lender: { name: 'Guaranteed Rate, same as cash' } }],
    ['a state’s cap above all rates', { caps: { stateAprCapBps: { AR: 2_999 } } }],
    ['the cap of an excluded state', { caps: { stateAprCapBps: { AR: 0 } }, states: { excluded: ['AR', 'WI'] } }],
  ])('is not returned for %s', (_, change) => {
    expect(check(change).warnings).toEqual([]);
  });
});
