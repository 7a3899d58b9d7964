import { dateIn } from '../../base/time.ts';
import { inLanguage } from '../../../shared/languages/index.ts';
import type { CivilDate } from '../../../shared/dates.ts';
import { counted, fill } from '../../../shared/languages/texts.ts';
import type { CreditBureau, Program } from '../../../shared/programs/program.ts';
import type { StoredOffer } from '../../db/schema.ts';
import { signedAgreement } from '../../agreements/agreement.ts';
import { lastDayOf } from '../../lending/applications/expiry.ts';
import { isOrderClosed } from '../../lending/applications/lifecycle.ts';
import type { Application } from '../../lending/applications/store.ts';
import {
  type CreditScore,
  type DecisionSources,
  isAddedCode,
  isCreditScore,
  type ScoreResult,
  type DenialCode,
  type DenialReason,
  MAX_DENIAL_REASONS,
} from '../../lending/applications/decision.ts';
import type { Block } from '../../messages/buyer-email.ts';
import type { Texts } from '../../base/texts.ts';
import { type Portions, portionsOf, restByCard } from '../session/portions.ts';
import type { Session } from '../session/session.ts';
import { storedDecision } from './stored-decision.ts';

type LenderFacts = Program['lender'];

/** A reason that the notice states. Instead of `other`, the notice states that the buyer may request the reasons. */
export type NamedReason = Exclude<DenialReason, 'other'>;

/**
 * The adverse action: the application was denied; credit of a smaller amount was offered, and the notice is combined with the offer
 * (model form C-4); or a signed loan was not made.
 */
export type Action =
  | { kind: 'denied' }
  | {
      kind: 'counteroffer';
      requestedCents: number;
      offered: Portions;
      currency: string;
      plans: readonly StoredOffer[];
      /** The last day; null if the offer cannot be accepted, because the cart ended before the decision. */
      until: CivilDate | null;
    }
  | { kind: 'withdrawn'; signedOn: CivilDate };

/** Content of an adverse action notice: 12 CFR 1002.9. */
export interface AdverseAction {
  action: Action;
  /** The day of the decision. */
  date: CivilDate;
  merchantName: string;
  creditor: Pick<LenderFacts, 'name' | 'address' | 'phone'>;
  /** The main reasons, at most four: 12 CFR 1002.9(b)(2). */
  reasons: readonly NamedReason[];
  /** True if the buyer has a right to further reasons: 12 CFR 1002.9(a)(2)(ii). */
  mayAskForReasons: boolean;
  /** Null when the program does not name one. */
  regulator: LenderFacts['regulator'] | null;
  /** The bureaus whose reports the decision is based on; empty without a report, or when no bureau is known. */
  bureaus: readonly CreditBureau[];
  /** False if it is not known whether the decision is based on a report, because the lender has stated neither reasons nor sources. */
  isBureauKnown: boolean;
  /** Other information that it is based on; null without any. 15 USC 1681m(b). */
  otherSources: 'affiliate' | 'outside' | 'affiliateAndOutside' | null;
  /** The credit score that was used: 15 USC 1681m(a)(2). Null without a score. */
  score: CreditScore | null;
  /** Required content that the program does not provide. The lender's own notice must have it. */
  missing: readonly ('address' | 'regulator' | 'bureau')[];
}

/**
 * The source of a reason: always a credit report (15 USC 1681m(a)), possibly one, or only the buyer and the lender. Used for decisions that
 * do not state their sources, as in the sandbox.
 */
const SOURCES: Record<DenialCode, 'report' | 'possibly-report' | 'own'> = {
  'no-file': 'report',
  'insufficient-file': 'report',
  delinquency: 'report',
  'collection-or-judgment': 'report',
  garnishment: 'report',
  foreclosure: 'report',
  bankruptcy: 'report',
  'recent-inquiries': 'report',
  debt: 'possibly-report',
  // Compared with a bureau's data.
  identity: 'possibly-report',
  'unverified-references': 'possibly-report',
  'unverified-employment': 'possibly-report',
  'unverified-income': 'possibly-report',
  'unverified-residence': 'possibly-report',
  limit: 'possibly-report',
  tier: 'possibly-report',
  'military-rate-cap': 'own',
  other: 'possibly-report',
  income: 'own',
  'incomplete-application': 'own',
  'insufficient-references': 'own',
  'unacceptable-references': 'own',
  'irregular-employment': 'own',
  'length-of-employment': 'own',
  'length-of-residence': 'own',
  'temporary-residence': 'own',
  'performance-with-us': 'own',
  collateral: 'own',
};

