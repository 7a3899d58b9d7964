import { type AnyStruct, type JsonSchema, type Annotation, annotationOf } from '../../../shared/wire/annotations.ts';

/** Requests may contain more values than responses, for example values that are ignored or converted. */
export type Direction = 'request' | 'response';

/** The name and the descriptions of a struct in the document. */
export interface SchemaDescription {
  /** The schema of responses has another name if it allows fewer values than that of requests. */
  name: Record<Direction, string>;
  summary: string;
  /** Descriptions of the fields of an object. */
  fields: Readonly<Record<string, string>>;
}

/** Converts structs to JSON Schema 2020-12. Named structs become components with references. */
export class SchemaWriter {
  /** Components of all converted structs, by name. */
  readonly components: Record<string, JsonSchema> = {};
  readonly #named: ReadonlyMap<AnyStruct, SchemaDescription>;
  readonly #inlineObjects: boolean;

  /** @param options.inlineObjects - Whether objects without a name are allowed. They are closed: other fields are rejected. */
  constructor(named: ReadonlyMap<AnyStruct, SchemaDescription>, { inlineObjects = false } = {}) {
    this.#named = named;
    this.#inlineObjects = inlineObjects;
  }

  /** Returns the schema of a struct. @throws Error if an object has no name, or if a type needs an annotation and has none. */
  schemaOf(struct: AnyStruct, direction: Direction): JsonSchema {
    const named = this.#named.get(struct);
    if (!named) return this.#inline(struct, direction);
    const name = named.name[direction];
    if (!this.components[name]) {
      // Assigned before the fields are converted, so that recursive structs terminate.
      this.components[name] = {};
      this.components[name] = { ...this.#inline(struct, direction, named), description: named.summary };
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #inline(struct: AnyStruct, direction: Direction, named?: SchemaDescription): JsonSchema {
    const annotation = annotationOf(struct);
    if (!annotation) return this.#unannotated(struct, direction, named);
    switch (annotation.kind) {
      case 'value':
        return (direction === 'response' && annotation.stored) || annotation.accepted;
      case 'optional':
        return direction === 'request'
          ? orAny(this.schemaOf(annotation.of, direction), annotation.blanks)
          : this.schemaOf(annotation.of, direction);
      case 'defaulted': {
        const schema = this.schemaOf(annotation.of, direction);
        if (direction === 'response') return schema;
        return { ...orAny(withDefaultFields(schema, annotation.fallback), annotation.blanks), default: annotation.fallback };
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
      case 'any':
        return { anyOf: annotation.of.map((of) => this.schemaOf(of, direction)) };
      default:
        return annotation satisfies never;
    }
  }

  #choice({ by, among }: Extract<Annotation, { kind: 'choice' }>, direction: Direction): JsonSchema {
    const alternatives = Object.entries(among).map(([value, of]) => [value, this.schemaOf(of, direction)] as const);
    const mapping = Object.fromEntries(alternatives.flatMap(([value, { $ref }]) => ($ref === undefined ? [] : [[value, $ref]])));
    return { oneOf: alternatives.map(([, schema]) => schema), discriminator: { propertyName: by, mapping } };
  }

  /** Converts a struct without an annotation, whose `type` and `schema` of superstruct are sufficient. */
  #unannotated(struct: AnyStruct, direction: Direction, named: SchemaDescription | undefined): JsonSchema {
    const exposed = struct.schema;
    switch (struct.type) {
      case 'string':
      case 'boolean':
      case 'number':
      case 'integer':
        return { type: struct.type };
      case 'literal':
        // Not `const`, which several client generators do not support.
        return { type: typeof exposed, enum: [exposed] };
      case 'enums':
        return { type: 'string', enum: Object.values(exposed) };
      case 'array':
        return { type: 'array', items: this.schemaOf(exposed, direction) };
      case 'object': {
        const fields = Object.entries<AnyStruct>(exposed);
        if (named || this.#inlineObjects) return this.#object(fields, direction, named);
        throw new Error(`Expected a name for the object {${fields.map(([name]) => name).join(', ')}}`);
      }
      default:
        throw new Error(`Expected an annotated struct, but received one of the type "${struct.type}"`);
    }
  }

  /** Converts an object. One without a name is closed, and its fields have no descriptions. */
  #object(fields: [string, AnyStruct][], direction: Direction, named: SchemaDescription | undefined): JsonSchema {
    const properties = fields.map(([name, struct]) => {
      const schema = this.schemaOf(struct, direction);
      return [name, named ? described(schema, named.fields[name]!) : schema];
    });
    const required = fields.filter(([, struct]) => !isOptional(struct, direction)).map(([name]) => name);
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      ...(!named && { additionalProperties: false }),
    };
  }
}

/** Adds the description of a field, with its default. */
function described({ default: fallback, ...schema }: JsonSchema, description: string): JsonSchema {
  if (fallback === undefined) return { ...schema, description };
  // In the description, because openapi-typescript generates a required property from the keyword `default`.
  const text = typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
  return { ...schema, description: `${description} Default: \`${text}\`.` };
}

/** Makes the fields of an object optional that its default contains. */
function withDefaultFields(schema: JsonSchema, fallback: unknown): JsonSchema {
  const { required = [], ...rest } = schema;
  const others = required.filter((name) => !Object.hasOwn(Object(fallback), name));
  return others.length > 0 ? { ...rest, required: others } : rest;
}

function isOptional(struct: AnyStruct, direction: Direction): boolean {
  const annotation = annotationOf(struct);
  return annotation?.kind === 'optional' || (annotation?.kind === 'defaulted' && direction === 'request');
}

/** Adds blank values, which are equivalent to an absent field, to the accepted values. */
function orAny(schema: JsonSchema, blanks: readonly (null | '')[]): JsonSchema {
  const others = blanks.filter((blank) => blank !== '' || !acceptsEmptyString(schema));
  if (others.length === 0) return schema;
  const isPlain = typeof schema.type === 'string' && !('enum' in schema);
  if (others.length === 1 && others[0] === null && isPlain) return { ...schema, type: [schema.type, 'null'] };
  // One schema for each type, because client generators do not support an enum of several types.
  return { anyOf: [schema, ...others.map((blank) => (blank === null ? { type: 'null' } : { type: 'string', enum: [blank] }))] };
}

/** Returns true if a schema of this service accepts the empty string. */
function acceptsEmptyString({ type, minLength, pattern, format, enum: values }: JsonSchema): boolean {
  const isFree = type === 'string' && minLength === undefined && format === undefined && values === undefined;
  return isFree && (typeof pattern !== 'string' || new RegExp(pattern).test(''));
}
