/**
 * Values of requests, generated from the schemas of the OpenAPI document: valid ones, and ones at the limits of fields and beyond them. The
 * tests use a fixed seed, and the campaigns of `npm run fuzz` and `npm run test:nightly` any seed.
 */
import { sample, stringMatching } from 'fast-check';
import type { Json } from './conformance.ts';
import type { SeededRandom } from './random.ts';

export interface Operation {
  id: string;
  method: string;
  /** `/carts/{cartId}` */
  path: string;
  parameters: Json[];
  body: { type: string; schema: Json; examples: Json[] } | undefined;
}

/** Returns all operations of the document, with their references to parameters resolved. */
export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => {
      const [[type, content] = []] = Object.entries<Json>(operation.requestBody?.content ?? {});
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []).map((one: Json) =>
          one.$ref ? document.components.parameters[one.$ref.split('/').at(-1)] : one,
        ),
        body: content && {
          type,
          schema: content.schema,
          examples: Object.values<Json>(content.examples ?? {}).map(({ value }) => value),
        },
      };
    }),
  );
}

/** Generates values that match the schemas of a document. */
export class ValidValues {
  readonly #schemas: Record<string, Json>;
  /** Strings that match a pattern, which are generated once: doing so takes longer than a request. */
  readonly #matching = new Map<string, string[]>();
  /** Values of fields and parameters that refer to something, by name. */
  readonly #known: (name: string, random: SeededRandom) => string | undefined;

  constructor(document: Json, known: (name: string, random: SeededRandom) => string | undefined) {
    this.#schemas = document.components.schemas;
    this.#known = known;
  }

  of(schema: Json, random: SeededRandom, name = '', depth = 0): Json {
    if (schema.$ref) return this.of(this.#schemas[schema.$ref.split('/').at(-1)], random, name, depth);
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return this.of(pick(choices, random), random, name, depth);
    if (schema.enum) return pick(schema.enum, random);
    const known = this.#known(name, random);
    if (known !== undefined && random.fraction() < 0.8) return known;
    const type = Array.isArray(schema.type) ? pick<string>(schema.type, random) : schema.type;
    if (type === 'object') return this.#object(schema, random, depth);
    if (type === 'array') {
      const count = Math.max(schema.minItems ?? 0, depth > 4 ? 0 : (random.integer(0, 3) + 1) % 4);
      return Array.from({ length: count }, () => this.of(schema.items ?? {}, random, name, depth + 1));
    }
    if (type === 'integer' || type === 'number') return integerOf(schema, random);
    if (type === 'boolean') return random.fraction() < 0.5;
    if (type === 'string') return this.#string(schema, random);
    return null;
  }

  #object(schema: Json, random: SeededRandom, depth: number): Json {
    if (!schema.properties) {
      const names = Array.from({ length: random.integer(0, 3) }, () => this.#string(schema.propertyNames ?? {}, random));
      return Object.fromEntries(names.map((key) => [key, this.of(schema.additionalProperties ?? {}, random, '', depth + 1)]));
    }
    const required = new Set<string>(schema.required ?? []);
    const chosen = Object.entries<Json>(schema.properties).filter(([name]) => required.has(name) || random.fraction() < 0.35);
    return Object.fromEntries(chosen.map(([name, property]) => [name, this.of(property, random, name, depth + 1)]));
  }

  #string(schema: Json, random: SeededRandom): string {
    const { example, format, pattern, minLength = 0, maxLength = 60 } = schema;
    if (typeof example === 'string' && random.fraction() < 0.5) return example;
    const examples = FORMATS[format as keyof typeof FORMATS];
    // A pattern also matches days that do not exist.
    if (examples && (!pattern || format.startsWith('date'))) return pick(examples, random);
    if (!pattern) return pick(TEXTS, random).slice(0, maxLength).padEnd(minLength, 'x');
    const fitting = this.#stringsMatching(pattern, examples).filter(({ length }) => length >= minLength && length <= maxLength);
    return fitting.length > 0 ? pick(fitting, random) : 'x'.repeat(Math.max(1, minLength));
  }

  #stringsMatching(pattern: string, examples: readonly string[] = TEXTS): string[] {
    const known = this.#matching.get(pattern);
    if (known) return known;
    const expression = new RegExp(pattern);
    const generated = sample(stringMatching(expression), { seed: 1, numRuns: 20 });
    const strings = [...generated, ...examples.filter((text) => expression.test(text))];
    this.#matching.set(pattern, strings);
    return strings;
  }
}

