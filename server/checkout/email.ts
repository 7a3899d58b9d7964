import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { counted, fill } from '../../shared/disclosure/texts.ts';
import type { TilaBox } from '../../shared/disclosure/tila-box.ts';
import type { Language } from '../../shared/languages.ts';
import { oneLine } from '../carts/messages.ts';
import { type Html, renderHtml } from '../http/html.ts';
import { greetingOf, recipientName } from '../notifications/greeting.ts';
import type { EmailContent } from '../notifications/outbox.ts';
import type { Instant } from '../time.ts';
import type { Texts } from './texts/index.ts';

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
export interface BuyerEmail {
  language: Language;
  /** Name of the recipient, as typed. */
  name: string;
  subject: string;
  blocks: readonly Block[];
}

/** Returns an e-mail whose plain text and HTML have the same sentences. */
export function buyerEmail({ language, name, subject, blocks }: BuyerEmail): EmailContent {
  const title = oneLine(subject);
  const greeting = greetingOf(name, language);
  return {
    name: recipientName(name),
    subject: title,
    text: `${textOf([{ paragraphs: [greeting] }, ...blocks])}\n`,
    html: renderHtml(emailHtml(language, title, greeting, blocks)),
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

/** The card that pays a portion of a purchase. */
export interface CardPayment {
  amountCents: number;
  /** Label of the card, such as `Visa 4242`. */
  label: string;
}

/** Returns the e-mail with the link to the signed agreement and its main figures. */
export function agreementEmail(
  { disclosure: box, signedAt }: { disclosure: TilaBox; signedAt: Instant },
  { name, url, linkDays, card }: { name: string; url: string; linkDays: number; card: CardPayment | undefined },
  t: Texts,
): EmailContent {
  const words = t.agreementEmail;
  const lender = box.creditor.name;
  const intro = fill(words.intro, {
    date: t.date(signedAt.slice(0, 10)),
    lender,
    merchant: box.merchantName ?? t.loan.theMerchant,
  });
  return buyerEmail({
    language: t.language,
    name,
    subject: fill(words.subject, { lender }),
    blocks: [
      { paragraphs: [intro], link: url },
      { rows: figures(box, card, t) },
      { paragraphs: [words.private, fill(words.linkEnds, { days: String(linkDays) })] },
    ],
  });
}

function figures(box: TilaBox, card: CardPayment | undefined, t: Texts): [string, string][] {
  const words = t.agreementEmail;
  const money = (cents: number) => t.money(cents, box.currency);
  const payments = box.paymentRows.map(({ count, paymentCents }) =>
    fill(counted(words.paymentsOf, count), { amount: money(paymentCents) }),
  );
  return [
    [t.tila.amountFinanced, money(box.amountFinancedCents)],
    [t.tila.apr, t.apr(box.apr)],
    [words.payments, t.list(payments)],
    [words.firstDue, t.date(box.payments[0]!.dueOn)],
    ...(card ? [[words.byCard, `${money(card.amountCents)}, ${card.label}`] as [string, string]] : []),
  ];
}
