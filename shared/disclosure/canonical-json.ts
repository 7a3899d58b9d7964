/**
 * The one JSON text of a value, whatever order its members were written in: what a hash is taken of.
 *
 * Members are sorted by the UTF-16 code units of their names, numbers and strings are written as ECMAScript does, and nothing
 * stands between them. A member that is undefined is left out.
 *
 * @throws RangeError - a part of it is no JSON: a number that is not finite, a function, a bigint, a symbol, undefined in a list,
 *   half of a surrogate pair, or an object that is no plain one.
 * @see RFC 8785, JSON Canonicalization Scheme.
 *
 * @example
 * canonicalJson({ b: 1e2, a: ['€', null] }) // '{"a":["€",null],"b":100}'
 */
export function canonicalJson(value: unknown): string {
  return written(value, '$');
}

/** @param path - Where the value stands, for the message when it is no JSON: `$.payments[0].dueOn`. */
function written(value: unknown, path: string): string {
  if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) {
    return JSON.stringify(value);
  }
  if (typeof value === 'string' && !LONE_SURROGATE.test(value)) return JSON.stringify(value);
  // Not `map`, which passes over the holes of a list.
  if (Array.isArray(value)) return `[${Array.from(value, (item, index) => written(item, `${path}[${index}]`)).join(',')}]`;
  if (isPlainObject(value)) {
    const members = Object.keys(value)
      .filter((name) => value[name] !== undefined)
      .sort()
      .map((name) => `${written(name, path)}:${written(value[name], `${path}.${name}`)}`);
    return `{${members.join(',')}}`;
  }
  throw new RangeError(`${path}: expected what JSON can say, but received ${nameOf(value)}`);
}

function nameOf(value: unknown): string {
  if (typeof value === 'number') return `${value}`;
  return typeof value === 'string' ? 'half of a surrogate pair' : typeof value;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
