import type { CivilDate } from '../../shared/dates.ts';
import { formatDate } from '../../shared/dates.ts';
import { formatMoney } from '../../shared/money.ts';
import type { AsLowAs } from '../../shared/wire/as-low-as.ts';
import { renderHtml } from '../http/html.ts';
import { oneLine } from './one-line.ts';
import { letterHtml } from './templates/letter.ts';

/** What a buyer is told of a cart whose link they are sent. */
export interface CartToShare {
  merchantName: string;
  url: string;
  /** The last day on which the link works, in every US time zone. */
  lastDay: CivilDate;
  totalCents: number;
  /** Whether shipping is still to be chosen, and to be added. */
  isBeforeShipping: boolean;
  currency: string;
  /** What the total costs a month, with what the law wants beside it; undefined when there is no total yet. */
  asLowAs: AsLowAs | undefined;
}

/** The sentences of a letter. Its two forms say the same. */
export interface LetterWords {
  subject: string;
  greeting: string;
  intro: string;
  url: string;
  until: string;
  total: string;
  /** The lowest monthly price where there is one, and the sentences that must stand beside it: one is never without the other. */
  financing: string;
}

/** The letter that brings a buyer the cart's link, as plain text and as HTML. */
export function letterOf(cart: CartToShare, name: string): { subject: string; text: string; html: string } {
  const words = letterWords(cart, name);
  const { subject, greeting, intro, url, until, total, financing } = words;
  const text = [greeting, intro, url, `${until}\n${total}`, financing].filter(Boolean).join('\n\n');
  return { subject, text: `${text}\n`, html: renderHtml(letterHtml(words)) };
}

function letterWords(cart: CartToShare, name: string): LetterWords {
  const merchant = oneLine(cart.merchantName);
  const total = formatMoney(cart.totalCents, cart.currency);
  return {
    subject: `Your checkout at ${merchant}`,
    greeting: `Hello ${oneLine(name)},`,
    intro: `${merchant} has prepared a checkout for you. Continue here:`,
    url: cart.url,
    until: `The link works through ${formatDate(cart.lastDay)}.`,
    total: `${cart.isBeforeShipping ? 'Total before shipping' : 'Total'}: ${total}`,
    financing: financingIn(cart),
  };
}

/** Naming a payment requires its terms beside it, 12 CFR 1026.24(d). Where nothing is advertised, the text alone says so. */
function financingIn({ asLowAs }: CartToShare): string {
  if (!asLowAs) return '';
  const { monthly, amount, asLowAsText } = asLowAs;
  return monthly > 0 ? `As low as ${amount} a month. ${asLowAsText}` : asLowAsText;
}
