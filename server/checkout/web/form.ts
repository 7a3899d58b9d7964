import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';
import type { Place, Way } from './way.ts';

/**
 * A form that is posted to a place of this checkout. What must be mended is said by us, in the language of the page.
 *
 * @param asks - The page waits: a script may send the form until it leads elsewhere.
 */
export function form(way: Way, place: Place, content: Html, { asks = false } = {}): Html {
  const { formToken, nextSecret } = way.seal(place);
  return html`<form method="post" action="${way.to(place)}" novalidate data-asks="${asks ? '' : nothing}">
    <input type="hidden" name="formToken" value="${formToken}" />
    ${nextSecret && html`<input type="hidden" name="nextSecret" value="${nextSecret}" />`}
    ${content}
  </form>`;
}
