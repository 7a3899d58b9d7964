/**
 * Maximum amount: $999,999,999.99.
 *
 * Far above any purchase, yet small enough that the sum of 500 line items remains a safe integer.
 */
export const MAX_CENTS = 99_999_999_999;

/**
 * Minor unit digits of currencies that do not have two, from ISO 4217. `Intl` is not used: its tables follow cash usage, which
 * differs between JavaScript engines.
 */
const DIGITS: [digits: number, currencies: string][] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

/** Returns the number of minor unit digits of a currency: 2 for USD, 0 for JPY, 3 for KWD. */
export function minorUnitDigits(currency: string): number {
  if (currency === 'USD') return 2;
  return DIGITS.find(([, currencies]) => currencies.split(' ').includes(currency))?.[0] ?? 2;
}

/**
 * Formats an amount for display: `formatMoney(129900)` returns `$1,299.00`.
 *
 * @param minorUnits - Amount in the currency's minor unit (cents for USD).
 * @param currency - ISO 4217 code.
 * @param locale - BCP 47 tag that determines symbols and separators.
 * @throws RangeError if `minorUnits` is not a safe integer or `currency` is not a currency code.
 */
export function formatMoney(minorUnits: number, currency = 'USD', locale = 'en-US'): string {
  if (!Number.isSafeInteger(minorUnits)) throw new RangeError(`minorUnits: expected a safe integer, but received ${minorUnits}`);
  return formatMinorUnits(minorUnits, { code: currency, digits: minorUnitDigits(currency) }, locale);
}

/** Like `formatMoney`, for a safe integer in a currency whose number of digits is given. */
export function formatMinorUnits(minorUnits: number, { code, digits }: { code: string; digits: number }, locale: string): string {
  // Pass a string: dividing by 100 is not exact near 2^53.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a decimal number as text
  return numberFormat(locale, { style: 'currency', currency: code }, digits).format(`${minorUnits}e-${digits}` as `${number}`);
}

const formatCache = new Map<string, Intl.NumberFormat>();

/**
 * Returns a cached `Intl.NumberFormat`. Creating one takes about 30 µs and using it less than 1 µs; a page needs only a few.
 */
export function numberFormat(
  locale: string,
  style: { style: 'currency' | 'percent'; currency?: string },
  digits: number,
): Intl.NumberFormat {
  const key = [locale, style.currency, digits].join();
  let format = formatCache.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale, { ...style, minimumFractionDigits: digits, maximumFractionDigits: digits });
    formatCache.set(key, format);
  }
  return format;
}
