/** Generates valid requests from an OpenAPI document. */
import { stringMatching, sample } from 'fast-check';
import type { SeededRandom } from '../support/random.ts';
import type { Json } from '../support/conformance.ts';

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
      const count = Math.max(schema.minItems ?? 0, depth > 4 ? 0 : random.integer(0, 3));
      return Array.from({ length: count }, () => this.of(schema.items ?? {}, random, name, depth + 1));
    }
    if (type === 'integer' || type === 'number') return integerOf(schema, random);
    if (type === 'boolean') return random.fraction() < 0.5;
    if (type === 'string') return this.#string(schema, random);
    return null;
  }

  #object(schema: Json, random: SeededRandom, depth: number): Json {
    const required = new Set<string>(schema.required ?? []);
    const chosen = Object.entries<Json>(schema.properties ?? {}).filter(
      ([name]) => required.has(name) || random.fraction() < 0.35,
    );
    return Object.fromEntries(chosen.map(([name, property]) => [name, this.of(property, random, name, depth + 1)]));
  }

  #string(schema: Json, random: SeededRandom): string {
    const { example, format, pattern, minLength = 0, maxLength = 60 } = schema;
    if (typeof example === 'string' && random.fraction() < 0.5) return example;
    if (format && format in FORMATS) return pick(FORMATS[format as keyof typeof FORMATS], random);
    if (!pattern) return pick(TEXTS, random).slice(0, maxLength).padEnd(minLength, 'x');
    const fitting = this.#stringsMatching(pattern).filter(({ length }) => length >= minLength && length <= maxLength);
    return fitting.length > 0 ? pick(fitting, random) : 'x'.repeat(Math.max(1, minLength));
  }

  #stringsMatching(pattern: string): string[] {
    const known = this.#matching.get(pattern);
    if (known) return known;
    const expression = new RegExp(pattern);
    const generated = sample(stringMatching(expression), { seed: 1, numRuns: 20 });
    const strings = [...generated, ...TEXTS.filter((text) => expression.test(text))];
    this.#matching.set(pattern, strings);
    return strings;
  }
}

const FORMATS = {
  date: ['2026-11-28', '2099-12-31', '2000-02-29', '2026-02-30'],
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
