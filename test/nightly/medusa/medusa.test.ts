/** The plug-in in a real Medusa on PostgreSQL, with a real service. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Transaction } from '@fairterm/client';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { callbackSecretsOf } from '../../../server/merchants/callback-secrets.ts';
import { ensureBuilt } from '../../../server/setup/build.mjs';
import { signWebhook } from '../../../shared/webhooks.ts';
import type { Json } from '../../support/conformance.ts';
import { codeBlock } from '../../support/docs.ts';
import { startService, type TestService } from '../../support/service.ts';
import { type LossyProxy, startLossyProxy } from '../../support/lossy-proxy.ts';
import { FAIRTERM, installShop, MANUAL, recipe, type Shop, startShop } from './shop.ts';

const TOTAL_CENTS = 129_900;

let service: TestService;
let proxy: LossyProxy;
let shop: Shop;
let dollars: { regionId: string; variantId: string };

beforeAll(async () => {
  await ensureBuilt();
  await installShop();
  service = await startService();
  proxy = await startLossyProxy(service.publicUrl);
  shop = await startShop(service, proxy.url);
  dollars = await shop.createRegion('usd', 'us');
  // The first installation of Medusa takes minutes.
}, 1_200_000);

// A purchase is about twenty requests to Medusa, and in an outage the client repeats each call for seconds.
vi.setConfig({ testTimeout: 300_000 });
const WITHIN_A_MINUTE = { timeout: 60_000 };

/** A Medusa cart with a payment session. */
interface Checkout {
  cartId: string;
  email: string;
  collectionId: string;
  session: PaymentSession;
}

interface PaymentSession {
  id: string;
  data: { cart_id: string; url: string; session_id: string; amount_cents: number };
}

async function startCart({ regionId, variantId } = dollars, token?: string): Promise<Omit<Checkout, 'session'>> {
  const email = `${randomUUID()}@shop.example`;
  const items = [{ variant_id: variantId, quantity: 1 }];
  const { cart } = await shop.store('POST', '/carts', { region_id: regionId, email, items }, token);
  const { payment_collection: collection } = await shop.store('POST', '/payment-collections', { cart_id: cart.id }, token);
  return { cartId: cart.id, email, collectionId: collection.id };
}

async function choose(collectionId: string, provider: string, token?: string): Promise<PaymentSession> {
  const path = `/payment-collections/${collectionId}/payment-sessions`;
  const { payment_collection: collection } = await shop.store('POST', path, { provider_id: provider }, token);
  return collection.payment_sessions.find((session: Json) => session.provider_id === provider);
}

async function startCheckout(): Promise<Checkout> {
  const cart = await startCart();
  return { ...cart, session: await choose(cart.collectionId, FAIRTERM) };
}

/** Completes the checkout of a cart at Fairterm, as a buyer who signs. Returns the id of the transaction. */
async function sign(cartId: string, outcome: 'approved' | 'remainder-declined' = 'approved'): Promise<string> {
  return (await shop.merchant.fairterm.sandbox.checkout({ cartId, outcome })).transactionId;
}

/** Returns the id of the cart with this URL. */
async function cartIdOf(url: string): Promise<string> {
  for await (const cart of shop.merchant.fairterm.carts.list()) if (cart.url === url) return cart.id;
  throw new Error(`Expected a cart with the URL ${url}`);
}

const transactionOf = (id: string): Promise<Transaction> => shop.merchant.fairterm.transactions.retrieve(id);

const FIELDS = [
  'id,email,status,payment_status',
  'payment_collections.payments.id,payment_collections.payments.data,payment_collections.payments.canceled_at',
  'payment_collections.payments.refunds.amount,payment_collections.payments.captures.amount',
].join();

async function ordersOf(email: string): Promise<Json[]> {
  const { orders } = await shop.admin('GET', `/orders?limit=200&fields=${FIELDS}`);
  return orders.filter((order: Json) => order.email === email);
}

const paymentOf = (order: Json): Json => order.payment_collections[0].payments[0];

