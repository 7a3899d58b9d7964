import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../shared/languages/texts.ts';
import type { Language } from '../../shared/languages/index.ts';
import { type Texts, texts } from '../base/texts.ts';
import { isPersonName } from '../../shared/person-name.ts';
import { type Html, renderHtml } from '../http/pages/html.ts';
import { contactTexts, type EmailContacts } from './contacts.ts';
import { emailHtml, emailParts, emailStyles } from './email-layout.ts';
import type { Operator } from '../base/config/operator.ts';
import type { EmailContent, MessageHandling } from './outbox.ts';
import { phoneLink, withPhones } from '../http/pages/phones.ts';

/** The sender of e-mails, and their handling. */
export interface MailOptions {
  /** Address of the service, without a trailing slash. */
  publicUrl: string;
  /** Named in every e-mail and agreement. */
  operator: Operator;
  handling: MessageHandling;
}

/** A part of a notice or an e-mail, rendered as a page, as an HTML e-mail or as plain text. */
export interface Block {
  heading?: string;
  paragraphs?: readonly string[];
  items?: readonly string[];
  /** Instructions in order, which are numbered. */
  steps?: readonly string[];
  /** Names and addresses of other websites. */
  sites?: readonly (readonly [name: string, url: string])[];
  rows?: readonly (readonly [label: string, value: string])[];
  /** A URL of this service. */
  link?: string;
  /** The main action of an e-mail, which has at most one. */
  button?: { label: string; url: string };
}

/** Renders blocks as plain text. */
export function blocksText(blocks: readonly Block[]): string {
  return blocks.map(blockText).join('\n\n');
}

function blockText({ heading, paragraphs = [], items = [], steps = [], sites = [], rows = [], link, button }: Block): string {
  const lines = [
    ...items.map((item) => `- ${item}`),
    ...steps.map((step, index) => `${index + 1}. ${step}`),
    ...[...sites, ...rows].map(([label, value]) => `${label}: ${value}`),
  ];
  const links = [...(button ? [`${button.label}\n${button.url}`] : []), ...(link === undefined ? [] : [link])];
  const parts = [...paragraphs, ...links, ...(lines.length > 0 ? [lines.join('\n')] : [])];
  return [...(heading === undefined ? [] : [heading]), parts.join('\n\n')].join('\n');
}

/** Content of an e-mail to a buyer. */
export interface BuyerEmail {
  language: Language;
  /** Name of the recipient, as typed. */
  name: string;
  subject: string;
  blocks: readonly Block[];
  /** The companies and the reference are at the end, the merchant's brand is at the beginning. */
  contacts: EmailContacts;
}

/** Returns an e-mail whose plain text and HTML have the same sentences. */
export function buyerEmail({ language, name, subject, contacts: given, blocks: content }: BuyerEmail): EmailContent {
  const { merchant } = given;
  const contacts = { ...given, merchant: { ...merchant, name: merchantInEmail(merchant.name, texts[language]) } };
  const { reference } = contacts;
  const about: [label: string, text: string][] = reference ? [[texts[language].emails.reference, reference]] : [];
  const footer = [...about, ...contactTexts(contacts, language)];
  const title = oneLine(subject);
  const greeting = greetingOf(name, language);
  const body = html`<p>${greeting}</p>
    ${blocksHtml(content, emailParts(merchant.accent))}`;
  return {
    name: recipientName(name),
    subject: title,
    text: `${blocksText([{ paragraphs: [greeting] }, ...content, { rows: footer }])}\n`,
    // Templates do not render into style elements. A function, because `$` has a meaning in a replacement that is a text.
    html: renderHtml(emailHtml(language, title, body, contacts, footer)).replace(
      '<style></style>',
      () => `<style>${emailStyles(merchant.accent)}</style>`,
    ),
  };
}

