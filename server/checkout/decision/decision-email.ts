import { dateIn } from '../../base/time.ts';
import { counted, fill } from '../../../shared/languages/texts.ts';
import type { StoredOffer } from '../../db/schema.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { fullName } from '../../base/contact.ts';
import { lastDayOf } from '../../lending/applications/expiry.ts';
import { isFinallyIneligible, isOrderClosed } from '../../lending/applications/lifecycle.ts';
import { statusCodes } from '../../../shared/wire/status-codes.ts';
import { referenceOf } from '../../lending/applications/reference.ts';
import { signedAgreement } from '../../agreements/agreement.ts';
import type { Application } from '../../lending/applications/store.ts';
import { cartStatusAt } from '../../purchases/carts/carts.ts';
import type { Cart } from '../../purchases/carts/store.ts';
import type { Tx } from '../../db/database.ts';
import { NEEDED_ACTIONS, type NeededAction } from '../../lending/lenders/lender.ts';
import { type Block, buyerEmail, merchantInEmail } from '../../messages/buyer-email.ts';
import { type NewNotice, htmlHash, noticeUrl } from '../../messages/notices.ts';
import type { NoticeKind } from '../../lending/lenders/events.ts';
import type { EmailContent, MessageHandling } from '../../messages/outbox.ts';
import { findProgramOn } from '../../lending/programs/programs.ts';
import { type Texts, texts } from '../../base/texts.ts';
import type { EmailOptions } from '../session/deps.ts';
import { portionsOf, restByCard } from '../session/portions.ts';
import type { Session } from '../session/session.ts';
import { noticeBlocks, noticeOf } from './adverse-action.ts';
import { scoreDisclosureBlocks } from './score-disclosure.ts';
import { storedDecision } from './stored-decision.ts';

/** The parts of a session that an e-mail states. */
export type EmailFacts = Pick<Session, 'program' | 'merchant' | 'purchase' | 'cart' | 'isCartOpen'>;

/** An e-mail, and the notice that it contains or links to. */
export interface StatusEmail {
  content: EmailContent;
  notice?: NewNotice;
}

/** The content of an e-mail about a status. */
interface StatusText {
  /** The kinds of the notice; none for a status without one. */
  kinds?: readonly NoticeKind[];
  /** The content that any reader of the mailbox may see. */
  open: readonly Block[];
  /** The content that only the buyer may see: reasons of a decision, and scores. */
  personal?: readonly Block[];
}

/** The facts of an e-mail about a status, besides the application. */
export interface StatusContext {
  mail: Pick<EmailOptions, 'publicUrl' | 'operator' | 'noticeKey'> & { handling: Exclude<MessageHandling, 'unavailable'> };
  /** Id of the e-mail, which is that of its notice. */
  id: string;
  /** The application before it entered the status. */
  before: Application;
}

/**
 * Returns the e-mail about the status of an application, in its language; undefined if no e-mail is sent for this status.
 *
 * Reasons and scores are in the e-mail only if the buyer has confirmed the address by a code. Otherwise it links to a page that sends one
 * (decisions/0057).
 *
 * @param again - The link to apply again, from `applyAgainBlocks`; empty if the buyer cannot.
 */
export function statusEmail(
  facts: EmailFacts,
  application: Application,
  { mail, id, before }: StatusContext,
  again: readonly Block[],
): StatusEmail | undefined {
  const t = texts[application.language];
  const merchant = { ...facts.merchant, name: merchantInEmail(facts.merchant.name, t) };
  const session = { ...facts, merchant };
  const { program } = session;
  const text = statusText(session, application, before, again, mail.publicUrl, t);
  if (!text) return undefined;
  const { operator, publicUrl } = mail;
  const contacts = { operator, lender: program.lender, merchant, publicUrl, reference: referenceOf(application.id) };
  const subject = fill(t.decisionEmail.subject, { lender: program.lender.name });
  const email = (blocks: readonly Block[]) =>
    buyerEmail({ language: t.language, name: nameInEmail(application), subject, contacts, blocks });
  const { kinds, open, personal = [] } = text;
  const whole = email([...open, ...personal]);
  if (!kinds) return { content: whole };
  const { language } = application;
  const notice = { kinds, language, sha256: htmlHash(whole.html) };
  if (personal.length === 0 || isAddressConfirmed(application, mail)) return { content: whole, notice };
  const link = noticeLink(open, { lender: program.lender.name, merchant: merchant.name }, noticeUrl(mail, id, language), t);
  return { content: email(link), notice: { ...notice, html: whole.html } };
}

/** Returns true if the buyer has entered a code that was sent to their e-mail address. A sandbox records e-mails that merchants can read. */
function isAddressConfirmed(application: Application, { handling }: StatusContext['mail']): boolean {
  return handling === 'sent' && signedAgreement(application)?.codeSentBy === 'email';
}

