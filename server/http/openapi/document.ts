import { Struct } from 'superstruct';
import { keysOf } from '../../../shared/objects.ts';
import { ErrorBody, PlatformError } from '../../../shared/wire/errors.ts';
import type { AnyStruct, JsonSchema } from '../../../shared/wire/annotations.ts';
import { APPLICATION_SCOPE, OAuthError } from '../../../shared/wire/token.ts';
import { type ApiVersion, type ErrorCode, ERRORS, PLATFORM_ERRORS, httpStatusOf } from '../../base/errors.ts';
import { CODELESS, oauthErrorOf, reasonOf } from '../errors.ts';
import type { Mode } from '../../base/mode.ts';
import {
  type ErrorStyle,
  type Operation,
  type Query,
  type RequestBody,
  type Resource,
  type SuccessResponse,
  tags,
} from './operation.ts';
import { type HeaderName, headers, type ParameterName, type ParameterObject, parameters } from './parameters.ts';
import { applications } from './resources/applications.ts';
import { asLowAs } from './resources/as-low-as.ts';
import { carts } from './resources/carts.ts';
import { describeWebhooks, events } from './resources/events.ts';
import { sandbox } from './resources/sandbox.ts';
import { service } from './resources/service.ts';
import { settlements } from './resources/settlements.ts';
import { storefront } from './resources/storefront.ts';
import { tokens } from './resources/tokens.ts';
import { transactions } from './resources/transactions.ts';
import { webhooks as webhookResource } from './resources/webhooks.ts';
import { type SchemaDescription, SchemaWriter } from './schema-of.ts';

/** Resources in the order of the documentation. */
const resources: readonly Resource[] = [
  carts,
  transactions,
  webhookResource,
  events,
  settlements,
  asLowAs,
  applications,
  tokens,
  sandbox,
  storefront,
  service,
];

export function operationsIn(mode: Mode): readonly Operation[] {
  const all = resources.flatMap(({ operations }) => operations);
  return mode === 'sandbox' ? all : all.filter(({ sandboxOnly }) => !sandboxOnly);
}

/** Structs that are components of the document. */
export const namedStructs: ReadonlyMap<AnyStruct, SchemaDescription> = new Map(resources.flatMap(({ schemas }) => schemas));

export interface DocumentOptions {
  mode: Mode;
  /** Public URL of the service, without a trailing slash. */
  publicUrl: string;
  /** The version of the package. */
  version: string;
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

/** Returns the OpenAPI 3.1 document of the API, with schemas derived from the structs that validate requests. */
export function openApiDocument({ mode, publicUrl, version }: DocumentOptions) {
  const operations = operationsIn(mode);
  const writer = new SchemaWriter(namedStructs);
  const paths: Record<string, { [Method in Operation['method']]?: OperationObject }> = {};
  for (const operation of operations) {
    (paths[operation.path] ??= {})[operation.method] = describeOperation(operation, writer);
  }
  const usedTags = new Set<string>(operations.map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fairterm',
      version,
      description: introductionTo(mode),
      contact: { name: 'Operator of this service', url: publicUrl },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: mode === 'sandbox' ? 'Sandbox: no real loans.' : 'Live.' }] as const,
    tags: Object.entries(tags).flatMap(([name, description]) => (usedTags.has(name) ? [{ name, description }] : [])),
    paths,
    webhooks: describeWebhooks(writer),
    components: {
      securitySchemes: {
        merchantKey: { type: 'http', scheme: 'basic', description: 'The API key is the user name, its secret the password.' },
        bearerAuthApplication: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'A token with the scope `r:application`: request one with a key pair, or ask the operator of the service for one.',
        },
        oauth2: {
          type: 'oauth2',
          description: 'The key pair as client id and client secret. The access token is the bearer token.',
          flows: {
            clientCredentials: {
              tokenUrl: `${publicUrl}/oauth/token`,
              scopes: { [APPLICATION_SCOPE]: 'List applications.' },
            },
          },
        },
      },
      schemas: Object.fromEntries(Object.entries(writer.components).sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters,
      headers,
    },
  };
}

/** Descriptions of the modes for users. */
export const modeDescriptions: Readonly<Record<Mode, string>> = {
  sandbox: 'This is a sandbox: no real loan is made, and no email or text reaches a customer. It has its own key pairs.',
  live: 'This service is live: a signed agreement is a loan.',
};

/** Rules of all operations, by their subjects. */
export const rules = {
  Errors:
    'Errors have the body `{"description","error":true,"type":"INTERNAL_ERROR","code"}`; no other response has a field `error`. Unknown paths return 404 with the code `unknown-path`. Unsupported methods return 405 with the code `method-not-allowed` and the header `allow`. Below `/api`, errors have the body `{"message","reason","domain","metadata"}`, and the reason is the code in upper case; below `/oauth` they follow RFC 6749. The service can also reject a request with 408 `request-timeout`, 417 `expectation-failed` or 431 `headers-too-large`.',
  Versions: `The header \`fairterm-version\`: ${parameters.fairtermVersion.description}`,
  Retries: 'To retry a POST or PUT request of a merchant safely, send it with an `idempotency-key`.',
} as const;

