/**
 * Variants of superstruct's functions that annotate each struct with its JSON Schema constraints, which superstruct does not
 * expose. Wire structs use these.
 */
import {
  array,
  defaulted as defaultedTo,
  dynamic,
  enums,
  integer,
  max,
  min,
  nullable as orNull,
  object,
  optional as orAbsent,
  record,
  refine,
  type Refiner,
  string,
  Struct,
  tuple,
} from 'superstruct';
import { type AnyStruct, annotate, annotationOf } from './annotations.ts';

/** An integer from `minimum` to `maximum`, inclusive. */
export function boundedInteger(minimum: number, maximum?: number): Struct<number, null> {
  const atLeast = min(integer(), minimum);
  return annotate(maximum === undefined ? atLeast : max(atLeast, maximum), {
    kind: 'value',
    accepted: { type: 'integer', minimum, ...(maximum !== undefined && { maximum }) },
  });
}

/** An array of at most `maxItems` entries. The length is checked before the entries are validated. */
export function listOf<T, Schema>(of: Struct<T, Schema>, maxItems: number): Struct<T[], Struct<T, Schema>> {
  const list = array(of);
  const { type, schema, coercer, entries } = list;
  const bounded = new Struct<T[], Struct<T, Schema>>({
    type,
    schema,
    coercer,
    entries,
    validator: (value, context) =>
      Array.isArray(value) && value.length > maxItems
        ? `Expected at most ${maxItems} entries, but received ${value.length}`
        : list.validator(value, context),
  });
  return annotate(bounded, { kind: 'list', of, maxItems });
}

/** An object with arbitrary keys and values of type `T`. */
export function mapOf<T, Schema>(of: Struct<T, Schema>): Struct<Record<string, T>, null> {
  return annotate(record(string(), of), { kind: 'map', of });
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
  const map = record(string(), of);
  const { type, schema, coercer, entries, refiner } = map;
  const bounded = new Struct({
    type,
    schema,
    coercer,
    entries,
    refiner,
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

/** An optional field of a response. */
export function optional<T, Schema>(of: Struct<T, Schema>): Struct<T | undefined, Schema> {
  return annotate(orAbsent(of), { kind: 'optional', of, blanks: [] });
}

export function nullable<T, Schema>(of: Struct<T, Schema>): Struct<T | null, Schema> {
  return annotate(orNull(of), { kind: 'nullable', of });
}

export function defaulted<T, Schema>(of: Struct<T, Schema>, fallback: T): Struct<T, Schema> {
  return annotate(defaultedTo(of, fallback), { kind: 'defaulted', of, blanks: [], fallback });
}

/** Like `refine` of superstruct, but preserves the annotation. For rules between fields or entries, which JSON Schema cannot express. */
export function refineAnnotated<T, Schema>(struct: Struct<T, Schema>, name: string, rule: Refiner<T>): Struct<T, Schema> {
  const annotation = annotationOf(struct);
  const refined = refine(struct, name, rule);
  return annotation ? annotate(refined, annotation) : refined;
}

/**
 * A union of objects, discriminated by their field `type`.
 *
 * Uses `dynamic` instead of `union`, so that an error is reported at its own path ("At path: lineItems.0 -- …").
 */
export function discriminatedByType<T>(among: Readonly<Record<string, AnyStruct>>): Struct<T, null> {
  const struct = dynamic((value): AnyStruct => {
    const name = (value as { type?: unknown } | null)?.type;
    const isKnown = typeof name === 'string' && Object.hasOwn(among, name);
    return isKnown ? among[name]! : object({ type: enums(Object.keys(among)) });
  });
  return annotate(struct as Struct<T, null>, { kind: 'choice', by: 'type', among });
}

/** A tuple of two values of the same type. */
export function pair<T>(of: Struct<T, null>): Struct<[T, T], null> {
  return annotate(tuple([of, of]), { kind: 'list', of, minItems: 2, maxItems: 2 });
}
