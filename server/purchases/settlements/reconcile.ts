import { netCentsOf } from '../../../shared/settlement.ts';
import type { Counter } from '../../base/progress.js';
import type { Instant } from '../../base/time.ts';
import type { Database, Query } from '../../db/database.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import type { PayoutRow } from './payout-file.ts';
import {
  type Account,
  allLines,
  balanceOf,
  findSettlement,
  listLinesOf,
  type LinePosition,
  listPaidBy,
  NOT_RECEIVED,
  type Receipt,
  saveReceipt,
  type Settlement,
} from './store.ts';

/** Rows of the file whose lines are read at a time. */
const BATCH = 500;

/**
 * A difference between a lender's payout file and the settlements:
 *
 * - `unknown-line`: no settlement or refund of a transaction has this revision
 * - `amount`: another amount was paid
 * - `not-settled`: the line is in no settlement yet
 * - `not-paid`: a line of a settlement that the file pays is not in the file
 * - `several-payments`: a settlement was paid by several transfers, or on several days
 * - `paid-before`: an earlier file has paid the settlement by another transfer
 * - `transfer`: the rows of the transfer have another sum than the payouts of its settlements, or another of its rows has a difference
 */
export interface PayoutDifference {
  what: 'unknown-line' | 'amount' | 'not-settled' | 'not-paid' | 'several-payments' | 'paid-before' | 'transfer';
  settlementId: string | null;
  transactionId: string | null;
  revision: number | null;
  /** Net amount of the line in cents, or the payouts of the transfer; null without them. */
  expectedCents: number | null;
  /** Amount in the file, or the sum of the transfer; null without one. */
  paidCents: number | null;
  /** The line in the file; null for a line that is not in it. */
  row: number | null;
}

/** A difference of a whole settlement. */
type SettlementDifference = PayoutDifference & { what: NonNullable<Settlement['receivedDifference']> };

/** The bank transfer that paid a settlement. */
type Payment = Pick<Settlement, 'bankReference' | 'paidOn'>;

/** An earlier payment of a settlement that was replaced, or removed: its fields are null then. */
export interface Correction {
  settlementId: string;
  before: Payment;
  after: Payment;
}

export interface Reconciliation {
  differences: PayoutDifference[];
  /** Settlements with a payout and without a difference, which have their bank reference now. */
  payments: (Payment & { settlementId: string })[];
  corrections: Correction[];
}

/** The rows with one bank reference for a merchant and currency. */
interface Transfer {
  bankReference: string;
  /** Sum of the rows. */
  paidCents: number;
  /** Sum of the payouts of its settlements, from which the balances that they carry are deducted. */
  payoutCents: number;
  hasDifference: boolean;
}

type MatchedRow = PayoutRow & { transfer: Transfer };

/** A settlement with its rows in the file, and its first difference. */
interface Comparison {
  settlement: Settlement;
  rows: readonly MatchedRow[];
  difference: Settlement['receivedDifference'];
}

/** The receipt that is saved for a settlement. */
interface Statement {
  settlement: Settlement;
  receipt: Receipt;
}

/**
 * Compares a lender's payout file with the settlements. Saves what it states about each, and the bank references of transfers without a
 * difference, in one database transaction. Repeating it has no further effect.
 *
 * @param replace - Replaces the payments that earlier files have stated for the settlements and the bank references of this one.
 * @param progress - Counts the settlements.
 */
