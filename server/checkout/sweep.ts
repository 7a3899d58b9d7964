import { expired, isExpired } from '../applications/expiry.ts';
import { pendingApplications, findApplication, expiredApplications, saveApplication } from '../applications/store.ts';
import { lockCartOf } from '../carts/store.ts';
import type { Database } from '../db/database.ts';
import { isConflict } from '../errors.ts';
import { type Job, startJob } from '../job.ts';
import type { Clock, Instant } from '../time.ts';
import type { ApplicationName } from './session/load.ts';
import type { CheckoutDeps } from './deps.ts';
import { resolveWaiting } from './signing/sign.ts';

export interface CheckoutSweepOptions {
  deps: CheckoutDeps;
  clock: Clock;
  /** Called with every error, and with the id of its application if there is one. */
  onError: (thrown: unknown, applicationId?: string) => void;
  /** Pause between two sweeps. */
  intervalMs?: number;
}

/** Short, because buyers look at the page that waits. */
const INTERVAL_MS = 10_000;

/** Applications per kind and sweep. The next sweep takes the rest. */
const MOST = 200;

/** Concurrency: a lender that does not respond must not delay the other applications. */
const AT_ONCE = 8;

/** Looks up missing decisions and expires applications, at once and then every few seconds, until `stop`. */
export function startCheckoutSweep({ intervalMs = INTERVAL_MS, ...options }: CheckoutSweepOptions): Job {
  return startJob(intervalMs, (isRunning) => sweepCheckouts({ ...options, isRunning }), options.onError);
}

/**
 * Runs one sweep. Each application has its own database transaction, so that an error does not affect the others. An application that
 * another process changes at the same time is left to the next sweep.
 */
export async function sweepCheckouts({
  deps,
  clock,
  onError,
  isRunning = () => true,
}: Omit<CheckoutSweepOptions, 'intervalMs'> & { isRunning?: () => boolean }): Promise<void> {
  const { query } = deps.database;
  const each = async (rows: ApplicationName[], work: (name: ApplicationName, now: Instant) => Promise<void>) => {
    const workOff = async () => {
      for (let row = rows.shift(); row && isRunning(); row = rows.shift()) {
        const { id } = row;
        await work(row, clock.now()).catch((thrown: unknown) => {
          if (!isConflict(thrown)) onError(thrown, id);
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, workOff));
  };
  await each(await expiredApplications(query, clock.now(), MOST), (name, now) => expire(deps.database, name, now));
  await each(await pendingApplications(query, clock.now(), MOST), (name, now) => resolveWaiting(deps, name, now));
}

function expire(database: Database, { id, cart_id }: ApplicationName, now: Instant): Promise<void> {
  return database.write(async (tx) => {
    await lockCartOf(tx, cart_id);
    const application = await findApplication(tx, id);
    if (application && isExpired(application, now)) await saveApplication(tx, application, expired(application, now));
  });
}
