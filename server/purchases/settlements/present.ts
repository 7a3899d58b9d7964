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

/** Columns of lines: the fields of the JSON, and the settlement. */
export const lineColumns: readonly CsvColumn<PresentedLine & { settlement: Settlement }>[] = [
  ['settlementId', ({ settlement }) => settlement.id],
  ['bankReference', ({ settlement }) => settlement.bankReference],
  ...fieldColumns('id', 'type', 'transactionId', 'orderRef', 'merchantOrderId'),
  ['currency', ({ settlement }) => settlement.currency],
  ...fieldColumns('gross', 'fee', 'net', 'cardReference', 'day', 'at'),
];
