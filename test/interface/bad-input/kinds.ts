/**
 * The values that each kind of field accepts, defined independently of the structs that parse it. `takes` returns true, false, or
 * the path below the field at which the value is rejected.
 */
import type { Value } from './values.ts';

export interface Kind {
  takes(value: unknown): boolean | string;
  /** Whether the service accepts it although the OpenAPI document does not allow it. */
  tolerates?: (value: unknown) => boolean;
  /** Values at its limits and just beyond them. */
  edges: readonly Value[];
}

interface Presence {
  /** Null counts as omitted. */
  optional?: boolean;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Text with a limited number of characters. Accepts empty text if the field is optional or has no minimum length. */
export function text(
  most: number,
  { optional = false, least = 0, lines = true }: Presence & { least?: number; lines?: boolean } = {},
): Kind {
  return {
    takes: (value) => {
      if (isAbsent(value)) return optional;
      if (typeof value !== 'string' || value.length > most) return false;
      if (value === '') return optional || least === 0;
      // oxlint-disable-next-line no-control-regex
      return !/[\u0000\u001f]/.test(value) && !/\p{Surrogate}/u.test(value) && (lines || !value.includes('\n'));
    },
    edges: [
      [`${most} characters`, JSON.stringify('x'.repeat(most))],
      [`${most + 1} characters`, JSON.stringify('x'.repeat(most + 1))],
    ],
  };
}

/** The same, but optional and not nullable. */
export function notNull(kind: Kind): Kind {
  return { ...kind, takes: (value) => value !== null && kind.takes(value) };
}

/** Required text of at most this many characters, or null. */
export function textOrNull(most: number): Kind {
  const { takes, edges } = text(most);
  return { takes: (value) => value === null || takes(value), edges };
}

/** A whole number. */
export function whole(least: number, most: number, { optional = false }: Presence = {}): Kind {
  return {
    takes: (value) =>
      isAbsent(value) ? optional : Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
    edges: [least - 1, least, most, most + 1].map((edge): Value => [`${edge}`, `${edge}`]),
  };
}

const undone = (value: unknown): unknown => {
  if (typeof value !== 'number') return value;
  const nearest = Math.round(value);
  return nearest !== 0 && Math.abs(value - nearest) < 1e-4 ? nearest : value;
};

/** An amount in cents. Floating-point errors around a whole number are rounded away, but a tiny amount is not rounded to 0. */
export function cents(least: 0 | 1, presence: Presence = {}): Kind {
  const { takes, edges } = whole(least, 99_999_999_999, presence);
  return {
    takes: (value) => takes(undone(value)),
    tolerates: (value) => typeof value === 'number' && !Number.isInteger(value),
    edges: [...edges, ['19.99 times 100', `${19.99 * 100}`], ['more than noise', '1999.0002'], ['just below 0', '-1e-7']],
  };
}

/** Text in a special format, with a valid example. None of the usual test values has this format. */
export function formed(taken: readonly string[], rejected: readonly string[], { optional = false }: Presence = {}): Kind {
  return {
    takes: (value) => (isAbsent(value) || value === '' ? optional : taken.includes(value as string)),
    edges: [...taken, ...rejected].map((edge): Value => [edge.slice(0, 40), JSON.stringify(edge)]),
  };
}

/** A boolean, false by default. */
export const flag: Kind = { takes: (value) => isAbsent(value) || typeof value === 'boolean', edges: [] };

/** An optional list with a limited number of entries. `[null]` and `[[]]` are rejected at their first entry. */
export function list(most: number, entry: (index: number) => object): Kind {
  const of = (count: number) => Array.from({ length: count }, (_, index) => entry(index));
  return {
    takes: (value) => {
      if (isAbsent(value)) return true;
      if (!Array.isArray(value)) return false;
      if (value.length > most) return false;
      return value.length === 0 || (value[0] !== null && !Array.isArray(value[0])) || '.0';
    },
    edges: [most, most + 1].map((count): Value => [`${count} entries`, JSON.stringify(of(count))]),
  };
}

/** An object with this first required field. If the field is missing, the error path points to it. */
export function object(firstRequired: string): Kind {
  return {
    takes: (value) => {
      return typeof value === 'object' && value !== null && !Array.isArray(value) && firstRequired;
    },
    edges: [],
  };
}

/** An optional contact. `false`, or a contact without a name and a place, counts as omitted, whatever other fields it has. */
export function contact(path: string): Kind {
  return {
    takes: (value) => {
      if (isAbsent(value) || value === false) return true;
      if (typeof value !== 'object' || Array.isArray(value)) return false;
      return ['fullName', 'address'].every((name) => !(value as Record<string, string>)[name]?.trim()) || `${path}.address`;
    },
    tolerates: (value) => typeof value === 'boolean' || typeof value === 'object',
    edges: [
      ['a blank contact', '{"fullName":"","address":" ","state":"ZZ"}'],
      ['a name without a place', '{"fullName":"Ada Lovelace"}'],
    ],
  };
}

/** An optional map of string key–value pairs. A value that is not a string is rejected at its key, `x` in the test values. */
export function map(most: number, pathOfX: string): Kind {
  const of = (count: number, name: string) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, 'y'])));
  return {
    takes: (value) => {
      if (isAbsent(value)) return true;
      if (typeof value !== 'object' || Array.isArray(value)) return false;
      const entries = Object.entries(value as object);
      if (entries.length > most || entries.some(([name]) => name.length > 40)) return false;
      return entries.every(([, inner]) => typeof inner === 'string') || pathOfX;
    },
    edges: [
      [`${most} names`, of(most, '')],
      [`${most + 1} names`, of(most + 1, '')],
      ['a long name', of(1, 'x'.repeat(40))],
      ['a name and a text', '{"x":"y"}'],
    ],
  };
}
