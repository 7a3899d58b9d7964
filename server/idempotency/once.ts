import type { Database, Tx } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { type Clock, DAY_MS, type Instant, plusMs, systemClock } from '../time.ts';
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
  saveKeyRow,
} from './store.ts';

/** How long an answer is kept: longer than any client goes on trying. */
const KEPT_MS = 3 * DAY_MS;

/**
 * For how long a run is left alone before a retry may take over. Longer than requests take; one that takes longer still loses
 * its key with its next write, so that nothing is done twice.
 */
const LEASE_MS = 30_000;

export interface KeyedRequest {
  merchantId: string;
  key: string;
  /** Of method, path and body. */
  fingerprint: string;
}

/** An answer as it goes over the wire. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request that is to be answered here. */
export interface Run {
  /** Like the database it was made of, and remembers for the request what every write came to. */
  database: Database;
  /** Keeps the answer. @throws ServiceError `idempotency-key-in-use` - another run has taken over. */
  answered(answer: StoredAnswer): Promise<void>;
  /** Lets a retry run at once: there is no answer to keep. */
  abandoned(): Promise<void>;
}

/**
 * Looks a key up: either there is an answer already, or the request is to be run.
 *
 * Nothing is written before the run's first write. That one claims the key and keeps its own result, all in its own database
 * transaction, so that it has happened or not, and a run after a crash knows which: a write that is remembered answers as it
 * did, and does nothing. For that, a run must make the same writes in the same order, and a write's result must be JSON and
 * all that the answer is made of (decisions/0014).
 *
 * @param clock - Decides for how long answers are kept. Leases run by the machine's own.
 * @throws ServiceError `idempotency-key-reused` - the key came with another request; `idempotency-key-in-use` - it is being
 *   answered at this moment.
 */
export async function once(database: Database, clock: Clock, request: KeyedRequest): Promise<StoredAnswer | Run> {
  const found = await findKey(database.query, { merchant_id: request.merchantId, key: request.key });
  const isLeased = found?.status === null && found.leased_until > systemClock.now();
  if (!found || (found.expires_at <= clock.now() && !isLeased)) return startRun(database, clock, request, found, false);

  if (found.fingerprint !== request.fingerprint) {
    throw new ServiceError('idempotency-key-reused', 'This Idempotency-Key has been used with another method, path or body.');
  }
  if (found.status !== null) return answerIn(found);
  if (isLeased) throw inUse();
  return startRun(database, clock, request, found, true);
}

/**
 * @param found      - The key as it was looked up: whoever touched it since was first.
 * @param isTakeover - Whether an earlier run of this very request may have left writes.
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

  /** Runs `work` in one database transaction, as the holder of the key: the first of them makes it that. */
  async function asHolder<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const until = leasedUntil ?? plusMs(systemClock.now(), LEASE_MS);
    const claimed: KeyRow = { ...name, fingerprint, holder, leased_until: until, expires_at: plusMs(clock.now(), KEPT_MS) };
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
    const current = await findKey(tx, name);
    if (current?.holder !== found.holder || current.status !== found.status) throw inUse();
    await saveKeyRow(tx, claimed);
    if (!isTakeover) await forgetRun(tx, name);
  }

  /** @throws ServiceError `idempotency-key-in-use` - it took so long that another run has taken over. */
  async function requireHeld(tx: Tx): Promise<void> {
    if ((await findKey(tx, name))?.holder !== holder) throw inUse();
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
        if (leasedUntil !== undefined && leasedUntil <= systemClock.now()) await requireHeld(tx);
        if (isTakeover && (await findWrite(tx, name, writes)))
          throw new Error('A run did not come to what an earlier one had written');
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
  return new ServiceError('idempotency-key-in-use', 'A request with this Idempotency-Key is being answered; please retry.');
}
