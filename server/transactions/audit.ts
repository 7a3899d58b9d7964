import { isDeepStrictEqual } from 'node:util';
import type { LineCount } from '../../shared/wire/transaction.ts';
import type { Query } from '../db/database.ts';
import { type Replayed, replay } from './replay.ts';
import { type AuditedRow, eventsOfRange, transactionsAfter } from './store.ts';

/** How many transactions, and rows of their journals, are in memory at a time. */
const PAGE = 200;

/** Something a transaction says otherwise than its journal; `journal` where that could not have come about. */
export interface Difference {
  transactionId: string;
  what: keyof Replayed | 'journal';
  stored: unknown;
  recomputed: unknown;
}

/** A transaction with as much of its journal as was read so far. */
interface Audit {
  row: AuditedRow;
  replayed: Replayed | undefined;
  /** Why the journal could not have come about. */
  fault?: string;
}

/**
 * Recomputes every transaction from its journal, in the order of their ids.
 *
 * Others may write meanwhile: of each journal those rows count that were there when the transaction was read, which its
 * revision tells. What comes later is for the next audit.
 *
 * @yields For each transaction, what it says otherwise than its journal.
 */
export async function* auditTransactions(query: Query): AsyncGenerator<Difference[]> {
  let rows: AuditedRow[] = [];
  do {
    rows = await transactionsAfter(query, rows.at(-1)?.id ?? '', PAGE);
    const audits = new Map(rows.map((row): [string, Audit] => [row.id, { row, replayed: undefined }]));
    await readJournals(query, audits, rows);
    for (const audit of audits.values()) yield differencesOf(audit);
  } while (rows.length === PAGE);
}

async function readJournals(query: Query, audits: ReadonlyMap<string, Audit>, rows: readonly AuditedRow[]): Promise<void> {
  const [first, last] = [rows.at(0)?.id, rows.at(-1)?.id];
  if (first === undefined || last === undefined) return;
  let after = { id: first, sequence: 0 };
  for (;;) {
    const events = await eventsOfRange(query, after, last, PAGE);
    for (const event of events) {
      const audit = audits.get(event.transaction_id);
      if (!audit || audit.fault !== undefined || event.sequence > audit.row.revision) continue;
      try {
        audit.replayed = replay(audit.replayed, event);
      } catch (thrown) {
        audit.fault = (thrown as Error).message;
      }
    }
    const end = events.at(-1);
    if (!end || events.length < PAGE) return;
    after = { id: end.transaction_id, sequence: end.sequence };
  }
}

function differencesOf({ row, replayed, fault }: Audit): Difference[] {
  const transactionId = row.id;
  if (fault !== undefined || !replayed) {
    return [{ transactionId, what: 'journal', stored: fault ?? 'expected a journal, but found none', recomputed: null }];
  }
  const stored: Replayed = {
    revision: row.revision,
    status: row.status,
    statusSince: row.status_since,
    total: row.total_cents,
    adjustedTotal: row.adjusted_total_cents,
    canceled: row.canceled_cents,
    refunded: row.refunded_cents,
    gone: JSON.parse(row.gone_lines_json) as LineCount[],
  };
  return (Object.keys(stored) as (keyof Replayed)[])
    .filter((what) => !isDeepStrictEqual(stored[what], replayed[what]))
    .map((what) => ({ transactionId, what, stored: stored[what], recomputed: replayed[what] }));
}
