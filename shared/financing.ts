import { shareHalfUp } from './repayment.ts';
import type { RateSheet } from './programs/rate-sheet.ts';

/** A fee of a program as it is for one purchase. */
export type ChargedFee = RateSheet['fees'][number] & { cents: number };

/** How a purchase becomes a loan, whatever its term. Amounts are cents. */
export interface Financing {
  purchaseCents: number;
  downPaymentCents: number;
  /** Those that are not nothing. */
  fees: ChargedFee[];
  /** What the loan is for: the purchase less the down payment, and the fees that are lent. */
  principalCents: number;
  /** The fees that are part of the finance charge. */
  prepaidFinanceChargeCents: number;
  /** The principal less those: 12 CFR 1026.18(b). */
  amountFinancedCents: number;
  /** What the buyer pays on the day of the loan: the down payment, and the fees that are not lent. */
  dueTodayCents: number;
}

/** Works out the down payment and the fees of a purchase. A purchase that the down payment covers has a principal of 0. */
export function financingOf({ downPayment, fees }: Pick<RateSheet, 'downPayment' | 'fees'>, purchaseCents: number): Financing {
  const percentCents = Math.ceil((purchaseCents * downPayment.percentBps) / 10_000);
  const downPaymentCents = Math.min(purchaseCents, Math.max(downPayment.minCents, percentCents));
  const lentCents = purchaseCents - downPaymentCents;
  const charged = fees.map((fee) => chargedFee(fee, lentCents)).filter(({ cents }) => cents > 0);

  const principalCents = lentCents + sumOf(charged.filter(({ financed }) => financed));
  const prepaidFinanceChargeCents = sumOf(charged.filter(({ financeCharge }) => financeCharge));
  return {
    purchaseCents,
    downPaymentCents,
    fees: charged,
    principalCents,
    prepaidFinanceChargeCents,
    amountFinancedCents: principalCents - prepaidFinanceChargeCents,
    dueTodayCents: downPaymentCents + sumOf(charged.filter(({ financed }) => !financed)),
  };
}

function chargedFee(fee: RateSheet['fees'][number], lentCents: number): ChargedFee {
  const cents = Math.max(fee.minCents, shareHalfUp(lentCents, fee.amountBps, 10_000) + fee.flatCents);
  return { ...fee, cents: Math.min(fee.maxCents ?? Infinity, cents) };
}

function sumOf(fees: readonly ChargedFee[]): number {
  return fees.reduce((sum, { cents }) => sum + cents, 0);
}
