import { createHmac, timingSafeEqual } from 'node:crypto';

const ONE_MINUTE_SECONDS = 60;

/**
 * Returns true if Shopify's app proxy forwarded the request. The proxy signs the query with the secret of the app.
 *
 * @param nowSeconds - Unix time. A request older than a minute is rejected, because it may be a replay of an observed URL.
 */
export function isFromShopify(query: URLSearchParams, appSecret: string, nowSeconds: number): boolean {
  const names = [...new Set(query.keys())].filter((name) => name !== 'signature').toSorted();
  const signed = names.map((name) => `${name}=${query.getAll(name).join(',')}`).join('');
  const expected = createHmac('sha256', appSecret).update(signed).digest();
  const given = Buffer.from(query.get('signature') ?? '', 'hex');
  const isFresh = Math.abs(nowSeconds - Number(query.get('timestamp') ?? Number.NaN)) <= ONE_MINUTE_SECONDS;
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected);
}
