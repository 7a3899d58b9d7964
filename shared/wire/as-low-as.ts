import { type Infer, number, object, string } from 'superstruct';
import { whole } from './bricks.ts';
import { blankable, CalendarDate, PositiveCents, text } from './fields.ts';

/** The lowest monthly price for an amount, as an example with its disclosure. */
export const AsLowAs = object({
  /** Monthly price in cents; 0 when the amount is outside every offer. */
  monthly: whole(0),
  /** The monthly price as text, `$34.14`; empty when the amount is outside every offer. */
  amount: string(),
  /** Number of payments; 0 when the amount is outside every offer. */
  termLength: whole(0),
  /** Unit of the term: `Month`. */
  termInterval: string(),
  /** APR of the example, as a fraction: `0.0999`. */
  apr: number(),
  minApr: number(),
  maxApr: number(),
  /** The disclosure that must stand beside the price. */
  asLowAsText: string(),
});
export type AsLowAs = Infer<typeof AsLowAs>;

/** Body of `POST /aslowas`. `customTotal` is in cents; no or an empty `financingProgramId` means the default program. */
export const AsLowAsRequest = object({
  customTotal: PositiveCents,
  financingProgramId: blankable(text(64)),
});
export type AsLowAsRequest = Infer<typeof AsLowAsRequest>;

/** What a quote was worked out from, so that each of its numbers can be worked out again. */
export const QuoteBasis = object({
  programVersion: whole(1),
  /** `CALCULATION_VERSION`. */
  calculationVersion: whole(1),
  /** That of the disclosure's wording, in its language. */
  disclosureVersion: whole(1),
  /** The day of the quote, in UTC. */
  date: CalendarDate,
});
export type QuoteBasis = Infer<typeof QuoteBasis>;

/** `financingProgramId` is the program used. */
export const AsLowAsResponse = object({ asLowAs: AsLowAs, financingProgramId: string(), basis: QuoteBasis });
export type AsLowAsResponse = Infer<typeof AsLowAsResponse>;
