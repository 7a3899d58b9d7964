import { type Context, mask as maskSlowly, type Struct } from 'superstruct';
import type { AnyStruct } from './notes.ts';

/** What the value of no struct can be. */
const REFUSED = Symbol('refused');

/**
 * superstruct's `mask`, for a value that `JSON.parse` may have made, in a third of the time: nothing is written down of where in the
 * value it is. What is refused is given to superstruct, whose words are the caller's.
 *
 * @throws StructError
 */
export function mask<T, Schema>(value: unknown, struct: Struct<T, Schema>): T {
  const masked = masking(value, struct, { path: [], branch: [value], mask: true });
  return masked === REFUSED ? maskSlowly(value, struct) : (masked as T);
}

/** What superstruct's own walk comes to, part by part in the same order. */
function masking(given: unknown, struct: AnyStruct, context: Context): unknown {
  let value: unknown = struct.coercer(given, context);
  for (const _ of struct.validator(value, context)) return REFUSED;
  for (const [name, inner, of] of struct.entries(value, context)) {
    const masked = masking(inner, of as AnyStruct, context);
    if (masked === REFUSED) return REFUSED;
    // An entry without a name is another look at the same value.
    if (name === undefined) value = masked;
    else if (masked !== undefined || name in (value as object)) (value as Record<string, unknown>)[name as string] = masked;
  }
  for (const _ of struct.refiner(value, context)) return REFUSED;
  return value;
}
