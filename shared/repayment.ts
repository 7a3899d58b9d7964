/**
 * The arithmetic of equal monthly payments, exact and unchecked: for amounts and rates that were checked where they
 * came in. Everyone else calls `amortization.ts`, which checks.
 */

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

/** The whole in basis points, spread over twelve months. */
const BPS_PER_YEAR = 10_000n * 12n;

/** The level payment, computed without floating point and rounded half-up to a whole cent once. */
export function levelCents(principalCents: number, aprBps: number, months: number): number {
  const principal = BigInt(principalCents);
  if (aprBps === 0) return Number(divideHalfUp(principal, BigInt(months)));

  // P i (1+i)^n / ((1+i)^n - 1) with i = aprBps / 120000, both powers brought to whole numbers.
  const rate = BigInt(aprBps);
  const grown = (BPS_PER_YEAR + rate) ** BigInt(months);
  const plain = BPS_PER_YEAR ** BigInt(months);
  return Number(divideHalfUp(principal * rate * grown, BPS_PER_YEAR * (grown - plain)));
}

/** The whole schedule: interest of each month rounded half-up, the last payment settling the rest. */
export function scheduleOf(principalCents: number, aprBps: number, months: number): Schedule {
  const levelPaymentCents = levelCents(principalCents, aprBps, months);
  const installments: Installment[] = [];
  let balanceCents = principalCents;
  let totalOfPaymentsCents = 0;

  for (let number = 1; number <= months && balanceCents > 0; number++) {
    const interestCents = Number(divideHalfUp(BigInt(balanceCents) * BigInt(aprBps), BPS_PER_YEAR));
    const owedCents = balanceCents + interestCents;
    const paymentCents = number === months ? owedCents : Math.min(levelPaymentCents, owedCents);
    balanceCents = owedCents - paymentCents;
    totalOfPaymentsCents += paymentCents;
    installments.push({ number, paymentCents, interestCents, principalCents: paymentCents - interestCents, balanceCents });
  }

  return {
    levelPaymentCents,
    lastPaymentCents: installments.at(-1)!.paymentCents,
    totalOfPaymentsCents,
    financeChargeCents: totalOfPaymentsCents - principalCents,
    installments,
  };
}

function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}