/** The parts of blocks as pages show them. E-mails have `emailParts` with inline styles. */
const pageParts = {
  phone: phoneLink,
  /** Inline style. */
  heading: nothing as string | typeof nothing,
  rows: (rows: NonNullable<Block['rows']>): Html =>
    html`<p>${rows.map(([label, value]) => html`${label}: <strong>${withPhones(value)}</strong><br />`)}</p>`,
  button: (label: string, url: string): Html => html`<p class="actions"><a class="button" href="${url}">${label}</a></p>`,
};

/** Renders blocks as HTML. Phone numbers are links. */
export function blocksHtml(blocks: readonly Block[], parts: typeof pageParts = pageParts): Html {
  const show = (text: string) => withPhones(text, parts.phone);
  return html`${blocks.map(
    ({ heading, paragraphs = [], items = [], steps = [], sites = [], rows = [], link, button }) =>
      html`<section>
        ${heading === undefined ? nothing : html`<h2 style="${parts.heading}">${heading}</h2>`} ${paragraphs.map((paragraph) => html`<p>${show(paragraph)}</p>`)}
        ${button ? parts.button(button.label, button.url) : nothing}
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
        ${rows.length === 0 ? nothing : parts.rows(rows)}
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

/** Maximum characters of a merchant's name in a message. */
const MAX_MERCHANT_LENGTH = 40;

/** Periods, colons, at signs and slashes, also those that domain names and mail programs treat like the ones of ASCII. */
const DOT = '.\u2024\u3002\ufe52\uff0e\uff61';
const COLON = ':\ufe13\ufe55\uff1a';
const AT = '@\ufe6b\uff20';
const SLASH = '/\uff0f';
/** A period or colon in front of a letter or digit, unless it is between two digits, as in `5.11`. */
const WITHIN_ADDRESS = new RegExp(`(?:(?<!\\p{Nd})[${DOT}${COLON}]|[${DOT}${COLON}](?!\\p{Nd}))(?=[^\\s\\p{P}\\p{S}])`, 'gu');
const IP_ADDRESS = new RegExp(`(?<!\\p{Nd})\\p{Nd}{1,3}(?:[${DOT}]\\p{Nd}{1,3}){2,}`, 'gu');
const LINK_SIGNS = new RegExp(`(?<=\\S)[${AT}](?=\\S)|[${SLASH}]{2,}|[\\\\\ufe68\uff3c]`, 'gu');
const DIGITS = /\+?\(?\p{Nd}[\p{Nd} ()./\p{Pd}]*/gu;

/**
 * Returns a merchant's name as e-mails have it: short, on one line, and without anything that mail programs turn into a link, because a name
 * such as "Your account is locked: evil.example" would be a message of its own. Web and e-mail addresses have spaces instead of their
 * signs, and phone numbers are left out.
 */
export function merchantInEmail(name: string, { loan: { theMerchant } }: Texts): string {
  const withoutPhones = oneLine(name).replace(DIGITS, (digits) => (isPhone(digits) ? ' ' : digits));
  const shown = Array.from(withoutLinks(withoutPhones));
  if (shown.length > MAX_MERCHANT_LENGTH)
    return `${shown
      .slice(0, MAX_MERCHANT_LENGTH - 1)
      .join('')
      .trimEnd()}…`;
  return shown.length > 0 ? shown.join('') : theMerchant;
}

/** Returns a text on one line, with spaces instead of the signs of web and e-mail addresses. */
export function withoutLinks(text: string): string {
  const spaced = oneLine(text)
    .replace(IP_ADDRESS, (address) => address.replace(/\P{Nd}/gu, ' '))
    .replace(WITHIN_ADDRESS, ' ')
    .replace(LINK_SIGNS, ' ');
  return oneLine(spaced);
}

/** Returns true for digits that phones offer to call: at least ten, seven after a plus, or seven as `555-0100`. */
function isPhone(digits: string): boolean {
  const groups = digits.match(/\p{Nd}+/gu) ?? [];
  const { length } = groups.join('');
  return (
    length >= 10 ||
    (length >= 7 && digits.startsWith('+')) ||
    (groups.length === 2 && groups[0]?.length === 3 && groups[1]?.length === 4)
  );
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
