import { createHash } from 'node:crypto';
import type { Context, Middleware, Next } from 'koa';
import type { Database } from '../db/database.ts';
import { type Refusal, ServiceError } from '../errors.ts';
import { once, type Run, type StoredAnswer } from '../idempotency/once.ts';
import type { Clock } from '../time.ts';
import { merchantOf } from './merchant-auth.ts';
import { isUnknownPath, isWrongMethod, refusalAnswer, refusalIn } from './merchant-errors.ts';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** Refusals of this moment: the same request may well succeed in the next, so that a retry must run. */
const TRANSIENT = new Set<Refusal>(['changed-meanwhile', 'card-unavailable', 'idempotency-key-in-use']);

/** What of an answer is kept beside its status and body. Everything else is each answer's own. */
const KEPT_HEADERS = ['content-type', 'content-language'];

/**
 * Answers a POST or PUT with an `Idempotency-Key` once: the first answer is kept, refusals included, and given again to the
 * same request, while its effect happens once. Without the header nothing is looked up and nothing is written.
 *
 * Stands below authentication, since keys belong to merchants, and below the reading of the body. What is told by the path and
 * the method alone is not kept, nor is a fault of ours: the retry of one runs.
 *
 * @throws ServiceError `invalid-request` - it is no key; `idempotency-key-reused`, `idempotency-key-in-use`
 */
export function idempotency(database: Database, clock: Clock): Middleware {
  return (ctx, next) => {
    ctx.state['database'] = database;
    const key = keyOf(ctx);
    return key === undefined ? next() : answerOnce(ctx, next, { database, clock, merchantId: merchantOf(ctx).id, key });
  };
}

/** Whose request is to be answered once, and what it is known by. */
export interface Once {
  database: Database;
  /** The machine's, not the sandbox's: see `once`. */
  clock: Clock;
  merchantId: string;
  key: string;
}

/**
 * Answers by `next`, or as the same request was answered before. What `next` writes, it writes by `databaseOf(ctx)`.
 *
 * @throws ServiceError `idempotency-key-reused`, `idempotency-key-in-use`
 */
export async function answerOnce(ctx: Context, next: Next, { database, clock, merchantId, key }: Once): Promise<void> {
  const found = await once(database, clock, { merchantId, key, fingerprint: fingerprintOf(ctx) });
  if ('status' in found) {
    ctx.set('idempotency-replayed', 'true');
    send(ctx, found);
    return;
  }
  ctx.state['database'] = found.database;
  try {
    const answer = await answerOf(ctx, next);
    if (!answer) return;
    await found.answered(answer);
    send(ctx, answer);
  } catch (thrown) {
    await abandon(ctx, found);
    throw thrown;
  }
}

/**
 * The database for the answer to this request. What a merchant's POST or PUT writes, it writes through this one: with a key,
 * it remembers every write. Passed by hand and not by asynchronous context, so that a verb's arguments tell all it works on.
 */
export function databaseOf(ctx: Pick<Context, 'state'>): Database {
  return ctx.state['database'] as Database;
}

function keyOf(ctx: Context): string | undefined {
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

/** The body counts as it was sent, byte for byte. A slash at the end of the path makes no difference to a route, nor here. */
function fingerprintOf(ctx: Context): string {
  const { rawBody = '' } = ctx.request as { rawBody?: string };
  return createHash('sha256')
    .update(`${ctx.method} ${ctx.path.replace(/(?<!\/)\/+$/, '')}?${ctx.querystring}\n${rawBody}`)
    .digest('hex');
}

/** The answer to keep; undefined when no route took the request. */
async function answerOf(ctx: Context, next: () => Promise<unknown>): Promise<StoredAnswer | undefined> {
  try {
    await next();
  } catch (thrown) {
    const refusal = refusalIn(thrown);
    if (!refusal || TRANSIENT.has(refusal.refusal)) throw thrown;
    const { status, body } = refusalAnswer(refusal);
    return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: JSON.stringify(body) };
  }
  if (isUnknownPath(ctx) || isWrongMethod(ctx)) return undefined;
  const kept = KEPT_HEADERS.flatMap((name) => (ctx.response.get(name) ? [[name, ctx.response.get(name)]] : []));
  return {
    status: ctx.status,
    headers: Object.fromEntries(kept),
    body: ctx.body === null || ctx.body === undefined ? '' : textOf(ctx.body),
  };
}

/** As Koa would write it. */
function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function send(ctx: Context, { status, headers, body }: StoredAnswer): void {
  ctx.set(headers);
  ctx.status = status;
  if (body !== '') ctx.body = body;
}

async function abandon(ctx: Context, run: Run): Promise<void> {
  // When even this fails, the lease runs out by itself.
  await run.abandoned().catch((thrown: unknown) => ctx.app.emit('error', thrown, ctx));
}
