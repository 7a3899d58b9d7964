import { array, boolean, define, enums, type Infer, integer, number, object, string, type Struct, type } from 'superstruct';
import { MAX_CENTS } from '../money.ts';
import { annotate, patternOf } from '../wire/annotations.ts';
import { CalendarDate, line, text } from '../wire/fields.ts';
import { coerce, defaulted, max, min, nullable, optional, pattern, record, refine, size, translated } from '../wire/structs.ts';
import { POSTAL_STATES } from '../wire/us-states.ts';
import { Documents } from './documents.ts';
import { findInconsistencies } from './consistency.ts';
import { SpecificReason } from './denial-reason.ts';

const AmountCents = max(min(integer(), 1), MAX_CENTS);
const CostCents = max(min(integer(), 0), MAX_CENTS);
const CreditScore = max(min(integer(), 300), 850);

/** Display text: well-formed Unicode, which is not empty, without leading or trailing spaces. */
function trimmed(struct: Struct<string, null>, maxLength: number, { source }: RegExp): Struct<string, null> {
  const rule = (value: string) => value.trim() === value || 'Expected no leading or trailing spaces, but received some';
  const accepted = { type: 'string', minLength: 1, maxLength, pattern: source };
  return annotate(refine(struct, 'trimmed', rule), { kind: 'value', accepted });
}

