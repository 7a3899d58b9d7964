import { mask, type Struct, StructError } from 'superstruct';

/** What an answer is, once it is read. */
export type Content =
  /** JSON; undefined when there was nothing. */
  { kind: 'value'; value: unknown } | { kind: 'unreadable' };

export function contentOf(text: string): Content {
  if (text.trim() === '') return { kind: 'value', value: undefined };
  try {
    return { kind: 'value', value: JSON.parse(text) };
  } catch {
    // The parser's message quotes the text, which may contain secrets.
    return { kind: 'unreadable' };
  }
}

/**
 * What a caller gets of `value`: the fields of `struct`. Others, of a newer service, are dropped.
 *
 * @returns Where it is not what it has to be, as a path, in `at`; the value itself may be somebody's address.
 */
export function checked<T>(value: unknown, struct: Struct<T>): { value: T } | { at: string } {
  try {
    return { value: mask(value, struct) };
  } catch (error) {
    if (!(error instanceof StructError)) throw error;
    return { at: error.path.join('.') || 'the whole of it' };
  }
}
