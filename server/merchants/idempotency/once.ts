import { type Job, startJob } from '../../base/job.ts';
import type { Database, Tx } from '../../db/database.ts';
import { lookupHash } from '../../db/sealed.ts';
import { ServiceError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { type Clock, DAY_MS, type Instant, plusMs } from '../../base/time.ts';
import {
  addResponse,
  addKeyRow,
  addWrite,
  deleteHeldKey,
  endLease,
  findIdempotencyKey,
  findWrite,
  type FoundKey,
  deleteRunResults,
  type IdempotencyKey,
  lockKey,
  saveKeyRow,
  type StoredResponse,
  expiredKeys,
  deleteFinishedWrites,
  deleteExpiredKey,
} from './store.ts';

/** Time for which a response is stored, which is longer than any client retries. */
const RETENTION_MS = 3 * DAY_MS;

/**
 * Time for which a run has exclusive use of its key. After that, a retry can take over. The earlier run then fails at its next write, so that
 * nothing happens twice.
 */
const LEASE_MS = 30_000;

export interface KeyedRequest {
  merchantId: string;
  key: string;
  /** SHA-256 of method, path, query and body, to detect another request with the same key. */
  fingerprint: string;
}

/** One attempt to process a request. */
export interface Run {
  /** The database, whose `write` stores the result of each write for this request. */
  database: Database;
  /** Stores the response. @throws ServiceError `idempotency-key-in-use` - another run has taken over. */
  saveResponse(response: StoredResponse): Promise<void>;
  /** Ends the lease without a response, so that a retry can run immediately. */
  release(): Promise<void>;
  /** Deletes the key with the results of the writes, which may have personal data. Another run would start from the beginning. */
  discard(): Promise<void>;
}

/**
 * Looks up an idempotency key. Returns the stored response, or a run that processes the request.
 *
 * The first write of a run claims the key and stores its own result in one database transaction. A run that takes over after a crash
 * therefore returns the stored results of committed writes instead of repeating them. For that, a run must make the same writes in
 * the same order, and the result of a write must be JSON and contain everything that the response is built from (decisions/0014).
 *
 * Every later write locks the row of the key, so that a run that was replaced can no longer write.
 *
 * @param clock - The machine's clock. A sandbox clock that a merchant moves must not expire keys or leases.
 * @throws ServiceError `idempotency-key-reused` - the key was used with another request; `idempotency-key-in-use` - the first
 *   request with it is still running.
 */
export async function once(database: Database, clock: Clock, received: KeyedRequest): Promise<StoredResponse | Run> {
  const now = clock.now();
  // Keyed, because the hash of a short body could be guessed.
  const request = { ...received, fingerprint: await lookupHash(database.query, 'request', received.fingerprint) };
  const found = await findIdempotencyKey(database.query, { merchantId: request.merchantId, key: request.key });
  const isLeased = found !== undefined && !found.response && found.leasedUntil > now;
  if (!found || (found.expiresAt <= now && !isLeased)) {
    return startRun(database, clock, request, found, { isTakeover: false });
  }

  if (found.fingerprint !== request.fingerprint) {
    throw new ServiceError('idempotency-key-reused', 'This Idempotency-Key has been used with another method, path or body.');
  }
  if (found.response) return found.response;
  if (isLeased) throw inUse();
  return startRun(database, clock, request, found, { isTakeover: true });
}

/**
 * @param found - The key as it was looked up. If it has changed since, another run has claimed it.
 * @param isTakeover - Whether an earlier run of the same request may have committed writes.
 */
function startRun(
  database: Database,
  clock: Clock,
  { merchantId, key, fingerprint }: KeyedRequest,
  found: FoundKey | undefined,
  { isTakeover }: { isTakeover: boolean },
): Run {
  const ref = { merchantId, key };
  const holder = newId();
  let leasedUntil: Instant | undefined;
  let writes = 0;

  /** Runs `work` in a database transaction. The first one also claims the key. */
  async function asHolder<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const now = clock.now();
    const until = leasedUntil ?? plusMs(now, LEASE_MS);
    const claimed: IdempotencyKey = { ...ref, fingerprint, holder, leasedUntil: until, expiresAt: plusMs(now, RETENTION_MS) };
    const result = await database.write(async (tx) => {
      if (leasedUntil === undefined) await claim(tx, claimed);
      return work(tx);
    });
    leasedUntil = until;
    return result;
  }

  async function claim(tx: Tx, claimed: IdempotencyKey): Promise<void> {
    if (!found) {
      if (!(await addKeyRow(tx, claimed))) throw inUse();
      return;
    }
    await lockKey(tx, ref);
    const current = await findIdempotencyKey(tx, ref);
    if (current?.holder !== found.holder || current.response?.status !== found.response?.status) throw inUse();
    await saveKeyRow(tx, claimed);
    if (!isTakeover) await deleteRunResults(tx, ref);
  }

  /** @throws ServiceError `idempotency-key-in-use` - another run has taken over. */
  async function requireHeld(tx: Tx): Promise<void> {
    if ((await lockKey(tx, ref)) !== holder) throw inUse();
  }

  return {
    database: {
      ...database,
      write: <T>(work: (tx: Tx) => Promise<T>) => {
        const ordinal = writes++;
        return asHolder(async (tx) => {
          if (ordinal > 0) await requireHeld(tx);
          const earlier = isTakeover ? await findWrite(tx, ref, ordinal) : undefined;
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the result of the same `work` in an earlier run
          if (earlier) return earlier.result as T;
          const result = await work(tx);
          await addWrite(tx, ref, ordinal, result);
          return result;
        });
      },
    },

    saveResponse: (response) =>
      asHolder(async (tx) => {
        // Before the end of the lease, no other run can have taken over.
        if (leasedUntil !== undefined && leasedUntil <= clock.now()) await requireHeld(tx);
        if (isTakeover && (await findWrite(tx, ref, writes))) {
          throw new Error('Expected a run to make the same writes as the earlier run of the request, but it made fewer');
        }
        if (!(await addResponse(tx, ref, response))) throw inUse();
      }),

    release: async () => {
      if (leasedUntil !== undefined) await database.write((tx) => endLease(tx, ref, holder));
    },

    discard: async () => {
      if (leasedUntil !== undefined) await database.write((tx) => deleteHeldKey(tx, ref, holder));
    },
  };
}

