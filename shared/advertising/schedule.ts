import type { FirstPeriod } from '../apr/monthly.ts';
import type { Draft } from './drafts.ts';
import type { Mention } from './mentions.ts';

/** Equal payments that follow each other. Amounts are in the currency's minor unit. */
export interface PaymentGroup {
  count: number;
  cents: number;
}

/** The payments of an example as they are printed. What the text does not say is undefined. */
export interface PrintedSchedule {
  /** All payments in order; none where their number is not known. */
  payments: PaymentGroup[];
  paymentsPerYear: number;
  /** The number of payments, all together. */
  count: number | undefined;
  /** What is paid each time, and a first and a last payment where they are printed apart. */
  paymentCents: number | undefined;
  firstPaymentCents: number | undefined;
  lastPaymentCents: number | undefined;
  /** The term, in months. */
  months: number | undefined;
  /** When the first payment is due. */
  firstPeriod: FirstPeriod | undefined;
  /** By how much a payment may differ because it is said to be "about" so much: half of what its last digit is worth. */
  paymentWithinCents: number;
}

/** More payments than any loan has: a hundred years of them. */
const MOST_PAYMENTS = 1_200;

/** @param unclear - Gets what nobody can tell, as parts of a sentence. */
export function printedSchedule({ once, payments: mentioned }: Draft, unclear: string[]): PrintedSchedule {
  const payments = mentioned.toSorted((a, b) => rank(a) - rank(b));
  const months = termOf(once.term, payments);
  const paymentsPerYear = payments.find(({ perYear }) => perYear !== undefined)?.perYear ?? once.count?.perYear ?? 12;
  const groups = groupsOf(payments, once.count?.count?.value, (paymentsPerYear * (months ?? NaN)) / 12, unclear);
  const count = countOf(groups);
  const level = groups.reduce<PaymentGroup | undefined>((most, one) => (most && most.count >= one.count ? most : one), undefined);
  const apart = (group: PaymentGroup | undefined) => (group?.count === 1 && group !== level ? group.cents : undefined);
  const printed = (role: Mention['role']) => payments.find((one) => one.role === role)?.money;
  const about = payments.find(({ money }) => money?.isApproximate)?.money;
  return {
    payments: groups,
    paymentsPerYear,
    count: count || undefined,
    paymentCents: printed('payment') && (level ?? printed('payment'))?.cents,
    firstPaymentCents: printed('first')?.cents ?? apart(groups[0]),
    lastPaymentCents: printed('last')?.cents ?? apart(groups.at(-1)),
    months,
    firstPeriod: firstPeriodOf(once.firstPeriod, unclear),
    paymentWithinCents: about ? about.unitCents / 2 : 0,
  };
}

/** A first payment comes first and a last one last, wherever they are mentioned. */
function rank({ role }: Mention): number {
  return role === 'first' ? 0 : role === 'last' ? 2 : 1;
}

/** How many payments there are in all. */
export function countOf(groups: readonly PaymentGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

/** The term; "23 months and a payment in month 24" are 24. */
function termOf(term: Mention | undefined, payments: readonly Mention[]): number | undefined {
  const months = term?.months?.value;
  const last = lastMonth(payments);
  return last !== undefined && months === last - 1 ? last : months;
}

function lastMonth(payments: readonly Mention[]): number | undefined {
  return payments.find(({ role, months }) => role === 'last' && months)?.months?.value;
}

/** The payments with the number of each; none where one of them is not known. */
function groupsOf(payments: readonly Mention[], printed: number | undefined, inTerm: number, unclear: string[]): PaymentGroup[] {
  const uncounted = payments.filter(({ role, count }) => role === 'payment' && count === undefined);
  const counted = payments.reduce((sum, one) => sum + (uncounted.includes(one) ? 0 : timesOf(one)), 0);
  const inAll = printed ?? lastMonth(payments) ?? (Number.isInteger(inTerm) ? inTerm : undefined);
  if (uncounted.length > 1) unclear.push('it names several payments and not how often each is made');
  // A first and a last payment alone do not tell how many come between them.
  const isWhole = payments.some((one) => one.role === 'payment' && !uncounted.includes(one));
  if (uncounted.length > 1 || (!isWhole && inAll === undefined)) return [];

  const including = includingLast(payments, inAll, counted, unclear);
  const groups = payments.map((one) => ({
    count: uncounted.includes(one) ? inAll! - counted : timesOf(one) - (one === including ? 1 : 0),
    cents: one.money?.cents ?? NaN,
  }));
  if (groups.some(({ count }) => !Number.isInteger(count) || count < 1) || countOf(groups) > MOST_PAYMENTS) {
    unclear.push('its number of payments is none that a loan has');
    return [];
  }
  return groups.some(({ cents }) => Number.isNaN(cents)) ? [] : groups;
}

/** A first or a last payment is made once, whatever month its number names. */
function timesOf({ role, count }: Mention): number {
  return count?.value ?? (role === 'payment' ? NaN : 1);
}

/**
 * The payments that a last one, printed apart, is one of: "24 payments, the last payment $34.25" are 24 where the term is, too.
 * None where it comes after them.
 *
 * @param inAll   - The number of payments, or the term.
 * @param counted - What the payments add up to.
 */
function includingLast(
  payments: readonly Mention[],
  inAll: number | undefined,
  counted: number,
  unclear: string[],
): Mention | undefined {
  const last = payments.find((one) => one.role === 'last' && timesOf(one) === 1);
  const others = payments.filter(({ role, count }) => role === 'payment' && count !== undefined);
  if (!last || last.joined === 'added' || last.months || others.length !== 1 || inAll === counted) return undefined;
  if (inAll === counted - 1 || last.joined === 'included') return others[0];
  unclear.push('it does not say whether its last payment comes after the others or is one of them');
  return undefined;
}

/** Days are parts of thirty: 45 of them are a month and 15 days. */
function firstPeriodOf(mention: Mention | undefined, unclear: string[]): FirstPeriod | undefined {
  if (!mention) return undefined;
  const inDays = 30 * (mention.months?.value ?? 0) + (mention.days?.value ?? 0);
  const months = mention.months?.value ?? Math.floor(inDays / 30);
  const first = { months, days: inDays - 30 * months };
  if (Number.isInteger(months) && months >= 1 && months <= MOST_PAYMENTS && first.days < 30) return first;
  unclear.push('its first payment is due after less than a month, or after none that can be counted');
  return undefined;
}
