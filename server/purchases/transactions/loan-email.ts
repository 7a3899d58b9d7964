import { isDeepStrictEqual } from 'node:util';
import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { fill } from '../../../shared/languages/texts.ts';
import { fullName } from '../../base/contact.ts';
import { referenceOf } from '../../lending/applications/reference.ts';
import { type Application, findApplication } from '../../lending/applications/store.ts';
import type { Tx } from '../../db/database.ts';
import { idOf, newId } from '../../base/ids.ts';
import { requireMerchant } from '../../merchants/store.ts';
import { type Block, buyerEmail, type MailOptions } from '../../messages/buyer-email.ts';
import type { NoticeKind } from '../../lending/lenders/events.ts';
import { enqueueBuyerEmail, subjectOf } from '../../messages/notice-delivery.ts';
import { htmlHash } from '../../messages/notices.ts';
import type { MessageHandling } from '../../messages/outbox.ts';
import { getVersion } from '../../lending/programs/store.ts';
import { type Texts, texts } from '../../base/texts.ts';
import type { Instant } from '../../base/time.ts';
import { cardStateOf, remainingCardCents, remainingFinancedCents } from './card.ts';
import { isFinal } from './lifecycle.ts';
import { cardBlock, chargedBlock, emailPartiesOf, loanBlock, type LoanParties } from './loan-block.ts';
import { type CurrentLoan, isSettledLater, loanAfter } from './loan.ts';
import { listEntries, type Transaction, type NewEntry } from './store.ts';

/**
 * Enqueues the e-mail to the buyer about a change that ended or changed the debt, with the new figures, or about a card that did not pay its
 * portion, or paid it later, in the database transaction of the change. A purchase whose contacts were deleted has no recipient.
 */
export async function sendLoanEmail(
  tx: Tx,
  before: Transaction,
  saved: Transaction,
  { type, at }: NewEntry,
  options: MailOptions,
): Promise<void> {
  const isAboutCard = isCardEntry(type);
  const borrower = isAboutCard || hasChangedDebt(before, saved) ? await findBorrower(tx, saved, options) : undefined;
  if (!borrower) return;
  const { disclosure, parties, t } = borrower;
  const journal = await listEntries(tx, saved.id);
  // One e-mail for several declines in a row: the merchant may try again, and change the order in between.
  if (isAboutCard && journal.slice(0, -1).findLast((entry) => !isAboutOrder(entry))?.type === type) return;
  const loan = loanAfter(saved, journal, disclosure);
  const subject = subjectAfter(type, loan);
  const block =
    subject === 'charged'
      ? chargedBlock(remainingCardCents(cardStateOf(saved)), parties, t)
      : subject === 'card'
        ? cardBlock(loan, parties, t)
        : loanBlock(loan, parties, t);
  // A settlement that leaves the payments as the buyer knows them needs no e-mail.
  const isSettlement = saved.status === 'SETTLED' && before.status !== 'SETTLED';
  const isKnown = isSettlement && hasSamePayments(loanAfter(before, journal.slice(0, -1), disclosure), loan, disclosure);
  if (!block || isKnown) return;
  await enqueueLoanEmail(
    tx,
    saved,
    borrower,
    {
      id: idOf(`${saved.id}/letter`, saved.revision, at),
      eventId: idOf(`${saved.id}/notice`, saved.revision, at),
      at,
      kind: isAboutCard ? 'card' : loan.state === 'void' ? 'loan-void' : isSettlement ? 'loan-started' : 'loan-changed',
      subject,
      block,
    },
    options,
  );
}

/**
 * Enqueues the e-mail about the payments that a lender stated, unless the buyer knows them from an earlier e-mail or the agreement. Called in
 * the database transaction that saves them, so that they are e-mailed once.
 */
export async function sendScheduleEmail(
  tx: Tx,
  before: Transaction,
  saved: Transaction,
  at: Instant,
  options: MailOptions,
): Promise<void> {
  const borrower = await findBorrower(tx, saved, options);
  if (!borrower) return;
  const { disclosure, parties, t } = borrower;
  const journal = await listEntries(tx, saved.id);
  const loan = loanAfter(saved, journal, disclosure);
  const block = loanBlock(loan, parties, t);
  if (!block || hasSamePayments(loanAfter(before, journal, disclosure), loan, disclosure)) return;
  const ids = { id: newId(), eventId: newId() };
  await enqueueLoanEmail(tx, saved, borrower, { ...ids, at, kind: 'loan-changed', subject: 'signed', block }, options);
}