export async function reconcile(
  database: Database,
  rows: readonly PayoutRow[],
  { replace, now, progress }: { replace: boolean; now: Instant; progress?: Counter },
): Promise<Reconciliation> {
  const { query } = database;
  const { differences, transfers, rowsBySettlement } = await matchRows(query, rows);
  const otherAmounts = new Set(differences.flatMap(({ what, settlementId }) => (what === 'amount' ? [settlementId] : [])));
  const comparisons: Comparison[] = [];
  for (const [id, ofSettlement] of rowsBySettlement) {
    const settlement = (await findSettlement(query, id))!;
    const unpaid = await unpaidLines(query, settlement, ofSettlement);
    const found = [...unpaid, ...paymentDifferences(settlement, ofSettlement, replace)];
    differences.push(...found);
    const difference = otherAmounts.has(id) ? 'amount' : (found[0]?.what ?? null);
    comparisons.push({ settlement, rows: ofSettlement, difference });
    progress?.count(comparisons.length, rowsBySettlement.size);
    for (const transfer of new Set(ofSettlement.map((row) => row.transfer))) {
      transfer.payoutCents += balanceOf(settlement).payoutCents;
      transfer.hasDifference ||= difference !== null;
    }
  }
  for (const comparison of comparisons) {
    const { transfer, number } = comparison.rows[0]!;
    const { payoutCents: expectedCents, paidCents, hasDifference } = transfer;
    if (comparison.difference !== null || (!hasDifference && paidCents === expectedCents)) continue;
    comparison.difference = 'transfer';
    differences.push({ ...differenceAt('transfer', comparison.settlement, number), expectedCents, paidCents });
  }

  const statements = comparisons.map((comparison) => statementOf(comparison, replace));
  if (replace) statements.push(...(await removedPayments(query, transfers, rowsBySettlement)));
  const corrections = await save(database, statements, now);
  const payments = statements.flatMap(({ settlement, receipt: { bankReference, paidOn, receivedDifference } }) =>
    bankReference === null || receivedDifference !== null ? [] : [{ settlementId: settlement.id, bankReference, paidOn }],
  );
  return { differences, payments, corrections };
}

/** Finds the line of each row, and adds the rows to their transfers and settlements. */
async function matchRows(query: Query, rows: readonly PayoutRow[]) {
  const differences: PayoutDifference[] = [];
  const transfers = new Map<string, Transfer>();
  const rowsBySettlement = new Map<string, MatchedRow[]>();
  /** Bank references of rows without a line, which have no account. */
  const unknownReferences = new Set<string>();
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH);
    const lines = await listLinesOf(query, [...new Set(batch.map(({ transactionId }) => transactionId))]);
    const lineOf = new Map(lines.filter(isPaid).map((each) => [keyOf(each), each]));
    for (const row of batch) {
      const { transactionId, revision, netCents: paidCents, bankReference, number } = row;
      const line = lineOf.get(keyOf({ transactionId, sequence: revision }));
      const settlementId = line?.settlementId ?? null;
      const expectedCents = line ? netCentsOf(line) : null;
      const compared = { settlementId, transactionId, revision, expectedCents, paidCents, row: number };
      if (!line) {
        differences.push({ what: 'unknown-line', ...compared });
        unknownReferences.add(bankReference);
        continue;
      }
      const key = transferKey(line, bankReference);
      const transfer = transfers.get(key) ?? { bankReference, paidCents: 0, payoutCents: 0, hasDifference: false };
      transfers.set(key, transfer);
      transfer.paidCents += paidCents;
      if (expectedCents !== paidCents) differences.push({ what: 'amount', ...compared });
      if (settlementId === null) {
        differences.push({ what: 'not-settled', ...compared });
        transfer.hasDifference = true;
        continue;
      }
      const ofSettlement = rowsBySettlement.get(settlementId);
      if (ofSettlement) ofSettlement.push({ ...row, transfer });
      else rowsBySettlement.set(settlementId, [{ ...row, transfer }]);
    }
  }
  for (const transfer of transfers.values()) transfer.hasDifference ||= unknownReferences.has(transfer.bankReference);
  return { differences, transfers, rowsBySettlement };
}

function transferKey({ merchantId, currency }: Account, bankReference: string): string {
  return `${merchantId} ${currency} ${bankReference}`;
}

/** Lines of the card portion are not paid by the lender. */
function isPaid({ type }: LinePosition): boolean {
  return type === 'settled' || type === 'refunded';
}

function keyOf({ transactionId, sequence }: Omit<LinePosition, 'type'>): string {
  return `${transactionId} ${sequence}`;
}

/** Returns the lines of a settlement that are not in the file. Those of 0 cents need not be in it. */
async function unpaidLines(query: Query, { id }: Settlement, rows: readonly PayoutRow[]): Promise<SettlementDifference[]> {
  const paid = new Set(rows.map((row) => keyOf({ ...row, sequence: row.revision })));
  const differences: SettlementDifference[] = [];
  for await (const lines of allLines(query, id)) {
    for (const line of lines) {
      const { transactionId, sequence: revision } = line;
      const expectedCents = netCentsOf(line);
      if (!isPaid(line) || expectedCents === 0 || paid.has(keyOf(line))) continue;
      const about = { settlementId: id, transactionId, revision };
      differences.push({ what: 'not-paid', ...about, expectedCents, paidCents: null, row: null });
    }
  }
  return differences;
}

