import type { Struct } from 'superstruct';

/** A schema of JSON Schema 2020-12. Keywords that the documentation page reads are typed. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly discriminator?: { propertyName: string; mapping: Readonly<Record<string, string>> };
  readonly properties?: Readonly<Record<string, JsonSchema | false>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly [keyword: string]: unknown;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a struct of any type
export type AnyStruct = Struct<any, any>;

/**
 * Constraints that superstruct does not expose once a struct is created: the limits of a refinement, the rule of a `define`,
 * other accepted values. The OpenAPI document is generated from these annotations, so that each limit is defined in one place.
 */
export type Note =
  /** A plain value: the accepted input, and the stored value if it is more restricted. */
  | { is: 'value'; taken: JsonSchema; kept?: JsonSchema }
  /** Optional. The values in `blanks` count as omitted. */
  | { is: 'absentable'; of: AnyStruct; blanks: readonly (null | '')[] }
  /** Optional, with the default `fallback`. */
  | { is: 'defaulted'; of: AnyStruct; blanks: readonly null[]; fallback: unknown }
  /** null is a meaningful value. */
  | { is: 'nullable'; of: AnyStruct }
  | { is: 'list'; of: AnyStruct; minItems?: number; maxItems?: number }
  /** An object with arbitrary keys, or with keys that match `names`. */
  | { is: 'map'; of: AnyStruct; names?: AnyStruct; maxProperties?: number }
  /** A union of objects, discriminated by the field `by`. */
  | { is: 'choice'; by: string; among: Readonly<Record<string, AnyStruct>> };

const notes = new WeakMap<AnyStruct, Note>();

/** Annotates a struct and returns it. */
export function noted<S extends AnyStruct>(struct: S, note: Note): S {
  notes.set(struct, note);
  return struct;
}

/** Returns the annotation of a struct, or undefined if superstruct exposes everything about it. */
export function noteOn(struct: AnyStruct): Note | undefined {
  return notes.get(struct);
}
