import type { Query, Tx } from '../db/database.ts';
import type { Instant } from '../base/time.ts';
import type { ApplicationRef } from '../lending/applications/store.ts';
import type { StoredDelivery } from './store.ts';

/** A notice behind a link that was not opened in time, with the application that it is about. */
export type UnopenedNotice = ApplicationRef & { noticeId: string };

/** Returns the notices behind links that were not opened in time, the longest due first. */
export async function unopenedNotices(query: Query, now: Instant, limit: number): Promise<UnopenedNotice[]> {
  const rows = await query
    .selectFrom('outbox')
    .select(['id', 'applicationId', 'cartId', 'merchantId'])
    .where('openBy', '<=', now)
    .orderBy('openBy')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id: noticeId, applicationId, cartId, merchantId }) => ({
    id: applicationId ?? '',
    cartId: cartId ?? '',
    merchantId,
    noticeId,
  }));
}

/** Saves that a notice was opened. Returns false if it was before. */
export async function saveOpened(tx: Tx, id: string, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('outbox')
    .set({ openedAt: now, openBy: null })
    .where('id', '=', id)
    .where('openedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Ends the time to open a notice. Returns its e-mail; undefined if it was opened, or if another process has ended the time. */
export function saveNotOpened(tx: Tx, id: string, now: Instant): Promise<StoredDelivery | undefined> {
  return tx
    .updateTable('outbox')
    .set({ openBy: null })
    .where('id', '=', id)
    .where('openBy', '<=', now)
    .returningAll()
    .executeTakeFirst();
}

/** Saves that a delivered e-mail has failed. Returns it; undefined if there is no such e-mail, or it is not delivered. */
export function saveBounced(tx: Tx, id: string, failure: string): Promise<StoredDelivery | undefined> {
  return tx
    .updateTable('outbox')
    .set({ deliveredAt: null, lastFailure: failure })
    .where('id', '=', id)
    .where('channel', '=', 'email')
    .where('deliveredAt', 'is not', null)
    .returningAll()
    .executeTakeFirst();
}
