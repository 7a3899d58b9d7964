/**
 * The largest amount the service handles: $999,999,999.99.
 *
 * Far above any purchase, and low enough that 500 lines of it still add up to a safe integer.
 */
export const MAX_CENTS = 99_999_999_999;

/**
 * Digits behind the point of every currency that has not two, by ISO 4217. Not asked of Intl: its tables follow what is usual
 * in cash, which differs between engines.
 */
const DIGITS: [digits: number, currencies: string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

/** How many digits a currency has behind the point: 2 for USD, 0 for JPY, 3 for KWD. */
export function minorUnitDigits(currency: string): number {
  return DIGITS.find(([, currencies]) => currencies.split(' ').includes(currency))?.[0] ?? 2;
}

/**
 * An amount as people read it: `formatMoney(129900)` is `$1,299.00`.
 *
 * @param minorUnits - Amount in the currency's minor unit (cents for USD).
 * @param currency   - ISO 4217 code.
 * @param locale     - BCP 47 tag that decides symbols and separators.
 * @throws RangeError - `minorUnits` is not a safe integer, or `currency` is no code.
 */
export function formatMoney(minorUnits: number, currency = 'USD', locale = 'en-US'): string {
  if (!Number.isSafeInteger(minorUnits)) throw new RangeError(`minorUnits: expected a safe integer, but received ${minorUnits}`);
  return formatMinorUnits(minorUnits, { code: currency, digits: minorUnitDigits(currency) }, locale);
}

/** `formatMoney` of an amount that is known to be whole, in a currency whose digits are known. */
export function formatMinorUnits(minorUnits: number, { code, digits }: { code: string; digits: number }, locale: string): string {
  // As text, because 2^53 / 100 is not exact and money must be.
  return numberFormat(locale, { style: 'currency', currency: code }, digits).format(`${minorUnits}e-${digits}` as `${number}`);
}

const kept = new Map<string, Intl.NumberFormat>();

/** Keeps Intl's formatters: building one costs some 30 us, using it less than one, and a page has few kinds. */
export function numberFormat(
  locale: string,
  style: { style: 'currency' | 'percent'; currency?: string },
  digits: number,
): Intl.NumberFormat {
  const key = [locale, style.currency, digits].join();
  let format = kept.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, { ...style, minimumFractionDigits: digits, maximumFractionDigits: digits });
    kept.set(key, format);
  }
  return format;
}
