import { html } from '@lit-labs/ssr';
import type { Html } from '../../http/html.ts';
import type { Block } from '../blocks.ts';
import { blocksHtml } from './blocks.ts';

/** The notice of a denial, as the page of a declined checkout has it. */
export function adverseActionNotice(blocks: readonly Block[]): Html {
  return html`<div class="notice">${blocksHtml(blocks)}</div>`;
}
