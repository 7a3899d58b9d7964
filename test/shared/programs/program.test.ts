import { create } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { Program } from '../../../shared/programs/program.ts';
import { program } from '../../support/checkout.ts';
import { createFee } from '../../support/programs.ts';

const offer = program.offers[0]!;
const tier = program.tiers[0]!;
const promo = { kind: 'zero-apr', from: '2026-11-20', to: '2026-12-02' };
const only = (change: object) => ({ offers: [{ ...offer, ...change }] });
const band = (min: unknown, max: unknown) => ({
  tiers: [{ ...tier, creditBand: { min, max } }],
  ...only({ tierAprBps: { A: 599 } }),
});
const fee = (change: object) => ({ fees: [createFee({ flatCents: 100, ...change })] });
const amounts = (minCents: unknown, maxCents: unknown) => ({ amount: { minCents, maxCents } });
const bureau = {
  name: 'Example Credit Reports',
  address: 'P.O. Box 100, Atlanta, GA 30301',
  phone: '1-800-555-0100',
  website: 'https://reports.example',
};
const regulator = { name: 'Federal Trade Commission', address: '600 Pennsylvania Avenue NW, Washington, DC 20580' };
const lender = (change: object) => ({ lender: { ...program.lender, ...change } });
const twoOffers = (one: object, other: object, amount: object = {}) => ({
  amount: { minCents: 5_000, maxCents: 3_000_000, ...amount },
  offers: [
    { id: 'one', termLength: 12, tierAprBps: { A: 999 }, ...one },
    { id: 'other', termLength: 12, tierAprBps: { A: 999 }, ...other },
  ],
});

