import { html } from '@lit-labs/ssr';
import { microsecondsOf } from '../../time.ts';
import { copyable, details } from '../web/elements.ts';
import type { ConsolePage, ConsoleRequest } from '../web/screen.ts';

/** A new secret. It is part of no other page, and of no address: the response to the form that has created it shows it once. */
export function secretPage(
  { t, to }: ConsoleRequest,
  { title, rows, back }: { title: string; rows: readonly (readonly [label: string, value: string])[]; back: string },
): ConsolePage {
  const own = t.console.developers;
  return {
    title,
    content: html`<p class="lead">${own.secretOnce}</p>
      ${details(rows.map(([label, value]) => [label, copyable(t, value)]))}
      <p><a class="button" href="${to(back)}">${own.saved}</a></p>`,
  };
}

/** Formats a timestamp of the API. */
export function timeOf({ time }: ConsoleRequest, timestamp: string): string {
  return time(microsecondsOf(timestamp));
}
