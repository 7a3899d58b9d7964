import { fill } from '../../../../shared/disclosure/texts.ts';
import type { Block } from '../../emails/blocks.ts';
import type { Texts } from '../../texts/texts.ts';
import type { AdverseAction } from './notice.ts';

/**
 * What the notice says, in the order of the law: the action, the reasons, the credit report, equal opportunity, the creditor, and
 * what the lender still has to say itself.
 *
 * @param isWithheld - Says in place of the reasons that they are for the buyer alone.
 */
export function noticeBlocks(notice: AdverseAction, t: Texts, isWithheld = false): Block[] {
  return [actionBlock(notice, t), ...reasonBlocks(notice, t, isWithheld), ...rightsBlocks(notice, t)];
}

export function actionBlock({ date, merchantName, creditor }: AdverseAction, t: Texts): Block {
  const figures = { date: t.date(date), lender: creditor.name, merchant: merchantName };
  return { paragraphs: [fill(t.adverseAction.action, figures)] };
}

export function reasonBlocks({ reasons }: AdverseAction, t: Texts, isWithheld = false): Block[] {
  const words = t.adverseAction;
  return [
    ...(reasons.length > 0 ? [{ heading: words.reasonsHeading, items: reasons.map((reason) => words.reasons[reason]) }] : []),
    ...(isWithheld ? [{ paragraphs: [words.withheld] }] : []),
  ];
}

export function rightsBlocks(notice: AdverseAction, t: Texts): Block[] {
  const { date, creditor, mayAskForReasons, bureau, regulator, missing } = notice;
  const words = t.adverseAction;
  const lender = creditor.name;
  const agency = regulator && fill(words.agency, { agency: joined(regulator.name, regulator.address) });
  const parts = t.list(missing.map((part) => words.missingParts[part]));
  return [
    ...(mayAskForReasons ? [{ heading: words.askHeading, paragraphs: [fill(words.ask, { lender, date: t.date(date) })] }] : []),
    ...(bureau ? [bureauBlock(bureau, t)] : []),
    { heading: words.equalHeading, paragraphs: [words.equal, ...(agency ? [agency] : [])] },
    { heading: words.creditorHeading, paragraphs: [joined(lender, creditor.address, creditor.phone)] },
    ...(missing.length > 0 ? [{ paragraphs: [fill(words.missing, { lender, parts })] }] : []),
    { paragraphs: [fill(words.anotherCopy, { lender })] },
  ];
}

function bureauBlock({ name, address, phone, website }: NonNullable<AdverseAction['bureau']>, t: Texts): Block {
  const { bureauHeading: heading, bureau } = t.adverseAction;
  return { heading, paragraphs: [fill(bureau, { bureau: name }), joined(name, address, phone, website)] };
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(', ');
}
