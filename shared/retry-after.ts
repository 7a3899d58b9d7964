/**
 * Returns the delay that a `Retry-After` header requests, in milliseconds. Accepts seconds or an HTTP date. Returns undefined
 * if the value is neither, or if the header was sent more than once.
 *
 * @see RFC 9110, 10.2.3.
 */
export function retryAfterMs(header: string | readonly string[] | null | undefined, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Date.parse would interpret a bare number as a year.
  const atMs = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
