import type { Database } from '../db/database.ts';
import { everyWhile, type Periodic } from '../periodic.ts';
import { type Clock, type Instant, systemClock } from '../time.ts';
import { expiredKeys, forgetAnsweredWrites, removeExpired } from './store.ts';

/** How many are forgotten in one database transaction. */
const BATCH = 100;

const FIVE_MINUTES_MS = 300_000;

/** Does so at once and then every few minutes, until `stop`. */
export function startIdempotencySweep(
  database: Database,
  clock: Clock,
  onError: (thrown: unknown) => void,
  everyMs = FIVE_MINUTES_MS,
): Periodic {
  return everyWhile(everyMs, (mayGoOn) => forgetExpired(database, clock.now(), mayGoOn), onError);
}

/**
 * Forgets keys whose time is over, and of the others what nobody will ask for any more.
 *
 * @returns How many keys were forgotten.
 */
export async function forgetExpired(database: Database, now: Instant, mayGoOn: () => boolean = () => true): Promise<number> {
  await database.write(forgetAnsweredWrites);
  let count = 0;
  let removed: number;
  do {
    const realNow = systemClock.now();
    const names = await expiredKeys(database.query, now, BATCH);
    removed = await database.write(async (tx) => {
      let gone = 0;
      for (const name of names) if (await removeExpired(tx, name, now, realNow)) gone += 1;
      return gone;
    });
    count += removed;
    // A batch of which none could be removed would be found again, and again.
  } while (removed > 0 && mayGoOn());
  return count;
}
