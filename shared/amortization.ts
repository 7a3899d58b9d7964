import { type Installment, levelCents, type PaymentRounding, type Repayment, repaymentOf } from './repayment.ts';

export type { Installment, PaymentRounding, Repayment } from './repayment.ts';

/** A repayment with each of its payments. */
export interface Schedule extends Repayment {
  installments: Installment[];
}

/** What may differ from program to program. */
export interface AmortizationOptions {
  /** How the level payment becomes whole cents; `half-up` when left out. */
  rounding?: PaymentRounding;
  /** Interest of an odd first period, paid with the first payment. */
  oddInterestCents?: number;
}

/**
 * The level monthly payment that repays `principalCents` in `months` payments.
 *
 * Computed exactly, with no floating point, and rounded to a whole cent once.
 *
 * @param principalCents - What is lent, in cents: a safe integer above 0.
 * @param aprBps         - Yearly rate in basis points: 999 means 9.99 %. 0 to 9,999.
 * @param months         - Number of monthly payments, 1 to 360.
 * @throws RangeError - an argument is outside its range.
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
 * The whole schedule, to the cent: interest of each month rounded half-up, the last payment settling the rest.
 *
 * An amount so small that rounding repays it early has fewer installments than `months`; the number of installments
 * is the number to disclose.
 *
 * @throws RangeError - an argument is outside its range (see `levelPaymentCents`), or the payment would never repay.
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
  const repayment = repaymentOf(principalCents, aprBps, months, rounding, oddInterestCents, installments);
  if (!Number.isSafeInteger(repayment.totalOfPaymentsCents)) {
    throw new RangeError(
      `principalCents: expected payments within 2^53 cents, but they come to ${repayment.totalOfPaymentsCents}`,
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
