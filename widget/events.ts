import type { AsLowAs } from '../shared/wire/as-low-as.ts';

/**
 * Why there is no estimate, or no button.
 *
 * - `amount`: the amount is not a whole number of cents, from 1 to the largest the service handles.
 * - `cart-url`: the address is not http or https.
 * - `service`: the programs could not be fetched: no connection, an unknown key, a page that may not ask.
 * - `answer`: the service answered with something that is not a list of programs.
 * - `program`: the merchant has no program of that id.
 * - `duplicate`: the page has loaded another copy of the script before, which stays. Told to the window.
 */
export type FinancingErrorCode = 'amount' | 'cart-url' | 'service' | 'answer' | 'program' | 'duplicate';

/** What `financing-error` carries. `message` is for whoever builds the page, not for buyers. */
export class FinancingError extends Error {
  readonly code: FinancingErrorCode;

  constructor(code: FinancingErrorCode, received: string | number | null | undefined) {
    super(`Unusable ${code}: ${received}`);
    this.code = code;
  }
}

/** The events of `<financing-button>`. All bubble and leave shadow roots. */
export interface FinancingButtonEventMap {
  'financing-quote': CustomEvent<AsLowAs>;
  'financing-details': CustomEvent<null>;
  'financing-start': CustomEvent<null>;
  'financing-error': CustomEvent<FinancingError>;
}

declare global {
  interface GlobalEventHandlersEventMap extends FinancingButtonEventMap {}
}
