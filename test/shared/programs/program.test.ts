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
const notice = (text: string, at = 'agreement') => ({ states: { notices: { CA: [{ at, text: { en: text } }] } } });
const term = (termLength: number, schedule: object) => ({ ...only({ termLength }), schedule });
const charge = { flatCents: 1_000, percentBps: 500 };
const minor = { firstPeriodPolicy: 'minorIrregularity' };
const bureau = {
  name: 'Example Credit Reports',
  address: 'P.O. Box 100, Atlanta, GA 30301',
  phone: '1-800-555-0100',
  website: 'https://reports.example',
};
const lender = (change: object) => ({ lender: { ...program.lender, ...change } });
const whole = { minCents: 5_000, maxCents: 3_000_000 };
const twoOffers = (one: object, other: object, amount: object = {}) => ({
  amount: { ...whole, ...amount },
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

const { agreement } = agreements('A term.');
const firstSection = 'documents.agreement.en.sections.0.paragraphs.0';
const lateInState = 'late.states.CA.combine';
const backwards = { ...promo, to: '2026-11-19' };
const creditBand = { min: 660, max: 740 };
const termPath = 'offers.0.termLength';
const promotion = { ...offer, id: 'p', promo, tierAprBps: { A: 0 } };
/** Offers with a second promotion. */
const promotions = (from: string, to: string) => ({
  offers: [offer, promotion, { ...promotion, id: 'q', promo: { ...promo, from, to } }],
});
const buyDown = (merchantDiscountBps: number) => ({
  merchantDiscount: { bps: 5_000 },
  offers: [offer, { ...promotion, promo: { ...promo, merchantDiscountBps } }],
});

describe('A financing program', () => {
  it.each([
    ['has the longest term', only({ termLength: 120, tierAprBps: { A: 3_599 } })],
    ['limits an offer and allows gaps', { amount: { ...whole, mayHaveGaps: true }, ...only({ minCents: 20_000 }) }],
    ['has a single payment', only({ termLength: 1 })],
    ['splits its amounts between two offers', twoOffers({ maxCents: 50_000 }, { minCents: 50_001 })],
    ['sells two terms at the same amounts', twoOffers({}, { termLength: 24 })],
    ['sells a term to two tiers in two offers', twoOffers({}, { tierAprBps: { B: 999 } })],
    ['has two consecutive promotions', promotions('2026-12-03', '2026-12-04')],
    ['has an SVG logo', lender({ logo: svgLogo })],
    ['has a PNG logo', lender({ logo: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==' })],
    ['has an end date', { effective: { from: '2026-10-01', to: '2026-10-01' } }],
    ['has agreements with placeholders', { documents: agreements('{lender} lends {buyer} {principal}.\nIt is repaid.') }],
    ['excludes a military address', { states: { excluded: ['AE'] } }],
    ['has a single payment after one month, if it disregards minor irregularities', term(1, minor)],
    ['has two payments after a minor irregularity that it disregards', term(2, { firstPaymentAfter: { days: 13 }, ...minor })],
    ['has the lesser of two late charges in a state', { late: { states: { CA: { ...charge, combine: 'lesser' } } } }],
    ['ends undecided applications with a text', { undecided: { days: 30, reason: { text: { en: 'Not completed in time.' } } } }],
    ['has a buy-down that leaves a part of the loan to the merchant', buyDown(4_999)],
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
      prepayment: { penalty: false, feeRefundDays: 0 },
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

  it.each([
    ['an empty id', { id: '' }, 'id'],
    ['an id of 65 characters', { id: 'x'.repeat(65) }, 'id'],
    ['an id with a space', { id: 'spring sale' }, 'id'],
    ['an id like a path', { id: '../etc' }, 'id'],
    ['an unknown placeholder in an agreement', { documents: agreements('The rate is {rate}.') }, firstSection],
    ['a lone brace in an agreement', { documents: agreements('The rate is {apr.') }, firstSection],
    ['an agreement, but none for covered borrowers', { documents: { agreement } }, 'documents.coveredBorrower'],
    ['an agreement without English', { documents: { agreement: { ...agreement, en: undefined } } }, 'documents.agreement.en'],
    ['a credit sale', { creditType: 'creditSale' }, 'creditType'],
    ['an undefined version', { version: undefined }, 'version'],
    ['a fractional version', { version: 1.5 }, 'version'],
    ['an unknown status', { status: 'draft' }, 'status'],
    ['a date that does not exist', { effective: { from: '2026-02-30' } }, 'effective.from'],
    ['a currency that does not exist', { currency: 'XXQ' }, 'currency'],
    ['a lender without a name', { lender: { name: '' } }, 'lender.name'],
    ['an empty lender address', lender({ address: '' }), 'lender.address'],
    ['a lender phone number in words', lender({ phone: 'call us' }), 'lender.phone'],
    ['a regulator without an address', lender({ regulator: { name: 'CFPB' } }), 'lender.regulator.address'],
    ['a bureau without a phone number', lender({ creditBureau: { ...bureau, phone: undefined } }), 'lender.creditBureau.phone'],
    ['a script as website', lender({ creditBureau: { ...bureau, website: 'javascript:1' } }), 'lender.creditBureau.website'],
    ['a logo on a server', lender({ logo: 'https://bank.example/logo.png' }), 'lender.logo'],
    ['a logo of another type', lender({ logo: 'data:image/gif;base64,R0lGODdh' }), 'lender.logo'],
    ['a PNG logo that is no PNG file', lender({ logo: svgLogo.replace('svg+xml', 'png') }), 'lender.logo'],
    ['an SVG logo that is no SVG file', lender({ logo: 'data:image/svg+xml;base64,PGh0bWw+' }), 'lender.logo'],
    ['a logo above 32 KiB', lender({ logo: `data:image/png;base64,iVBORw0KGgo${'A'.repeat(32_768)}` }), 'lender.logo'],
    ['a lone surrogate in a notice', notice('A \udc00'), 'states.notices.CA.0.text.en'],
    ['a notice at an unknown place', notice('A notice.', 'receipt'), 'states.notices.CA.0.at'],
    ['a notice of 5,001 characters', notice('x'.repeat(5_001)), 'states.notices.CA.0.text.en'],
    ['an NMLS id with letters', lender({ nmlsId: 'NMLS 1' }), 'lender.nmlsId'],
    ['a license without a type', lender({ licenses: { CA: { number: '1' } } }), 'lender.licenses.CA.type'],
    ['the lesser of a late charge and nothing', { late: { flatCents: 1_000, combine: 'lesser' } }, 'late.combine'],
    ['the greater of nothing and a share', { late: { states: { CA: { percentBps: 5, combine: 'greater' } } } }, lateInState],
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
    [
      'a reason that says nothing',
      { undecided: { days: 30, reason: { text: { en: 'Our internal policy.' } } } },
      'undecided.reason.text.en',
    ],
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
    ['a promotion that ends before it begins', only({ ...promotion, promo: backwards }), 'offers.0.promo.from'],
    ['a fee with a minimum above its maximum', fee({ minCents: 200, maxCents: 100 }), 'fees.0.minCents'],
    ['two tiers with the same id', { tiers: [...program.tiers, { ...tier, creditBand: { min: 300, max: 310 } }] }, 'tiers.3.id'],
    ['two offers with the same id', { offers: [offer, { ...offer, termLength: 9 }] }, 'offers.1.id'],
    ['two fees with the same id', { fees: [createFee({}), createFee({})] }, 'fees.1.id'],
    ['overlapping credit bands', { tiers: [tier, { ...program.tiers[1]!, creditBand }] }, 'tiers.1.creditBand'],
    ...['America/Springfield', '+05:00', 'new york', '', 5].map((timeZone): [string, object, string] => [
      `the time zone ${JSON.stringify(timeZone)}`,
      { timeZone },
      'timeZone',
    ]),
    ['a rate for an unknown tier', only({ tierAprBps: { Z: 999 } }), 'offers.0.tierAprBps.Z'],
    ['an offer without rates', only({ tierAprBps: {} }), 'offers.0.tierAprBps'],
    ['a buy-down that leaves nothing of the loan to the merchant', buyDown(5_000), 'offers.1.promo.merchantDiscountBps'],
    ['a negative fee for a plan', only({ merchantDiscount: { fixedCents: -1 } }), 'offers.0.merchantDiscount.fixedCents'],
    ['a promotion with interest', only({ promo, tierAprBps: { A: 1 } }), 'offers.0.tierAprBps.A'],
    ['a fee together with a promotion at 0 %', { ...fee({}), offers: [offer, promotion] }, 'fees.0'],
    ...['origination', 'service', 'participation', 'application'].map((kind): [string, object, string] => [
      `a fee for ${kind} that is not part of the finance charge`,
      fee({ kind, financeCharge: false }),
      'fees.0.financeCharge',
    ]),
    ['a down payment that is too small for a card', { downPayment: { percentBps: 10 } }, 'downPayment'],
    ['a fee that is due on the day of the loan', fee({ financed: false }), 'fees.0.financed'],
    ['two payments after an odd first period', term(2, { firstPaymentAfter: { days: 1 } }), termPath],
    ['a single payment after two months', term(1, { firstPaymentAfter: { months: 2 } }), termPath],
    ['a single payment after an irregular month', term(1, { firstPaymentAfter: { days: 1 }, ...minor }), termPath],
    [
      'a single payment among others after the longest minor irregularity',
      { offers: [offer, { ...offer, id: 'single', termLength: 1 }], schedule: { firstPaymentAfter: { days: 13 }, ...minor } },
      'offers.1.termLength',
    ],
    ['a finance charge excluded from the military APR', fee({ mapr: false }), 'fees.0.mapr'],
    ['two offers with the same term and amounts', twoOffers({}, {}), 'offers.1'],
    ['two offers whose ranges share one amount', twoOffers({ maxCents: 50_000 }, { minCents: 50_000 }), 'offers.1'],
    ['two promotions on the same day', promotions('2026-12-02', '2026-12-31'), 'offers.2'],
    ['a gap between two offers', twoOffers({ maxCents: 50_000 }, { minCents: 50_002 }), 'offers'],
    ['a gap below the offers', only({ minCents: 20_000 }), 'offers'],
    ['a gap above the offers', only({ maxCents: 20_000 }), 'offers'],
    ['amounts covered only by a promotion', only({ promo, tierAprBps: { A: 0 } }), 'offers'],
  ])('is rejected with %s, at its path', (_, change, path) => {
    expect(() => create({ ...program, ...change }, Program)).toThrow(`At path: ${path} -- Expected `);
  });
});
