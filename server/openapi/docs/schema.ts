import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { JsonSchema } from '../../../shared/wire/annotations.ts';
import type { Html } from '../../http/html.ts';

/** Maximum length of enumerations that are shown completely. */
const MAX_VALUES = 12;

/** Renders every named schema. */
export function schemaList(schemas: Readonly<Record<string, JsonSchema>>): Html[] {
  return Object.entries(schemas).map(
    ([name, schema]) =>
      html`<article class="schema" id="schema-${name}">
        <h3><a href="#schema-${name}">${name}</a></h3>
        ${paragraphs(schema.description ?? '')}
        ${schema.properties ? fieldList(schema, `schema-${name}`) : html`<p class="type">${typeOf(schema)}</p>`}
      </article>`,
  );
}

/** Renders the fields of an object with their types and descriptions. @param id - Prefix of their ids. */
export function fieldList({ properties = {}, required = [] }: JsonSchema, id: string): Html {
  const fields = fieldsOf(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
  }));
  return entries(
    fields.map((field) => ({ ...field, description: field.schema.description ?? '' })),
    id,
  );
}

/** Returns the fields of an object, without properties that the schema `false` prohibits. */
export function fieldsOf(properties: NonNullable<JsonSchema['properties']>): [name: string, schema: JsonSchema][] {
  return Object.entries(properties).flatMap(([name, schema]) => (schema === false ? [] : [[name, schema]]));
}

/** Renders the default value. */
function fallback({ default: value }: JsonSchema): unknown {
  return value === undefined
    ? nothing
    : html`, default <code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`;
}

interface Entry {
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  description: string;
  place?: string;
}

/** Renders a list of names with their types and descriptions. @param id - Prefix of their ids. */
export function entries(all: readonly Entry[], id: string): Html {
  return html`<dl class="entries">
    ${all.map(
      ({ name, schema, isRequired, description, place }) =>
        html`<div id="${id}-${name}">
          <dt>
            <a href="#${id}-${name}"><code>${name}</code></a>
            <span class="type">
              ${typeOf(schema, isRequired)}${isRequired ? nothing : html` <em>optional</em>`}${fallback(schema)}${place ? html` <em>${place}</em>` : nothing}
            </span>
          </dt>
          <dd>${prose(description)}</dd>
        </div>`,
    )}
  </dl>`;
}

/**
 * Renders a short description of a type.
 *
 * @param isRequired - False to omit null, because every optional field can be null.
 */
export function typeOf(schema: JsonSchema, isRequired = true): unknown {
  if (schema.$ref !== undefined) return reference(schema.$ref);
  if (schema.enum) return valuesOf(schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives)
    return join(
      alternatives.flatMap((alternative) => {
        const shown = withoutNull(alternative, isRequired);
        return shown ? [typeOf(shown)] : [];
      }),
      ' or ',
    );
  if (Array.isArray(schema.type)) {
    const [type] = schema.type;
    return isRequired ? [typeOf({ ...schema, type }), ' or null'] : typeOf({ ...schema, type });
  }
  switch (schema.type) {
    case 'array':
      return ['list of ', typeOf(schema.items ?? {}), limits(schema.minItems, schema.maxItems, '')];
    case 'object':
      return typeof schema.additionalProperties === 'object' ? ['object of ', typeOf(schema.additionalProperties)] : 'object';
    case 'string':
      return stringType(schema);
    case 'integer':
      return ['integer', limits(schema.minimum, schema.maximum, '')];
    case undefined:
    default:
      return schema.type;
  }
}

/** Returns an alternative without null, unless the field is required; undefined if only null is possible. */
function withoutNull(schema: JsonSchema, isRequired: boolean): JsonSchema | undefined {
  if (isRequired) return schema;
  if (schema.type === 'null') return undefined;
  return schema.enum ? { enum: schema.enum.filter((value: unknown) => value !== null) } : schema;
}

function stringType({ format, minLength, maxLength }: JsonSchema): string {
  if (format === 'date') return 'date, 2026-03-31';
  if (format === 'uuid') return 'UUID';
  if (format === 'date-time') return 'timestamp, 2026-03-31T12:00:00Z';
  return `string${limits(minLength, maxLength, ' characters')}`;
}

function limits(min: number | undefined, max: number | undefined, unit: string): string {
  if (max === undefined) return min === undefined || min === 0 ? '' : `, at least ${min}${unit}`;
  if (min === max) return `, ${max}${unit}`;
  return min === undefined ? `, at most ${max}${unit}` : `, ${min} to ${max}${unit}`;
}

function valuesOf(values: readonly unknown[]): unknown {
  if (values.length > MAX_VALUES) return `one of ${values.length}, such as ${String(values[0])}`;
  return join(
    values.map((value) => (value === '' ? 'empty' : html`<code>${value}</code>`)),
    ' or ',
  );
}

function reference($ref: string): Html {
  const name = componentName($ref);
  return html`<a href="#schema-${name}">${name}</a>`;
}

function join(parts: unknown[], separator: string): unknown[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}

/** Returns the name of the component that a reference points to. */
export function componentName($ref: string): string {
  return $ref.split('/').at(-1)!;
}

/** Renders text with code in backticks. */
export function prose(text: string): unknown[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** Renders text whose paragraphs are separated by empty lines. */
export function paragraphs(text: string): Html[] {
  return text.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`);
}

/** Renders code. */
export function listing(text: string): Html {
  return html`<pre><code>${text}</code></pre>`;
}

/** Formats a value as JSON. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
