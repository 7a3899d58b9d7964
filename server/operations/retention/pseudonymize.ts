import { type Application, findApplication, NO_PERSON, saveApplication } from '../../lending/applications/store.ts';
import { type Cart, lockCartById, saveWithoutContacts } from '../../purchases/carts/store.ts';
import { findDocumentOfApplication } from '../../agreements/store.ts';
import { MIN_PURCHASE_DAYS } from '../../base/config/settings.ts';
import type { Database, Tx } from '../../db/database.ts';
import { type Instant, plusDays } from '../../base/time.ts';
import { deleteTransactionContacts, findTransactionOfApplication } from '../../purchases/transactions/store.ts';
import { deleteDocuments, deleteNotices, type DueApplication, heldApplications } from './store.ts';

/** Evidence of disclosures is retained as long as purchases. */
export const DOCUMENT_DAYS = MIN_PURCHASE_DAYS;

/** The result for an application. */
export interface Pseudonymized {
  applicationId: string;
  /** Time after which the signed agreement may be deleted; null if no signed agreement is stored. */
  documentUntil: Instant | null;
}

/** Pseudonymizes an application in its own database transaction. Does nothing under a legal hold. */
export async function pseudonymize(database: Database, { id, cartId }: DueApplication, now: Instant): Promise<void> {
  await database.write(async (tx) => {
    // Locks the whole checkout (decisions/0033).
    const cart = await lockCartById(tx, cartId);
    const application = await findApplication(tx, id);
    if (application) await pseudonymizeLocked(tx, cart, application, now);
  });
}

/**
 * Deletes everything in an application, its cart, transaction, notices and agreement that identifies the buyer. Ids, amounts, statuses, reasons
 * and the journal stay. The cart stays as it is while another application of it is under a legal hold, or if another one has its purchase. The
 * caller has locked the cart.
 *
 * @returns Undefined under a legal hold.
 */
export async function pseudonymizeLocked(
  tx: Tx,
  cart: Cart,
  application: Application,
  now: Instant,
): Promise<Pseudonymized | undefined> {
  const { id } = application;
  const held = await heldApplications(tx, [cart.id]);
  if (held.includes(id)) return undefined;
  await saveApplication(tx, application, {
    ...NO_PERSON,
    detailsDeletedAt: now,
    paymentAgreements: application.paymentAgreements.map((agreement) => ({
      ...agreement,
      signedName: '',
      client: null,
      documentCode: undefined,
    })),
    sessionHash: '',
  });
  await deleteNotices(tx, id);
  const transaction = await findTransactionOfApplication(tx, id);
  // The contacts of a cart with a purchase are retained with it, even if another application of the cart was denied.
  if (held.length === 0 && (transaction || cart.transactionId === null)) await deleteCartContacts(tx, cart, now);
  if (transaction) {
    const ref = { merchantId: transaction.merchantId, id: transaction.id };
    await deleteTransactionContacts(tx, ref, now);
  }
  return { applicationId: id, documentUntil: await deleteOldDocument(tx, id, now) };
}

async function deleteOldDocument(tx: Tx, applicationId: string, now: Instant): Promise<Instant | null> {
  const document = await findDocumentOfApplication(tx, applicationId);
  if (!document) return null;
  const until = plusDays(document.createdAt, DOCUMENT_DAYS);
  if (until > now) return until;
  await deleteDocuments(tx, [applicationId]);
  return null;
}

/** Deletes the contacts and metadata that the merchant sent with a cart. The caller has locked it. */
export async function deleteCartContacts(tx: Tx, cart: Cart, now: Instant): Promise<void> {
  const { shippingContact: _shipping, billingContact: _billing, metadata: _metadata, ...rest } = cart.options;
  await saveWithoutContacts(tx, cart, rest, now);
}
