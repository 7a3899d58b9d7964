import { expect, it } from 'vitest';
import { parseStrictJson } from '../../../server/lenders/signed-client.ts';

const bytes = (text: string) => Buffer.from(text);

it.each([
  ['{}', {}],
  [' {"a": [1, {"a": null}], "b": {"a": "\\"a\\":"}} ', { a: [1, { a: null }], b: { a: '"a":' } }],
  ['{"東京 🪑":"\\\\"}', { '東京 🪑': '\\' }],
  ['"text"', 'text'],
  ['null', null],
])('%s can be parsed in one way only', (text, value) => {
  expect(parseStrictJson(bytes(text))).toEqual(value);
});

it.each<[what: string, given: Uint8Array]>([
  ['nothing', bytes('')],
  ['no JSON', bytes('{a:1}')],
  ['two values', bytes('{}{}')],
  ['a name twice', bytes('{"a":1,"a":1}')],
  ['a name twice with space before the colon', bytes('{"a" : 1, "a"\n: 2}')],
  ['a name twice, once by its number', bytes('{"a":1,"\\u0061":1}')],
  ['a name twice within a list', bytes('[{"a":1,"a":1}]')],
  ['a prototype', bytes('{"__proto__":{"a":1}}')],
  ['an object that makes text of itself', bytes('{"toJSON":1}')],
  ['33 levels', bytes('['.repeat(33) + ']'.repeat(33))],
  ['nesting without end', bytes('['.repeat(30_000) + ']'.repeat(30_000))],
  ['half a letter', Buffer.concat([bytes('{"a":"'), Buffer.from([0xc3]), bytes('"}')])],
  ['a byte order mark', bytes('\ufeff{}')],
])('%s is rejected', (_what, given) => {
  expect(parseStrictJson(given)).toBeUndefined();
});