/** Waits for the order of a checkout, which the callback places. Medusa creates it before it authorizes the payment. */
async function placedOrder(email: string): Promise<Json> {
  let orders: Json[] = [];
  await expect
    .poll(async () => (orders = await ordersOf(email)).map(({ payment_status: status }) => status), WITHIN_A_MINUTE)
    .toEqual(['authorized']);
  return orders[0];
}

async function buy(): Promise<{ order: Json; payment: Json; transactionId: string; checkout: Checkout }> {
  const checkout = await startCheckout();
  const transactionId = await sign(checkout.session.data.cart_id);
  const order = await placedOrder(checkout.email);
  return { order, payment: paymentOf(order), transactionId, checkout };
}

const capture = (payment: Json, amount?: number) => shop.admin('POST', `/payments/${payment.id}/capture`, { amount });
const refund = (payment: Json, amount: number) => shop.admin('POST', `/payments/${payment.id}/refund`, { amount });
const cancelOrder = (order: Json) => shop.admin('POST', `/orders/${order.id}/cancel`);
const complete = (cartId: string) => shop.store('POST', `/carts/${cartId}/complete`);
const refundsIn = async (id: string) =>
  (await shop.merchant.fairterm.transactions.adjustments(id)).filter(({ type }) => type === 'refund').map(({ amount }) => amount);

/** Delivers a callback to Medusa. */
async function deliver(callback: Json, secret?: string): Promise<void> {
  const [current] = await callbackSecretsOf(service.database.query, shop.merchant.merchantId);
  const body = JSON.stringify(callback);
  const headers = await signWebhook(randomUUID(), Math.floor(Date.now() / 1_000), body, [secret ?? current!.secret]);
  const url = `${shop.url}/hooks/payment/fairterm_fairterm`;
  const response = await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
  expect(response.status).toBe(200);
}

describe('A purchase in Medusa', () => {
  it('starts with a cart of the session, which the buyer opens', async () => {
    const { session } = await startCheckout();
    const { data } = session;
    expect(data).toEqual({
      session_id: session.id,
      cart_id: expect.any(String),
      url: expect.any(String),
      amount_cents: TOTAL_CENTS,
    });
    const cart = await shop.merchant.fairterm.carts.retrieve(data.cart_id);
    expect(cart).toMatchObject({
      url: data.url,
      options: {
        orderRef: session.id,
        customTotal: TOTAL_CENTS,
        callbackUrl: `${shop.url}/hooks/payment/fairterm_fairterm`,
        completeUrl: 'https://shop.example/checkout/complete',
        errorUrl: 'https://shop.example/checkout?step=payment',
      },
    });
    expect(cart.options.billingContact).toBeUndefined();
  });

  it('is not completed before the buyer has signed', async () => {
    const { cartId, email } = await startCheckout();
    await expect(complete(cartId)).rejects.toThrow('was not authorized with the provider');
    expect(await ordersOf(email)).toEqual([]);
  });

  it('becomes an order with an authorized payment after the callback, and stores the transaction', async () => {
    const { order, payment, transactionId, checkout } = await buy();
    expect(order).toMatchObject({ status: 'pending', payment_status: 'authorized' });
    expect(payment.data).toMatchObject({ ...checkout.session.data, transaction_id: transactionId });
    const merchantOrderId = checkout.session.id;
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'AUTHORIZED', total: TOTAL_CENTS, merchantOrderId });
  });

  it('is settled by the first capture, and later captures change nothing', async () => {
    const { payment, transactionId } = await buy();
    await capture(payment, 500);
    const settled = await transactionOf(transactionId);
    expect(settled).toMatchObject({ status: 'SETTLED', adjustedTotal: TOTAL_CENTS });
    await capture(payment, 799);
    expect(await transactionOf(transactionId)).toEqual(settled);
  });

  it('is refunded in parts, two equal ones included', async () => {
    const { order, payment, transactionId, checkout } = await buy();
    await capture(payment);
    await refund(payment, 100.1);
    await refund(payment, 100.1);
    await refund(payment, 0.29);
    expect(await refundsIn(transactionId)).toEqual([100_10, 100_10, 29]);
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'SETTLED', adjustedTotal: TOTAL_CENTS - 200_49 });
    expect(paymentOf((await ordersOf(checkout.email))[0]).refunds).toHaveLength(3);
    await cancelOrder(order);
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'REFUNDED', adjustedTotal: 0 });
  });

  it('shows why a refund was rejected', async () => {
    const { payment, transactionId } = await buy();
    await capture(payment);
    await shop.merchant.fairterm.transactions.refund(transactionId, { amount: 1_000_00 });
    await expect(refund(payment, 300)).rejects.toThrow(/400 .*29900 are left/);
    await refund(payment, 299);
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'REFUNDED' });
  });

  it('is canceled with its order', async () => {
    const { order, transactionId } = await buy();
    await cancelOrder(order);
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'CANCELED', adjustedTotal: 0 });
  });

  it('is canceled without an order if the card for the remainder is declined, and the buyer can pay another way', async () => {
    const { session, cartId, collectionId, email } = await startCheckout();
    const transactionId = await sign(session.data.cart_id, 'remainder-declined');
    await expect.poll(async () => (await transactionOf(transactionId)).status, WITHIN_A_MINUTE).toBe('CANCELED');
    await expect.poll(() => ordersOf(email), WITHIN_A_MINUTE).toEqual([]);
    await choose(collectionId, MANUAL);
    expect(await complete(cartId)).toMatchObject({ type: 'order' });
  });
});

