import { type Infer, number, object, string } from 'superstruct';
import { boundedInteger } from './structs.ts';
import { emptyAsAbsent, CalendarDate, PositiveCents, text } from './fields.ts';

/** The lowest monthly payment for an amount, as an example with its disclosure. */
export const AsLowAs = object({
  /** Monthly payment in cents; 0 if no offer covers the amount. */
  monthly: boundedInteger(0),
  /** The monthly payment as text, `$34.14`; empty if no offer covers the amount. */
  amount: string(),
  /** Number of payments; 0 if no offer covers the amount. */
  termLength: boundedInteger(0),
  /** Unit of the term: `Month`. */
  termInterval: string(),
  /** APR of the example, as a fraction: `0.0999`. */
  apr: number(),
  /** The range of the APRs of all plans for the amount, or for the nearest amount that an offer covers. */
  minApr: number(),
  maxApr: number(),
  /** The disclosure that must be shown with the price. */
  asLowAsText: string(),
});
export type AsLowAs = Infer<typeof AsLowAs>;

/**
 * Request body of `POST /aslowas`. `customTotal` is in cents. If `financingProgramId` is omitted or empty, the default program
 * is used.
 */
export const AsLowAsRequest = object({
  customTotal: PositiveCents,
  financingProgramId: emptyAsAbsent(text(64)),
});
export type AsLowAsRequest = Infer<typeof AsLowAsRequest>;

/** The inputs of a quote, which make it reproducible. */
export const QuoteBasis = object({
  programVersion: boundedInteger(1),
  /** `CALCULATION_VERSION`. */
  calculationVersion: boundedInteger(1),
  /** Version of the disclosure text in its language. */
  disclosureVersion: boundedInteger(1),
  /** Date of the quote, in the time zone of the program. */
  date: CalendarDate,
});

/** Response of `POST /aslowas`. `financingProgramId` is the program used. */
export const AsLowAsResponse = object({ asLowAs: AsLowAs, financingProgramId: string(), basis: QuoteBasis });
export type AsLowAsResponse = Infer<typeof AsLowAsResponse>;
