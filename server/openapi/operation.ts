import type { Struct } from 'superstruct';
import type { AnyStruct, JsonSchema } from '../../shared/wire/annotations.ts';
import type { ErrorCode } from '../errors.ts';
import type { HeaderName, ParameterName } from './parameters.ts';
import type { Named } from './schema-of.ts';

/** An operation of the API. `refusals.ts` and `parameters.ts` describe what operations have in common. */
export interface Operation {
  id: string;
  method: 'get' | 'post' | 'put';
  /** With its parameters in braces: `/carts/{cartId}`. */
  path: string;
  tag: TagName;
  /** A few words. */
  summary: string;
  /** Whole sentences. */
  description?: string;
  /** Required credentials: a merchant's key pair, a platform's bearer token, a client's key pair to obtain a token, or none. */
  caller: 'merchant' | 'platform' | 'client' | 'anyone';
  /** Format of errors; defaults to that of the merchant API. */
  wording?: Wording;
  /** Whether it exists only in the sandbox. */
  sandboxOnly?: true;
  /** Whether it needs nothing that can fail. */
  standsAlone?: true;
  /** Whether a body is not even read: some clients send `[]` where none is asked for. */
  ignoresBody?: true;
  parameters?: readonly ParameterName[];
  /** What may be asked for in the address, by the struct that reads it. */
  query?: Query;
  request?: Request;
  /** Every answer but refusals, by its status. */
  answers: Readonly<Record<number, Answer>>;
  /** Those of its own. */
  refusals: readonly ErrorCode[];
}

/** The operations and schemas of one resource. */
export interface Resource {
  operations: readonly Operation[];
  schemas: readonly NamedSchema[];
}

export type Wording = 'merchant' | 'platform' | 'oauth';

export interface Query {
  /** An object. */
  struct: AnyStruct;
  /** What is said of each of its fields. */
  words: Readonly<Record<string, string>>;
  /** The values of an example. */
  example: Readonly<Record<string, string | number | boolean>>;
}

export interface Request {
  body: AnyStruct;
  /** JSON when left out. */
  type?: 'application/json' | 'application/x-www-form-urlencoded';
  /** Whether the call may come without it. */
  isOptional?: true;
  examples: Readonly<Record<string, Example>>;
}

export interface Answer {
  description: string;
  /** None for an answer without a body. */
  body?: AnyStruct | { schema: JsonSchema };
  /** What the body is; JSON when left out. */
  type?: 'application/json' | 'text/html';
  headers?: readonly HeaderName[];
  example?: unknown;
}

export interface Example {
  summary: string;
  value: unknown;
}

export const tags = {
  Carts: 'A cart makes a checkout link for a buyer.',
  Transactions: 'A transaction is a successful checkout: read it, authorize it, settle it when the order is fulfilled.',
  'As low as': 'The lowest monthly price of an amount, with the disclosure the law wants beside it.',
  Applications: 'Platforms list applications across their merchants with a bearer token.',
  Tokens: 'Merchants exchange a key pair for a token that is valid for an hour. Verify tokens with the published keys.',
  Sandbox: 'For your automated tests. Not available in a live service.',
  Service: 'For pages and for operators of the service.',
} as const;
export type TagName = keyof typeof tags;

/** A struct with its name in the document and what is said of it. */
export type NamedSchema = readonly [AnyStruct, Named];

/**
 * What is said of an object and of each of its fields: all of them, and no others.
 *
 * @param answeredName - Its name where it is answered, when an answer holds less than what may be sent.
 */
export function objectSchema<Fields extends object, Schema>(
  struct: Struct<Fields, Schema>,
  name: string,
  summary: string,
  fields: { [Field in keyof Fields]-?: string },
  answeredName = name,
): NamedSchema {
  return [struct, { name: { sent: name, answered: answeredName }, summary, fields }];
}

/** What is said of one of several values, or objects. */
export function valueSchema(struct: AnyStruct, name: string, summary: string): NamedSchema {
  return [struct, { name: { sent: name, answered: name }, summary, fields: {} }];
}
