import { validate } from 'superstruct';
import { expect, it } from 'vitest';
import { openApiDocument, operationsIn } from '../../../../server/http/openapi/document.ts';
import type { Json } from '../../../support/conformance.ts';

const document: Json = openApiDocument({ mode: 'sandbox', publicUrl: 'https://fairterm.test', version: '1.2.3' });
const LENGTH = 10_000;

const fills: [name: string, character: string][] = [
  ['blanks', ' '],
  ['tabs', '\t'],
  ['no-break spaces', '\u00a0'],
  ['zero-width spaces', '\u200b'],
  ['line ends', '\n'],
  ['digits', '1'],
  ['slashes', '/'],
  ['letters', 'a'],
  ['hyphens', '-'],
  ['dots', '.'],
];

/** Returns a value for a schema with every field, in which every text and every name is `text`. */
function filled(schema: Json, text: string): Json {
  if (schema.$ref) return filled(document.components.schemas[schema.$ref.split('/').at(-1)], text);
  if (schema.enum) return schema.enum[0];
  const [choice] = schema.oneOf ?? schema.anyOf ?? [];
  if (choice) return filled(choice, text);
  const [type] = [schema.type].flat();
  if (type === 'string') return text;
  if (type === 'array') return [filled(schema.items, text)];
  if (type === 'integer') return schema.minimum ?? 0;
  if (type !== 'object') return true;
  const fields = Object.entries<Json>(schema.properties ?? {}).map(([name, field]) => [name, filled(field, text)]);
  if (schema.additionalProperties) fields.push([text, filled(schema.additionalProperties, text)]);
  return Object.fromEntries(fields);
}

/** Returns each kind of a body, if it is one of several. */
function kindsOf(schema: Json): Json[] {
  const resolved = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  return resolved.oneOf ?? [resolved];
}

const bodies = operationsIn('sandbox').flatMap(({ id, path, method, request }) => {
  if (!request) return [];
  const [content] = Object.values<Json>(document.paths[path][method].requestBody.content);
  return kindsOf(content.schema).map((schema, index) => ({ title: `${id} ${index}`, body: request.body, schema }));
});

it.each(bodies.flatMap((body) => fills.map(([name, character]) => ({ ...body, name, character }))))(
  '$title with $name in every text is checked in a time that grows with the length, not with its square',
  ({ body, schema, character }) => {
    const millisecondsOf = (length: number): number => {
      const value = filled(schema, `a${character.repeat(length)}\u0001a`);
      const startedAt = performance.now();
      // All failures: the first one would hide the other fields.
      const [error] = validate(value, body, { coerce: true });
      error?.failures();
      return performance.now() - startedAt;
    };
    const once = Math.min(millisecondsOf(LENGTH), millisecondsOf(LENGTH), millisecondsOf(LENGTH));
    // Four times as long takes 16 times as long if the time is quadratic. The constant is for times that are too short to compare, and
    // other processes may interrupt any measurement, but not all.
    const isLinear = () => millisecondsOf(4 * LENGTH) < 8 * once + 100;
    expect(Array.from({ length: 10 }).some(isLinear)).toBe(true);
  },
);