/** Returns the content of an e-mail whose personal part is behind a link. */
function noticeLink(open: readonly Block[], values: { lender: string; merchant: string }, url: string, t: Texts): Block[] {
  const { ready, read, score, byCode } = t.decisionEmail;
  if (open.length > 0) return [...open, { paragraphs: [fill(score, values)], link: url }, { paragraphs: [byCode] }];
  return [{ paragraphs: [fill(ready, values)], button: { label: read, url } }, { paragraphs: [byCode] }];
}

function statusText(
  session: EmailFacts,
  application: Application,
  before: Application,
  again: readonly Block[],
  publicUrl: string,
  t: Texts,
): StatusText | undefined {
  const { program } = session;
  const { status, statusCode: code } = application;
  const { APPROVED } = statusCodes;
  const button = { label: t.decisionEmail.open, url: `${publicUrl}/c/${session.cart.code}` };
  const resume = { paragraphs: [t.decisionEmail.resume], button };
  const adverse = () => noticeBlocks(noticeOf(session, application), t);
  if (status === 'DENIED') return { kinds: ['denial'], open: [], personal: adverse() };
  if (status === 'APPROVED') {
    const { score } = storedDecision(application);
    const scoreBlocks = score ? scoreDisclosureBlocks(score, program.lender.name, t) : [];
    const withScore = (kind: NoticeKind): NoticeKind[] => (score ? [kind, 'score-disclosure'] : [kind]);
    if (code === APPROVED.partial || code === APPROVED['order-closed-partial']) {
      const next = code === APPROVED.partial ? [resume] : [];
      return { kinds: withScore('counteroffer'), open: [], personal: [...adverse(), ...scoreBlocks, ...next] };
    }
    const approval = isOrderClosed(application)
      ? closedBlocks(session, application, t)
      : [...approvalBlocks(session, application, t), resume];
    // The credit score disclosure, so that the buyer can keep it: 12 CFR 1022.74(e)(2)(iii).
    return { kinds: withScore('approval'), open: approval, personal: scoreBlocks };
  }
  if (status === 'NEEDS_ACTION') {
    const next = session.isCartOpen ? resume : { paragraphs: [t.needsAction.returnToPage] };
    return { kinds: ['incompleteness'], open: [...incompleteBlocks(session, application, t), next] };
  }
  // The e-mail about the approval has stated that it cannot be used.
  if (isOrderClosed(before)) return undefined;
  if (isFinallyIneligible(application)) {
    return { open: [{ paragraphs: [whyIneligible(application, program, t), t.unavailable.nothingCharged] }] };
  }
  if (status === 'CANCELLED' || status === 'EXPIRED') return { open: [endBlock(session, application, t), ...again] };
  return undefined;
}

/**
 * Returns the name in an e-mail about a decision; empty unless the lender has approved the application. Before, anyone can enter any
 * address, and a message such as "Your account is locked" as a name.
 */
function nameInEmail(application: Application): string {
  return application.tierId === null ? '' : fullName(application.billingContact);
}

function approvalBlocks(facts: EmailFacts, application: Application, t: Texts): Block[] {
  const { program } = facts;
  const { approved, choose, until } = t.decisionEmail;
  const byCard = restByCard(portionsOf(facts, application), program.currency, t);
  return [
    {
      paragraphs: [[fill(approved, approvalValues(facts, application, t)), byCard, choose].filter(Boolean).join(' ')],
      rows: planRows(application.offers, t),
    },
    { paragraphs: [fill(until, { date: t.date(lastDayOf(application, program)) })] },
  ];
}

/** An approval whose cart has ended. */
export function closedBlocks(
  facts: Pick<EmailFacts, 'program' | 'merchant' | 'purchase'>,
  application: Application,
  t: Texts,
): Block[] {
  const { closed } = t.orderClosed;
  const approved = fill(t.decisionEmail.approved, approvalValues(facts, application, t));
  const next = fill(t.endedApplication.next, { merchant: facts.merchant.name });
  return [{ paragraphs: [approved, closed, next] }];
}

function approvalValues(facts: Pick<EmailFacts, 'program' | 'merchant' | 'purchase'>, application: Application, t: Texts) {
  const { program, merchant } = facts;
  return {
    date: t.date(dateIn(storedDecision(application).at, program.timeZone)),
    lender: program.lender.name,
    merchant: merchant.name,
    amount: t.money(portionsOf(facts, application).financedCents, program.currency),
  };
}

/** `24 monthly payments` and `$34.14, 9.99% APR` for each plan. */
function planRows(plans: readonly StoredOffer[], t: Texts): [label: string, value: string][] {
  return plans.map(({ termLength, monthly, apr }) => [
    counted(t.decisionEmail.payments, termLength),
    `${t.money(monthly.value, monthly.currency)}, ${fill(t.plans.badge, { apr: t.apr(apr) })}`,
  ]);
}

