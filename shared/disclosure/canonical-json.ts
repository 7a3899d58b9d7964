/**
 * Serializes a value to canonical JSON, independent of the order of its members. Used for hashing.
 *
 * Members are sorted by the UTF-16 code units of their names, numbers and strings are written as in ECMAScript, and there is no
 * white space. Members with the value undefined are omitted.
 *
 * @throws RangeError if a part of the value cannot be represented in JSON: a number that is not finite, a function, a bigint, a
 *   symbol, undefined in an array, a lone surrogate, or an object that is not a plain object.
 * @see RFC 8785, JSON Canonicalization Scheme.
 *
 * @example
 * canonicalJson({ b: 1e2, a: ['€', null] }) // '{"a":["€",null],"b":100}'
 */
export function canonicalJson(value: unknown): string {
  return serialize(value, '$');
}

/** @param path - Path of the value in the error message: `$.payments[0].dueOn`. */
function serialize(value: unknown, path: string): string {
  if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) {
    return JSON.stringify(value);
  }
  if (typeof value === 'string' && !LONE_SURROGATE.test(value)) return JSON.stringify(value);
  // `map` would skip the holes of a sparse array.
  if (Array.isArray(value)) return `[${Array.from(value, (item, index) => serialize(item, `${path}[${index}]`)).join(',')}]`;
  if (isPlainObject(value)) {
    const members = Object.keys(value)
      .filter((name) => value[name] !== undefined)
      .sort()
      .map((name) => `${serialize(name, path)}:${serialize(value[name], `${path}.${name}`)}`);
    return `{${members.join(',')}}`;
  }
  throw new RangeError(`${path}: expected a JSON value, but received ${describe(value)}`);
}

function describe(value: unknown): string {
  if (typeof value === 'number') return `${value}`;
  return typeof value === 'string' ? 'a lone surrogate' : typeof value;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
