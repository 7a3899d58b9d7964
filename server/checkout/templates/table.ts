import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';

/** A table with a heading for each column. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[], caption?: string): Html {
  return html`<table>
    ${caption ? html`<caption>${caption}</caption>` : nothing}
    <thead>
      <tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr>
    </thead>
    <tbody>
      ${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}
    </tbody>
  </table>`;
}
