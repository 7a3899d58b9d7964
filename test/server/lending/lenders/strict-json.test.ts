import { expect, it } from 'vitest';
import { parseStrictJson } from '../../../../server/lending/lenders/signed-client.ts';

const bytes = (text: string) => Buffer.from(text);

it.each([
  ['{}', {}],
  [' {"a": [1, {"a": null}], "b": {"a": "\\"a\\":"}} ', { a: [1, { a: null }], b: { a: '"a":' } }],
  ['{"東京 🪑":"\\\\"}', { '東京 🪑': '\\' }],
  ['"text"', 'text'],
  ['null', null],
])('parseStrictJson parses %s', (text, value) => {
  expect(parseStrictJson(bytes(text))).toEqual(value);
});

it.each<[title: string, input: Uint8Array]>([
  ['an empty input', bytes('')],
  ['invalid JSON', bytes('{a:1}')],
  ['two values', bytes('{}{}')],
  ['a duplicate key', bytes('{"a":1,"a":1}')],
  ['a duplicate key with spaces before the colon', bytes('{"a" : 1, "a"\n: 2}')],
  ['a duplicate key, once with an escape', bytes('{"a":1,"\\u0061":1}')],
  ['a duplicate key within an array', bytes('[{"a":1,"a":1}]')],
  ['__proto__', bytes('{"__proto__":{"a":1}}')],
  ['toJSON', bytes('{"toJSON":1}')],
  ['33 levels of nesting', bytes('['.repeat(33) + ']'.repeat(33))],
  ['30,000 levels of nesting', bytes('['.repeat(30_000) + ']'.repeat(30_000))],
  ['incomplete UTF-8', Buffer.concat([bytes('{"a":"'), Buffer.from([0xc3]), bytes('"}')])],
  ['a byte order mark', bytes('\ufeff{}')],
])('parseStrictJson returns undefined for %s', (_title, input) => {
  expect(parseStrictJson(input)).toBeUndefined();
});
