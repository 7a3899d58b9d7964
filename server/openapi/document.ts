import { Struct } from 'superstruct';
import { ErrorBody } from '../../shared/wire/error.ts';
import type { AnyStruct, JsonSchema } from '../../shared/wire/notes.ts';
import type { Refusal } from '../errors.ts';
import type { Mode } from '../mode.ts';
import { BARE } from '../http/merchant-errors.ts';
import { namedStructs } from './components.ts';
import { about } from './about.ts';
import { type Answer, type Operation, tags } from './operations/operation.ts';
import { operationsIn } from './operations/operations.ts';
import { type HeaderName, headers, type ParameterName, parameters } from './parameters.ts';
import { meanings, refusalsOf } from './refusals.ts';
import { SchemaWriter } from './schema-of.ts';
import { webhooks } from './webhooks.ts';

/** What the document says of the service it belongs to. */
export interface DocumentOptions {
  mode: Mode;
  /** Where the service is reached, without a slash at the end. */
  publicUrl: string;
  /** That of the package. */
  version: string;
}

// oxlint-disable-next-line typescript/no-explicit-any -- JSON, whose shape OpenAPI's own description checks in a test
export type Json = any;

/** The merchant API as an OpenAPI 3.1 document, written from the structs that validate it. */
export function openApiDocument({ mode, publicUrl, version }: DocumentOptions): Json {
  const operations = operationsIn(mode);
  const writer = new SchemaWriter(namedStructs);
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = describeOperation(operation, writer);
  }
  const usedTags = new Set(operations.map(({ tag }) => tag));
  const hooks = webhooks(writer);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fairterm',
      version,
      description: about(mode),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: mode === 'sandbox' ? 'Sandbox: no real loans.' : 'Live.' }],
    tags: Object.entries(tags).flatMap(([name, description]) => (usedTags.has(name as never) ? [{ name, description }] : [])),
    paths,
    webhooks: hooks,
    components: {
      securitySchemes: {
        merchantKey: { type: 'http', scheme: 'basic', description: 'The API key is the user name, its secret the password.' },
      },
      schemas: Object.fromEntries(Object.entries(writer.components).sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters: used(parameters, paths, 'parameters'),
      headers: used(headers, paths, 'headers'),
    },
  };
}

function describeOperation(operation: Operation, writer: SchemaWriter): Json {
  const { id, method, tag, summary, description, caller, request, answers } = operation;
  // A page says its key in the body: another header is one that browsers ask about first.
  const takesKey = method !== 'get' && caller === 'merchant';
  const named: ParameterName[] = [...(operation.parameters ?? []), ...(takesKey ? (['idempotencyKey'] as const) : [])];
  const responses: Record<number, Json> = {};
  for (const [status, answer] of Object.entries(answers)) responses[Number(status)] = describeAnswer(answer, operation, writer);
  for (const [status, refusals] of refusalsOf(operation))
    responses[status] = describeRefusals(status, refusals, operation, writer);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: caller === 'merchant' ? [{ merchantKey: [] }] : [],
    ...(named.length > 0 && { parameters: named.map((name) => ({ $ref: `#/components/parameters/${name}` })) }),
    ...(request && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: writer.schemaOf(request.body, 'sent'), examples: request.examples } },
      },
    }),
    responses,
  };
}

function describeAnswer(
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

const FAULT = '`fault`: Something went wrong on our side. Send the same again, with the same `idempotency-key`.';

function describeRefusals(status: number, refusals: readonly Refusal[], operation: Operation, writer: SchemaWriter): Json {
  const codes: string[] = refusals.filter((refusal) => !BARE.has(refusal));
  const isCoded = codes.length === refusals.length;
  if (status === 500) codes.push('fault');
  const own: HeaderName[] = [
    ...(status === 401 && operation.caller === 'merchant' ? (['www-authenticate'] as const) : []),
    ...(status === 409 || status === 429 ? (['retry-after'] as const) : []),
  ];
  const said = refusals.map((refusal) => (BARE.has(refusal) ? meanings[refusal] : `\`${refusal}\`: ${meanings[refusal]}`));
  return {
    description: [...said, ...(status === 500 ? [FAULT] : [])].join('\n\n'),
    headers: headersOf([...own, ...replayed(operation)]),
    content: {
      'application/json': {
        schema: {
          ...writer.schemaOf(ErrorBody, 'answered'),
          properties: { code: codes.length > 0 ? { enum: codes } : false },
          ...(isCoded && { required: ['code'] }),
        },
      },
    },
  };
}

function replayed({ method }: Operation): HeaderName[] {
  return method === 'get' ? [] : ['idempotency-replayed'];
}

function headersOf(names: readonly HeaderName[]): Json {
  return Object.fromEntries(['x-request-id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The components that something refers to. */
function used(all: Record<string, Json>, paths: Json, kind: string): Json {
  const text = JSON.stringify(paths);
  return Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)));
}
