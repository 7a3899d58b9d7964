/** Purchases for a benchmark, stored with the operations of the built service. */
import { createSecretKey } from 'node:crypto';
import type { CheckoutDeps } from '../../server/checkout/session/deps.ts';
import type { Instant } from '../../server/base/time.ts';
import type { Database } from '../../server/db/database.ts';
import { benchKeys, dist } from './built.ts';

/** Allowed addresses of callbacks. */
export const CALLBACK_RULES = { mode: 'sandbox', allowLoopback: true, allowedHosts: [] } as const;

/** Returns the body of `POST /carts` for one item, with its price in cents. */
export const cartOf = (price: number) => ({
  options: {
    orderRef: 'A-1001',
    completeUrl: 'https://shop.example/thanks',
    items: [
      {
        name: 'Chair',
        sku: 'CHAIR-1',
        price,
        quantity: 1,
        imageUrl: 'https://shop.example/chair.jpg',
        detailUrl: 'https://shop.example/chair',
      },
    ],
    discounts: [{ amount: 1_000, description: 'Welcome' }],
    shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 0 }],
    disableEditShipping: false,
    requireShippingContact: false,
  },
});

/** Creates a merchant. Returns its ids, its key pair and its `authorization` header. */
export async function createMerchant(database: Database) {
  const merchants = await dist('server/merchants/merchants.js');
  const { systemClock } = await dist('server/base/time.js');
  const shop = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
  const created = await merchants.createMerchant(database, 'sandbox', shop, systemClock.now());
  const pair = Buffer.from(`${created.apiKey}:${created.secret}`).toString('base64');
  return { ...created, authorization: `Basic ${pair}` };
}

/** Returns a function that posts JSON as a merchant and returns the response. It throws if the status is not 200. */
export function postTo(origin: string, authorization: string) {
  return async (path: string, body: object): Promise<Record<string, string>> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

/** Migrates a database and creates a merchant in it. */
export async function createMerchantIn(databaseUrl: string) {
  const { openDatabase } = await dist('server/db/open-database.js');
  const { migrateInMode } = await dist('server/db/mode.js');
  const database = openDatabase(databaseUrl, benchKeys);
  await migrateInMode(database, 'sandbox');
  const merchant = await createMerchant(database);
  await database.close();
  return merchant;
}

/** Returns the dependencies of a checkout, with the lender and the cards of the sandbox, whose messages are not sent. */
export async function checkoutDeps(database: Database): Promise<CheckoutDeps> {
  const { sandboxLender } = await dist('server/lending/lenders/sandbox-lender.js');
  const { sandboxGateway } = await dist('server/purchases/cards/sandbox-gateway.js');
  const { operatorIn } = await dist('server/base/config/operator.js');
  const key = createSecretKey(Buffer.alloc(32));
  return {
    database,
    lender: sandboxLender(),
    cards: sandboxGateway,
    approvals: { approvalDays: 7, extensionDays: 7 },
    mail: {
      publicUrl: 'http://localhost',
      handling: 'recorded',
      textHandling: 'recorded',
      mode: 'sandbox',
      documentLinkDays: 90,
      operator: operatorIn({}, 'sandbox')!,
      noticeKey: key,
    },
    codeKey: key,
    onException: () => undefined,
    wakeDelivery: () => undefined,
  };
}

/** Creates a merchant and a purchase of $750.00 from a sandbox checkout. */
export async function createPurchase(database: Database, now: Instant) {
  const { requireMerchant } = await dist('server/merchants/store.js');
  const { createCart } = await dist('server/purchases/carts/carts.js');
  const { runCheckout } = await dist('server/operations/sandbox/run-checkout.js');
  const { merchantId, authorization } = await createMerchant(database);
  const merchant = await requireMerchant(database.query, merchantId);
  const { id: cartId } = (await createCart(database, merchant, cartOf(76_000), now, { callbacks: CALLBACK_RULES })).cart;
  const { transactionId } = await runCheckout(await checkoutDeps(database), merchant.id, cartId, 'approved', now);
  return { merchantId, authorization, cartId, transactionId };
}

/**
 * Creates a merchant, a purchase from a sandbox checkout, and copies of it that can be authorized.
 *
 * @param {string} file - Path of the SQLite database to create.
 * @param {number} count - Number of copies.
 * @returns The merchant's id and `authorization` header, `cartOf`, and the ids of the `purchase` and of the `pending` copies.
 */
export async function createPurchases(file: string, count: number) {
  const { openSqlite } = await dist('server/db/sqlite.js');
  const { addCart, getCart } = await dist('server/purchases/carts/store.js');
  const { addApplication, findApplicationOfCart } = await dist('server/lending/applications/store.js');
  const { savePurchase } = await dist('server/purchases/transactions/save-change.js');
  const { getTransaction } = await dist('server/purchases/transactions/store.js');
  const { newId, newToken } = await dist('server/base/ids.js');
  const { systemClock } = await dist('server/base/time.js');

  const database = openSqlite(file, benchKeys);
  const { query } = database;
  await database.migrate();
  const { merchantId, authorization, cartId, transactionId } = await createPurchase(database, systemClock.now());
  const rows = {
    cart: await getCart(query, merchantId, cartId),
    application: (await findApplicationOfCart(query, cartId))!,
    transaction: await getTransaction(query, merchantId, transactionId),
  };
  const pending: string[] = Array.from({ length: count }, () => newId());
  const copied = pending.map((id) =>
    database.write(async (tx) => {
      await addCart(tx, { ...rows.cart, id, code: newToken(16), transactionId: id });
      await addApplication(tx, { ...rows.application, id, cartId: id });
      await savePurchase(tx, { ...rows.transaction, id, cartId: id, applicationId: id });
    }),
  );
  await Promise.all(copied);
  await database.close();
  return { merchantId, authorization, cartOf, purchase: transactionId, pending };
}

/**
 * Returns the path of the signed agreement, which is sent to the buyer by e-mail.
 *
 * @param {string} file - Path of the SQLite database.
 * @param {string} checkoutPath - Path of a page of the completed checkout.
 */
export async function documentPathOf(databaseUrl: string, checkoutPath: string) {
  const { openDatabase } = await dist('server/db/open-database.js');
  const { findCheckoutByCode } = await dist('server/checkout/session/store.js');
  const { signedAgreement } = await dist('server/agreements/agreement.js');
  const database = openDatabase(databaseUrl, benchKeys);
  try {
    const checkout = await findCheckoutByCode(database.query, checkoutPath.split('/')[2]!);
    return `/a/${signedAgreement(checkout!.application!)!.documentCode}`;
  } finally {
    await database.close();
  }
}
