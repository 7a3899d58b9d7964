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
  const { format, digits } = numberFormat(locale, { style: 'currency', currency }, currency);
  // As text, because 2^53 / 100 is not exact and money must be.
  return format.format(`${minorUnits}e-${digits}` as `${number}`);
}

interface KeptFormat {
  format: Intl.NumberFormat;
  /** How many digits stand behind the point: 2 for USD, 0 for JPY, 3 for KWD. */
  digits: number;
}

const kept = new Map<string, KeptFormat>();

/**
 * Keeps Intl's formatters: building one costs some 30 us and asking it for its digits 2, using it less than one, and a
 * page has few kinds.
 *
 * @param key - Tells `style` apart from the others.
 */
export function numberFormat(locale: string, style: Intl.NumberFormatOptions, key: string): KeptFormat {
  let found = kept.get(locale + key);
  if (!found) {
    const format = new Intl.NumberFormat(locale, style);
    kept.set(locale + key, (found = { format, digits: format.resolvedOptions().maximumFractionDigits! }));
  }
  return found;
}
