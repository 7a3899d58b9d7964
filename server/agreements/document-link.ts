import type { Actor } from '../base/actor.ts';
import { type Application, findApplication } from '../lending/applications/store.ts';
import { lockCartById } from '../purchases/carts/store.ts';
import type { Database, Query } from '../db/database.ts';
import { lookupHash } from '../db/sealed.ts';
import { invalidRequest, ServiceError } from '../base/errors.ts';
import { isId, newId } from '../base/ids.ts';
import { countAttempt } from '../http/attempts.ts';
import type { Merchant } from '../merchants/store.ts';
import { getVersion } from '../lending/programs/store.ts';
import { addSecurityEvents, newSecurityEvent } from '../merchants/security-events.ts';
import { DAY_MS, type Instant } from '../base/time.ts';
import { readLoan } from '../purchases/transactions/loan.ts';
import type { Transaction } from '../purchases/transactions/store.ts';
import type { Transactions } from '../purchases/transactions/transactions.ts';
import { signedAgreement } from './agreement.ts';
import { type DocumentOptions, sendDocument } from './document.ts';
import { addDocumentRevocation, hasDocument, isDocumentRevoked } from './store.ts';

/** Copies of an agreement that a merchant may send in 24 hours. */
const COPIES_PER_DAY = 3;

/** Returns true if there is a link to the agreement, an address to send it to, and the consent to electronic documents. */
export async function canSendCopy(query: Query, application: Application | undefined): Promise<boolean> {
  if (
    !application ||
    application.consentWithdrawnAt !== null ||
    application.billingContact.email === '' ||
    !signedAgreement(application)?.documentCode
  )
    return false;
  return !(await isDocumentRevoked(query, application.id));
}

/**
 * E-mails the buyer the link to the signed agreement again, with the current state of the loan, to the address of the application.
 *
 * @throws ServiceError `wrong-state` - the buyer was deleted or has withdrawn the consent to e-mails, or the link was revoked; `rate-limited`; `not-configured` - no SMTP server is
 *   configured.
 */
export async function sendCopy(
  database: Database,
  { merchant, transaction, actor }: { merchant: Merchant; transaction: Transaction; actor: Actor },
  transactions: Transactions,
  options: DocumentOptions,
  now: Instant,
): Promise<void> {
  const { id: transactionId, applicationId, cartId, cardCents } = transaction;
  if (options.handling === 'unavailable') throw new ServiceError('not-configured', 'This service is not set up to send e-mails.');
  const emailId = newId();
  const event = { kind: 'agreement-sent', actor, merchantId: merchant.id, details: { transactionId } } as const;
  const eventRow = newSecurityEvent(event, now);
  await database.write(async (tx) => {
    // The lock of its whole checkout (decisions/0033).
    await lockCartById(tx, cartId);
    const ref = { merchantId: merchant.id, id: transactionId };
    const loan = await readLoan(tx, await transactions.lock(tx, ref, now));
    const application = await findApplication(tx, applicationId);
    if (!application || !(await canSendCopy(tx, application))) {
      throw new ServiceError(
        'wrong-state',
        'Expected an order with a link to its agreement, whose buyer receives documents by e-mail.',
      );
    }
    const hash = await lookupHash(tx, 'agreement-copy', transactionId);
    const [limited] = await countAttempt(tx, [{ hash, limit: COPIES_PER_DAY, periodMs: DAY_MS }], now);
    if (limited) {
      const details = { retryAfterSeconds: String(limited.waitSeconds) };
      throw new ServiceError('rate-limited', `Expected at most ${COPIES_PER_DAY} copies a day.`, { details });
    }
    const { programId, programVersion } = application;
    const program = programVersion === null ? undefined : await getVersion(tx, programId, programVersion);
    await sendDocument(tx, { application, program, merchant, portions: { cardCents }, loan }, options, emailId, now);
    await addSecurityEvents(tx, eventRow);
  });
}

/**
 * Revokes the link to the signed agreement of an application, permanently, for an operator's command. The document itself is kept.
 * Revoking a link again changes nothing.
 *
 * @returns When the link was revoked.
 * @throws ServiceError `invalid-request` - there is no such application, or it has no signed agreement.
 */
export async function revokeDocumentLink(database: Database, applicationId: string, now: Instant): Promise<Instant> {
  const application = isId(applicationId) ? await findApplication(database.query, applicationId) : undefined;
  if (!application || !(await hasDocument(database.query, applicationId))) {
    throw invalidRequest('application', 'the id of an application with a signed agreement', `"${applicationId}"`);
  }
  const { merchantId, cartId } = application;
  // The actor of commands, not a person on the pages of the console.
  const event = { kind: 'document-link-revoked', actor: 'console', merchantId, details: { applicationId } } as const;
  const eventRow = newSecurityEvent(event, now);
  return database.write(async (tx) => {
    await lockCartById(tx, cartId);
    const { revokedAt, isNew } = await addDocumentRevocation(tx, applicationId, now);
    if (isNew) await addSecurityEvents(tx, eventRow);
    return revokedAt;
  });
}
