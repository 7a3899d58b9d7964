/**
 * How long a `Retry-After` header asks to wait, in milliseconds: seconds, or a date of HTTP. Undefined when it is neither, or there
 * more than once.
 *
 * @see RFC 9110, 10.2.3.
 */
export function retryAfterMs(header: string | readonly string[] | null | undefined, nowMs: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Date.parse would take a bare number for a year.
  const atMs = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
