import { type MerchantDiscount, merchantFeeCents } from './merchant-fee.ts';

/** The amounts that a settlement or a refund adds to a payout. Negative for a refund. */
export interface SettledAmounts {
  /** The change of the financed portion, without the fee. */
  grossCents: number;
  /** The change of the merchant's fee. */
  feeCents: number;
}

/**
 * Returns what a change of the financed portion of a purchase adds to the amount that the lender pays.
 *
 * The fee of a loan is at all times the fee of what is left of it. Refunds therefore return the same fee in any number of parts, a full
 * refund returns all of it, and the fixed part is kept until then, unless less than it is left.
 *
 * @param beforeCents - What the loan paid before the change; 0 before the settlement.
 * @param afterCents - What it pays after the change.
 *
 * @example
 * settledAmounts(0, 75_000, { bps: 290, fixedCents: 30 }) // { grossCents: 75_000, feeCents: 2_205 }
 * settledAmounts(75_000, 50_000, { bps: 290, fixedCents: 30 }) // { grossCents: -25_000, feeCents: -725 }
 */
export function settledAmounts(beforeCents: number, afterCents: number, discount: MerchantDiscount): SettledAmounts {
  return {
    grossCents: afterCents - beforeCents,
    feeCents: merchantFeeCents(afterCents, discount) - merchantFeeCents(beforeCents, discount),
  };
}

/** Returns what the merchant is paid, or owes if it is negative. */
export function netCentsOf({ grossCents, feeCents }: SettledAmounts): number {
  return grossCents - feeCents;
}

/**
 * Returns what a settlement pays, and the negative balance that it leaves to the next one.
 *
 * @param carriedCents - The balance that the previous settlement has left, at most 0.
 */
export function payoutOf(carriedCents: number, netCents: number): { payoutCents: number; balanceCents: number } {
  const totalCents = carriedCents + netCents;
  return { payoutCents: Math.max(0, totalCents), balanceCents: Math.min(0, totalCents) };
}