function hasSamePayments(before: CurrentLoan, after: CurrentLoan, { payments: signed }: LoanDisclosure): boolean {
  const agreed = signed.map(({ dueOn, paymentCents: amountCents }) => ({ dueOn, amountCents }));
  return isDeepStrictEqual(before.payments ?? agreed, after.payments ?? agreed);
}

/** The recipient of an e-mail, with the signed agreement. */
interface Borrower {
  handling: Exclude<MessageHandling, 'unavailable'>;
  application: Application;
  disclosure: LoanDisclosure;
  documentCode: string | undefined;
  parties: LoanParties;
  t: Texts;
}

/** Returns the recipient of e-mails; undefined without an address or an e-mail server. */
async function findBorrower(tx: Tx, { applicationId }: Transaction, { handling }: MailOptions): Promise<Borrower | undefined> {
  if (handling === 'unavailable') return undefined;
  const application = await findApplication(tx, applicationId);
  const agreement = application?.paymentAgreements[0];
  if (!application || !agreement || application.billingContact.email === '') return undefined;
  const { disclosure, documentCode } = agreement;
  const t = texts[application.language];
  return { handling, application, disclosure, documentCode, parties: emailPartiesOf(disclosure, t), t };
}

interface LoanEmail {
  id: string;
  /** The id of the event with which the lender receives it. */
  eventId: string;
  at: Instant;
  kind: NoticeKind;
  subject: keyof Texts['loanNow']['subjects'];
  block: Block;
}

/** Enqueues a letter about the debt, which is a notice. */
async function enqueueLoanEmail(
  tx: Tx,
  { merchantId }: Transaction,
  { handling, application, documentCode, parties, t }: Borrower,
  { id, eventId, at, kind, subject, block }: LoanEmail,
  { publicUrl, operator }: MailOptions,
): Promise<void> {
  const { billingContact, language } = application;
  const merchant = await requireMerchant(tx, merchantId);
  const program = await programOf(tx, application);
  const button = documentCode && { label: t.copy.open, url: `${publicUrl}/a/${documentCode}` };
  const content = buyerEmail({
    language,
    name: fullName(billingContact),
    subject: fill(t.loanNow.subjects[subject], { ...parties }),
    contacts: { operator, lender: program?.lender, merchant, publicUrl, reference: referenceOf(application.id) },
    blocks: [{ ...block, ...(button && { button }) }],
  });
  const notice = { kinds: [kind], language, sha256: htmlHash(content.html) };
  const email = { id, handling, createdAt: at, content, notice };
  await enqueueBuyerEmail(tx, application, email, subjectOf(application, eventId, at));
}

/** Returns true for an entry about the card that changes no amount: it was declined, could not be charged, or was charged later. */
function isCardEntry(type: NewEntry['type']): boolean {
  return type === 'card-declined' || type === 'card-capture-failed' || type === 'card-captured';
}

/** Returns true for an entry that changes neither amounts nor the status. */
function isAboutOrder({ type }: Pick<NewEntry, 'type'>): boolean {
  return type === 'shipped' || type === 'order-id-set';
}

function subjectAfter(type: NewEntry['type'], { cause, state }: CurrentLoan): LoanEmail['subject'] {
  if (isCardEntry(type)) return type === 'card-captured' ? 'charged' : 'card';
  if (cause) return cause;
  return state === 'void' ? 'paid-by-card' : state;
}

/** Returns true if a change ended a purchase with a loan, or may have changed the amount of the loan or its payments. */
function hasChangedDebt(before: Transaction, after: Transaction): boolean {
  const hasEnded = isFinal(after.status) && before.status !== after.status;
  const mayHaveStartedLater = before.status !== 'SETTLED' && isSettledLater(after);
  return (hasEnded && after.status !== 'REFUNDED') || mayHaveStartedLater || financedCentsOf(before) !== financedCentsOf(after);
}

function financedCentsOf(row: Transaction): number {
  return remainingFinancedCents(cardStateOf(row));
}

function programOf(tx: Tx, { programId, programVersion }: Application) {
  return programVersion === null ? undefined : getVersion(tx, programId, programVersion);
}
