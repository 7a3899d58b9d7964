import { merchantDiscountFor } from '../../../shared/settlement.ts';
import type { CartOptions } from '../../../shared/wire/cart.ts';
import type { AuthorizedLine, SignedFinancing } from '../../../shared/wire/transaction.ts';
import { signedAgreement } from '../../agreements/agreement.ts';
import { sendDocument } from '../../agreements/document.ts';
import { toTransactionContact } from '../../base/contact.ts';
import { applicationStatusAfter, NO_LENDER_REQUEST } from '../../lending/applications/lifecycle.ts';
import type { PaymentAgreement } from '../../lending/applications/signature.ts';
import { type ApplicationRef, type Application, saveApplication } from '../../lending/applications/store.ts';
import { completeCart } from '../../purchases/carts/store.ts';
import { together } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { closeExceptions, hasException } from '../../lending/exceptions/store.ts';
import { newId } from '../../base/ids.ts';
import { callbackIdOf, DUE_NOW, enqueueCallback } from '../../messages/outbox.ts';
import { type Instant, DATABASE_NOW, dateIn } from '../../base/time.ts';
import { toLineItems, totalLineValue } from '../../purchases/transactions/line-items.ts';
import { signedColumns } from '../../purchases/transactions/loan.ts';
import { savePurchase } from '../../purchases/transactions/save-change.ts';
import { NEW_TRANSACTION, type Transaction } from '../../purchases/transactions/store.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { lockSession } from '../session/load.ts';
import { completeRedirect, completeUrlOf } from '../session/redirects.ts';
import type { CompletedSession, Session } from '../session/session.ts';

export interface Completed {
  transactionId: string;
  redirectUrl: string;
}

export interface CompletionOptions {
  /** True if the buyer's browser waits for the result, which redirects it to the shop. */
  isReturning?: boolean;
  /** The lender's own number of the loan. */
  loanNumber?: string | undefined;
}

/**
 * Completes a signed checkout whose loan the lender has accepted, and returns the URL to redirect the buyer to.
 *
 * The transaction with its journal, the application, the completed cart, the callback to the merchant and the e-mail to the buyer are
 * written in one database transaction. Callback and e-mail are delivered afterwards, so that slow servers do not delay the buyer.
 *
 * Idempotent: returns the same result for a completed checkout. An agreement remains valid if the merchant expires the link after the
 * signature.
 *
 * @throws ServiceError `cart-not-found`, or `cart-closed` - the agreement is not signed.
 */
export async function completeCheckout(
  { database, mail, wakeDelivery }: Pick<CheckoutDeps, 'database' | 'mail' | 'wakeDelivery'>,
  ref: ApplicationRef,
  now: Instant,
  { isReturning = false, loanNumber }: CompletionOptions = {},
): Promise<Completed> {
  const emailId = newId();
  const done = await database.write(async (tx) => {
    const session = await lockSession(tx, ref, now);
    if (session.state === 'completed') return completed(session, session.transactionId);
    const application = numbered(session.application, loanNumber);
    const agreement = signedAgreement(application);
    if (!agreement || application.status !== 'ATTEMPTED_CHECKOUT') {
      throw new ServiceError('cart-closed', `Expected a signed checkout, but its application is ${application.status}.`);
    }
    const { transactionId } = agreement;
    const transaction = transactionOf(session, application, agreement, now);
    const { callbackUrl } = session.purchase.options;
    const callback = callbackUrl !== undefined && {
      id: callbackIdOf(transaction),
      merchantId: session.merchant.id,
      cartId: session.cart.id,
      url: callbackUrl,
      body: { transactionId, orderRef: transaction.orderRef },
      createdAt: now,
      dueAt: DUE_NOW,
    };
    const changes = {
      ...applicationStatusAfter('complete', application.status),
      ...NO_LENDER_REQUEST,
      returnedAt: isReturning ? now : null,
      paymentAgreements: application.paymentAgreements,
      updatedAt: DATABASE_NOW,
    };
    await together(
      savePurchase(tx, transaction),
      saveApplication(tx, session.application, changes),
      completeCart(tx, session.cart.id, transactionId),
      callback ? enqueueCallback(tx, callback) : Promise.resolve(),
      sendDocument(tx, { ...session, application }, mail, emailId, now),
      hasException(application) ? closeExceptions(tx, application.id, now) : Promise.resolve(),
    );
    return completed(session, transactionId);
  });
  wakeDelivery();
  return done;
}