function introductionTo(mode: Mode): string {
  return [
    'Financing at checkout that a merchant, a platform or a lender can run themselves.',
    modeDescriptions[mode],
    'Amounts are integers in cents. Timestamps are RFC 3339 in UTC. Bodies are JSON. Unknown fields are ignored, except those that look like a misspelled amount of a cancel or refund. Null is equivalent to an absent field, except for the amount of a cancel or refund, where null is rejected.',
    'A merchant authenticates with HTTP Basic: the API key is the user name, its secret the password. Plain HTTP is accepted only on the same machine.',
    'A platform lists applications with a bearer token. Request one for a key pair with `authorizeService`, or ask the operator of the service for one: `fairterm token mint`.',
    ...Object.values(rules),
  ].join('\n\n');
}

export type OperationObject = ReturnType<typeof describeOperation>;

function describeOperation(operation: Operation, writer: SchemaWriter) {
  const { id, tag, summary, description, auth, query, request } = operation;
  // Pages send the idempotency key in the body, because browsers send a preflight request for the header.
  const takesKey = hasBody(operation) && auth === 'key-pair';
  const named: ParameterName[] = [
    ...(operation.parameters ?? []),
    ...(takesKey ? (['idempotencyKey'] as const) : []),
    ...(auth === 'key-pair' ? (['fairtermVersion'] as const) : []),
  ];
  const all = [
    ...named.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...(query ? queryParameters(query, writer) : []),
  ];
  const responses: Record<string, ResponseObject> = {};
  for (const [status, response] of Object.entries(operation.responses)) {
    responses[status] = describeResponse(response, operation, writer);
  }
  for (const [status, response] of describeErrors(operation, writer)) responses[status] = response;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: securityOf[auth],
    ...(all.length > 0 && { parameters: all }),
    ...(request && { requestBody: describeRequest(request, writer) }),
    responses,
  };
}

/** Each requirement has the scopes of its security scheme. One of them suffices. */
const securityOf: Readonly<Record<Operation['auth'], readonly Readonly<Record<string, readonly string[]>>[]>> = {
  'key-pair': [{ merchantKey: [] }],
  'bearer-token': [{ bearerAuthApplication: [] }, { oauth2: [APPLICATION_SCOPE] }],
  // The key pair may be in the body.
  'token-client': [{ merchantKey: [] }, {}],
  none: [],
};

function describeRequest({ body, contentType = 'application/json', isOptional, examples }: RequestBody, writer: SchemaWriter) {
  return { required: !isOptional, content: { [contentType]: { schema: writer.schemaOf(body, 'request'), examples } } };
}

function queryParameters({ struct, descriptions, example }: Query, writer: SchemaWriter): ParameterObject[] {
  return Object.entries<AnyStruct>(struct.schema).map(([name, field]) => {
    const schema = writer.schemaOf(field, 'request');
    return {
      name,
      in: 'query',
      description: descriptions[name] ?? '',
      schema,
      ...(schema.type === 'array' && { style: 'form', explode: true }),
      ...(example[name] !== undefined && { example: example[name] }),
    };
  });
}

export type ResponseObject = ReturnType<typeof describeResponse>;

function describeResponse(
  { description, body, headers: own = [], example, csv }: SuccessResponse,
  operation: Operation,
  writer: SchemaWriter,
) {
  return {
    description,
    headers: headersOf([...own, ...replayed(operation)]),
    ...(body && {
      content: {
        'application/json': { schema: bodySchema(body, writer), ...(example !== undefined && { example }) },
        ...(csv !== undefined && { 'text/csv': { schema: { type: 'string' }, example: csv } }),
      },
    }),
  };
}

function bodySchema(body: AnyStruct | { schema: JsonSchema }, writer: SchemaWriter): JsonSchema {
  return body instanceof Struct ? writer.schemaOf(body, 'response') : body.schema;
}

/** Format of the errors of an API. */
interface ErrorFormat {
  body: AnyStruct;
  /** Field of the body that contains the code. */
  field: string;
  /** Returns the value of that field; undefined if it is absent. */
  codeOf(code: ErrorCode, version: ApiVersion): string | undefined;
  /** Value of that field for an internal error. */
  internalErrorCode: string;
  /** Instruction for clients after an internal error. */
  internalErrorAction: string;
  /** Descriptions that differ from those of the merchant API. */
  descriptions?: Partial<Record<ErrorCode, string>>;
}

/** Of APIs without idempotency keys. */
const UNAVAILABLE = 'The database is unavailable; retry after `retry-after` seconds.';

