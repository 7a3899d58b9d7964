import { fill } from '../../../shared/languages/texts.ts';
import { isCreditScore, type ScoreResult } from '../../lending/applications/decision.ts';
import type { Block } from '../../messages/buyer-email.ts';
import type { Texts } from '../../base/texts.ts';

/**
 * Returns the credit score disclosure that every approved buyer receives with their plans: 12 CFR 1022.74(e) with the wording of
 * model form H-4, or 12 CFR 1022.74(f) with that of form H-5 if the bureau has no score of the buyer. Those who receive it need no
 * risk-based pricing notice, 12 CFR 1022.72. Forms H-1 to H-3 do not apply: H-3 is for loans that are secured by a home.
 */
export function scoreDisclosureBlocks(score: ScoreResult, lender: string, t: Texts): Block[] {
  const words = t.scoreDisclosure;
  return [
    ...(isCreditScore(score) ? withScore(score, lender, t) : withoutScore(score.bureau.name, t)),
    { heading: words.mistakesHeading, paragraphs: [words.mistakes, words.check] },
    { heading: words.copyHeading, paragraphs: [words.copy], items: [words.byPhone, words.onWeb, words.byMail] },
    { heading: words.moreHeading, paragraphs: [words.more] },
  ];
}

function withScore(
  { value, min, max, date, bureau, ranksAbovePercent }: Extract<ScoreResult, { value: number }>,
  lender: string,
  t: Texts,
): Block[] {
  const words = t.scoreDisclosure;
  const range = fill(words.range, { least: String(min), most: String(max) });
  return [
    {
      heading: words.heading,
      rows: [
        [words.score, String(value)],
        [words.source, bureau.name],
        [words.date, t.date(date)],
      ],
    },
    { heading: words.aboutHeading, paragraphs: [words.about] },
    { heading: fill(words.useHeading, { lender }), paragraphs: [words.use] },
    { heading: words.rangeHeading, paragraphs: [`${range} ${words.higher}`] },
    ...(ranksAbovePercent === undefined
      ? []
      : [{ heading: words.comparisonHeading, paragraphs: [fill(words.comparison, { percent: String(ranksAbovePercent) })] }]),
  ];
}

function withoutScore(bureau: string, t: Texts): Block[] {
  const words = t.scoreDisclosure;
  return [
    { heading: words.headingWithout, paragraphs: [fill(words.without, { bureau })] },
    { heading: words.aboutHeading, paragraphs: [words.aboutWithout] },
    { heading: words.importanceHeading, paragraphs: [words.importance] },
  ];
}
