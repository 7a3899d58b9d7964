import { setTimeout as delay } from 'node:timers/promises';
import { type ApplicationRow, findApplication, saveApplication } from '../../applications/store.ts';
import { lockCartOf } from '../../carts/store.ts';
import type { Database } from '../../db/database.ts';
import { isLostRace } from '../../errors.ts';
import { UnknownOutcome } from '../../lenders/lender.ts';
import { type Instant, plusMs } from '../../time.ts';
import { getSession } from '../session/load.ts';
import type { CompletedSession, StartedSession } from '../session/session.ts';

/** How long whoever asks a lender may be at it, before somebody else finds out what became of it. More than any attempt takes. */
export const ASKING_MS = 90_000;

/** How long after finding nothing out a lender is left in peace. */
const PAUSE_MS = 15_000;

/** Buyers who press twice wait this long for what their first press leads to; then they are told to wait. */
const PATIENCE_MS = 3_000;

/** The first look comes soon, since most lenders are fast; each pause is longer than the one before, since many buyers may wait. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;

/** The checkout once nobody is asking a lender about it any more, or as it is when patience ends. */
export async function awaitOutcome(
  database: Database,
  applicationId: string,
  now: Instant,
): Promise<StartedSession | CompletedSession> {
  for (let waitedMs = 0, pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const session = await getSession(database.query, applicationId, now);
    if (!isAskedNow(session, now) || waitedMs >= PATIENCE_MS) return session;
    await delay(pauseMs);
    waitedMs += pauseMs;
  }
}

/** Whether somebody is at it, and not merely expected to look again. */
function isAskedNow({ reached, application: { asked_until: until } }: StartedSession | CompletedSession, now: Instant): boolean {
  return reached === 'waiting' && until !== null && until > plusMs(now, PAUSE_MS);
}

/**
 * Ends a request to a lender that brought no answer: after a fault anyone may ask at once, after an unknown outcome in a while. When
 * it took so long that another request is under way, that one is left alone.
 *
 * @param requested - The application as it was saved when the lender was asked.
 */
export async function letOthersAsk(database: Database, requested: ApplicationRow, thrown: unknown, now: Instant): Promise<void> {
  const { id, cart_id, asked_until } = requested;
  const from = thrown instanceof UnknownOutcome ? plusMs(now, PAUSE_MS) : now;
  const letting = database.write(async (tx) => {
    await lockCartOf(tx, cart_id);
    const application = await findApplication(tx, id);
    if (asked_until === null || application?.asked_until !== asked_until) return;
    await saveApplication(tx, { ...application, asked_until: from });
  });
  await letting.catch((lost: unknown) => {
    // The failure of the request matters more, and the lease ends by itself.
    if (!isLostRace(lost)) throw lost;
  });
}
