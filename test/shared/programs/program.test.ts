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
      'has a single payment after one month, if it disregards minor irregularities',
      { ...only({ termLength: 1 }), schedule: { firstPeriodPolicy: 'minorIrregularity' } },
    ],
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
    ['ends undecided applications with a code', { undecided: { days: 1, reason: 'incomplete-application' } }],
    ['ends undecided applications with a text', { undecided: { days: 30, reason: { text: { en: 'Not completed in time.' } } } }],
    ['charges the merchant', { merchantDiscount: { bps: 350, fixedCents: 30 } }],
    ['charges the merchant another fee for a plan', only({ merchantDiscount: { bps: 200 } })],
    [
      'has a buy-down that leaves a part of the loan to the merchant',
      {
        merchantDiscount: { bps: 5_000 },
        offers: [offer, { ...offer, id: 'p', promo: { ...promo, merchantDiscountBps: 4_999 }, tierAprBps: { A: 0 } }],
      },
    ],
    ['uses no credit scores', { creditScores: 'not-used' }],
    ['gives a month to complete an application', { incompleteDays: 30 }],
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
      incompleteDays: 14,
      merchantDiscount: { bps: 0, fixedCents: 0 },
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
        interestFrom: 'settlement',
      },
      fees: [],
      tiers: [{ id: 'A', creditBand: { min: 300, max: 850 }, advertise: false }],
      offers: [{ id: 'a12', termLength: 12, tierAprBps: { A: 999 }, minCents: null, maxCents: null, promo: null }],
      deferredInterest: 'unsupported',
      caps: { maxAprBps: 3_599, maprCapBps: 3_600, stateAprCapBps: {} },
      states: { excluded: [], overrides: {}, notices: {}, reviews: [] },
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
    ['an empty id', { id: '' }, 'id'],
    ['an id of 65 characters', { id: 'x'.repeat(65) }, 'id'],
    ['an id with a space', { id: 'spring sale' }, 'id'],
    ['an id like a path', { id: '../etc' }, 'id'],
    [
      'an unknown placeholder in an agreement',
      { documents: agreements('The rate is {rate}.') },
      'documents.agreement.en.sections.0.paragraphs.0',
    ],
    [
      'a lone brace in an agreement',
      { documents: agreements('The rate is {apr.') },
      'documents.agreement.en.sections.0.paragraphs.0',
    ],
    [
      'an agreement without one for covered borrowers',
      { documents: { agreement: agreements('A term.').agreement } },
      'documents.coveredBorrower',
    ],
    [
      'an agreement without English',
      { documents: { ...agreements('A term.'), agreement: { ...agreements('A term.').agreement, en: undefined } } },
      'documents.agreement.en',
    ],
    ['a credit sale', { creditType: 'creditSale' }, 'creditType'],
    ['an undefined version', { version: undefined }, 'version'],
    ['version 0', { version: 0 }, 'version'],
    ['a fractional version', { version: 1.5 }, 'version'],
    ['an unknown status', { status: 'draft' }, 'status'],
    ['a date that does not exist', { effective: { from: '2026-02-30' } }, 'effective.from'],
    ['a currency that does not exist', { currency: 'XXQ' }, 'currency'],
    ['a lender without a name', { lender: { name: '' } }, 'lender.name'],
    ['a blank lender name', { lender: { name: '  ' } }, 'lender.name'],
    ['a lender name on two lines', { lender: { name: 'A\nB' } }, 'lender.name'],
    ['a lender name with an escape character', { lender: { name: 'A\u001b[2J' } }, 'lender.name'],
    ['a lone surrogate in the lender name', { lender: { name: 'Bank \ud800' } }, 'lender.name'],
    ['an empty lender address', lender({ address: '' }), 'lender.address'],
    ['a lender phone number in words', lender({ phone: 'call us' }), 'lender.phone'],
    ['a regulator without an address', lender({ regulator: { name: 'CFPB' } }), 'lender.regulator.address'],
    [
      'a credit bureau without a phone number',
      lender({ creditBureau: { ...bureau, phone: undefined } }),
      'lender.creditBureau.phone',
    ],
    [
      'a credit bureau with a script URL',
      lender({ creditBureau: { ...bureau, website: 'javascript:alert(1)' } }),
      'lender.creditBureau.website',
    ],
    ['a logo on a server', lender({ logo: 'https://bank.example/logo.png' }), 'lender.logo'],
    ['a logo of another type', lender({ logo: 'data:image/gif;base64,R0lGODdh' }), 'lender.logo'],
    ['a PNG logo that is no PNG file', lender({ logo: svgLogo.replace('svg+xml', 'png') }), 'lender.logo'],
    ['an SVG logo that is no SVG file', lender({ logo: 'data:image/svg+xml;base64,PGh0bWw+' }), 'lender.logo'],
    ['a logo above 32 KiB', lender({ logo: `data:image/png;base64,iVBORw0KGgo${'A'.repeat(32_768)}` }), 'lender.logo'],
    [
      'a lone surrogate in a notice',
      { states: { notices: { CA: [{ at: 'agreement', text: { en: 'A \udc00' } }] } } },
      'states.notices.CA.0.text.en',
    ],
    [
      'a notice at an unknown place',
      { states: { notices: { CA: [{ at: 'receipt', text: { en: 'A notice.' } }] } } },
      'states.notices.CA.0.at',
    ],
    [
      'a notice of 5,001 characters',
      { states: { notices: { CA: [{ at: 'agreement', text: { en: 'x'.repeat(5_001) } }] } } },
      'states.notices.CA.0.text.en',
    ],
    ['an NMLS id with letters', lender({ nmlsId: 'NMLS 1' }), 'lender.nmlsId'],
    ['a license without a type', lender({ licenses: { CA: { number: '1' } } }), 'lender.licenses.CA.type'],
    ['a license in an unknown state', lender({ licenses: { ZZ: { type: 'A' } } }), 'lender.licenses.ZZ'],
    ['the lesser of a late charge and nothing', { late: { flatCents: 1_000, combine: 'lesser' } }, 'late.combine'],
    [
      'the greater of nothing and a percentage in a state',
      { late: { states: { CA: { percentBps: 500, combine: 'greater' } } } },
      'late.states.CA.combine',
    ],
    ['a late charge in an unknown state', { late: { states: { ZZ: {} } } }, 'late.states.ZZ'],
    ['a version above the range of a database integer', { version: 2 ** 31 }, 'version'],
    ['a minimum amount of 0', amounts(0, 100), 'amount.minCents'],
    ['a fraction of a cent', amounts(5_000.5, 9_000), 'amount.minCents'],
    ['an unbounded amount', amounts(5_000, null), 'amount.maxCents'],
    ['an amount of 2^53', amounts(5_000, 2 ** 53), 'amount.maxCents'],
    ['limits based on the amount financed', { amount: { ...program.amount, basis: 'amountFinanced' } }, 'amount.basis'],
    ['a down payment of 100 %', { downPayment: { percentBps: 10_000 } }, 'downPayment.percentBps'],
    ['payments rounded down', { rounding: { payment: 'floor' } }, 'rounding.payment'],
    ['interest rounded half to even', { rounding: { interest: 'half-even' } }, 'rounding.interest'],
    ['weekly payments', { schedule: { interval: 'week' } }, 'schedule.interval'],
    ['daily interest', { schedule: { accrual: 'actual/365' } }, 'schedule.accrual'],
    ['an immediate first payment', { schedule: { firstPaymentAfter: { months: 0 } } }, 'schedule.firstPaymentAfter.months'],
    ['28 odd days', { schedule: { firstPaymentAfter: { days: 28 } } }, 'schedule.firstPaymentAfter.days'],
    ['no tier', { tiers: [] }, 'tiers'],
    ['a credit score below 300', band(299, 700), 'tiers.0.creditBand.min'],
    ['a credit score above 850', band(300, 851), 'tiers.0.creditBand.max'],
    ['a string instead of a boolean', { tiers: [{ ...tier, advertise: 'yes' }] }, 'tiers.0.advertise'],
    ['a share in percent', { tiers: [{ ...tier, representativeShare: 31 }] }, 'tiers.0.representativeShare'],
    ['no offer', { offers: [] }, 'offers'],
    ['a term of 0', only({ termLength: 0 }), 'offers.0.termLength'],
    ['a term of eleven years', only({ termLength: 132 }), 'offers.0.termLength'],
    ['a rate of 100 %', only({ tierAprBps: { A: 10_000 } }), 'offers.0.tierAprBps.A'],
    ['a rate in percent', only({ tierAprBps: { A: 9.99 } }), 'offers.0.tierAprBps.A'],
    ['a negative rate', only({ tierAprBps: { A: -1 } }), 'offers.0.tierAprBps.A'],
    ['a negative minimum', only({ minCents: -1 }), 'offers.0.minCents'],
    ['a promotion with deferred interest', only({ promo: { ...promo, kind: 'deferred-interest' } }), 'offers.0.promo.kind'],
    ['a promotion without an end', only({ promo: { kind: 'zero-apr', from: '2026-11-20' } }), 'offers.0.promo.to'],
    ['deferred interest', { deferredInterest: 'twelve-months' }, 'deferredInterest'],
    ['a fee of an unknown kind', fee({ kind: 'handling' }), 'fees.0.kind'],
    ['a fee that is neither financed nor due today', fee({ financed: undefined }), 'fees.0.financed'],
    ['a negative fee', fee({ flatCents: -1 }), 'fees.0.flatCents'],
    ['a military cap above 36 %', { caps: { maprCapBps: 3_601 } }, 'caps.maprCapBps'],
    ['a state in lower case', { states: { excluded: ['ia'] } }, 'states.excluded.0'],
    ['a cap of a state that does not exist', { caps: { stateAprCapBps: { ZZ: 1_700 } } }, 'caps.stateAprCapBps.ZZ'],
    ['a minimum age below 18', { states: { overrides: { NE: { minAge: 17 } } } }, 'states.overrides.NE.minAge'],
    ['an undecided application after 31 days', { undecided: { days: 31, reason: 'income' } }, 'undecided.days'],
    ['an undecided application after 0 days', { undecided: { days: 0, reason: 'income' } }, 'undecided.days'],
    ...['limit', 'tier', 'other'].map((reason): [string, object, string] => [
      `the unspecific reason "${reason}" of an undecided application`,
      { undecided: { days: 30, reason } },
      'undecided.reason',
    ]),
    ['a reason without English', { undecided: { days: 30, reason: { text: { es: 'Otro.' } } } }, 'undecided.reason.text.en'],
    ['six days to complete an application', { incompleteDays: 6 }, 'incompleteDays'],
    ['31 days to complete an application', { incompleteDays: 31 }, 'incompleteDays'],
    ['an unknown use of credit scores', { creditScores: 'sometimes' }, 'creditScores'],
    ['a merchant discount of 100 %', { merchantDiscount: { bps: 10_000 } }, 'merchantDiscount.bps'],
    ['a negative fee of the merchant', { merchantDiscount: { fixedCents: -1 } }, 'merchantDiscount.fixedCents'],
    ['a prepayment penalty', { prepayment: { penalty: true } }, 'prepayment.penalty'],
    ['an unsupported disclosure regime', { disclosureRegime: 'uk-conc' }, 'disclosureRegime'],
    ['an unknown field of an offer', only({ promotion: 'summer' }), 'offers.0.promotion'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['a minimum amount above the maximum', amounts(2, 1), 'amount.minCents'],
    ['an end date before the start date', { effective: { from: '2026-10-02', to: '2026-10-01' } }, 'effective.from'],
    ['an inverted credit band', band(800, 700), 'tiers.0.creditBand.min'],
    ['an offer with a minimum above its maximum', only({ minCents: 20_000, maxCents: 10_000 }), 'offers.0.minCents'],
    ['an offer above the range of the program', only({ minCents: 3_000_001 }), 'offers.0.minCents'],
    [
      'a promotion that ends before it begins',
      only({ promo: { ...promo, to: '2026-11-19' }, tierAprBps: { A: 0 } }),
      'offers.0.promo.from',
    ],
    ['a fee with a minimum above its maximum', fee({ minCents: 200, maxCents: 100 }), 'fees.0.minCents'],
    ['two tiers with the same id', { tiers: [...program.tiers, { ...tier, creditBand: { min: 300, max: 310 } }] }, 'tiers.3.id'],
    ['two offers with the same id', { offers: [offer, { ...offer, termLength: 9 }] }, 'offers.1.id'],
    ['two fees with the same id', { fees: [createFee({}), createFee({})] }, 'fees.1.id'],
    [
      'overlapping credit bands',
      { tiers: [tier, { ...program.tiers[1]!, creditBand: { min: 660, max: 740 } }, program.tiers[2]!] },
      'tiers.1.creditBand',
    ],
    ...['America/Springfield', '+05:00', 'new york', '', 5].map((timeZone): [string, object, string] => [
      `the time zone ${JSON.stringify(timeZone)}`,
      { timeZone },
      'timeZone',
    ]),
    ['a rate for an unknown tier', only({ tierAprBps: { Z: 999 } }), 'offers.0.tierAprBps.Z'],
    ['an offer without rates', only({ tierAprBps: {} }), 'offers.0.tierAprBps'],
    [
      'a buy-down that leaves nothing of the loan to the merchant',
      {
        merchantDiscount: { bps: 5_000 },
        offers: [offer, { ...offer, id: 'p', promo: { ...promo, merchantDiscountBps: 5_000 }, tierAprBps: { A: 0 } }],
      },
      'offers.1.promo.merchantDiscountBps',
    ],
    [
      'a negative fee of the merchant for a plan',
      only({ merchantDiscount: { fixedCents: -1 } }),
      'offers.0.merchantDiscount.fixedCents',
    ],
    ['a promotion with interest', only({ promo, tierAprBps: { A: 1 } }), 'offers.0.tierAprBps.A'],
    [
      'a fee together with a promotion at 0 %',
      { ...fee({}), offers: [offer, { ...offer, id: 'p', promo, tierAprBps: { A: 0 } }] },
      'fees.0',
    ],
    [
      'an origination fee that is not part of the finance charge',
      fee({ kind: 'origination', financeCharge: false }),
      'fees.0.financeCharge',
    ],
    [
      'a service fee that is not part of the finance charge',
      fee({ kind: 'service', financeCharge: false }),
      'fees.0.financeCharge',
    ],
    [
      'a participation fee that is not part of the finance charge',
      fee({ kind: 'participation', financeCharge: false }),
      'fees.0.financeCharge',
    ],
    [
      'an application fee that is not part of the finance charge',
      fee({ kind: 'application', financeCharge: false }),
      'fees.0.financeCharge',
    ],
    ['a down payment that is too small for a card', { downPayment: { percentBps: 10 } }, 'downPayment'],
    ['a fee that is due on the day of the loan', fee({ financed: false }), 'fees.0.financed'],
    [
      'two payments after an odd first period',
      { ...only({ termLength: 2 }), schedule: { firstPaymentAfter: { days: 1 } } },
      'offers.0.termLength',
    ],
    [
      'a single payment after two months',
      { ...only({ termLength: 1 }), schedule: { firstPaymentAfter: { months: 2 } } },
      'offers.0.termLength',
    ],
    [
      'a single payment after an irregular month that the policy disregards',
      { ...only({ termLength: 1 }), schedule: { firstPaymentAfter: { days: 1 }, firstPeriodPolicy: 'minorIrregularity' } },
      'offers.0.termLength',
    ],
    [
      'a single payment among others after the longest minor irregularity',
      {
        offers: [offer, { ...offer, id: 'single', termLength: 1 }],
        schedule: { firstPaymentAfter: { days: 13 }, firstPeriodPolicy: 'minorIrregularity' },
      },
      'offers.1.termLength',
    ],
    ['a finance charge excluded from the military APR', fee({ mapr: false }), 'fees.0.mapr'],
    ['two offers with the same term and amounts', twoOffers({}, {}), 'offers.1'],
    ['two offers whose ranges share one amount', twoOffers({ maxCents: 50_000 }, { minCents: 50_000 }), 'offers.1'],
    [
      'two promotions on the same day',
      {
        offers: [
          offer,
          { ...offer, id: 'p', promo, tierAprBps: { A: 0 } },
          { ...offer, id: 'q', tierAprBps: { A: 0 }, promo: { ...promo, from: '2026-12-02', to: '2026-12-31' } },
        ],
      },
      'offers.2',
    ],
    ['a gap between two offers', twoOffers({ maxCents: 50_000 }, { minCents: 50_002 }), 'offers'],
    ['a gap below the offers', only({ minCents: 20_000 }), 'offers'],
    ['a gap above the offers', only({ maxCents: 20_000 }), 'offers'],
    ['amounts covered only by a promotion', only({ promo, tierAprBps: { A: 0 } }), 'offers'],
  ])('is rejected with %s, at its path', (_, change, path) => {
    expect(() => create({ ...program, ...change }, Program)).toThrow(`At path: ${path} -- Expected `);
  });
});
