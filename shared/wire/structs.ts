/**
 * Variants of superstruct's functions that annotate each struct with its JSON Schema constraints, which superstruct does not
 * expose. Wire structs and financing programs use these.
 */
import { propertyOf } from '../objects.ts';
import { inEachLanguage, type Translated } from '../languages/index.ts';
import {
  array,
  coerce as converted,
  type Coercer,
  defaulted as defaultedTo,
  dynamic,
  enums,
  integer,
  max as atMost,
  min as atLeast,
  nullable as orNull,
  object,
  optional as orAbsent,
  pattern as matching,
  record as recordOf,
  refine as refined,
  type Refiner,
  size as ofSize,
  string,
  Struct,
  type Validator,
} from 'superstruct';
import { type AnyStruct, annotate, annotationOf, type JsonSchema } from './annotations.ts';

export function min<Schema>(struct: Struct<number, Schema>, minimum: number): Struct<number, Schema> {
  return withKeywords(atLeast(struct, minimum), struct, { minimum });
}

export function max<Schema>(struct: Struct<number, Schema>, maximum: number): Struct<number, Schema> {
  return withKeywords(atMost(struct, maximum), struct, { maximum });
}

export function pattern<Schema>(struct: Struct<string, Schema>, regexp: RegExp): Struct<string, Schema> {
  return withKeywords(matching(struct, regexp), struct, { pattern: regexp.source });
}

/** A string or an array with `minimum` to `maximum` characters or entries. */
// oxlint-disable-next-line typescript/no-explicit-any -- an array of any type
export function size<T extends string | any[], Schema>(
  struct: Struct<T, Schema>,
  minimum: number,
  maximum: number,
): Struct<T, Schema> {
  const sized = ofSize(struct, minimum, maximum);
  return struct.type === 'array'
    ? // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of an array is the struct of its entries
      annotate(sized, { kind: 'list', of: struct.schema as AnyStruct, minItems: minimum, maxItems: maximum })
    : withKeywords(sized, struct, { minLength: minimum, maxLength: maximum });
}

/** Annotates a refined scalar with the schema of the scalar and further keywords. */
function withKeywords<S extends AnyStruct>(struct: S, scalar: AnyStruct, keywords: JsonSchema): S {
  const annotation = annotationOf(scalar);
  const schema = annotation?.kind === 'value' ? annotation.accepted : { type: scalar.type };
  return annotate(struct, { kind: 'value', accepted: { ...schema, ...keywords } });
}

/** An integer from `minimum` to `maximum`, inclusive. */
export function boundedInteger(minimum: number, maximum?: number): Struct<number, null> {
  const bounded = min(integer(), minimum);
  return maximum === undefined ? bounded : max(bounded, maximum);
}

/** Returns a struct that converts or validates values in another way. */
export function deriveStruct<T, Schema>(
  { type, schema, entries, coercer, validator, refiner }: Struct<T, Schema>,
  replaced: { coercer?: Coercer; validator?: Validator },
): Struct<T, Schema> {
  return new Struct({ type, schema, entries, coercer, validator, refiner, ...replaced });
}

/** An array of at most `maxItems` entries. The length is checked before the entries are validated. */
export function listOf<T, Schema>(of: Struct<T, Schema>, maxItems: number): Struct<T[], Struct<T, Schema>> {
  const list = array(of);
  const bounded = deriveStruct(list, {
    validator: (value, context) =>
      Array.isArray(value) && value.length > maxItems
        ? `Expected at most ${maxItems} entries, but received ${value.length}`
        : list.validator(value, context),
  });
  return annotate(bounded, { kind: 'list', of, maxItems });
}

/** An object with arbitrary keys and values of type `T`. */
export function mapOf<T, Schema>(of: Struct<T, Schema>): Struct<Record<string, T>, null> {
  return annotate(recordOf(string(), of), { kind: 'map', of });
}

