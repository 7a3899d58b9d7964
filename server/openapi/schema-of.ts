import { type AnyStruct, type JsonSchema, type Annotation, annotationOf } from '../../shared/wire/annotations.ts';

/** Whether a schema describes what requests may contain or what responses contain. */
export type Direction = 'request' | 'response';

/** The name and the descriptions of a struct in the document. */
export interface SchemaDescription {
  /** Responses have another name if they are narrower than requests. */
  name: Record<Direction, string>;
  summary: string;
  /** Descriptions of the fields of an object. */
  fields: Readonly<Record<string, string>>;
}

/** Converts structs to JSON Schema 2020-12. Named structs become components and are referred to. */
export class SchemaWriter {
  /** Components that were referred to so far, by name. */
  readonly components: Record<string, JsonSchema> = {};
  readonly #named: ReadonlyMap<AnyStruct, SchemaDescription>;

  constructor(named: ReadonlyMap<AnyStruct, SchemaDescription>) {
    this.#named = named;
  }

  /** @throws Error if a struct is an object without a name, or has a type that superstruct exposes too little of. */
  schemaOf(struct: AnyStruct, direction: Direction): JsonSchema {
    const named = this.#named.get(struct);
    if (!named) return this.#inline(struct, direction);
    const name = named.name[direction];
    if (!this.components[name]) {
      // Assigned before the fields are converted, so that a recursive struct ends.
      this.components[name] = {};
      this.components[name] = { ...this.#inline(struct, direction, named), description: named.summary };
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #inline(struct: AnyStruct, direction: Direction, named?: SchemaDescription): JsonSchema {
    const annotation = annotationOf(struct);
    if (!annotation) return this.#exposed(struct, direction, named);
    switch (annotation.kind) {
      case 'value':
        return (direction === 'response' && annotation.stored) || annotation.accepted;
      case 'optional':
        return direction === 'request'
          ? orAny(this.schemaOf(annotation.of, direction), annotation.blanks)
          : this.schemaOf(annotation.of, direction);
      case 'defaulted': {
        const schema = this.schemaOf(annotation.of, direction);
        return direction === 'request' ? { ...orAny(schema, annotation.blanks), default: annotation.fallback } : schema;
      }
      case 'nullable':
        return orAny(this.schemaOf(annotation.of, direction), [null]);
      case 'list': {
        const { kind: _kind, of, ...limits } = annotation;
        return { type: 'array', items: this.schemaOf(of, direction), ...limits };
      }
      case 'map': {
        const { kind: _kind, of, names, ...limits } = annotation;
        const propertyNames = names && { propertyNames: this.schemaOf(names, direction) };
        return { type: 'object', ...propertyNames, additionalProperties: this.schemaOf(of, direction), ...limits };
      }
      case 'choice':
        return this.#choice(annotation, direction);
      default:
        return annotation satisfies never;
    }
  }

  #choice({ by, among }: Extract<Annotation, { kind: 'choice' }>, direction: Direction): JsonSchema {
    const written = Object.entries(among).map(([value, of]) => [value, this.schemaOf(of, direction)] as const);
    const mapping = Object.fromEntries(written.flatMap(([value, { $ref }]) => ($ref === undefined ? [] : [[value, $ref]])));
    return { oneOf: written.map(([, schema]) => schema), discriminator: { propertyName: by, mapping } };
  }

  /** Converts a struct that superstruct exposes everything of. */
  #exposed(struct: AnyStruct, direction: Direction, named: SchemaDescription | undefined): JsonSchema {
    const exposed = struct.schema as unknown;
    switch (struct.type) {
      case 'string':
      case 'boolean':
      case 'number':
        return { type: struct.type };
      case 'literal':
        return { type: typeof exposed, const: exposed };
      case 'enums':
        return { type: 'string', enum: Object.values(exposed as object) };
      case 'array':
        return { type: 'array', items: this.schemaOf(exposed as AnyStruct, direction) };
      case 'object': {
        const fields = Object.entries(exposed as Record<string, AnyStruct>);
        if (!named) throw new Error(`Expected a name for the object {${fields.map(([name]) => name).join(', ')}}`);
        return this.#object(fields, direction, named);
      }
      default:
        throw new Error(`Expected an annotated struct, but received one of the type "${struct.type}"`);
    }
  }

  #object(fields: [string, AnyStruct][], direction: Direction, named: SchemaDescription): JsonSchema {
    const required = fields.filter(([, struct]) => !isOptional(struct, direction)).map(([name]) => name);
    const properties = fields.map(([name, struct]) => {
      const { default: fallback, ...schema } = this.schemaOf(struct, direction);
      // Not the keyword `default`: openapi-typescript generates a required property from it.
      const text = typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
      const addition = fallback === undefined ? '' : ` Default: \`${text}\`.`;
      return [name, { ...schema, description: `${named.fields[name]}${addition}` }];
    });
    return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
  }
}

function isOptional(struct: AnyStruct, direction: Direction): boolean {
  const annotation = annotationOf(struct);
  return annotation?.kind === 'optional' || (annotation?.kind === 'defaulted' && direction === 'request');
}

/** Adds `blanks`, which count as omitted, to the accepted values. */
function orAny(schema: JsonSchema, blanks: readonly (null | '')[]): JsonSchema {
  const others = blanks.filter((blank) => blank !== '' || !acceptsEmptyString(schema));
  if (others.length === 0) return schema;
  const isPlain = typeof schema.type === 'string' && !('enum' in schema);
  if (others.length === 1 && others[0] === null && isPlain) return { ...schema, type: [schema.type, 'null'] };
  // One schema for each type: generators of clients do not support an enum of several types.
  return { anyOf: [schema, ...others.map((blank) => (blank === null ? { type: 'null' } : { type: 'string', enum: [blank] }))] };
}

/** Returns true if the schema, which is one of ours, accepts the empty string. */
function acceptsEmptyString({ type, minLength, pattern, format, enum: values }: JsonSchema): boolean {
  const isFree = type === 'string' && minLength === undefined && format === undefined && values === undefined;
  return isFree && (typeof pattern !== 'string' || new RegExp(pattern).test(''));
}
