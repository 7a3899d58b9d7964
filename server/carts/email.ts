import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { type CivilDate, formatDate } from '../../shared/dates.ts';
import { languages } from '../../shared/disclosure/languages.ts';
import { fill } from '../../shared/disclosure/texts.ts';
import type { Language } from '../../shared/languages.ts';
import { formatMoney } from '../../shared/money.ts';
import type { AsLowAs } from '../../shared/wire/as-low-as.ts';
import { renderHtml } from '../http/html.ts';
import { oneLine } from './one-line.ts';

/** The content of an e-mail with a cart's link. */
export interface CartToShare {
  language: Language;
  merchantName: string;
  url: string;
  /** The last day on which the link works, in every US time zone. */
  lastDay: CivilDate;
  totalCents: number;
  /** Whether the cost of shipping will be added. */
  isBeforeShipping: boolean;
  currency: string;
  /** The monthly price of the total with its disclosure; undefined when there is no total yet. */
  asLowAs: AsLowAs | undefined;
}

/** The sentences of the e-mail in each language. */
const TEXTS: Record<
  Language,
  Record<'subject' | 'greeting' | 'intro' | 'until' | 'total' | 'beforeShipping' | 'asLowAs', string>
> = {
  en: {
    subject: 'Your checkout at {merchant}',
    greeting: 'Hello {name},',
    intro: '{merchant} has prepared a checkout for you. Continue here:',
    until: 'The link works through {date}.',
    total: 'Total: {amount}',
    beforeShipping: 'Total before shipping: {amount}',
    asLowAs: 'As low as {amount} a month.',
  },
  es: {
    subject: 'Su compra en {merchant}',
    greeting: 'Hola, {name}:',
    intro: '{merchant} ha preparado una compra para usted. Continúe aquí:',
    until: 'El enlace funciona hasta el {date}.',
    total: 'Total: {amount}',
    beforeShipping: 'Total antes del envío: {amount}',
    asLowAs: 'Desde {amount} al mes.',
  },
};

/** Returns the e-mail with a cart's link. Its plain text and its HTML have the same sentences. */
export function cartEmail(cart: CartToShare, name: string): { subject: string; text: string; html: string } {
  const { url, language } = cart;
  const t = TEXTS[language];
  const { locale } = languages[language];
  const merchant = oneLine(cart.merchantName);
  const subject = fill(t.subject, { merchant });
  const greeting = fill(t.greeting, { name: oneLine(name) });
  const intro = fill(t.intro, { merchant });
  const until = fill(t.until, { date: formatDate(cart.lastDay, locale) });
  const amount = formatMoney(cart.totalCents, cart.currency, locale);
  const total = fill(cart.isBeforeShipping ? t.beforeShipping : t.total, { amount });
  const financing = financingIn(cart);

  const text = [greeting, intro, url, `${until}\n${total}`, financing].filter(Boolean).join('\n\n');
  // Plain HTML that every e-mail client shows: no pictures, scripts or style sheets.
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body>
        <p>${greeting}</p>
        <p>${intro}</p>
        <p><a href="${url}">${url}</a></p>
        <p>${until}<br />${total}</p>
        ${financing ? html`<p>${financing}</p>` : nothing}
      </body>
    </html>`;
  return { subject, text: `${text}\n`, html: renderHtml(page) };
}

/** A payment requires its terms in the same paragraph: 12 CFR 1026.24(d). Without a price, the disclosure states the reason. */
function financingIn({ asLowAs, language }: CartToShare): string {
  if (!asLowAs) return '';
  const { monthly, amount, asLowAsText } = asLowAs;
  return monthly > 0 ? `${fill(TEXTS[language].asLowAs, { amount })} ${asLowAsText}` : asLowAsText;
}
