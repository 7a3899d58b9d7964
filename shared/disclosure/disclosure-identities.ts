import { calendarDay } from '../apr/calendar.ts';
import { BPS_PER_YEAR, shareHalfUp } from '../amortization.ts';
import { dueDates, dueDay } from '../dates.ts';
import type { LoanDisclosure } from './loan-disclosure.ts';
import { actuarialApr } from '../apr/actuarial.ts';
import type { Loan } from '../apr/loan.ts';
import { exceedsMaprCap, mapr, MAPR_CAP } from '../apr/mapr.ts';
import { isMinorIrregularity, type FirstPeriod, monthlyApr, REGULAR } from '../apr/monthly.ts';
import { isAccurate } from '../apr/tolerance.ts';

/**
 * Identities that every disclosure must satisfy, in order of dependency.
 *
 * Each compares fields that were computed independently, so that a mistake in either becomes visible.
 */
export const identities: readonly [name: string, isSatisfied: (disclosure: LoanDisclosure) => boolean][] = [
  [
    'every amount is whole cents',
    (disclosure) => amountsOf(disclosure).every((cents) => Number.isSafeInteger(cents) && cents >= 0),
  ],
  ['every payment is above 0', ({ payments }) => payments.length > 0 && payments.every(({ paymentCents }) => paymentCents > 0)],
  [
    'principal = purchase - down payment + financed fees',
    ({ principalCents, purchaseCents, downPaymentCents, fees }) =>
      principalCents === purchaseCents - downPaymentCents + sumOf(fees.filter(({ financed }) => financed)),
  ],
  [
    'prepaid finance charge = fees that are part of the finance charge',
    ({ prepaidFinanceChargeCents, fees }) =>
      prepaidFinanceChargeCents === sumOf(fees.filter(({ financeCharge }) => financeCharge)),
  ],
  [
    'amount financed = sum of its itemization',
    ({ amountFinancedCents, itemization }) => amountFinancedCents === sumOf(itemization),
  ],
  [
    'amount financed = principal - prepaid finance charge, above 0',
    ({ amountFinancedCents, principalCents, prepaidFinanceChargeCents }) =>
      amountFinancedCents === principalCents - prepaidFinanceChargeCents && amountFinancedCents > 0,
  ],
  [
    'amount financed + finance charge = total of payments',
    ({ amountFinancedCents, financeChargeCents, totalOfPaymentsCents }) =>
      amountFinancedCents + financeChargeCents === totalOfPaymentsCents,
  ],
  [
    'sum of the payments = total of payments',
    ({ payments, totalOfPaymentsCents }) =>
      payments.reduce((sum, { paymentCents }) => sum + paymentCents, 0) === totalOfPaymentsCents,
  ],
  [
    'each payment = its interest + its principal',
    ({ payments }) =>
      payments.every(({ paymentCents, interestCents, principalCents }) => paymentCents === interestCents + principalCents),
  ],
  ['the payments repay the principal, to a balance of 0', repaysPrincipal],
  ['each interest amount follows from the note rate', accruesNoteRate],
  [
    'due today = down payment + fees that are not financed',
    ({ dueTodayCents, downPaymentCents, fees }) =>
      dueTodayCents === downPaymentCents + sumOf(fees.filter(({ financed }) => !financed)),
  ],
  ['the payments are due on the dates of the schedule, in order', hasCorrectDueDates],
  ['the payment rows group the payments', rowsMatchPayments],
  [
    'the prepayment terms mention a prepaid finance charge if and only if there is one',
    ({ prepayment, prepaidFinanceChargeCents }) => (prepayment.refund !== null) === prepaidFinanceChargeCents > 0,
  ],
  ['the first period has its actual length, or one month if the difference is minor', isFirstPeriodValid],
  ['the APR is within 1/8 of a point of the exact APR', isAprAccurate],
  ['the APR is not above the cap', ({ apr, caps }) => Math.round(apr * 10_000) <= caps.aprBps],
  ['the military APR is not above its cap', (disclosure) => !exceedsMilitaryCap(disclosure)],
];

/**
 * Verifies a disclosure, before it is shown or after it is read from storage.
 *
 * @throws RangeError if an identity is violated. The message contains the name of the first one.
 */
export function requireIdentities(disclosure: LoanDisclosure): void {
  const violation = identities.find(([, isSatisfied]) => !isSatisfied(disclosure));
  if (!violation) return;
  const [name] = violation;
  // Logs include the code of an error, but not its message.
  throw Object.assign(new RangeError(`Inconsistent disclosure, expected: ${name}`), { code: name });
}

/** All amounts except those of the itemization, which may be negative. */
function amountsOf(disclosure: LoanDisclosure): number[] {
  const { fees, payments, late } = disclosure;
  return [
    disclosure.purchaseCents,
    disclosure.downPaymentCents,
    disclosure.cardCents ?? 0,
    disclosure.principalCents,
    disclosure.prepaidFinanceChargeCents,
    disclosure.amountFinancedCents,
    disclosure.financeChargeCents,
    disclosure.totalOfPaymentsCents,
    disclosure.dueTodayCents,
    late.flatCents,
    ...fees.map(({ cents }) => cents),
    ...payments.flatMap(({ paymentCents, interestCents, balanceCents }) => [paymentCents, interestCents, balanceCents]),
  ];
}

