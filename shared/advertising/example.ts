import { shareHalfUp } from '../repayment.ts';
import type { Draft } from './drafts.ts';
import { type Fee, feesOf } from './fees.ts';
import type { MaskedText } from './masked-text.ts';
import type { Mention } from './mentions.ts';
import { type PrintedSchedule, printedSchedule } from './schedule.ts';

/** An example as it is printed. Amounts are in the currency's minor unit; what the text does not say is undefined. */
export interface PrintedExample extends PrintedSchedule {
  /** Its words. */
  text: string;
  /** What is bought. */
  purchaseCents: number | undefined;
  downPaymentCents: number | undefined;
  /** What is lent, fees that are lent included. */
  loanCents: number | undefined;
  /** What the text itself calls so: 12 CFR 1026.18(b). */
  amountFinancedCents: number | undefined;
  fees: Fee[];
  aprPercent: number | undefined;
  /** What is paid in all, and whether that is the payments alone or the price with what is paid on the first day. */
  totalCents: number | undefined;
  totalIs: 'sum' | 'price';
  totalWithinCents: number;
  financeChargeCents: number | undefined;
  interestCents: number | undefined;
}

/** An example, and what of it nobody can tell. */
export interface Reading {
  example: PrintedExample;
  /** As parts of a sentence. */
  unclear: string[];
  /** Amounts in it that no word names. */
  unread: Mention[];
}

/** Reads a draft. A single amount that nothing names is taken for the price, where there is no other. */
export function printedExample(masked: MaskedText, draft: Draft): Reading {
  const { once, payments, fees } = draft;
  const unclear: string[] = [];
  const unnamed = unnamedIn(draft);
  const isPriced = Boolean(once.purchase ?? once.loan ?? once.amountFinanced);
  const purchase = isPriced || unnamed.length > 1 ? once.purchase : unnamed[0];
  const [purchaseCents, loanCents, amountFinancedCents] = [purchase, once.loan, once.amountFinanced].map(centsIn);
  const total = once.sum ?? once.price;

  const example: PrintedExample = {
    text: masked.excerpt(draft.start, draft.end),
    purchaseCents,
    downPaymentCents: centsOf(once.downPayment, purchaseCents),
    loanCents,
    amountFinancedCents,
    fees: feesOf(masked, fees, (fee) => centsOf(fee, loanCents ?? purchaseCents ?? amountFinancedCents)),
    ...printedSchedule(draft, unclear),
    aprPercent: once.apr?.percent?.value,
    totalCents: centsIn(total),
    totalIs: once.sum ? 'sum' : 'price',
    totalWithinCents: total?.money?.isApproximate ? total.money.unitCents / 2 : 0,
    financeChargeCents: centsIn(once.financeCharge),
    interestCents: centsIn(once.interest),
  };

  const mentions = [...Object.values(once), ...payments, ...fees];
  if (mentions.some(({ money }) => money && money.cents === undefined)) unclear.push('one of its amounts cannot be read');
  const isLent = loanCents !== undefined || amountFinancedCents !== undefined;
  if (once.downPayment?.percent && example.downPaymentCents === undefined && !isLent) {
    unclear.push('its down payment is a part of an amount that is not named');
  }
  return { example, unclear, unread: unnamed.filter((one) => one !== purchase) };
}

/** Amounts that no word names, save those that repeat another. */
function unnamedIn({ once, payments, fees, unnamed }: Draft): Mention[] {
  const known = new Set([...Object.values(once), ...payments, ...fees].map(centsIn));
  return unnamed.filter((one) => {
    const cents = centsIn(one);
    const isNew = cents === undefined || !known.has(cents);
    known.add(cents);
    return isNew;
  });
}

function centsIn(mention: Mention | undefined): number | undefined {
  return mention?.money?.cents;
}

/** An amount, or that part of `baseCents`. */
function centsOf(mention: Mention | undefined, baseCents: number | undefined): number | undefined {
  const percent = mention?.percent?.value;
  if (percent === undefined) return centsIn(mention);
  return baseCents === undefined || percent > 100 ? undefined : shareHalfUp(baseCents, Math.round(percent * 1_000), 100_000);
}
