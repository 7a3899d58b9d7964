/** A value for any field, as JSON. Undefined omits the field. */
export type Value = [title: string, json: string | undefined];

/** Values that are sent for every field. */
export const values: readonly Value[] = [
  ['no field', undefined],
  ['null', 'null'],
  ['an empty string', '""'],
  ['a character', '"x"'],
  ['a number as a string', '"100"'],
  ['two lines', '"a\\nb"'],
  ['a NUL', '"a\\u0000b"'],
  ['a lone high surrogate', '"a\\ud83d"'],
  ['a lone low surrogate', '"\\ude00b"'],
  ['true', 'true'],
  ['false', 'false'],
  ['0', '0'],
  ['-0', '-0'],
  ['1', '1'],
  ['1.0', '1.0'],
  ['1.5', '1.5'],
  ['1e-7', '1e-7'],
  ['-1', '-1'],
  ['2^53', '9007199254740992'],
  ['-2^53', '-9007199254740992'],
  ['1e308', '1e308'],
  ['1e999', '1e999'],
  ['an empty list', '[]'],
  ['a list of null', '[null]'],
  ['a list of a list', '[[]]'],
  ['an empty object', '{}'],
  ['an object', '{"x":1}'],
];

export const parsed = ([, json]: Value): unknown => (json === undefined ? undefined : JSON.parse(json));

/** Deeper than any JSON that the service parses. */
export const deep: Value = ['40 levels of lists', '['.repeat(40) + ']'.repeat(40)];

/** Returns `body` as JSON with the value in place of the placeholder. */
export function serialize(body: unknown, [, json]: Value): string {
  const text = JSON.stringify(body, (_key, inner: unknown) => (inner === PLACEHOLDER && json === undefined ? undefined : inner));
  return json === undefined ? text : text.replace(JSON.stringify(PLACEHOLDER), () => json);
}

/** Replaced by the value in a serialized request. */
export const PLACEHOLDER = '@value@';