function repaysPrincipal({ payments, principalCents }: LoanDisclosure): boolean {
  let owedCents = principalCents;
  const isChained = payments.every((payment) => payment.balanceCents === (owedCents -= payment.principalCents));
  return isChained && owedCents === 0;
}

/**
 * Verifies the interest: a twelfth of the annual interest for each month, and for the odd time before the first month its share of a
 * year, or none.
 */
function accruesNoteRate({ payments, principalCents, noteRateBps, firstPaymentAfter, oddDaysInterest }: LoanDisclosure): boolean {
  const yearDays = Number(oddDaysInterest);
  const oddTime = noteRateBps * ((firstPaymentAfter.months - 1) * yearDays + 12 * firstPaymentAfter.days);
  const oddCents = oddDaysInterest === 'none' ? 0 : shareHalfUp(principalCents, oddTime, BPS_PER_YEAR * yearDays);
  return payments.every(({ interestCents }, index) => {
    const owedCents = payments[index - 1]?.balanceCents ?? principalCents;
    return interestCents === shareHalfUp(owedCents, noteRateBps, BPS_PER_YEAR) + (index === 0 ? oddCents : 0);
  });
}

function hasCorrectDueDates({ date, firstPaymentAfter, payments }: LoanDisclosure): boolean {
  calendarDay('date', date);
  const dates = dueDates(date, firstPaymentAfter, payments.length);
  return payments.every(
    ({ number, dueOn }, index) => number === index + 1 && dueOn === dates[index] && dueOn > (payments[index - 1]?.dueOn ?? date),
  );
}

/** Verifies that the rows list the same payments in the same order, with the due date of the first payment in each row. */
function rowsMatchPayments({ payments, paymentRows }: LoanDisclosure): boolean {
  let counted = 0;
  const areMatching = paymentRows.every(({ count, paymentCents, firstDueOn }) => {
    const inRow = payments.slice(counted, counted + count);
    counted += count;
    return inRow[0]?.dueOn === firstDueOn && inRow.every((payment) => payment.paymentCents === paymentCents);
  });
  return areMatching && counted === payments.length;
}

function sumOf(parts: readonly { cents: number }[]): number {
  return parts.reduce((sum, { cents }) => sum + cents, 0);
}

/**
 * Returns true if the stated APR is within 1/8 of a percentage point of the APR computed from the payments on their due dates.
 *
 * @throws RangeError if the payments do not repay the amount financed.
 * @see 12 CFR 1026.22(a)(2) and (3).
 */
function isAprAccurate(disclosure: LoanDisclosure): boolean {
  return isAccurate(disclosure.apr, exactApr(disclosure));
}

/**
 * Returns true if the military APR exceeds the cap of the program. There is no tolerance except for floating-point errors. The
 * statutory cap of 36 % is compared in exact arithmetic.
 */
function exceedsMilitaryCap(disclosure: LoanDisclosure): boolean {
  const { maprBps } = disclosure.caps;
  if (maprBps === null) return false;
  const loan = loanOf(disclosure);
  const chargesCents = disclosure.fees.reduce((sum, fee) => sum + (fee.mapr && !fee.financeCharge ? fee.cents : 0), 0);
  if (maprBps / 10_000 === MAPR_CAP) return exceedsMaprCap(loan, chargesCents);
  return mapr(loan, chargesCents) > maprBps / 10_000 + ROUNDING_ERROR;
}

/** Allowance for floating-point errors, far below the effect of a cent. */
const ROUNDING_ERROR = 1e-9;

function exactApr(disclosure: LoanDisclosure): number {
  const { amountFinancedCents, payments, firstPaymentAfter, firstPeriod } = disclosure;
  if (isSame(firstPeriod, firstPaymentAfter)) return actuarialApr(loanOf(disclosure));
  const paymentsCents = payments.map(({ paymentCents }) => paymentCents);
  return monthlyApr(amountFinancedCents, paymentsCents, firstPeriod);
}

/** Returns true if the first period is counted with its actual length, or as one month if it is a minor irregularity. */
function isFirstPeriodValid({ firstPaymentAfter, firstPeriod, payments }: LoanDisclosure): boolean {
  if (isSame(firstPeriod, firstPaymentAfter)) return true;
  return isSame(firstPeriod, REGULAR) && isMinorIrregularity(firstPaymentAfter, payments.length);
}

function isSame(one: FirstPeriod, other: FirstPeriod): boolean {
  return one.months === other.months && one.days === other.days;
}

/**
 * The unit-period is determined by Appendix J, (b)(4): the month for three or more payments; for one or two payments after an
 * odd first period, the term or the average of both periods.
 */
function loanOf({ date, amountFinancedCents, payments, firstPaymentAfter }: LoanDisclosure): Loan {
  return {
    advances: [{ date, cents: amountFinancedCents }],
    payments: payments.map(({ dueOn, paymentCents }) => ({ date: dueOn, cents: paymentCents })),
    dueDay: dueDay(date, firstPaymentAfter),
  };
}
