import { dateIn } from '../../../shared/dates.ts';
import { counted, fill } from '../../../shared/languages/texts.ts';
import type { Offer } from '../../../shared/wire/application.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { fullName } from '../../applications/contact.ts';
import { lastDayOf } from '../../applications/expiry.ts';
import { isDecisionPending, isFinallyIneligible, statusCodes } from '../../applications/lifecycle.ts';
import { referenceOf } from '../../applications/reference.ts';
import { type ApplicationChanges, type Application, saveApplication } from '../../applications/store.ts';
import { cartStatusAt } from '../../carts/carts.ts';
import type { Cart } from '../../carts/store.ts';
import type { Operator } from '../../config/operator.ts';
import type { Tx } from '../../db/database.ts';
import { NEEDED_ACTIONS, type NeededAction } from '../../lenders/lender.ts';
import { type Block, buyerEmail } from '../../notifications/buyer-email.ts';
import type { EmailContacts } from '../../notifications/contacts.ts';
import { type NewEmail, enqueueMessage, type MessageHandling } from '../../notifications/outbox.ts';
import { findProgramOn } from '../../programs/programs.ts';
import { type Texts, texts } from '../../texts.ts';
import type { EmailOptions } from '../session/deps.ts';
import type { Session } from '../session/session.ts';
import { adverseActionEmail, noticeOf } from './adverse-action.ts';
import { scoreDisclosureBlocks } from './score-disclosure.ts';
import { storedDecision } from './stored-decision.ts';

type Facts = Pick<Session, 'program' | 'merchant' | 'purchase' | 'cart'>;
type Handling = Exclude<MessageHandling, 'rejected'>;

/**
 * Saves an application whose status changes, and enqueues the e-mail about its new status in the same database transaction. Buyers are
 * e-mailed about decisions, and about the end of an application that the lender has received. Without an e-mail sender, only the page
 * informs them.
 *
 * @param session - As loaded in this database transaction, with its cart locked.
 * @param emailId - Id of the e-mail.
 * @param isAllowed - Whether the buyer may be e-mailed although no lender has received the application (decisions/0052).
 */
export async function saveAndEmail(
  tx: Tx,
  session: Facts,
  application: Application,
  changes: ApplicationChanges,
  { handling, publicUrl, operator }: Pick<EmailOptions, 'handling' | 'publicUrl' | 'operator'>,
  emailId: string,
  isAllowed = false,
): Promise<Application> {
  const saved = await saveApplication(tx, application, changes);
  const { email } = saved.billingContact;
  const isInformed = isSubmitted(application) || isAllowed;
  if (handling === 'rejected' || email === '' || !isInformed || saved.status === application.status) return saved;
  const again = await applyAgainBlocks(tx, session.cart, saved, publicUrl);
  const content = statusEmail(session, saved, { handling, operator, publicUrl }, again);
  if (!content) return saved;
  await enqueueMessage(tx, {
    id: emailId,
    merchantId: saved.merchantId,
    cartId: saved.cartId,
    applicationId: saved.id,
    handling,
    createdAt: saved.updatedAt,
    channel: 'email',
    to: email,
    content,
  });
  return saved;
}

/** Returns true if a lender has received, or may have received, the application. */
export function isSubmitted(application: Pick<Application, 'status' | 'statusCode'>): boolean {
  return application.status !== 'STARTED' || isDecisionPending(application);
}

/**
 * Returns the e-mail about the status of an application, in its language; undefined if no e-mail is sent for this status.
 */
function statusEmail(
  session: Facts,
  application: Application,
  { handling, operator, publicUrl }: { handling: Handling; operator: Operator; publicUrl: string },
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
  if (code === statusCodes.APPROVED.partial) {
    return notice([...scoreBlocks(session, application, handling, t), resume]);
  }
  if (status === 'APPROVED') {
    return email([...approvalBlocks(session, application, t), resume, ...scoreBlocks(session, application, handling, t)]);
  }
  if (status === 'NEEDS_ACTION') return email([...incompleteBlocks(session, application, t), resume]);
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

function approvalBlocks({ program, merchant }: Facts, application: Application, t: Texts): Block[] {
  const { approved, until } = t.decisionEmail;
  const values = {
    date: t.date(dateIn(storedDecision(application).at, program.timeZone)),
    lender: program.lender.name,
    merchant: merchant.name,
    amount: t.money(application.financedCents ?? 0, program.currency),
  };
  return [
    { paragraphs: [fill(approved, values)], rows: planRows(application.offers, t) },
    { paragraphs: [fill(until, { date: t.date(lastDayOf(application, program)) })] },
  ];
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
  const { canceled, expired, undecided, nothing } = t.decisionEmail;
  const ended = code === statusCodes.EXPIRED.undecided ? undecided : expired;
  const by = (['by-buyer', 'by-merchant', 'restarted'] as const).find((reason) => statusCodes.CANCELLED[reason] === code);
  const values = {
    lender: program.lender.name,
    merchant: merchant.name,
    date: t.date(lastDayOf(application, program)),
  };
  return { paragraphs: [fill(by ? canceled[by] : ended, values), nothing] };
}

/**
 * The link to apply again after the buyer canceled or an approval expired, while the link of the cart is valid and its program is sold. An
 * application without a decision expires together with that link.
 */
async function applyAgainBlocks(tx: Tx, cart: Cart, application: Application, publicUrl: string): Promise<Block[]> {
  const { statusCode: code, updatedAt } = application;
  const isPossible = code === statusCodes.CANCELLED['by-buyer'] || code === statusCodes.EXPIRED['approval-expired'];
  if (!isPossible || cartStatusAt(cart, updatedAt) !== 'OPEN' || !(await findProgramOn(tx, cart.programId, updatedAt))) return [];
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
 * 1002.9(c)(2), model form C-6. The deadline is the last day of the checkout link, after which the buyer cannot apply again.
 */
export function incompleteBlocks(
  { program, cart }: Pick<Session, 'program' | 'cart'>,
  application: Pick<Application, 'statusCode'>,
  t: Texts,
): Block[] {
  const action = neededAction(application);
  const { deadline, notDenied, actions } = t.needsAction;
  const { what, steps } = actions[action];
  const values = { lender: program.lender.name, date: t.date(cart.expiresOn) };
  return [
    { paragraphs: [fill(what, values)] },
    { steps, ...(action === 'unfreeze-credit-file' && { sites: FREEZES }) },
    { paragraphs: [fill(deadline, values), notDenied] },
  ];
}
