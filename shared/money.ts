/**
 * The largest amount the service handles: $999,999,999.99.
 *
 * Far above any purchase, and low enough that 500 lines of it still add up to a safe integer.
 */
export const MAX_CENTS = 99_999_999_999;

/**
 * An amount as people read it: `formatMoney(129900)` is `$1,299.00`.
 *
 * @param minorUnits - Amount in the currency's minor unit (cents for USD), a safe integer.
 * @param currency   - ISO 4217 code.
 * @param locale     - BCP 47 tag that decides symbols and separators.
 */
export function formatMoney(minorUnits: number, currency = 'USD', locale = 'en-US'): string {
  const format = moneyFormat(currency, locale);
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  // A decimal string, because 2^53 / 100 is not exact and money must be.
  return format.format(decimal(minorUnits, digits) as `${number}`);
}

/** `decimal(-5, 2)` is `-0.05`: the exact decimal of an integer count of minor units. */
export function decimal(minorUnits: number, digits: number): string {
  const sign = minorUnits < 0 ? '-' : '';
  const padded = String(Math.abs(minorUnits)).padStart(digits + 1, '0');
  const whole = padded.slice(0, padded.length - digits);
  return digits === 0 ? sign + whole : `${sign}${whole}.${padded.slice(-digits)}`;
}

const formats = new Map<string, Intl.NumberFormat>();

/** Building an Intl formatter costs some 30 us, using one costs 1; a page has few kinds. */
function moneyFormat(currency: string, locale: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(locale, { style: 'currency', currency })));
  return format;
}
