import { expired, isOver } from '../applications/expiry.ts';
import { awaitingApplications, findApplication, lapsedApplications, saveApplication } from '../applications/store.ts';
import { lockCartOf } from '../carts/store.ts';
import type { Database } from '../db/database.ts';
import { isLostRace } from '../errors.ts';
import { everyWhile, type Periodic } from '../periodic.ts';
import type { Clock, Instant } from '../time.ts';
import type { ApplicationName } from './session/load.ts';
import type { CheckoutDeps } from './deps.ts';
import { resolveWaiting } from './signing/resolve.ts';

export interface CheckoutSweepOptions {
  deps: CheckoutDeps;
  clock: Clock;
  /** Told of what went wrong, and with which application when it was about one. */
  onError: (thrown: unknown, applicationId?: string) => void;
  /** Pause between two sweeps. */
  everyMs?: number;
}

/** A buyer may be looking at the page that waits. */
const EVERY_MS = 10_000;

/** How many of a kind one sweep takes; the next finds the rest. */
const MOST = 200;

/** How many at a time: a lender that hangs must not keep the others waiting for each of its own. */
const AT_ONCE = 8;

/** Finds out what lenders said, and ends what is over, at once and then every few seconds, until `stop`. */
export function startCheckoutSweep({ everyMs = EVERY_MS, ...options }: CheckoutSweepOptions): Periodic {
  return everyWhile(everyMs, (mayGoOn) => sweepCheckouts({ ...options, mayGoOn }), options.onError);
}

/**
 * One sweep. Each application is written by itself, and one that fails leaves the others be. One that somebody else changes at the
 * same moment is theirs; what is left to do, the next sweep finds.
 */
export async function sweepCheckouts({
  deps,
  clock,
  onError,
  mayGoOn = () => true,
}: Omit<CheckoutSweepOptions, 'everyMs'> & { mayGoOn?: () => boolean }): Promise<void> {
  const { query } = deps.database;
  const each = async (rows: ApplicationName[], work: (name: ApplicationName, now: Instant) => Promise<void>) => {
    const workOff = async () => {
      for (let row = rows.shift(); row && mayGoOn(); row = rows.shift()) {
        const { id } = row;
        await work(row, clock.now()).catch((thrown: unknown) => {
          if (!isLostRace(thrown)) onError(thrown, id);
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, workOff));
  };
  await each(await lapsedApplications(query, clock.now(), MOST), (name, now) => expire(deps.database, name, now));
  await each(await awaitingApplications(query, clock.now(), MOST), (name, now) => resolveWaiting(deps, name, now));
}

function expire(database: Database, { id, cart_id }: ApplicationName, now: Instant): Promise<void> {
  return database.write(async (tx) => {
    await lockCartOf(tx, cart_id);
    const application = await findApplication(tx, id);
    if (application && isOver(application, now)) await saveApplication(tx, expired(application, now));
  });
}
