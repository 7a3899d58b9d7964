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

/** An integer from `least` to `most`, inclusive. */
export function wholeNumber(least: number, most?: number): Struct<number, null> {
  const atLeast = min(integer(), least);
  return annotate(most === undefined ? atLeast : max(atLeast, most), {
    kind: 'value',
    accepted: { type: 'integer', minimum: least, ...(most !== undefined && { maximum: most }) },
  });
}

/** An array of at most `most` entries. The length is checked before the entries are validated. */
export function listOf<T, Schema>(of: Struct<T, Schema>, most: number): Struct<T[], Struct<T, Schema>> {
  const list = array(of);
  const { type, schema, coercer, entries } = list;
  const bounded = new Struct<T[], Struct<T, Schema>>({
    type,
    schema,
    coercer,
    entries,
    validator: (value, context) =>
      Array.isArray(value) && value.length > most
        ? `Expected at most ${most} entries, but received ${value.length}`
        : list.validator(value, context),
  });
  return annotate(bounded, { kind: 'list', of, maxItems: most });
}

/** An object with arbitrary keys and values of type `T`. */
export function mapOf<T, Schema>(of: Struct<T, Schema>): Struct<Record<string, T>, null> {
  return annotate(record(string(), of), { kind: 'map', of });
}

/**
 * An object with at most `most` keys, each a valid `name`, and values of type `T`.
 *
 * An invalid key is reported at the path of the object, so that the path never contains it.
 */
export function boundedMapOf<T, Schema>(
  of: Struct<T, Schema>,
  { name, most }: { name: Struct<string, null>; most: number },
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
      if (names.length > most) return `Expected at most ${most} names, but received ${names.length}`;
      const [failure] = names.flatMap((one) => name.validate(one)[0] ?? []);
      return failure === undefined || `Invalid name: ${failure.message}`;
    },
  });
  return annotate(bounded, { kind: 'map', of, names: name, maxProperties: most });
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

/** Adds a rule that JSON Schema cannot express: between fields, or between the entries of a list. */
export function withRule<T, Schema>(struct: Struct<T, Schema>, name: string, rule: Refiner<T>): Struct<T, Schema> {
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
    const known = typeof name === 'string' && Object.hasOwn(among, name);
    return known ? among[name]! : object({ type: enums(Object.keys(among)) });
  });
  return annotate(struct as Struct<T, null>, { kind: 'choice', by: 'type', among });
}

/** A tuple of two values of the same type. */
export function pair<T>(of: Struct<T, null>): Struct<[T, T], null> {
  return annotate(tuple([of, of]), { kind: 'list', of, minItems: 2, maxItems: 2 });
}