function sourceOf(reason: DenialReason) {
  return typeof reason === 'string' ? SOURCES[reason] : 'possibly-report';
}

/**
 * Returns the content of the notice of an adverse action.
 *
 * @param given - The lender's reasons, the main one first; may be empty.
 * @param sources - What the decision is based on; undefined if the lender did not state it.
 * @param score - The result of the lender's request for a score; null if there was none.
 */
export function adverseActionOf(
  lender: LenderFacts,
  merchantName: string,
  given: readonly DenialReason[],
  date: CivilDate,
  {
    action = { kind: 'denied' },
    score = null,
    sources,
  }: { action?: Action; score?: ScoreResult | null; sources?: DecisionSources | undefined } = {},
): AdverseAction {
  const { name, address, phone, regulator = null, creditBureau } = lender;
  const reasons = [...new Set(given)].slice(0, MAX_DENIAL_REASONS);
  const stated = reasons.filter((reason) => reason !== 'other');
  // Reasons that only the service has added are not specific without one of the lender: 12 CFR 1002.9(b)(2).
  const named = stated.every(isAddedCode) && reasons.includes('other') ? [] : stated;
  const isBasedOnReport = reasons.length === 0 || reasons.some((reason) => sourceOf(reason) !== 'own');
  const likelyBureau = score?.bureau ?? (isBasedOnReport ? creditBureau : undefined);
  const bureaus = sources?.reports ?? (likelyBureau ? [likelyBureau] : []);
  const isReportMissing = !sources && bureaus.length === 0 && reasons.some((reason) => sourceOf(reason) === 'report');
  return {
    action,
    date,
    merchantName,
    creditor: { name, ...(address && { address }), ...(phone && { phone }) },
    reasons: named,
    mayAskForReasons: named.length === 0 || reasons.includes('other'),
    regulator,
    bureaus,
    isBureauKnown: named.length > 0 || sources !== undefined || score !== null,
    otherSources: otherSourcesOf(sources),
    score: isCreditScore(score) ? score : null,
    missing: [
      ...(address ? [] : (['address'] as const)),
      ...(regulator ? [] : (['regulator'] as const)),
      // A lender without a bureau in its program may use none, but a credit history comes from a bureau.
      ...(isReportMissing ? (['bureau'] as const) : []),
    ],
  };
}

function otherSourcesOf(sources: DecisionSources | undefined): AdverseAction['otherSources'] {
  if (!sources) return null;
  const { affiliate, outside } = sources;
  if (affiliate) return outside ? 'affiliateAndOutside' : 'affiliate';
  return outside ? 'outside' : null;
}

/**
 * Returns the text of the notice in the order of the regulation: action, reasons, counteroffer, credit report, credit score,
 * equal opportunity, creditor, and the content that the lender's own notice must add.
 */
export function noticeBlocks(notice: AdverseAction, t: Texts): Block[] {
  return [actionBlock(notice, t), ...reasonBlocks(notice, t), ...offerBlocks(notice, t), ...rightsBlocks(notice, t)];
}

export function actionBlock({ action, date, merchantName, creditor }: AdverseAction, t: Texts): Block {
  const values = { date: t.date(date), lender: creditor.name, merchant: merchantName };
  const words = t.adverseAction;
  if (action.kind === 'withdrawn') return { paragraphs: [fill(words.withdrawn, { ...values, signed: t.date(action.signedOn) })] };
  if (action.kind === 'denied') return { paragraphs: [fill(words.action, values)] };
  const requested = t.money(action.requestedCents, action.currency);
  return { paragraphs: [fill(words.counteroffer, { ...values, requested })] };
}

export function reasonBlocks({ reasons }: AdverseAction, t: Texts): Block[] {
  const words = t.adverseAction;
  const text = (reason: NamedReason) =>
    typeof reason === 'string' ? words.reasons[reason] : inLanguage(reason.text, t.language);
  return reasons.length > 0 ? [{ heading: words.reasonsHeading, items: reasons.map(text) }] : [];
}

/** The terms of a counteroffer, and how and until when it can be accepted. */
export function offerBlocks({ action, creditor }: AdverseAction, t: Texts): Block[] {
  if (action.kind !== 'counteroffer') return [];
  const { offerHeading, offer, accept, closedOffer } = t.adverseAction;
  const lender = creditor.name;
  const offered = t.money(action.offered.financedCents, action.currency);
  const byCard = restByCard(action.offered, action.currency, t);
  if (action.until === null) return [{ paragraphs: [fill(closedOffer, { lender, offered }), t.orderClosed.closed] }];
  return [
    {
      heading: fill(offerHeading, { lender }),
      paragraphs: [fill(offer, { lender, offered })],
      items: planLines(action.plans, t),
    },
    ...(byCard ? [{ paragraphs: [byCard] }] : []),
    { paragraphs: [fill(accept, { date: t.date(action.until) })] },
  ];
}

