import type { Struct } from 'superstruct';

/** A JSON Schema (2020-12). Keywords that the documentation page reads are typed. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
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

/** Returns a regular expression as a keyword of a schema. A slash is escaped in JavaScript only, and not every generator accepts that. */
export const patternOf = ({ source }: RegExp): string => source.replaceAll('\\/', '/');

// oxlint-disable-next-line typescript/no-explicit-any -- a struct of any type
export type AnyStruct = Struct<any, any>;

/**
 * Constraints of a struct that superstruct does not expose: the limits of a refinement, the rule of a `define`, other accepted
 * values. The OpenAPI document is generated from these annotations, so that each limit is defined in one place.
 */
export type Annotation =
  /** A plain value: the accepted input, and the stored value if it is more restricted. */
  | { kind: 'value'; accepted: JsonSchema; stored?: JsonSchema }
  /** Optional. The values in `blanks` count as omitted. */
  | { kind: 'optional'; of: AnyStruct; blanks: readonly (null | '')[] }
  /** Optional, with the default `fallback`. */
  | { kind: 'defaulted'; of: AnyStruct; blanks: readonly null[]; fallback: unknown }
  /** null is a meaningful value. */
  | { kind: 'nullable'; of: AnyStruct }
  | { kind: 'list'; of: AnyStruct; minItems?: number; maxItems?: number }
  /** An object with arbitrary keys, or with keys that match `names`. */
  | { kind: 'map'; of: AnyStruct; names?: AnyStruct; maxProperties?: number }
  /** A union of objects, discriminated by the field `by`. */
  | { kind: 'choice'; by: string; among: Readonly<Record<string, AnyStruct>> }
  /** A value of one of several types. */
  | { kind: 'any'; of: readonly AnyStruct[] };

const annotations = new WeakMap<AnyStruct, Annotation>();

export function annotate<S extends AnyStruct>(struct: S, annotation: Annotation): S {
  annotations.set(struct, annotation);
  return struct;
}

/** Returns the annotation of a struct, or undefined if superstruct exposes everything about it. */
export function annotationOf(struct: AnyStruct): Annotation | undefined {
  return annotations.get(struct);
}
