import { fill } from '../../../shared/disclosure/texts.ts';
import type { Block } from '../blocks.ts';
import type { Texts } from '../texts/texts.ts';
import type { AdverseAction } from './notice.ts';

/**
 * What the notice says, in the order of the law: the action, the reasons, the credit report, equal opportunity, the creditor, and
 * what the lender still has to say itself.
 *
 * @param instead - Said where the reasons would stand, to those who must not read them.
 */
export function noticeBlocks(notice: AdverseAction, t: Texts, instead?: 'kept' | 'withheld'): Block[] {
  const { date, merchantName, creditor, reasons, mayAskForReasons, bureau, regulator, missing } = notice;
  const words = t.adverseAction;
  const [lender, day] = [creditor.name, t.date(date)];
  const agency = regulator && fill(words.agency, { agency: joined(regulator.name, regulator.address) });
  const parts = t.list(missing.map((part) => words.missingParts[part]));
  return [
    { paragraphs: [fill(words.action, { date: day, lender, merchant: merchantName })] },
    ...(reasons.length > 0 ? [{ heading: words.reasonsHeading, items: reasons.map((reason) => words.reasons[reason]) }] : []),
    ...(instead ? [{ paragraphs: [words[instead]] }] : []),
    ...(mayAskForReasons ? [{ heading: words.askHeading, paragraphs: [fill(words.ask, { lender, date: day })] }] : []),
    ...(bureau
      ? [
          {
            heading: words.bureauHeading,
            paragraphs: [
              fill(words.bureau, { bureau: bureau.name }),
              joined(bureau.name, bureau.address, bureau.phone, bureau.website),
            ],
          },
        ]
      : []),
    { heading: words.equalHeading, paragraphs: [words.equal, ...(agency ? [agency] : [])] },
    { heading: words.creditorHeading, paragraphs: [joined(lender, creditor.address, creditor.phone)] },
    ...(missing.length > 0 ? [{ paragraphs: [fill(words.missing, { lender, parts })] }] : []),
    ...(words.inEnglish ? [{ paragraphs: [fill(words.inEnglish, { lender })] }] : []),
  ];
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(', ');
}
