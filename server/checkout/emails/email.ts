import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Language } from '../../../shared/languages.ts';
import { oneLine } from '../../carts/messages.ts';
import { type Html, renderHtml } from '../../http/html.ts';
import type { EmailContent } from '../../notifications/outbox.ts';

/** A part of a notice or an e-mail, rendered as a page, as an HTML e-mail or as plain text. */
export interface Block {
  heading?: string;
  paragraphs?: readonly string[];
  items?: readonly string[];
  /** Labels and values. */
  rows?: readonly (readonly [label: string, value: string])[];
  /** A URL of this service. */
  link?: string;
}

/** Renders blocks as plain text. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.map(blockText).join('\n\n');
}

function blockText({ heading, paragraphs = [], items = [], rows = [], link }: Block): string {
  const lines = [...items.map((item) => `- ${item}`), ...rows.map(([label, value]) => `${label}: ${value}`)];
  const parts = [...paragraphs, ...(link === undefined ? [] : [link]), ...(lines.length > 0 ? [lines.join('\n')] : [])];
  return [...(heading === undefined ? [] : [heading]), parts.join('\n\n')].join('\n');
}

/** Content of an e-mail to a buyer. */
export interface Said {
  language: Language;
  /** Name of the recipient. */
  name: string;
  subject: string;
  greeting: string;
  blocks: readonly Block[];
}

/** Returns an e-mail whose plain text and HTML have the same sentences. */
export function buyerEmail({ language, name, subject, greeting, blocks }: Said): EmailContent {
  const title = oneLine(subject);
  const hello = oneLine(greeting);
  return {
    name: oneLine(name),
    subject: title,
    text: `${textOf([{ paragraphs: [hello] }, ...blocks])}\n`,
    html: renderHtml(emailHtml(language, title, hello, blocks)),
  };
}

/** Plain HTML that every e-mail client shows: no pictures, scripts or style sheets. */
export function emailHtml(language: Language, subject: string, greeting: string, blocks: readonly Block[]): Html {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body>
        <p>${greeting}</p>
        ${blocksHtml(blocks)}
      </body>
    </html>`;
}

/** Renders blocks as HTML without a style sheet. */
export function blocksHtml(blocks: readonly Block[]): Html {
  return html`${blocks.map(
    ({ heading, paragraphs = [], items = [], rows = [], link }) =>
      html`<section>
        ${heading === undefined ? nothing : html`<h2>${heading}</h2>`} ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
        ${link === undefined ? nothing : html`<p><a href="${link}">${link}</a></p>`}
        ${
          items.length === 0
            ? nothing
            : html`<ul>
              ${items.map((item) => html`<li>${item}</li>`)}
            </ul>`
        }
        ${rows.length === 0 ? nothing : html`<p>${rows.map(([label, value]) => html`${label}: <strong>${value}</strong><br />`)}</p>`}
      </section>`,
  )}`;
}
