import { FinancingButton } from './financing-button.ts';

/**
 * Registers `<financing-button>`.
 *
 * Yields to a copy that is already there: a page assembled from several templates often has the script twice.
 */
export function define(): void {
  if (!customElements.get('financing-button')) customElements.define('financing-button', FinancingButton);
}
