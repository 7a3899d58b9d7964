import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import type { LoanCharges } from '../../../shared/recast.ts';
import { dateIn } from '../../base/time.ts';
import { type Application, findApplication, findApplications } from '../../lending/applications/store.ts';
import { keysOf } from '../../../shared/objects.ts';
import { messageOf } from '../../base/errors.ts';
import { isDeepStrictEqual } from 'node:util';
import { pagesOf, type Query } from '../../db/database.ts';
import { amountsAfter, type BookedLoan, type LoanAmounts, type LoanBook } from '../../lending/lenders/loan-book.ts';
import {
  type EnqueuedServicingEvent,
  type ServicingPosition,
  listServicingEvents,
  listServicingPositions,
} from '../../messages/servicing-store.ts';
import { listCardOperations, type EnqueuedCardOperation } from '../../messages/outbox.ts';
import { listLinesOf, type NewLine } from '../settlements/store.ts';
import { accrualsOf } from './accrual.ts';
import { auditLoanEnds, type LoanEndDifference } from './audit-loan-end.ts';
import { type AuditedEntry, findAudited, type AuditedRow, listAuditedEntries, listAudited } from './audit-store.ts';
import { type CardOperation, cardOperationFor, type CardState } from './card.ts';
import { currentCharges, loanAfter } from './loan.ts';
import { loanEventId, loanEventOf } from './loan-events.ts';
import { quantitiesIn, rebuild, type RebuiltTransaction } from './rebuild.ts';
import { type LoanDifference, loanDifferences, readLoans } from './reconcile.ts';

/** Number of transactions or journal rows per query. */
const PAGE_SIZE = 200;

/**
 * A stored value that differs from the journal. `journal`: the journal is missing or inconsistent. `card`: the enqueued card operations
 * differ from those that the journal implies. `lender`: the events for the lender, delivered and pending, do, or their positions. `loan` and its
 * fields: the lender's book differs from the journal; `stored` is the lender's value. `settlement`: the lines of settlements do. `charges`: the
 * fees and the APR of the loan differ from those of the agreement after the changes in the journal. `loanEndsOn`: the last due date differs from
 * that of the journal, the agreement and the lender's schedule.
 */
export interface Difference {
  transactionId: string;
  what:
    | keyof RebuiltTransaction
    | 'journal'
    | 'card'
    | 'lender'
    | 'settlement'
    | 'charges'
    | LoanEndDifference['what']
    | LoanDifference['what'];
  stored: unknown;
  recomputed: unknown;
}

/** A transaction and its state according to the journal rows that were read so far. */
interface Audit {
  row: AuditedRow;
  /** As signed; undefined if the agreement was deleted. */
  disclosure: LoanDisclosure | undefined;
  journal: AuditedEntry[];
  /** Of the loan according to the journal; null without its agreement. */
  charges: LoanCharges | null;
  rebuilt: RebuiltTransaction | undefined;
  /** Card operations that the journal implies. */
  cardOperations: JournaledOperation[];
  /** Events for the lender that the journal implies. */
  loanEvents: LoanEventContent[];
  /** Lines of settlements that the journal implies. */
  lines: AuditedLine[];
  /** Amounts of the loan before the first event, and after each one. */
  loanAmounts: LoanAmounts[];
  /** Highest sequence in the journal. */
  lastSequence: number;
  /** The inconsistency of the journal, if any. */
  error?: string;
}

/** An audit of a consistent journal. */
type RebuiltAudit = Audit & { rebuilt: RebuiltTransaction };

function isRebuilt(audit: Audit): audit is RebuiltAudit {
  return audit.error === undefined && audit.rebuilt !== undefined;
}

/** The card operations, events and lines of a transaction in other tables. */
interface StoredEffects {
  operations: readonly EnqueuedCardOperation[];
  /** Of its application, like their positions. */
  events: readonly EnqueuedServicingEvent[];
  positions: readonly ServicingPosition[];
  lines: readonly NewLine[];
}

/**
 * Recalculates every transaction from its journal, in the order of ids, and finds journals without a transaction.
 *
 * Supports concurrent writes: only rows up to the revision of the transaction are rebuilt. If there are later rows, the transaction is
 * read again. Rows and revisions are committed together, so a revision that is still lower is a difference.
 *
 * @param book - The book of the lender, to compare its loans, too.
 * @yields The differences of each transaction, and of each journal and loan without one.
 * @throws Error - the lender does not list its loans.
 */
