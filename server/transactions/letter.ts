import { fill } from '../../shared/languages/texts.ts';
import { fullName } from '../applications/contact.ts';
import { referenceOf } from '../applications/reference.ts';
import { type Application, findApplication } from '../applications/store.ts';
import type { Operator } from '../config/operator.ts';
import type { Tx } from '../db/database.ts';
import { idOf } from '../ids.ts';
import { requireMerchant } from '../merchants/store.ts';
import { buyerEmail } from '../notifications/buyer-email.ts';
import { enqueueMessage, type MessageHandling } from '../notifications/outbox.ts';
import { getVersion } from '../programs/store.ts';
import { texts } from '../texts.ts';
import { cardStateOf, remainingCardCents } from './card.ts';
import { isFinal } from './lifecycle.ts';
import { cardBlock, loanBlock, loanPartiesOf } from './loan-block.ts';
import { type CurrentLoan, isSettledLater, loanAfter } from './loan.ts';
import { listEvents, type Transaction, type TransactionEvent } from './store.ts';

/** Options of the e-mails about changes of a loan. */
export interface LetterOptions {
  /** Address of the service, without a trailing slash. */
  publicUrl: string;
  handling: MessageHandling;
  operator: Operator;
}

/**
 * Enqueues the e-mail to the buyer about a change that ended or changed the debt, with the new figures, or about a card that did not pay its
 * portion, in the database transaction of the change. A purchase whose contacts were deleted has no recipient.
 */
export async function sendLetter(
  tx: Tx,
  before: Transaction,
  saved: Transaction,
  { type, at }: TransactionEvent,
  { publicUrl, handling, operator }: LetterOptions,
): Promise<void> {
  const isAboutCard = isCardEvent(type);
  if (handling === 'rejected' || !(isAboutCard || hasChangedDebt(before, saved))) return;
  const application = await findApplication(tx, saved.applicationId);
  const agreement = application?.paymentAgreements[0];
  if (!application || !agreement || application.billingContact.email === '') return;
  const { disclosure, documentCode } = agreement;
  const journal = await listEvents(tx, saved.id);
  // The merchant may try again several times, and change what the e-mail does not contain.
  if (isAboutCard && journal.slice(0, -1).findLast((entry) => !isAboutOrder(entry))?.type === type) return;
  const loan = loanAfter(saved, journal, disclosure);
  const { billingContact, language } = application;
  const t = texts[language];
  const parties = loanPartiesOf(disclosure, t);
  const block = isAboutCard ? cardBlock(loan, parties, t) : loanBlock(loan, parties, t);
  if (!block || (saved.status === 'SETTLED' && before.status !== 'SETTLED' && !loan.startedOn)) return;
  const merchant = await requireMerchant(tx, saved.merchantId);
  const program = await programOf(tx, application);
  const button = documentCode && { label: t.copy.open, url: `${publicUrl}/a/${documentCode}` };
  await enqueueMessage(tx, {
    id: idOf(`${saved.id}/letter`, saved.revision, at),
    merchantId: saved.merchantId,
    cartId: saved.cartId,
    applicationId: application.id,
    handling,
    createdAt: at,
    channel: 'email',
    to: billingContact.email,
    content: buyerEmail({
      language,
      name: fullName(billingContact),
      subject: fill(t.loanNow.subjects[isAboutCard ? 'card' : subjectOf(loan)], { ...parties }),
      contacts: { operator, lender: program?.lender, merchant, publicUrl, reference: referenceOf(application.id) },
      blocks: [{ ...block, ...(button && { button }) }],
    }),
  });
}

/** Returns true for an event of the card that changes no amount: it was declined or could not be charged. */
export function isCardEvent(type: TransactionEvent['type']): boolean {
  return type === 'card-declined' || type === 'card-capture-failed';
}

/** Returns true for an event that changes neither amounts nor the status. */
function isAboutOrder({ type }: Pick<TransactionEvent, 'type'>): boolean {
  return type === 'shipped' || type === 'order-id-set';
}

function subjectOf({ cause, state }: CurrentLoan): keyof typeof texts.en.loanNow.subjects {
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
  return row.adjustedTotalCents - remainingCardCents(cardStateOf(row));
}

function programOf(tx: Tx, { programId, programVersion }: Application) {
  return programVersion === null ? undefined : getVersion(tx, programId, programVersion);
}
