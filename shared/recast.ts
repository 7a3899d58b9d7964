import { BPS_PER_YEAR, levelPaymentCents, shareHalfUp } from './amortization.ts';
import { costsMoreThan, type FirstPeriod, REGULAR_TOLERANCE, solveMonthlyApr, statedBps } from './apr.ts';
import { addDays, addMonths, type CivilDate, daysBetween, dueDates } from './dates.ts';
import type { DisclosedFee, DuePayment, LoanDisclosure } from './disclosure/loan-disclosure.ts';

/** A loan as signed. Amounts are in cents. All fees are financed, and part of the finance charge. */
export interface SignedLoan extends Pick<
  LoanDisclosure,
  'date' | 'firstPaymentAfter' | 'firstPeriod' | 'interestFrom' | 'fees' | 'caps' | 'coveredBorrower'
> {
  /** Annual interest rate of the note, in basis points. */
  noteRateBps: number;
  /** Initial balance. */
  principalCents: number;
  /** In the order of their due dates. */
  payments: readonly DuePayment[];
  prepayment: Pick<LoanDisclosure['prepayment'], 'feeRefundDays'>;
}

/** A reduction of what a loan finances: a part of the order that was canceled or refunded. */
export interface Reduction {
  /** At least 1. */
  cents: number;
  /** The day of the credit; undefined for a reduction before the loan is made. */
  on: CivilDate | undefined;
}

/** The cost of a loan, counted from its first day as a loan of the amount that was not returned. */
export interface LoanTerms {
  amountFinancedCents: number;
  /** The signed fees with what remains of them, which may be 0. */
  fees: DisclosedFee[];
  /** Annual interest rate of the note, in basis points: as signed, or 0 if rounding would exceed a cap. */
  noteRateBps: number;
  /** From the first day, each at most as high as signed. */
  payments: DuePayment[];
}

/** A loan after reductions. */
export interface RemainingLoan {
  terms: LoanTerms;
  /** Unpaid principal. */
  balanceCents: number;
  /** The payments that were not due on the day of the last credit; empty if nothing is owed. */
  payments: DuePayment[];
  /** Credits above the unpaid principal, which the lender returns to the buyer. */
  overpaidCents: number;
  /** True if a refund returned no fees, because the agreement does not return them, or no longer. */
  areFeesKept: boolean;
}

/**
 * Recalculates a loan after its settlement and after reductions of what it finances, in their order, with the same number of payments.
 *
 * Rules of allocation:
 * 1. A reduction before the loan is made reduces the amount of the loan: the buyer owes what the changed order costs, as if it had been
 *    signed. Fees shrink in the same proportion.
 * 2. A later one is a credit to the unpaid principal. It pays no interest that was charged before, and interest is charged on the reduced
 *    principal from the last due date before the credit, or from the day of the loan: the buyer pays no interest on returned money for the
 *    period in which it was returned. Interest of earlier periods is not returned. Fees are returned in the same proportion and credited
 *    with it, for a covered borrower always (10 USC 987), and for others within the days that the agreement states.
 * 3. The unpaid principal is that of the schedule: each payment that was due on the day of the credit or before counts as made. Only the
 *    lender knows the payments that were made.
 * 4. The remaining payments are recalculated, and none of them is higher than before. Interest for the odd days of the first period is reduced
 *    in proportion.
 * 5. What exceeds the unpaid principal is returned to the buyer.
 * 6. Interest starts with the settlement, unless the agreement states that it starts with the signature: see `started`.
 * 7. The loan stays within its caps, unless it has fees that stay by rule 2: see `reducedTerms`.
 *
 * The payments amortize the principal by the actuarial method: a payment is applied to the interest on the unpaid principal first, and to
 * the principal then.
 *
 * @see 12 CFR part 1026, Appendix J(a)(1): actuarial method; server/decisions/0056-loans-after-changes.md: reasons of the rules.
 *
 * @param settledOn - The day on which the lender paid the merchant; undefined before it. Then all reductions are of the first kind.
 */
