import { expiryChanges, isExpired } from '../lending/applications/expiry.ts';
import { isDecisionPending } from '../lending/applications/lifecycle.ts';
import {
  type ApplicationRef,
  dueApplications,
  findApplication,
  expiredApplications,
  isUnfinished,
  NO_DETAILS,
  saveApplication,
  unfinishedApplications,
} from '../lending/applications/store.ts';
import { lockCartById } from '../purchases/carts/store.ts';
import type { Retention } from '../base/config/retention.ts';
import type { Database } from '../db/database.ts';
import { type Job, startJob } from '../base/job.ts';
import { ATTEMPT_MS, deleteAttempts, outdatedAttempts } from '../http/attempts.ts';
import { HOUR_MS, type Instant, plusDays, plusMs } from '../base/time.ts';
import { reportNotOpened } from '../messages/notice-delivery.ts';
import { unopenedNotices } from '../messages/notice-store.ts';
import { overdueDenial, withdrawOverdue } from './decision/decide.ts';
import { changeStatus } from './decision/save-status.ts';
import type { CheckoutDeps } from './session/deps.ts';
import { warnPending } from './waiting/exceptions.ts';
import { type ApplicationJobOptions, forEachApplication } from './waiting/job.ts';

export interface CheckoutJobOptions extends ApplicationJobOptions {
  retention: Pick<Retention, 'unfinishedApplicationHours'>;
}

const INTERVAL_MS = 10_000;

/** Expired, unfinished and other applications per run, each. The next run processes the rest. */
const MAX_APPLICATIONS = 200;

/**
 * Starts the job that expires applications, denies those that were not decided in time, warns before that, reports notices that were not opened,
 * and deletes the details of unfinished applications and outdated attempts: at once and then every few seconds.
 */
export function startCheckoutJob(options: CheckoutJobOptions): Job {
  return startJob(INTERVAL_MS, (isRunning) => runCheckoutJob({ ...options, isRunning }), options.onError);
}

/** Runs the job once. */
export async function runCheckoutJob(options: CheckoutJobOptions): Promise<void> {
  const { deps, clock, retention, onError } = options;
  const { query } = deps.database;
  await forEachApplication(options, await expiredApplications(query, clock.now(), MAX_APPLICATIONS), (ref, now) =>
    expire(deps, ref, now),
  );
  await forEachApplication(options, await dueApplications(query, 'warnAt', clock.now(), MAX_APPLICATIONS), (ref, now) =>
    warn(deps, ref, now),
  );
  const unopened = await unopenedNotices(query, clock.now(), MAX_APPLICATIONS);
  await forEachApplication(options, unopened, ({ noticeId }, now) => reportNotOpened(deps.database, noticeId, now));
  const changedBefore = (now: Instant) => plusMs(now, -retention.unfinishedApplicationHours * HOUR_MS);
  const unfinished = await unfinishedApplications(query, changedBefore(clock.now()), MAX_APPLICATIONS);
  await forEachApplication(options, unfinished, (ref, now) => deleteDetails(deps.database, ref, changedBefore(now), now));
  await deleteOutdatedAttempts(deps.database, clock.now()).catch(onError);
}

function deleteDetails(database: Database, { id, cartId }: ApplicationRef, changedBefore: Instant, now: Instant): Promise<void> {
  return database.write(async (tx) => {
    await lockCartById(tx, cartId);
    const application = await findApplication(tx, id);
    if (application && isUnfinished(application, changedBefore)) {
      await saveApplication(tx, application, { ...NO_DETAILS, detailsDeletedAt: now });
    }
  });
}

async function deleteOutdatedAttempts(database: Database, now: Instant): Promise<void> {
  const before = plusMs(now, -ATTEMPT_MS);
  const outdated = await outdatedAttempts(database.query, before, MAX_APPLICATIONS);
  if (outdated.length > 0) await database.write((tx) => deleteAttempts(tx, outdated, before));
}

async function expire(deps: CheckoutDeps, ref: ApplicationRef, now: Instant): Promise<void> {
  await changeStatus(deps, ref, now, (session) => {
    const { application } = session;
    if (!isExpired(application, now)) return undefined;
    if (!isDecisionPending(application)) return { changes: expiryChanges(application) };
    // An invalid approval is not denied. A day later, it may have become a denial.
    if (application.invalidOutcome === 'approved') return { changes: { expiresAt: plusDays(now, 1) } };
    return overdueDenial(session, application, now);
  });
}

async function warn(deps: CheckoutDeps, ref: ApplicationRef, now: Instant): Promise<void> {
  if (!(await withdrawOverdue(deps, ref, now))) await warnPending(deps, ref, now);
}
