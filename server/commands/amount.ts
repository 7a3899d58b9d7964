import { formatMoney, MAX_CENTS, minorUnitDigits } from '../../shared/money.ts';

/**
 * Parses an amount such as `$1,299.00` into minor units, 129900.
 *
 * @param currency - ISO 4217 code. Its symbol or the code itself may precede the amount.
 * @throws Error - the text is not an amount above 0, has more decimals than the currency, is above the maximum, or is ambiguous.
 *
 * @example
 * parseAmount('1299')         // 129_900
 * parseAmount('1,299', 'KWD') // ambiguous: 1299 dinars, or 1.299?
 */
export function parseAmount(input: string, currency = 'USD'): number {
  const digits = minorUnitDigits(currency);
  const example = formatMoney(1_299 * 10 ** digits, currency);
  const invalid = (reason: string) => new Error(`AMOUNT: expected an amount such as ${example}, but ${reason}`);

  const bare = withoutCurrency(input.trim(), currency);
  const parts = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(bare);
  if (!parts) throw invalid(`received ${JSON.stringify(input)}`);
  const [, whole = '', fraction = ''] = parts;
  if (fraction.length > digits) throw invalid(`"${input}" has more than ${digits} decimals`);
  if (digits === 3 && fraction === '' && /^\d+,\d{3}$/.test(whole)) throw invalid(`"${input}" is ambiguous`);

  const minorUnits = Number(whole.replaceAll(',', '') + fraction.padEnd(digits, '0'));
  if (minorUnits < 1) throw invalid('received 0');
  if (minorUnits > MAX_CENTS) throw invalid(`"${input}" is above ${formatMoney(MAX_CENTS, currency)}`);
  return minorUnits;
}

function withoutCurrency(input: string, currency: string): string {
  const symbol = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')!.value;
  const prefix = [currency, symbol].find((candidate) => input.toUpperCase().startsWith(candidate));
  return input.slice(prefix?.length ?? 0).trimStart();
}
