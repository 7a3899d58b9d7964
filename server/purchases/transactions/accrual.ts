import { type MerchantDiscount, settledAmounts } from '../../../shared/settlement.ts';
import type { NewLine } from '../settlements/store.ts';
import { type CardState, isSettled, remainingCardCents, remainingFinancedCents } from './card.ts';

export type Accrual = Pick<NewLine, 'type' | 'grossCents' | 'feeCents'>;

/**
 * Returns what a change of a transaction adds to the settlement of its merchant: the financed portion when it is settled or refunded, and
 * a line of 0 for the card portion, which the card gateway pays. A pure function of the journal, so that `fairterm audit` recalculates
 * all lines.
 */
export function accrualsOf(discount: MerchantDiscount, before: CardState, after: CardState): Accrual[] {
  if (!isSettled(after)) return [];
  const isSettlement = !isSettled(before);
  const financedBefore = isSettlement ? 0 : remainingFinancedCents(before);
  const cardBefore = isSettlement ? 0 : remainingCardCents(before);
  const amounts = settledAmounts(financedBefore, remainingFinancedCents(after), discount);
  const isLoanLine = isSettlement || amounts.grossCents !== 0;
  const isCardLine = cardBefore !== remainingCardCents(after);
  return [
    ...(isLoanLine ? [{ type: isSettlement ? 'settled' : 'refunded', ...amounts } as const] : []),
    ...(isCardLine ? [{ type: isSettlement ? 'settled-by-card' : 'refunded-to-card', grossCents: 0, feeCents: 0 } as const] : []),
  ];
}
