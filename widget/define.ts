import { scriptUrl } from './attributes.ts';
import { FinancingError } from './events.ts';
import { FinancingButton } from './financing-button.ts';

/**
 * Registers `<financing-button>`.
 *
 * If another copy of the script has registered the element, for example because a page is assembled from several templates,
 * that copy stays. The conflict is logged, and dispatched on the window as `financing-error`.
 */
// A server has no document, but may have a stand-in for the registry.
if (globalThis.document) {
  const registered = customElements.get('financing-button');
  if (!registered) customElements.define('financing-button', FinancingButton);
  else if (registered !== FinancingButton) {
    const detail = new FinancingError('duplicate', scriptUrl);
    // oxlint-disable-next-line no-console -- addressed to the page's developer
    console.warn(detail.message);
    dispatchEvent(new CustomEvent('financing-error', { detail }));
  }
}
