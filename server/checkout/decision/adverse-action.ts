import { type CivilDate, dateIn } from '../../../shared/dates.ts';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { type BuyerContact, fullName } from '../../applications/contact.ts';
import type { ApplicationRow } from '../../applications/store.ts';
import type { DenialReason } from '../../lenders/lender.ts';
import type { EmailContent, MessageHandling } from '../../notifications/outbox.ts';
import { type Block, buyerEmail } from '../../notifications/buyer-email.ts';
import type { Session } from '../session/session.ts';
import type { Texts } from '../texts/index.ts';

type LenderFacts = Program['lender'];

/** A reason that the notice states. Instead of `other`, the notice states that the buyer may request the reasons. */
export type NamedReason = Exclude<DenialReason, 'other'>;

/** Content of an adverse action notice: 12 CFR 1002.9. */
export interface AdverseAction {
  /** The day of the decision. */
  date: CivilDate;
  merchantName: string;
  creditor: Pick<LenderFacts, 'name' | 'address' | 'phone'>;
  /** The main reasons, at most four: 12 CFR 1002.9(b)(2). */
  reasons: readonly NamedReason[];
  /** Whether the buyer has a right to further reasons: 12 CFR 1002.9(a)(2)(ii). */
  mayAskForReasons: boolean;
  /** Null when the program does not name one. */
  regulator: LenderFacts['regulator'] | null;
  /** The bureau whose report the decision is based on; null without a report, or when the program does not name a bureau. */
  bureau: LenderFacts['creditBureau'] | null;
  /** Required content that the program does not provide. The lender's own notice must have it. */
  missing: readonly ('address' | 'regulator' | 'bureau')[];
}

/** Reasons that are based on a credit report: 15 USC 1681m(a). */
const IS_FROM_REPORT: Record<DenialReason, boolean> = {
  'credit-history': true,
  debt: true,
  // Compared with a bureau's data.
  identity: true,
  // Stated by the buyer.
  income: false,
  // May be based on a report.
  other: true,
};

/** @param reasons - The lender's reasons, the main one first; may be empty. */
export function adverseActionOf(
  lender: LenderFacts,
  merchantName: string,
  reasons: readonly DenialReason[],
  date: CivilDate,
): AdverseAction {
  const { name, address, phone, regulator = null, creditBureau = null } = lender;
  const named = [...new Set(reasons)].filter((reason) => reason !== 'other');
  const isBasedOnReport = reasons.length === 0 || reasons.some((reason) => IS_FROM_REPORT[reason]);
  return {
    date,
    merchantName,
    creditor: { name, ...(address && { address }), ...(phone && { phone }) },
    reasons: named,
    mayAskForReasons: named.length === 0 || reasons.includes('other'),
    regulator,
    bureau: isBasedOnReport ? creditBureau : null,
    missing: [
      ...(address ? [] : (['address'] as const)),
      ...(regulator ? [] : (['regulator'] as const)),
      // A lender without a bureau in its program may use none, but a credit history comes from a bureau.
      ...(!creditBureau && reasons.includes('credit-history') ? (['bureau'] as const) : []),
    ],
  };
}

/** Returns the notice that a sandbox records. It is the same for all reasons, because merchants can read it and must not learn them. */
export function withoutReasons(notice: AdverseAction): AdverseAction {
  return {
    ...notice,
    reasons: [],
    mayAskForReasons: true,
    bureau: null,
    missing: notice.missing.filter((part) => part !== 'bureau'),
  };
}

/**
 * Returns the text of the notice in the order of the regulation: action, reasons, credit report, equal opportunity, creditor, and
 * what the lender's own notice must add.
 *
 * @param isWithheld - Replaces the reasons with a sentence that only the buyer gets them.
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

/**
 * Returns the e-mail with the notice. A sandbox records it without the reasons, because the merchant can read it.
 */
export function adverseActionEmail(
  notice: AdverseAction,
  buyer: BuyerContact,
  t: Texts,
  handling: Exclude<MessageHandling, 'rejected'>,
): EmailContent {
  const blocks = handling === 'sent' ? noticeBlocks(notice, t) : noticeBlocks(withoutReasons(notice), t, true);
  return buyerEmail({
    language: t.language,
    name: fullName(buyer),
    subject: fill(t.adverseAction.subject, { lender: notice.creditor.name }),
    blocks,
  });
}

/** Returns the notice of a denied application. It is dated by `updated_at`, since a denied application does not change again. */
export function noticeOf({ program, merchant }: Pick<Session, 'program' | 'merchant'>, denied: ApplicationRow): AdverseAction {
  const reasons = JSON.parse(denied.denial_reasons_json) as DenialReason[];
  return adverseActionOf(program.lender, merchant.name, reasons, dateIn(denied.updated_at, program.timeZone));
}
