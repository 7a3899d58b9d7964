import { enums, type Infer, object } from 'superstruct';
import { optional } from './bricks.ts';
import { line, PositiveCents, replacing, WebUrl } from './fields.ts';

/** A whole number of cents as addresses have it. */
const CentsInQuery = replacing(PositiveCents, (value) => (/^[1-9]\d{0,14}$/.test(String(value)) ? Number(value) : value));

/** Query of `GET /widget/v1/fragment`: the attributes of a `<financing-button>`, and its label. */
export const FragmentQuery = object({
  key: optional(line(80, 1)),
  amount: CentsInQuery,
  program: optional(line(100)),
  'cart-url': optional(WebUrl),
  lang: optional(line(35)),
  show: optional(enums(['both', 'estimate', 'button'])),
  mode: optional(enums(['redirect', 'popup', 'modal'])),
  theme: optional(enums(['light', 'dark'])),
  label: optional(line(100)),
});
export type FragmentQuery = Infer<typeof FragmentQuery>;
