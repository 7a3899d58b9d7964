import type { OutboxRow } from '../../../server/notifications/store.ts';

/** Returns a claimed row of the outbox with defaults. */
export function rowWith(row: Pick<OutboxRow, 'channel' | 'url' | 'body'> & Partial<OutboxRow>): OutboxRow {
  const at = '2026-11-21T09:30:00.000000Z';
  return {
    id: 'id-1',
    merchant_id: 'm-1',
    endpoint: row.channel,
    attempts: 1,
    replayed_after: 0,
    began_at: at,
    due_at: at,
    delivered_at: null,
    last_failure: '',
    created_at: at,
    ...row,
  };
}
