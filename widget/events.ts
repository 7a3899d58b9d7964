import type { AsLowAs } from '../shared/wire/as-low-as.ts';

/**
 * Why there is no estimate, or no button.
 *
 * - `amount`: the amount is not a whole number of cents, from 1 to the largest the service handles.
 * - `amount-from`: the selector is none, or the price there cannot be read: it is in another currency, or could be several.
 * - `cart-url`: the address is not http or https.
 * - `service`: the programs could not be fetched: no connection, an unknown key, a page that may not ask.
 * - `answer`: the service answered with something that is not a list of programs.
 * - `program`: the merchant has no program of that id.
 * - `calculate`: the page's `calculateShipping` or `calculateTax` failed, or took too long.
 * - `part`: a file that stands beside the script could not be loaded; `received` is its name.
 * - `checkout`: no cart could be opened from the page; the message has what the service says. The button can be pressed again.
 * - `value`: a property, or a number of a program, is of a kind that cannot be shown at all.
 * - `duplicate`: the page has loaded another copy of the script before, which stays. Told to the window.
 */
export type FinancingErrorCode =
  | 'amount'
  | 'amount-from'
  | 'cart-url'
  | 'service'
  | 'answer'
  | 'program'
  | 'calculate'
  | 'checkout'
  | 'part'
  | 'value'
  | 'duplicate';

/** What `financing-error` carries. `message` is for whoever builds the page, not for buyers. */
export class FinancingError extends Error {
  readonly code: FinancingErrorCode;

  constructor(code: FinancingErrorCode, received: string | number | null | undefined) {
    super(`Unusable ${code}: ${received}`);
    this.code = code;
  }
}

/** A purchase, as the page of the checkout tells of it. A hint, which scripts of a page can make up: your server asks the service. */
export interface FinancingComplete {
  transactionId: string;
  /** That of the cart; empty when it has none. */
  orderRef: string;
}

/** `closed`: the buyer closed the checkout before its end. `not-completed`: it had ended, and nothing was bought. */
export interface FinancingClose {
  reason: 'closed' | 'not-completed';
  /** The cart's `errorUrl`, to which the page goes next unless the event is canceled; left out when the buyer closed the checkout. */
  errorUrl?: string;
}

/** The events of `<financing-button>`. All bubble and leave shadow roots. */
export interface FinancingButtonEventMap {
  'financing-quote': CustomEvent<AsLowAs>;
  'financing-details': CustomEvent<null>;
  'financing-start': CustomEvent<null>;
  'financing-complete': CustomEvent<FinancingComplete>;
  'financing-close': CustomEvent<FinancingClose>;
  'financing-error': CustomEvent<FinancingError>;
}

/** @returns False when the page has stopped what is cancelable. */
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
