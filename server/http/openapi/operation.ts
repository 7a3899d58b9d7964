import { keysOf } from '../../../shared/objects.ts';
import { Struct } from 'superstruct';
import type { AnyStruct, JsonSchema } from '../../../shared/wire/annotations.ts';
import { type ErrorCode, isErrorCode } from '../../base/errors.ts';
import { type HeaderName, type ParameterName, parameters as allParameters } from './parameters.ts';
import type { SchemaDescription } from './schema-of.ts';

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/** An operation of the API. `document.ts` and `parameters.ts` describe what operations have in common. */
export interface Operation {
  id: string;
  method: (typeof METHODS)[number];
  /** With its parameters in braces: `/carts/{cartId}`. */
  path: string;
  tag: TagName;
  /** A few words in the imperative: `Create a cart`. */
  summary: string;
  /** Full sentences in Markdown. */
  description: string;
  /** Required credentials. `token-client`: a key pair in the form of OAuth 2 client credentials. */
  auth: 'key-pair' | 'bearer-token' | 'token-client' | 'none';
  /** Format of errors; defaults to that of the merchant API. */
  errorStyle?: ErrorStyle;
  /** True if the operation exists only in the sandbox. */
  sandboxOnly?: true;
  /** True if the operation has no 500 response, because it does no I/O. */
  hasNoInternalError?: true;
  /** True if a body is ignored: some clients send `[]` to operations without a body. */
  ignoresBody?: true;
  parameters?: readonly ParameterName[];
  /** Query parameters with the struct that validates them. */
  query?: Query;
  request?: RequestBody;
  /** Responses other than errors, by status. */
  responses: Readonly<Record<number, SuccessResponse>>;
  /** Errors of this operation, in addition to those that `document.ts` derives. */
  errors: readonly ErrorCode[];
}

/** The operations and schemas of one resource. */
export interface Resource {
  operations: readonly Operation[];
  schemas: readonly NamedSchema[];
}

/** An operation in the table of its resource. */
type ResourceOperation = Omit<Operation, 'id' | 'method' | 'path' | 'tag' | 'auth' | 'errors' | 'responses'> & {
  /** Method and path: `POST /carts/{cartId}/expire`. Names in braces are parameters; that of an unknown cart is `cart-not-found`. */
  call: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  /** Defaults to that of the resource. */
  auth?: Operation['auth'];
  errors?: Operation['errors'];
  /** The response with status 200. */
  returns?: SuccessResponse;
  /** Responses with other statuses. */
  responses?: Operation['responses'];
};

/** Describes a resource. @param operations - Operations by their ids. */
export function createResource(
  tag: TagName,
  auth: Operation['auth'],
  schemas: readonly NamedSchema[],
  operations: Readonly<Record<string, ResourceOperation>>,
): Resource {
  return {
    schemas,
    operations: Object.entries(operations).map(([id, { call, returns, ...operation }]) => {
      const method = METHODS.find((name) => call.startsWith(name.toUpperCase()))!;
      const path = call.slice(method.length + 1);
      const inPath = keysOf(allParameters).filter((name) => path.includes(`{${name}}`));
      const notFound = inPath.map((name) => name.replace(/Id$/, '-not-found')).filter(isErrorCode);
      return {
        id,
        method,
        path,
        tag,
        auth,
        ...operation,
        parameters: [...inPath, ...(operation.parameters ?? [])],
        errors: [...notFound, ...(operation.errors ?? [])],
        responses: { ...(returns && { 200: returns }), ...operation.responses },
      };
    }),
  };
}

/** Describes the responses to a request that may be conditional. @param others - Headers besides those of the cache. */
export function cacheable(
  response: Omit<SuccessResponse, 'headers'>,
  others: readonly HeaderName[] = [],
): Operation['responses'] {
  const headers = ['etag', 'cache-control', ...others] as const;
  return { 200: { ...response, headers }, 304: { description: 'Not modified.', headers } };
}

export type ErrorStyle = 'merchant' | 'platform' | 'oauth';

export interface Query {
  /** An object with a field for each parameter. */
  struct: AnyStruct;
  /** Description of each parameter, by name. */
  descriptions: Readonly<Record<string, string>>;
  /** Example values by parameter. */
  example: Readonly<Record<string, string | number | boolean>>;
}

export interface RequestBody {
  body: AnyStruct;
  /** Defaults to `application/json`. */
  contentType?: 'application/json' | 'application/x-www-form-urlencoded';
  /** True if the body may be omitted. */
  isOptional?: true;
  examples: Readonly<Record<string, { summary: string; value: unknown }>>;
}

export interface SuccessResponse {
  description: string;
  /** Omitted for a response without a body. */
  body?: AnyStruct | { schema: JsonSchema };
  headers?: readonly HeaderName[];
  example?: unknown;
  /** The same response with `Accept: text/csv`, as an example. */
  csv?: string;
}

export const tags = {
  Carts: 'A cart has the items or the total that a buyer pays, and a link to the checkout.',
  Transactions: 'A transaction is a completed checkout. Authorize it, and settle it when the order is fulfilled.',
  Webhooks: 'URLs of your servers that receive events.',
  Events: 'Changes of your carts, applications and transactions, listed for 30 days.',
  Settlements: 'A settlement is what you are paid for the purchases of a day, with a line for each settlement and refund.',
  'As low as': 'The lowest monthly payment for an amount, with the disclosure that the law requires.',
  Applications: 'The platform API, version 2.0.0: platforms list applications across their merchants with a bearer token.',
  Tokens:
    'Merchants exchange a key pair for a token that is valid for an hour. Platforms verify tokens with the keys at `/.well-known/jwks.json`.',
  Sandbox: 'Operations for automated tests of your integration. Not available in a live service.',
  Storefront: 'Requests from shop pages, which use the public API key.',
  Service: 'Health and description of the service.',
} as const;
export type TagName = keyof typeof tags;

/** A struct with its name and description in the document. */
export type NamedSchema = readonly [AnyStruct, SchemaDescription];

/** The descriptions of the fields of an object; of any other struct, none. */
type FieldTexts<S> =
  S extends Struct<infer Fields, infer _Schema extends Readonly<Record<string, AnyStruct>>>
    ? [fields: { [Field in keyof Fields]-?: string }]
    : [];

/**
 * Returns a function that describes structs, each with its name in the document, and for an object each of its fields.
 *
 * @param structs - Structs by their names, such as a module of `shared/wire/`.
 */
export function describing<Structs extends object>(structs: Structs) {
  const byName = new Map<string, unknown>(Object.entries(structs));
  /** @param name - The name, or the names of the schemas of requests and of responses, if the second allows fewer values. */
  return <Name extends keyof Structs & string>(
    name: Name | readonly [request: Name, response: string],
    summary: string,
    ...[fields = {}]: FieldTexts<Structs[Name]>
  ): NamedSchema => {
    const [request, response] = typeof name === 'string' ? [name, name] : name;
    const struct = byName.get(request);
    if (!(struct instanceof Struct)) throw new Error(`Expected ${request} to be the name of a struct`);
    return [struct, { name: { request, response }, summary, fields }];
  };
}
