import { enums, type Infer, object } from 'superstruct';
import type { AsLowAs } from './as-low-as.ts';
import { optional } from './bricks.ts';
import { line, PositiveCents, replacing, WebLink } from './fields.ts';

/** A whole number of cents as addresses have it. */
const CentsInQuery = replacing(PositiveCents, (value) => (/^[1-9]\d{0,14}$/.test(String(value)) ? Number(value) : value));

/** Query of `GET /widget/v1/fragment`: the attributes of a `<financing-button>`, and its label. */
export const FragmentQuery = object({
  key: optional(line(80, 1)),
  amount: CentsInQuery,
  program: optional(line(100)),
  'cart-url': optional(WebLink),
  lang: optional(line(35)),
  show: optional(enums(['both', 'estimate', 'button'])),
  mode: optional(enums(['redirect', 'popup', 'modal'])),
  theme: optional(enums(['light', 'dark'])),
  label: optional(line(100)),
});
export type FragmentQuery = Infer<typeof FragmentQuery>;

/** What the attribute `offer` of a fragment's element holds, as JSON: an estimate that was worked out by the service for the page. */
export interface Offer {
  amountCents: number;
  /** The day it was worked out, in UTC. */
  on: string;
  /** Id of the program that was asked for; not there for the merchant's default. */
  program?: string | undefined;
  currency: { code: string; digits: number };
  /** Language of the disclosure. */
  language: string;
  quote: AsLowAs;
}
