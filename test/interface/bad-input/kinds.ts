/**
 * The values that each kind of field accepts, defined independently of the structs that parse them. `accepts` returns true, false, or
 * the path below the field at which the value is rejected.
 */
import type { Value } from './values.ts';

export interface Kind {
  accepts(value: unknown): boolean | string;
  /** Returns true for accepted values that the OpenAPI document does not allow. */
  isUndocumented?: (value: unknown) => boolean;
  /** Values at the limits and just beyond them. */
  edges: readonly Value[];
}

interface Presence {
  /** Null counts as omitted. */
  optional?: boolean;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Text with a limited number of characters. Accepts empty text if the field is optional or `min` is 0. */
export function text(
  max: number,
  { optional = false, min = 0, lines = true }: Presence & { min?: number; lines?: boolean } = {},
): Kind {
  return {
    accepts: (value) => {
      if (isAbsent(value)) return optional;
      if (typeof value !== 'string' || value.length > max) return false;
      if (value === '') return optional || min === 0;
      // oxlint-disable-next-line no-control-regex
      return !/[\u0000\u001f]/.test(value) && !/\p{Surrogate}/u.test(value) && (lines || !value.includes('\n'));
    },
    edges: [
      [`${max} characters`, JSON.stringify('x'.repeat(max))],
      [`${max + 1} characters`, JSON.stringify('x'.repeat(max + 1))],
    ],
  };
}

/** The same, but optional and not nullable. */
export function notNull(kind: Kind): Kind {
  return { ...kind, accepts: (value) => value !== null && kind.accepts(value) };
}

/** Required text of at most this many characters, or null. */
export function textOrNull(max: number): Kind {
  const { accepts, edges } = text(max);
  return { accepts: (value) => value === null || accepts(value), edges };
}

/** An integer. */
export function integer(min: number, max: number, { optional = false }: Presence = {}): Kind {
  return {
    accepts: (value) =>
      isAbsent(value) ? optional : Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
    edges: [min - 1, min, max, max + 1].map((edge): Value => [`${edge}`, `${edge}`]),
  };
}

const withoutFloatError = (value: unknown): unknown => {
  if (typeof value !== 'number') return value;
  const nearest = Math.round(value);
  return nearest !== 0 && Math.abs(value - nearest) < 1e-4 ? nearest : value;
};

/** An amount in cents. Floating-point errors around an integer are removed by rounding, but a tiny amount is not rounded to 0. */
export function cents(min: 0 | 1, presence: Presence = {}): Kind {
  const { accepts, edges } = integer(min, 99_999_999_999, presence);
  return {
    accepts: (value) => accepts(withoutFloatError(value)),
    isUndocumented: (value) => typeof value === 'number' && !Number.isInteger(value),
    edges: [
      ...edges,
      ['19.99 times 100', `${19.99 * 100}`],
      ['more than a floating-point error', '1999.0002'],
      ['just below 0', '-1e-7'],
    ],
  };
}

/** Text in a special format, with examples. None of the common test values has such a format. */
export function formatted(valid: readonly string[], invalid: readonly string[], { optional = false }: Presence = {}): Kind {
  return {
    accepts: (value) => (isAbsent(value) || value === '' ? optional : valid.includes(value as string)),
    edges: [...valid, ...invalid].map((edge): Value => [edge.slice(0, 40), JSON.stringify(edge)]),
  };
}

/** A boolean, false by default. */
export const flag: Kind = { accepts: (value) => isAbsent(value) || typeof value === 'boolean', edges: [] };

/** An optional list with a limited number of entries. `[null]` and `[[]]` are rejected at their first entry. */
export function list(max: number, entry: (index: number) => object): Kind {
  const entries = (count: number) => Array.from({ length: count }, (_, index) => entry(index));
  return {
    accepts: (value) => {
      if (isAbsent(value)) return true;
      if (!Array.isArray(value)) return false;
      if (value.length > max) return false;
      return value.length === 0 || (value[0] !== null && !Array.isArray(value[0])) || '.0';
    },
    edges: [max, max + 1].map((count): Value => [`${count} entries`, JSON.stringify(entries(count))]),
  };
}

/** An object with this first required field. If the field is missing, the error path points to it. */
export function object(firstRequired: string): Kind {
  return {
    accepts: (value) => {
      return typeof value === 'object' && value !== null && !Array.isArray(value) && firstRequired;
    },
    edges: [],
  };
}

/** An optional contact. `false`, or a contact without a name and an address, counts as omitted, regardless of its other fields. */
export function contact(path: string): Kind {
  return {
    accepts: (value) => {
      if (isAbsent(value) || value === false) return true;
      if (typeof value !== 'object' || Array.isArray(value)) return false;
      return ['fullName', 'address'].every((name) => !(value as Record<string, string>)[name]?.trim()) || `${path}.address`;
    },
    isUndocumented: (value) => typeof value === 'boolean' || typeof value === 'object',
    edges: [
      ['a blank contact', '{"fullName":"","address":" ","state":"ZZ"}'],
      ['a name without a place', '{"fullName":"Ada Lovelace"}'],
    ],
  };
}

/** An optional map of string key–value pairs. A value that is not a string is rejected at its key, `x` in the test values. */
export function map(max: number, pathOfX: string): Kind {
  const mapOf = (count: number, name: string) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, 'y'])));
  return {
    accepts: (value) => {
      if (isAbsent(value)) return true;
      if (typeof value !== 'object' || Array.isArray(value)) return false;
      const entries = Object.entries(value as object);
      if (entries.length > max || entries.some(([name]) => !/^.{1,40}$/.test(name))) return false;
      return entries.every(([, inner]) => text(500).accepts(inner)) || pathOfX;
    },
    edges: [
      [`${max} names`, mapOf(max, '')],
      [`${max + 1} names`, mapOf(max + 1, '')],
      ['a name of 40 characters', mapOf(1, 'x'.repeat(39))],
      ['an empty name', mapOf(1, '').replace('"0"', '""')],
      ['a name of 41 characters', mapOf(1, 'x'.repeat(40))],
      ['a name of two lines', mapOf(1, 'a\nb')],
      ...['y', 'y'.repeat(500), 'y'.repeat(501), 'y\u0000', null].map((value): Value => {
        const json = JSON.stringify({ x: value });
        return [`a value of ${json.length} bytes: ${json.slice(0, 20)}`, json];
      }),
    ],
  };
}
