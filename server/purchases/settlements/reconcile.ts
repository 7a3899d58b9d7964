import { netCentsOf } from '../../../shared/settlement.ts';
import type { Database, Query } from '../../db/database.ts';
import type { PayoutRow } from './payout-file.ts';
import {
  allLines,
  findSettlement,
  listLinesOf,
  type LinePosition,
  type Payment,
  type Receipt,
  savePayment,
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
 */
export interface PayoutDifference {
  what: 'unknown-line' | 'amount' | 'not-settled' | 'not-paid' | 'several-payments' | 'paid-before';
  settlementId: string | null;
  transactionId: string | null;
  revision: number | null;
  /** Net amount of the line in cents; null without one. */
  expectedCents: number | null;
  /** Amount in the file; null without one. */
  paidCents: number | null;
  /** The line in the file; null for a line that is not in it. */
  row: number | null;
}

/** A difference of a whole settlement. */
type SettlementDifference = PayoutDifference & { what: 'not-paid' | 'several-payments' | 'paid-before' };

export interface Reconciliation {
  differences: PayoutDifference[];
  /** Settlements without a difference, which have their bank reference now. */
  payments: Payment[];
}

/**
 * Compares a lender's payout file with the settlements. Saves what it states about each, and the bank references of settlements without a
 * difference, in one database transaction. Repeating it has no further effect.
 */
export async function reconcile(database: Database, rows: readonly PayoutRow[]): Promise<Reconciliation> {
  const { query } = database;
  const differences: PayoutDifference[] = [];
  const rowsBySettlement = new Map<string, PayoutRow[]>();
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH);
    const lines = await listLinesOf(query, [...new Set(batch.map(({ transactionId }) => transactionId))]);
    const lineOf = new Map(lines.filter(isPaid).map((each) => [keyOf(each), each]));
    for (const row of batch) {
      const line = lineOf.get(keyOf({ ...row, sequence: row.revision }));
      const common = { settlementId: line?.settlementId ?? null, transactionId: row.transactionId, revision: row.revision };
      const compared = { ...common, expectedCents: line ? netCentsOf(line) : null, paidCents: row.netCents, row: row.number };
      if (!line) differences.push({ what: 'unknown-line', ...compared });
      else if (compared.expectedCents !== row.netCents) differences.push({ what: 'amount', ...compared });
      if (!line) continue;
      if (line.settlementId === null) {
        differences.push({ what: 'not-settled', ...compared });
        continue;
      }
      const ofSettlement = rowsBySettlement.get(line.settlementId);
      if (ofSettlement) ofSettlement.push(row);
      else rowsBySettlement.set(line.settlementId, [row]);
    }
  }

  const payments: Payment[] = [];
  const receipts: Receipt[] = [];
  const otherAmounts = new Set(differences.flatMap(({ what, settlementId }) => (what === 'amount' ? [settlementId] : [])));
  // In the same order in all imports, so that concurrent ones cannot deadlock.
  const inOrder = [...rowsBySettlement].toSorted(([one], [other]) => (one < other ? -1 : 1));
  for (const [settlementId, ofSettlement] of inOrder) {
    const settlement = (await findSettlement(query, settlementId))!;
    const found = [...(await unpaidLines(query, settlement, ofSettlement)), ...paymentDifferences(settlement, ofSettlement)];
    differences.push(...found);
    const { bankReference, paidOn } = ofSettlement[0]!;
    const receivedDifference = otherAmounts.has(settlementId) ? 'amount' : (found[0]?.what ?? null);
    const receivedCents = ofSettlement.reduce((sum, { netCents }) => sum + netCents, 0);
    receipts.push({ settlementId, receivedCents, receivedOn: paidOn, receivedDifference });
    if (receivedDifference === null) payments.push({ settlementId, bankReference, paidOn });
  }
  await database.write(async (tx) => {
    for (const receipt of receipts) await saveReceipt(tx, receipt);
    for (const payment of payments) {
      if (await savePayment(tx, payment)) continue;
      throw new Error(
        `Settlement ${payment.settlementId} was paid by another import at the same time: nothing was saved, please retry`,
      );
    }
  });
  return { differences, payments };
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

function paymentDifferences(settlement: Settlement, rows: readonly PayoutRow[]): SettlementDifference[] {
  const { bankReference, paidOn, number } = rows[0]!;
  const differenceAt = (what: SettlementDifference['what'], row: number): SettlementDifference => {
    return { what, settlementId: settlement.id, transactionId: null, revision: null, expectedCents: null, paidCents: null, row };
  };
  const other = rows.find((row) => row.bankReference !== bankReference || row.paidOn !== paidOn);
  const isPaidBefore =
    settlement.bankReference !== null && (settlement.bankReference !== bankReference || settlement.paidOn !== paidOn);
  return [
    ...(other ? [differenceAt('several-payments', other.number)] : []),
    ...(isPaidBefore ? [differenceAt('paid-before', number)] : []),
  ];
}
