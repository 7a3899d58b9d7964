import { createHash } from 'node:crypto';
import type { Next } from 'koa';
import { is } from 'superstruct';
import { ErrorBody } from '../../../shared/wire/errors.ts';
import type { Database } from '../../db/database.ts';
import { type ErrorCode, isErrorCode, ServiceError, httpStatusOf } from '../../base/errors.ts';
import { once, type Run } from './once.ts';
import type { StoredResponse } from './store.ts';
import type { Clock } from '../../base/time.ts';
import type { Context, Middleware } from '../../http/context.ts';
import { merchantOf } from '../access/merchant-auth.ts';
import { isUnknownPath, isWrongMethod, merchantBody, serviceErrorOf } from '../../http/errors.ts';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** Transient errors. The same request may succeed later, so a retry must run again. */
const TRANSIENT = new Set<ErrorCode>([
  'changed-meanwhile',
  'card-unavailable',
  'database-unavailable',
  'idempotency-key-in-use',
  'rate-limited',
]);

/** Response headers that are stored with the status and body. All others are set anew for each response. */
const STORED_HEADERS = ['content-type', 'content-language'];

/**
 * Processes a POST or PUT with an `Idempotency-Key` once. Stores the first response, including errors, and returns it to repeated
 * requests. Without the header, nothing is looked up or written.
 *
 * Runs after authentication, because keys belong to merchants, and after the body parser. Does not store responses that depend
 * only on the path and method, or internal errors: a retry of those runs again.
 *
 * @throws ServiceError `invalid-request` - the key is malformed; `idempotency-key-reused`, `idempotency-key-in-use`
 */
export function idempotency(clock: Clock): Middleware {
  return (ctx, next) => {
    const key = keyOf(ctx);
    if (key === undefined) return next();
    return respondOnce(ctx, next, { database: databaseOf(ctx), clock, merchantId: merchantOf(ctx).id, key });
  };
}

/** Merchant and idempotency key of a request. */
export interface Once {
  database: Database;
  /** The system clock, not the sandbox's: see `once`. */
  clock: Clock;
  merchantId: string;
  key: string;
}

/**
 * Runs `next`, or returns the stored response of the same request. `next` must write through `databaseOf(ctx)`.
 *
 * @throws ServiceError `idempotency-key-reused`, `idempotency-key-in-use`
 */
export async function respondOnce(ctx: Context, next: Next, { database, clock, merchantId, key }: Once): Promise<void> {
  const found = await once(database, clock, { merchantId, key, fingerprint: fingerprintOf(ctx) });
  if ('status' in found) {
    ctx.set('idempotency-replayed', 'true');
    respondWith(ctx, found);
    return;
  }
  ctx.state.database = found.database;
  let response: StoredResponse | undefined;
  try {
    response = await runHandlers(ctx, next);
    if (response) await found.saveResponse(response);
  } catch (thrown) {
    await abandon(ctx, found);
    throw thrown;
  }
  if (response) respondWith(ctx, response);
}

/**
 * Returns the database for this request, which records the request with its writes, and with an idempotency key also their results. All
 * writes of a POST, PUT or DELETE must use it.
 */
export function databaseOf(ctx: Pick<Context, 'state'>): Database {
  return ctx.state.database!;
}

/** Returns the idempotency key of a POST or PUT. @throws ServiceError `invalid-request` - it is malformed. */
export function keyOf(ctx: Context): string | undefined {
  const isWrite = ctx.method === 'POST' || ctx.method === 'PUT';
  if (!isWrite || ctx.req.headers['idempotency-key'] === undefined) return undefined;
  const keys = ctx.req.headersDistinct['idempotency-key'] ?? [];
  if (keys.length === 1 && PRINTABLE.test(keys[0]!)) return keys[0];
  throw new ServiceError(
    'invalid-request',
    'Idempotency-Key: expected one of 1 to 255 printable ASCII characters, but received ' +
      (keys.length > 1 ? `${keys.length} of them` : `one of ${keys[0]?.length ?? 0}, or with others`),
  );
}

/** Compares the body byte for byte. Ignores a trailing slash of the path, as routes do. */
function fingerprintOf(ctx: Context): string {
  const rawBody = typeof ctx.request.rawBody === 'string' ? ctx.request.rawBody : '';
  return createHash('sha256')
    .update(`${ctx.method} ${ctx.path.replace(/(?<!\/)\/+$/, '')}?${ctx.querystring}\n${rawBody}`)
    .digest('hex');
}

/** Returns the response to store; undefined if no route matched. */
async function runHandlers(ctx: Context, next: () => Promise<unknown>): Promise<StoredResponse | undefined> {
  try {
    await next();
  } catch (thrown) {
    const error = serviceErrorOf(thrown);
    if (!error || TRANSIENT.has(error.code)) throw thrown;
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    return { status: httpStatusOf(error.code), headers, body: JSON.stringify(merchantBody(error)) };
  }
  if (isUnknownPath(ctx) || isWrongMethod(ctx)) return undefined;
  const headers = STORED_HEADERS.flatMap((name) => (ctx.response.get(name) ? [[name, ctx.response.get(name)]] : []));
  return {
    status: ctx.status,
    headers: Object.fromEntries(headers),
    body: ctx.body === null || ctx.body === undefined ? '' : textOf(ctx.body),
  };
}

/** Serializes as Koa does. */
function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** @throws ServiceError - the stored error, whose response then has the status of the version that this request asks for. */
function respondWith(ctx: Context, response: StoredResponse): void {
  const error = errorIn(response);
  if (error) throw error;
  const { status, headers, body } = response;
  ctx.set(headers);
  ctx.status = status;
  if (body !== '') ctx.body = body;
}

/** Returns the error of a stored response; undefined for a success. Only the error of an unknown transaction was stored without a code. */
function errorIn({ status, body }: StoredResponse): ServiceError | undefined {
  const stored: unknown = status < 400 ? undefined : JSON.parse(body);
  if (!is(stored, ErrorBody)) return undefined;
  const { code = 'transaction-not-found', description } = stored;
  return isErrorCode(code) ? new ServiceError(code, description) : undefined;
}

async function abandon(ctx: Context, run: Run): Promise<void> {
  // If this fails too, the lease expires.
  await run.release().catch((thrown: unknown) => ctx.app.emit('error', thrown, ctx));
}
