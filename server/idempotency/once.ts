import type { Database, Tx } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { type Clock, DAY_MS, type Instant, plusMs } from '../time.ts';
import {
  addAnswer,
  addKeyRow,
  addWrite,
  endLease,
  findKey,
  findWrite,
  type FoundKey,
  forgetRun,
  type KeyRow,
  lockKey,
  saveKeyRow,
} from './store.ts';

/** How long a response is stored: longer than any client retries. */
const RETENTION_MS = 3 * DAY_MS;

/**
 * How long a run excludes retries. Longer than requests take. A run that takes longer and was replaced fails at its next write, so
 * that nothing happens twice.
 */
const LEASE_MS = 30_000;

export interface KeyedRequest {
  merchantId: string;
  key: string;
  /** Of method, path and body. */
  fingerprint: string;
}

/** A response as it goes over the wire. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request that has to be carried out. */
export interface Run {
  /** The database it was started with, which remembers the result of every write for this request. */
  database: Database;
  /** Stores the response. @throws ServiceError `idempotency-key-in-use` - another run has taken over. */
  answered(answer: StoredAnswer): Promise<void>;
  /** Ends the lease without a response, so that a retry may run at once. */
  abandoned(): Promise<void>;
}

/**
 * Looks up an idempotency key: returns the stored response, or a run that carries the request out.
 *
 * Nothing is written before the run's first write. That write claims the key and stores its own result in one database transaction.
 * A run that takes over after a crash therefore knows which writes were committed, and repeats their results instead of their
 * effects. For that, a run must make the same writes in the same order, and the result of a write must be JSON and contain
 * everything the response is made of (decisions/0014).
 *
 * Every write after the first locks the row of the key, so that a run that was replaced cannot write beside the new one.
 *
 * @param clock - The machine's clock. A sandbox clock that a merchant moves must not expire keys or leases.
 * @throws ServiceError `idempotency-key-reused` - the key was used with another request; `idempotency-key-in-use` - the first
 *   request with it is still running.
 */
export async function once(database: Database, clock: Clock, request: KeyedRequest): Promise<StoredAnswer | Run> {
  const now = clock.now();
  const found = await findKey(database.query, { merchant_id: request.merchantId, key: request.key });
  const isLeased = found?.status === null && found.leased_until > now;
  if (!found || (found.expires_at <= now && !isLeased)) return startRun(database, clock, request, found, false);

  if (found.fingerprint !== request.fingerprint) {
    throw new ServiceError('idempotency-key-reused', 'This Idempotency-Key has been used with another method, path or body.');
  }
  if (found.status !== null) return answerIn(found);
  if (isLeased) throw inUse();
  return startRun(database, clock, request, found, true);
}

/**
 * @param found      - The key as it was looked up. A run that finds it changed since lost the race for it.
 * @param isTakeover - Whether an earlier run of the same request may have committed writes.
 */
function startRun(
  database: Database,
  clock: Clock,
  { merchantId, key, fingerprint }: KeyedRequest,
  found: FoundKey | undefined,
  isTakeover: boolean,
): Run {
  const name = { merchant_id: merchantId, key };
  const holder = newId();
  let leasedUntil: Instant | undefined;
  let writes = 0;

  /** Runs `work` in one database transaction as the holder of the key, and claims the key first if this run has not yet. */
  async function asHolder<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const now = clock.now();
    const until = leasedUntil ?? plusMs(now, LEASE_MS);
    const claimed: KeyRow = { ...name, fingerprint, holder, leased_until: until, expires_at: plusMs(now, RETENTION_MS) };
    const result = await database.write(async (tx) => {
      if (leasedUntil === undefined) await claim(tx, claimed);
      return work(tx);
    });
    leasedUntil = until;
    return result;
  }

  async function claim(tx: Tx, claimed: KeyRow): Promise<void> {
    if (!found) {
      if (!(await addKeyRow(tx, claimed))) throw inUse();
      return;
    }
    await lockKey(tx, name);
    const current = await findKey(tx, name);
    if (current?.holder !== found.holder || current.status !== found.status) throw inUse();
    await saveKeyRow(tx, claimed);
    if (!isTakeover) await forgetRun(tx, name);
  }

  /** @throws ServiceError `idempotency-key-in-use` - this run took so long that another one has taken over. */
  async function requireHeld(tx: Tx): Promise<void> {
    if ((await lockKey(tx, name)) !== holder) throw inUse();
  }

  return {
    database: {
      ...database,
      write: <T>(work: (tx: Tx) => Promise<T>) => {
        const ordinal = writes++;
        return asHolder(async (tx) => {
          if (ordinal > 0) await requireHeld(tx);
          const earlier = isTakeover ? await findWrite(tx, name, ordinal) : undefined;
          if (earlier) return (earlier.result_json === null ? undefined : JSON.parse(earlier.result_json)) as T;
          const result = await work(tx);
          await addWrite(tx, { ...name, ordinal, result_json: JSON.stringify(result) ?? null });
          return result;
        });
      },
    },

    answered: ({ status, headers, body }) =>
      asHolder(async (tx) => {
        if (leasedUntil !== undefined && leasedUntil <= clock.now()) await requireHeld(tx);
        if (isTakeover && (await findWrite(tx, name, writes))) {
          throw new Error('A run has made fewer writes than the earlier run of the same request');
        }
        if (!(await addAnswer(tx, { ...name, status, headers_json: JSON.stringify(headers), body }))) throw inUse();
      }),

    abandoned: async () => {
      if (leasedUntil !== undefined) await database.write((tx) => endLease(tx, name, holder));
    },
  };
}

function answerIn({ status, headers_json, body }: FoundKey): StoredAnswer {
  return { status: status!, headers: JSON.parse(headers_json!) as Record<string, string>, body: body! };
}

function inUse(): ServiceError {
  return new ServiceError('idempotency-key-in-use', 'A request with this Idempotency-Key is being processed; please retry.');
}