/**
 * Records that the buyer is shown the completed purchase, or redirected to the shop after it.
 *
 * @returns Whether this is the first time: the lender confirmed the signature after the buyer's request had ended.
 */
export async function recordReturn(
  { database }: Pick<CheckoutDeps, 'database'>,
  { application: shown }: CompletedSession,
  now: Instant,
): Promise<boolean> {
  if (shown.returnedAt !== null) return false;
  return database.write(async (tx) => {
    const { application } = await lockSession(tx, shown, now);
    if (application.returnedAt !== null) return false;
    await saveApplication(tx, application, { returnedAt: now });
    return true;
  });
}

/** Returns the transaction of a completed checkout, and the redirect to the merchant. */
export function completed(session: Pick<Session, 'purchase' | 'merchant'>, transactionId: string): Completed {
  const redirectUrl = completeRedirect(completeUrlOf(session), transactionId, session.purchase.options.orderRef ?? '');
  return { transactionId, redirectUrl };
}

function transactionOf(session: Session, application: Application, agreement: PaymentAgreement, now: Instant): Transaction {
  const { cart, purchase, portions, program } = session;
  const { options, totals, shipping } = purchase;
  const { cardCents } = portions;
  const signedOn = dateIn(agreement.signedAt, program.timeZone);
  const { bps, fixedCents } = merchantDiscountFor(program, application.offerId, signedOn);
  return {
    ...NEW_TRANSACTION,
    id: agreement.transactionId,
    merchantId: cart.merchantId,
    cartId: cart.id,
    applicationId: application.id,
    statusSince: now,
    orderRef: options.orderRef ?? '',
    totalCents: totals.totalCents,
    adjustedTotalCents: totals.totalCents,
    taxCents: totals.taxCents,
    shippingCents: totals.shippingCents,
    shippingMethodCode: shipping?.typeId ?? '',
    shippingMethodName: shipping?.type ?? '',
    cardCents,
    cardReference: cardCents > 0 ? application.cardReference : '',
    cardLabel: cardCents > 0 ? application.cardLabel : '',
    requestId: application.requestId,
    timeZone: program.timeZone,
    merchantDiscountBps: bps,
    merchantDiscountCents: fixedCents,
    financing: financingOf(agreement),
    ...signedColumns(agreement.disclosure),
    lineItems: toLineItems(linesOf(options)),
    lineItemsCents: totalLineValue(totals),
    discounts: options.discounts ?? [],
    billingContact: toTransactionContact(application.billingContact),
    shippingContact: toTransactionContact(application.shippingContact),
    createdAt: now,
    updatedAt: now,
  };
}

/** Returns the application with the lender's number of its loan. */
function numbered(application: Application, loanNumber: string | undefined): Application {
  if (loanNumber === undefined) return application;
  return { ...application, paymentAgreements: application.paymentAgreements.map((one) => ({ ...one, loanNumber })) };
}

/** Returns the loan that the buyer signed. */
function financingOf({ offer, disclosure, loanNumber }: PaymentAgreement): SignedFinancing {
  return {
    amount: disclosure.amountFinancedCents,
    termLength: offer.termLength,
    termInterval: offer.termInterval,
    monthly: offer.monthly.value,
    apr: disclosure.apr,
    firstPaymentDue: disclosure.payments[0]!.dueOn,
    loanNumber: loanNumber ?? null,
  };
}

function linesOf({ items = [] }: CartOptions): AuthorizedLine[] {
  return items.map(({ name = '', sku, price, quantity, imageUrl, detailUrl }) => ({
    sku,
    price,
    quantity,
    product: { name, sku, imageUrl, detailUrl },
  }));
}