/** `24 monthly payments of $34.14, 9.99% APR` for each plan. */
function planLines(plans: readonly StoredOffer[], t: Texts): string[] {
  return plans.map(({ termLength, monthly, apr }) => {
    const payment = t.money(monthly.value, monthly.currency);
    return fill(counted(t.decisionEmail.plan, termLength), { payment, apr: t.apr(apr) });
  });
}

export function rightsBlocks(notice: AdverseAction, t: Texts): Block[] {
  const { date, creditor, mayAskForReasons, bureaus, otherSources, score, regulator, missing } = notice;
  const words = t.adverseAction;
  const lender = creditor.name;
  const contact = joined(lender, creditor.address, creditor.phone);
  const agency = regulator && fill(words.agency, { agency: joined(regulator.name, regulator.address) });
  const parts = t.list(missing.map((part) => words.missingParts[part]));
  return [
    ...(mayAskForReasons
      ? [{ heading: words.askHeading, paragraphs: [fill(words.ask, { lender, contact, date: t.date(date) })] }]
      : []),
    ...(bureaus.length > 0 ? [bureauBlock(notice, t)] : []),
    ...(score ? scoreBlocks(score, bureaus.length > 1, lender, t) : []),
    ...(otherSources
      ? [{ heading: words.otherSourcesHeading, paragraphs: [fill(words.otherSources, { source: words[otherSources], lender })] }]
      : []),
    { heading: words.equalHeading, paragraphs: [words.equal, ...(agency ? [agency] : [])] },
    { heading: words.creditorHeading, paragraphs: [contact] },
    ...(missing.length > 0 ? [{ paragraphs: [fill(words.missing, { lender, parts })] }] : []),
    { paragraphs: [fill(words.anotherCopy, { lender })] },
  ];
}

function bureauBlock({ bureaus: listed, isBureauKnown, creditor }: AdverseAction, t: Texts): Block {
  const { bureauHeading: heading, bureau, bureaus, possibleBureau } = t.adverseAction;
  const names = t.list(listed.map(({ name }) => name));
  const known = listed.length === 1 ? fill(bureau, { bureau: names }) : fill(bureaus, { bureaus: names });
  const sentence = isBureauKnown ? known : fill(possibleBureau, { lender: creditor.name });
  return {
    heading,
    paragraphs: [sentence, ...listed.map(({ name, address, phone, website }) => joined(name, address, phone, website))],
  };
}

/** The credit score with its range, date, key factors and source: 15 USC 1681m(a)(2), with the wording of model form C-1. */
function scoreBlocks(
  { value, min, max, date, factors, bureau }: CreditScore,
  isOneOfSeveral: boolean,
  lender: string,
  t: Texts,
): Block[] {
  const { heading, used, thisAgency, score, created, range, from, factors: factorsHeading, questions } = t.adverseAction.score;
  return [
    {
      heading,
      paragraphs: [fill(used, { lender, agency: isOneOfSeveral ? bureau.name : thisAgency })],
      rows: [
        [score, String(value)],
        [created, t.date(date)],
        [range, fill(from, { least: String(min), most: String(max) })],
      ],
    },
    { heading: factorsHeading, items: factors },
    { paragraphs: [fill(questions, { bureau: joined(bureau.name, bureau.address, bureau.phone) })] },
  ];
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(', ');
}

/** Returns the notice of an application that is denied or approved in part. */
export function noticeOf(session: Pick<Session, 'program' | 'merchant' | 'purchase'>, application: Application): AdverseAction {
  const { program, merchant } = session;
  const { at, reasons, score, sources } = storedDecision(application);
  return adverseActionOf(program.lender, merchant.name, reasons, dateIn(at, program.timeZone), {
    action: actionOf(session, application),
    score,
    sources,
  });
}

function actionOf({ program, purchase }: Pick<Session, 'program' | 'purchase'>, application: Application): Action {
  if (application.status !== 'DENIED') {
    return {
      kind: 'counteroffer',
      requestedCents: purchase.totals.totalCents,
      offered: portionsOf({ program, purchase }, application),
      currency: program.currency,
      plans: application.offers,
      until: isOrderClosed(application) ? null : lastDayOf(application, program),
    };
  }
  const signed = signedAgreement(application);
  return signed ? { kind: 'withdrawn', signedOn: dateIn(signed.signedAt, program.timeZone) } : { kind: 'denied' };
}
