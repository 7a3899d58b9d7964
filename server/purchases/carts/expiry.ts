import type { CartEndReason } from '../../../shared/wire/cart.ts';
import { findProgressOfCart } from '../../lending/applications/store.ts';
import type { Database, Tx } from '../../db/database.ts';
import { idOf } from '../../base/ids.ts';
import { type Job, startJob } from '../../base/job.ts';
import { findProgramOn } from '../../lending/programs/programs.ts';
import { type Clock, type Instant, lastUsDate } from '../../base/time.ts';
import { recordEvent } from '../../messages/webhooks/store.ts';
import { cartStatusOf } from './status.ts';
import { type Cart, dueExpiries, lockCartIfStored, saveExpiryDue } from './store.ts';

/** Carts that the job reads at a time. */
const BATCH = 100;

const INTERVAL_MS = 10_000;

/** Records the expiry of a cart as an event of its merchant. */
export async function recordCartExpired(tx: Tx, cart: Cart, reason: CartEndReason, now: Instant): Promise<void> {
  const { id: cartId, merchantId, options } = cart;
  const data = { cartId, orderRef: options.orderRef ?? '', status: 'expired', reason } as const;
  // A cart expires once. The same id each time, so that a retried write records the same event.
  await recordEvent(tx, { id: idOf(`${cartId}/event`, 0, now), merchantId, type: 'cart.expired', data });
}

export interface CartExpiry {
  database: Database;
  clock: Clock;
  /** Receives the error if the expiry of a cart cannot be recorded. The job continues with the others. */
  onError: (thrown: unknown, cartId?: string) => void;
}

/** Starts the job that records the expiry of carts after their last day: at once, and then every few seconds. */
export function startCartExpiryJob({ database, clock, onError }: CartExpiry, intervalMs = INTERVAL_MS): Job {
  return startJob(intervalMs, (isRunning) => recordExpiries({ database, clock, onError }, isRunning), onError);
}

/** Records the expiry of each cart whose last day has ended, in a database transaction of its own. */
export async function recordExpiries(
  { database, clock, onError }: CartExpiry,
  isRunning: () => boolean = () => true,
): Promise<void> {
  const now = clock.now();
  let recorded: number;
  do {
    recorded = 0;
    const due = await dueExpiries(database.query, lastUsDate(now), BATCH);
    for (const { id } of due) {
      if (!isRunning()) return;
      try {
        await database.write((tx) => recordExpiry(tx, id, now));
        recorded += 1;
      } catch (thrown) {
        onError(thrown, id);
      }
    }
    // Stop if no expiry could be recorded, because the same carts would be found again.
  } while (recorded === BATCH);
}

async function recordExpiry(tx: Tx, id: string, now: Instant): Promise<void> {
  const cart = await lockCartIfStored(tx, id);
  if (!cart) return;
  const today = lastUsDate(now);
  const program = await findProgramOn(tx, cart.programId, now);
  const { status, reason } = cartStatusOf({ cart, program, progress: await findProgressOfCart(tx, id) }, now);
  // The lender may still reject a signed checkout. It is checked again a day later.
  const isOver = status !== 'in-progress';
  const wasDue = await saveExpiryDue(tx, id, today, isOver ? null : today);
  if (wasDue && status === 'expired' && reason) await recordCartExpired(tx, cart, reason, now);
}
