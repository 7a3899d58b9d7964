import type { FinancingButton } from './financing-button.ts';

export type { AsLowAs } from '../shared/wire/as-low-as.ts';
export type { CartOptions } from '../shared/wire/cart.ts';
export type { FinancingButtonEventMap, FinancingClose, FinancingComplete, FinancingError, FinancingErrorCode } from './events.ts';
export { FinancingButton, type FinancingState } from './financing-button.ts';

declare global {
  interface HTMLElementTagNameMap {
    'financing-button': FinancingButton;
  }
}