const FORMATS = {
  date: ['2099-12-31', '2026-11-28', '2000-02-29'],
  'date-time': ['2026-11-22T10:00:00Z', '2026-11-22T10:00:00.123456+13:45', '1970-01-01T00:00:00Z'],
  email: ['ada@example.com', 'a.b+c@sub.example.co', 'ada@xn--bcher-kva.example'],
  uuid: ['019b0b5c-2c44-7c61-8a57-3a9f3d3f0c52', '00000000-0000-0000-0000-000000000000'],
  uri: ['https://shop.example/', 'https://shop.example/a?b=c#d', 'http://localhost:1/'],
};

const TEXTS = ['a', 'Chair', 'ORDER-1', '李小龍 👩‍👩‍👧', 'O’Brien', '<b>&"\'', 'a b', '100', 'null', '%00', '../..', '${1}', '{{1}}'];

function integerOf({ minimum = 0, maximum = 99_999_999_999 }: Json, random: SeededRandom): number {
  if (random.fraction() < 0.2) return random.fraction() < 0.5 ? minimum : maximum;
  // Mostly amounts that can be financed and pages that are short.
  const most = Math.min(maximum, minimum + random.magnitude(1, 500_000));
  return random.integer(minimum, Math.max(minimum, most));
}

/** Returns one of the values. */
export function pick<T>(values: readonly T[], random: SeededRandom): T {
  return values[random.integer(0, values.length - 1)]!;
}

/** Chooses the first of several values, every field and the lowest number, so that a generated value is complete. */
export const FIRST: SeededRandom = { fraction: () => 0, integer: (min) => min, magnitude: (min) => min };

export const LONE_SURROGATE = '\ud83e';

/** Values of other types, and at the limits of fields and beyond them, that replace a part of a valid value. */
export const boundaryValues: readonly unknown[] = [
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
  ...'2026-02-30 2028-02-29 0000-01-01 2026-1-1 9999-12-31 2026-01-01T00:00:00Z 2026-01-01T24:00:00Z'.split(' '),
  ...'2026-01-01T23:59:60Z 2026-01-01t00:00:00z 2026-01-01T00:00:00 2026-01-01T00:00:00+24:00'.split(' '),
  ...'2026-01-01T00:00:00.1234567890Z 2026-02-30T00:00:00Z 2026-01-01T00:00:00-05:30'.split(' '),
  '2026-01-01\n',
  ...'https://a HTTPS://A/b?c#d http:/// ftp://a https:/a https://ü/ö'.split(' '),
  `https://${'a'.repeat(1_993)}`,
  ...'5550100100 15550100100 1550100100 555010010 ٥٥٥٠١٠٠١٠٠'.split(' '),
  '+1 (555) 010-0100',
  '555.010.0100 x',
  ...'62701 62701-1234 627011234 62701-123 6270 IL il ILL XX ﬂ ıL ſC'.split(' '),
  ' 62701 ',
  ' iL ',
  ...'a@b.c a@b ä@ö.ü'.split(' '),
  'a b@c.d',
  'a@b.c\n',
  `${'a'.repeat(250)}@b.c`,
  `${'a'.repeat(251)}@b.c`,
  ...'authorize settle refund approved toString Month'.split(' '),
];

/** Returns the paths of a value and of everything in it. */
export function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))];
}

/** Returns a copy of a value with a part replaced, or removed from its object if the replacement is undefined. */
export function replaced(value: unknown, [name, ...rest]: readonly string[], replacement: unknown): unknown {
  if (name === undefined) return replacement;
  const copy: Json = Array.isArray(value) ? [...value] : { ...(value as object) };
  if (rest.length === 0 && replacement === undefined && !Array.isArray(copy)) delete copy[name];
  else copy[name] = replaced(copy[name], rest, replacement);
  return copy;
}

/** Returns a copy of a value with a random part replaced or removed. */
export function mutated(value: unknown, random: SeededRandom): unknown {
  const isRemoved = random.fraction() < 0.2;
  return replaced(value, pick(pathsIn(value), random), isRemoved ? undefined : pick(boundaryValues, random));
}
