import {
  array,
  boolean,
  defaulted,
  define,
  enums,
  type Infer,
  integer,
  max,
  min,
  nullable,
  number,
  object,
  optional,
  pattern,
  record,
  refine,
  size,
  string,
  type Struct,
} from 'superstruct';
import { MAX_CENTS } from '../money.ts';
import { CalendarDate, line } from '../wire/fields.ts';
import { inEachLanguage } from '../languages.ts';
import { US_STATES } from '../wire/us-states.ts';
import { incoherences } from './coherence.ts';

const AmountCents = max(min(integer(), 1), MAX_CENTS);
const CostCents = max(min(integer(), 0), MAX_CENTS);
const CreditScore = max(min(integer(), 300), 850);
/** What people read: one line that says something, in whole characters. */
const Line = (maxLength: number) =>
  refine(line(maxLength, 1), 'line', (value) => {
    if (/\p{Surrogate}/u.test(value)) return 'Expected whole characters, but received half of one';
    return value.trim() === value || 'Expected no space at its ends, but received some';
  });
const Name = Line(120);
const Address = Line(300);
/** As people dial it: `1-800-555-0100`. */
const Phone = refine(
  Line(40),
  'phone',
  (value) => /^[+(]?\d[\d ().-]+\d$/.test(value) || `Expected a phone number, but received ${JSON.stringify(value)}`,
);
const WebAddress = refine(
  Line(200),
  'web address',
  (value) => /^https?:\/\/\S+$/.test(value) || `Expected an http or https address, but received ${JSON.stringify(value)}`,
);

/** Basis points of a yearly rate or of an amount: 999 is 9.99 %. Never a fraction of one. */
const Bps = max(min(integer(), 0), 9_999);

/** What an offer, a tier, a fee or a program is called by: letters, digits, `.`, `_` and `-`, from the first on no sign. */
const Code = pattern(size(string(), 1, 64), /^[A-Za-z0-9][\w.-]*$/);

/** An ISO 4217 code of a currency that amounts can be written in. */
const Currency = define<string>(
  'currency',
  (value) =>
    (typeof value === 'string' && Intl.supportedValuesOf('currency').includes(value)) ||
    `Expected an ISO 4217 code, but received ${JSON.stringify(value)}`,
);

/** A US state or DC by its two capital letters. */
const UsState = define<string>(
  'state',
  (value) =>
    (typeof value === 'string' && Object.hasOwn(US_STATES, value)) ||
    `Expected a US state or DC as 2 capital letters, but received ${JSON.stringify(value)}`,
);

/** A field that has a single value, and why every other is refused. */
function only<const Value extends string | false>(value: Value, because: string): Struct<Value, null> {
  return defaulted(
    define<Value>(
      'only',
      (given) =>
        given === value || `Expected ${JSON.stringify(value)}, because ${because}, but received ${JSON.stringify(given)}`,
    ),
    () => value,
  );
}

/** A class of buyers, by credit score. */
export const Tier = object({
  id: Code,
  label: optional(Name),
  creditBand: object({ min: CreditScore, max: CreditScore }),
  /** Whether its rates may stand in an "as low as" example. */
  advertise: defaulted(boolean(), false),
  /** The part of approved buyers who reach it, 0 to 1. An example few of them reach is warned of. */
  representativeShare: optional(max(min(number(), 0), 1)),
});
export type Tier = Infer<typeof Tier>;

/** Loans without interest for purchases on certain days, the merchant bearing their cost. Days are whole days in UTC. */
const Promotion = object({
  kind: only('zero-apr', 'interest that may fall due later (deferred interest) is refused by design'),
  /** First and last day. */
  from: CalendarDate,
  to: CalendarDate,
  /** What the merchant pays the lender for it, in basis points of the amount financed. Never shown to buyers. */
  merchantDiscountBps: defaulted(Bps, 0),
});

/**
 * A number of monthly payments, and what it costs each tier in basis points (999 is 9.99 %).
 *
 * A tier that is missing from `tierAprBps` is not sold this term. `minCents` and `maxCents` bound the purchase; null means the
 * program's own bound.
 */
export const ProgramOffer = object({
  id: Code,
  termLength: max(min(integer(), 1), 120),
  /** Yearly interest of the loan itself, before fees. */
  tierAprBps: record(string(), Bps),
  minCents: defaulted(nullable(AmountCents), null),
  maxCents: defaulted(nullable(AmountCents), null),
  promo: defaulted(nullable(Promotion), null),
});
export type ProgramOffer = Infer<typeof ProgramOffer>;

/** A charge for making the loan: `amountBps` of the purchase less the down payment, plus `flatCents`, within its bounds. */
export const Fee = object({
  id: Code,
  kind: enums(['origination', 'application', 'participation', 'service']),
  amountBps: defaulted(Bps, 0),
  flatCents: defaulted(CostCents, 0),
  minCents: defaulted(CostCents, 0),
  maxCents: defaulted(nullable(CostCents), null),
  /** Whether it is part of the finance charge: 12 CFR 1026.4. The APR then counts it. */
  financeCharge: boolean(),
  /** Lent along with the purchase, rather than due on the day of the loan. */
  financed: boolean(),
  /** Whether the military APR counts it; every finance charge is counted. 32 CFR 232.4(c). */
  mapr: defaulted(boolean(), true),
});
export type Fee = Infer<typeof Fee>;

/** In English, and in any other language. */
const StateNotice = object({ ...inEachLanguage(() => optional(Line(500))), en: Line(500) });

const ProgramFields = object({
  id: Code,
  name: Name,
  version: max(min(integer(), 1), 2_147_483_647),
  status: defaulted(enums(['active', 'retired']), 'active'),
  /** First and last day on which new loans are made under this version; null for no end. */
  effective: defaulted(object({ from: CalendarDate, to: defaulted(nullable(CalendarDate), null) }), {
    from: '2000-01-01',
  }),
  currency: defaulted(Currency, 'USD'),
  lender: object({
    name: Name,
    model: optional(enums(['bank-partner', 'licensed-lender'])),
    /** Licence lines, by state. */
    stateLicences: defaulted(record(UsState, Name), {}),
    /** Where buyers write to and call. A notice of a denial must name the address: 12 CFR 1002.9(a)(2). */
    address: optional(Address),
    phone: optional(Phone),
    /** The federal agency that watches over the lender's dealing with applicants: 12 CFR 1002, Appendix A. */
    regulator: optional(object({ name: Line(200), address: Address })),
    /** The consumer reporting agency whose reports the lender decides by: 15 USC 1681m(a)(3). */
    creditBureau: optional(object({ name: Name, address: Address, phone: Phone, website: WebAddress })),
  }),
  /** A credit sale's disclosure states the total sale price as well: 12 CFR 1026.18(j). */
  creditType: defaulted(enums(['loan', 'creditSale']), 'loan'),
  disclosureRegime: only('reg-z-closed-end', 'these are the disclosures there are'),
  /** The purchases that are financed. */
  amount: object({
    minCents: AmountCents,
    maxCents: AmountCents,
    basis: only('cartTotal', 'the bounds are those of the purchase'),
    /** Whether it is meant that between the bounds there are amounts no offer is for. */
    mayHaveGaps: defaulted(boolean(), false),
  }),
  /** Paid on the day of the loan: the larger of the two, up to a whole minor unit. */
  downPayment: defaulted(object({ percentBps: defaulted(Bps, 0), minCents: defaulted(CostCents, 0) }), {}),
  rounding: defaulted(
    object({
      payment: defaulted(enums(['half-up', 'ceil']), 'half-up'),
      interest: only('half-up', 'schedules are to be the same everywhere'),
      lastPayment: only('absorb', 'what is paid must be what is owed'),
    }),
    {},
  ),
  schedule: defaulted(
    object({
      interval: only('month', 'loans are repaid monthly'),
      accrual: only('30/360', 'equal months bear equal interest'),
      /** When the first payment is due: whole months, after odd days. 28 days are a month, in some Februaries. */
      firstPaymentAfter: defaulted(
        object({ months: defaulted(max(min(integer(), 1), 6), 1), days: defaulted(max(min(integer(), 0), 27), 0) }),
        {},
      ),
      /** Whether the time beyond a month bears interest, paid with the first payment, and how many days a year then has. */
      oddDaysInterest: defaulted(enums(['none', '360', '365']), 'none'),
      /** Whether a slightly longer first period counts as a month in the APR: 12 CFR 1026.17(c)(4). */
      firstPeriodPolicy: defaulted(enums(['exact', 'minorIrregularity']), 'exact'),
    }),
    {},
  ),
  fees: defaulted(size(array(Fee), 0, 10), () => []),
  tiers: size(array(Tier), 1, 20),
  offers: size(array(ProgramOffer), 1, 60),
  deferredInterest: only('unsupported', 'retroactive interest is a trap for buyers; sell a 0 % promotion instead'),
  /** What no loan under this program may cost, in basis points a year. */
  caps: defaulted(
    object({
      maxAprBps: defaulted(Bps, 3_599),
      /** The military rate, for loans to covered borrowers; null when none are made. 10 USC 987(b). */
      maprCapBps: defaulted(nullable(max(Bps, 3_600)), 3_600),
      stateAprCapBps: defaulted(record(UsState, Bps), {}),
    }),
    {},
  ),
  states: defaulted(
    object({
      /** Whose residents get no loan. */
      excluded: defaulted(array(UsState), () => []),
      overrides: defaulted(record(UsState, object({ minAge: max(min(integer(), 18), 25) })), {}),
      /** What the residents of a state must be told, in each language there is. */
      notices: defaulted(record(UsState, StateNotice), {}),
    }),
    {},
  ),
  /** What a late payment costs: the sum of both. */
  late: defaulted(object({ flatCents: defaulted(CostCents, 0), percentBps: defaulted(Bps, 0) }), {}),
  prepayment: defaulted(object({ penalty: only(false, 'a buyer may always pay early for nothing') }), {}),
});
export type ProgramFields = Infer<typeof ProgramFields>;

/**
 * A financing program: who lends, to whom, for how long, at which rates and fees. Loans are repaid monthly. Amounts are in the
 * currency's minor unit.
 *
 * `create(json, Program)` fills in what is left out. `id` is what a merchant sends as `financingProgramId`. A version is never
 * changed: an accepted application keeps the one it was made under. Whether its loans are lawful, `checkProgram` proves.
 */
export const Program = refine(ProgramFields, 'program', incoherences);
export type Program = Infer<typeof Program>;
