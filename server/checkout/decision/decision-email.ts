import { dateIn } from '../../../shared/dates.ts';
import { counted, fill } from '../../../shared/languages/texts.ts';
import type { Offer } from '../../../shared/wire/application.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { fullName } from '../../applications/contact.ts';
import { lastDayOf } from '../../applications/expiry.ts';
import { isFinallyIneligible, isOrderClosed, statusCodes } from '../../applications/lifecycle.ts';
import { referenceOf } from '../../applications/reference.ts';
import type { Application } from '../../applications/store.ts';
import { cartStatusAt } from '../../carts/carts.ts';
import type { Cart } from '../../carts/store.ts';
import type { Operator } from '../../config/operator.ts';
import type { Tx } from '../../db/database.ts';
import { NEEDED_ACTIONS, type NeededAction } from '../../lenders/lender.ts';
import { type Block, buyerEmail } from '../../notifications/buyer-email.ts';
import type { EmailContacts } from '../../notifications/contacts.ts';
import type { NewEmail, MessageHandling } from '../../notifications/outbox.ts';
import { findProgramOn } from '../../programs/programs.ts';
import { type Texts, texts } from '../../texts.ts';
import { portionsOf, restByCard } from '../session/portions.ts';
import type { Session } from '../session/session.ts';
import { adverseActionEmail, noticeOf } from './adverse-action.ts';
import { scoreDisclosureBlocks } from './score-disclosure.ts';
import { storedDecision } from './stored-decision.ts';

/** The parts of a session that an e-mail states. */
export type EmailFacts = Pick<Session, 'program' | 'merchant' | 'purchase' | 'cart' | 'isCartOpen'>;
type Facts = EmailFacts;
type Handling = Exclude<MessageHandling, 'rejected'>;

/**
 * Returns the e-mail about the status of an application, in its language; undefined if no e-mail is sent for this status.
 *
 * @param before - The application before it entered the status.
 */
export function statusEmail(
  session: Facts,
  application: Application,
  { handling, operator, publicUrl, before }: { handling: Handling; operator: Operator; publicUrl: string; before: Application },
  again: readonly Block[],
): NewEmail | undefined {
  const t = texts[application.language];
  const { program, merchant } = session;
  const contacts = { operator, lender: program.lender, merchant, publicUrl, reference: referenceOf(application.id) };
  const { status, statusCode: code } = application;
  const email = (blocks: readonly Block[]) => decisionEmail(contacts, application, blocks, t);
  const button = { label: t.decisionEmail.open, url: `${publicUrl}/c/${session.cart.code}` };
  const resume = { paragraphs: [t.decisionEmail.resume], button };
  const notice = (further: readonly Block[] = []) =>
    adverseActionEmail(noticeOf(session, application), nameInEmail(application), t, handling, contacts, further);
  if (status === 'DENIED') return notice();
  if (code === statusCodes.APPROVED['order-closed-partial']) return notice(scoreBlocks(session, application, handling, t));
  if (code === statusCodes.APPROVED['order-closed']) {
    return email([...closedBlocks(session, application, t), ...scoreBlocks(session, application, handling, t)]);
  }
  if (code === statusCodes.APPROVED.partial) {
    return notice([...scoreBlocks(session, application, handling, t), resume]);
  }
  if (status === 'APPROVED') {
    return email([...approvalBlocks(session, application, t), resume, ...scoreBlocks(session, application, handling, t)]);
  }
  if (status === 'NEEDS_ACTION') {
    const { returnToPage } = t.needsAction;
    return email([...incompleteBlocks(session, application, t), session.isCartOpen ? resume : { paragraphs: [returnToPage] }]);
  }
  // The e-mail about the approval has stated that it cannot be used.
  if (isOrderClosed(before)) return undefined;
  if (isFinallyIneligible(application)) {
    return email([{ paragraphs: [whyIneligible(application, program, t), t.unavailable.nothingCharged] }]);
  }
  if (status === 'CANCELLED' || status === 'EXPIRED') {
    return email([endBlock(session, application, t), ...again]);
  }
  return undefined;
}

/**
 * Returns the name in an e-mail about a decision; empty unless the lender has approved the application. Before, anyone can enter any
 * address, and a message such as "Your account is locked" as a name.
 */
function nameInEmail(application: Application): string {
  return application.tierId === null ? '' : fullName(application.billingContact);
}

function decisionEmail(
  contacts: EmailContacts & { lender: Program['lender'] },
  application: Application,
  blocks: readonly Block[],
  t: Texts,
): NewEmail {
  return buyerEmail({
    language: t.language,
    name: nameInEmail(application),
    subject: fill(t.decisionEmail.subject, { lender: contacts.lender.name }),
    contacts,
    blocks,
  });
}

