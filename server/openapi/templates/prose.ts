import { html } from '@lit-labs/ssr';
import type { Html } from '../../http/html.ts';

/** A sentence of the document: what stands between backticks is code. */
export function prose(text: string): unknown[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** Sentences of the document, parted into paragraphs by empty lines. */
export function paragraphs(text: string): Html[] {
  return text.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`);
}

/** Something a machine reads, in its own lines. */
export function listing(text: string): Html {
  return html`<pre><code>${text}</code></pre>`;
}

/** JSON as people read it. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
