import type { Database, Tx } from '../../server/db/database.ts';
import { addApplication, type Application } from '../../server/lending/applications/store.ts';
import { NO_CONTACT, toTransactionContact } from '../../server/base/contact.ts';
import { addCart, type Cart } from '../../server/purchases/carts/store.ts';
import { newId } from '../../server/base/ids.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { requireMerchant } from '../../server/merchants/store.ts';
import type { Instant } from '../../server/base/time.ts';
import { savePurchase } from '../../server/purchases/transactions/save-change.ts';
import { NEW_TRANSACTION, type Transaction } from '../../server/purchases/transactions/store.ts';
import { createTransactions, type TransactionOptions } from '../../server/purchases/transactions/transactions.ts';

/** Returns the operations of transactions that expire after 7 and 90 days: by default without cards and e-mails. */
export function transactionsWith(options: Partial<TransactionOptions> = {}) {
  return createTransactions({ lifetimes: { pendingDays: 7, authorizedDays: 90 }, ...options });
}

export const transactions = transactionsWith();

interface References {
  id: string;
  tenantId: string;
  merchantId: string;
  programId: string;
  at: Instant;
}

/** Returns the row of an empty cart that a purchase can refer to. */
export function cartRow({ id, merchantId, programId, at }: References): Cart {
  return {
    id,
    merchantId,
    code: id,
    status: 'OPEN',
    createdBy: '',
    expiresOn: '2030-01-01',
    programId,
    options: { customTotal: 5_000, disableEditShipping: false, requireShippingContact: false },
    transactionId: null,
    contactsDeletedAt: null,
    submissions: 1,
    userId: null,
    openedAt: null,
    createdAt: at,
  };
}

/** Returns the row of an application that a purchase can refer to. */
export function applicationRow({ id, tenantId, merchantId, programId, at }: References): Application {
  return {
    id,
    tenantId,
    merchantId,
    buyerId: 'b',
    programId,
    cartId: id,
    status: 'CHECKOUT_COMPLETED',
    statusCode: '000000',
    language: 'en',
    requestId: null,
    submittedAt: null,
    requestLeasedUntil: null,
    requestDueAt: null,
    requestAttempts: 0,
    invalidOutcome: null,
    warnAt: null,
    financedCents: null,
    cardReference: '',
    cardLabel: '',
    decision: null,
    isCoveredBorrower: false,
    programVersion: 1,
    approvedOn: '2026-11-21',
    tierId: 'A',
    offerId: null,
    billingContact: NO_CONTACT,
    shippingContact: NO_CONTACT,
    shippingTypeId: null,
    currency: 'USD',
    metadata: {},
    consents: [],
    codes: {},
    normalizedAddressHash: '',
    paymentMethodId: null,
    offers: [],
    paymentAgreements: [],
    sessionHash: '',
    supersededAt: null,
    cardReturnHash: '',
    returnedAt: null,
    consentWithdrawnAt: null,
    detailsDeletedAt: null,
    createdAt: at,
    updatedAt: at,
    expiresAt: at,
    revision: 1,
  };
}

/**
 * Creates a merchant whose purchases are inserted into the database without a checkout, which is faster.
 *
 * @param existing - Id of the merchant, if it exists.
 */
export async function createBuyer(database: Database, at: Instant, existing?: string) {
  const newMerchant = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
  const merchantId = existing ?? (await createMerchant(database, 'sandbox', newMerchant, at)).merchantId;
  const { tenantId, defaultProgramId: programId } = await requireMerchant(database.query, merchantId);
  const insertApplication = async (tx: Tx, id: string) => {
    const references = { id, tenantId, merchantId, programId, at };
    await addCart(tx, cartRow(references));
    await addApplication(tx, applicationRow(references));
  };

  return {
    merchantId,
    /** Creates an application with its cart, without a transaction. */
    createApplication: async (): Promise<string> => {
      const id = newId();
      await database.write((tx) => insertApplication(tx, id));
      return id;
    },
    /**
     * Creates a PENDING transaction of $50.00 without lines. Arguments override the defaults.
     *
     * @param write - Runs the work in a database transaction that exists. Default: in one of its own.
     */
    createPurchase: async (
      purchase: Partial<Transaction> = {},
      write: (work: (tx: Tx) => Promise<void>) => Promise<void> = database.write,
    ): Promise<string> => {
      const total = purchase.totalCents ?? 5_000;
      const id = newId();
      const row: Transaction = {
        ...NEW_TRANSACTION,
        id,
        merchantId,
        cartId: id,
        applicationId: id,
        statusSince: purchase.createdAt ?? at,
        orderRef: '',
        totalCents: total,
        adjustedTotalCents: total,
        taxCents: null,
        shippingCents: 0,
        shippingMethodCode: '',
        shippingMethodName: '',
        cardCents: 0,
        cardReference: '',
        cardLabel: '',
        requestId: null,
        timeZone: 'America/New_York',
        merchantDiscountBps: 0,
        merchantDiscountCents: 0,
        financing: {
          amount: total - (purchase.cardCents ?? 0),
          termLength: 24,
          termInterval: 'Month',
          monthly: 0,
          apr: 0.0999,
          firstPaymentDue: '2026-12-21',
          loanNumber: null,
        },
        loanEndsOn: '2028-11-21',
        loanFeeCents: 0,
        loanAprBps: 999,
        lineItems: [],
        lineItemsCents: Math.max(0, total - (purchase.shippingCents ?? 0)),
        discounts: [],
        billingContact: toTransactionContact(NO_CONTACT),
        shippingContact: toTransactionContact(NO_CONTACT),
        createdAt: at,
        updatedAt: at,
        ...purchase,
      };
      await write(async (tx) => {
        await insertApplication(tx, id);
        await savePurchase(tx, row);
      });
      return id;
    },
  };
}
