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

// oxlint-disable-next-line typescript/no-explicit-any -- a struct of whatever value
export type AnyStruct = Struct<any, any>;

/**
 * What superstruct does not keep of a struct once it is made: the limits of a refinement, what a `define` looks for, what else is
 * taken for it. From its notes a struct is written down as JSON Schema, so that each limit stands in one place.
 */
export type Note =
  /** A plain value: what is taken, and what it is by the time it is kept, when that is less. */
  | { is: 'value'; taken: JsonSchema; kept?: JsonSchema }
  /** May be left out; so may be sent what stands in `blanks`. */
  | { is: 'absentable'; of: AnyStruct; blanks: readonly (null | '')[] }
  /** Left out, it is `fallback`. */
  | { is: 'defaulted'; of: AnyStruct; blanks: readonly null[]; fallback: unknown }
  /** May be null, which means something. */
  | { is: 'nullable'; of: AnyStruct }
  | { is: 'list'; of: AnyStruct; minItems?: number; maxItems?: number }
  /** An object of whatever names, or of such as `names` takes. */
  | { is: 'map'; of: AnyStruct; names?: AnyStruct; maxProperties?: number }
  /** One of several objects, told apart by the value of their field `by`. */
  | { is: 'choice'; by: string; among: Readonly<Record<string, AnyStruct>> };

const notes = new WeakMap<AnyStruct, Note>();

/** The same struct, with a note on it. */
export function noted<S extends AnyStruct>(struct: S, note: Note): S {
  notes.set(struct, note);
  return struct;
}

/** The note on `struct`; undefined when superstruct keeps all there is to it. */
export function noteOn(struct: AnyStruct): Note | undefined {
  return notes.get(struct);
}
