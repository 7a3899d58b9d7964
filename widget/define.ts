import { FinancingButton } from './financing-button.ts';

/**
 * Registers `<financing-button>`.
 *
 * Yields to a copy that is already there: a page assembled from several templates often has the script twice.
 * On a server it does nothing.
 */
export function define(): void {
  if (globalThis.customElements && !customElements.get('financing-button'))
    customElements.define('financing-button', FinancingButton);
}
