import { FinancingButton } from './financing-button.ts';

/**
 * Registers `<financing-button>`.
 *
 * Yields to a copy that is already there: a page assembled from several templates often has the script twice.
 */
export function define(): void {
  // A server has none.
  const registry = globalThis.customElements;
  if (registry && !registry.get('financing-button')) registry.define('financing-button', FinancingButton);
}
