import { html } from '@lit-labs/ssr';
import type { Html } from '../../http/html.ts';
import type { Place, Way } from '../way.ts';

/** A form that is posted to a place of this checkout. What must be mended is said by us, in the language of the page. */
export function form(way: Way, place: Place, content: Html): Html {
  return html`<form method="post" action="${way.to(place)}" novalidate>${content}</form>`;
}
