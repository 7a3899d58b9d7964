import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { AT_ONCE } from './outbox.ts';
import { findDelivery, replayFailed, replayOne, stateOf } from './store.ts';

/**
 * Has something delivered again, whatever became of it: its attempts begin anew, its id stays the one receivers know.
 *
 * @throws ServiceError `invalid-request` - there is nothing of that id, or the sandbox records it and sends none.
 */
export function redeliver(database: Database, id: string): Promise<void> {
  return database.write(async (tx) => {
    const row = await findDelivery(tx, id);
    if (!row) throw new ServiceError('invalid-request', `Expected the id of a delivery, but received "${id}"`);
    if (stateOf(row) === 'recorded') {
      throw new ServiceError('invalid-request', 'The sandbox recorded this message and sends none.');
    }
    await replayOne(tx, id, AT_ONCE);
  });
}

/** The same for everything that has failed for good, of one merchant or of all. Answers how many there were. */
export function redeliverFailed(database: Database, merchantId: string | undefined): Promise<number> {
  return database.write((tx) => replayFailed(tx, merchantId, AT_ONCE));
}
