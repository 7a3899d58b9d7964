import { html } from '@lit-labs/ssr';
import type { Html } from './html.ts';

/** US numbers as programs and model forms write them: `1-800-555-0100`, `(800) 555-0100`, `+1 800.555.0100`. */
const PHONE = /(?<![\w-])((?:\+?1[-. ])?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4})(?![\w-])/;

/** Formats a phone number of ten digits as people in the US write it: `(555) 010-0100`. Returns any other text as it is. */
export function formatPhone(phone: string): string {
  return phone.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');
}

/** A phone number that phones can call. The style sheet of the pages does not break it at its hyphens. */
export function phoneLink(phone: string): Html {
  return html`<a href="${urlOf(phone)}">${phone}</a>`;
}

/** Returns a contact as a link if it is a web address, an e-mail address or a phone number. */
export function contactLink(part: string): Html | string {
  if (/^https?:/.test(part)) return html`<a href="${part}" target="_blank" rel="noopener noreferrer">${part}</a>`;
  if (/^[^\s@]+@[^\s@]+$/.test(part)) return html`<a href="mailto:${part}">${part}</a>`;
  if (/^[+(]?\d[\d ().-]+\d$/.test(part)) return phoneLink(part);
  return part;
}

/** The same in an e-mail, which has no style sheet. */
export function emailPhoneLink(phone: string): Html {
  return html`<a href="${urlOf(phone)}" style="white-space: nowrap">${phone}</a>`;
}

/** A phone number without a link: in agreements, and between the fields of a form. */
export function printedPhone(phone: string): Html {
  return html`<bdi class="phone">${phone}</bdi>`;
}

function urlOf(phone: string): string {
  return `tel:${phone.replace(/[^+\d]/g, '')}`;
}

/** Renders a text and the phone numbers in it. */
export function withPhones(text: string, render: (phone: string) => Html = phoneLink): unknown {
  const parts = text.split(PHONE);
  // Every second part is a number.
  return parts.length === 1 ? text : parts.map((part, index) => (index % 2 === 1 ? render(part) : part));
}
