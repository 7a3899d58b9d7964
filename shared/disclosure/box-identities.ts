import { calendarDay } from '../apr/calendar.ts';
import { BPS_PER_YEAR, shareHalfUp } from '../repayment.ts';
import { countsItsFirstPeriod, exceedsMilitaryCap, statesItsRate } from './box-rates.ts';
import { dueDates } from './due-dates.ts';
import type { TilaBox } from './tila-box.ts';

/**
 * What must hold of every box, each resting on those before it.
 *
 * Each is worked out from other members of the box than those it was made from, so that a mistake in either shows.
 */
export const identities: readonly [name: string, holds: (box: TilaBox) => boolean][] = [
  ['every amount is whole cents', (box) => amountsOf(box).every((cents) => Number.isSafeInteger(cents) && cents >= 0)],
  ['every payment is above 0', ({ payments }) => payments.length > 0 && payments.every(({ paymentCents }) => paymentCents > 0)],
  [
    'principal = purchase - down payment + fees that are lent',
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
  ['each interest is that of the note rate', bearsNoteRate],
  [
    'due today = down payment + fees that are not lent',
    ({ dueTodayCents, downPaymentCents, fees }) =>
      dueTodayCents === downPaymentCents + sumOf(fees.filter(({ financed }) => !financed)),
  ],
  ['total sale price = all that is paid for the purchase and the credit', pricesTheSale],
  ['the payments are due on their dates, one after the other', isDated],
  ['the payment rows are the payments', tellsPayments],
  [
    'the prepayment terms speak of a prepaid finance charge exactly when there is one',
    ({ prepayment, prepaidFinanceChargeCents }) => (prepayment.refund !== null) === prepaidFinanceChargeCents > 0,
  ],
  ['the first period is counted as it is, or as a month it hardly differs from', countsItsFirstPeriod],
  ['the APR is within 1/8 of a point of the exact one', statesItsRate],
  ['the APR is not above the cap', ({ apr, caps }) => Math.round(apr * 10_000) <= caps.aprBps],
  ['the military APR is not above its cap', (box) => !exceedsMilitaryCap(box)],
];

/**
 * Proves a box, before it is shown or after it was stored.
 *
 * @throws RangeError - an identity does not hold; the message names the first that does not.
 */
export function requireIdentities(box: TilaBox): void {
  const broken = identities.find(([, holds]) => !holds(box));
  if (!broken) return;
  const [name] = broken;
  // A log keeps the code of what was thrown, and not its message.
  throw Object.assign(new RangeError(`The disclosure contradicts itself, for it does not hold that ${name}`), { code: name });
}

/** All but the itemization's, of which one may be below 0. */
function amountsOf(box: TilaBox): number[] {
  const { fees, payments, late } = box;
  return [
    box.purchaseCents,
    box.downPaymentCents,
    box.cardCents ?? 0,
    box.principalCents,
    box.prepaidFinanceChargeCents,
    box.amountFinancedCents,
    box.financeChargeCents,
    box.totalOfPaymentsCents,
    box.totalSalePriceCents ?? 0,
    box.dueTodayCents,
    late.flatCents,
    ...fees.map(({ cents }) => cents),
    ...payments.flatMap(({ paymentCents, interestCents, balanceCents }) => [paymentCents, interestCents, balanceCents]),
  ];
}

function repaysPrincipal({ payments, principalCents }: TilaBox): boolean {
  let owedCents = principalCents;
  const isChained = payments.every((payment) => payment.balanceCents === (owedCents -= payment.principalCents));
  return isChained && owedCents === 0;
}

/** Each month bears a twelfth of the year's rate; the odd time before the first one what it is of a year, if anything. */
function bearsNoteRate({ payments, principalCents, noteRateBps, firstPaymentAfter, oddDaysInterest }: TilaBox): boolean {
  const yearDays = Number(oddDaysInterest);
  const oddTime = noteRateBps * ((firstPaymentAfter.months - 1) * yearDays + 12 * firstPaymentAfter.days);
  const oddCents = oddDaysInterest === 'none' ? 0 : shareHalfUp(principalCents, oddTime, BPS_PER_YEAR * yearDays);
  return payments.every(({ interestCents }, index) => {
    const owedCents = payments[index - 1]?.balanceCents ?? principalCents;
    return interestCents === shareHalfUp(owedCents, noteRateBps, BPS_PER_YEAR) + (index === 0 ? oddCents : 0);
  });
}

/** What is paid in all: on the day of the loan, fees that are no price of the purchase aside, by card, and afterwards. 1026.18(j). */
function pricesTheSale(box: TilaBox): boolean {
  const { creditType, totalSalePriceCents, totalOfPaymentsCents, downPaymentCents, cardCents = 0, fees } = box;
  if (creditType === 'loan') return totalSalePriceCents === null;
  const chargedToday = fees.filter(({ financed, financeCharge }) => financeCharge && !financed);
  return totalSalePriceCents === totalOfPaymentsCents + downPaymentCents + cardCents + sumOf(chargedToday);
}

function isDated({ date, firstPaymentAfter, payments }: TilaBox): boolean {
  calendarDay('date', date);
  const dates = dueDates(date, firstPaymentAfter, payments.length);
  return payments.every(
    ({ number, dueOn }, index) => number === index + 1 && dueOn === dates[index] && dueOn > (payments[index - 1]?.dueOn ?? date),
  );
}

/** The rows have the same payments one after the other, and name the day of each row's first. */
function tellsPayments({ payments, paymentRows }: TilaBox): boolean {
  let told = 0;
  const areTold = paymentRows.every(({ count, paymentCents, firstDueOn }) => {
    const inRow = payments.slice(told, told + count);
    told += count;
    return inRow[0]?.dueOn === firstDueOn && inRow.every((payment) => payment.paymentCents === paymentCents);
  });
  return areTold && told === payments.length;
}

function sumOf(parts: readonly { cents: number }[]): number {
  return parts.reduce((sum, { cents }) => sum + cents, 0);
}
