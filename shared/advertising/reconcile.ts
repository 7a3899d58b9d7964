import { isAccurate } from '../apr/tolerance.ts';
import { statedPercent } from '../apr/percent.ts';
import type { Finding, Rule } from './finding.ts';
import type { Follows, ReadExample } from './follows.ts';
import { countOf } from './schedule.ts';

type Money = (cents: number) => string;
type Check = (example: ReadExample, follows: Follows, money: Money) => string | undefined;

/** What does not fit in an example, by the rule it breaks. */
const CHECKS: [Rule, Check][] = [
  ['payments-do-not-repay', paymentsDoNotRepay],
  ['apr-does-not-reconcile', aprDoesNotReconcile],
  ['zero-apr-with-charge', zeroAprWithCharge],
  ['total-does-not-reconcile', totalDoesNotReconcile],
  ['finance-charge-does-not-reconcile', financeChargeDoesNotReconcile],
  ['amount-does-not-reconcile', amountDoesNotReconcile],
];

/** Holds the printed figures of an example against each other. */
export function reconcile(example: ReadExample, money: Money): Finding[] {
  const findings: Finding[] = [];
  const find = (rule: Rule, message: string | undefined) => {
    if (message) findings.push({ rule, message, excerpt: example.text });
  };
  find('count-does-not-reconcile', countDoesNotReconcile(example));
  const { follows } = example;
  if (follows) for (const [rule, check] of CHECKS) find(rule, check(example, follows, money));
  return findings;
}

/** By how much the sum of all payments may differ where one of them is printed as "about" so much. */
function withinCents({ paymentWithinCents, payments }: ReadExample): number {
  return paymentWithinCents * countOf(payments);
}

function paymentsDoNotRepay(example: ReadExample, follows: Follows, money: Money): string | undefined {
  const { totalOfPaymentsCents, amountFinancedCents, financeChargeCents } = follows;
  if (financeChargeCents + withinCents(example) >= 0) return undefined;
  return `The payments come to ${money(totalOfPaymentsCents)}, which is ${money(-financeChargeCents)} short of the ${money(amountFinancedCents)} that are lent. A last payment that differs must be printed.`;
}

function aprDoesNotReconcile(example: ReadExample, { aprPercent, differencePoints }: Follows): string | undefined {
  const { aprPercent: printed } = example;
  if (printed === undefined || aprPercent === undefined || differencePoints === undefined) return undefined;
  const irregular = isIrregular(example);
  if (isAccurate(differencePoints / 100, 0, { irregular })) return undefined;
  const points = statedPercent(Math.abs(differencePoints) / 100);
  const side = differencePoints < 0 ? 'below' : 'above';
  return `${printed}% APR is printed, but the payments make it ${statedPercent(aprPercent / 100, 3)}%. The printed rate is ${points} points ${side} that; ${irregular ? '1/4' : '1/8'} of a point is allowed.`;
}

/** 12 CFR 1026.22(a)(3): the first and the last payment may differ from the others without making a loan irregular. */
function isIrregular({ payments }: ReadExample): boolean {
  const amounts = payments.flatMap(({ count, cents }) => Array.from({ length: Math.min(count, 3) }, () => cents)).slice(1, -1);
  return amounts.some((cents) => cents !== amounts[0]);
}

/** Eight cents too much over 36 months are within every tolerance of a rate, and a finance charge all the same. */
function zeroAprWithCharge(example: ReadExample, { financeChargeCents }: Follows, money: Money): string | undefined {
  if (example.aprPercent !== 0 || financeChargeCents <= withinCents(example)) return undefined;
  return `0% APR is printed, but the buyer pays ${money(financeChargeCents)} more than is lent. If the last payment is lower, it must be printed.`;
}

function totalDoesNotReconcile(example: ReadExample, { totalOfPaymentsCents }: Follows, money: Money): string | undefined {
  const { totalCents, totalIs, totalWithinCents, downPaymentCents = 0, fees } = example;
  if (totalCents === undefined) return undefined;
  const paidCents = fees.reduce((sum, { cents, lent }) => sum + (lent ? 0 : cents), 0);
  const sums = [totalOfPaymentsCents];
  if (totalIs === 'price')
    sums.push(totalOfPaymentsCents + downPaymentCents, totalOfPaymentsCents + downPaymentCents + paidCents);
  const allowed = totalWithinCents + withinCents(example);
  if (sums.some((sum) => Math.abs(sum - totalCents) <= allowed)) return undefined;
  return `The payments come to ${money(totalOfPaymentsCents)}, but ${money(totalCents)} is printed.`;
}

function financeChargeDoesNotReconcile(example: ReadExample, follows: Follows, money: Money): string | undefined {
  const pairs = [
    ['finance charge', example.financeChargeCents, follows.financeChargeCents],
    ['interest', example.interestCents, follows.interestCents],
  ] as const;
  const wrong = pairs.find(([, printed, exact]) => printed !== undefined && Math.abs(printed - exact) > withinCents(example));
  return wrong && `The payments make the ${wrong[0]} ${money(wrong[2])}, but ${money(wrong[1]!)} is printed.`;
}

/** A loan that is printed beside the price of what is bought. */
function amountDoesNotReconcile(example: ReadExample, _: Follows, money: Money): string | undefined {
  const { purchaseCents, downPaymentCents = 0, loanCents, amountFinancedCents, fees } = example;
  const lent = loanCents ?? amountFinancedCents;
  if (purchaseCents === undefined || lent === undefined || fees.length > 0) return undefined;
  const rest = purchaseCents - downPaymentCents;
  return rest === lent
    ? undefined
    : `${money(purchaseCents)} less a down payment of ${money(downPaymentCents)} leaves ${money(rest)} to be lent, but ${money(lent)} is printed.`;
}

/** A term is a payment an interval, also where the first of them is due later than after one. */
function countDoesNotReconcile({ count, months, paymentsPerYear }: ReadExample): string | undefined {
  const expected = months === undefined ? NaN : (months * paymentsPerYear) / 12;
  if (count === undefined || !Number.isInteger(expected) || count === expected) return undefined;
  return `${count} payments are printed for ${months} months, which have ${expected}.`;
}
