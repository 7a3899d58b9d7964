import type { AsLowAs } from '../shared/wire/as-low-as.ts';

/**
 * Reason for an error.
 *
 * - `amount`: the amount is not an integer in cents from 1 to the largest amount that the service supports.
 * - `amount-from`: the selector is invalid, or the page's price is refused. `reason` is a `PriceReason`.
 * - `cart-url`: the URL is not http or https, or is that of this page: the shop has no such route, and its server responds with the page.
 *   The sandbox shows the message below the button.
 * - `service`: the programs could not be loaded: no connection, an unknown key, or an origin that is not registered.
 * - `answer`: the service responded with something other than a list of programs.
 * - `program`: the merchant has no program with that id.
 * - `checkout`: the cart could not be created. The message contains the response of the service. The buyer can try again.
 * - `part`: a lazily loaded module could not be loaded; the message contains its name.
 * - `value`: a property, or a figure of a program, has a type that cannot be displayed.
 * - `duplicate`: another copy of the script has already registered the element, and remains registered. Dispatched on the window.
 */
export type FinancingErrorCode =
  | 'amount'
  | 'amount-from'
  | 'cart-url'
  | 'service'
  | 'answer'
  | 'program'
  | 'checkout'
  | 'part'
  | 'value'
  | 'duplicate';

/**
 * Reason why a price of the page is refused:
 *
 * - `currency`: a symbol, a code or a word next to the number that is, or may be, another currency
 * - `number`: a negative, ambiguous, fractional, too precise or too large number, or digits of another script
 * - `rate`: a percentage, a price per period or per measure, or JSON-LD that has only prices for certain buyers, quantities, periods
 *   or parts of the price, and former prices
 * - `several`: different prices
 * - `invalid`: the selector or the JSON-LD is invalid
 */
export type PriceReason = 'currency' | 'number' | 'rate' | 'several' | 'invalid';

/** The detail of `financing-error`. The message is for the page's developer, not for buyers. */
export class FinancingError extends Error {
  readonly code: FinancingErrorCode;
  /** Only if the code is `amount-from`. */
  readonly reason?: PriceReason | undefined;

  constructor(code: FinancingErrorCode, received: string | number | null | undefined, reason?: PriceReason) {
    super(`Unusable ${code}: ${received}`);
    this.code = code;
    this.reason = reason;
  }
}

/** A purchase, as reported by the checkout page. Scripts of the page can forge it, so verify it on your server. */
export interface FinancingComplete {
  transactionId: string;
  /** The cart's `orderRef`; empty if it has none. */
  orderRef: string;
}

/** `closed`: the buyer closed the checkout before its end. `not-completed`: the checkout ended without a purchase. */
export interface FinancingClose {
  reason: 'closed' | 'not-completed';
  /** The cart's `errorUrl`. The page navigates there unless the event is canceled. Missing if the buyer closed the checkout. */
  errorUrl?: string;
}

/** The events of `<financing-button>`. All bubble and are composed. */
export interface FinancingButtonEventMap {
  'financing-quote': CustomEvent<AsLowAs>;
  'financing-details': CustomEvent<null>;
  'financing-start': CustomEvent<null>;
  'financing-complete': CustomEvent<FinancingComplete>;
  'financing-close': CustomEvent<FinancingClose>;
  'financing-error': CustomEvent<FinancingError>;
}

/** Dispatches an event of the element. Returns false if it was canceled. */
export function emit<Type extends keyof FinancingButtonEventMap>(
  element: Element,
  type: Type,
  detail: FinancingButtonEventMap[Type]['detail'],
  cancelable = false,
): boolean {
  return element.dispatchEvent(new CustomEvent(type, { detail, cancelable, bubbles: true, composed: true }));
}

declare global {
  interface GlobalEventHandlersEventMap extends FinancingButtonEventMap {}
}
