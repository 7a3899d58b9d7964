import { detailsDeletion, expiryChanges, isExpired } from '../lending/applications/expiry.ts';
import { isDecisionPending } from '../lending/applications/lifecycle.ts';
import {
  dueApplications,
  findApplication,
  expiredApplications,
  isUnfinished,
  resolvedApplications,
  saveApplication,
  unfinishedApplications,
} from '../lending/applications/store.ts';
import { lockCartById } from '../purchases/carts/store.ts';
import type { Retention } from '../base/config/retention.ts';
import type { Database } from '../db/database.ts';
import { isConflict } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { type Job, startJob } from '../base/job.ts';
import { enqueueServicingEvent } from '../messages/servicing-store.ts';
import { ATTEMPT_MS } from '../http/attempts.ts';
import { deleteAttempts, outdatedAttempts } from '../http/attempts-store.ts';
import { type Clock, HOUR_MS, type Instant, plusMs } from '../base/time.ts';
import { undecidedDenial } from './decision/decide.ts';
import { raiseException } from './decision/raise-exception.ts';
import { newStatusIds, saveStatus, subjectOf } from './decision/save-status.ts';
import type { CheckoutDeps } from './session/deps.ts';
import { type ApplicationRef, lockSession } from './session/load.ts';
import { resolveWaiting } from './signing/sign.ts';

export interface CheckoutJobOptions {
  deps: CheckoutDeps;
  clock: Clock;
  retention: Pick<Retention, 'unfinishedApplicationHours'>;
  /** Called with every error, and with the id of its application if there is one. */
  onError: (thrown: unknown, applicationId?: string) => void;
}

const INTERVAL_MS = 10_000;

/** Buyers wait for the outcome. */
const RETRY_INTERVAL_MS = 2_000;

/** Expired, unfinished and other applications per run, each. The next run processes the rest. */
const MAX_APPLICATIONS = 200;

/** Due requests per run, so that a lender that does not respond delays new ones only for a few timeouts. */
const MAX_REQUESTS = 64;

/** A lender that does not respond must not delay the other applications. */
const CONCURRENCY = 16;

/**
 * Starts the job that expires applications, denies those that were not decided in time, warns before that, and deletes the details of
 * unfinished ones and outdated attempts: at once and then every few seconds.
 */
export function startCheckoutJob(options: CheckoutJobOptions): Job {
  return startJob(INTERVAL_MS, (isRunning) => runCheckoutJob({ ...options, isRunning }), options.onError);
}

/**
 * Starts the job that retrieves missing decisions, and sends signed agreements again, when they are due. It is a job of its own, so that a
 * lender that does not respond delays nothing else.
 */
export function startRetryJob(options: Omit<CheckoutJobOptions, 'retention'>): Job {
  return startJob(RETRY_INTERVAL_MS, (isRunning) => runRetryJob({ ...options, isRunning }), options.onError);
}

type Run<Options> = Options & { isRunning?: () => boolean };

/** Runs the job once. */
export async function runCheckoutJob(options: Run<CheckoutJobOptions>): Promise<void> {
  const { deps, clock, retention, onError } = options;
  const { query } = deps.database;
  await forEach(options, await expiredApplications(query, clock.now(), MAX_APPLICATIONS), (ref, now) => expire(deps, ref, now));
  await forEach(options, await dueApplications(query, 'warnAt', clock.now(), MAX_APPLICATIONS), (ref, now) =>
    warn(deps, ref, now),
  );
  const changedBefore = (now: Instant) => plusMs(now, -retention.unfinishedApplicationHours * HOUR_MS);
  const unfinished = await unfinishedApplications(query, changedBefore(clock.now()), MAX_APPLICATIONS);
  await forEach(options, unfinished, (ref, now) => deleteDetails(deps.database, ref, changedBefore(now), now));
  await deleteOutdatedAttempts(deps.database, clock.now()).catch(onError);
}

/** Runs the job once. Each due request is sent, and each resolution applied, by one process, which takes its lease. */
export async function runRetryJob(options: Run<Omit<CheckoutJobOptions, 'retention'>>): Promise<void> {
  const { deps, clock } = options;
  const { query } = deps.database;
  const [due, resolved] = await Promise.all([
    dueApplications(query, 'requestDueAt', clock.now(), MAX_REQUESTS),
    resolvedApplications(query, clock.now(), MAX_REQUESTS),
  ]);
  await forEach(options, [...resolved, ...due], (ref, now) => resolveWaiting(deps, ref, now, 'job'));
}

/**
 * Calls `work` for each application. Each has its own database transaction, so that an error does not affect the others. An application
 * that another process changes at the same time is left to the next run.
 */
async function forEach(
  { clock, onError, isRunning = () => true }: Run<Pick<CheckoutJobOptions, 'clock' | 'onError'>>,
  refs: ApplicationRef[],
  work: (ref: ApplicationRef, now: Instant) => Promise<void>,
): Promise<void> {
  const rows = [...refs];
  const worker = async () => {
    for (let row = rows.shift(); row && isRunning(); row = rows.shift()) {
      const { id } = row;
      await work(row, clock.now()).catch((thrown: unknown) => {
        if (!isConflict(thrown)) onError(thrown, id);
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
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
  const ids = newStatusIds();
  await database.write(async (tx) => {
    const session = await lockSession(tx, ref, now);
    const { application } = session;
    if (!isExpired(application, now)) return;
    if (isDecisionPending(application)) {
      const { changes, event } = undecidedDenial(session, application, now);
      await saveStatus(tx, session, application, changes, mail, ids, { event });
    } else {
      await saveStatus(tx, session, application, expiryChanges(application), mail, ids);
    }
  });
}

/** Warns operator and lender, once, that an application will be denied because the lender has not decided it. */
async function warn(
  { database, mail, onException }: Pick<CheckoutDeps, 'database' | 'mail' | 'onException'>,
  ref: ApplicationRef,
  now: Instant,
): Promise<void> {
  const exceptionId = newId();
  const eventId = newId();
  const raised = await database.write(async (tx) => {
    const { application } = await lockSession(tx, ref, now);
    const { warnAt, expiresAt } = application;
    if (warnAt === null || warnAt > now || !isDecisionPending(application)) return undefined;
    await saveApplication(tx, application, { warnAt: null });
    await enqueueServicingEvent(tx, subjectOf(application, eventId, now), { type: 'application-undecided', deniedAt: expiresAt });
    return raiseException(tx, application, { id: exceptionId, kind: 'undecided', now }, mail);
  });
  if (raised) onException(raised);
}