describe('The storefront of the README', () => {
  it('redirects the buyer to the checkout, and completes the cart after it', async () => {
    // Installed by this test, and therefore unknown to TypeScript.
    const sdkPackage = '@medusajs/js-sdk';
    const { default: Medusa } = await import(sdkPackage);
    const sdk = new Medusa({ baseUrl: shop.url, publishableKey: shop.publishableKey });
    const location = { assign: vi.fn<(url: string) => void>() };
    const code = ['redirect', 'complete'].map((name) => codeBlock(`${recipe}/README.md`, name)).join('');
    // oxlint-disable-next-line typescript/no-implied-eval -- the code of the README
    const functions = new Function('sdk', 'location', `${code} return { payOverTime, finishCheckout };`)(sdk, location);

    const { cartId, email } = await startCart();
    await functions.payOverTime((await sdk.store.cart.retrieve(cartId)).cart);
    await sign(await cartIdOf(location.assign.mock.calls[0]![0]));
    const order = await functions.finishCheckout(cartId);
    expect(order).toMatchObject({ id: (await placedOrder(email)).id });
    expect(await functions.finishCheckout(cartId)).toMatchObject({ id: order.id });
  });
});

describe('A payment session', () => {
  it('is only offered for US dollars', async () => {
    const euros = await shop.createRegion('eur', 'de');
    const { collectionId } = await startCart(euros);
    await expect(choose(collectionId, FAIRTERM)).rejects.toThrow('Expected the currency USD, but received eur');
  });

  it('has the contact of a customer with an address in the US', async () => {
    const credentials = { email: `${randomUUID()}@shop.example`, password: 'correct horse' };
    const { token: registration } = await shop.store('POST', '/auth/customer/emailpass/register', credentials);
    const customer = { email: credentials.email, first_name: 'Ada', last_name: 'Lovelace' };
    await shop.store('POST', '/customers', customer, registration);
    const { token } = await shop.store('POST', '/auth/customer/emailpass', credentials);
    const address = {
      address_1: '1 Main St',
      city: 'Austin',
      province: 'us-tx',
      postal_code: '78701',
      country_code: 'us',
      phone: '555',
    };
    await shop.store('POST', '/customers/me/addresses', { ...address, is_default_billing: true }, token);
    const { collectionId } = await startCart(dollars, token);
    const { data } = await choose(collectionId, FAIRTERM, token);
    const { options } = await shop.merchant.fairterm.carts.retrieve(data.cart_id);
    // The phone number is not American, so the checkout asks for it.
    expect(options.billingContact).toEqual({
      firstName: 'Ada',
      lastName: 'Lovelace',
      address: '1 Main St',
      city: 'Austin',
      state: 'TX',
      zip: '78701',
      email: credentials.email,
    });
  });

  it('closes its cart when the buyer selects another payment method', async () => {
    const { session, collectionId } = await startCheckout();
    await choose(collectionId, MANUAL);
    expect(await shop.merchant.fairterm.carts.retrieve(session.data.cart_id)).toMatchObject({ status: 'expired' });
  });

  it('closes its cart when the total of the order changes', async () => {
    const { session, cartId } = await startCheckout();
    await shop.store('POST', `/carts/${cartId}/line-items`, { variant_id: dollars.variantId, quantity: 1 });
    expect(await shop.merchant.fairterm.carts.retrieve(session.data.cart_id)).toMatchObject({ status: 'expired' });
  });

  it('has another cart after it was updated with another amount, and the same one otherwise', async () => {
    const { session } = await startCheckout();
    const { id, data } = session;
    const update = (amount: number, currency_code = 'usd') =>
      fetch(`${shop.url}/sessions/${id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ amount, currency_code, data }),
      }).then((response) => response.json() as Json);
    expect((await update(1_299)).data).toEqual(data);
    expect(await update(1_000, 'eur')).toMatchObject({ message: expect.stringContaining('Expected the currency USD') });
    expect(await shop.merchant.fairterm.carts.retrieve(data.cart_id)).toMatchObject({ status: 'open' });
    const updated = await update(1_000.005);
    expect(updated.data).toMatchObject({ session_id: id, amount_cents: 1_000_01 });
    expect(await shop.merchant.fairterm.carts.retrieve(data.cart_id)).toMatchObject({ status: 'expired' });
    const replaced = await shop.merchant.fairterm.carts.retrieve(updated.data.cart_id);
    expect(replaced).toMatchObject({ status: 'open', options: { orderRef: id, customTotal: 1_000_01 } });
  });
});

describe('A second purchase of an order', () => {
  /** Creates another cart with the reference of a session, and signs it. */
  const signAnother = async (session: PaymentSession) => {
    const callbackUrl = `${shop.url}/hooks/payment/fairterm_fairterm`;
    const options = { orderRef: session.id, customTotal: TOTAL_CENTS, callbackUrl };
    const { id } = await shop.merchant.fairterm.carts.create({ options });
    return sign(id);
  };

  it('is canceled if another transaction pays the order, and the log has its id', async () => {
    const { transactionId, checkout } = await buy();
    const second = await signAnother(checkout.session);
    await expect.poll(async () => (await transactionOf(second)).status, WITHIN_A_MINUTE).toBe('CANCELED');
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'AUTHORIZED' });
    expect(shop.log()).toContain(`The transaction ${second} was canceled`);
    expect(await ordersOf(checkout.email)).toHaveLength(1);
  });

  it('is canceled if it was signed first but is not the one of the session', async () => {
    const { session, email } = await startCheckout();
    const other = await signAnother(session);
    const transactionId = await sign(session.data.cart_id);
    expect(paymentOf(await placedOrder(email)).data).toMatchObject({ transaction_id: transactionId });
    await expect.poll(async () => (await transactionOf(other)).status, WITHIN_A_MINUTE).toBe('CANCELED');
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'AUTHORIZED' });
  });

  it('is canceled if the buyer selects another payment method after signing, and its callback changes nothing', async () => {
    const { session, cartId, collectionId, email } = await startCheckout();
    // The callback cannot be processed before the session is deleted.
    const transactionId = await proxy.hold(
      (request) => /^GET \/transactions\/[\w-]+$/.test(request),
      async () => {
        const signed = await sign(session.data.cart_id);
        await choose(collectionId, MANUAL);
        return signed;
      },
    );
    await expect.poll(() => proxy.forwarded, WITHIN_A_MINUTE).toContain(`GET /transactions/${transactionId}`);
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'CANCELED' });
    expect(await ordersOf(email)).toEqual([]);
    expect(await complete(cartId)).toMatchObject({ type: 'order' });
    expect(paymentOf((await ordersOf(email))[0]).data).not.toHaveProperty('transaction_id');
  });

  it('does not happen when the callback is repeated', async () => {
    const { transactionId, checkout, order } = await buy();
    const before = await transactionOf(transactionId);
    const count = proxy.forwarded.length;
    await deliver({ transactionId, orderRef: checkout.session.id });
    await expect
      .poll(() => proxy.forwarded.slice(count), WITHIN_A_MINUTE)
      .toContainEqual(expect.stringContaining(`orderRef=${checkout.session.id}`));
    // Medusa processes the callbacks of this purchase after that of the other one.
    await buy();
    expect(await ordersOf(checkout.email)).toEqual([order]);
    expect(await transactionOf(transactionId)).toEqual(before);
  });

  it('cannot be chosen for an order that is paid', async () => {
    const { transactionId, checkout } = await buy();
    await expect(choose(checkout.collectionId, MANUAL)).rejects.toThrow('payment sessions');
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'AUTHORIZED' });
  });
});

describe('A callback', () => {
  const ignoredCount = () => shop.log().split('A callback of Fairterm was ignored').length - 1;

  it('is ignored if its signature is not valid', async () => {
    const { session, email } = await startCheckout();
    const transactionId = await proxy.hold(
      (request) => request.startsWith('GET /transactions'),
      async () => {
        const count = ignoredCount();
        const signed = await sign(session.data.cart_id);
        await deliver({ transactionId: signed, orderRef: session.id }, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=');
        await expect.poll(ignoredCount, WITHIN_A_MINUTE).toBe(count + 1);
        expect(await ordersOf(email)).toEqual([]);
        return signed;
      },
    );
    // That of the service is valid.
    await placedOrder(email);
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'AUTHORIZED' });
  });

  it('is ignored if its transaction does not exist', async () => {
    const count = ignoredCount();
    await deliver({ transactionId: randomUUID(), orderRef: 'payses_1' });
    await expect.poll(ignoredCount, WITHIN_A_MINUTE).toBe(count + 1);
  });

  it('places no order if its reference is not a payment session', async () => {
    const { cartId, email } = await startCart();
    const options = { orderRef: 'ORDER-1', customTotal: TOTAL_CENTS, callbackUrl: `${shop.url}/hooks/payment/fairterm_fairterm` };
    const { id } = await shop.merchant.fairterm.carts.create({ options });
    const transactionId = await sign(id);
    await expect.poll(() => proxy.forwarded, WITHIN_A_MINUTE).toContain(`GET /transactions/${transactionId}`);
    await buy();
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'PENDING' });
    expect(await ordersOf(email)).toEqual([]);
    await expect(complete(cartId)).rejects.toThrow('Payment sessions are required');
  });
});

describe('An answer that is lost', () => {
  /** Matches the first request that ends with `end`, and all later ones: the service is unreachable from then on. */
  const from = (end: string) => {
    let isLost = false;
    return (request: string) => (isLost ||= request.endsWith(end));
  };
  const countOf = (end: string) => proxy.forwarded.filter((request) => request.endsWith(end)).length;

  it('of a cart leaves the buyer without one, and the next attempt has another', async () => {
    const { collectionId, email } = await startCart();
    await expect(proxy.lose(from('POST /carts'), () => choose(collectionId, FAIRTERM))).rejects.toThrow('500');
    const { data } = await choose(collectionId, FAIRTERM);
    await sign(data.cart_id);
    await placedOrder(email);
  });

  it('of an authorization is found out when the answers arrive again', async () => {
    const { session, email } = await startCheckout();
    await proxy.lose(
      (request) => request.endsWith('authorize'),
      async () => {
        await sign(session.data.cart_id);
        await placedOrder(email);
      },
    );
  });

  it('of an authorization in an outage is repeated by the storefront, which completes the cart', async () => {
    const { session, email, cartId } = await startCheckout();
    const count = shop.log().split('trying to authorize payment session').length;
    const transactionId = await proxy.lose(from('authorize'), async () => {
      const signed = await sign(session.data.cart_id);
      await expect
        .poll(() => shop.log().split('trying to authorize payment session').length, WITHIN_A_MINUTE)
        .toBeGreaterThan(count);
      return signed;
    });
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'AUTHORIZED' });
    await expect.poll(() => ordersOf(email), WITHIN_A_MINUTE).toEqual([]);
    expect(await complete(cartId)).toMatchObject({ type: 'order' });
    expect(paymentOf((await ordersOf(email))[0]).data).toMatchObject({ transaction_id: transactionId });
  });

  it('of a settlement fails the capture, which is repeated', async () => {
    const { payment, transactionId, checkout } = await buy();
    await expect(proxy.lose(from('settle'), () => capture(payment))).rejects.toThrow('500');
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'SETTLED' });
    await capture(payment);
    expect(paymentOf((await ordersOf(checkout.email))[0]).captures).toHaveLength(1);
  });

  it('of a refund fails it, and the repeated one is made once', async () => {
    const { payment, transactionId, checkout } = await buy();
    await capture(payment);
    await refund(payment, 50);
    await expect(proxy.lose(from('refund'), () => refund(payment, 50))).rejects.toThrow('500');
    expect(await refundsIn(transactionId)).toEqual([50_00, 50_00]);
    await expect(refund(payment, 60)).rejects.toThrow('A refund of $50.00 was made');
    await refund(payment, 50);
    expect(await refundsIn(transactionId)).toEqual([50_00, 50_00]);
    await refund(payment, 50);
    expect(await refundsIn(transactionId)).toEqual([50_00, 50_00, 50_00]);
    expect(paymentOf((await ordersOf(checkout.email))[0]).refunds).toHaveLength(3);
  });

  it('of a cancel leaves the transaction canceled', async () => {
    const { order, transactionId, checkout } = await buy();
    await proxy.lose(
      (request) => request.endsWith('cancel'),
      () => cancelOrder(order),
    );
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'CANCELED' });
    expect((await ordersOf(checkout.email))[0]).toMatchObject({ status: 'canceled' });
    expect(paymentOf((await ordersOf(checkout.email))[0]).canceled_at).not.toBeNull();
  });

  it('of an expired cart keeps the session, and the next attempt deletes it', async () => {
    const { session, collectionId } = await startCheckout();
    const before = countOf('/expire');
    await expect(proxy.lose(from('/expire'), () => choose(collectionId, MANUAL))).rejects.toThrow('500');
    expect(countOf('/expire')).toBeGreaterThan(before);
    await choose(collectionId, MANUAL);
    expect(await shop.merchant.fairterm.carts.retrieve(session.data.cart_id)).toMatchObject({ status: 'expired' });
  });
});

describe('The package', () => {
  it('compiles in strict TypeScript with the types of Medusa', async () => {
    const compile = promisify(execFile)(process.execPath, [
      'node_modules/typescript/bin/tsc',
      '-p',
      'test/nightly/medusa/tsconfig.json',
    ]);
    const { stdout } = await compile.catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });

  it('names the options that are missing', async () => {
    const path = './node_modules/@fairterm/medusa/dist/provider.js';
    const { FairtermPaymentProvider } = await import(/* @vite-ignore */ path);
    const options = { serviceUrl: 'https://financing.example', apiKey: 'key', secret: 'secret', callbackSecrets: [''] };
    expect(() => FairtermPaymentProvider.validateOptions(options)).toThrow('callbackSecrets, callbackUrl, completeUrl, errorUrl');
  });
});
