import { NO_CONTACT, toTransactionContact } from '../applications/contact.ts';
import { detailsDeletion } from '../applications/expiry.ts';
import { findApplication, saveApplication } from '../applications/store.ts';
import { type CartRow, lockCartById, saveWithoutContacts } from '../carts/store.ts';
import { findDocumentOfApplication } from '../checkout/session/store.ts';
import type { Database, Tx } from '../db/database.ts';
import { type Instant, plusDays } from '../time.ts';
import { deleteTransactionContacts, findTransactionOfApplication } from '../transactions/store.ts';
import { deleteDocuments, findHold } from './store.ts';

/** Regulation Z, 12 CFR 1026.25(a): evidence of disclosures is retained for two years. */
export const DOCUMENT_DAYS = 730;

/** What happened to an application. */
export interface Pseudonymized {
  applicationId: string;
  /** When the signed agreement may be deleted; null if no signed agreement is stored. */
  documentUntil: Instant | null;
}

/**
 * Deletes everything in an application, its cart, transaction and agreement that identifies the buyer. Ids, amounts, statuses, reasons
 * and the journal stay. Does nothing under a legal hold.
 *
 * @returns Undefined under a legal hold.
 */
export function pseudonymize(
  database: Database,
  { id, cart_id }: { id: string; cart_id: string },
  now: Instant,
): Promise<Pseudonymized | undefined> {
  return database.write(async (tx) => {
    // Locks the whole checkout (decisions/0033).
    const cart = await lockCartById(tx, cart_id);
    const application = await findApplication(tx, id);
    if (!application || (await findHold(tx, id))) return undefined;
    const agreements = JSON.parse(application.payment_agreements_json) as object[];
    await saveApplication(tx, application, {
      ...detailsDeletion(now),
      payment_agreements_json: JSON.stringify(
        agreements.map((agreement) => ({ ...agreement, signedName: '', client: null, documentCode: undefined })),
      ),
      codes_json: '{}',
      metadata_json: '{}',
      card_label: '',
      is_covered_borrower: false,
      session_hash: '',
    });
    await deleteCartContacts(tx, cart, now);
    const transaction = await findTransactionOfApplication(tx, id);
    if (transaction) {
      const ref = { merchantId: transaction.merchant_id, id: transaction.id };
      await deleteTransactionContacts(tx, ref, JSON.stringify(toTransactionContact(NO_CONTACT)));
    }
    return { applicationId: id, documentUntil: await deleteOldDocument(tx, id, now) };
  });
}

async function deleteOldDocument(tx: Tx, applicationId: string, now: Instant): Promise<Instant | null> {
  const document = await findDocumentOfApplication(tx, applicationId);
  if (!document) return null;
  const until = plusDays(document.created_at, DOCUMENT_DAYS);
  if (until > now) return until;
  await deleteDocuments(tx, [applicationId]);
  return null;
}

/** Deletes the contacts and metadata that the merchant sent with a cart. The caller has locked it. */
export async function deleteCartContacts(tx: Tx, cart: CartRow, now: Instant): Promise<void> {
  const { shippingContact: _shipping, billingContact: _billing, metadata: _metadata, ...rest } = cart.options;
  await saveWithoutContacts(tx, cart, rest, now);
}
