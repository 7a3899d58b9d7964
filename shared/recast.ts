import { BPS_PER_YEAR, levelPaymentCents, shareHalfUp } from './amortization.ts';
import { addMonths, type CivilDate, daysBetween, dueDates } from './dates.ts';
import type { DuePayment, LoanDisclosure } from './disclosure/loan-disclosure.ts';

/** A loan as signed. Amounts are in cents. */
export interface SignedLoan extends Pick<LoanDisclosure, 'date' | 'firstPaymentAfter' | 'interestFrom'> {
  /** Annual interest rate of the note, in basis points. */
  noteRateBps: number;
  /** Initial balance. */
  principalCents: number;
  /** In the order of their due dates. */
  payments: readonly DuePayment[];
}

/** A reduction of the principal: a part of the order that was canceled or refunded. */
export interface Reduction {
  /** At least 1. */
  cents: number;
  /** The day of the credit; undefined for a reduction before the loan is made. */
  on: CivilDate | undefined;
}

/** A loan after reductions of its principal. */
export interface RemainingLoan {
  /** Unpaid principal. */
  balanceCents: number;
  /** The payments that were not due on the day of the last credit; empty if nothing is owed. */
  payments: DuePayment[];
  /** Credits above the unpaid principal, which the lender returns to the buyer. */
  overpaidCents: number;
}

/**
 * Recalculates a loan after its settlement and after reductions of its principal, in their order, with the same rate and number of payments.
 *
 * Rules of allocation:
 * 1. A reduction before the loan is made reduces the amount of the loan: the buyer owes what the changed order costs, as if it had been
 *    signed.
 * 2. A later one is a credit to the unpaid principal. It pays no interest that was charged before, and interest is charged on the reduced
 *    principal from the last due date before the credit, or from the day of the loan: the buyer pays no interest on returned money for the
 *    period in which it was returned. Interest of earlier periods is not returned.
 * 3. The unpaid principal is that of the schedule: each payment that was due on the day of the credit or before counts as made. Only the
 *    lender knows the payments that were made.
 * 4. The remaining payments are recalculated, and none of them is higher than before. Interest for the odd days of the first period is reduced
 *    in proportion.
 * 5. What exceeds the unpaid principal is returned to the buyer.
 * 6. Interest starts with the settlement, unless the agreement states that it starts with the signature: see `started`.
 *
 * The payments amortize the principal by the actuarial method: a payment is applied to the interest on the unpaid principal first, and to
 * the principal then.
 *
 * @see 12 CFR part 1026, Appendix J(a)(1): actuarial method; server/decisions/0056-loans-after-changes.md: reasons of the rules.
 *
 * @param settledOn - The day on which the lender paid the merchant; undefined before it. Then all reductions are of the first kind.
 */
export function recast(loan: SignedLoan, reductions: readonly Reduction[], settledOn?: CivilDate): RemainingLoan {
  const { noteRateBps, principalCents, payments } = loan;
  const apply = (rest: RemainingLoan, reduction: Reduction) => reduced(rest, noteRateBps, reduction);
  const signed: RemainingLoan = { balanceCents: principalCents, payments: [...payments], overpaidCents: 0 };
  const made = reductions.filter(({ on }) => on === undefined).reduce(apply, signed);
  const rest = settledOn === undefined ? made : { ...made, payments: started(loan, made.payments, settledOn) };
  return reductions.filter(({ on }) => on !== undefined).reduce(apply, rest);
}

/**
 * Returns the payments of a loan that was settled after its signature. No payment is due before the settlement or on its day: all due dates
 * move by the least number of whole months, as if the loan had been signed that much later. The interest of the first payment is reduced in
 * proportion to the days of the first period before the settlement. The other payments do not change.
 */
