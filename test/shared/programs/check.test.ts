import { describe, expect, it } from 'vitest';
import { checkProgram } from '../../../shared/programs/check.ts';
import { program } from '../../support/given.ts';
import { givenFee, givenOffer } from '../../support/programs.ts';

const check = (change: object) => checkProgram({ ...program, ...change });
const single = (termLength: number, rateBps: number) => ({ offers: [givenOffer({ termLength, tierAprBps: { A: rateBps } })] });
const amounts = (minCents: number, maxCents: number) => ({ amount: { minCents, maxCents } });

describe('checkProgram', () => {
  it('has nothing to say about the standard program', () => {
    expect(check({})).toEqual({ program, refusals: [], warnings: [] });
  });

  it('completes what is left out', () => {
    const { id, name, version, effective, lender, amount, tiers, offers } = program;
    expect(checkProgram({ id, name, version, effective, lender, amount, tiers, offers }).program).toEqual(program);
  });

  it.each([null, undefined, 'a program', 7, [], true])('refuses %j', (value) => {
    const { program: checked, refusals } = checkProgram(value);

    expect(checked).toBeUndefined();
    expect(refusals.length).toBeGreaterThan(0);
  });

  it.each([
    ['a field that takes the place of a function', { toString: 1 }, 'Expected no field named "toString"'],
    ['the same, further in', { ...program, version: { valueOf: 1 } }, 'Expected no field named "valueOf"'],
    ['nesting without end', JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)), 'Expected at most 32 levels of nesting'],
  ])('refuses %s, which could not be shown', (_, value, message) => {
    expect(checkProgram(value).refusals).toEqual([{ path: '', message: expect.stringContaining(message) }]);
  });

  it('says everything that is wrong at once, each with its path', () => {
    const { program: checked, refusals } = check({
      currency: 'XXQ',
      deferredInterest: 'yes',
      offers: [{ id: 'a', termLength: 0, tierAprBps: { A: 1.5 } }],
    });

    expect(checked).toBeUndefined();
    expect(refusals.map(({ path }) => path).toSorted()).toEqual([
      'currency',
      'deferredInterest',
      'offers.0.termLength',
      'offers.0.tierAprBps.A',
    ]);
    for (const { message } of refusals) expect(message).toMatch(/^Expected .* received/);
  });

  it.each([
    ['an unknown field', { colour: 'red' }, 'colour', 'Expected no field of this name, but received: `"red"`'],
    ['a version below 1', { version: 0 }, 'version', 'Expected an integer greater than or equal to 1'],
  ])('words %s so that one knows what was expected', (_, change, path, message) => {
    expect(check(change).refusals).toContainEqual({ path, message: expect.stringContaining(message) });
  });

  it('says everything that does not go together at once', () => {
    const { refusals } = check({ ...amounts(10, 5), fees: [givenFee({ flatCents: 100, mapr: false })] });

    expect(refusals.map(({ path }) => path)).toEqual(expect.arrayContaining(['amount.minCents', 'fees.0.mapr']));
  });

  it.each([
    [
      'amounts so small that whole cents miss the rate',
      { ...amounts(100, 100_000), ...single(12, 1_999) },
      'Expected payments within 1/8 of a point of 19.99% APR, but whole cents make them miss it, at $1.00',
    ],
    [
      'amounts that whole cents repay early',
      { ...amounts(100, 100_000), ...single(24, 999) },
      'Expected 24 payments, but whole cents repay the loan in 22, at $1.00',
    ],
    [
      'payments of which some repay nothing',
      { ...amounts(1, 100_000), ...single(24, 999) },
      'Expected every payment to repay something, but one of 0 cents does not, at $0.01',
    ],
    [
      'a rate above its cap',
      { ...single(12, 3_600), caps: { maxAprBps: 3_599 } },
      'Expected at most 35.99% APR (caps.maxAprBps), but it is 36.00%, at $50.00',
    ],
    [
      'a fee that makes small loans too dear',
      { ...single(12, 999), fees: [givenFee({ flatCents: 2_500 })] },
      'Expected at most 35.99% APR (caps.maxAprBps), but it is 94.47%, at $50.00',
    ],
    [
      'a military rate above 36 %',
      { ...single(1, 3_601), caps: { maxAprBps: 4_000 } },
      'Expected a military APR of at most 36.00% (caps.maprCapBps), but the loan costs more, at $30,000.00',
    ],
    [
      'a down payment that leaves nothing',
      { ...single(12, 999), downPayment: { minCents: 5_000 } },
      'Expected something to finance beside the down payment and the fees, but 0 cents are left, at $50.00',
    ],
    [
      'fees that eat the loan',
      { ...single(12, 999), fees: [givenFee({ flatCents: 6_000, financed: false })] },
      'Expected something to finance beside the down payment and the fees, but -1000 cents are left, at $50.00',
    ],
  ])('refuses %s, at the amount where it happens', (_, change, message) => {
    const { program: checked, refusals } = check(change);

    expect(checked).toBeUndefined();
    expect(refusals).toContainEqual({ path: 'offers.0.tierAprBps.A', message: expect.stringContaining(message) });
  });

  it.each([
    ['No interest if paid in full within six months.', 'claims about credit, but received "No interest if"'],
    ['Ninety days same as cash.', 'claims about credit, but received "same as cash"'],
    ['Approval is guaranteed.', 'claims about credit, but received "guaranteed"'],
    ['Our rates are below 36%.', 'rates and amounts, but received "36%"'],
    ['Rates of 36 percent.', 'rates and amounts, but received "36 percent"'],
    ['Payments from $10.', 'rates and amounts, but received "$10'],
  ])('refuses the notice %j', (en, message) => {
    const { program: checked, refusals } = check({ states: { notices: { CA: { en } } } });

    expect(checked).toBeUndefined();
    const path = 'states.notices.CA.en';
    expect(refusals).toEqual([{ path, message: expect.stringContaining(`Expected a notice without ${message}`) }]);
  });

  it.each([
    ['Sin intereses si paga en seis meses.', 'claims about credit, but received "Sin intereses si"'],
    ['Aprobación garantizada: le garantizamos el crédito.', 'claims about credit, but received "garantiza'],
    ['Tasas menores al 36 %.', 'rates and amounts, but received "36 %"'],
  ])('refuses the Spanish notice %j', (es, message) => {
    const { refusals } = check({ states: { notices: { CA: { en: 'Licensed in California.', es } } } });

    const path = 'states.notices.CA.es';
    expect(refusals).toEqual([{ path, message: expect.stringContaining(`Expected a notice without ${message}`) }]);
  });

  it.each([
    'Loans are made under California Financing Law license 60DBO-12345.',
    'You may rescind within 3 business days.',
    'Approval is not guaranteed.',
  ])('takes the notice %j', (en) => {
    expect(check({ states: { notices: { CA: { en } } } }).refusals).toEqual([]);
  });

  it('proves every offer for every tier at both ends of its amounts', () => {
    const { refusals } = check({ caps: { maxAprBps: 0 } });

    expect(refusals).toHaveLength(3 * 3 * 2);
    expect(new Set(refusals.map(({ path }) => path)).size).toBe(9);
    expect(refusals.filter(({ message }) => message.endsWith('at $50.00'))).toHaveLength(9);
    expect(refusals.filter(({ message }) => message.endsWith('at $30,000.00'))).toHaveLength(9);
  });

  it('proves the upper end of an offer within the program’s amounts', () => {
    const offers = [givenOffer({ maxCents: 10_000 }), givenOffer({ id: 'large', minCents: 10_001 })];
    const { refusals } = check({ offers, caps: { maxAprBps: 0 } });

    expect(refusals.map(({ path }) => path.split('.')[1])).toEqual(['1', '1', '0', '0']);
    expect(refusals.map(({ message }) => message.split(', at ')[1])).toEqual(['$100.01', '$30,000.00', '$50.00', '$100.00']);
  });
});

