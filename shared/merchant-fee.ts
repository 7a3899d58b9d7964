import { shareHalfUp } from './amortization.ts';
import type { CivilDate } from './dates.ts';
import type { Program, ProgramOffer } from './programs/program.ts';

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

/** The parts of a program that determine merchant discounts. */
interface ProgramDiscounts extends Pick<Program, 'merchantDiscount'> {
  offers: readonly Pick<ProgramOffer, 'id' | 'merchantDiscount' | 'promo'>[];
}

/**
 * Returns the merchant discount of a loan: that of its plan, or else that of the program. The buy-down of a promotion is added if the
 * agreement was signed on one of its days, even if the lender had approved the plan earlier or the purchase is settled later.
 *
 * @param signedOn - The day of the signature in the program's time zone.
 */
export function merchantDiscountFor(
  { merchantDiscount, offers }: ProgramDiscounts,
  offerId: string | null,
  signedOn: CivilDate,
): MerchantDiscount {
  const offer = offers.find(({ id }) => id === offerId);
  const { bps, fixedCents } = offer?.merchantDiscount ?? merchantDiscount;
  const promo = offer?.promo;
  const isBoughtDown = promo ? promo.from <= signedOn && signedOn <= promo.to : false;
  return { bps: bps + (promo && isBoughtDown ? promo.merchantDiscountBps : 0), fixedCents };
}
