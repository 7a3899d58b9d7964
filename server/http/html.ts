import { type html, renderThunked } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';

/** A server-only template. Escapes every value for its position. */
export type Html = ReturnType<typeof html>;

/** The text of a page. */
export function renderHtml(page: Html): string {
  // lit marks the end of some values with an empty comment. Values cannot contain one: theirs would be escaped.
  return collectResultSync(renderThunked(page)).replaceAll('<?>', '').trim();
}
