import { type ApplicationRef, dueApplications, resolvedApplications } from '../../lending/applications/store.ts';
import { isConflict } from '../../base/errors.ts';
import { type Job, startJob } from '../../base/job.ts';
import type { Clock, Instant } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { resolveWaiting } from './look-up.ts';

/** Options of a background job about applications. */
export interface ApplicationJobOptions {
  deps: CheckoutDeps;
  clock: Clock;
  /** Called with every error, and with the id of its application if there is one. */
  onError: (thrown: unknown, applicationId?: string) => void;
  /** Returns false once the job has to stop. */
  isRunning?: () => boolean;
}

/** Buyers wait for the outcome. */
const INTERVAL_MS = 2_000;

/** Due requests per run, so that a lender that does not respond delays new ones only for a few timeouts. */
const MAX_REQUESTS = 64;

/** A lender that does not respond must not delay the other applications. */
const CONCURRENCY = 16;

/**
 * Starts the job that retrieves missing decisions, and sends signed agreements again, when they are due. It is a job of its own, so that a
 * lender that does not respond delays nothing else.
 */
export function startRetryJob(options: ApplicationJobOptions): Job {
  return startJob(INTERVAL_MS, (isRunning) => runRetryJob({ ...options, isRunning }), options.onError);
}

/** Runs the job once. Each due request is sent, and each resolution applied, by one process, which takes its lease. */
export async function runRetryJob(options: ApplicationJobOptions): Promise<void> {
  const { deps, clock } = options;
  const { query } = deps.database;
  const [due, resolved] = await Promise.all([
    dueApplications(query, 'requestDueAt', clock.now(), MAX_REQUESTS),
    resolvedApplications(query, clock.now(), MAX_REQUESTS),
  ]);
  await forEachApplication(options, [...resolved, ...due], (ref, now) => resolveWaiting(deps, ref, now, 'job'));
}

/**
 * Calls `work` for each application. Each has its own database transaction, so that an error does not affect the others. An application
 * that another process changes at the same time is left to the next run.
 */
export async function forEachApplication<Ref extends ApplicationRef>(
  { clock, onError, isRunning = () => true }: Omit<ApplicationJobOptions, 'deps'>,
  refs: Ref[],
  work: (ref: Ref, now: Instant) => Promise<void>,
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
