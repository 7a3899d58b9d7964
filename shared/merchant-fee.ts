import { shareHalfUp } from './amortization.ts';

/** What a merchant pays to the lender for each loan: a share of the amount that the lender pays, and a fixed fee. */
export interface MerchantDiscount {
  /** Basis points: 350 is 3.5 %. */
  bps: number;
  fixedCents: number;
}

/**
 * Returns the merchant's fee for a loan, in cents: the share, rounded half up, plus the fixed fee. It is never more than the loan, so that
 * the lender pays at least 0.
 *
 * @param financedCents - What the loan pays of the purchase when it is settled.
 *
 * @example
 * merchantFeeCents(75_000, { bps: 290, fixedCents: 30 }) // 2_205
 */
export function merchantFeeCents(financedCents: number, { bps, fixedCents }: MerchantDiscount): number {
  return Math.min(financedCents, shareHalfUp(financedCents, bps, 10_000) + fixedCents);
}
