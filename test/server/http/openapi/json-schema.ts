import fc from 'fast-check';
import type { Json } from '../../../support/conformance.ts';

/** Generates values that are valid for a schema of the document. `schemas` are its referenced components. */
export function valuesOf(schema: Json, schemas: Record<string, Json>): fc.Arbitrary<unknown> {
  const inner = (innerSchema: Json) => valuesOf(innerSchema, schemas);
  if (schema.$ref) return inner(schemas[schema.$ref.split('/').at(-1)!]);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const alternatives: Json[] | undefined = schema.anyOf ?? schema.oneOf;
  if (alternatives) return fc.oneof(...alternatives.map(inner));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: string) => inner({ ...schema, type })));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: Math.max(schema.minimum, -(2 ** 31)), max: Math.min(schema.maximum, 2 ** 31 - 1) });
    case 'string':
      return textOf(schema);
    case 'array':
      return fc.array(inner(schema.items), { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems, 3) });
    case 'object': {
      if (!schema.properties) {
        const names = schema.propertyNames ? inner(schema.propertyNames) : fc.string();
        const maxKeys = Math.min(schema.maxProperties ?? 3, 3);
        return fc.dictionary(names as fc.Arbitrary<string>, inner(schema.additionalProperties), { maxKeys });
      }
      const fields = Object.entries<Json>(schema.properties).map(([name, field]) => [name, inner(field)]);
      return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
    }
    default:
      throw new Error(`Expected a supported schema, received ${JSON.stringify(schema)}`);
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = 50 }: Json): fc.Arbitrary<string> {
  const day = fc.date({ min: new Date('1970-01-01'), max: new Date('8999-12-31'), noInvalidDate: true });
  if (format === 'date') return day.map((date) => date.toISOString().slice(0, 10));
  if (format === 'date-time') return day.map((date) => date.toISOString());
  const matching = pattern ? fc.stringMatching(new RegExp(pattern)) : fc.string({ unit: 'grapheme' });
  return matching.filter((text) => lengthOf(text) >= minLength && lengthOf(text) <= maxLength);
}

/** Number of Unicode code points. */
const lengthOf = (text: string) => Array.from(text).length;

export const LONE_SURROGATE = '\ud83e';

/** Invalid values and boundary values that replace parts of valid values. */
export const replacements: unknown[] = [
  null,
  '',
  ' ',
  0,
  -1,
  1,
  1.5,
  1_998.999_999_999_999_8,
  10_000,
  10_001,
  5_000_000,
  5_000_001,
  99_999_999_999,
  100_000_000_000,
  true,
  false,
  [],
  {},
  [null],
  { fullName: ' ', address: null, city: '', state: 'XX' },
  { quantity: 1, product: { sku: 'CHAIR-1' } },
  ...[1, 64, 65, 100, 101, 200, 201, 254, 255, 500, 501, 2_000, 2_001].flatMap((length) => [
    'x'.repeat(length),
    '🪑'.repeat(length),
  ]),
  'two\nlines',
  'a\ttab',
  'a\u0000nul',
  'a\u007fdelete',
  LONE_SURROGATE,
  '2026-02-30',
  '2028-02-29',
  '0000-01-01',
  '2026-1-1',
  '2026-01-01\n',
  '9999-12-31',
  '2026-01-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:59:60Z',
  '2026-01-01t00:00:00z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00.1234567890Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00-05:30',
  'https://a',
  'HTTPS://A/b?c#d',
  'http:///',
  'ftp://a',
  'https:/a',
  'https://ü/ö',
  `https://${'a'.repeat(1_993)}`,
  '5550100100',
  '+1 (555) 010-0100',
  '15550100100',
  '1550100100',
  '555010010',
  '555.010.0100 x',
  '٥٥٥٠١٠٠١٠٠',
  '62701',
  ' 62701 ',
  '62701-1234',
  '627011234',
  '62701-123',
  '6270',
  'IL',
  'il',
  ' iL ',
  'ILL',
  'XX',
  'ﬂ',
  'ıL',
  'ſC',
  'a@b.c',
  'a@b',
  'a b@c.d',
  `${'a'.repeat(250)}@b.c`,
  `${'a'.repeat(251)}@b.c`,
  'a@b.c\n',
  'ä@ö.ü',
  'authorize',
  'settle',
  'refund',
  'approved',
  'toString',
  'Month',
];

/** Generates copies of `value` with one part replaced or removed. */
export function mutationsOf(value: unknown): fc.Arbitrary<unknown> {
  const paths = pathsIn(value);
  return fc
    .record({
      path: fc.constantFrom(...paths),
      replacement: fc.constantFrom(...replacements),
      chance: fc.integer({ max: 4, min: 0 }),
    })
    .map(({ path, replacement, chance }) => mutate(value, path, replacement, chance === 0));
}

function pathsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))];
}

function mutate(value: unknown, [name, ...rest]: string[], replacement: unknown, isRemoved: boolean): unknown {
  if (name === undefined) return replacement;
  const copy: Json = Array.isArray(value) ? [...value] : { ...(value as object) };
  if (rest.length === 0 && isRemoved && !Array.isArray(copy)) delete copy[name];
  else copy[name] = mutate(copy[name], rest, replacement, isRemoved);
  return copy;
}
