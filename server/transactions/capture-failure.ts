import { cardOperationIn } from '../notifications/outbox.ts';
import type { Send } from '../notifications/attempt.ts';
import type { Clock } from '../time.ts';
import type { LetterOptions } from './letter.ts';
import { saveChange } from './save-change.ts';
import { lockTransaction } from './store.ts';

/**
 * Returns a sender of card operations that also records a capture that failed and is not retried: as a row of the journal, as an event for
 * the lender, and in an e-mail to the buyer. It locks the transaction before the delivery, in the order of other changes.
 *
 * @param clock - The clock of purchases.
 */
export function recordingFailures(send: Send, clock: Clock, letters?: LetterOptions): Send {
  return async (delivery) => {
    const outcome = await send(delivery);
    const { type, amountCents } = cardOperationIn(delivery.body);
    if (outcome.failure === '' || type !== 'capture') return outcome;
    const transactionId = delivery.url.slice('card:'.length);
    return {
      ...outcome,
      saveWith: async (tx, save, isLast) => {
        const row = isLast ? await lockTransaction(tx, delivery.merchantId, transactionId) : undefined;
        if (!(await save()) || !row) return;
        const event = { type: 'card-capture-failed', amountCents, actor: 'system', at: clock.now() } as const;
        await saveChange(tx, row, row, event, letters);
      },
    };
  };
}
