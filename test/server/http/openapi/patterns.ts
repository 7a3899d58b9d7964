import { openApiDocument } from '../../../../server/http/openapi/document.ts';
import type { Json } from '../../../support/conformance.ts';

/** Every pattern of the OpenAPI document. */
export function documentedPatterns(): string[] {
  const document = openApiDocument({ mode: 'sandbox', publicUrl: 'https://fairterm.test', version: '1.2.3' });
  const patterns = new Set<string>();
  JSON.stringify(document, (key, value: Json) => {
    if (key === 'pattern' && typeof value === 'string') patterns.add(value);
    return value;
  });
  return [...patterns];
}

/** Strings that some patterns accept and others reject. `$` also matches before a final line break in Python and Java. */
export const samples = [
  '',
  ' ',
  '2026-01-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:59:59.123456-05:30',
  '019b0b5c-2c44-7c61-8a57-3a9f3d3f0c52',
  '019b0b5c-31f1-7f0e-9d0c-2f6c5d0b7a11.3.settled',
  'a'.repeat(64),
  '610000',
  '5550100100',
  '+1 (555) 010-0100',
  '555.010.0100 x',
  '+49 30 123456',
  '+5550100100',
  '555\u2013010\u20110100',
  '+1\u00a0(555)\u2212010\u20100100',
  '62701\u20131234',
  '\u00a062701',
  '62701',
  ' 62701-1234 ',
  '6270',
  ' iL ',
  'XX',
  'ada@example.com',
  '\tada@example.com ',
  'ada@example.1',
  'ada @example.com',
  'ada[1]@example.com',
  'ä@ö.ü',
  'ada\u0085@example.com',
  'https://shop.example/callback?a=1#b',
  'HTTP://SHOP.EXAMPLE',
  'ftp://shop.example',
  'Chairs, “Café” 🪑, p C s {p}',
  'two\nlines',
  'a\ttab',
  'a\u0000nul',
  'a\u007fdelete',
  '<https://fairterm.test/api/application?limit=10>; rel="next"',
];

/** Returns which of `samples` each pattern accepts. */
export function verdictsOf(patterns: readonly string[], flags = ''): boolean[][] {
  return patterns.map((pattern) => samples.map((sample) => new RegExp(pattern, flags).test(sample)));
}