export async function* auditTransactions(query: Query, book?: LoanBook): AsyncGenerator<Difference[]> {
  let after = '';
  let rows: AuditedRow[];
  do {
    rows = await listAudited(query, after, PAGE_SIZE);
    const applicationIds = rows.map(({ loan }) => loan.applicationId);
    const applications = await findApplications(query, applicationIds);
    const audits = new Map(rows.map((row): [string, Audit] => [row.id, newAudit(row, applications.get(row.loan.applicationId))]));
    // The last page includes all remaining journals, so that none is skipped.
    const last = rows.length === PAGE_SIZE ? rows.at(-1)!.id : undefined;
    const orphanIds = await readJournals(query, audits, { id: after }, last);
    // Read after the transactions, because card operations are committed with the changes that cause them.
    const enqueued = await listCardOperations(query, [...audits.keys()]);
    const lines = await listLinesOf(query, [...audits.keys()]);
    const sent = byApplication(await listServicingEvents(query, applicationIds));
    const positions = byApplication(await listServicingPositions(query, applicationIds));
    const sound = [...audits.values()].filter((audit) => isRebuilt(audit) && stateDifferences(audit).length === 0);
    const soundIds = sound.map(({ row }) => row.id);
    const loanEnds = await auditLoanEnds(query, soundIds, applications);
    // Read after the deliveries, so that the book must include them.
    const booked = book && (await readLoans(book, after || undefined, last, rows.length));
    for (const [id, audit] of audits) {
      const { applicationId } = audit.row.loan;
      const events = sent.get(applicationId) ?? [];
      const stored = {
        operations: enqueued.filter(({ transactionId }) => transactionId === id),
        events,
        positions: positions.get(applicationId) ?? [],
        lines: lines.filter(({ transactionId }) => transactionId === id),
      };
      yield [
        ...(isRebuilt(audit) ? await differencesOf(query, audit, stored) : [brokenJournal(audit)]),
        ...loanEnds.filter(({ transactionId }) => transactionId === id),
        ...(await revisionDifferences(query, audit)),
        ...(booked && isRebuilt(audit) ? await bookDifferences(query, audit, events, booked.get(id)) : []),
      ];
    }
    for (const id of orphanIds) yield* orphaned(query, id);
    for (const loan of booked?.values() ?? []) if (!audits.has(loan.transactionId)) yield* unknownLoan(query, loan);
    after = last ?? after;
  } while (rows.length === PAGE_SIZE);
}

function byApplication<Row extends { applicationId: string }>(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.applicationId);
    if (group) group.push(row);
    else groups.set(row.applicationId, [row]);
  }
  return groups;
}

function newAudit(row: AuditedRow, application: Application | undefined): Audit {
  const disclosure = application?.paymentAgreements[0]?.disclosure;
  const effects = { cardOperations: [], loanEvents: [], lines: [], loanAmounts: [] };
  return { row, disclosure, journal: [], charges: null, rebuilt: undefined, ...effects, lastSequence: 0 };
}

/** Rebuilds the journals of a page. Returns the ids in the journals without a transaction on the page. */
async function readJournals(
  query: Query,
  audits: ReadonlyMap<string, Audit>,
  from: { id: string; sequence?: number },
  lastId: string | undefined,
): Promise<Set<string>> {
  const orphanIds = new Set<string>();
  const pages = pagesOf<AuditedEntry>(PAGE_SIZE, (last) => {
    const after = last ? { id: last.transactionId, sequence: last.sequence } : from;
    return listAuditedEntries(query, after, lastId, PAGE_SIZE);
  });
  for await (const entries of pages) {
    for (const entry of entries) {
      const audit = audits.get(entry.transactionId);
      if (!audit) orphanIds.add(entry.transactionId);
      else rebuildNext(audit, entry);
    }
  }
  return orphanIds;
}

function rebuildNext(audit: Audit, entry: AuditedEntry): void {
  audit.lastSequence = entry.sequence;
  const { row, rebuilt: before } = audit;
  if (audit.error !== undefined || entry.sequence > row.revision) return;
  try {
    const after = rebuild(before, entry);
    audit.rebuilt = after;
    if (before) addPayments(audit, cardStateOf(row, before), cardStateOf(row, after), entry);
    audit.journal.push(entry);
    audit.charges = chargesAfter(audit, after);
    addLoanEvent(audit, after, entry);
  } catch (thrown) {
    audit.error = messageOf(thrown);
  }
}

function brokenJournal({ row, error }: Audit): Difference {
  const stored = error ?? 'expected a journal, but found none';
  return { transactionId: row.id, what: 'journal', stored, recomputed: null };
}

async function differencesOf(query: Query, audit: RebuiltAudit, stored: StoredEffects): Promise<Difference[]> {
  return [
    ...stateDifferences(audit),
    ...cardDifferences(audit, stored.operations),
    ...(await lenderDifferences(query, audit, stored)),
    ...lineDifferences(audit, stored.lines),
    ...chargeDifferences(audit),
  ];
}

