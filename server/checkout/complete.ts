import type { AuthorizedLine } from '../../shared/wire/transaction.ts';
import { statusAfter } from '../applications/lifecycle.ts';
import { type ApplicationRow, saveApplication } from '../applications/store.ts';
import { completeCart } from '../carts/store.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { AT_ONCE, enqueueCallback } from '../notifications/outbox.ts';
import type { Instant } from '../time.ts';
import { lineItemsOf } from '../transactions/line-items.ts';
import { worthOfLines } from '../transactions/line-values.ts';
import { addTransaction, type TransactionRow } from '../transactions/store.ts';
import { disclosureHash, type PaymentAgreement } from './agreement.ts';
import { type BuyerContact, toTransactionContact } from '../applications/contact.ts';
import { disclosureOf } from './disclosure.ts';
import { completeRedirect } from './redirects.ts';
import { completeUrlOf, findSession, type Session, sessionAt } from './session.ts';

export interface Signature {
  /** The name the buyer signed with. */
  name: string;
  /** Hash of the disclosure that was on the screen. */
  disclosureHash: string;
}

export interface Completed {
  transactionId: string;
  redirectUrl: string;
}

/**
 * Finishes a checkout and says where to send the buyer.
 *
 * The transaction with its journal, the application, the closed cart and the promise to call the merchant back are
 * written together or not at all. The callback itself leaves afterwards, so a merchant's slow server never holds up a
 * buyer. Signing a checkout that is complete already answers as the first time did.
 *
 * @param cardDeclines - A sandbox's test buyer pays a part by a card that will decline when the purchase is authorized.
 * @throws ServiceError `cart-closed`, or `changed-meanwhile` - another disclosure than the one signed would apply, for
 *   example because a new day has begun; it must be shown and signed anew.
 */
export function completeCheckout(
  database: Database,
  code: string,
  signature: Signature,
  now: Instant,
  { cardDeclines = false } = {},
): Promise<Completed> {
  const [transactionId, agreementId, callbackId] = [newId(), newId(), newId()];

  return database.write(async (tx) => {
    const earlier = await findSession(tx, code, now);
    if (earlier?.cart.transaction_id) return completed(earlier, earlier.cart.transaction_id);

    const session = await sessionAt(tx, code, 'agreement', now);
    const agreement = agreementOf(session, signature, agreementId, now);
    const transaction = transactionOf(session, transactionId, cardDeclines, now);

    await addTransaction(tx, transaction);
    await saveApplication(tx, {
      ...session.application!,
      ...statusAfter('complete', session.application!.status),
      payment_agreements_json: JSON.stringify([agreement]),
      updated_at: now,
    });
    if (!(await completeCart(tx, session.cart.id, transactionId))) {
      throw new ServiceError('changed-meanwhile', 'The checkout was closed by another request.');
    }
    if (session.options.callbackUrl !== undefined) {
      await enqueueCallback(tx, {
        id: callbackId,
        merchantId: session.merchant.id,
        url: session.options.callbackUrl,
        body: { transactionId, orderRef: transaction.order_ref },
        createdAt: now,
        dueAt: AT_ONCE,
      });
    }
    return completed(session, transactionId);
  });
}

/** Where a finished checkout leads. */
export function completed(session: Session, transactionId: string): Completed {
  const redirectUrl = completeRedirect(completeUrlOf(session), transactionId, session.options.orderRef ?? '');
  return { transactionId, redirectUrl };
}

function agreementOf(session: Session, signature: Signature, id: string, now: Instant): PaymentAgreement {
  const disclosure = disclosureOf(session, now);
  const hash = disclosureHash(disclosure);
  if (hash !== signature.disclosureHash) {
    throw new ServiceError('changed-meanwhile', 'The agreement has changed since it was shown.');
  }
  return { id, disclosure, disclosureHash: hash, signedName: signature.name, signedAt: now };
}

function transactionOf(session: Session, id: string, cardDeclines: boolean, now: Instant): TransactionRow {
  const { cart, options, totals, shipping } = session;
  const application = session.application as ApplicationRow;
  return {
    id,
    merchant_id: cart.merchant_id,
    cart_id: cart.id,
    application_id: application.id,
    status: 'PENDING',
    status_since: now,
    order_ref: options.orderRef ?? '',
    merchant_order_id: '',
    total_cents: totals.totalCents,
    adjusted_total_cents: totals.totalCents,
    canceled_cents: 0,
    refunded_cents: 0,
    gone_lines_json: '[]',
    tax_cents: totals.taxCents,
    shipping_cents: totals.shippingCents,
    shipping_method_code: shipping?.typeId ?? '',
    shipping_method_name: shipping?.type ?? '',
    tracking_number: '',
    carrier_name: '',
    card_cents: cardDeclines ? Math.ceil(totals.totalCents / 2) : 0,
    card_reference: cardDeclines ? 'tok_declined' : '',
    card_label: cardDeclines ? 'Visa 0002' : '',
    line_items_json: JSON.stringify(lineItemsOf(linesOf(session))),
    lines_worth_cents: worthOfLines(totals),
    discounts_json: JSON.stringify(options.discounts ?? []),
    billing_contact_json: transactionContactJson(application.billing_contact_json),
    shipping_contact_json: transactionContactJson(application.shipping_contact_json),
    created_at: now,
    updated_at: now,
    revision: 1,
  };
}

function linesOf({ options }: Session): AuthorizedLine[] {
  return (options.items ?? []).map(({ name = '', sku, price, quantity, imageUrl, detailUrl }) => ({
    sku,
    price,
    quantity,
    product: { name, sku, imageUrl, detailUrl },
  }));
}

function transactionContactJson(buyerContactJson: string): string {
  return JSON.stringify(toTransactionContact(JSON.parse(buyerContactJson) as BuyerContact));
}
