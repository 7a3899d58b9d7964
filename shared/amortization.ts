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

/** A loan repaid in equal monthly payments, the last of which absorbs what rounding left over. */
export interface Schedule {
  levelPaymentCents: number;
  lastPaymentCents: number;
  /** The whole of what is paid: principal plus finance charge. */
  totalOfPaymentsCents: number;
  financeChargeCents: number;
  installments: Installment[];
}

/** A yearly rate of 100 % in basis points, and that rate spread over twelve months. */
const BPS_PER_YEAR = 10_000n * 12n;

/**
 * The level monthly payment that repays `principalCents` in `months` payments.
 *
 * Computed exactly, with no floating point, and rounded half-up to a whole cent once.
 *
 * @param principalCents - Amount financed, in cents: a safe integer above 0.
 * @param aprBps         - Yearly rate in basis points: 999 means 9.99 %. 0 to 9,999.
 * @param months         - Number of monthly payments, 1 to 360.
 * @throws RangeError - an argument is outside its range.
 *
 * @example
 * levelPaymentCents(50_000, 999, 24)  // 2_307: $23.07 a month
 * levelPaymentCents(50_000, 0, 24)    // 2_083
 */
export function levelPaymentCents(principalCents: number, aprBps: number, months: number): number {
  requireRange('principalCents', principalCents, 1, Number.MAX_SAFE_INTEGER);
  requireRange('aprBps', aprBps, 0, 9_999);
  requireRange('months', months, 1, 360);

  const principal = BigInt(principalCents);
  if (aprBps === 0) return Number(divideHalfUp(principal, BigInt(months)));

  // P i (1+i)^n / ((1+i)^n - 1) with i = aprBps / 120000, both powers brought to whole numbers.
  const rate = BigInt(aprBps);
  const grown = (BPS_PER_YEAR + rate) ** BigInt(months);
  const plain = BPS_PER_YEAR ** BigInt(months);
  return Number(divideHalfUp(principal * rate * grown, BPS_PER_YEAR * (grown - plain)));
}

/**
 * The whole schedule, to the cent: interest of each month rounded half-up, the last payment settling the rest.
 *
 * An amount so small that rounding repays it early has fewer installments than `months`; the number of installments
 * is the number to disclose.
 *
 * @throws RangeError - an argument is outside its range (see `levelPaymentCents`), or the payment would never repay.
 */
export function amortize(principalCents: number, aprBps: number, months: number): Schedule {
  const levelPayment = levelPaymentCents(principalCents, aprBps, months);
  const installments: Installment[] = [];
  let balanceCents = principalCents;

  for (let number = 1; number <= months && balanceCents > 0; number++) {
    const interestCents = Number(divideHalfUp(BigInt(balanceCents) * BigInt(aprBps), BPS_PER_YEAR));
    const owedCents = balanceCents + interestCents;
    const paymentCents = number === months ? owedCents : Math.min(levelPayment, owedCents);
    if (paymentCents <= interestCents) {
      throw new RangeError(`A payment of ${paymentCents} cents never repays ${principalCents} at ${aprBps} basis points`);
    }
    balanceCents = owedCents - paymentCents;
    installments.push({ number, paymentCents, interestCents, principalCents: paymentCents - interestCents, balanceCents });
  }

  const totalOfPaymentsCents = installments.reduce((sum, { paymentCents }) => sum + paymentCents, 0);
  return {
    levelPaymentCents: levelPayment,
    lastPaymentCents: installments.at(-1)!.paymentCents,
    totalOfPaymentsCents,
    financeChargeCents: totalOfPaymentsCents - principalCents,
    installments,
  };
}

function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

function requireRange(name: string, value: number, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw new RangeError(`${name}: expected an integer from ${least} to ${most}, but received ${value}`);
  }
}
