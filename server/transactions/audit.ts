import { keysOf } from '../../shared/objects.ts';
import { messageOf } from '../errors.ts';
import { isDeepStrictEqual } from 'node:util';
import { dateIn } from '../../shared/dates.ts';
import type { Query } from '../db/database.ts';
import {
  type EnqueuedLenderEvent,
  listCardOperations,
  listLenderEvents,
  type EnqueuedCardOperation,
} from '../notifications/outbox.ts';
import { listLinesOf, type NewLine } from '../settlements/store.ts';
import { accrualsOf } from './accrual.ts';
import { type AuditedEvent, findAudited, type AuditedRow, listEvents, listAudited } from './audit-store.ts';
import { type CardOperation, cardOperationFor, type CardState } from './card.ts';
import { loanEventId, loanEventOf } from './loan-events.ts';
import { quantitiesIn, rebuild, type RebuiltTransaction } from './rebuild.ts';

/** Number of transactions or journal rows per query. */
const PAGE_SIZE = 200;

/**
 * A stored value that differs from the journal. `journal`: the journal is missing or inconsistent. `card`: the enqueued card operations
 * differ from those that the journal implies. `lender`: the events for the lender, delivered and pending, do. `settlement`: the lines of
 * settlements do.
 */
export interface Difference {
  transactionId: string;
  what: keyof RebuiltTransaction | 'journal' | 'card' | 'lender' | 'settlement';
  stored: unknown;
  recomputed: unknown;
}

/** A transaction and its state according to the journal rows that were read so far. */
interface Audit {
  row: AuditedRow;
  rebuilt: RebuiltTransaction | undefined;
  /** Card operations that the journal implies. */
  cardOperations: JournaledOperation[];
  /** Events for the lender that the journal implies. */
  loanEvents: LoanEventContent[];
  /** Lines of settlements that the journal implies. */
  lines: AuditedLine[];
  /** Highest sequence in the journal. */
  lastSequence: number;
  /** The inconsistency of the journal, if any. */
  error?: string;
}

/**
 * Recalculates every transaction from its journal, in the order of ids, and finds journals without a transaction.
 *
 * Supports concurrent writes: only rows up to the revision of the transaction are rebuilt. If there are later rows, the transaction is
 * read again. Rows and revisions are committed together, so a revision that is still lower is a difference.
 *
 * @yields The differences of each transaction, and of each journal without one.
 */
export async function* auditTransactions(query: Query): AsyncGenerator<Difference[]> {
  let after = '';
  let rows: AuditedRow[];
  do {
    rows = await listAudited(query, after, PAGE_SIZE);
    const audits = new Map(
      rows.map((row): [string, Audit] => [
        row.id,
        { row, rebuilt: undefined, cardOperations: [], loanEvents: [], lines: [], lastSequence: 0 },
      ]),
    );
    // The last page includes all remaining journals, so that none is skipped.
    const last = rows.length === PAGE_SIZE ? rows.at(-1)!.id : undefined;
    const orphanIds = await readJournals(query, audits, after, last);
    // Read after the transactions, because card operations are committed with the changes that cause them.
    const enqueued = await listCardOperations(query, [...audits.keys()]);
    const lines = await listLinesOf(query, [...audits.keys()]);
    const applicationIds = rows.map(({ loan }) => loan.applicationId);
    const sent = await listLenderEvents(query, applicationIds);
    for (const [id, audit] of audits) {
      yield [
        ...differencesOf(audit),
        ...cardDifferences(
          audit,
          enqueued.filter(({ transactionId }) => transactionId === id),
        ),
        ...lenderDifferences(
          audit,
          sent.filter(({ transactionId }) => transactionId === id),
        ),
        ...lineDifferences(
          audit,
          lines.filter(({ transactionId }) => transactionId === id),
        ),
        ...(await revisionDifferences(query, audit)),
      ];
    }
    for (const id of orphanIds) yield* orphaned(query, id);
    after = last ?? after;
  } while (rows.length === PAGE_SIZE);
}

