import type { OutboxEntry } from '../../../server/messages/store.ts';

/** Returns a claimed row of the outbox with defaults. */
export function rowWith(row: Pick<OutboxEntry, 'channel' | 'url' | 'body'> & Partial<OutboxEntry>): OutboxEntry {
  const at = '2026-11-21T09:30:00.000000Z';
  return {
    id: 'id-1',
    merchantId: 'm-1',
    applicationId: null,
    cartId: null,
    notice: null,
    openBy: null,
    openedAt: null,
    sequence: null,
    endpoint: row.channel,
    attempts: 1,
    replayedAfter: 0,
    beganAt: at,
    dueAt: at,
    deliveredAt: null,
    lastFailure: '',
    createdAt: at,
    ...row,
  };
}
