import { lintAdvertisement } from '../advertising/lint.ts';
import { aprFraction } from '../as-low-as.ts';
import { asLowAsText } from '../disclosure/as-low-as-text.ts';
import { languages } from '../disclosure/languages.ts';
import type { Plan } from '../plan.ts';
import type { RateSheet } from './rate-sheet.ts';

/**
 * What is wrong with the sentences that would stand beside a plan: they are printed, read again by those who only have the print,
 * and worked out.
 */
export function textProblems(sheet: RateSheet, plan: Plan): string[] {
  const rate = aprFraction(plan.aprBps);
  const range = { ...sheet.amount, minApr: rate, maxApr: rate, plans: [plan] };
  return Object.values(languages).flatMap((texts) => {
    const text = asLowAsText(texts, sheet, plan, range);
    const { examples, findings } = lintAdvertisement(text, { language: texts.language, currency: sheet.currency.code });
    const problems = findings.map(({ message }) => `Expected sentences that hold (${texts.language}), but: ${message}`);
    const isRead = examples.length === 1 && examples[0]!.aprPercent === plan.aprBps / 100;
    return isRead
      ? problems
      : [...problems, `Expected sentences with one example (${texts.language}), but there are ${examples.length}`];
  });
}
