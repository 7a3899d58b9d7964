import { type AnyStruct, type JsonSchema, type Annotation, annotationOf } from '../../shared/wire/annotations.ts';

/** Whether a struct is written down as what callers may send, or as what they are answered. */
export type Side = 'sent' | 'answered';

/** A struct's place in the document, and what is said of it there. */
export interface Named {
  /** Its name as it is sent; answers have a name of their own where they hold less. */
  name: Record<Side, string>;
  summary: string;
  /** What is said of each field of an object. */
  fields: Readonly<Record<string, string>>;
}

/** Writes structs down as JSON Schema 2020-12. Structs that have a name become components, and a reference wherever they stand. */
export class SchemaWriter {
  /** Every component that was referred to so far, by its name. */
  readonly components: Record<string, JsonSchema> = {};
  readonly #named: ReadonlyMap<AnyStruct, Named>;

  constructor(named: ReadonlyMap<AnyStruct, Named>) {
    this.#named = named;
  }

  /** @throws Error - a struct that cannot be written down: one that superstruct keeps too little of, or an object without a name. */
  schemaOf(struct: AnyStruct, side: Side): JsonSchema {
    const named = this.#named.get(struct);
    if (!named) return this.#inline(struct, side);
    const name = named.name[side];
    if (!this.components[name]) {
      // Before its fields are written, so that one which comes back to it ends.
      this.components[name] = {};
      this.components[name] = { ...this.#inline(struct, side, named), description: named.summary };
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #inline(struct: AnyStruct, side: Side, named?: Named): JsonSchema {
    const annotation = annotationOf(struct);
    if (!annotation) return this.#remembered(struct, side, named);
    switch (annotation.kind) {
      case 'value':
        return (side === 'answered' && annotation.stored) || annotation.accepted;
      case 'optional':
        return side === 'sent'
          ? orAny(this.schemaOf(annotation.of, side), annotation.blanks)
          : this.schemaOf(annotation.of, side);
      case 'defaulted': {
        const schema = this.schemaOf(annotation.of, side);
        return side === 'sent' ? { ...orAny(schema, annotation.blanks), default: annotation.fallback } : schema;
      }
      case 'nullable':
        return orAny(this.schemaOf(annotation.of, side), [null]);
      case 'list': {
        const { kind: _kind, of, ...limits } = annotation;
        return { type: 'array', items: this.schemaOf(of, side), ...limits };
      }
      case 'map': {
        const { kind: _kind, of, names, ...limits } = annotation;
        const propertyNames = names && { propertyNames: this.schemaOf(names, side) };
        return { type: 'object', ...propertyNames, additionalProperties: this.schemaOf(of, side), ...limits };
      }
      case 'choice':
        return this.#choice(annotation, side);
      default:
        return annotation satisfies never;
    }
  }

  #choice({ by, among }: Extract<Annotation, { kind: 'choice' }>, side: Side): JsonSchema {
    const written = Object.entries(among).map(([value, of]) => [value, this.schemaOf(of, side)] as const);
    const mapping = Object.fromEntries(written.flatMap(([value, { $ref }]) => ($ref === undefined ? [] : [[value, $ref]])));
    return { oneOf: written.map(([, schema]) => schema), discriminator: { propertyName: by, mapping } };
  }

  /** What superstruct itself keeps. */
  #remembered(struct: AnyStruct, side: Side, named: Named | undefined): JsonSchema {
    const kept = struct.schema as unknown;
    switch (struct.type) {
      case 'string':
      case 'boolean':
      case 'number':
        return { type: struct.type };
      case 'literal':
        return { const: kept };
      case 'enums':
        return { type: 'string', enum: Object.values(kept as object) };
      case 'array':
        return { type: 'array', items: this.schemaOf(kept as AnyStruct, side) };
      case 'object': {
        const fields = Object.entries(kept as Record<string, AnyStruct>);
        if (!named) throw new Error(`An object has no name: {${fields.map(([name]) => name).join(', ')}}`);
        return this.#object(fields, side, named);
      }
      default:
        throw new Error(`Of a struct of the type "${struct.type}" too little is kept to write it down`);
    }
  }

  #object(fields: [string, AnyStruct][], side: Side, named: Named): JsonSchema {
    const required = fields.filter(([, struct]) => !mayBeLeftOut(struct, side)).map(([name]) => name);
    const properties = fields.map(([name, struct]) => [
      name,
      { ...this.schemaOf(struct, side), description: named.fields[name] },
    ]);
    return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
  }
}

function mayBeLeftOut(struct: AnyStruct, side: Side): boolean {
  const annotation = annotationOf(struct);
  return annotation?.kind === 'optional' || (annotation?.kind === 'defaulted' && side === 'sent');
}

/** `schema`, or one of `values` that stand for nothing. */
function orAny(schema: JsonSchema, values: readonly (null | '')[]): JsonSchema {
  const others = values.filter((value) => value !== '' || !takesEmptyText(schema));
  if (others.length === 0) return schema;
  const isPlain = typeof schema['type'] === 'string' && !('enum' in schema);
  if (others.length === 1 && others[0] === null && isPlain) return { ...schema, type: [schema['type'], 'null'] };
  const rest = others.length === 1 && others[0] === null ? { type: 'null' } : { enum: others };
  return { anyOf: [schema, rest] };
}

/** Whether a schema of text, which has no other keywords than ours do, takes none. */
function takesEmptyText({ type, minLength, pattern, format, enum: values }: JsonSchema): boolean {
  const isFree = type === 'string' && minLength === undefined && format === undefined && values === undefined;
  return isFree && (typeof pattern !== 'string' || new RegExp(pattern).test(''));
}