function started(
  { date, firstPaymentAfter, interestFrom }: SignedLoan,
  payments: readonly DuePayment[],
  settledOn: CivilDate,
): DuePayment[] {
  const [first] = payments;
  if (interestFrom !== 'settlement' || !first) return [...payments];
  const { months, days } = firstPaymentAfter;
  let delay = 0;
  let dates = dueDates(date, firstPaymentAfter, payments.length);
  while (dates[0]! <= settledOn) dates = dueDates(date, { months: months + ++delay, days }, payments.length);
  const periodDays = daysBetween(addMonths(date, delay), dates[0]!);
  const interestDays = Math.min(periodDays, daysBetween(settledOn, dates[0]!));
  const interestCents = shareHalfUp(first.interestCents, interestDays, periodDays);
  const reducedFirst = { interestCents, paymentCents: first.principalCents + interestCents };
  const moved = payments.map((payment, index) => ({ ...payment, ...(index === 0 && reducedFirst), dueOn: dates[index]! }));
  // The first payment of a loan of a few cents may have been interest only.
  return moved.filter(({ paymentCents }) => paymentCents > 0);
}

function reduced(loan: RemainingLoan, noteRateBps: number, { cents, on }: Reduction): RemainingLoan {
  const due = loan.payments.filter(({ dueOn }) => on !== undefined && dueOn <= on);
  const remaining = loan.payments.slice(due.length);
  const unpaidCents = due.at(-1)?.balanceCents ?? loan.balanceCents;
  const balanceCents = Math.max(0, unpaidCents - cents);
  const overpaidCents = loan.overpaidCents + Math.max(0, cents - unpaidCents);
  if (balanceCents === 0) return { balanceCents, payments: [], overpaidCents };
  return { balanceCents, payments: lowered(remaining, noteRateBps, unpaidCents, balanceCents), overpaidCents };
}

/** Returns the payments of a reduced balance, each at most as high as before. */
function lowered(before: readonly DuePayment[], noteRateBps: number, unpaidCents: number, balanceCents: number): DuePayment[] {
  const [first] = before;
  if (!first) return [];
  const oddCents = first.interestCents - shareHalfUp(unpaidCents, noteRateBps, BPS_PER_YEAR);
  const levelCents = first.paymentCents - oddCents;
  // Negative if interest started within the first period.
  const reducedOddCents = Math.sign(oddCents) * shareHalfUp(Math.abs(oddCents), balanceCents, unpaidCents);
  // Rounded up, so that the last payment is about as high. It may still exceed the last one of a schedule that ended with a low payment: then
  // the others are raised by single cents.
  let cents = Math.min(levelCents, levelPaymentCents(balanceCents, noteRateBps, before.length, 'ceil'));
  let payments = amortized(before, noteRateBps, balanceCents, cents, reducedOddCents);
  while (cents < levelCents && payments.length === before.length && isHigher(payments.at(-1), before.at(-1))) {
    cents++;
    payments = amortized(before, noteRateBps, balanceCents, cents, reducedOddCents);
  }
  return payments;
}

function isHigher(payment: DuePayment | undefined, before: DuePayment | undefined): boolean {
  return payment !== undefined && before !== undefined && payment.paymentCents > before.paymentCents;
}

function amortized(
  before: readonly DuePayment[],
  noteRateBps: number,
  principalCents: number,
  levelCents: number,
  oddCents: number,
): DuePayment[] {
  const payments: DuePayment[] = [];
  let balanceCents = principalCents;
  for (const [index, { number, dueOn }] of before.entries()) {
    if (balanceCents === 0) break;
    const extraCents = index === 0 ? oddCents : 0;
    const interestCents = shareHalfUp(balanceCents, noteRateBps, BPS_PER_YEAR) + extraCents;
    const owedCents = balanceCents + interestCents;
    const highestCents = Math.min(levelCents + extraCents, before[index]!.paymentCents);
    const paymentCents = index === before.length - 1 ? owedCents : Math.min(highestCents, owedCents);
    balanceCents = owedCents - paymentCents;
    payments.push({ number, dueOn, paymentCents, interestCents, principalCents: paymentCents - interestCents, balanceCents });
  }
  return payments;
}
