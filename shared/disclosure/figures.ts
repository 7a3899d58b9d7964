import { numberFormat } from '../money.ts';

/** Formats an APR: `formatApr(0.0999)` returns `9.99%`. A rate of zero is `0%`. */
export function formatApr(apr: number, locale = 'en-US'): string {
  return numberFormat(locale, { style: 'percent' }, apr === 0 ? 0 : 2).format(apr);
}
