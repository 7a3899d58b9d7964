import { html } from '@lit-labs/ssr';
import type { JsonSchema } from '../../../../shared/wire/annotations.ts';
import type { Html } from '../../pages/html.ts';

/** Maximum length of enumerations that are shown completely. */
const MAX_VALUES = 12;

/** A field of an object, a parameter or a header. */
export interface Field {
  name: string;
  schema: JsonSchema;
  required?: boolean;
  description: string;
  /** The part of the request that has a parameter: `query`. */
  in?: string;
}

/** Returns the fields of an object, without properties that the schema `false` prohibits. */
export function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema === false ? [] : [{ name, schema, required: required.includes(name), description: schema.description ?? '' }],
  );
}

/** Renders fields with their types and descriptions. @param id - Prefix of their ids. */
export function fieldList(fields: readonly Field[], id: string): Html {
  return html`<dl class="entries">
    ${fields.map(({ name, schema, required = false, description, in: place }) => {
      const notes = [...defaultOf(schema), ...(required ? [] : ['optional']), ...(place ? [`in the ${place}`] : [])];
      return html`<div id="${id}-${name}">
        <dt>
          <a href="#${id}-${name}"><code>${name}</code></a>
          <span class="type">${typeOf(schema, required)}${notes.map((note) => [' · ', note])}</span>
        </dt>
        <dd>${prose(description)}</dd>
      </div>`;
    })}
  </dl>`;
}

function defaultOf({ default: value }: JsonSchema): string[] {
  return value === undefined ? [] : [`default ${typeof value === 'string' ? value : JSON.stringify(value)}`];
}

/**
 * Renders a short description of a type.
 *
 * @param isRequired - False to omit null, because every optional field can be null.
 */
export function typeOf(schema: JsonSchema, isRequired = true): unknown {
  const { $ref, enum: values, type, items = {}, additionalProperties } = schema;
  if ($ref !== undefined) return html`<a href="/docs/api/schemas#schema-${componentName($ref)}">${componentName($ref)}</a>`;
  if (values && values.length > MAX_VALUES) return `one of ${values.length}, such as ${String(values[0])}`;
  if (values) return join(values.map((value) => (value === '' ? 'empty' : html`<code>${value}</code>`)));
  const types = Array.isArray(type) ? type.map((each): JsonSchema => ({ ...schema, type: each })) : undefined;
  const alternatives = schema.anyOf ?? schema.oneOf ?? types;
  if (alternatives) {
    return join(alternatives.filter((each) => isRequired || each.type !== 'null').map((each) => typeOf(each)));
  }
  switch (type) {
    case 'array':
      return ['list of ', typeOf(items), limits(schema.minItems, schema.maxItems)];
    case 'object':
      return typeof additionalProperties === 'object' ? ['object of ', typeOf(additionalProperties)] : 'object';
    case 'string':
      return stringType(schema);
    case 'integer':
      return ['integer', limits(schema.minimum, schema.maximum)];
    case undefined:
    default:
      return type;
  }
}

function stringType({ format, minLength, maxLength }: JsonSchema): string {
  if (format === 'date') return 'date, 2026-03-31';
  if (format === 'uuid') return 'UUID';
  if (format === 'date-time') return 'timestamp, 2026-03-31T12:00:00Z';
  return `string${limits(minLength, maxLength, ' characters')}`;
}

function limits(min: number | undefined, max: number | undefined, unit = ''): string {
  if (max === undefined) return min === undefined || min === 0 ? '' : `, at least ${min}${unit}`;
  if (min === max) return `, ${max}${unit}`;
  return min === undefined ? `, at most ${max}${unit}` : `, ${min} to ${max}${unit}`;
}

function join(parts: unknown[]): unknown[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [' or ', part]));
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
