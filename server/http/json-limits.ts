import { MAX_JSON_DEPTH } from '../../shared/wire/unsafe-json.ts';
import { ServiceError } from '../errors.ts';

/** A cart with the most items, discounts and shipping options has 4,000. Some clients send further fields, which are ignored. */
const MAX_JSON_VALUES = 20_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Limits JSON as it arrives, in one pass over its bytes, before anything is built from it. Commas and opening brackets are counted:
 * there are at least as many as values.
 *
 * @returns Inspects the next chunk. @throws ServiceError `invalid-request`
 */
export function jsonLimits(): (chunk: Buffer) => void {
  let depth = 0;
  let values = 0;
  let isInString = false;
  let isEscaped = false;
  return (chunk) => {
    for (let index = 0; index < chunk.length; index += 1) {
      const byte = chunk[index]!;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
        continue;
      }
      if (byte === QUOTE) isInString = true;
      else if (byte === COMMA) values += 1;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        values += 1;
        depth += 1;
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
      if (depth > MAX_JSON_DEPTH) {
        throw new ServiceError('invalid-request', `Expected at most ${MAX_JSON_DEPTH} levels of nesting, but received more`);
      }
      if (values > MAX_JSON_VALUES) {
        throw new ServiceError('invalid-request', `Expected at most ${MAX_JSON_VALUES} values, but received more`);
      }
    }
  };
}
