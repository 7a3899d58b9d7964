import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';

/** A table with a heading for each column. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[], caption?: string): Html {
  return html`<table>
    ${caption ? html`<caption>${caption}</caption>` : nothing}
    <colgroup>${headings.map(() => html`<col />`)}</colgroup>
    <thead>
      <tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr>
    </thead>
    <tbody>
      ${rows.map(row)}
    </tbody>
  </table>`;
}

/** A schedule has five cells a row and dozens of rows: one template for each costs a fraction of one for each cell. */
function row(cells: readonly unknown[]): Html {
  if (cells.length !== 5) return html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  const [first, second, third, fourth, fifth] = cells;
  return html`<tr><td>${first}</td><td>${second}</td><td>${third}</td><td>${fourth}</td><td>${fifth}</td></tr>`;
}
