import { html } from '@lit-labs/ssr';
import { microsecondsOf } from '../../base/time.ts';
import { copyable, details } from '../web/elements.ts';
import type { ConsolePage, ConsoleRequest } from '../web/screen.ts';

/** A new secret. It is part of no other page, and of no address: the response to the form that has created it shows it once. */
export function secretPage(
  { to }: ConsoleRequest,
  { title, rows, back }: { title: string; rows: readonly (readonly [label: string, value: string])[]; back: string },
): ConsolePage {
  return {
    title,
    content: html`<p class="lead">Copy the secret to your server now. It is shown only this once.</p>
      ${details(rows.map(([label, value]) => [label, copyable(value)]))}
      <p><a class="button" href="${to(back)}">I have saved it</a></p>`,
  };
}

/** Formats a timestamp of the API. */
export function timeOf({ time }: ConsoleRequest, timestamp: string): string {
  return time(microsecondsOf(timestamp));
}
