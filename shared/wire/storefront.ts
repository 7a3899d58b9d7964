import { type Infer, object, string, enums } from 'superstruct';
import { CartOptions } from './cart.ts';
import { CalendarDate, line, Uuid, Timestamp, WebUrl, PositiveCents, preprocess, WebLink } from './fields.ts';
import { mapOf, boundedInteger, optional } from './structs.ts';
import type { AsLowAs } from './as-low-as.ts';

/**
 * Request body of `POST /storefront/carts`, which creates a cart from a page with the public half of a key pair.
 *
 * `options` are those of `POST /carts` without `createdBy` and `cartName`, which a page cannot set (decisions/0025).
 * `idempotencyKey` is random and new for each cart: repeating a request with the same key and body returns the same cart.
 */
export const OpenCartRequest = object({ key: line(80, 1), idempotencyKey: Uuid, options: CartOptions });
export type OpenCartRequest = Infer<typeof OpenCartRequest>;

/** Response of `POST /storefront/carts`. `expiration` is the last day on which the link works. */
export const OpenedCart = object({ id: string(), url: string(), expiration: CalendarDate });
export type OpenedCart = Infer<typeof OpenedCart>;

export const WidgetFile = object({ url: WebUrl, integrity: string(), bytes: boundedInteger(1) });

export const WidgetVersion = object({ releasedAt: Timestamp, files: mapOf(WidgetFile) });

/** Response of `GET /widget/manifest.json`. */
export const WidgetManifest = object({ current: string(), versions: mapOf(WidgetVersion) });
export type WidgetManifest = Infer<typeof WidgetManifest>;

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
  /** Date of the estimate, in the time zone of the program. */
  on: string;
  timeZone: string;
  /** Requested program id. Omitted for the merchant's default program. */
  program?: string | undefined;
  currency: { code: string; digits: number };
  /** Language of the disclosure. */
  language: string;
  quote: AsLowAs;
}
