import type { Flow, Loan } from '../../../shared/apr/loan.ts';
import type { UnitPeriod } from '../../../shared/apr/unit-periods.ts';
import type { SeededRandom } from '../../support/random.ts';
import { type CivilDate, dateIn, addDays } from '../../../shared/dates.ts';

/** A random loan and the parameters it was generated with. */
export interface RandomLoan {
  loan: Loan;
  unitPeriod: UnitPeriod | 'term';
  /** Day of the month on which payments are due. Not used for days and weeks. */
  dueDay: number;
}

const UNIT_PERIODS: UnitPeriod[] = [
  { unit: 'day', count: 1 },
  { unit: 'week', count: 1 },
  { unit: 'week', count: 2 },
  { unit: 'week', count: 4 },
  { unit: 'semimonth', count: 1 },
  { unit: 'month', count: 1 },
  { unit: 'month', count: 1 },
  { unit: 'month', count: 1 },
  { unit: 'month', count: 2 },
  { unit: 'month', count: 3 },
  { unit: 'month', count: 6 },
  { unit: 'month', count: 12 },
];

/** With fewer payments the unit-period is ambiguous, so it is stated. */
const FEW = 6;

/**
 * Returns a random loan. It may have an odd first period, uneven or skipped payments, several advances, a single payment, payments
 * at month ends, and costs from one cent to several times the amount.
 */
export function randomLoan(random: SeededRandom): RandomLoan {
  if (random.fraction() < 0.08) return singlePayment(random);
  const unitPeriod = UNIT_PERIODS[random.integer(0, UNIT_PERIODS.length - 1)]!;
  const count = random.magnitude(2, 60);
  const start = randomDate(random);
  const { dates, dueDay } = dueDates(random, unitPeriod, count, start);
  const skips = count > 2 * FEW && random.fraction() < 0.2;
  const paidOn = skips ? dates.filter((_, index) => index % 6 !== 4) : dates;

  const advances = [{ date: start, cents: random.magnitude(100, 100_000_000) }];
  // Later advances are before the first payment, or between payments while most of the first advance is still owed.
  const furthest = random.fraction() < 0.5 ? paidOn[0]! : paidOn[Math.floor(paidOn.length / 4)]!;
  for (let remaining = random.fraction() < 0.2 ? random.integer(1, 4) : 0; remaining > 0; remaining--) {
    const date = addDays(start, random.integer(0, daysBetween(start, furthest)));
    // The scheduled day of an advance at the end of a short month is ambiguous.
    if (!paidOn.includes(date) && (showsDueDay(date, 31) || !isLastOfMonth(date)))
      advances.push({ date, cents: random.integer(1, advances[0]!.cents) });
  }
  const payments = paymentsOf(random, advances, paidOn);
  const isStated = paidOn.length < FEW || skips || advances.length > 1 || random.fraction() < 0.25;
  const isDueDayKnown = dueDay < 28 || payments.some(({ date }) => showsDueDay(date, dueDay));
  return {
    loan: { advances, payments, ...(isStated && { unitPeriod }), ...(!isDueDayKnown && { dueDay }) },
    unitPeriod,
    dueDay,
  };
}

function singlePayment(random: SeededRandom): RandomLoan {
  const date = randomDate(random);
  const months = random.integer(1, 11);
  const dueDay = Number(date.slice(8));
  const due = random.fraction() < 0.5 ? dayInMonth(date, months, dueDay) : addDays(date, random.integer(1, 364));
  const cents = random.magnitude(100, 100_000_000);
  const payments = [{ date: due, cents: cents + random.magnitude(1, cents) }];
  return { loan: { advances: [{ date, cents }], payments, dueDay }, unitPeriod: 'term', dueDay };
}

/** Returns due dates after `start`: the first after an odd time or exactly one period, the others one period apart. */
function dueDates(random: SeededRandom, { unit, count }: UnitPeriod, payments: number, start: CivilDate) {
  const isOdd = random.fraction() < 0.6;
  if (unit === 'day' || unit === 'week') {
    const step = (unit === 'week' ? 7 : 1) * count;
    const first = isOdd ? random.integer(1, 2 * step + 5) : step;
    return { dates: Array.from({ length: payments }, (_, index) => addDays(start, first + index * step)), dueDay: 1 };
  }
  const first = isOdd ? addDays(start, random.integer(1, 45 * count)) : dayInMonth(start, count, Number(start.slice(8)));
  const dueDay =
    isOdd && random.fraction() < 0.7 ? Number(first.slice(8)) : isOdd ? random.integer(29, 31) : Number(start.slice(8));
  if (unit === 'semimonth') {
    const [early, late] = [((dueDay - 1) % 15) + 1, ((dueDay - 1) % 15) + 16];
    const dates = Array.from({ length: payments }, (_, index) =>
      dayInMonth(first, 1 + Math.floor(index / 2), index % 2 ? late : early),
    );
    return { dates, dueDay: late };
  }
  const dates = Array.from({ length: payments }, (_, index) => dayInMonth(first, index * count, dueDay));
  return { dates: dates[0]! > start ? dates : dates.map((date) => dayInMonth(date, count, dueDay)), dueDay };
}

/** Returns level, graduated or uneven payments that repay the advances plus costs, from a cent to three times the amount. */
function paymentsOf(random: SeededRandom, advances: Flow[], dates: CivilDate[]): Flow[] {
  const advanced = advances.reduce((sum, { cents }) => sum + cents, 0);
  const shape = random.integer(0, 2);
  const weights = dates.map((_, index) => (shape === 0 ? 1 : shape === 1 ? 1 + index / 10 : 0.2 + random.fraction()));
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  const costs = 1 + (random.magnitude(1, 3_000_000) / 1_000_000) * Math.min(1, dates.length / 12);
  const payments = dates.map((date, index) => ({
    date,
    cents: Math.max(1, Math.floor((advanced * weights[index]!) / totalWeight)),
  }));
  for (const payment of payments) payment.cents = Math.ceil(payment.cents * costs);
  const missing = advanced + 1 - payments.reduce((sum, { cents }) => sum + cents, 0);
  if (missing > 0) payments.at(-1)!.cents += missing;
  return payments;
}

function randomDate(random: SeededRandom): CivilDate {
  const date = addDays('1996-01-01', random.integer(0, 30_000));
  // Month ends are the most error-prone dates.
  return random.fraction() < 0.15 ? dayInMonth(date, 0, 31) : date;
}

/** Returns true if a date reveals the due day: it falls on that day, in a longer month or on the 31st. */
function showsDueDay(date: CivilDate, dueDay: number): boolean {
  return Number(date.slice(8)) === dueDay && (dueDay === 31 || !isLastOfMonth(date));
}

function isLastOfMonth(date: CivilDate): boolean {
  return addDays(date, 1).endsWith('-01');
}

/** Returns the given day of the month, `months` later, or the last day of a shorter month. */
export function dayInMonth(date: CivilDate, months: number, day: number): CivilDate {
  const [year, month] = date.split('-').map(Number) as [number, number];
  const length = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dateIn(Date.UTC(year, month - 1 + months, Math.min(day, length)), 'UTC');
}

function daysBetween(earlier: CivilDate, later: CivilDate): number {
  return (Date.parse(later) - Date.parse(earlier)) / 86_400_000;
}