/** Rebuilds the journals of a page. Returns the ids in the journals without a transaction on the page. */
async function readJournals(
  query: Query,
  audits: ReadonlyMap<string, Audit>,
  afterId: string,
  lastId: string | undefined,
): Promise<Set<string>> {
  const orphanIds = new Set<string>();
  let after: { id: string; sequence?: number } = { id: afterId };
  for (;;) {
    const events = await listEvents(query, after, lastId, PAGE_SIZE);
    for (const event of events) {
      const audit = audits.get(event.transactionId);
      if (!audit) orphanIds.add(event.transactionId);
      else rebuildNext(audit, event);
    }
    const end = events.at(-1);
    if (!end || events.length < PAGE_SIZE) return orphanIds;
    after = { id: end.transactionId, sequence: end.sequence };
  }
}

function rebuildNext(audit: Audit, event: AuditedEvent): void {
  audit.lastSequence = event.sequence;
  if (audit.error !== undefined || event.sequence > audit.row.revision) return;
  try {
    const before = audit.rebuilt;
    audit.rebuilt = rebuild(before, event);
    const operation = journaledOperation(before, audit.rebuilt, Number(audit.row.cardCents));
    if (operation) audit.cardOperations.push(operation);
    const loanEvent = journaledEvent(audit.rebuilt, audit.row, event);
    if (loanEvent) audit.loanEvents.push(loanEvent);
    audit.lines.push(...journaledLines(before, audit.rebuilt, audit.row, event));
  } catch (thrown) {
    audit.error = messageOf(thrown);
  }
}

function differencesOf({ row, rebuilt, error }: Audit): Difference[] {
  const { id: transactionId, cardCents: _cardCents, cardReference: _reference, loan: _loan, ...stored } = row;
  if (error !== undefined || !rebuilt) {
    return [{ transactionId, what: 'journal', stored: error ?? 'expected a journal, but found none', recomputed: null }];
  }
  return keysOf(stored)
    .filter((what) => !isDeepStrictEqual(stored[what], rebuilt[what]))
    .map((what) => ({ transactionId, what, stored: stored[what], recomputed: rebuilt[what] }));
}

function cardDifferences(
  { row, rebuilt, error, cardOperations }: Audit,
  enqueued: readonly EnqueuedCardOperation[],
): Difference[] {
  if (error !== undefined || !rebuilt) return [];
  const differing = differingCardOperations(cardOperations, enqueued, {
    revision: rebuilt.revision,
    cardReference: row.cardReference,
  });
  return differing ? [{ transactionId: row.id, what: 'card', stored: differing, recomputed: cardOperations }] : [];
}

/** Returns a difference if the revision is lower than the journal's. */
async function revisionDifferences(query: Query, { row, lastSequence }: Audit): Promise<Difference[]> {
  if (lastSequence <= row.revision) return [];
  const { revision } = (await findAudited(query, row.id)) ?? row;
  if (revision >= lastSequence) return [];
  return [{ transactionId: row.id, what: 'revision', stored: revision, recomputed: lastSequence }];
}

/** Yields a difference if a journal has no transaction, and not only a transaction that is newer than the page. */
async function* orphaned(query: Query, transactionId: string): AsyncGenerator<Difference[]> {
  if (await findAudited(query, transactionId)) return;
  yield [{ transactionId, what: 'journal', stored: 'expected its transaction, but found none', recomputed: null }];
}

/** A card operation that a journal row implies. */
type JournaledOperation = CardOperation & { sequence: number };

function journaledOperation(
  before: RebuiltTransaction | undefined,
  after: RebuiltTransaction,
  cardCents: number,
): JournaledOperation | undefined {
  const operation = before && cardOperationFor(cardStateOf(before, cardCents), cardStateOf(after, cardCents));
  return operation && { ...operation, sequence: after.revision };
}

