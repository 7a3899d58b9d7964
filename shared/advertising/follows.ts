import { isMinorIrregularity } from '../apr/minor-irregularity.ts';
import { type FirstPeriod, monthlyApr, REGULAR } from '../apr/monthly.ts';
import type { PrintedExample } from './example.ts';
import type { Fee } from './fees.ts';
import { countOf, type PaymentGroup } from './schedule.ts';

/** What the figures of an example come to. */
export interface Follows {
  /** What the buyer is lent, fees that are part of the finance charge taken off: 12 CFR 1026.18(b). */
  amountFinancedCents: number;
  totalOfPaymentsCents: number;
  /** The payments less the amount financed; below 0 where they do not repay it. */
  financeChargeCents: number;
  /** Of it, what is no fee. */
  interestCents: number;
  /** The annual percentage rate in percent, unrounded; left out where the payments do not repay the amount. */
  aprPercent?: number;
  /** The printed rate less that one, in points: 0 for a rate within what a payment of "about" so much allows. */
  differencePoints?: number;
}

/** An example, and what its figures come to; null where they do not tell. */
export interface ReadExample extends PrintedExample {
  follows: Follows | null;
}

/**
 * Works out an example from its printed payments alone.
 *
 * Of a fee that the text does not say everything about, the reading is taken that is nearest to the printed rate; so is the
 * regular first period for a first payment that is only a little late, which 12 CFR 1026.17(c)(4) lets count as one.
 */
export function followsFrom(example: PrintedExample): Follows | null {
  if (example.payments.length === 0) return null;
  const readings = feeReadings(example.fees).flatMap((fees) =>
    firstPeriods(example).flatMap((first) => workedOut(example, fees, first) ?? []),
  );
  const distance = ({ differencePoints }: Follows) => Math.abs(differencePoints ?? Infinity);
  return readings.reduce<Follows | null>((best, one) => (best && distance(best) <= distance(one) ? best : one), null);
}

/** What fees come to: those that are lent, and those that are part of the finance charge. */
interface Fees {
  lentCents: number;
  chargedCents: number;
}

/** Every way to understand the fees. Beyond two that are not clear at all, the rest are taken for finance charges due at once. */
function feeReadings(fees: readonly Fee[]): Fees[] {
  let readings: Fees[] = [{ lentCents: 0, chargedCents: 0 }];
  for (const { cents, lent, financeCharge } of fees) {
    const isOne = readings.length >= 16;
    const lents = lent === undefined ? (isOne ? [false] : [false, true]) : [lent];
    const charges = financeCharge === undefined ? (isOne ? [true] : [true, false]) : [financeCharge];
    readings = readings.flatMap(({ lentCents, chargedCents }) =>
      lents.flatMap((isLent) =>
        charges.map((isCharge) => ({
          lentCents: lentCents + (isLent ? cents : 0),
          chargedCents: chargedCents + (isCharge ? cents : 0),
        })),
      ),
    );
  }
  return readings;
}

/** As it is printed, and as it may be counted. */
function firstPeriods({ firstPeriod: first, payments, paymentsPerYear }: PrintedExample): FirstPeriod[] {
  if (!first || paymentsPerYear !== 12) return [REGULAR];
  return isMinorIrregularity(first, countOf(payments)) ? [first, REGULAR] : [first];
}

function workedOut(example: PrintedExample, fees: Fees, first: FirstPeriod): Follows | null {
  const { payments, aprPercent: printed, paymentsPerYear, paymentWithinCents: within } = example;
  const amountFinancedCents = amountFinanced(example, fees);
  if (amountFinancedCents === undefined || amountFinancedCents < 1) return null;
  const totalOfPaymentsCents = payments.reduce((sum, { count, cents }) => sum + count * cents, 0);
  const financeChargeCents = totalOfPaymentsCents - amountFinancedCents;
  const interestCents = financeChargeCents - fees.chargedCents;
  const follows = { amountFinancedCents, totalOfPaymentsCents, financeChargeCents, interestCents };

  const aprAt = (changeCents: number) => aprOf(amountFinancedCents, payments, changeCents, first, paymentsPerYear);
  const aprPercent = aprAt(0);
  const [lowest, highest] = within > 0 ? [aprAt(-within) ?? 0, aprAt(within)] : [aprPercent, aprPercent];
  if (aprPercent === undefined && highest === undefined) return follows;
  const exact = aprPercent ?? 0;
  const nearest = printed === undefined ? undefined : Math.min(Math.max(printed, lowest ?? 0), highest ?? exact);
  return { ...follows, aprPercent: exact, ...(nearest !== undefined && { differencePoints: printed! - nearest }) };
}

/**
 * The rate in percent a year; undefined where the payments do not repay the amount. Payments of any regular interval follow the
 * equation of monthly ones, so its monthly rate is the rate of the interval.
 */
function aprOf(
  amountCents: number,
  groups: readonly PaymentGroup[],
  changeCents: number,
  first: FirstPeriod,
  perYear: number,
): number | undefined {
  const payments = groups.flatMap(({ count, cents }) => Array.from({ length: count }, () => Math.max(0, cents + changeCents)));
  if (payments.reduce((sum, cents) => sum + cents, 0) < amountCents) return undefined;
  return (monthlyApr(amountCents, payments, first) / 12) * perYear * 100;
}

/** Fees that are lent are in a loan already, and not in the price of what is bought. */
function amountFinanced(
  { purchaseCents, downPaymentCents = 0, loanCents, amountFinancedCents }: PrintedExample,
  { lentCents, chargedCents }: Fees,
): number | undefined {
  if (amountFinancedCents !== undefined) return amountFinancedCents;
  if (loanCents !== undefined) return loanCents - chargedCents;
  if (purchaseCents === undefined) return undefined;
  return purchaseCents - downPaymentCents + lentCents - chargedCents;
}
