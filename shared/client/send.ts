import type { Struct } from 'superstruct';
import { FairtermPlatformError } from './errors.ts';
import {
  basicAuthorization,
  createConnection,
  type FairtermOptions,
  type ReadOptions,
  redactingKeyPair,
  type ServiceOptions,
  type WriteOptions,
} from './options.ts';
import { parseMerchantError, parsePlatformError } from './outcomes.ts';
import { type Received, sendWithRetries } from './request.ts';
import type { Tokens } from './tokens.ts';

/** An operation of the merchant API. */
export interface Operation<T> {
  /** Name in messages, for example `carts.create`. */
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Segments of the path, unescaped. */
  path: readonly string[];
  /** Query string, escaped. */
  query?: string;
  body?: object;
  /** Struct of the response. Without it, the body of the response is ignored. */
  response?: Struct<T>;
}

export interface Send {
  <T>(operation: Operation<T>, options?: WriteOptions): Promise<T>;
  /** Returns the response with its `link` header. */
  received<T>(operation: Operation<T>, options?: WriteOptions): Promise<Received<T>>;
}

/** The version of the merchant API whose statuses distinguish rejections from internal errors. Earlier services ignore it. */
const VERSION = '2';

/** @throws TypeError | RangeError if an option is invalid. The message contains no secrets. */
export function createSend(options: FairtermOptions): Send {
  const connection = createConnection(options);
  const authorization = basicAuthorization(options);
  const redact = redactingKeyPair(options);

  const received: Send['received'] = async (operation, { signal, idempotencyKey } = {}) => {
    const { name, method, path, query, body, response } = operation;
    // Repeating a GET or a DELETE changes nothing, so only the other methods need a key.
    const key = method === 'GET' || method === 'DELETE' ? undefined : (idempotencyKey ?? connection.runtime.newIdempotencyKey());
    if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw new TypeError('idempotencyKey: expected 1 to 255 visible ASCII characters without spaces');
    }
    const headers: Record<string, string> = { authorization, accept: 'application/json', 'fairterm-version': VERSION };
    if (body) headers['content-type'] = 'application/json';
    if (key) headers['idempotency-key'] = key;
    const url = connection.baseUrl + pathOf(path) + (query ? `?${query}` : '');
    const http = { method, url, headers, body: body && toJson(body) };
    const request = { ...http, operation: name, response, parseError: parseMerchantError, idempotencyKey: key, signal };
    return sendWithRetries(request, connection, redact);
  };
  const send = async <T>(operation: Operation<T>, writeOptions?: WriteOptions): Promise<T> =>
    (await received(operation, writeOptions)).value;
  return Object.assign(send, { received });
}

/** An operation of the platform API, which only reads. `query` may be empty. */
type PlatformOperation<T> = Required<Pick<Operation<T>, 'name' | 'path' | 'query' | 'response'>>;

export type SendWithToken = <T>(operation: PlatformOperation<T>, options: ReadOptions) => Promise<T>;

/**
 * Sends with a bearer token. After a 401, retries once with a new token.
 *
 * @throws TypeError | RangeError if an option is invalid.
 */
export function createSendWithToken(options: ServiceOptions, tokens: Tokens): SendWithToken {
  const connection = createConnection(options);

  return async ({ name, path, query, response }, { signal }) => {
    const url = connection.baseUrl + pathOf(path) + (query && `?${query}`);
    const sendWith = async (token: string) => {
      const http = { method: 'GET', url, headers: { authorization: `Bearer ${token}`, accept: 'application/json' } };
      const request = { ...http, operation: name, response, parseError: parsePlatformError, signal };
      const { value } = await sendWithRetries(request, connection, tokens.redact);
      return value;
    };
    const token = await tokens.current(signal);
    try {
      return await sendWith(token);
    } catch (error) {
      if (!(error instanceof FairtermPlatformError && error.status === 401)) throw error;
      const next = await tokens.replace(token, signal);
      // There is no other token.
      if (next === token) throw error;
      return sendWith(next);
    }
  };
}

/**
 * Joins and escapes the segments of a path.
 *
 * @throws TypeError if a segment is empty, `.` or `..`. An id may come from a buyer's browser, and `..` would change the path.
 */
export function pathOf(segments: readonly string[]): string {
  for (const segment of segments) {
    if (typeof segment !== 'string' || /^\.{0,2}$/.test(segment)) {
      throw new TypeError('id: expected a string other than "", "." and ".."');
    }
  }
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

/**
 * Returns the query string. Lists become repeated parameters.
 *
 * @throws TypeError if a value is empty. A filter that was computed as empty would otherwise match everything.
 */
export function queryOf(parameters: Readonly<Record<string, QueryValue>>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => {
    const values = [value].flat();
    const isEmpty = values.length === 0 || values.some((item) => item === undefined || item === null || item === '');
    if (isEmpty) throw new TypeError(`${name}: expected a value, but received an empty one; omit it to match everything`);
    return values.map((item) => [name, String(item)]);
  });
  return new URLSearchParams(pairs).toString();
}

/** @throws TypeError if a number is not finite. JSON would contain null, which the service treats as an omitted field. */
function toJson(body: object): string {
  return JSON.stringify(body, (field, value: unknown) => {
    if (typeof value !== 'number' || Number.isFinite(value)) return value;
    throw new TypeError(`${field}: expected a number, but received ${value}`);
  });
}