/** Display text in one line. */
const Line = (maxLength: number) => trimmed(line(maxLength, 1), maxLength, TRIMMED_LINE);
// oxlint-disable-next-line no-control-regex -- control characters are what it excludes
const TRIMMED_LINE = /^[^\s\x00-\x1f\x7f](?:[^\x00-\x08\x0a-\x1f\x7f]*[^\s\x00-\x1f\x7f])?$/;
// oxlint-disable-next-line no-control-regex -- control characters are what it excludes
const TRIMMED_TEXT = /^[^\s\x00-\x1f\x7f](?:[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*[^\s\x00-\x1f\x7f])?$/;
const Name = Line(120);
const Address = Line(300);
/** For display: `1-800-555-0100`. */
const Phone = matchingLine(40, 'a phone number', /^[+(]?\d[\d ().-]+\d$/);
const WebAddress = matchingLine(200, 'an http or https address', /^https?:\/\/\S+$/);

/** A line that matches a pattern, which is stricter than that of `Line`. */
function matchingLine(maxLength: number, expected: string, matching: RegExp): Struct<string, null> {
  const struct = refine(
    Line(maxLength),
    'pattern',
    (value) => matching.test(value) || `Expected ${expected}, but received ${JSON.stringify(value)}`,
  );
  return annotate(struct, { kind: 'value', accepted: { type: 'string', maxLength, pattern: patternOf(matching) } });
}

/** Lower-case hexadecimal. */
const Sha256 = pattern(string(), /^[\da-f]{64}$/);

/** At most 32 KiB, because every checkout page contains it. */
const MAX_LOGO_LENGTH = 32_768;
/** The beginning of a PNG file in base64. */
const PNG_START = 'iVBORw0KGgo';
const LOGO = /^data:image\/(png|svg\+xml);base64,([A-Za-z0-9+/]+={0,2})$/;
/** A picture as a `data:` URL in base64, which loads nothing from another server. */
const Logo = annotate(
  refine(size(string(), 1, MAX_LOGO_LENGTH), 'logo', (value) => {
    const [, format, base64 = ''] = LOGO.exec(value) ?? [];
    if (!format)
      return `Expected a data: URL of a PNG or SVG image in base64, but received ${JSON.stringify(value.slice(0, 40))}`;
    const isImage = format === 'png' ? base64.startsWith(PNG_START) : base64.length % 4 === 0 && atob(base64).includes('<svg');
    return isImage || `Expected an image of the type ${format}, but received other content`;
  }),
  { kind: 'value', accepted: { type: 'string', maxLength: MAX_LOGO_LENGTH, pattern: patternOf(LOGO) } },
);

/** Basis points of an annual rate or of an amount: 999 is 9.99 %. Integers only. */
const Bps = max(min(integer(), 0), 9_999);

/**
 * Identifier of a program, an offer, a tier or a fee: letters, digits, `.`, `_` and `-`, beginning with a letter or a digit.
 */
const Code = pattern(size(string(), 1, 64), /^[A-Za-z0-9][\w.-]*$/);

const CURRENCIES = Intl.supportedValuesOf('currency');

/** ISO 4217 code of a currency that `Intl` can format. */
const Currency = annotate(
  define<string>(
    'currency',
    (value) =>
      (typeof value === 'string' && CURRENCIES.includes(value)) ||
      `Expected an ISO 4217 code, but received ${JSON.stringify(value)}`,
  ),
  { kind: 'value', accepted: { type: 'string', enum: CURRENCIES } },
);

/** IANA time zone that `Intl` supports. */
const TimeZone = annotate(
  define<string>(
    'time zone',
    (value) =>
      (typeof value === 'string' && isTimeZone(value)) ||
      `Expected an IANA time zone, such as "America/New_York", but received ${JSON.stringify(value)}`,
  ),
  { kind: 'value', accepted: { type: 'string', pattern: '^[A-Z][A-Za-z0-9_+/-]*$' } },
);

function isTimeZone(name: string): boolean {
  // `Intl` also accepts offsets, which do not follow daylight saving time.
  if (!/^[A-Z]/.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}

/** US state, DC or state of a military address as two capital letters. */
const UsState = annotate(
  define<string>(
    'state',
    (value) =>
      (typeof value === 'string' && Object.hasOwn(POSTAL_STATES, value)) ||
      `Expected a US state or DC as 2 capital letters, but received ${JSON.stringify(value)}`,
  ),
  { kind: 'value', accepted: { type: 'string', enum: Object.keys(POSTAL_STATES) } },
);

/** A consumer reporting agency, as notices name it: 15 USC 1681m(a)(3). */
export const CreditBureau = object({ name: Name, address: Address, phone: Phone, website: WebAddress });
export type CreditBureau = Infer<typeof CreditBureau>;

/** A field with a single supported value. Error messages state the `reason` why others are rejected. */
function only<const Value extends string | false>(value: Value, reason: string): Struct<Value, null> {
  const struct = define<Value>(
    'only',
    (received) =>
      received === value || `Expected ${JSON.stringify(value)}, because ${reason}, but received ${JSON.stringify(received)}`,
  );
  return defaulted(annotate(struct, { kind: 'value', accepted: { type: typeof value, enum: [value] } }), value);
}

/** A credit tier: buyers within a range of credit scores. */
const Tier = object({
  id: Code,
  label: optional(Name),
  creditBand: object({ min: CreditScore, max: CreditScore }),
  /** Whether "as low as" prices may be those of the tier. */
  advertise: defaulted(boolean(), false),
  /** Share of approved buyers in this tier, 0 to 1. Advertising a tier with a low share produces a warning. */
  representativeShare: optional(max(min(number(), 0), 1)),
});

/** The merchant's fee for each loan, which the lender deducts: a share of the amount that the lender pays, and a fixed fee. */
const MerchantDiscount = object({ bps: defaulted(Bps, 0), fixedCents: defaulted(CostCents, 0) });

/** Interest-free loans for purchases on certain dates in the program's time zone, paid for by the merchant. */
const Promotion = object({
  kind: only('zero-apr', 'deferred interest is deliberately not supported'),
  from: CalendarDate,
  to: CalendarDate,
  /** The buy-down: added to the merchant discount of agreements that are signed on these dates. */
  merchantDiscountBps: defaulted(Bps, 0),
});

/**
 * A term in monthly payments and its rate for each tier, in basis points (999 is 9.99 %).
 *
 * The term is not sold to tiers missing from `tierAprBps`. `minCents` and `maxCents` limit the purchase amount; null uses the
 * limit of the program. `merchantDiscount` replaces that of the program.
 */
export const ProgramOffer = object({
  id: Code,
  termLength: max(min(integer(), 1), 120),
  tierAprBps: record(string(), Bps),
  minCents: defaulted(nullable(AmountCents), null),
  maxCents: defaulted(nullable(AmountCents), null),
  promo: defaulted(nullable(Promotion), null),
  merchantDiscount: optional(MerchantDiscount),
});
export type ProgramOffer = Infer<typeof ProgramOffer>;

/** A loan fee: `amountBps` of the purchase minus the down payment, plus `flatCents`, limited to `minCents` and `maxCents`. */
export const Fee = object({
  id: Code,
  kind: enums(['origination', 'application', 'participation', 'service']),
  amountBps: defaulted(Bps, 0),
  flatCents: defaulted(CostCents, 0),
  minCents: defaulted(CostCents, 0),
  maxCents: defaulted(nullable(CostCents), null),
  /** True if the fee is part of the finance charge and therefore of the APR: 12 CFR 1026.4. Only true is accepted, see `findInconsistencies`. */
  financeCharge: boolean(),
  /** True if the fee is added to the principal. Otherwise it is due on the day of the loan. Only true is accepted. */
  financed: boolean(),
  /** True if the fee counts toward the military APR, as every finance charge does: 32 CFR 232.4(c). Only true is accepted. */
  mapr: defaulted(boolean(), true),
});
export type Fee = Infer<typeof Fee>;

/**
 * Charge for a late payment, imposed when it is more than `graceDays` days late. With both a flat amount and a percentage of the late
 * payment, `combine` selects their sum, or the lesser or the greater of the two.
 */
const LateCharge = {
  flatCents: defaulted(CostCents, 0),
  percentBps: defaulted(Bps, 0),
  graceDays: defaulted(max(min(integer(), 0), 60), 0),
  combine: defaulted(enums(['sum', 'lesser', 'greater']), 'sum'),
};

/** Display text of one or more paragraphs, separated by line breaks. */
const Paragraphs = trimmed(text(5_000, 1), 5_000, TRIMMED_TEXT);

/** A notice that a state requires: with every advertised example, to applicants, in the agreement, or directly above the signature. */
const StateNotice = object({
  at: enums(['advertisement', 'application', 'agreement', 'signature']),
  text: translated(Paragraphs),
});
export type StateNotice = Infer<typeof StateNotice>;

/** A lawyer's sign-off for states. A live service requires the firm or the bar number. */
const StateReview = object({
  counsel: Name,
  firm: optional(Name),
  barNumber: optional(Line(60)),
  on: CalendarDate,
  states: size(array(UsState), 1, 60),
});

/** A single text, `{en, es}`, is a notice in the agreement. */
const StateNotices = coerce(size(array(StateNotice), 1, 20), type({ en: string() }), (single) => [
  { at: 'agreement', text: single },
]);

/** A license of the lender: `California Financing Law license`, `60DBO-00000`. */
const License = object({
  type: Line(200),
  number: optional(Line(60)),
  regulator: optional(object({ name: Line(200), phone: optional(Phone), website: optional(WebAddress) })),
});
export type License = Infer<typeof License>;

const LenderFields = object({
  name: Name,
  /** A bank, whose new customers receive an identification notice, or a lender with licenses of states. */
  model: optional(enums(['bank-partner', 'licensed-lender'])),
  licenses: defaulted(record(UsState, License), {}),
  nmlsId: optional(pattern(string(), /^[0-9]{1,10}$/)),
  website: optional(WebAddress),
  address: optional(Address),
  phone: optional(Phone),
  /** The time that most decisions take, as the end of a sentence: `a few minutes`. Without it, the waiting page states no time. */
  decisionTime: optional(translated(Line(60))),
  logo: optional(Logo),
  regulator: optional(object({ name: Line(200), address: Address })),
  creditBureau: optional(CreditBureau),
  /**
   * The lender's privacy notice and the SHA-256 of its document, hexadecimal. The application page links it, and the buyer confirms to
   * have received it: 12 CFR 1016.4 and 1016.9(b)(1)(iii).
   */
  privacyNotice: optional(object({ url: WebAddress, sha256: Sha256 })),
  /** The place for complaints about the lender, if not its address and phone. Pages, e-mails and agreements state it. */
  complaints: optional(
    object({ phone: optional(Phone), email: optional(Line(254)), url: optional(WebAddress), address: optional(Address) }),
  ),
});

/** `stateLicences`, license lines by state, is accepted instead of `licenses`. */
const Lender = coerce(
  LenderFields,
  type({ stateLicences: record(string(), string()) }),
  ({ stateLicences, ...lender }: { stateLicences: Record<string, string>; licenses?: Record<string, unknown> }) => ({
    ...lender,
    licenses: {
      ...Object.fromEntries(Object.entries(stateLicences).map(([state, license]) => [state, { type: license }])),
      ...lender.licenses,
    },
  }),
);

/**
 * The fields of a program, which `programFieldDescriptions` in server/http/openapi/program-schema.ts describes. `Program` also requires that
 * they are consistent.
 */
export const ProgramFields = object({
  id: Code,
  name: Name,
  version: max(min(integer(), 1), 2_147_483_647),
  status: defaulted(enums(['active', 'retired']), 'active'),
  /** The days on which loans are made under this version; without an end, `to` is null. */
  effective: defaulted(object({ from: CalendarDate, to: defaulted(nullable(CalendarDate), null) }), {
    from: '2000-01-01',
  }),
  timeZone: defaulted(TimeZone, 'UTC'),
  currency: defaulted(Currency, 'USD'),
  lender: Lender,
  /**
   * Credit inquiries of the lender: when the buyer applies, and once more when they accept a plan. Without them, the pages state nothing
   * about the score.
   */
  inquiry: optional(
    object({ application: enums(['soft', 'hard']), acceptance: defaulted(enums(['none', 'soft', 'hard']), 'none') }),
  ),
  /** The addresses at which buyers pay and get help after signing. `name` is the servicer, if it is not the lender. */
  servicing: optional(object({ name: optional(Name), payUrl: WebAddress, address: Address, phone: Phone })),
  /** The digits of the SSN or ITIN for which the application asks. */
  application: defaulted(object({ taxId: defaulted(enums(['last4', 'full']), 'last4') }), {}),
  /**
   * `used` if the lender uses credit scores. Then each of its decisions by credit contains one, because the buyer has a right to it:
   * 15 USC 1681m(a)(2) and 12 CFR 1022.74.
   */
  creditScores: optional(enums(['used', 'not-used'])),
  /**
   * The end of an application that the lender does not decide: on this day after the request, it is denied for this reason, which the
   * lender's counsel supplied. A creditor has 30 days to notify an applicant of the action taken: 12 CFR 1002.9(a)(1)(i).
   */
  undecided: optional(object({ days: max(min(integer(), 1), 30), reason: SpecificReason })),
  /** Days in which the buyer can complete an incomplete application: a reasonable period, 12 CFR 1002.9(c)(2). */
  incompleteDays: defaulted(max(min(integer(), 7), 30), 14),
  merchantDiscount: defaulted(MerchantDiscount, {}),
  /**
   * The code that the buyer receives by e-mail or text message, and enters before signing. It shows that the signer can read
   * messages to the applicant.
   */
  signature: defaulted(object({ code: defaulted(enums(['none', 'email', 'sms']), 'none') }), {}),
  creditType: only(
    'loan',
    'a credit sale needs the seller as creditor, an assignment and a retail installment contract, which are not supported',
  ),
  disclosureRegime: only('reg-z-closed-end', 'no other disclosure regime is supported'),
  amount: object({
    minCents: AmountCents,
    maxCents: AmountCents,
    basis: only('cartTotal', 'the limits apply to the purchase amount'),
    /** Whether amounts between the limits may have no offer. */
    mayHaveGaps: defaulted(boolean(), false),
  }),
  /** The larger of the two. */
  downPayment: defaulted(object({ percentBps: defaulted(Bps, 0), minCents: defaulted(CostCents, 0) }), {}),
  rounding: defaulted(
    object({
      payment: defaulted(enums(['half-up', 'ceil']), 'half-up'),
      interest: only('half-up', 'every schedule uses the same rounding of interest'),
      lastPayment: only('absorb', 'the payments must add up to the amount owed'),
    }),
    {},
  ),
  schedule: defaulted(
    object({
      interval: only('month', 'loans are repaid monthly'),
      accrual: only('30/360', 'equal months bear equal interest'),
      /**
       * Time until the first payment is due: odd days, then whole months. The limit is 27 days because 28 days can be a full month,
       * in February.
       */
      firstPaymentAfter: defaulted(
        object({ months: defaulted(max(min(integer(), 1), 6), 1), days: defaulted(max(min(integer(), 0), 27), 0) }),
        {},
      ),
      /** The days of a year by which interest for the odd days is calculated; `none`: they bear none. */
      oddDaysInterest: defaulted(enums(['none', '360', '365']), 'none'),
      /** Whether the APR counts the odd days, or disregards them as far as 12 CFR 1026.17(c)(4) allows. */
      firstPeriodPolicy: defaulted(enums(['exact', 'minorIrregularity']), 'exact'),
      /** Start of interest: the day on which the lender pays the merchant (the settlement), or that of the signature. */
      interestFrom: defaulted(enums(['settlement', 'signature']), 'settlement'),
    }),
    {},
  ),
  fees: defaulted(size(array(Fee), 0, 10), () => []),
  tiers: size(array(Tier), 1, 20),
  offers: size(array(ProgramOffer), 1, 60),
  deferredInterest: only('unsupported', 'retroactive interest harms buyers; use a 0 % promotion instead'),
  caps: defaulted(
    object({
      /** Default: below the 36 % from which many states regulate or forbid loans. */
      maxAprBps: defaulted(Bps, 3_599),
      /** Military APR: 10 USC 987(b). null if only loans to covered borrowers are limited, to 36 %. */
      maprCapBps: defaulted(nullable(max(Bps, 3_600)), 3_600),
      stateAprCapBps: defaulted(record(UsState, Bps), {}),
    }),
    {},
  ),
  states: defaulted(
    object({
      /** States whose residents are not offered loans. Wisconsin is one of them without a notice for its applicants. */
      excluded: defaulted(array(UsState), () => []),
      /** Ages from which residents can apply. Default: 19 in Alabama and Nebraska, and 18 elsewhere. */
      overrides: defaulted(record(UsState, object({ minAge: max(min(integer(), 18), 25) })), {}),
      notices: defaulted(record(UsState, StateNotices), {}),
      /** Counsel's sign-off that the program complies with the law of states, with its day. */
      reviews: defaulted(size(array(StateReview), 0, 60), () => []),
    }),
    {},
  ),
  late: defaulted(object({ ...LateCharge, states: defaulted(record(UsState, object(LateCharge)), {}) }), {}),
  documents: Documents,
  /**
   * True if the loans are purchase money loans, whose agreements must contain the notice of the FTC Holder Rule: 16 CFR 433.1(d) and
   * 433.2(b).
   */
  purchaseMoney: defaulted(boolean(), true),
  /** The reason if they are not, as counsel states it. For the lender's records; buyers do not see it. */
  purchaseMoneyReason: optional(Line(500)),
  /**
   * The reasons why an APR or a late charge above the usual ceilings, or a word about arbitration, waivers or class actions to covered
   * borrowers, is lawful, as counsel states them. For the lender's records; buyers do not see them.
   */
  counselReasons: optional(
    object({ apr: optional(Line(500)), lateCharge: optional(Line(500)), coveredBorrower: optional(Line(500)) }),
  ),
  /** Toll-free number of the oral disclosures of the Military Lending Act: 32 CFR 232.6(d)(2). */
  military: defaulted(object({ phone: optional(Phone) }), {}),
  prepayment: defaulted(
    object({
      penalty: only(false, 'buyers may always prepay without penalty'),
      /** Days after the loan is made in which a refund by the merchant also returns the fees in proportion; 0 for none. */
      feeRefundDays: defaulted(max(min(integer(), 0), 365), 0),
    }),
    {},
  ),
});
export type ProgramFields = Infer<typeof ProgramFields>;

/**
 * A financing program: the lender, tiers, terms, rates and fees. Loans are repaid monthly. Amounts are in the minor unit of the
 * currency.
 *
 * `create(json, Program)` fills in the defaults. Merchants send `id` as `financingProgramId`. A version never changes: an
 * accepted application keeps the version it was made under. Use `checkProgram` to verify that the loans comply with the law.
 */
export const Program = refine(ProgramFields, 'program', findInconsistencies);
export type Program = Infer<typeof Program>;
