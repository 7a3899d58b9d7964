import { type Installment, levelCents, type PaymentRounding, type Repayment, computeRepayment } from './repayment.ts';

export type { Installment, PaymentRounding, Repayment } from './repayment.ts';

/** A repayment with its payment schedule. */
export interface Schedule extends Repayment {
  installments: Installment[];
}

/** Options that differ between financing programs. */
export interface AmortizationOptions {
  /** Rounding of the level payment to whole cents. Default: `half-up`. */
  rounding?: PaymentRounding;
  /** Interest for an odd first period, paid with the first payment. */
  oddInterestCents?: number;
}

/**
 * Returns the level monthly payment that repays `principalCents` in `months` payments.
 *
 * Uses exact integer arithmetic and rounds once, to a whole cent.
 *
 * @param principalCents - Loan amount in cents. Safe integer, 1 or more.
 * @param aprBps - Nominal annual rate in basis points, 0 to 9,999. 999 is 9.99 %.
 * @param months - Number of monthly payments, 1 to 360.
 * @throws RangeError if an argument is out of range.
 *
 * @example
 * levelPaymentCents(50_000, 999, 24)  // 2_307: $23.07 a month
 * levelPaymentCents(50_000, 0, 24)    // 2_083
 */
export function levelPaymentCents(
  principalCents: number,
  aprBps: number,
  months: number,
  rounding: PaymentRounding = 'half-up',
): number {
  requireLoan(principalCents, aprBps, months);
  return levelCents(principalCents, aprBps, months, rounding);
}

/**
 * Returns the payment schedule, to the cent. Monthly interest is rounded half up; the last payment absorbs the rounding
 * differences.
 *
 * For very small amounts, rounding can repay the loan early. The schedule then has fewer installments than `months`, and that
 * lower number is the one to disclose.
 *
 * @throws RangeError if an argument is out of range (see `levelPaymentCents`), or if the rounded payment never repays the loan.
 */
export function amortize(
  principalCents: number,
  aprBps: number,
  months: number,
  { rounding = 'half-up', oddInterestCents = 0 }: AmortizationOptions = {},
): Schedule {
  requireLoan(principalCents, aprBps, months);
  requireRange('oddInterestCents', oddInterestCents, 0, Number.MAX_SAFE_INTEGER);
  const installments: Installment[] = [];
  const repayment = computeRepayment(principalCents, aprBps, months, rounding, oddInterestCents, installments);
  if (!Number.isSafeInteger(repayment.totalOfPaymentsCents)) {
    throw new RangeError(
      `principalCents: expected payments within 2^53 cents, but their total is ${repayment.totalOfPaymentsCents}`,
    );
  }
  if (installments.some((installment) => installment.principalCents <= 0)) {
    throw new RangeError(
      `A payment of ${repayment.levelPaymentCents} cents never repays ${principalCents} at ${aprBps} basis points`,
    );
  }
  return { ...repayment, installments };
}

function requireLoan(principalCents: number, aprBps: number, months: number): void {
  requireRange('principalCents', principalCents, 1, Number.MAX_SAFE_INTEGER);
  requireRange('aprBps', aprBps, 0, 9_999);
  requireRange('months', months, 1, 360);
}

function requireRange(name: string, value: number, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw new RangeError(`${name}: expected an integer from ${least} to ${most}, but received ${value}`);
  }
}