function inUse(): ServiceError {
  return new ServiceError('idempotency-key-in-use', 'A request with this Idempotency-Key is being processed; please retry.');
}

/** Number of keys that are deleted in one database transaction. */
const BATCH_SIZE = 100;

const INTERVAL_MS = 300_000;

/** Starts the job that deletes expired keys. `clock` is the machine's, because a merchant can move that of the sandbox. */
export function startKeyCleanup(database: Database, clock: Clock, onError: (thrown: unknown) => void): Job {
  return startJob(INTERVAL_MS, (isRunning) => deleteExpiredKeys(database, clock.now(), isRunning), onError);
}

/**
 * Deletes keys that have expired, and the results of the writes of requests whose response is stored: only a retry after a crash needs them.
 *
 * @returns The number of deleted keys.
 */
export async function deleteExpiredKeys(
  database: Database,
  now: Instant,
  isRunning: () => boolean = () => true,
): Promise<number> {
  await database.write(deleteFinishedWrites);
  let count = 0;
  let deletedInBatch: number;
  do {
    const refs = await expiredKeys(database.query, now, BATCH_SIZE);
    deletedInBatch = await database.write(async (tx) => {
      let deleted = 0;
      for (const ref of refs) if (await deleteExpiredKey(tx, ref, now)) deleted += 1;
      return deleted;
    });
    count += deletedInBatch;
    // Stop if no key could be deleted, because the same keys would be found again forever.
  } while (deletedInBatch > 0 && isRunning());
  return count;
}