/** Returns the end of an application without a purchase: who canceled it, or that it has expired. */
export function endBlock(
  { program, merchant }: Pick<EmailFacts, 'program' | 'merchant'>,
  application: Pick<Application, 'statusCode' | 'expiresAt' | 'billingContact'>,
  t: Texts,
): { paragraphs: string[] } {
  const { statusCode: code } = application;
  const { canceled, expired, undecided, incomplete, nothing } = t.decisionEmail;
  const { EXPIRED } = statusCodes;
  const ended = code === EXPIRED['not-submitted'] ? undecided : code === EXPIRED.incomplete ? incomplete : expired;
  const by = (['by-buyer', 'by-merchant', 'restarted'] as const).find((reason) => statusCodes.CANCELLED[reason] === code);
  const values = {
    lender: program.lender.name,
    merchant: merchant.name,
    date: t.date(lastDayOf(application, program)),
  };
  return { paragraphs: [fill(by ? canceled[by] : ended, values), nothing] };
}

/**
 * The link to apply again after the buyer canceled, or an approval or an incomplete application expired, while the link of the cart is
 * valid and its program is sold.
 */
export async function applyAgainBlocks(tx: Tx, cart: Cart, application: Application, publicUrl: string): Promise<Block[]> {
  const { statusCode: code, updatedAt } = application;
  const { CANCELLED, EXPIRED } = statusCodes;
  const again: readonly string[] = [CANCELLED['by-buyer'], EXPIRED['approval-expired'], EXPIRED.incomplete];
  if (!again.includes(code) || cartStatusAt(cart, updatedAt) !== 'OPEN') return [];
  if (!(await findProgramOn(tx, cart.programId, updatedAt))) return [];
  const t = texts[application.language];
  const button = { label: t.needsAction.applyAgain, url: `${publicUrl}/c/${cart.code}/restart` };
  return [{ paragraphs: [fill(t.decisionEmail.applyAgain, { date: t.date(cart.expiresOn) })], button }];
}

/** Returns the reason for which the lender makes no such loan to anyone. */
export function whyIneligible({ statusCode }: Pick<Application, 'statusCode'>, { lender }: Program, t: Texts): string {
  const { byLender, byLaw, notOffered } = t.unavailable;
  const { law, 'not-offered': notOfferedCode } = statusCodes.INELIGIBLE;
  const text = statusCode === law ? byLaw : statusCode === notOfferedCode ? notOffered : byLender;
  return fill(text, { lender: lender.name });
}

/** Returns the action that an incomplete application needs from the buyer. */
export function neededAction({ statusCode }: Pick<Application, 'statusCode'>): NeededAction {
  return NEEDED_ACTIONS.find((each) => statusCodes.NEEDS_ACTION[each] === statusCode)!;
}

/**
 * Returns the notice of an incomplete application: what is needed, until when, and what follows if the buyer does not act. 12 CFR
 * 1002.9(c)(2), model form C-6. The period is the lender's. The cart may end before it, or have ended. The steps to lift
 * the freeze of a credit file name the bureaus that the lender asked, if the lender has stated them.
 */
export function incompleteBlocks(
  { program, cart, merchant, isCartOpen }: Pick<Session, 'program' | 'cart' | 'merchant' | 'isCartOpen'>,
  application: Pick<Application, 'statusCode' | 'expiresAt' | 'billingContact' | 'decision' | 'updatedAt'>,
  t: Texts,
): Block[] {
  const action = neededAction(application);
  const { deadline, notDenied, actions, linkEnds, linkEnded, liftFreeze } = t.needsAction;
  const { what, steps } = actions[action];
  const asked = action === 'unfreeze-credit-file' ? (storedDecision(application).sources?.reports ?? []) : [];
  const bureaus = t.list(asked.map(({ name, phone }) => `${name} (${phone})`));
  const lastDay = lastDayOf(application, program);
  const values = { lender: program.lender.name, merchant: merchant.name };
  const endsEarlier = isCartOpen && cart.expiresOn < lastDay;
  return [
    { paragraphs: [fill(what, values)] },
    asked.length === 0
      ? { steps }
      : {
          steps: [fill(liftFreeze, { bureaus }), ...steps.slice(1)],
          sites: asked.map(({ name, website }) => [name, website] as const),
        },
    {
      paragraphs: [
        fill(deadline, { ...values, date: t.date(lastDay) }),
        ...(endsEarlier ? [fill(linkEnds, { date: t.date(cart.expiresOn) })] : []),
        ...(isCartOpen ? [] : [fill(linkEnded, values)]),
        notDenied,
      ],
    },
  ];
}
