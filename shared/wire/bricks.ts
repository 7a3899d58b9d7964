/** superstruct's bricks, as far as it forgets what they were made with. Structs of the wire are built of these instead. */
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
import { type AnyStruct, noted, noteOn } from './notes.ts';

/** An integer, from `least` through `most`. */
export function whole(least: number, most?: number): Struct<number, null> {
  const atLeast = min(integer(), least);
  return noted(most === undefined ? atLeast : max(atLeast, most), {
    is: 'value',
    taken: { type: 'integer', minimum: least, ...(most !== undefined && { maximum: most }) },
  });
}

/** At most `most` of the same, none included. They are counted before any is looked at. */
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
  return noted(bounded, { is: 'list', of, maxItems: most });
}

/** An object that has a `T` under whatever names. */
export function mapOf<T, Schema>(of: Struct<T, Schema>): Struct<Record<string, T>, null> {
  return noted(record(string(), of), { is: 'map', of });
}

/**
 * An object that has a `T` under at most `most` names, each a `name`.
 *
 * What is wrong with a name is told of the object: a name that was refused stands in no path.
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
      return failure === undefined || `In a name: ${failure.message}`;
    },
  });
  return noted(bounded, { is: 'map', of, names: name, maxProperties: most });
}

/** A field that an answer may lack. */
export function optional<T, Schema>(of: Struct<T, Schema>): Struct<T | undefined, Schema> {
  return noted(orAbsent(of), { is: 'absentable', of, blanks: [] });
}

export function nullable<T, Schema>(of: Struct<T, Schema>): Struct<T | null, Schema> {
  return noted(orNull(of), { is: 'nullable', of });
}

export function defaulted<T, Schema>(of: Struct<T, Schema>, fallback: T): Struct<T, Schema> {
  return noted(defaultedTo(of, fallback), { is: 'defaulted', of, blanks: [], fallback });
}

/** `struct` under a rule more, which no schema can state: one between fields, or between the entries of a list. */
export function ruled<T, Schema>(struct: Struct<T, Schema>, name: string, rule: Refiner<T>): Struct<T, Schema> {
  const note = noteOn(struct);
  const refined = refine(struct, name, rule);
  return note ? noted(refined, note) : refined;
}

/**
 * One of the objects `among`, by the name that its field `type` has.
 *
 * Made with `dynamic`, not `union`, so that a mistake is reported at its own path ("At path: lineItems.0 -- …").
 */
export function chosenByType<T>(among: Readonly<Record<string, AnyStruct>>): Struct<T, null> {
  const struct = dynamic((value): AnyStruct => {
    const name = (value as { type?: unknown } | null)?.type;
    const known = typeof name === 'string' && Object.hasOwn(among, name);
    return known ? among[name]! : object({ type: enums(Object.keys(among)) });
  });
  return noted(struct as Struct<T, null>, { is: 'choice', by: 'type', among });
}

/** Two of the same. */
export function pairOf<T>(of: Struct<T, null>): Struct<[T, T], null> {
  return noted(tuple([of, of]), { is: 'list', of, minItems: 2, maxItems: 2 });
}
