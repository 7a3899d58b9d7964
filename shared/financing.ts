import { shareHalfUp } from './amortization.ts';
import type { RateSheet } from './programs/rate-sheet.ts';

/** Minimum card payment in US cents. Gateways reject smaller amounts. */
export const MIN_CARD_CENTS = 50;

/** A program fee with its amount for one purchase. */
export type ChargedFee = RateSheet['fees'][number] & { cents: number };

/** The financing of a purchase, independent of the term. Amounts are in cents. */
export interface Financing {
  purchaseCents: number;
  downPaymentCents: number;
  /** Fees above zero. */
  fees: ChargedFee[];
  /** Purchase minus down payment, plus the financed fees. */
  principalCents: number;
  /** Fees that are part of the finance charge. */
  prepaidFinanceChargeCents: number;
  /** Principal minus the prepaid finance charge: 12 CFR 1026.18(b). */
  amountFinancedCents: number;
  /** Due on the day of the loan: the down payment and the fees that are not financed. */
  dueTodayCents: number;
}

/** Computes the down payment and the fees of a purchase. If the down payment covers the whole purchase, the principal is 0. */
export function computeFinancing(
  { downPayment, fees }: Pick<RateSheet, 'downPayment' | 'fees'>,
  purchaseCents: number,
): Financing {
  const percentCents = Math.ceil((purchaseCents * downPayment.percentBps) / 10_000);
  const downPaymentCents = Math.min(purchaseCents, Math.max(downPayment.minCents, percentCents));
  const purchaseBalanceCents = purchaseCents - downPaymentCents;
  const charged = fees.map((fee) => chargedFee(fee, purchaseBalanceCents)).filter(({ cents }) => cents > 0);

  const principalCents = purchaseBalanceCents + sumOf(charged.filter(({ financed }) => financed));
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

function chargedFee(fee: RateSheet['fees'][number], purchaseBalanceCents: number): ChargedFee {
  const cents = Math.max(fee.minCents, shareHalfUp(purchaseBalanceCents, fee.amountBps, 10_000) + fee.flatCents);
  return { ...fee, cents: Math.min(fee.maxCents ?? Infinity, cents) };
}

function sumOf(fees: readonly ChargedFee[]): number {
  return fees.reduce((sum, { cents }) => sum + cents, 0);
}
