import { scriptUrl } from './attributes.ts';
import { FinancingError } from './events.ts';
import { FinancingButton } from './financing-button.ts';

/**
 * Registers `<financing-button>`.
 *
 * If another copy of the script has registered the element, for example because several templates include it, that copy remains
 * registered. The conflict is logged, and dispatched on the window as `financing-error`.
 */
// Servers have no document, but may have a shim of the registry.
if (globalThis.document) {
  const registered = customElements.get('financing-button');
  if (!registered) customElements.define('financing-button', FinancingButton);
  else if (registered !== FinancingButton) {
    const detail = new FinancingError('duplicate', scriptUrl);
    // oxlint-disable-next-line no-console -- a message for the page's developer
    console.warn(detail.message);
    dispatchEvent(new CustomEvent('financing-error', { detail }));
  }
}
