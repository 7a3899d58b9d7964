import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../shared/languages/texts.ts';
import type { Language } from '../../shared/languages/index.ts';
import { texts } from '../texts.ts';
import { isPersonName } from '../../shared/person-name.ts';
import { type Html, renderHtml } from '../http/html.ts';
import { type Contacts, contactTexts } from './contacts.ts';
import type { EmailContent } from './outbox.ts';
import { emailPhoneLink, phoneLink, withPhones } from './phones.ts';

/** A part of a notice or an e-mail, rendered as a page, as an HTML e-mail or as plain text. */
export interface Block {
  heading?: string;
  paragraphs?: readonly string[];
  items?: readonly string[];
  /** Instructions in order, which are numbered. */
  steps?: readonly string[];
  /** Names and addresses of other websites. */
  sites?: readonly (readonly [name: string, url: string])[];
  /** Labels and values. */
  rows?: readonly (readonly [label: string, value: string])[];
  /** A URL of this service. */
  link?: string;
}

/** Renders blocks as plain text. */
export function blocksText(blocks: readonly Block[]): string {
  return blocks.map(blockText).join('\n\n');
}

function blockText({ heading, paragraphs = [], items = [], steps = [], sites = [], rows = [], link }: Block): string {
  const lines = [
    ...items.map((item) => `- ${item}`),
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    ...[...sites, ...rows].map(([label, value]) => `${label}: ${value}`),
  ];
  const parts = [...paragraphs, ...(link === undefined ? [] : [link]), ...(lines.length > 0 ? [lines.join('\n')] : [])];
  return [...(heading === undefined ? [] : [heading]), parts.join('\n\n')].join('\n');
}

/** Content of an e-mail to a buyer. */
export interface BuyerEmail {
  language: Language;
  /** Name of the recipient, as typed. */
  name: string;
  subject: string;
  blocks: readonly Block[];
  /** Named at the end. */
  contacts: Contacts;
}

/** Returns an e-mail whose plain text and HTML have the same sentences. */
export function buyerEmail({ language, name, subject, contacts, blocks: content }: BuyerEmail): EmailContent {
  const parties = contactTexts(contacts, language);
  const title = oneLine(subject);
  const greeting = greetingOf(name, language);
  return {
    name: recipientName(name),
    subject: title,
    text: `${blocksText([{ paragraphs: [greeting] }, ...content, { rows: parties }])}\n`,
    html: renderHtml(emailHtml(language, title, greeting, content, parties)),
  };
}

/** Inline styles, which e-mail clients support more than style sheets. */
const STYLES = {
  body: 'max-width: 36rem; margin: 0 auto; padding: 1rem; font: 16px/1.5 Arial, Helvetica, sans-serif; overflow-wrap: anywhere',
  heading: 'margin: 1.5em 0 0; font-size: 1.125em',
  parties: 'margin-top: 2em; padding-top: 1em; border-top: 1px solid #999; font-size: 0.875em',
};

/** Plain HTML that every e-mail client shows: no pictures, scripts or style sheets. */
function emailHtml(
  language: Language,
  subject: string,
  greeting: string,
  blocks: readonly Block[],
  parties: readonly (readonly [label: string, text: string])[],
): Html {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${subject}</title>
      </head>
      <body style="${STYLES.body}">
        <p>${greeting}</p>
        ${blocksHtml(blocks, emailPhoneLink, STYLES.heading)}
        <div style="${STYLES.parties}">${parties.map(([label, text]) => html`${label}: ${withPhones(text, emailPhoneLink)}<br />`)}</div>
      </body>
    </html>`;
}

/**
 * Renders blocks as HTML. Phone numbers are links.
 *
 * @param renderPhone - Renders a phone number.
 * @param headingStyle - Inline style of the headings. Pages have a style sheet instead.
 */
export function blocksHtml(
  blocks: readonly Block[],
  renderPhone = phoneLink,
  headingStyle: string | typeof nothing = nothing,
): Html {
  const show = (text: string) => withPhones(text, renderPhone);
  return html`${blocks.map(
    ({ heading, paragraphs = [], items = [], steps = [], sites = [], rows = [], link }) =>
      html`<section>
        ${heading === undefined ? nothing : html`<h2 style="${headingStyle}">${heading}</h2>`} ${paragraphs.map((paragraph) => html`<p>${show(paragraph)}</p>`)}
        ${link === undefined ? nothing : html`<p><a href="${link}">${link}</a></p>`}
        ${
          items.length === 0
            ? nothing
            : html`<ul>
              ${items.map((item) => html`<li>${show(item)}</li>`)}
            </ul>`
        }
        ${
          steps.length === 0
            ? nothing
            : html`<ol>
              ${steps.map((step) => html`<li>${show(step)}</li>`)}
            </ol>`
        }
        ${
          sites.length === 0
            ? nothing
            : html`<ul>
              ${sites.map(([name, url]) => html`<li><a href="${url}" target="_blank" rel="noopener noreferrer">${name}</a></li>`)}
            </ul>`
        }
        ${rows.length === 0 ? nothing : html`<p>${rows.map(([label, value]) => html`${label}: <strong>${show(value)}</strong><br />`)}</p>`}
      </section>`,
  )}`;
}

/** Maximum characters of a name in an e-mail: enough for nearly all full names, and too few for a message. */
const MAX_NAME_LENGTH = 40;

/** Returns a name that may appear in a message, or an empty string if it is too long or not a plain personal name (decisions/0013). */
function recipientName(name: string): string {
  const isSafe = isPersonName(name) && Array.from(name).length <= MAX_NAME_LENGTH;
  return isSafe ? name.trim() : '';
}

/** Returns the first line of an e-mail. It names the recipient if `name` is a plain name. */
function greetingOf(name: string, language: Language): string {
  const { greeting, greetingWithoutName } = texts[language].emails;
  const safeName = recipientName(name);
  return safeName === '' ? greetingWithoutName : fill(greeting, { name: safeName });
}

/** Unicode control characters for the direction of text. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns a text on one line and without direction marks. Line breaks in a name could forge a header or a paragraph of a message. */
export function oneLine(text: string): string {
  return text
    .replace(BIDI, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}