const svgLogo = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`;
const agreements = (paragraph: string) => {
  const text = { promise: ['I promise.'], sections: [{ heading: 'Terms', paragraphs: [paragraph], items: ['An item.'] }] };
  const agreement = { version: '1', en: text, es: text };
  return { agreement, coveredBorrower: agreement };
};

describe('A financing program', () => {
  it.each([
    ['is the standard program', {}],
    ['has a single offer', { offers: [offer] }],
    ['lends a single amount', amounts(100_000, 100_000)],
    ['does not offer a term to every tier', only({ tierAprBps: { A: 599 } })],
    ['is interest-free', only({ tierAprBps: { A: 0, B: 0, C: 0 } })],
    ['has the longest term', only({ termLength: 120, tierAprBps: { A: 3_599 } })],
    [
      'limits an offer and allows gaps',
      { amount: { minCents: 5_000, maxCents: 3_000_000, mayHaveGaps: true }, ...only({ minCents: 20_000, maxCents: 50_000 }) },
    ],
    ['has a single payment', only({ termLength: 1 })],
    ['splits its amounts between two offers', twoOffers({ maxCents: 50_000 }, { minCents: 50_001 })],
    ['sells two terms at the same amounts', twoOffers({}, { termLength: 24 })],
    ['sells a term to two tiers in two offers', twoOffers({}, { tierAprBps: { B: 999 } })],
    ['has a promotion and a regular offer for the same amounts', twoOffers({}, { promo, tierAprBps: { A: 0 } })],
    [
      'has two consecutive promotions',
      {
        offers: [
          offer,
          { ...offer, id: 'p', promo, tierAprBps: { A: 0 } },
          { ...offer, id: 'q', tierAprBps: { A: 0 }, promo: { ...promo, from: '2026-12-03', to: '2026-12-04' } },
        ],
      },
    ],
    ['has a fee', fee({})],
    [
      'has contact details of the lender, its regulator and its credit bureau',
      lender({ address: '1 Bank Street, Wilmington, DE 19801', phone: '(302) 555-0101', regulator, creditBureau: bureau }),
    ],
    ['has an SVG logo', lender({ logo: svgLogo })],
    ['has a PNG logo', lender({ logo: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==' })],
    ['lends in yen', { currency: 'JPY' }],
    ['has an end date', { effective: { from: '2026-10-01', to: '2026-10-01' } }],
    [
      'has state notices in two languages, of several paragraphs',
      {
        states: {
          notices: {
            CA: [
              { at: 'application', text: { en: 'A notice.\nWith two paragraphs.', es: 'Un aviso.' } },
              { at: 'agreement', text: { en: 'x'.repeat(5_000) } },
            ],
          },
        },
      },
    ],
    [
      'has a license with its regulator, and an NMLS id',
      lender({
        nmlsId: '1234567',
        website: 'https://bank.example',
        licenses: { CA: { type: 'CFL license', number: '603', regulator: { name: 'DFPI', phone: '(866) 275-2677' } } },
      }),
    ],
    ['has agreements with placeholders', { documents: agreements('{lender} lends {buyer} {principal}.\nIt is repaid.') }],
    ['excludes a military address', { states: { excluded: ['AE'] } }],
    [
      'has two payments after a minor irregularity that it disregards',
      { ...only({ termLength: 2 }), schedule: { firstPaymentAfter: { days: 13 }, firstPeriodPolicy: 'minorIrregularity' } },
    ],
    [
      'has three payments after an odd first period',
      { ...only({ termLength: 3 }), schedule: { firstPaymentAfter: { months: 2 } } },
    ],
    [
      'has the lesser of two late charges in a state',
      { late: { states: { CA: { flatCents: 1_000, percentBps: 500, combine: 'lesser' } } } },
    ],
    ['has no military cap', { caps: { maprCapBps: null } }],
  ])('is accepted if it %s', (_, change) => {
    expect(() => create({ ...program, ...change }, Program)).not.toThrow();
  });

  it('has defaults for omitted fields', () => {
    const minimal = {
      id: 'spring',
      name: 'Spring',
      version: 1,
      lender: { name: 'A bank' },
      amount: { minCents: 5_000, maxCents: 100_000 },
      tiers: [{ id: 'A', creditBand: { min: 300, max: 850 } }],
      offers: [{ id: 'a12', termLength: 12, tierAprBps: { A: 999 } }],
    };

    expect(create(minimal, Program)).toEqual({
      ...minimal,
      status: 'active',
      timeZone: 'UTC',
      effective: { from: '2000-01-01', to: null },
      currency: 'USD',
      lender: { name: 'A bank', licenses: {} },
      application: { taxId: 'last4' },
      signature: { code: 'none' },
      creditType: 'loan',
      disclosureRegime: 'reg-z-closed-end',
      amount: { minCents: 5_000, maxCents: 100_000, basis: 'cartTotal', mayHaveGaps: false },
      downPayment: { percentBps: 0, minCents: 0 },
      rounding: { payment: 'half-up', interest: 'half-up', lastPayment: 'absorb' },
      schedule: {
        interval: 'month',
        accrual: '30/360',
        firstPaymentAfter: { months: 1, days: 0 },
        oddDaysInterest: 'none',
        firstPeriodPolicy: 'exact',
      },
      fees: [],
      tiers: [{ id: 'A', creditBand: { min: 300, max: 850 }, advertise: false }],
      offers: [{ id: 'a12', termLength: 12, tierAprBps: { A: 999 }, minCents: null, maxCents: null, promo: null }],
      deferredInterest: 'unsupported',
      caps: { maxAprBps: 3_599, maprCapBps: 3_600, stateAprCapBps: {} },
      states: { excluded: [], overrides: {}, notices: {} },
      documents: {},
      purchaseMoney: true,
      military: {},
      late: { flatCents: 0, percentBps: 0, graceDays: 0, combine: 'sum', states: {} },
      prepayment: { penalty: false },
    });
  });

  it('reads license lines by state as licenses', () => {
    const lines = { name: 'A bank', stateLicences: { CA: 'CFL license 603', NY: 'License 7' } };
    const both = { ...lines, licenses: { NY: { type: 'License', number: '8' } } };

    expect(create({ ...program, lender: lines }, Program).lender).toEqual({
      name: 'A bank',
      licenses: { CA: { type: 'CFL license 603' }, NY: { type: 'License 7' } },
    });
    expect(create({ ...program, lender: both }, Program).lender.licenses['NY']).toEqual({ type: 'License', number: '8' });
  });

  it('reads a single state notice as a notice in the agreement', () => {
    const text = { en: 'A notice.', es: 'Un aviso.' };
    expect(create({ ...program, states: { notices: { CA: text } } }, Program).states.notices).toEqual({
      CA: [{ at: 'agreement', text }],
    });
  });

  it('does not change if the defaults are filled in a second time', () => {
    expect(create(JSON.parse(JSON.stringify(program)), Program)).toEqual(program);
  });

  it.each([
    ['an empty id', { id: '' }, 'id -- Expected a string with a length between `1` and `64`'],
    ['an id of 65 characters', { id: 'x'.repeat(65) }, 'id -- '],
    ['an id with a space', { id: 'spring sale' }, 'id -- '],
    ['an id like a path', { id: '../etc' }, 'id -- '],
    [
      'an unknown placeholder in an agreement',
      { documents: agreements('The rate is {rate}.') },
      'documents.agreement.en.sections.0.paragraphs.0 -- Expected one of the placeholders {lender}, {merchant}',
    ],
    [
      'a lone brace in an agreement',
      { documents: agreements('The rate is {apr.') },
      'documents.agreement.en.sections.0.paragraphs.0 -- Expected one of the placeholders',
    ],
    [
      'an agreement without one for covered borrowers',
      { documents: { agreement: agreements('A term.').agreement } },
      'documents.coveredBorrower -- Expected both agreements or neither',
    ],
    [
      'an agreement without English',
      { documents: { ...agreements('A term.'), agreement: { ...agreements('A term.').agreement, en: undefined } } },
      'documents.agreement.en -- ',
    ],
    [
      'a credit sale',
      { creditType: 'creditSale' },
      'creditType -- Expected "loan", because a credit sale needs the seller as creditor',
    ],
    ['an undefined version', { version: undefined }, 'version -- '],
    ['version 0', { version: 0 }, 'version -- '],
    ['a fractional version', { version: 1.5 }, 'version -- '],
    ['an unknown status', { status: 'draft' }, 'status -- '],
    [
      'a date that does not exist',
      { effective: { from: '2026-02-30' } },
      'effective.from -- Expected a date such as 2026-03-31, but received "2026-02-30"',
    ],
    ['a currency that does not exist', { currency: 'XXQ' }, 'currency -- Expected an ISO 4217 code, but received "XXQ"'],
    ['a lender without a name', { lender: { name: '' } }, 'lender.name -- '],
    ['a blank lender name', { lender: { name: '  ' } }, 'lender.name -- Expected no leading or trailing spaces'],
    ['a lender name on two lines', { lender: { name: 'A\nB' } }, 'lender.name -- Expected one line'],
    [
      'a lender name with an escape character',
      { lender: { name: 'A\u001b[2J' } },
      'lender.name -- Expected text without control characters',
    ],
    ['a lone surrogate in the lender name', { lender: { name: 'Bank \ud800' } }, 'lender.name -- Expected well-formed Unicode'],
    ['an empty lender address', lender({ address: '' }), 'lender.address -- '],
    ['a lender phone number in words', lender({ phone: 'call us' }), 'lender.phone -- Expected a phone number, but received'],
    ['a regulator without an address', lender({ regulator: { name: 'CFPB' } }), 'lender.regulator.address -- '],
    [
      'a credit bureau without a phone number',
      lender({ creditBureau: { ...bureau, phone: undefined } }),
      'lender.creditBureau.phone -- ',
    ],
    [
      'a credit bureau with a script URL',
      lender({ creditBureau: { ...bureau, website: 'javascript:alert(1)' } }),
      'lender.creditBureau.website -- Expected an http or https address, but received',
    ],
    [
      'a logo on a server',
      lender({ logo: 'https://bank.example/logo.png' }),
      'lender.logo -- Expected a data: URL of a PNG or SVG image in base64, but received "https://bank.example/logo.png"',
    ],
    ['a logo of another type', lender({ logo: 'data:image/gif;base64,R0lGODdh' }), 'lender.logo -- Expected a data: URL'],
    [
      'a PNG logo that is no PNG file',
      lender({ logo: svgLogo.replace('svg+xml', 'png') }),
      'lender.logo -- Expected an image of the type png, but received other content',
    ],
    [
      'an SVG logo that is no SVG file',
      lender({ logo: 'data:image/svg+xml;base64,PGh0bWw+' }),
      'lender.logo -- Expected an image of the type svg+xml, but received other content',
    ],
    [
      'a logo above 32 KiB',
      lender({ logo: `data:image/png;base64,iVBORw0KGgo${'A'.repeat(32_768)}` }),
      'lender.logo -- Expected a string with a length between `1` and `32768`',
    ],
    [
      'a lone surrogate in a notice',
      { states: { notices: { CA: [{ at: 'agreement', text: { en: 'A \udc00' } }] } } },
      'states.notices.CA.0.text.en -- Expected well-formed Unicode',
    ],
    [
      'a notice at an unknown place',
      { states: { notices: { CA: [{ at: 'receipt', text: { en: 'A notice.' } }] } } },
      'states.notices.CA.0.at -- ',
    ],
    [
      'a notice of 5,001 characters',
      { states: { notices: { CA: [{ at: 'agreement', text: { en: 'x'.repeat(5_001) } }] } } },
      'states.notices.CA.0.text.en -- Expected a string of 1 to 5000 characters',
    ],
    ['an NMLS id with letters', lender({ nmlsId: 'NMLS 1' }), 'lender.nmlsId -- '],
    ['a license without a type', lender({ licenses: { CA: { number: '1' } } }), 'lender.licenses.CA.type -- '],
    ['a license in an unknown state', lender({ licenses: { ZZ: { type: 'A' } } }), 'lender.licenses.ZZ -- '],
    [
      'the lesser of a late charge and nothing',
      { late: { flatCents: 1_000, combine: 'lesser' } },
      'late.combine -- Expected "sum", or a flat amount and a percentage above 0, but received "lesser" of 1000 cents and 0 basis points',
    ],
    [
      'the greater of nothing and a percentage in a state',
      { late: { states: { CA: { percentBps: 500, combine: 'greater' } } } },
      'late.states.CA.combine -- Expected "sum"',
    ],
    ['a late charge in an unknown state', { late: { states: { ZZ: {} } } }, 'late.states.ZZ -- Expected a US state'],
    ['a version above the range of a database integer', { version: 2 ** 31 }, 'version -- '],
    ['a minimum amount of 0', amounts(0, 100), 'amount.minCents -- '],
    ['a fraction of a cent', amounts(5_000.5, 9_000), 'amount.minCents -- '],
    ['an unbounded amount', amounts(5_000, null), 'amount.maxCents -- '],
    ['an amount of 2^53', amounts(5_000, 2 ** 53), 'amount.maxCents -- '],
    [
      'limits based on the amount financed',
      { amount: { ...program.amount, basis: 'amountFinanced' } },
      'amount.basis -- Expected "cartTotal", because',
    ],
    ['a down payment of 100 %', { downPayment: { percentBps: 10_000 } }, 'downPayment.percentBps -- '],
    ['payments rounded down', { rounding: { payment: 'floor' } }, 'rounding.payment -- '],
    [
      'interest rounded half to even',
      { rounding: { interest: 'half-even' } },
      'rounding.interest -- Expected "half-up", because',
    ],
    ['weekly payments', { schedule: { interval: 'week' } }, 'schedule.interval -- Expected "month", because'],
    ['daily interest', { schedule: { accrual: 'actual/365' } }, 'schedule.accrual -- Expected "30/360", because'],
    ['an immediate first payment', { schedule: { firstPaymentAfter: { months: 0 } } }, 'schedule.firstPaymentAfter.months -- '],
    ['28 odd days', { schedule: { firstPaymentAfter: { days: 28 } } }, 'schedule.firstPaymentAfter.days -- '],
    ['no tier', { tiers: [] }, 'tiers -- '],
    ['a credit score below 300', band(299, 700), 'tiers.0.creditBand.min -- '],
    ['a credit score above 850', band(300, 851), 'tiers.0.creditBand.max -- '],
    ['a string instead of a boolean', { tiers: [{ ...tier, advertise: 'yes' }] }, 'tiers.0.advertise -- '],
    ['a share in percent', { tiers: [{ ...tier, representativeShare: 31 }] }, 'tiers.0.representativeShare -- '],
    ['no offer', { offers: [] }, 'offers -- '],
    ['a term of 0', only({ termLength: 0 }), 'offers.0.termLength -- '],
    ['a term of eleven years', only({ termLength: 132 }), 'offers.0.termLength -- '],
    ['a rate of 100 %', only({ tierAprBps: { A: 10_000 } }), 'offers.0.tierAprBps.A -- '],
    ['a rate in percent', only({ tierAprBps: { A: 9.99 } }), 'offers.0.tierAprBps.A -- '],
    ['a negative rate', only({ tierAprBps: { A: -1 } }), 'offers.0.tierAprBps.A -- '],
    ['a negative minimum', only({ minCents: -1 }), 'offers.0.minCents -- '],
    [
      'a promotion with deferred interest',
      only({ promo: { ...promo, kind: 'deferred-interest' } }),
      'offers.0.promo.kind -- Expected "zero-apr", because deferred interest',
    ],
    ['a promotion without an end', only({ promo: { kind: 'zero-apr', from: '2026-11-20' } }), 'offers.0.promo.to -- '],
    [
      'deferred interest',
      { deferredInterest: 'twelve-months' },
      'deferredInterest -- Expected "unsupported", because retroactive interest harms buyers',
    ],
    ['a fee of an unknown kind', fee({ kind: 'handling' }), 'fees.0.kind -- '],
    ['a fee that is neither financed nor due today', fee({ financed: undefined }), 'fees.0.financed -- '],
    ['a negative fee', fee({ flatCents: -1 }), 'fees.0.flatCents -- '],
    ['a military cap above 36 %', { caps: { maprCapBps: 3_601 } }, 'caps.maprCapBps -- '],
    [
      'a state in lower case',
      { states: { excluded: ['ia'] } },
      'states.excluded.0 -- Expected a US state or DC as 2 capital letters, but received "ia"',
    ],
    ['a cap of a state that does not exist', { caps: { stateAprCapBps: { ZZ: 1_700 } } }, 'caps.stateAprCapBps.ZZ -- '],
    ['a minimum age below 18', { states: { overrides: { NE: { minAge: 17 } } } }, 'states.overrides.NE.minAge -- '],
    ['a prepayment penalty', { prepayment: { penalty: true } }, 'prepayment.penalty -- Expected false, because'],
    [
      'an unsupported disclosure regime',
      { disclosureRegime: 'uk-conc' },
      'disclosureRegime -- Expected "reg-z-closed-end", because',
    ],
    ['an unknown field of an offer', only({ promotion: 'summer' }), 'offers.0.promotion -- '],
    ['an unknown field', { colour: 'red' }, 'colour -- '],
    [
      'a minimum amount above the maximum',
      amounts(2, 1),
      'amount.minCents -- Expected at most 1, the end of the range, but received 2',
    ],
    [
      'an end date before the start date',
      { effective: { from: '2026-10-02', to: '2026-10-01' } },
      'effective.from -- Expected at most 2026-10-01',
    ],
    ['an inverted credit band', band(800, 700), 'tiers.0.creditBand.min -- Expected at most 700'],
    [
      'an offer with a minimum above its maximum',
      only({ minCents: 20_000, maxCents: 10_000 }),
      'offers.0.minCents -- Expected at most 10000',
    ],
    ['an offer above the range of the program', only({ minCents: 3_000_001 }), 'offers.0.minCents -- Expected at most 3000000'],
    [
      'a promotion that ends before it begins',
      only({ promo: { ...promo, to: '2026-11-19' }, tierAprBps: { A: 0 } }),
      'offers.0.promo.from -- Expected at most 2026-11-19',
    ],
    ['a fee with a minimum above its maximum', fee({ minCents: 200, maxCents: 100 }), 'fees.0.minCents -- Expected at most 100'],
    [
      'two tiers with the same id',
      { tiers: [...program.tiers, { ...tier, creditBand: { min: 300, max: 310 } }] },
      'tiers.3.id -- Expected a unique id, but received "A" again',
    ],
    [
      'two offers with the same id',
      { offers: [offer, { ...offer, termLength: 9 }] },
      'offers.1.id -- Expected a unique id, but received "standard-6" again',
    ],
    ['two fees with the same id', { fees: [createFee({}), createFee({})] }, 'fees.1.id -- '],
    [
      'overlapping credit bands',
      { tiers: [tier, { ...program.tiers[1]!, creditBand: { min: 660, max: 740 } }, program.tiers[2]!] },
      'tiers.1.creditBand -- Expected credit bands that do not overlap, but "B" and "A" do',
    ],
    ...['America/Springfield', '+05:00', 'new york', '', 5].map((timeZone): [string, object, string] => [
      `the time zone ${JSON.stringify(timeZone)}`,
      { timeZone },
      `timeZone -- Expected an IANA time zone, such as "America/New_York", but received ${JSON.stringify(timeZone)}`,
    ]),
    [
      'a rate for an unknown tier',
      only({ tierAprBps: { Z: 999 } }),
      'offers.0.tierAprBps.Z -- Expected the id of a tier (A, B, C), but received "Z"',
    ],
    [
      'an offer without rates',
      only({ tierAprBps: {} }),
      'offers.0.tierAprBps -- Expected a rate for at least one tier, but received none',
    ],
    [
      'a promotion with interest',
      only({ promo, tierAprBps: { A: 1 } }),
      'offers.0.tierAprBps.A -- Expected 0 for a promotion at 0 %, but received 1',
    ],
    [
      'a fee together with a promotion at 0 %',
      { ...fee({}), offers: [offer, { ...offer, id: 'p', promo, tierAprBps: { A: 0 } }] },
      'fees.0 -- Expected no fee, because it would add to the cost of the 0 % promotion "p", but received one',
    ],
    [
      'an origination fee that is not part of the finance charge',
      fee({ kind: 'origination', financeCharge: false }),
      'fees.0.financeCharge -- Expected true, because a fee for making the loan is a finance charge (12 CFR 1026.4(b)(3))',
    ],
    [
      'a service fee that is not part of the finance charge',
      fee({ kind: 'service', financeCharge: false }),
      'fees.0.financeCharge -- Expected true, because a service charge of the loan is a finance charge (12 CFR 1026.4(b)(2))',
    ],
    [
      'a participation fee that is not part of the finance charge',
      fee({ kind: 'participation', financeCharge: false }),
      'fees.0.financeCharge -- Expected true, because a participation fee is excluded only from credit plans, not from single loans',
    ],
    [
      'an application fee that is not part of the finance charge',
      fee({ kind: 'application', financeCharge: false }),
      'fees.0.financeCharge -- Expected true, because an application fee is excluded only if it is charged to all applicants, approved or not, and fees are charged only to approved buyers who sign (12 CFR 1026.4(c)(1))',
    ],
    [
      'a down payment that is too small for a card',
      { downPayment: { percentBps: 10 } },
      'downPayment -- Expected at least 50 cents, because it is paid by card, but it is 5 for a purchase of 5000',
    ],
    [
      'a fee that is due on the day of the loan',
      fee({ financed: false }),
      'fees.0.financed -- Expected true, because no fee is collected on the day of the loan, but received false',
    ],
    [
      'two payments after an odd first period',
      { ...only({ termLength: 2 }), schedule: { firstPaymentAfter: { days: 1 } } },
      'offers.0.termLength -- Expected 3 payments or more after an odd first period (schedule.firstPaymentAfter), but received 2',
    ],
    [
      'a single payment after two months',
      { ...only({ termLength: 1 }), schedule: { firstPaymentAfter: { months: 2 } } },
      'offers.0.termLength -- Expected 3 payments or more',
    ],
    [
      'a finance charge excluded from the military APR',
      fee({ mapr: false }),
      'fees.0.mapr -- Expected true, because the military APR includes every finance charge (32 CFR 232.4(c)(1)(iii)(A)), but received false',
    ],
    [
      'two offers with the same term and amounts',
      twoOffers({}, {}),
      'offers.1 -- Expected one offer for each term, tier and amount, but "other" and "one" overlap',
    ],
    [
      'two offers whose ranges share one amount',
      twoOffers({ maxCents: 50_000 }, { minCents: 50_000 }),
      'offers.1 -- Expected one offer for each term, tier and amount',
    ],
    [
      'two promotions on the same day',
      {
        offers: [
          offer,
          { ...offer, id: 'p', promo, tierAprBps: { A: 0 } },
          { ...offer, id: 'q', tierAprBps: { A: 0 }, promo: { ...promo, from: '2026-12-02', to: '2026-12-31' } },
        ],
      },
      'offers.2 -- Expected one offer for each term, tier and amount, but "q" and "p" overlap',
    ],
    [
      'a gap between two offers',
      twoOffers({ maxCents: 50_000 }, { minCents: 50_002 }),
      'offers -- Expected an offer for every amount, or `amount.mayHaveGaps`, but 50001 to 50001 cents have none',
    ],
    [
      'a gap below the offers',
      only({ minCents: 20_000 }),
      'offers -- Expected an offer for every amount, or `amount.mayHaveGaps`, but 5000 to 19999 cents have none',
    ],
    [
      'a gap above the offers',
      only({ maxCents: 20_000 }),
      'offers -- Expected an offer for every amount, or `amount.mayHaveGaps`, but 20001 to 3000000 cents have none',
    ],
    [
      'amounts covered only by a promotion',
      only({ promo, tierAprBps: { A: 0 } }),
      'offers -- Expected an offer for every amount',
    ],
  ])('is rejected with %s, at its path', (_, change, message) => {
    expect(() => create({ ...program, ...change }, Program)).toThrow(`At path: ${message}`);
  });
});
