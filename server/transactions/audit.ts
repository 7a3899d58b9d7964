import { isDeepStrictEqual } from 'node:util';
import type { Query } from '../db/database.ts';
import { listCardOrders, type EnqueuedCardOrder } from '../notifications/outbox.ts';
import { auditedRow, type AuditedRow, eventsBetween, transactionsAfter } from './audit-store.ts';
import { type CardMove, cardMoveOf, type CardState } from './card-part.ts';
import { replay, type Replayed } from './replay.ts';

/** How many transactions, and rows of their journals, are in memory at a time. */
const PAGE = 200;

/**
 * Something a transaction says otherwise than its journal; `journal` where that could not have come about, `card` where something
 * else was promised to the card gateway than it asks for.
 */
export interface Difference {
  transactionId: string;
  what: keyof Replayed | 'journal' | 'card';
  stored: unknown;
  recomputed: unknown;
}

/** A transaction with as much of its journal as was read so far. */
interface Audit {
  row: AuditedRow;
  replayed: Replayed | undefined;
  /** What it asks of the card. */
  cardMoves: JournaledMove[];
  /** The highest sequence there is. */
  lastSequence: number;
  /** Why the journal could not have come about. */
  fault?: string;
}

/**
 * Recomputes every transaction from its journal, in the order of their ids, and looks for journals without one.
 *
 * Others may write meanwhile: of each journal those rows are replayed that were there when the transaction was read, which its
 * revision tells. Where there are more, it is read again: a row of the journal and the revision it belongs to are committed
 * together, so that one which still is behind was put back. What else comes later is for the next audit.
 *
 * @yields For each transaction, and each journal without one, what it says otherwise than its journal.
 */
export async function* auditTransactions(query: Query): AsyncGenerator<Difference[]> {
  let after = '';
  let rows: AuditedRow[];
  do {
    rows = await transactionsAfter(query, after, PAGE);
    const audits = new Map(
      rows.map((row): [string, Audit] => [row.id, { row, replayed: undefined, cardMoves: [], lastSequence: 0 }]),
    );
    // The last page goes to the end of the journals, and with every other no gap is left: whatever there is, is seen.
    const last = rows.length === PAGE ? rows.at(-1)!.id : undefined;
    const strangers = await readJournals(query, audits, after, last);
    // Read after the transactions: what they ask for was promised with them.
    const orders = await listCardOrders(query, [...audits.keys()]);
    for (const [id, audit] of audits) {
      yield [
        ...differencesOf(audit),
        ...cardDifferences(
          audit,
          orders.filter(({ transactionId }) => transactionId === id),
        ),
        ...(await putBack(query, audit)),
      ];
    }
    for (const id of strangers) yield* orphaned(query, id);
    after = last ?? after;
  } while (rows.length === PAGE);
}

/** @returns The ids in the journals that no transaction of the page has. */
async function readJournals(
  query: Query,
  audits: ReadonlyMap<string, Audit>,
  afterId: string,
  lastId: string | undefined,
): Promise<Set<string>> {
  const strangers = new Set<string>();
  let after: { id: string; sequence?: number } = { id: afterId };
  for (;;) {
    const events = await eventsBetween(query, after, lastId, PAGE);
    for (const event of events) {
      const audit = audits.get(event.transaction_id);
      if (!audit) strangers.add(event.transaction_id);
      else follow(audit, event);
    }
    const end = events.at(-1);
    if (!end || events.length < PAGE) return strangers;
    after = { id: end.transaction_id, sequence: end.sequence };
  }
}

function follow(audit: Audit, event: Parameters<typeof replay>[1]): void {
  audit.lastSequence = event.sequence;
  if (audit.fault !== undefined || event.sequence > audit.row.revision) return;
  try {
    const before = audit.replayed;
    audit.replayed = replay(before, event);
    const move = journaledMove(before, audit.replayed, Number(audit.row.cardCents));
    if (move) audit.cardMoves.push(move);
  } catch (thrown) {
    audit.fault = (thrown as Error).message;
  }
}

function differencesOf({ row, replayed, fault }: Audit): Difference[] {
  const { id: transactionId, cardCents: _cardCents, ...stored } = row;
  if (fault !== undefined || !replayed) {
    return [{ transactionId, what: 'journal', stored: fault ?? 'expected a journal, but found none', recomputed: null }];
  }
  return (Object.keys(stored) as (keyof Replayed)[])
    .filter((what) => !isDeepStrictEqual(stored[what], replayed[what]))
    .map((what) => ({ transactionId, what, stored: stored[what], recomputed: replayed[what] }));
}

function cardDifferences({ row, replayed, fault, cardMoves }: Audit, orders: readonly EnqueuedCardOrder[]): Difference[] {
  if (fault !== undefined || !replayed) return [];
  const promised = promisedOtherwise(cardMoves, orders, replayed.revision);
  return promised ? [{ transactionId: row.id, what: 'card', stored: promised, recomputed: cardMoves }] : [];
}

/** Whether the transaction is at a revision that its journal is beyond. */
async function putBack(query: Query, { row, lastSequence }: Audit): Promise<Difference[]> {
  if (lastSequence <= row.revision) return [];
  const { revision } = (await auditedRow(query, row.id)) ?? row;
  if (revision >= lastSequence) return [];
  return [{ transactionId: row.id, what: 'revision', stored: revision, recomputed: lastSequence }];
}

/** A journal whose transaction was not on its page: it was written later, or is missing. */
async function* orphaned(query: Query, transactionId: string): AsyncGenerator<Difference[]> {
  if (await auditedRow(query, transactionId)) return;
  yield [{ transactionId, what: 'journal', stored: 'expected its transaction, but found none', recomputed: null }];
}

/** What a card gateway is to do because of a row of the journal. */
type JournaledMove = CardMove & { sequence: number };

/** What one more row of a journal asks of the card. */
function journaledMove(before: Replayed | undefined, after: Replayed, cardCents: number): JournaledMove | undefined {
  const move = before && cardMoveOf(cardStateOf(before, cardCents), cardStateOf(after, cardCents));
  return move && { ...move, sequence: after.revision };
}

function cardStateOf({ status, adjustedTotal }: Replayed, cardCents: number): CardState {
  return { status, leftCents: adjustedTotal, cardCents };
}

/**
 * What was promised up to a revision, where it is not what the journal asks for; undefined where it is.
 *
 * @param promised - Of one transaction, in any order.
 */
function promisedOtherwise(
  asked: readonly JournaledMove[],
  promised: readonly EnqueuedCardOrder[],
  revision: number,
): JournaledMove[] | undefined {
  const moves = promised
    .filter(({ sequence }) => sequence <= revision)
    .map(({ sequence, type, amountCents }) => ({ type, amountCents, sequence }))
    .toSorted((one, other) => one.sequence - other.sequence);
  return isDeepStrictEqual(moves, asked) ? undefined : moves;
}