function paymentDifferences(settlement: Settlement, rows: readonly PayoutRow[], replace: boolean): SettlementDifference[] {
  const { bankReference, paidOn, number } = rows[0]!;
  const other = rows.find((row) => row.bankReference !== bankReference || row.paidOn !== paidOn);
  const isPaidBefore = settlement.bankReference !== null && !isSamePayment(settlement, { bankReference, paidOn });
  return [
    ...(other ? [differenceAt('several-payments', settlement, other.number)] : []),
    ...(isPaidBefore && !replace ? [differenceAt('paid-before', settlement, number)] : []),
  ];
}

function isSamePayment(one: Payment, other: Payment): boolean {
  return one.bankReference === other.bankReference && one.paidOn === other.paidOn;
}

function differenceAt(what: SettlementDifference['what'], { id: settlementId }: Settlement, row: number): SettlementDifference {
  return { what, settlementId, transactionId: null, revision: null, expectedCents: null, paidCents: null, row };
}

/** Returns what the file states about a settlement. One without a payout has no payment, although its lines are a part of a transfer. */
function statementOf({ settlement, rows, difference }: Comparison, replace: boolean): Statement {
  const receivedCents = rows.reduce((sum, { netCents }) => sum + netCents, 0);
  const received = { receivedCents, receivedOn: rows[0]!.paidOn, receivedDifference: difference };
  if (difference !== null && !replace) return { settlement, receipt: { ...received, ...paymentOf(settlement) } };
  const hasPayment = difference === null && balanceOf(settlement).payoutCents > 0;
  return { settlement, receipt: { ...received, ...paymentOf(hasPayment ? rows[0]! : NOT_RECEIVED) } };
}

/** Returns statements that remove the payments of settlements that are no longer in the transfers that the file replaces. */
async function removedPayments(
  query: Query,
  transfers: ReadonlyMap<string, Transfer>,
  rowsBySettlement: ReadonlyMap<string, unknown>,
): Promise<Statement[]> {
  const references = [...new Set([...transfers.values()].map(({ bankReference }) => bankReference))];
  const removed: Statement[] = [];
  for (let start = 0; start < references.length; start += BATCH) {
    for (const settlement of await listPaidBy(query, references.slice(start, start + BATCH))) {
      const isOfTransfer = transfers.has(transferKey(settlement, settlement.bankReference ?? ''));
      if (isOfTransfer && !rowsBySettlement.has(settlement.id)) removed.push({ settlement, receipt: NOT_RECEIVED });
    }
  }
  return removed;
}

/** Saves what the file states, and returns the payments that it replaced or removed, which are recorded as security events. */
async function save(database: Database, statements: readonly Statement[], now: Instant): Promise<Correction[]> {
  const corrections = statements
    .filter(({ settlement, receipt }) => settlement.bankReference !== null && !isSamePayment(settlement, receipt))
    .map(({ settlement, receipt }) => ({ settlement, before: paymentOf(settlement), after: paymentOf(receipt) }));
  const events = corrections.map(({ settlement: { id, merchantId }, before, after }) => {
    const details = { settlementId: id, before: paymentText(before), after: paymentText(after) };
    return newSecurityEvent({ kind: 'payout-corrected', actor: 'console', merchantId, details }, now);
  });
  // In the same order in all imports, so that concurrent ones cannot deadlock.
  const inOrder = statements.toSorted((one, other) => (one.settlement.id < other.settlement.id ? -1 : 1));
  await database.write(async (tx) => {
    for (const { settlement, receipt } of inOrder) {
      if (await saveReceipt(tx, settlement, receipt)) continue;
      throw new Error(`Settlement ${settlement.id} was paid by another import at the same time: nothing was saved, please retry`);
    }
    for (const event of events) await addSecurityEvents(tx, event);
  });
  return corrections.map(({ settlement, before, after }) => ({ settlementId: settlement.id, before, after }));
}

function paymentOf({ bankReference, paidOn }: Payment): Payment {
  return { bankReference, paidOn };
}

/** Describes a payment for people. */
export function paymentText({ bankReference, paidOn }: Payment): string {
  return bankReference === null ? 'not paid' : `${bankReference} of ${paidOn}`;
}
