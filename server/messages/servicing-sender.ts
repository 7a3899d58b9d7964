import type { Tx } from '../db/database.ts';
import type { SentEvent } from '../lending/lenders/events.ts';
import type { Parsed } from '../lending/lenders/fault.ts';
import { type Lender, type LenderSchedule, UnknownOutcomeError } from '../lending/lenders/lender.ts';
import type { Send } from './attempt.ts';

/**
 * Prepares to save the schedule with which the lender responded to an event, or its fault: locks what it changes, and returns a function that
 * saves it after the delivery.
 */
export type PrepareSchedule = (
  tx: Tx,
  merchantId: string,
  event: SentEvent,
  schedule: Parsed<LenderSchedule>,
) => Promise<() => Promise<void>>;

/**
 * Sends enqueued events to the lender.
 *
 * @param noticeHtml - Returns the HTML of a notice; null after it was deleted.
 */
export function servicingSender(
  lender: Pick<Lender, 'record'>,
  prepareSchedule: PrepareSchedule,
  noticeHtml: (noticeId: string) => Promise<string | null>,
): Send {
  return async ({ body, merchantId }) => {
    const enqueued: SentEvent = JSON.parse(body);
    const event = enqueued.type === 'notice' ? { ...enqueued, html: await noticeHtml(enqueued.noticeId) } : enqueued;
    try {
      const { schedule } = await lender.record(event);
      if (!schedule) return { statusCode: null, failure: '' };
      return {
        statusCode: null,
        failure: '',
        saveWith: async (tx, save) => {
          const saveSchedule = await prepareSchedule(tx, merchantId, event, schedule);
          if (await save()) await saveSchedule();
        },
      };
    } catch (thrown) {
      if (!(thrown instanceof UnknownOutcomeError)) throw thrown;
      return { statusCode: null, failure: thrown.message };
    }
  };
}
