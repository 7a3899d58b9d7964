import { findApplication } from '../../lending/applications/store.ts';
import { newId } from '../../base/ids.ts';
import { enqueueServicingEvent } from '../../messages/servicing-store.ts';
import type { Send } from '../../messages/attempt.ts';
import { kindsIn } from '../../messages/notices.ts';
import type { Clock } from '../../base/time.ts';
import { subjectOf } from './save-status.ts';

/**
 * Returns a sender of e-mails that also reports the result of the delivery of notices to the lender, which sends those that failed on paper:
 * that the mail server has accepted the e-mail, or that it is not tried again.
 *
 * @param clock - The clock of purchases.
 */
export function reportingNotices(send: Send, clock: Clock): Send {
  return async (delivery) => {
    const outcome = await send(delivery);
    const { id, notice, applicationId } = delivery;
    if (notice === null || applicationId === null) return outcome;
    const eventId = newId();
    const { failure } = outcome;
    return {
      ...outcome,
      // Called in the database transaction of the outcome. `save` stores it; false if the delivery was scheduled again meanwhile.
      saveWith: async (tx, save, isLast) => {
        const application = isLast ? await findApplication(tx, applicationId) : undefined;
        if (!(await save()) || !application) return;
        const result = { outcome: failure === '' ? 'delivered' : 'failed', failure } as const;
        const about = subjectOf(application, eventId, clock.now());
        await enqueueServicingEvent(tx, about, { type: 'notice-delivery', noticeId: id, kinds: kindsIn(notice), ...result });
      },
    };
  };
}
