import { netCentsOf } from '../../../shared/settlement.ts';
import type { SettlementLine as PresentedLine, Settlement as PresentedSettlement } from '../../../shared/wire/settlement.ts';
import { type CsvColumn, fieldColumns } from '../../base/csv.ts';
import { balanceOf, type Settlement, type SettlementLine } from './store.ts';

/** Presents a settlement in the merchant API. */
export function presentSettlement(settlement: Settlement): PresentedSettlement {
  const { id, day, currency, lineCount, grossCents, feeCents, carriedCents, bankReference, paidOn, createdAt } = settlement;
  const { payoutCents, balanceCents } = balanceOf(settlement);
  return {
    id,
    day,
    currency,
    lineCount,
    gross: grossCents,
    fee: feeCents,
    net: netCentsOf(settlement),
    carried: carriedCents,
    payout: payoutCents,
    balance: balanceCents,
    bankReference,
    paidOn,
    createdAt,
  };
}

export function presentLine(line: SettlementLine): PresentedLine {
  const { transactionId, sequence, type, orderRef, merchantOrderId, grossCents, feeCents, cardReference, day, at } = line;
  const isCard = type === 'settled-by-card' || type === 'refunded-to-card';
  return {
    id: `${transactionId}.${sequence}.${type}`,
    type,
    transactionId,
    orderRef,
    merchantOrderId,
    gross: grossCents,
    fee: feeCents,
    net: netCentsOf(line),
    cardReference: isCard ? cardReference : '',
    day,
    at,
  };
}

/** Columns of settlements: the fields of the JSON. */
export const settlementColumns: readonly CsvColumn<PresentedSettlement>[] = [
  ...fieldColumns('id', 'day', 'currency', 'lineCount', 'gross', 'fee', 'net', 'carried', 'payout', 'balance'),
  ...fieldColumns('bankReference', 'paidOn', 'createdAt'),
];

/** A row of the CSV file of lines. */
type LineRow = Omit<PresentedLine, 'type'> & { type: PresentedLine['type'] | 'carried' | 'balance'; settlement: Settlement };

/**
 * Presents the balance that a settlement carries, or the one that it leaves to the next one, as a row of the CSV file. With them, the rows
 * of a settlement add up to its payout, and those of a bank reference to its transfer.
 */
export function balanceRow(settlement: Settlement, type: 'carried' | 'balance', cents: number): LineRow {
  const { id, day, createdAt: at } = settlement;
  const order = { transactionId: '', orderRef: '', merchantOrderId: '', cardReference: '' };
  return { id: `${id}.${type}`, type, ...order, gross: cents, fee: 0, net: cents, day, at, settlement };
}

/** Columns of lines: the fields of the JSON, and the settlement. */
export const lineColumns: readonly CsvColumn<LineRow>[] = [
  ['settlementId', ({ settlement }) => settlement.id],
  ['bankReference', ({ settlement }) => settlement.bankReference],
  ...fieldColumns('id', 'type', 'transactionId', 'orderRef', 'merchantOrderId'),
  ['currency', ({ settlement }) => settlement.currency],
  ...fieldColumns('gross', 'fee', 'net', 'cardReference', 'day', 'at'),
];