export function recast(loan: SignedLoan, reductions: readonly Reduction[], settledOn?: CivilDate): RemainingLoan {
  let terms = signedTerms(loan);
  for (const { cents, on } of reductions) if (on === undefined) terms = reducedTerms(loan, terms, cents, true);
  const payments = settledOn === undefined ? terms.payments : started(loan, terms.payments, settledOn);
  let rest: RemainingLoan = { terms, balanceCents: principalOf(terms), payments, overpaidCents: 0, areFeesKept: false };
  for (const { cents, on } of reductions) if (on !== undefined) rest = credited(loan, rest, cents, on, settledOn ?? loan.date);
  return rest;
}

function signedTerms({ principalCents, fees, noteRateBps, payments }: SignedLoan): LoanTerms {
  return { amountFinancedCents: principalCents - sumOf(fees), fees, noteRateBps, payments: [...payments] };
}

function principalOf({ amountFinancedCents, fees }: LoanTerms): number {
  return amountFinancedCents + sumOf(fees);
}

function sumOf(fees: readonly DisclosedFee[]): number {
  return fees.reduce((sum, { cents }) => sum + cents, 0);
}

/**
 * Returns the terms of a loan that finances less. Each fee that is returned is the share of the signed one that is still financed, rounded
 * down, so that the signed rate holds: the formula of the program would put a flat fee on a small rest again. If rounding to whole cents would
 * exceed a cap, fees are reduced by a few cents, then to zero, and at last the interest is zero, too.
 */
function reducedTerms(loan: SignedLoan, before: LoanTerms, cents: number, areFeesReturned: boolean): LoanTerms {
  const amountFinancedCents = Math.max(0, before.amountFinancedCents - cents);
  const termsOf = (fees: DisclosedFee[], noteRateBps: number): LoanTerms => {
    const principalCents = amountFinancedCents + sumOf(fees);
    const payments =
      principalCents === 0
        ? []
        : lowered(before.payments, { fromBps: before.noteRateBps, toBps: noteRateBps }, principalOf(before), principalCents);
    return { amountFinancedCents, fees, noteRateBps, payments };
  };
  if (!areFeesReturned) return termsOf(before.fees, before.noteRateBps);
  const signedCents = signedTerms(loan).amountFinancedCents;
  /** The fees in proportion, together less by `lessCents`. */
  const feesLess = (lessCents: number): DisclosedFee[] => {
    let restCents = lessCents;
    return before.fees.map((fee, index) => {
      const shareCents = (BigInt(loan.fees[index]!.cents) * BigInt(amountFinancedCents)) / BigInt(signedCents);
      const leftCents = Math.min(fee.cents, Number(shareCents));
      const takenCents = Math.min(leftCents, restCents);
      restCents -= takenCents;
      return { ...fee, cents: leftCents - takenCents };
    });
  };
  // Payments are whole cents, so that each may raise the cost by less than a cent.
  for (let lessCents = 0; lessCents <= before.payments.length; lessCents++) {
    const terms = termsOf(feesLess(lessCents), before.noteRateBps);
    if (isWithinCaps(loan, terms)) return terms;
  }
  const noFees = feesLess(Infinity);
  const withoutFees = termsOf(noFees, before.noteRateBps);
  return isWithinCaps(loan, withoutFees) ? withoutFees : termsOf(noFees, 0);
}

/**
 * Returns true if the loan exceeds neither the cap of the program or the state, within the tolerance of a stated APR (12 CFR 1026.22(a)(2)),
 * nor that of the Military Lending Act, which has no tolerance. All fees count for both.
 */
