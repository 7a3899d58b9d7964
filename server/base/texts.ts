import { type CivilDate, formatDate } from '../../shared/dates.ts';
import { formatApr } from '../../shared/languages/texts.ts';
import type { CheckoutTexts } from '../../shared/languages/en/checkout.ts';
import { inEachLanguage, type Language, languages } from '../../shared/languages/index.ts';
import { formatMoney, numberFormat } from '../../shared/money.ts';
import type { Program } from '../../shared/programs/program.ts';
import { epochMs, type Instant } from './time.ts';

/** Sentences of the pages in one language, and its formats of values. */
export interface Texts extends CheckoutTexts {
  language: Language;
  /** `$1,299.00`, `−$150.00` */
  money(cents: number, currency: string): string;
  /** `November 21, 2026` */
  date(date: CivilDate): string;
  /** A moment in the time zone of a program: `November 21, 2026 at 4:30 AM EST` */
  moment(instant: Instant, program: Pick<Program, 'timeZone'>): string;
  /** An annual percentage rate from its fraction: `9.99%`; `0%` for none. */
  apr(fraction: number): string;
  /** Basis points as percent, with as few decimals as possible or with `digits`: `5.5%`. */
  percent(bps: number, digits?: number): string;
  /** `one, two, and three` */
  list(parts: readonly string[]): string;
}

const MOMENT: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
};

function textsOf(language: Language): Texts {
  const { disclosure, checkout } = languages[language];
  const { locale } = disclosure;
  const listFormat = new Intl.ListFormat(locale);
  const momentFormats = new Map<string, Intl.DateTimeFormat>();
  const momentFormatOf = (timeZone: string): Intl.DateTimeFormat => {
    let format = momentFormats.get(timeZone);
    if (!format) momentFormats.set(timeZone, (format = new Intl.DateTimeFormat(locale, { ...MOMENT, timeZone })));
    return format;
  };
  return {
    ...checkout,
    language,
    // A minus sign, since a hyphen is too short and allows a line break.
    money: (cents, currency) => formatMoney(cents, currency, locale).replace('-', '−'),
    date: (date) => formatDate(date, locale),
    // Some browsers show narrow spaces as boxes.
    moment: (instant, { timeZone }) =>
      momentFormatOf(timeZone)
        .format(epochMs(instant))
        .replace(/\p{Zs}/gu, ' '),
    apr: (fraction) => formatApr(fraction, locale),
    percent: (bps, digits = bps % 100 === 0 ? 0 : bps % 10 === 0 ? 1 : 2) =>
      numberFormat(locale, { style: 'percent' }, digits).format(bps / 10_000),
    list: (parts) => listFormat.format(parts),
  };
}

/** Texts of the pages and e-mails by language. */
export const texts: Readonly<Record<Language, Texts>> = inEachLanguage(textsOf);