function stateDifferences({ row, rebuilt }: RebuiltAudit): Difference[] {
  const { id: transactionId, cardCents: _cardCents, cardReference: _reference, loan: _loan, charges: _, ...stored } = row;
  return keysOf(stored)
    .filter((what) => !isDeepStrictEqual(stored[what], rebuilt[what]))
    .map((what) => ({ transactionId, what, stored: stored[what], recomputed: rebuilt[what] }));
}

/** Releases of earlier references of the card are not in the journal: they move no money. */
function cardDifferences(
  { row, rebuilt, cardOperations }: RebuiltAudit,
  enqueued: readonly EnqueuedCardOperation[],
): Difference[] {
  const stored = enqueued
    .filter(({ sequence }) => sequence <= rebuilt.revision)
    .filter(({ type, reference }) => type !== 'release' || reference === row.cardReference)
    .map(({ sequence, type, amountCents }) => ({ type, amountCents, sequence }))
    .toSorted((a, b) => a.sequence - b.sequence);
  if (isDeepStrictEqual(stored, cardOperations)) return [];
  return [{ transactionId: row.id, what: 'card', stored, recomputed: cardOperations }];
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

function cardStateOf(row: AuditedRow, { status, adjustedTotal, cardReduced }: RebuiltTransaction): CardState {
  return { status, leftCents: adjustedTotal, cardCents: Number(row.cardCents), cardReducedCents: cardReduced };
}

/** Adds the card operation and the lines of settlements that a row implies. */
function addPayments(audit: Audit, before: CardState, after: CardState, { sequence, at }: AuditedEntry): void {
  const operation = cardOperationFor(before, after);
  if (operation) audit.cardOperations.push({ ...operation, sequence });
  const { merchantDiscount, timeZone } = audit.row.loan;
  const day = dateIn(at, timeZone);
  for (const accrual of accrualsOf(merchantDiscount, before, after)) audit.lines.push({ sequence, ...accrual, day, at });
}

/**
 * The content of an event for the lender, without its position among the events of its application, and without the merchant's order id,
 * which the journal does not have.
 */
type LoanEventContent = Readonly<Record<string, unknown>> & { revision: number };

/** Adds the event for the lender that a row implies, and the amounts of the loan after it. */
function addLoanEvent({ row, charges, loanEvents, loanAmounts }: Audit, after: RebuiltTransaction, change: AuditedEntry): void {
  const { applicationId, requestId, ...facts } = row.loan;
  const card = cardStateOf(row, after);
  const state = { ...card, revision: after.revision, charges };
  const event = loanEventOf(facts, state, { ...change, lines: quantitiesIn(change) });
  const signed = { revision: null, financedCents: after.total - card.cardCents, disburseCents: 0, merchantFeeCents: 0 };
  const before = loanAmounts.at(-1) ?? signed;
  const amounts = event ? amountsAfter(before, event) : before;
  // The first row of a journal is the creation, which causes no event.
  if (loanAmounts.length === 0) loanAmounts.push({ ...amounts, revision: null });
  else if (event) loanAmounts.push(amounts);
  if (!event) return;
  const { merchantOrderId: _, ...content } = event;
  const id = loanEventId(row.id, after.revision, change.at);
  loanEvents.push({ id, at: change.at, applicationId, requestId, ...content });
}

function chargesAfter({ row, disclosure, journal }: Audit, { status, total }: RebuiltTransaction): LoanCharges | null {
  if (!disclosure) return null;
  const { timeZone } = row.loan;
  const cardCents = Number(row.cardCents);
  const after = { status, totalCents: total, cardCents, timeZone, lenderSchedule: undefined, cardHold: undefined };
  return currentCharges(loanAfter(after, journal, disclosure), disclosure);
}

/** Returns a difference if the stored fees and APR of the loan are others. Those of a deleted agreement cannot be recalculated. */
function chargeDifferences({ row, charges }: RebuiltAudit): Difference[] {
  if (!charges || isDeepStrictEqual(row.charges, charges)) return [];
  return [{ transactionId: row.id, what: 'charges', stored: row.charges, recomputed: charges }];
}

/** A line without what identifies its merchant. */
type AuditedLine = Omit<NewLine, 'merchantId' | 'transactionId'>;

function lineDifferences({ row, rebuilt, lines }: RebuiltAudit, stored: readonly NewLine[]): Difference[] {
  const existing = stored
    .filter(({ sequence }) => sequence <= rebuilt.revision)
    .map(({ sequence, type, grossCents, feeCents, day, at }) => ({ sequence, type, grossCents, feeCents, day, at }));
  if (isDeepStrictEqual(existing, lines)) return [];
  return [{ transactionId: row.id, what: 'settlement', stored: existing, recomputed: lines }];
}

/** Compares the events in the order in which the lender receives them. */
async function lenderDifferences(
  query: Query,
  { row, rebuilt, loanEvents, lastSequence }: RebuiltAudit,
  { events: enqueued, positions }: StoredEffects,
): Promise<Difference[]> {
  const { id: transactionId } = row;
  const differences: Difference[] = [];
  const events = enqueued.filter((event) => event.transactionId !== transactionId || event.revision <= rebuilt.revision);
  const contents = events
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(({ body }) => {
      const { sequence: _position, merchantOrderId: _merchantOrderId, ...content } = body;
      return content;
    });
  const expected = loanEvents.map((event, index) => comparableWith(contents[index], event));
  if (!isDeepStrictEqual(contents, expected)) {
    differences.push({ transactionId, what: 'lender', stored: contents, recomputed: expected });
  }
  const latest = Math.max(0, ...enqueued.map(({ revision }) => revision));
  // An event is committed with the change that causes it, which the transaction that was read before may not have.
  if (latest > lastSequence && ((await findAudited(query, transactionId))?.revision ?? 0) < latest) {
    const stored = `an event of row ${latest}`;
    differences.push({ transactionId, what: 'lender', stored, recomputed: `row ${lastSequence} at most` });
  }
  const fault = positionFault(positions);
  if (fault) differences.push({ transactionId, what: 'lender', ...fault });
  return differences;
}

/** Returns an event with the stored charges if they cannot be recalculated, because the agreement was deleted, or if the stored one has none. */
function comparableWith(stored: Readonly<Record<string, unknown>> | undefined, event: LoanEventContent): LoanEventContent {
  if (!stored || ('principalCents' in stored && event.principalCents !== null)) return event;
  const { principalCents: _principal, feeCents: _fee, aprBps: _apr, ...content } = event;
  const { principalCents, feeCents, aprBps } = stored;
  return 'principalCents' in stored ? { ...content, principalCents, feeCents, aprBps } : content;
}

/**
 * Returns what is wrong about the positions of the events of an application: a gap, or a delivery before an earlier event. One that is sent
 * again may follow later ones.
 */
function positionFault(positions: readonly ServicingPosition[]): { stored: string; recomputed: string } | undefined {
  for (const [index, { sequence }] of positions.entries()) {
    if (sequence !== index + 1) return { stored: `event ${sequence}`, recomputed: `event ${index + 1} before it` };
  }
  const waiting = positions.find(({ isDelivered, wasReplayed }) => !isDelivered && !wasReplayed);
  const early = waiting && positions.find(({ sequence, isDelivered }) => sequence > waiting.sequence && isDelivered);
  if (!early) return undefined;
  return { stored: `event ${early.sequence} was delivered`, recomputed: `event ${waiting.sequence} before it` };
}

/** Compares a loan in the lender's book, which was read after the journal, and may include later events. */
async function bookDifferences(
  query: Query,
  audit: RebuiltAudit,
  events: readonly EnqueuedServicingEvent[],
  booked: BookedLoan | undefined,
): Promise<Difference[]> {
  const { row, lastSequence } = audit;
  const current = booked && (booked.revision ?? 0) > lastSequence ? ((await auditOne(query, row.id)) ?? audit) : audit;
  const delivered = events.filter(({ isDelivered }) => isDelivered).map(({ revision }) => revision);
  const deliveredRevision = delivered.length > 0 ? Math.max(...delivered) : null;
  const loan = { applicationId: row.loan.applicationId, amounts: current.loanAmounts, deliveredRevision };
  return loanDifferences(booked, loan).map((difference) => ({ transactionId: row.id, ...difference }));
}

/**
 * Yields the differences of a loan whose transaction was not read: it is newer, its agreement is being signed, or it does not exist.
 */
async function* unknownLoan(query: Query, loan: BookedLoan): AsyncGenerator<Difference[]> {
  const { transactionId, applicationId } = loan;
  const application = await findApplication(query, applicationId);
  // The lender may book the loan of a signed agreement before its transaction is saved.
  const isBeingSigned = application?.status === 'ATTEMPTED_CHECKOUT';
  if (isBeingSigned && application.paymentAgreements.some((agreement) => agreement.transactionId === transactionId)) return;
  const audit = await auditOne(query, transactionId);
  // Without the events, which were not read: the book may then be as of any row of the journal.
  if (audit) yield isRebuilt(audit) ? await bookDifferences(query, audit, [], loan) : [];
  else yield [{ transactionId, what: 'loan', stored: loan, recomputed: null }];
}

/** Rebuilds the journal of one transaction. Returns undefined if it does not exist. */
async function auditOne(query: Query, id: string): Promise<Audit | undefined> {
  const row = await findAudited(query, id);
  if (!row) return undefined;
  const audit = newAudit(row, await findApplication(query, row.loan.applicationId));
  await readJournals(query, new Map([[id, audit]]), { id, sequence: 0 }, id);
  return audit;
}
