import { findUnsafeJson } from '../../shared/wire/unsafe-json.ts';

/**
 * JSON that can be read in one way only: whole UTF-8 without a byte order mark, no name twice in an object, no traps.
 *
 * @returns The value, or undefined when it is anything else. No JSON is undefined.
 */
export function strictJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (findUnsafeJson(value) !== undefined || namesIn(text) !== namesOf(value)) return undefined;
    return value;
  } catch {
    return undefined;
  }
}

/** How many names the text of valid JSON has: strings with a colon behind them. */
function namesIn(text: string): number {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon).length;
}

/** How many were left when it was parsed. */
function namesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, one) => sum + namesOf(one), 0);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}