/**
 * An object with at most `maxNames` keys, each a valid `name`, and values of type `T`.
 *
 * An invalid key is reported at the path of the object, so that the path never contains it.
 */
export function boundedMapOf<T, Schema>(
  of: Struct<T, Schema>,
  { name, maxNames }: { name: Struct<string, null>; maxNames: number },
): Struct<Record<string, T>, null> {
  const map = recordOf(string(), of);
  const bounded = deriveStruct(map, {
    validator: (value, context) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return map.validator(value, context);
      const names = Object.keys(value);
      if (names.length > maxNames) return `Expected at most ${maxNames} names, but received ${names.length}`;
      const [failure] = names.flatMap((key) => name.validate(key)[0] ?? []);
      return failure === undefined || `Invalid name: ${failure.message}`;
    },
  });
  return annotate(bounded, { kind: 'map', of, names: name, maxProperties: maxNames });
}

/** An object whose keys are valid `name`s, with values of type `T`. */
export function record<Name extends string, T, Schema>(
  name: Struct<Name, null>,
  of: Struct<T, Schema>,
): Struct<Record<Name, T>, null> {
  return annotate(recordOf(name, of), { kind: 'map', of, names: name });
}

/** An optional field. */
export function optional<T, Schema>(of: Struct<T, Schema>): Struct<T | undefined, Schema> {
  return annotate(orAbsent(of), { kind: 'optional', of, blanks: [] });
}

export function nullable<T, Schema>(of: Struct<T, Schema>): Struct<T | null, Schema> {
  return annotate(orNull(of), { kind: 'nullable', of });
}

/**
 * A field with a default. If the default is an object, its fields are also the defaults of the fields of a received object.
 *
 * @param fallback - The default, or a function that returns it.
 */
export function defaulted<T, Schema>(of: Struct<T, Schema>, fallback: unknown): Struct<T, Schema> {
  const value: unknown = typeof fallback === 'function' ? fallback() : fallback;
  return annotate(defaultedTo(of, fallback), { kind: 'defaulted', of, blanks: [], fallback: value });
}

/** Converts values that meet `condition`, such as an older form of a document, which the schema does not describe. */
export function coerce<T, Schema, From>(
  struct: Struct<T, Schema>,
  condition: Struct<From>,
  convert: Coercer<From>,
): Struct<T, Schema> {
  return withAnnotationOf(struct, converted(struct, condition, convert));
}

/** Preserves the annotation. For rules between fields or entries, which JSON Schema cannot express. */
export function refine<T, Schema>(struct: Struct<T, Schema>, name: string, rule: Refiner<T>): Struct<T, Schema> {
  return withAnnotationOf(struct, refined(struct, name, rule));
}

function withAnnotationOf<S extends AnyStruct>(annotated: AnyStruct, struct: S): S {
  const annotation = annotationOf(annotated);
  return annotation ? annotate(struct, annotation) : struct;
}

/**
 * A union of objects, discriminated by their field `type`.
 *
 * Uses `dynamic` instead of `union`, so that an error is reported at its own path ("At path: lineItems.0 -- …").
 */
export function discriminatedByType<T>(among: Readonly<Record<string, AnyStruct>>): Struct<T, null> {
  const struct = dynamic((value): AnyStruct => {
    const name = propertyOf(value, 'type');
    const isKnown = typeof name === 'string' && Object.hasOwn(among, name);
    return isKnown ? among[name]! : object({ type: enums(Object.keys(among)) });
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller names the union of the structs
  return annotate(struct as Struct<T, null>, { kind: 'choice', by: 'type', among });
}

/** A text of others by language: English is required, and replaces missing translations (`inLanguage`). */
export function translated<T, Schema>(of: Struct<T, Schema>): Struct<Translated<T>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `inEachLanguage` has optional structs for all languages
  return object({ ...inEachLanguage(() => optional(of)), en: of }) as unknown as Struct<Translated<T>>;
}
