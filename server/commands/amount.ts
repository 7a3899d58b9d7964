import { formatMoney, MAX_CENTS, minorUnitDigits } from '../../shared/money.ts';

/**
 * An amount as a person types it, in minor units: `$1,299.00` is 129900. A point parts off the cents, commas are for thousands.
 *
 * @param currency - ISO 4217 code; its sign, or the code itself, may stand before the amount.
 * @throws Error - it is no amount, is not above 0, has more digits behind the point than the currency, is larger than can be
 *   handled, or means one thing here and another where commas part off the cents.
 *
 * @example
 * parseAmount('1299')       // 129_900
 * parseAmount('1,299', 'KWD') // refused: 1299 dinars, or 1.299?
 */
export function parseAmount(typed: string, currency = 'USD'): number {
  const digits = minorUnitDigits(currency);
  const example = formatMoney(1_299 * 10 ** digits, currency);
  const refuse = (because: string) => new Error(`AMOUNT: expected an amount such as ${example}, but ${because}`);

  const bare = withoutCurrency(typed.trim(), currency);
  const parts = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(bare);
  if (!parts) throw refuse(`received ${JSON.stringify(typed)}`);
  const [, whole = '', fraction = ''] = parts;
  if (fraction.length > digits) throw refuse(`"${typed}" has more than ${digits} digits behind the point`);
  if (digits === 3 && fraction === '' && /^\d+,\d{3}$/.test(whole)) throw refuse(`"${typed}" could be two amounts`);

  const minorUnits = Number(whole.replaceAll(',', '') + fraction.padEnd(digits, '0'));
  if (minorUnits < 1) throw refuse('received 0');
  if (minorUnits > MAX_CENTS) throw refuse(`"${typed}" is above ${formatMoney(MAX_CENTS, currency)}`);
  return minorUnits;
}

function withoutCurrency(typed: string, currency: string): string {
  const sign = new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')!.value;
  const prefix = [currency, sign].find((candidate) => typed.toUpperCase().startsWith(candidate));
  return typed.slice(prefix?.length ?? 0).trimStart();
}