function cardStateOf({ status, adjustedTotal, cardReduced }: RebuiltTransaction, cardCents: number): CardState {
  return { status, leftCents: adjustedTotal, cardCents, cardReducedCents: cardReduced };
}

/**
 * The content of an event for the lender, without its position among the events of its application, and without the merchant's order id,
 * which the journal does not have.
 */
type LoanEventContent = Readonly<Record<string, unknown>> & { revision: number };

function journaledEvent(after: RebuiltTransaction, row: AuditedRow, change: AuditedEvent): LoanEventContent | undefined {
  const { eventsAfter, applicationId, requestId, ...facts } = row.loan;
  if (change.sequence <= eventsAfter) return undefined;
  const state = { ...cardStateOf(after, Number(row.cardCents)), revision: after.revision };
  const event = loanEventOf(facts, state, { ...change, lines: quantitiesIn(change) });
  if (!event) return undefined;
  const { merchantOrderId: _, ...content } = event;
  return { id: loanEventId(row.id, after.revision, change.at), at: change.at, applicationId, requestId, ...content };
}

/** A line without what identifies its merchant. */
type AuditedLine = Omit<NewLine, 'merchantId' | 'transactionId'>;

function journaledLines(
  before: RebuiltTransaction | undefined,
  after: RebuiltTransaction,
  { cardCents, loan }: AuditedRow,
  { sequence, at }: AuditedEvent,
): AuditedLine[] {
  if (!before) return [];
  const stateBefore = cardStateOf(before, Number(cardCents));
  const stateAfter = cardStateOf(after, Number(cardCents));
  const day = dateIn(at, loan.timeZone);
  return accrualsOf(loan.merchantDiscount, stateBefore, stateAfter).map((accrual) => ({ sequence, ...accrual, day, at }));
}

function lineDifferences({ row, rebuilt, error, lines }: Audit, stored: readonly NewLine[]): Difference[] {
  if (error !== undefined || !rebuilt) return [];
  const existing = stored
    .filter(({ sequence }) => sequence <= rebuilt.revision)
    .map(({ sequence, type, grossCents, feeCents, day, at }) => ({ sequence, type, grossCents, feeCents, day, at }));
  if (isDeepStrictEqual(existing, lines)) return [];
  return [{ transactionId: row.id, what: 'settlement', stored: existing, recomputed: lines }];
}

/** Compares the events in the order in which the lender receives them. */
function lenderDifferences({ row, rebuilt, error, loanEvents }: Audit, enqueued: readonly EnqueuedLenderEvent[]): Difference[] {
  if (error !== undefined || !rebuilt) return [];
  const events = enqueued
    .filter(({ revision }) => revision <= rebuilt.revision)
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(({ transactionId: _id, sequence: _sequence, revision: _revision, body }) => {
      const { sequence: _position, merchantOrderId: _merchantOrderId, ...content } = body;
      return content;
    });
  if (isDeepStrictEqual(events, loanEvents)) return [];
  return [{ transactionId: row.id, what: 'lender', stored: events, recomputed: loanEvents }];
}

/**
 * Returns the enqueued card operations up to a revision if they differ from those that the journal implies; undefined otherwise. Releases of
 * earlier references of the card are not in the journal: they move no money.
 */
function differingCardOperations(
  expected: readonly JournaledOperation[],
  enqueued: readonly EnqueuedCardOperation[],
  { revision, cardReference }: { revision: number; cardReference: string },
): JournaledOperation[] | undefined {
  const operations = enqueued
    .filter(({ sequence, type, reference }) => sequence <= revision && (type !== 'release' || reference === cardReference))
    .map(({ sequence, type, amountCents }) => ({ type, amountCents, sequence }))
    .toSorted((a, b) => a.sequence - b.sequence);
  return isDeepStrictEqual(operations, expected) ? undefined : operations;
}
