/** A value that may come for any field, as JSON: undefined when the field is left out. */
export type Value = [what: string, json: string | undefined];

/** What is sent for every field, whatever it is. */
export const values: readonly Value[] = [
  ['nothing', undefined],
  ['null', 'null'],
  ['an empty text', '""'],
  ['a letter', '"x"'],
  ['a number as text', '"100"'],
  ['two lines', '"a\\nb"'],
  ['a NUL', '"a\\u0000b"'],
  ['the first half of a pair of surrogates', '"a\\ud83d"'],
  ['the second half of a pair of surrogates', '"\\ude00b"'],
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

/** Deeper than anything that is read at all. */
export const deep: Value = ['40 levels of lists', '['.repeat(40) + ']'.repeat(40)];

/** `body` as it is sent, with a value's JSON where `place` stands. */
export function written(body: unknown, [, json]: Value): string {
  const text = JSON.stringify(body, (_key, inner: unknown) => (inner === place && json === undefined ? undefined : inner));
  return json === undefined ? text : text.replace(JSON.stringify(place), () => json);
}

/** Stands in a request for the value that is tried. */
export const place = '@value@';
