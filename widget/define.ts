import { FinancingError } from './events.ts';
import { FinancingButton } from './financing-button.ts';
import { script } from './script.ts';

/**
 * Registers `<financing-button>`.
 *
 * Yields to a copy that is already there, a page assembled from several templates often has the script twice, and says so: on
 * the console, and with the event `financing-error` on the window.
 */
export function define(): void {
  // Not on a server, where each bundle may have its copy, and a library its stand-in for the registry.
  if (!globalThis.document) return;
  const first = customElements.get('financing-button');
  if (!first) customElements.define('financing-button', FinancingButton);
  else if (first !== FinancingButton) {
    const detail = new FinancingError('duplicate', script);
    // oxlint-disable-next-line no-console -- whoever builds the page is to see it
    console.warn(detail.message);
    dispatchEvent(new CustomEvent('financing-error', { detail }));
  }
}
