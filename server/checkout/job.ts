import { detailsDeletion, expiryChanges, isExpired } from '../applications/expiry.ts';
import {
  pendingApplications,
  findApplication,
  expiredApplications,
  isUnfinished,
  saveApplication,
  unfinishedApplications,
} from '../applications/store.ts';
import { lockCartById } from '../carts/store.ts';
import type { Retention } from '../config/retention.ts';
import type { Database } from '../db/database.ts';
import { isConflict } from '../errors.ts';
import { newId } from '../ids.ts';
import { type Job, startJob } from '../job.ts';
import { ATTEMPT_MS } from '../limits/attempts.ts';
import { deleteAttempts, outdatedAttempts } from '../limits/store.ts';
import { type Clock, type Instant, plusMs } from '../time.ts';
import { saveAndEmail } from './decision/decision-email.ts';
import type { CheckoutDeps } from './session/deps.ts';
import { type ApplicationRef, lockSession } from './session/load.ts';
import { resolveWaiting } from './signing/sign.ts';

export interface CheckoutJobOptions {
  deps: CheckoutDeps;
  clock: Clock;
  retention: Pick<Retention, 'unfinishedApplicationHours'>;
  /** Called with every error, and with the id of its application if there is one. */
  onError: (thrown: unknown, applicationId?: string) => void;
  /** Pause between two runs. */
  intervalMs?: number;
}

/** Short, because buyers wait. */
const INTERVAL_MS = 10_000;

/** Pending, expired and unfinished applications per run, each. The next run processes the rest. */
const MAX_APPLICATIONS = 200;

/** A lender that does not respond must not delay the other applications. */
const CONCURRENCY = 8;

const HOUR_MS = 3_600_000;

/**
 * Starts the job that expires applications, deletes the details of unfinished ones and outdated attempts, and retrieves missing
 * decisions, at once and then every few seconds.
 */
export function startCheckoutJob({ intervalMs = INTERVAL_MS, ...options }: CheckoutJobOptions): Job {
  return startJob(intervalMs, (isRunning) => runCheckoutJob({ ...options, isRunning }), options.onError);
}

/**
 * Runs the job once. Each application has its own database transaction, so that an error does not affect the others. An application that
 * another process changes at the same time is left to the next run.
 */
export async function runCheckoutJob({
  deps,
  clock,
  retention,
  onError,
  isRunning = () => true,
}: Omit<CheckoutJobOptions, 'intervalMs'> & { isRunning?: () => boolean }): Promise<void> {
  const { query } = deps.database;
  const forEach = async (rows: ApplicationRef[], work: (ref: ApplicationRef, now: Instant) => Promise<void>) => {
    const worker = async () => {
      for (let row = rows.shift(); row && isRunning(); row = rows.shift()) {
        const { id } = row;
        await work(row, clock.now()).catch((thrown: unknown) => {
          if (!isConflict(thrown)) onError(thrown, id);
        });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  };
  await forEach(await expiredApplications(query, clock.now(), MAX_APPLICATIONS), (ref, now) => expire(deps, ref, now));
  const changedBefore = (now: Instant) => plusMs(now, -retention.unfinishedApplicationHours * HOUR_MS);
  await forEach(await unfinishedApplications(query, changedBefore(clock.now()), MAX_APPLICATIONS), (ref, now) =>
    deleteDetails(deps.database, ref, changedBefore(now), now),
  );
  await deleteOutdatedAttempts(deps.database, clock.now()).catch(onError);
  await forEach(await pendingApplications(query, clock.now(), MAX_APPLICATIONS), (ref, now) => resolveWaiting(deps, ref, now));
}

function deleteDetails(database: Database, { id, cartId }: ApplicationRef, changedBefore: Instant, now: Instant): Promise<void> {
  return database.write(async (tx) => {
    await lockCartById(tx, cartId);
    const application = await findApplication(tx, id);
    if (application && isUnfinished(application, changedBefore)) await saveApplication(tx, application, detailsDeletion(now));
  });
}

async function deleteOutdatedAttempts(database: Database, now: Instant): Promise<void> {
  const before = plusMs(now, -ATTEMPT_MS);
  const outdated = await outdatedAttempts(database.query, before, MAX_APPLICATIONS);
  if (outdated.length > 0) await database.write((tx) => deleteAttempts(tx, outdated, before));
}

async function expire(
  { database, mail }: Pick<CheckoutDeps, 'database' | 'mail'>,
  ref: ApplicationRef,
  now: Instant,
): Promise<void> {
  const emailId = newId();
  await database.write(async (tx) => {
    const session = await lockSession(tx, ref, now);
    const { application } = session;
    if (!isExpired(application, now)) return;
    await saveAndEmail(tx, session, application, expiryChanges(application), mail, emailId);
  });
}
