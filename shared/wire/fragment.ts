import { enums, type Infer, object } from 'superstruct';
import type { AsLowAs } from './as-low-as.ts';
import { optional } from './structs.ts';
import { line, PositiveCents, preprocess, WebLink } from './fields.ts';

/** An integer amount of cents in a query string. */
const CentsInQuery = preprocess(PositiveCents, (value) => (/^[1-9]\d{0,14}$/.test(String(value)) ? Number(value) : value));

/** Query of `GET /widget/v1/fragment`: the attributes of a `<financing-button>` and its label. */
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

/** The `offer` attribute of a server-rendered fragment, in JSON: an estimate computed by the service. */
export interface Offer {
  amountCents: number;
  /** Date of the estimate, in UTC. */
  on: string;
  /** Requested program id. Omitted for the merchant's default program. */
  program?: string | undefined;
  currency: { code: string; digits: number };
  /** Language of the disclosure. */
  language: string;
  quote: AsLowAs;
}
