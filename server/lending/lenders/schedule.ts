import { BPS_PER_YEAR } from '../../../shared/amortization.ts';
import { costsMoreThan, type FirstPeriod, REGULAR } from '../../../shared/apr.ts';
import { addMonths, type CivilDate, daysBetween, daysInMonth } from '../../../shared/dates.ts';
import type { DuePayment, LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { keysOf } from '../../../shared/objects.ts';
import { recast, type Reduction } from '../../../shared/recast.ts';
import type { LenderSchedule, ScheduledPayment } from './lender.ts';

/** A loan after one of its events, as the service knows it. */
export interface KnownLoan {
  /** As signed. */
  disclosure: LoanDisclosure;
  /** Those of the loan until the event. */
  reductions: readonly Reduction[];
  /** The day on which the lender paid the merchant; undefined before it. */
  settledOn: CivilDate | undefined;
  /** The day of the event. */
  on: CivilDate;
  /** True after the settlement, when payments may have been made; false at the settlement. */
  isInRepayment: boolean;
  /** The payments that the buyer knows. In repayment, only those that are due after the day of the event. */
  payments: readonly ScheduledPayment[];
}

/** Returns the fault of a schedule, or undefined if the rule is satisfied. */
type Rule = (schedule: LenderSchedule, loan: KnownLoan) => string | undefined;

/**
 * The rules of a lender's schedule, in the order in which they are checked: each may rely on those before it. server/decisions/0074 gives the
 * reasons.
 */
export const scheduleRules = {
  ascending: ({ payments }) => {
    const index = payments.findIndex(({ dueOn }, at) => at > 0 && dueOn <= payments[at - 1]!.dueOn);
    return faultIf(index >= 0, `payments.${index}.dueOn`, 'a day after that of the payment before', 'the same or an earlier one');
  },
  day: ({ payments: [first] }, { on }) =>
    faultIf(first !== undefined && first.dueOn < on, 'payments.0.dueOn', 'the day of the event or a later one', 'an earlier one'),
  principal: ({ payments }, loan) =>
    faultIf(
      !loan.isInRepayment && centsOf(payments) < principalOf(remaining(loan)),
      'payments',
      'a sum of at least the principal',
      'less',
    ),
  total: ({ payments }, loan) => {
    const signed = recast(loan.disclosure, loan.reductions).payments.map(scheduled);
    // The agreement states the total to the cent, but not what is left of it after a cancellation.
    const mostCents = centsOf(signed) + (loan.reductions.length > 0 ? roundingCents(loan) : 0);
    return faultIf(
      !loan.isInRepayment && centsOf(payments) > mostCents,
      'payments',
      'a sum of at most the signed total of payments',
      'more',
    );
  },
  balance: ({ payments, reason }, loan) =>
    faultIf(
      loan.isInRepayment && reason === undefined && centsOf(payments) < principalOf(remaining(loan)) - roundingCents(loan),
      'payments',
      'a sum of at least the balance, or a reason',
      'less',
    ),
  payment: ({ payments, reason }, loan) => {
    const index = indexOfHigher(payments, loan);
    return faultIf(
      loan.isInRepayment && reason === undefined && index >= 0,
      `payments.${index}`,
      index < loan.payments.length ? 'at most the known payment, or a reason' : 'no further payment, or a reason',
      'more',
    );
  },
  monthly: (schedule, loan) =>
    faultIf(
      !isWithin(schedule.payments, loan.payments) && cashFlowOf(schedule, loan) === undefined,
      'payments',
      'due dates at monthly intervals',
      'others',
    ),
  apr: (schedule, loan) =>
    faultIf(exceeds(loan.disclosure.caps.aprBps, schedule, loan), 'payments', 'an APR of at most the cap', 'a higher one'),
  // 10 USC 987(b), 32 CFR 232.4(b).
  mapr: (schedule, loan) => {
    const { maprBps } = loan.disclosure.caps;
    const isAbove = maprBps !== null && exceeds(maprBps, schedule, loan);
    return faultIf(isAbove, 'payments', 'a military APR of at most its cap', 'a higher one');
  },
} as const satisfies Record<string, Rule>;

/** `void`: a loan that was not made has no payments. */
export type ScheduleRule = keyof typeof scheduleRules | 'void';

/** A rule that a schedule violates, with the field, what was expected, and how what was received differs. It contains no value. */
export interface ScheduleFault {
  rule: ScheduleRule;
  fault: string;
}

/**
 * Returns the first fault of a schedule with which a lender responded to an event; undefined if it may be shown to the buyer. A pure function.
 *
 * @param loan - The loan after the event; `void` if it was not made.
 */
export function faultOfSchedule(schedule: LenderSchedule, loan: KnownLoan | 'void'): ScheduleFault | undefined {
  if (loan === 'void') {
    const fault = faultIf(schedule.payments.length > 0, 'payments', 'none, because there is no loan', 'some');
    return fault === undefined ? undefined : { rule: 'void', fault };
  }
  for (const rule of keysOf(scheduleRules)) {
    const fault = scheduleRules[rule](schedule, loan);
    if (fault !== undefined) return { rule, fault };
  }
  return undefined;
}

function faultIf(isFault: boolean, path: string, expected: string, received: string): string | undefined {
  return isFault ? `schedule.${path}: expected ${expected}, but received ${received}` : undefined;
}

/** Returns the payments that the service calculates, as `KnownLoan.payments` has them, with their principal. */
function remaining({ disclosure, reductions, settledOn, on, isInRepayment }: KnownLoan): DuePayment[] {
  return recast(disclosure, reductions, settledOn).payments.filter(({ dueOn }) => !isInRepayment || dueOn > on);
}

/**
 * Returns the difference that can be due to rounding: two cents for each payment of the agreement, because the lender and the service both round
 * it, and the interest of these cents until the last payment: 12 CFR 1026.17(c)(3).
 */
function roundingCents({ disclosure: { noteRateBps, payments } }: Pick<KnownLoan, 'disclosure'>): number {
  return Math.ceil(payments.reduce((cents) => cents * (1 + noteRateBps / BPS_PER_YEAR) + 2, 0));
}

/**
 * Returns the index of the first payment that is higher than the buyer knows, or that the buyer does not know; -1 without one. The last one may
 * absorb the differences of rounding.
 */
function indexOfHigher(payments: readonly ScheduledPayment[], loan: KnownLoan): number {
  const known = loan.payments.map(({ amountCents }) => amountCents);
  const highest = known.map((cents, at) => (at === known.length - 1 ? Math.max(...known) : cents));
  const index = payments.findIndex(({ amountCents }, at) => !(amountCents <= highest[at]! + roundingCents(loan)));
  return index >= 0 || centsOf(payments) <= centsOf(loan.payments) + roundingCents(loan) ? index : payments.length - 1;
}

/** Returns true if no payment is higher, earlier or additional. The rate of such a schedule cannot be higher. */
function isWithin(payments: readonly ScheduledPayment[], known: readonly ScheduledPayment[]): boolean {
  return payments.every(({ dueOn, amountCents }, index) => {
    const other = known[index];
    return other !== undefined && dueOn >= other.dueOn && amountCents <= other.amountCents;
  });
}

/** Returns true if the buyer would pay more than `bps` for the loan from its first day. */
function exceeds(bps: number, schedule: LenderSchedule, loan: KnownLoan): boolean {
  if (isWithin(schedule.payments, loan.payments)) return false;
  const flow = cashFlowOf(schedule, loan);
  if (!flow) return false;
  const { advanceCents, paymentsCents, firstPeriod } = flow;
  if (firstPeriod.months > 0) return costsMoreThan(bps / 10_000, advanceCents, paymentsCents, firstPeriod);
  // The first payment is due within a month, when the odd days end: compared a month before it, as if it were due after a whole one.
  const monthlyRate = bps / 120_000;
  const earlierCents = (advanceCents * (1 + (firstPeriod.days / 30) * monthlyRate)) / (1 + monthlyRate);
  return costsMoreThan(bps / 10_000, earlierCents, paymentsCents, REGULAR);
}

/** A loan from its first day, for the general equation of 12 CFR part 1026, Appendix J(b)(8). */
interface CashFlow {
  advanceCents: number;
  /** In the months from the first payment on; 0 in a month without one. */
  paymentsCents: number[];
  /** Without a whole month if the first payment is due within a month. */
  firstPeriod: FirstPeriod;
}

/**
 * Returns the payments that were due and those of the schedule; undefined if they are not due on the same day of each month. A credit counts as
 * `recast` counts it: as paid on the last due date before it, or as never lent. If the lender states that a payment was missed, none counts as
 * made, because only the lender knows which.
 */
function cashFlowOf({ payments, reason }: LenderSchedule, loan: KnownLoan): CashFlow | undefined {
  const { disclosure, reductions, settledOn, on } = loan;
  const credits = loan.isInRepayment ? reductions.filter((each) => each.on !== undefined) : [];
  const counted = reductions.filter((each) => !credits.includes(each));
  let advanceCents = disclosure.amountFinancedCents - counted.reduce((sum, { cents }) => sum + cents, 0);
  const paid: ScheduledPayment[] = [];
  const pay = (due: readonly DuePayment[]) =>
    paid.push(...due.map(scheduled).map((payment) => (reason === 'payment-missed' ? { ...payment, amountCents: 0 } : payment)));
  let rest = recast(disclosure, counted, settledOn).payments;
  for (const credit of credits) {
    const due = rest.filter(({ dueOn }) => dueOn <= credit.on!);
    pay(due);
    counted.push(credit);
    const after = recast(disclosure, counted, settledOn).payments;
    // Fees that are credited with it were neither paid nor lent.
    const creditCents = Math.min(credit.cents, principalOf(rest) - principalOf(due) - principalOf(after));
    const last = paid.at(-1);
    if (last) last.amountCents += creditCents;
    else advanceCents -= creditCents;
    rest = after;
  }
  if (loan.isInRepayment) pay(rest.filter(({ dueOn }) => dueOn <= on));

  const all = [...paid, ...payments];
  const months = monthsFromFirst(all.map(({ dueOn }) => dueOn));
  if (!months) return undefined;
  const paymentsCents = Array.from({ length: months.at(-1)! + 1 }, () => 0);
  for (const [index, { amountCents }] of all.entries()) paymentsCents[months[index]!]! += amountCents;
  return { advanceCents, paymentsCents, firstPeriod: firstPeriodOf(loan, all[0]!.dueOn) };
}

/** Returns the months from the first of ascending dates to each; undefined if they are not the same day of each month, or its last one. */
function monthsFromFirst(dates: readonly CivilDate[]): number[] | undefined {
  const parts = dates.map((date) => date.split('-').map(Number));
  const dueDay = Math.max(...parts.map(([, , day = 0]) => day));
  const isMonthly = parts.every(([year = 0, month = 0, day]) => day === Math.min(dueDay, daysInMonth(year, month)));
  const months = parts.map(([year = 0, month = 0]) => 12 * year + month);
  return isMonthly ? months.map((month) => month - months[0]!) : undefined;
}

/** Returns the time from the first day of interest to the first payment, as the disclosure counts it if both are those of the disclosure. */
function firstPeriodOf({ disclosure, settledOn }: KnownLoan, firstOn: CivilDate): FirstPeriod {
  const { date, interestFrom, firstPeriod, payments } = disclosure;
  const from = interestFrom === 'settlement' && settledOn !== undefined ? settledOn : date;
  if (from === date && firstOn === payments[0]?.dueOn) return firstPeriod;
  // Months are counted back from the payment: 12 CFR part 1026, Appendix J(b)(4)(i).
  let months = 0;
  while (addMonths(firstOn, -(months + 1)) >= from) months++;
  return { months, days: daysBetween(from, addMonths(firstOn, -months)) };
}

function scheduled({ dueOn, paymentCents: amountCents }: DuePayment): ScheduledPayment {
  return { dueOn, amountCents };
}

function centsOf(payments: readonly ScheduledPayment[]): number {
  return payments.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

function principalOf(payments: readonly DuePayment[]): number {
  return payments.reduce((sum, { principalCents }) => sum + principalCents, 0);
}
