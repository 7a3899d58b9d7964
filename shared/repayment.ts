/**
 * The arithmetic of equal monthly payments, exact and unchecked: for amounts and rates that were checked where they
 * came in. Everyone else calls `amortization.ts`, which checks.
 */

/** A loan repaid in equal monthly payments, the last of which absorbs what rounding left over. Amounts are cents. */
export interface Repayment {
  /** Number of payments. */
  termLength: number;
  /** What is paid each month; of a single payment, all of it. */
  levelPaymentCents: number;
  /** Above the level payment by the interest of an odd first period. */
  firstPaymentCents: number;
  lastPaymentCents: number;
  /** The whole of what is paid: principal plus interest. */
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
  /** What is owed after this payment. 0 after the last. */
  balanceCents: number;
}

/** How the level payment becomes whole cents: the nearest, half a cent up; or always up, so that the last is the lowest. */
export type PaymentRounding = 'half-up' | 'ceil';

/** The whole in basis points, spread over twelve months. */
export const BPS_PER_YEAR = 120_000;

/**
 * The level payment, computed without floating point and rounded to a whole cent once.
 *
 * Most amounts are told apart by the first 128 bits of what a cent becomes; the others take the whole fraction.
 */
export function levelCents(principalCents: number, aprBps: number, months: number, rounding?: PaymentRounding): number {
  const principal = BigInt(principalCents);
  const { above, below, leading } = growth(aprBps, months);
  const isUp = rounding === 'ceil';
  const least = principal * leading + (isUp ? UNIT - 1n : UNIT / 2n);
  const cents = least >> PRECISION;
  if ((least + principal) >> PRECISION === cents) return Number(cents);
  return Number(isUp ? (principal * above + below - 1n) / below : (2n * principal * above + below) / (2n * below));
}

/**
 * The payments that repay a loan: interest of each month rounded half-up, the last payment settling the rest.
 *
 * @param oddInterestCents - Interest of the time by which the first payment comes later than a month after the loan; it is paid
 *   with that payment.
 * @param installments     - Gets each payment, when it is given.
 */
export function repaymentOf(
  principalCents: number,
  aprBps: number,
  months: number,
  rounding?: PaymentRounding,
  oddInterestCents = 0,
  installments?: Installment[],
): Repayment {
  const levelPaymentCents = levelCents(principalCents, aprBps, months, rounding);
  let termLength = 0;
  let balanceCents = principalCents;
  let oddCents = oddInterestCents;
  let [firstPaymentCents, lastPaymentCents, totalOfPaymentsCents] = [0, 0, 0];

  while (termLength < months && balanceCents > 0) {
    termLength++;
    const interestCents = shareHalfUp(balanceCents, aprBps, BPS_PER_YEAR) + oddCents;
    const owedCents = balanceCents + interestCents;
    lastPaymentCents = termLength === months ? owedCents : Math.min(levelPaymentCents + oddCents, owedCents);
    firstPaymentCents ||= lastPaymentCents;
    totalOfPaymentsCents += lastPaymentCents;
    balanceCents = owedCents - lastPaymentCents;
    oddCents = 0;
    const [number, paymentCents] = [termLength, lastPaymentCents];
    installments?.push({ number, paymentCents, interestCents, principalCents: paymentCents - interestCents, balanceCents });
  }

  return {
    termLength,
    levelPaymentCents: termLength > 1 ? levelPaymentCents : firstPaymentCents,
    firstPaymentCents,
    lastPaymentCents,
    totalOfPaymentsCents,
    totalInterestCents: totalOfPaymentsCents - principalCents,
  };
}

/** Every payment of a repayment in order, in cents. */
export function paymentsOf({ termLength, levelPaymentCents, firstPaymentCents, lastPaymentCents }: Repayment): number[] {
  const payments = [firstPaymentCents];
  while (payments.length < termLength) payments.push(levelPaymentCents);
  payments[termLength - 1] = lastPaymentCents;
  return payments;
}

/** `cents * numerator / denominator` to the nearest whole cent, half a cent up. Exact. */
export function shareHalfUp(cents: number, numerator: number, denominator: number): number {
  const doubled = 2 * cents * numerator + denominator;
  // A quotient of integers below 2^53 never rounds up to the next one: it lies further from it than the last bit of a double.
  if (doubled <= Number.MAX_SAFE_INTEGER) return Math.floor(doubled / (2 * denominator));
  const [share, whole] = [BigInt(numerator), BigInt(denominator)];
  return Number((2n * BigInt(cents) * share + whole) / (2n * whole));
}

/** What a cent becomes as a level payment: `i (1+i)^n / ((1+i)^n - 1)` with i = aprBps / 120000. */
interface Growth {
  /** As a fraction of whole numbers. */
  above: bigint;
  below: bigint;
  /** As a whole number of 2^-128ths, rounded down. */
  leading: bigint;
}

const PRECISION = 128n;
const UNIT = 1n << PRECISION;

const known = new Map<number, Growth>();

/**
 * Kept, some 300 bytes each, since programs have few rates and terms, and their powers are most of the work of a quote. Nobody but
 * who sets up programs chooses them.
 */
function growth(aprBps: number, months: number): Growth {
  const key = 1_000 * aprBps + months;
  let found = known.get(key);
  if (!found) {
    const [year, rate, term] = [BigInt(BPS_PER_YEAR), BigInt(aprBps), BigInt(months)];
    const grown = (year + rate) ** term;
    const [above, below] = aprBps ? [rate * grown, year * (grown - year ** term)] : [1n, term];
    found = { above, below, leading: (above << PRECISION) / below };
    known.set(key, found);
  }
  return found;
}
