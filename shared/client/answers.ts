import { is, mask, string, type Struct, StructError, type } from 'superstruct';
import { ErrorBody } from '../wire/error.ts';

/** The error body, also that of a newer service: with further fields, and other types than the one that is known. */
const RefusalBody = type({ ...ErrorBody.schema, type: string() });

/** What an answer of the service is, once it is read. */
export type Content =
  | { kind: 'refusal'; description: string; type: string; code: string | undefined }
  /** JSON; undefined when there was nothing. */
  | { kind: 'value'; value: unknown }
  | { kind: 'unreadable' };

export function contentOf(text: string): Content {
  if (text.trim() === '') return { kind: 'value', value: undefined };
  try {
    const value: unknown = JSON.parse(text);
    if (!is(value, RefusalBody)) return { kind: 'value', value };
    return { kind: 'refusal', description: value.description, type: value.type, code: value.code };
  } catch {
    // What a parser says quotes the text, and that may hold anything.
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
