import { Struct } from 'superstruct';
import { ErrorBody } from '../../shared/wire/error.ts';
import { OAuthError } from '../../shared/wire/token.ts';
import type { AnyStruct, JsonSchema } from '../../shared/wire/notes.ts';
import { PlatformError } from '../../shared/wire/platform-error.ts';
import type { Refusal } from '../errors.ts';
import { BARE } from '../http/merchant-errors.ts';
import { oauthErrorOf } from '../http/oauth-errors.ts';
import { reasonOf } from '../http/platform-errors.ts';
import type { Json } from './document.ts';
import type { Answer, Operation, Wording } from './operations/operation.ts';
import type { HeaderName } from './parameters.ts';
import { meanings } from './refusals.ts';
import type { SchemaWriter } from './schema-of.ts';

/** What an operation answers when it does what it was asked to. */
export function describeAnswer(
  { description, body, type = 'application/json', headers: own = [], example }: Answer,
  operation: Operation,
  writer: SchemaWriter,
): Json {
  return {
    description,
    headers: headersOf([...own, ...replayed(operation)]),
    ...(body && {
      content: {
        [type]: { schema: bodySchema(body, writer), ...(example !== undefined && { example }) },
      },
    }),
  };
}

function bodySchema(body: AnyStruct | { schema: JsonSchema }, writer: SchemaWriter): JsonSchema {
  return body instanceof Struct ? writer.schemaOf(body, 'answered') : body.schema;
}

interface Words {
  body: AnyStruct;
  /** The field that says which refusal it is. */
  field: string;
  /** What that field says; undefined when it is not there. */
  wordFor(refusal: Refusal): string | undefined;
  /** What it says of a fault of ours, and what to do then. */
  fault: string;
  afterFault: string;
  /** What a refusal means here, where that is not what it means elsewhere. */
  own?: Partial<Record<Refusal, string>>;
}

const wordings: Readonly<Record<Wording, Words>> = {
  merchant: {
    body: ErrorBody,
    field: 'code',
    wordFor: (refusal) => (BARE.has(refusal) ? undefined : refusal),
    fault: 'fault',
    afterFault: 'Send the same again, with the same `idempotency-key`.',
  },
  platform: {
    body: PlatformError,
    field: 'reason',
    wordFor: (refusal) => reasonOf({ refusal }),
    fault: 'FAULT',
    afterFault: 'Send the same again.',
    own: { 'invalid-request': 'The body is no JSON, or a field of it cannot be used; `message` says where and why.' },
  },
  oauth: {
    body: OAuthError,
    field: 'error',
    wordFor: oauthErrorOf,
    fault: 'server_error',
    afterFault: 'Send the same again.',
    own: {
      'invalid-request': 'The body is no form, or a field of it is missing, comes twice or cannot be used.',
      'body-too-large': 'The body is larger than 4 KiB.',
    },
  },
};

/** What an operation answers with `status` to say no. */
export function describeRefusals(status: number, refusals: readonly Refusal[], operation: Operation, writer: SchemaWriter): Json {
  const { caller, wording = 'merchant' } = operation;
  const { body, field, wordFor, fault, afterFault, own: meant } = wordings[wording];
  /** By their word; more than one refusal may have the same. */
  const said = new Map<string | undefined, string[]>();
  const say = (word: string | undefined, meaning: string) => said.set(word, [...(said.get(word) ?? []), meaning]);
  for (const refusal of refusals) say(wordFor(refusal), meant?.[refusal] ?? meanings[refusal]);
  if (status === 500) say(fault, `Something went wrong on our side. ${afterFault}`);
  const codes = [...said.keys()].filter((word) => word !== undefined);
  const isAlwaysNamed = codes.length === said.size;
  const own: HeaderName[] = [
    ...(status === 401 && caller !== 'anyone' ? (['www-authenticate'] as const) : []),
    ...(status === 409 || status === 429 || status === 503 ? (['retry-after'] as const) : []),
  ];
  return {
    description: [...said].map(([word, means]) => (word ? `\`${word}\`: ` : '') + means.join(' ')).join('\n\n'),
    headers: headersOf([...own, ...replayed(operation)]),
    content: {
      'application/json': {
        schema: {
          ...writer.schemaOf(body, 'answered'),
          properties: { [field]: codes.length > 0 ? { enum: codes } : false },
          ...(isAlwaysNamed && { required: [field] }),
        },
      },
    },
  };
}

/** Calls that are not done twice. */
function replayed({ method, caller }: Operation): HeaderName[] {
  return method === 'get' || caller === 'client' ? [] : ['idempotency-replayed'];
}

function headersOf(names: readonly HeaderName[]): Json {
  return Object.fromEntries(['x-request-id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
