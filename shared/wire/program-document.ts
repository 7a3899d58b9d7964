import { array, boolean, enums, number, object, string } from 'superstruct';
import { inEachLanguage, LANGUAGES } from '../languages/index.ts';
import { mapOf, nullable, pair, boundedInteger } from './structs.ts';
import { CalendarDate, Cents } from './fields.ts';

/*
 * Response of `GET /storefront/programs`, as documented in OpenAPI. The fields are described in `ProgramDocument` and
 * `RateSheet` (shared/programs/rate-sheet.ts) and `DisclosureTexts` (shared/disclosure/texts.ts).
 */

export const LocalizedText = object(inEachLanguage(() => string()));

export const OfferPromotion = object({ from: CalendarDate, to: CalendarDate, text: LocalizedText });

export const FirstPeriod = object({ months: boundedInteger(1), days: boundedInteger(0) });

export const RateSheetOffer = object({
  id: string(),
  termLength: boundedInteger(1),
  tierAprBps: mapOf(boundedInteger(0)),
  minCents: nullable(Cents),
  maxCents: nullable(Cents),
  firstPeriod: FirstPeriod,
  promo: nullable(OfferPromotion),
});

export const RateSheetFee = object({
  kind: enums(['origination', 'application', 'participation', 'service']),
  amountBps: boundedInteger(0),
  flatCents: Cents,
  minCents: Cents,
  maxCents: nullable(Cents),
  financeCharge: boolean(),
  financed: boolean(),
  mapr: boolean(),
});

export const SheetCurrency = object({ code: string(), digits: boundedInteger(0) });
export const SheetAmount = object({ minCents: Cents, maxCents: Cents });
export const SheetDownPayment = object({ percentBps: boundedInteger(0), minCents: Cents });
export const SheetOddMonths = object({ above: number(), below: number() });
export const SheetCaps = object({
  maxAprBps: boundedInteger(0),
  advertisedAprBps: boundedInteger(0),
  maprCapBps: nullable(boundedInteger(0)),
});

export const RateSheet = object({
  id: string(),
  version: boundedInteger(1),
  timeZone: string(),
  currency: SheetCurrency,
  amount: SheetAmount,
  downPayment: SheetDownPayment,
  paymentRounding: enums(['half-up', 'ceil']),
  firstDue: LocalizedText,
  oddMonths: SheetOddMonths,
  fees: array(RateSheetFee),
  advertisedTiers: array(string()),
  tierLabels: mapOf(string()),
  offers: array(RateSheetOffer),
  caps: SheetCaps,
  closing: LocalizedText,
});

const Counted = pair(string());

export const FeeNames = object({ origination: string(), application: string(), participation: string(), service: string() });

export const DisclosureTexts = object({
  language: enums(LANGUAGES),
  locale: string(),
  version: boundedInteger(1),
  months: Counted,
  days: Counted,
  example: string(),
  down: string(),
  firstPayment: string(),
  levelPayments: Counted,
  lastPayment: string(),
  and: string(),
  firstDue: string(),
  feeLent: string(),
  feeToday: string(),
  inFinanceCharge: string(),
  notInFinanceCharge: string(),
  feeKinds: FeeNames,
  noFinanceCharge: string(),
  rates: string(),
  limits: string(),
  promotion: string(),
  states: string(),
  lender: string(),
  notice: string(),
  outOfRange: string(),
  notOffered: string(),
});

export const TextsByLanguage = object(inEachLanguage(() => DisclosureTexts));

export const ProgramDocument = object({ defaultProgramId: string(), programs: array(RateSheet), texts: TextsByLanguage });
