import { shareHalfUp } from './amortization.ts';
import type { CivilDate } from './dates.ts';
import type { Program } from './programs/program.ts';

/** The merchant's fee for each loan: a share of the amount that the lender pays, and a fixed part. */
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

/**
 * Returns the merchant discount of a loan: that of its plan, or else that of the program. The buy-down of a promotion,
 * which the merchant pays for its rate of 0 %, is added if the agreement was signed on one of its days, even if the lender had approved the plan
 * earlier or the purchase is settled later.
 *
 * @param signedOn - The day of the signature in the program's time zone.
 */
export function merchantDiscountFor(
  { merchantDiscount, offers }: Pick<Program, 'merchantDiscount' | 'offers'>,
  offerId: string | null,
  signedOn: CivilDate,
): MerchantDiscount {
  const offer = offers.find(({ id }) => id === offerId);
  const { bps, fixedCents } = offer?.merchantDiscount ?? merchantDiscount;
  const promo = offer?.promo;
  const isBoughtDown = promo && promo.from <= signedOn && signedOn <= promo.to;
  return { bps: bps + (isBoughtDown ? promo.merchantDiscountBps : 0), fixedCents };
}

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