describe('checkProgram warns', () => {
  const tiers = (change: object) => ({ tiers: program.tiers.map((tier) => ({ ...tier, ...(tier.id === 'A' && change) })) });

  it.each([
    ['when no tier may be advertised', tiers({ advertise: false }), 'tiers', 'No tier may be advertised'],
    [
      'when few buyers reach what is advertised',
      tiers({ representativeShare: 0.09 }),
      'tiers.0',
      'Tier "A" is advertised, though 9 % of approved buyers reach it',
    ],
    ['when a tier is sold nothing', single(12, 999), 'tiers.1', 'Tier "B" is sold nothing'],
    [
      'when a state’s cap keeps offers from its residents',
      { caps: { stateAprCapBps: { AR: 1_700 } } },
      'caps.stateAprCapBps.AR',
      'Not sold in AR: standard-6 for C, standard-12 for C, standard-24 for B, standard-24 for C',
    ],
  ])('%s, and takes the program all the same', (_, change, path, message) => {
    const checked = check(change);

    expect(checked.refusals).toEqual([]);
    expect(checked.program).toBeDefined();
    expect(checked.warnings).toContainEqual({ path, message: expect.stringContaining(message) });
  });

  it.each([
    ['a tenth of the buyers', tiers({ representativeShare: 0.1 })],
    ['a lender whose name promises what nobody may promise', { lender: { name: 'Guaranteed Rate, same as cash' } }],
    ['a state’s cap that nothing exceeds', { caps: { stateAprCapBps: { AR: 2_999 } } }],
    ['the cap of a state without loans', { caps: { stateAprCapBps: { AR: 0 } }, states: { excluded: ['AR'] } }],
  ])('not about %s', (_, change) => {
    expect(check(change).warnings).toEqual([]);
  });
});
