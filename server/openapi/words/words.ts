import type { Struct } from 'superstruct';
import type { AnyStruct } from '../../../shared/wire/notes.ts';
import type { Named } from '../schema-of.ts';

/** A struct with its name in the document and what is said of it. */
export type Worded = readonly [AnyStruct, Named];

/**
 * What is said of an object and of each of its fields: all of them, and no others.
 *
 * @param answeredName - Its name where it is answered, when an answer holds less than what may be sent.
 */
export function object<Fields extends object, Schema>(
  struct: Struct<Fields, Schema>,
  name: string,
  summary: string,
  fields: { [Field in keyof Fields]-?: string },
  answeredName = name,
): Worded {
  return [struct, { name: { sent: name, answered: answeredName }, summary, fields }];
}

/** What is said of one of several values, or objects. */
export function value(struct: AnyStruct, name: string, summary: string): Worded {
  return [struct, { name: { sent: name, answered: name }, summary, fields: {} }];
}
