import { amortize, type Installment, type PaymentRounding } from '../../shared/amortization.ts';

/** Returns a repayment with its installments. */
export function scheduleOf(
  principalCents: number,
  aprBps: number,
  months: number,
  { rounding, oddInterestCents }: { rounding?: PaymentRounding; oddInterestCents?: number } = {},
) {
  const installments: Installment[] = [];
  return { ...amortize(principalCents, aprBps, months, rounding, oddInterestCents, installments), installments };
}
