import type { MerchantDiscount } from '../../../shared/merchant-fee.ts';
import { settledAmounts } from '../../../shared/settlement.ts';
import type { NewLine } from '../settlements/store.ts';
import { type CardState, isSettled, remainingCardCents } from './card.ts';

export type Accrual = Pick<NewLine, 'type' | 'grossCents' | 'feeCents'>;

/**
 * Returns what a change of a transaction adds to the settlement of its merchant: the financed portion when it is settled or refunded, and
 * a line of 0 for the card portion, which the card gateway pays. A pure function of the journal, so that `fairterm audit` recalculates
 * all lines.
 */
export function accrualsOf(discount: MerchantDiscount, before: CardState, after: CardState): Accrual[] {
  if (!isSettled(after)) return [];
  const isSettlement = !isSettled(before);
  const paidBefore = isSettlement ? { financedCents: 0, cardCents: 0 } : portionsOf(before);
  const paidAfter = portionsOf(after);
  const amounts = settledAmounts(paidBefore.financedCents, paidAfter.financedCents, discount);
  const isLoanLine = isSettlement || amounts.grossCents !== 0;
  const isCardLine = paidBefore.cardCents !== paidAfter.cardCents;
  return [
    ...(isLoanLine ? [{ type: isSettlement ? 'settled' : 'refunded', ...amounts } as const] : []),
    ...(isCardLine ? [{ type: isSettlement ? 'settled-by-card' : 'refunded-to-card', grossCents: 0, feeCents: 0 } as const] : []),
  ];
}

function portionsOf(state: CardState): { financedCents: number; cardCents: number } {
  const cardCents = remainingCardCents(state);
  return { financedCents: state.leftCents - cardCents, cardCents };
}
