import { BPS_PER_YEAR, shareHalfUp } from '../amortization.ts';
import { addDays, dueDates } from '../dates.ts';
import type { DuePayment, LoanDisclosure } from './loan-disclosure.ts';
import { costsMoreThan, isMinorIrregularity, type FirstPeriod, monthlyApr, REGULAR, isAccurate } from '../apr.ts';

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
  // NaN for `none`, where it is not used.
  const yearDays = Number(oddDaysInterest);
  // The odd months and days in fractions of a month, with the common denominator `yearDays`: a day is 12 / `yearDays` of a month.
  const oddTime = noteRateBps * ((firstPaymentAfter.months - 1) * yearDays + 12 * firstPaymentAfter.days);
  const oddCents = oddDaysInterest === 'none' ? 0 : shareHalfUp(principalCents, oddTime, BPS_PER_YEAR * yearDays);
  return payments.every(({ interestCents }, index) => {
    const owedCents = payments[index - 1]?.balanceCents ?? principalCents;
    return interestCents === shareHalfUp(owedCents, noteRateBps, BPS_PER_YEAR) + (index === 0 ? oddCents : 0);
  });
}

function hasCorrectDueDates({ date, firstPaymentAfter, payments }: LoanDisclosure): boolean {
  const dates = dueDates(date, firstPaymentAfter, payments.length);
  // A date such as 2026-02-30 does not exist, and would become another one.
  const exists = addDays(date, 0) === date;
  const isDue = ({ number, dueOn }: DuePayment, index: number) =>
    number === index + 1 && dueOn === dates[index] && dueOn > (payments[index - 1]?.dueOn ?? date);
  return exists && payments.every(isDue);
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
 * Returns true if the stated APR is within 1/8 of a percentage point of the APR of the payments.
 *
 * @throws RangeError if the payments do not repay the amount financed.
 * @see 12 CFR 1026.22(a)(2) and (3).
 */
function isAprAccurate({ apr, amountFinancedCents, payments, firstPeriod }: LoanDisclosure): boolean {
  return isAccurate(apr, monthlyApr(amountFinancedCents, centsOf(payments), firstPeriod));
}

/** Returns true if the military APR, which also counts charges that the APR does not, exceeds the cap. There is no tolerance. */
function exceedsMilitaryCap({ caps, amountFinancedCents, fees, payments, firstPeriod }: LoanDisclosure): boolean {
  if (caps.maprBps === null) return false;
  const receivedCents = amountFinancedCents - sumOf(fees.filter(({ mapr, financeCharge }) => mapr && !financeCharge));
  return costsMoreThan(caps.maprBps / 10_000, receivedCents, centsOf(payments), firstPeriod);
}

function centsOf(payments: LoanDisclosure['payments']): number[] {
  return payments.map(({ paymentCents }) => paymentCents);
}

/** Returns true if the first period is counted with its actual length, or as one month if it is a minor irregularity. */
function isFirstPeriodValid({ firstPaymentAfter, firstPeriod, payments }: LoanDisclosure): boolean {
  if (isSame(firstPeriod, firstPaymentAfter)) return true;
  return isSame(firstPeriod, REGULAR) && isMinorIrregularity(firstPaymentAfter, payments.length);
}

function isSame(one: FirstPeriod, other: FirstPeriod): boolean {
  return one.months === other.months && one.days === other.days;
}