function isWithinCaps({ caps, firstPeriod }: SignedLoan, terms: LoanTerms): boolean {
  const { amountFinancedCents } = terms;
  if (amountFinancedCents === 0) return true;
  const isAbove = (apr: number) => costsMoreThan(apr, amountFinancedCents, centsOf(terms), firstPeriod);
  return !isAbove(caps.aprBps / 10_000 + REGULAR_TOLERANCE) && !(caps.maprBps !== null && isAbove(caps.maprBps / 10_000));
}

/** The fees of a loan that remain, and its stated APR in basis points. */
export interface LoanCharges {
  feeCents: number;
  aprBps: number;
}

export function chargesOf(terms: LoanTerms, firstPeriod: FirstPeriod): LoanCharges {
  return { feeCents: sumOf(terms.fees), aprBps: aprBpsOf(terms, firstPeriod) };
}

/** Returns the stated APR of a loan, in basis points; 0 if nothing is financed. */
export function aprBpsOf(terms: LoanTerms, firstPeriod: FirstPeriod): number {
  const { amountFinancedCents } = terms;
  return amountFinancedCents === 0 ? 0 : statedBps(solveMonthlyApr(amountFinancedCents, centsOf(terms), firstPeriod));
}

function centsOf({ payments }: LoanTerms): number[] {
  return payments.map(({ paymentCents }) => paymentCents);
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

function credited(
  loan: SignedLoan,
  { terms: before, balanceCents: initialCents, payments, overpaidCents, areFeesKept }: RemainingLoan,
  cents: number,
  on: CivilDate,
  madeOn: CivilDate,
): RemainingLoan {
  const areFeesReturned = loan.coveredBorrower !== null || on <= addDays(madeOn, loan.prepayment.feeRefundDays ?? -1);
  const terms = reducedTerms(loan, before, cents, areFeesReturned);
  const due = payments.filter(({ dueOn }) => dueOn <= on);
  const unpaidCents = due.at(-1)?.balanceCents ?? initialCents;
  const creditCents = cents + sumOf(before.fees) - sumOf(terms.fees);
  const balanceCents = Math.max(0, unpaidCents - creditCents);
  const rest = {
    terms,
    balanceCents,
    overpaidCents: overpaidCents + Math.max(0, creditCents - unpaidCents),
    areFeesKept: areFeesKept || !areFeesReturned,
  };
  if (balanceCents === 0) return { ...rest, payments: [] };
  const rates = { fromBps: before.noteRateBps, toBps: terms.noteRateBps };
  return { ...rest, payments: lowered(payments.slice(due.length), rates, unpaidCents, balanceCents) };
}

/** Returns the payments of a reduced balance, each at most as high as before. `toBps` is the rate from now on. */
function lowered(
  before: readonly DuePayment[],
  { fromBps, toBps }: { fromBps: number; toBps: number },
  unpaidCents: number,
  balanceCents: number,
): DuePayment[] {
  const [first, second] = before;
  if (!first) return [];
  const oddCents = first.interestCents - shareHalfUp(unpaidCents, fromBps, BPS_PER_YEAR);
  // The first payment differs by the odd days, and the last one by rounding.
  const levelCents = second && before.length > 2 ? second.paymentCents : first.paymentCents - oddCents;
  // Negative if interest started within the first period. A loan without interest has none for odd days.
  const reducedOddCents = toBps === 0 ? 0 : Math.sign(oddCents) * shareHalfUp(Math.abs(oddCents), balanceCents, unpaidCents);
  // Rounded up, so that the last payment is about as high. It may still exceed the last one of a schedule that ended with a low payment: then
  // the others are raised by single cents.
  let cents = Math.min(levelCents, levelPaymentCents(balanceCents, toBps, before.length, 'ceil'));
  let payments = amortized(before, toBps, balanceCents, cents, reducedOddCents);
  while (cents < levelCents && payments.length === before.length && isHigher(payments.at(-1), before.at(-1))) {
    cents++;
    payments = amortized(before, toBps, balanceCents, cents, reducedOddCents);
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
