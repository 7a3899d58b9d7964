/** Exact arithmetic of level monthly payments. Amounts and rates are validated at the boundary, see `programs/program.ts`. */

/** A loan repaid in level monthly payments. The last payment absorbs the rounding differences. Amounts are in cents. */
export interface Repayment {
  /** Number of payments. */
  termLength: number;
  /** Regular monthly payment. Equals the total of payments if there is a single payment. */
  levelPaymentCents: number;
  /** The level payment plus the interest for an odd first period. */
  firstPaymentCents: number;
  lastPaymentCents: number;
  /** Principal plus interest. */
  totalOfPaymentsCents: number;
  totalInterestCents: number;
}

/** One payment of a schedule. Amounts are cents; `paymentCents = interestCents + principalCents`. */
export interface Installment {
  /** 1 for the first payment. */
  number: number;
  paymentCents: number;
  interestCents: number;
  principalCents: number;
  /** Balance after this payment. 0 after the last one. */
  balanceCents: number;
}

/**
 * Rounding of the level payment to whole cents: to the nearest cent, half up; or always up, so that the last payment is the
 * smallest.
 */
export type PaymentRounding = 'half-up' | 'ceil';

/** The monthly rate is `aprBps / 120_000`: there are 10,000 basis points in 100 %, and 12 months in a year. */
export const BPS_PER_YEAR = 120_000;

/**
 * Returns the level monthly payment that repays `principalCents` in `months` payments, computed in exact arithmetic and rounded
 * once, to a whole cent.
 *
 * @param principalCents - Loan amount in cents. Safe integer, 1 or more.
 * @param aprBps - Nominal annual rate in basis points, 0 to 9,999. 999 is 9.99 %.
 * @param months - Number of monthly payments, 1 to 360.
 *
 * @example
 * levelPaymentCents(50_000, 999, 24) // 2_307: $23.07 a month
 */
export function levelPaymentCents(
  principalCents: number,
  aprBps: number,
  months: number,
  rounding: PaymentRounding = 'half-up',
): number {
  // An approximation of the payment factor with 128 fractional bits determines the cents of almost every amount. If it does not, the
  // exact fraction is used.
  const principal = BigInt(principalCents);
  const { numerator, denominator, fixedPoint } = paymentFactor(aprBps, months);
  const isUp = rounding === 'ceil';
  // The fixed-point factor is rounded down by less than one unit, so the exact product is less than `principal` units above this bound.
  const lowerBound = principal * fixedPoint + (isUp ? UNIT - 1n : UNIT / 2n);
  const cents = lowerBound >> PRECISION;
  if ((lowerBound + principal) >> PRECISION === cents) return Number(cents);
  const exact = principal * numerator;
  return Number(isUp ? (exact + denominator - 1n) / denominator : (2n * exact + denominator) / (2n * denominator));
}

/**
 * Computes the payments that repay a loan. Monthly interest is rounded half up; the last payment absorbs the rounding
 * differences. For very small amounts, rounding can repay the loan early: `termLength` is then below `months`.
 *
 * @param oddInterestCents - Interest for the part of the first period beyond a month, paid with the first payment.
 * @param installments - If given, every payment is appended to this array.
 */
export function amortize(
  principalCents: number,
  aprBps: number,
  months: number,
  rounding?: PaymentRounding,
  oddInterestCents = 0,
  installments?: Installment[],
): Repayment {
  const levelCents = levelPaymentCents(principalCents, aprBps, months, rounding);
  let termLength = 0;
  let balanceCents = principalCents;
  let oddCents = oddInterestCents;
  let [firstPaymentCents, lastPaymentCents, totalOfPaymentsCents] = [0, 0, 0];

  while (termLength < months && balanceCents > 0) {
    termLength++;
    const interestCents = shareHalfUp(balanceCents, aprBps, BPS_PER_YEAR) + oddCents;
    const owedCents = balanceCents + interestCents;
    lastPaymentCents = termLength === months ? owedCents : Math.min(levelCents + oddCents, owedCents);
    firstPaymentCents ||= lastPaymentCents;
    totalOfPaymentsCents += lastPaymentCents;
    balanceCents = owedCents - lastPaymentCents;
    oddCents = 0;
    const number = termLength;
    const paymentCents = lastPaymentCents;
    installments?.push({ number, paymentCents, interestCents, principalCents: paymentCents - interestCents, balanceCents });
  }

  return {
    termLength,
    levelPaymentCents: termLength > 1 ? levelCents : firstPaymentCents,
    firstPaymentCents,
    lastPaymentCents,
    totalOfPaymentsCents,
    totalInterestCents: totalOfPaymentsCents - principalCents,
  };
}

/** Returns all payments in order, in cents. */
export function paymentsOf(repayment: Repayment): number[] {
  const payments = [repayment.firstPaymentCents];
  while (payments.length < repayment.termLength) payments.push(repayment.levelPaymentCents);
  payments[repayment.termLength - 1] = repayment.lastPaymentCents;
  return payments;
}

/** Returns `cents * numerator / denominator`, rounded half up to a whole cent. Exact. */
export function shareHalfUp(cents: number, numerator: number, denominator: number): number {
  const doubled = 2 * cents * numerator + denominator;
  // A floating-point quotient of integers below 2^53 never rounds up to the next integer: its distance from that integer is
  // larger than the rounding error.
  if (doubled <= Number.MAX_SAFE_INTEGER) return Math.floor(doubled / (2 * denominator));
  const bigNumerator = BigInt(numerator);
  const bigDenominator = BigInt(denominator);
  return Number((2n * BigInt(cents) * bigNumerator + bigDenominator) / (2n * bigDenominator));
}

/** The level payment for each cent of principal: `i (1+i)^n / ((1+i)^n - 1)` with i = aprBps / 120000. */
interface PaymentFactor {
  /** Exact fraction. */
  numerator: bigint;
  denominator: bigint;
  /** The fraction in units of 2^-128, rounded down. */
  fixedPoint: bigint;
}

const PRECISION = 128n;
const UNIT = 1n << PRECISION;

const paymentFactorCache = new Map<number, PaymentFactor>();

/**
 * Returns the payment factor of a rate and term, from a cache. Computing its powers is most of the work of a quote.
 *
 * The cache does not need a limit: an entry takes about 300 bytes, and only program configuration introduces new rates and
 * terms.
 */
function paymentFactor(aprBps: number, months: number): PaymentFactor {
  // Unique, because a term has at most 360 months.
  const key = 1_000 * aprBps + months;
  let factor = paymentFactorCache.get(key);
  if (!factor) {
    const base = BigInt(BPS_PER_YEAR);
    const rate = BigInt(aprBps);
    const term = BigInt(months);
    const growth = (base + rate) ** term;
    const [numerator, denominator] = aprBps ? [rate * growth, base * (growth - base ** term)] : [1n, term];
    factor = { numerator, denominator, fixedPoint: (numerator << PRECISION) / denominator };
    paymentFactorCache.set(key, factor);
  }
  return factor;
}
