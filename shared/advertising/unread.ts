import type { Draft } from './drafts.ts';
import type { Finding } from './finding.ts';
import type { ReadExample } from './follows.ts';
import type { MaskedText } from './masked-text.ts';
import type { Mention } from './mentions.ts';

/** An example that can be understood in two ways, or lacks what its payments repay. */
export function unclearExample({ text, payments, aprPercent, follows }: ReadExample, unclear: readonly string[]): Finding[] {
  const reasons = [...unclear];
  if (payments.length > 0 && !follows) reasons.push('it names no amount that its payments repay');
  if (reasons.length === 0) return [];
  const undone = follows || aprPercent === undefined ? '' : `, so ${aprPercent}% APR could not be checked`;
  return [{ rule: 'unclear-example', message: `This example is not clear: ${reasons.join('; ')}${undone}.`, excerpt: text }];
}

/** Payments that are put off, beside examples that count them from the day of the loan. */
export function deferredPayments(masked: MaskedText, mentions: readonly Mention[], examples: readonly ReadExample[]): Finding[] {
  if (examples.every(({ firstPeriod }) => firstPeriod)) return [];
  return mentions.flatMap(({ role, start, end }): Finding[] => {
    if (role !== 'deferral') return [];
    const excerpt = masked.excerpt(start, end);
    const message = `This example is not clear: beside "${excerpt}" it does not say when its first payment is due.`;
    return [{ rule: 'unclear-example', message, excerpt }];
  });
}

/** Fees that the text does not say everything about. */
export function unclearFees({ fees }: ReadExample): Finding[] {
  return fees.flatMap(({ lent, financeCharge, text }): Finding[] => {
    const unknown = [
      ...(lent === undefined ? ['whether it is lent or paid at once'] : []),
      ...(financeCharge === undefined ? ['whether it is part of the finance charge'] : []),
    ];
    if (unknown.length === 0) return [];
    const message = `The text does not say of a fee ${unknown.join(', nor ')}. It was read as what comes nearest to the printed APR.`;
    return [{ rule: 'unclear-fee', message, excerpt: text }];
  });
}

/** Amounts in an example that no word names. */
export function unnamedAmounts(masked: MaskedText, mentions: readonly Mention[]): Finding[] {
  return mentions.map(({ start, end }) => {
    const excerpt = masked.excerpt(start, end);
    return { rule: 'unread-figure', message: `${excerpt} stands in an example that does not say what it is.`, excerpt };
  });
}

/** Amounts beside a rate that no word names: each may be the payment of an example that was not recognized. */
export function amountsBesideRates(masked: MaskedText, drafts: readonly Draft[]): Finding[] {
  return drafts.flatMap(({ once, unnamed }) =>
    (once.apr ? unnamed : []).map(({ start, end }): Finding => {
      const excerpt = masked.excerpt(start, end);
      return { rule: 'unread-figure', message: `${excerpt} stands beside an APR, and no word says what it is.`, excerpt };
    }),
  );
}

/** More months than any loan has. */
const MOST_MONTHS = 1_200;

/** Amounts and percentages that are not written as such. */
export function unreadFigures(masked: MaskedText): Finding[] {
  return masked.figures.flatMap(({ kind, problem }, index): Finding[] => {
    if (kind === 'number' || problem === undefined) return [];
    const excerpt = masked.excerpt(masked.startOf(index), masked.endOf(index));
    const rule = problem.includes('more than') ? 'implausible-figure' : 'unread-figure';
    return [{ rule, message: `${excerpt} ${problem}.`, excerpt }];
  });
}

/** Numbers of payments and months that no loan has. */
export function implausibleCounts(masked: MaskedText, mentions: readonly Mention[]): Finding[] {
  return mentions.flatMap(({ role, count, months, start, end }): Finding[] => {
    const values = [count?.value, role === 'firstPeriod' ? undefined : months?.value].filter((value) => value !== undefined);
    if (values.every((value) => Number.isInteger(value) && value >= 1 && value <= MOST_MONTHS)) return [];
    const excerpt = masked.excerpt(start, end);
    return [{ rule: 'implausible-figure', message: `"${excerpt}" is no number of payments or months that a loan has.`, excerpt }];
  });
}