function approvalBlocks(facts: Facts, application: Application, t: Texts): Block[] {
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
  facts: Pick<Facts, 'program' | 'merchant' | 'purchase'>,
  application: Application,
  t: Texts,
): Block[] {
  const { closed } = t.orderClosed;
  const approved = fill(t.decisionEmail.approved, approvalValues(facts, application, t));
  const next = fill(t.endedApplication.next, { merchant: facts.merchant.name });
  return [{ paragraphs: [approved, closed, next] }];
}

function approvalValues(facts: Pick<Facts, 'program' | 'merchant' | 'purchase'>, application: Application, t: Texts) {
  const { program, merchant } = facts;
  return {
    date: t.date(dateIn(storedDecision(application).at, program.timeZone)),
    lender: program.lender.name,
    merchant: merchant.name,
    amount: t.money(portionsOf(facts, application).financedCents, program.currency),
  };
}

/** `24 monthly payments` and `$34.14, 9.99% APR` for each plan. */
function planRows(plans: readonly Offer[], t: Texts): [label: string, value: string][] {
  return plans.map(({ termLength, monthly, apr }) => [
    counted(t.decisionEmail.payments, termLength),
    `${t.money(monthly.value, monthly.currency)}, ${fill(t.plans.badge, { apr: t.apr(apr) })}`,
  ]);
}

/** The credit score disclosure, so that the buyer can keep it: 12 CFR 1022.74(e)(2)(iii). A sandbox does not record it. */
function scoreBlocks({ program }: Facts, application: Application, handling: Handling, t: Texts): Block[] {
  const { score } = storedDecision(application);
  if (!score) return [];
  return handling === 'sent'
    ? scoreDisclosureBlocks(score, program.lender.name, t)
    : [{ paragraphs: [t.scoreDisclosure.withheld] }];
}

/** Returns the end of an application without a purchase: who canceled it, or that it has expired. */
export function endBlock(
  { program, merchant }: Pick<Facts, 'program' | 'merchant'>,
  application: Pick<Application, 'statusCode' | 'expiresAt' | 'billingContact'>,
  t: Texts,
): { paragraphs: string[] } {
  const { statusCode: code } = application;
  const { canceled, expired, undecided, incomplete, nothing } = t.decisionEmail;
  const { EXPIRED } = statusCodes;
  const ended = code === EXPIRED.undecided ? undecided : code === EXPIRED.incomplete ? incomplete : expired;
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

/** Returns the reason for which the lender makes no such loan to anyone. Decisions from before there were reasons have none. */
export function whyIneligible({ statusCode }: Pick<Application, 'statusCode'>, { lender }: Program, t: Texts): string {
  const { byLender, byLaw, notOffered } = t.unavailable;
  const { law, 'not-offered': notOfferedCode } = statusCodes.INELIGIBLE;
  const text = statusCode === law ? byLaw : statusCode === notOfferedCode ? notOffered : byLender;
  return fill(text, { lender: lender.name });
}

/** Pages of the nationwide credit bureaus for lifting a freeze. */
const FREEZES = [
  ['Equifax', 'https://www.equifax.com/personal/credit-report-services/credit-freeze/'],
  ['Experian', 'https://www.experian.com/freeze/center.html'],
  ['TransUnion', 'https://www.transunion.com/credit-freeze'],
] as const;

/** Returns the action that an incomplete application needs from the buyer. */
export function neededAction({ statusCode }: Pick<Application, 'statusCode'>): NeededAction {
  return NEEDED_ACTIONS.find((each) => statusCodes.NEEDS_ACTION[each] === statusCode)!;
}

/**
 * Returns the notice of an incomplete application: what is needed, until when, and what follows if the buyer does not act. 12 CFR
 * 1002.9(c)(2), model form C-6. The period is the lender's. The cart may end before it, or have ended.
 */
export function incompleteBlocks(
  { program, cart, merchant, isCartOpen }: Pick<Session, 'program' | 'cart' | 'merchant' | 'isCartOpen'>,
  application: Pick<Application, 'statusCode' | 'expiresAt' | 'billingContact'>,
  t: Texts,
): Block[] {
  const action = neededAction(application);
  const { deadline, notDenied, actions, linkEnds, linkEnded } = t.needsAction;
  const { what, steps } = actions[action];
  const lastDay = lastDayOf(application, program);
  const values = { lender: program.lender.name, merchant: merchant.name };
  const endsEarlier = isCartOpen && cart.expiresOn < lastDay;
  return [
    { paragraphs: [fill(what, values)] },
    { steps, ...(action === 'unfreeze-credit-file' && { sites: FREEZES }) },
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