const errorFormats: Readonly<Record<ErrorStyle, ErrorFormat>> = {
  merchant: {
    body: ErrorBody,
    field: 'code',
    codeOf: (code, version) => (version === 1 && CODELESS.has(code) ? undefined : code),
    internalErrorCode: 'fault',
    internalErrorAction: 'Retry with the same `idempotency-key`.',
  },
  platform: {
    body: PlatformError,
    field: 'reason',
    codeOf: (code) => reasonOf({ code }),
    internalErrorCode: 'FAULT',
    internalErrorAction: 'Retry the request.',
    descriptions: {
      'invalid-request': 'The body is not JSON, or a field of it is invalid; `message` has the path and the reason.',
      'database-unavailable': UNAVAILABLE,
    },
  },
  oauth: {
    body: OAuthError,
    field: 'error',
    codeOf: oauthErrorOf,
    internalErrorCode: 'server_error',
    internalErrorAction: 'Retry the request.',
    descriptions: {
      'invalid-request': 'The body is not a form, or a field of it is missing, repeated or invalid.',
      'body-too-large': 'The body is larger than 4 KiB.',
      'database-unavailable': UNAVAILABLE,
    },
  },
};

/** Describes the errors of an operation, by status. */
function describeErrors(operation: Operation, writer: SchemaWriter): [status: number, response: ResponseObject][] {
  const { auth, errorStyle = 'merchant' } = operation;
  const { body, field, codeOf, descriptions, internalErrorCode, internalErrorAction } = errorFormats[errorStyle];
  /** Several causes can have the same code. Errors without a code have a body without one. */
  const causes = new Map<number, Map<string | undefined, string[]>>();
  const add = (status: number, code: string | undefined, cause: string) => {
    const ofStatus = causes.get(status) ?? new Map<string | undefined, string[]>();
    causes.set(status, ofStatus.set(code, [...(ofStatus.get(code) ?? []), cause]));
  };
  for (const code of errorCodesOf(operation)) {
    const cause = descriptions?.[code] ?? ERRORS[code][1];
    const status = httpStatusOf(code);
    const status2 = httpStatusOf(code, 2);
    add(status, codeOf(code, 1), cause);
    if (auth === 'key-pair' && status2 !== status) add(status2, codeOf(code, 2), `With \`fairterm-version: 2\`: ${cause}`);
  }
  if (!operation.hasNoInternalError) {
    add(500, internalErrorCode, `An internal error of the service. ${internalErrorAction}`);
  }

  return [...causes].map(([status, ofStatus]): [number, ResponseObject] => {
    const codes = [...ofStatus.keys()].filter((code) => code !== undefined);
    const own: HeaderName[] = [
      ...(status === 401 && auth !== 'none' ? (['www-authenticate'] as const) : []),
      ...(status === 409 || status === 429 || status === 503 ? (['retry-after'] as const) : []),
    ];
    const schema: JsonSchema = {
      ...writer.schemaOf(body, 'response'),
      properties: { [field]: codes.length > 0 ? { enum: codes } : false },
      ...(codes.length === ofStatus.size && { required: [field] }),
    };
    const paragraphs = Array.from(ofStatus, ([code, texts]) =>
      [code === undefined ? [] : `\`${code}\`:`, texts].flat(2).join(' '),
    );
    const response = {
      description: paragraphs.join('\n\n'),
      headers: headersOf([...own, ...replayed(operation)]),
      content: { 'application/json': { schema } },
    };
    return [status, response];
  });
}

function errorCodesOf(operation: Operation): ReadonlySet<ErrorCode> {
  const { auth } = operation;
  const writes = hasBody(operation);
  const takesKeys = writes && (auth === 'key-pair' || auth === 'none');
  return new Set<ErrorCode>([
    'https-required',
    ...(auth === 'key-pair' || auth === 'token-client' ? (['unauthenticated'] as const) : []),
    ...(auth === 'bearer-token' ? keysOf(PLATFORM_ERRORS) : []),
    // A key pair also has a version, which may be unknown.
    ...(writes || auth === 'key-pair' ? (['invalid-request'] as const) : []),
    ...(takesKeys ? (['idempotency-key-in-use', 'idempotency-key-reused'] as const) : []),
    ...(writes && !operation.ignoresBody ? (['body-too-large', 'unsupported-encoding'] as const) : []),
    'rate-limited',
    ...(operation.hasNoInternalError ? [] : (['database-unavailable'] as const)),
    ...operation.errors,
  ]);
}

/** Returns true for methods with a body, which also take an idempotency key. A repeated DELETE has no further effect. */
function hasBody({ method }: Operation): boolean {
  return method === 'post' || method === 'put';
}

/** Returns the additional header of operations that store their response under an idempotency key. */
function replayed(operation: Operation): HeaderName[] {
  return hasBody(operation) && operation.auth !== 'token-client' ? ['idempotency-replayed'] : [];
}

function headersOf(names: readonly HeaderName[]) {
  return Object.fromEntries(['x-request-id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
