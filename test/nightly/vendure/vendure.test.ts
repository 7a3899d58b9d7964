/** The plug-in in a real Vendure, with a real service. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Transaction } from '@fairterm/client';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { callbackSecretsOf } from '../../../server/merchants/callback-secrets.ts';
import { ensureBuilt } from '../../../server/setup/build.mjs';
import { signWebhook } from '../../../shared/webhooks.ts';
import type { Json } from '../../support/conformance.ts';
import { defaultEngine } from '../../support/databases.ts';
import { codeBlock } from '../../support/docs.ts';
import { type LossyProxy, startLossyProxy } from '../../support/lossy-proxy.ts';
import { startService, type TestService } from '../../support/service.ts';
import { type Api, installShop, recipe, type Shop, startShop } from './shop.ts';

const TOTAL_CENTS = 129_900;

let service: TestService;
let proxy: LossyProxy;
let shop: Shop;

beforeAll(async () => {
  await ensureBuilt();
  await installShop();
  service = await startService();
  proxy = await startLossyProxy(service.publicUrl);
  shop = await startShop(service, proxy.url, defaultEngine);
  // The first installation of Vendure takes minutes.
}, 1_200_000);

const addressOf = (fields: object = {}) => ({
  fullName: 'Ada Lovelace',
  streetLine1: '1 Main St',
  city: 'Austin',
  province: 'TX',
  postalCode: '78701',
  countryCode: 'US',
  phoneNumber: '555',
  ...fields,
});

interface Cart {
  /** The shop API for the buyer. */
  buyer: Api;
  code: string;
  email: string;
}

/** Puts a chair into the cart of a new guest, who enters an address. */
async function fillCart(query = '', address: object = addressOf()): Promise<Cart> {
  const buyer = shop.guest(query);
  const { addItemToOrder: order } = await buyer(
    'mutation { addItemToOrder(productVariantId: 1, quantity: 1) { ... on Order { code } } }',
  );
  const email = `${randomUUID()}@shop.example`;
  const customer = { firstName: 'Ada', lastName: 'Lovelace', emailAddress: email };
  await buyer('mutation ($customer: CreateCustomerInput!) { setCustomerForOrder(input: $customer) { __typename } }', {
    customer,
  });
  const input = { address };
  await buyer('mutation ($address: CreateAddressInput!) { setOrderShippingAddress(input: $address) { __typename } }', input);
  const { eligibleShippingMethods } = await buyer('{ eligibleShippingMethods { id } }');
  const ids = { ids: [eligibleShippingMethods[0].id] };
  await buyer('mutation ($ids: [ID!]!) { setOrderShippingMethod(shippingMethodId: $ids) { __typename } }', ids);
  return { buyer, code: order.code, email };
}

/** Starts the checkout of a cart. Returns the id of the cart at Fairterm. */
async function startCheckout(buyer: Api): Promise<string> {
  const { startFairtermCheckout: url } = await buyer('mutation { startFairtermCheckout }');
  return cartIdOf(url);
}

/** Returns the id of the cart at Fairterm with this URL. */
async function cartIdOf(url: string): Promise<string> {
  for await (const cart of shop.merchant.fairterm.carts.list()) if (cart.url === url) return cart.id;
  throw new Error(`Expected a cart with the URL ${url}`);
}

/** Completes the checkout of a cart at Fairterm, as a buyer who signs. Returns the id of the transaction. */
async function sign(cartId: string, outcome: 'approved' | 'remainder-declined' = 'approved'): Promise<string> {
  return (await shop.merchant.fairterm.sandbox.checkout({ cartId, outcome })).transactionId;
}

const transactionOf = (id: string): Promise<Transaction> => shop.merchant.fairterm.transactions.retrieve(id);

const ORDER = `id code state active payments { id method state amount transactionId errorMessage refunds { total state transactionId } }
  history { items { type data } }`;

async function orderOf(code: string): Promise<Json> {
  const { orders } = await shop.admin(
    `query ($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items { ${ORDER} } } }`,
    {
      code,
    },
  );
  return orders.items[0];
}

const notesOf = ({ history }: Json): string[] =>
  history.items.filter(({ type }: Json) => type === 'ORDER_NOTE').map(({ data }: Json) => data.note);

/** Waits for the order, which the callback pays. */
async function placedOrder(code: string): Promise<Json> {
  let order: Json;
  await expect.poll(async () => (order = await orderOf(code)).state).toBe('PaymentAuthorized');
  return order;
}

interface Bought extends Cart {
  order: Json;
  payment: Json;
  transactionId: string;
}

async function buy(query?: string): Promise<Bought> {
  const cart = await fillCart(query);
  const transactionId = await sign(await startCheckout(cart.buyer));
  const order = await placedOrder(cart.code);
  return { ...cart, order, payment: order.payments[0], transactionId };
}

const settle = async ({ id }: Json) =>
  (
    await shop.admin(
      'mutation ($id: ID!) { settlePayment(id: $id) { __typename ... on SettlePaymentError { paymentErrorMessage } } }',
      { id },
    )
  ).settlePayment;
const cancelPayment = async ({ id }: Json) =>
  (await shop.admin('mutation ($id: ID!) { cancelPayment(id: $id) { __typename ... on ErrorResult { message } } }', { id }))
    .cancelPayment;
const cancelOrder = async ({ id: orderId }: Json) =>
  (
    await shop.admin(
      'mutation ($input: CancelOrderInput!) { cancelOrder(input: $input) { __typename ... on ErrorResult { message } } }',
      {
        input: { orderId },
      },
    )
  ).cancelOrder;
const refund = async ({ id: paymentId }: Json, amount: number) =>
  (
    await shop.admin(
      'mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { __typename ... on ErrorResult { message } } }',
      {
        input: { paymentId, amount, reason: 'Returned', lines: [], shipping: 0, adjustment: 0 },
      },
    )
  ).refundOrder;
const addPayment = async (buyer: Api, method: string) =>
  (
    await buyer(
      'mutation ($method: String!) { addPaymentToOrder(input: { method: $method, metadata: {} }) { __typename ... on Order { state } ... on PaymentDeclinedError { paymentErrorMessage } } }',
      { method },
    )
  ).addPaymentToOrder;
const transition = (buyer: Api, state: string) =>
  buyer('mutation ($state: String!) { transitionOrderToState(state: $state) { __typename } }', { state });

const refundsIn = async (id: string) =>
  (await shop.merchant.fairterm.transactions.adjustments(id)).filter(({ type }) => type === 'refund').map(({ amount }) => amount);

/** Delivers a callback to Vendure, and returns the status of the response. */
async function deliver(callback: object, secret?: string): Promise<number> {
  const [current] = await callbackSecretsOf(service.database.query, shop.merchant.merchantId);
  const body = JSON.stringify(callback);
  const headers = await signWebhook(randomUUID(), Math.floor(Date.now() / 1_000), body, [secret ?? current!.secret]);
  const response = await fetch(`${shop.url}/fairterm/callback`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  return response.status;
}

describe('A purchase in Vendure', () => {
  it('starts with a cart of the order, which the buyer opens', async () => {
    const { buyer, code, email } = await fillCart();
    const cart = await shop.merchant.fairterm.carts.retrieve(await startCheckout(buyer));
    expect(cart.options).toMatchObject({
      orderRef: code,
      customTotal: TOTAL_CENTS,
      completeUrl: 'https://shop.example/?page=/checkout/complete',
      errorUrl: 'https://shop.example/?page=/checkout/payment',
    });
    expect(cart.options.callbackUrl).toContain(`${shop.url}/fairterm/callback?vendure-token=`);
    // The phone number is not American, so the checkout asks for it.
    expect(cart.options.shippingContact).toEqual({
      fullName: 'Ada Lovelace',
      address: '1 Main St',
      city: 'Austin',
      state: 'TX',
      zip: '78701',
      email,
    });
    expect(await orderOf(code)).toMatchObject({ state: 'ArrangingPayment', active: true });
  });

  it('has no contact if the address is not in the US', async () => {
    const { buyer } = await fillCart('', addressOf({ province: 'Ontario' }));
    const cart = await shop.merchant.fairterm.carts.retrieve(await startCheckout(buyer));
    expect(cart.options.shippingContact).toBeUndefined();
  });

  it('is declined if the storefront adds the payment, even after the buyer has signed', async () => {
    const { buyer, code } = await fillCart();
    await startCheckout(buyer);
    await shop.merchant.fairterm.carts
      .create({ options: { orderRef: code, customTotal: TOTAL_CENTS } })
      .then(({ id }) => sign(id));
    expect(await addPayment(buyer, 'financing')).toEqual({
      __typename: 'PaymentDeclinedError',
      paymentErrorMessage: 'Expected a signed purchase of this amount: call startFairtermCheckout',
    });
    expect(await orderOf(code)).toMatchObject({ state: 'ArrangingPayment' });
  });

  it('is paid after the callback, and the payment has the id of the transaction', async () => {
    const { order, payment, transactionId, code } = await buy();
    expect(order).toMatchObject({ active: false, payments: [payment] });
    expect(payment).toMatchObject({ method: 'financing', state: 'Authorized', amount: TOTAL_CENTS, transactionId });
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'AUTHORIZED', total: TOTAL_CENTS, merchantOrderId: code });
  });

  it('is settled with its payment', async () => {
    const { payment, transactionId, code } = await buy();
    expect(await settle(payment)).toEqual({ __typename: 'Payment' });
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'SETTLED', adjustedTotal: TOTAL_CENTS });
    expect(await orderOf(code)).toMatchObject({ state: 'PaymentSettled' });
  });

  it('is refunded in parts, two equal ones included', async () => {
    const { payment, transactionId, code } = await buy();
    await settle(payment);
    for (const amount of [100_10, 100_10, 29]) expect(await refund(payment, amount)).toEqual({ __typename: 'Refund' });
    expect(await refundsIn(transactionId)).toEqual([100_10, 100_10, 29]);
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'SETTLED', adjustedTotal: TOTAL_CENTS - 200_49 });
    const [{ refunds }] = (await orderOf(code)).payments;
    expect(refunds.map(({ total, state }: Json) => [total, state])).toEqual([
      [100_10, 'Settled'],
      [100_10, 'Settled'],
      [29, 'Settled'],
    ]);
  });

  // On SQLite, TypeORM does not isolate the transactions of a process.
  it.runIf(defaultEngine === 'postgres')('is refunded twice by two equal refunds at the same moment', async () => {
    const { payment, transactionId, code } = await buy();
    await settle(payment);
    await Promise.all([refund(payment, 10_00), refund(payment, 10_00)]);
    expect(await refundsIn(transactionId)).toEqual([10_00, 10_00]);
    expect((await orderOf(code)).payments[0].refunds).toHaveLength(2);
  });

  it('shows why a refund was rejected', async () => {
    const { payment, transactionId, code } = await buy();
    await settle(payment);
    await shop.merchant.fairterm.transactions.refund(transactionId, { amount: 1_000_00 });
    await expect(refund(payment, 300_00)).rejects.toThrow('29900 are left');
    expect((await orderOf(code)).payments[0].refunds).toEqual([]);
    await refund(payment, 299_00);
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'REFUNDED' });
  });

  it('is canceled with its order', async () => {
    const { order, transactionId, code } = await buy();
    expect(await cancelOrder(order)).toEqual({ __typename: 'Order' });
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'CANCELED', adjustedTotal: 0 });
    expect(await orderOf(code)).toMatchObject({ state: 'Cancelled', payments: [{ state: 'Cancelled' }] });
  });

  it('is canceled with its payment', async () => {
    const { payment, transactionId } = await buy();
    expect(await cancelPayment(payment)).toEqual({ __typename: 'Payment' });
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'CANCELED' });
  });

  it('keeps its payment after a settlement that was rejected', async () => {
    const { payment, transactionId, code } = await buy();
    await shop.merchant.fairterm.transactions.cancel(transactionId);
    expect(await settle(payment)).toMatchObject({
      __typename: 'SettlePaymentError',
      paymentErrorMessage: expect.stringContaining('AUTHORIZED'),
    });
    expect(await orderOf(code)).toMatchObject({ payments: [{ state: 'Authorized' }] });
    expect(await cancelPayment(payment)).toEqual({ __typename: 'Payment' });
  });

  it('is canceled if the card for the remainder is declined, and the buyer can pay another way', async () => {
    const { buyer, code } = await fillCart();
    const transactionId = await sign(await startCheckout(buyer), 'remainder-declined');
    await expect.poll(async () => notesOf(await orderOf(code))).toEqual([expect.stringContaining(transactionId)]);
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'CANCELED' });
    expect(await orderOf(code)).toMatchObject({ active: true, payments: [{ state: 'Declined' }] });
    expect(await addPayment(buyer, 'card')).toEqual({ __typename: 'Order', state: 'PaymentAuthorized' });
  });

  it('pays an order of another channel', async () => {
    const token = randomUUID();
    const { createChannel } = await shop.admin(
      `mutation ($input: CreateChannelInput!) { createChannel(input: $input) { ... on Channel { id } } }`,
      {
        input: {
          code: token,
          token,
          defaultLanguageCode: 'en',
          defaultCurrencyCode: 'USD',
          pricesIncludeTax: false,
          defaultShippingZoneId: 1,
          defaultTaxZoneId: 1,
        },
      },
    );
    const channelId = createChannel.id;
    const { paymentMethods, shippingMethods } = await shop.admin(
      '{ paymentMethods { items { id } } shippingMethods { items { id } } }',
    );
    const ids = ({ items }: Json) => items.map(({ id }: Json) => id);
    await shop.admin(
      `mutation ($products: AssignProductsToChannelInput!, $methods: AssignPaymentMethodsToChannelInput!, $shipping: AssignShippingMethodsToChannelInput!) {
        assignProductsToChannel(input: $products) { id }
        assignPaymentMethodsToChannel(input: $methods) { id }
        assignShippingMethodsToChannel(input: $shipping) { id }
      }`,
      {
        products: { channelId, productIds: [1], priceFactor: 1 },
        methods: { channelId, paymentMethodIds: ids(paymentMethods) },
        shipping: { channelId, shippingMethodIds: ids(shippingMethods) },
      },
    );
    const { transactionId, payment } = await buy(`?vendure-token=${token}`);
    expect(payment).toMatchObject({ transactionId });
  });
});

describe('The storefront of the README', () => {
  it('redirects the buyer to the checkout, and shows the order after it', async () => {
    const { buyer, code } = await fillCart();
    const location = { assign: vi.fn<(url: string) => void>(), href: `https://shop.example/checkout/complete?orderRef=${code}` };
    const blocks = ['redirect', 'complete'].map((name) => codeBlock(`${recipe}/README.md`, name)).join('');
    // oxlint-disable-next-line typescript/no-implied-eval -- the code of the README
    const functions = new Function('shopApi', 'location', `${blocks} return { payOverTime, finishCheckout };`)(buyer, location);
    await functions.payOverTime();
    expect(await functions.finishCheckout()).toBeUndefined();
    await sign(await cartIdOf(location.assign.mock.calls[0]![0]));
    await placedOrder(code);
    expect(await functions.finishCheckout()).toEqual({ code, state: 'PaymentAuthorized' });
  });
});

describe('A checkout', () => {
  it('needs an order with an address', async () => {
    await expect(shop.guest()('mutation { startFairtermCheckout }')).rejects.toThrow('no active order');
    const buyer = shop.guest();
    await buyer('mutation { addItemToOrder(productVariantId: 1, quantity: 1) { __typename } }');
    await expect(buyer('mutation { startFairtermCheckout }')).rejects.toThrow('transition');
  });

  it('is only offered for US dollars', async () => {
    const { channels } = await shop.admin('{ channels { items { id } } }');
    await shop.admin(`mutation ($channel: UpdateChannelInput!) { updateChannel(input: $channel) { __typename } }`, {
      channel: { id: channels.items[0].id, availableCurrencyCodes: ['USD', 'EUR'] },
    });
    await shop.admin(
      `mutation { updateProductVariants(input: [{ id: 1, prices: [{ currencyCode: USD, price: 129900 }, { currencyCode: EUR, price: 129900 }] }]) { id } }`,
    );
    const { buyer, code } = await fillCart('?currencyCode=EUR');
    await expect(buyer('mutation { startFairtermCheckout }')).rejects.toThrow('Expected the currency USD, but received EUR');
    await transition(buyer, 'ArrangingPayment');
    expect(await addPayment(buyer, 'financing')).toMatchObject({
      paymentErrorMessage: 'Expected the currency USD, but received EUR',
    });
    const { id } = await shop.merchant.fairterm.carts.create({ options: { orderRef: code, customTotal: TOTAL_CENTS } });
    const transactionId = await sign(id);
    expect(await deliver({ transactionId, orderRef: code })).toBe(204);
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'CANCELED' });
  });

  it('needs an enabled payment method', async () => {
    const { paymentMethods } = await shop.admin('{ paymentMethods { items { id code } } }');
    const { id } = paymentMethods.items.find(({ code }: Json) => code === 'financing');
    const enable = (enabled: boolean) =>
      shop.admin('mutation ($input: UpdatePaymentMethodInput!) { updatePaymentMethod(input: $input) { id } }', {
        input: { id, enabled },
      });
    const { buyer } = await fillCart();
    await enable(false);
    await expect(buyer('mutation { startFairtermCheckout }')).rejects.toThrow('No enabled payment method');
    await enable(true);
    await startCheckout(buyer);
  });

  it('closes the cart of an earlier one', async () => {
    const { buyer, code } = await fillCart();
    const first = await startCheckout(buyer);
    await transition(buyer, 'AddingItems');
    await buyer('mutation { addItemToOrder(productVariantId: 1, quantity: 1) { __typename } }');
    const second = await startCheckout(buyer);
    expect(await shop.merchant.fairterm.carts.retrieve(first)).toMatchObject({ status: 'expired' });
    expect(await shop.merchant.fairterm.carts.retrieve(second)).toMatchObject({
      status: 'open',
      options: { customTotal: 2 * TOTAL_CENTS },
    });
    await sign(second);
    await placedOrder(code);
  });

  it('leaves one open cart if it is started twice at the same moment', async () => {
    const { buyer, code } = await fillCart();
    await Promise.all([buyer('mutation { startFairtermCheckout }'), buyer('mutation { startFairtermCheckout }')]);
    const open: string[] = [];
    for await (const { id } of shop.merchant.fairterm.carts.list({ orderRef: code, status: 'open' })) open.push(id);
    expect(open).toHaveLength(1);
  });

  it('redirects to the order if its callback was lost', async () => {
    const { buyer, code } = await fillCart();
    const { id } = await shop.merchant.fairterm.carts.create({ options: { orderRef: code, customTotal: TOTAL_CENTS } });
    const transactionId = await sign(id);
    const { startFairtermCheckout: url } = await buyer('mutation { startFairtermCheckout }');
    const { origin, searchParams } = new URL(url);
    expect(origin).toBe('https://shop.example');
    expect([...searchParams]).toEqual([
      ['page', '/checkout/complete'],
      ['orderRef', code],
    ]);
    expect((await placedOrder(code)).payments).toMatchObject([{ transactionId }]);
  });

  it('pays an order to which the buyer has returned without changing it', async () => {
    const { buyer, code } = await fillCart();
    const cartId = await startCheckout(buyer);
    await transition(buyer, 'AddingItems');
    await sign(cartId);
    await placedOrder(code);
  });

  it('does not pay an order that was changed', async () => {
    const { buyer, code } = await fillCart();
    const cartId = await startCheckout(buyer);
    await transition(buyer, 'AddingItems');
    await buyer('mutation { addItemToOrder(productVariantId: 1, quantity: 1) { __typename } }');
    const transactionId = await sign(cartId);
    await expect.poll(async () => notesOf(await orderOf(code))).toEqual([expect.stringContaining(transactionId)]);
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'CANCELED' });
    expect(await orderOf(code)).toMatchObject({ state: 'AddingItems', payments: [] });
  });
});

describe('A second purchase of an order', () => {
  /** Creates another cart with the reference of an order, and signs it. */
  const signAnother = async (code: string, callbackUrl = `${shop.url}/fairterm/callback`) => {
    const options = { orderRef: code, customTotal: TOTAL_CENTS, callbackUrl };
    return sign((await shop.merchant.fairterm.carts.create({ options })).id);
  };

  it('is canceled if another transaction pays the order, and noted on the order', async () => {
    const { transactionId, code } = await buy();
    const second = await signAnother(code);
    await expect.poll(async () => notesOf(await orderOf(code))).toEqual([expect.stringContaining(second)]);
    expect(await transactionOf(second)).toMatchObject({ status: 'CANCELED' });
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'AUTHORIZED' });
    expect((await orderOf(code)).payments).toHaveLength(1);
  });

  it('is canceled if the order is paid by another method before the callback', async () => {
    const { buyer, code } = await fillCart();
    await startCheckout(buyer);
    const transactionId = await signAnother(code, `${shop.url}/nowhere`);
    expect(await addPayment(buyer, 'card')).toMatchObject({ state: 'PaymentAuthorized' });
    expect(await deliver({ transactionId, orderRef: code })).toBe(204);
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'CANCELED' });
    const order = await orderOf(code);
    expect(notesOf(order)).toEqual([expect.stringContaining(transactionId)]);
    expect(order.payments).toMatchObject([{ method: 'card', state: 'Authorized' }]);
  });

  it('is canceled if both callbacks arrive at the same moment', async () => {
    const { buyer, code } = await fillCart();
    await startCheckout(buyer);
    const nowhere = `${shop.url}/nowhere`;
    const ids = [await signAnother(code, nowhere), await signAnother(code, nowhere)];
    const statuses = await Promise.all(ids.map((transactionId) => deliver({ transactionId, orderRef: code })));
    expect(statuses).toEqual([204, 204]);
    const order = await placedOrder(code);
    expect(order.payments).toMatchObject([{ state: 'Authorized', transactionId: ids[0] }]);
    expect(notesOf(order)).toEqual([expect.stringContaining(ids[1]!)]);
    expect(await transactionOf(ids[1]!)).toMatchObject({ status: 'CANCELED' });
    expect(await transactionOf(ids[0]!)).toMatchObject({ status: 'AUTHORIZED' });
  });

  it('does not happen when the callback is repeated', async () => {
    const { transactionId, code, order } = await buy();
    const before = await transactionOf(transactionId);
    expect(await deliver({ transactionId, orderRef: code })).toBe(204);
    expect(await orderOf(code)).toEqual(order);
    expect(await transactionOf(transactionId)).toEqual(before);
  });
});

describe('A callback', () => {
  it('is rejected if its signature is not valid', async () => {
    const { buyer, code } = await fillCart();
    await startCheckout(buyer);
    const { id } = await shop.merchant.fairterm.carts.create({ options: { orderRef: code, customTotal: TOTAL_CENTS } });
    const callback = { transactionId: await sign(id), orderRef: code };
    expect(await deliver(callback, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=')).toBe(400);
    expect(await orderOf(code)).toMatchObject({ state: 'ArrangingPayment' });
    expect(await deliver(callback)).toBe(204);
    await placedOrder(code);
  });

  it('is repeated if the order does not exist', async () => {
    expect(await deliver({ transactionId: randomUUID(), orderRef: 'UNKNOWN' })).toBe(404);
    expect(await deliver({ transactionId: randomUUID(), orderRef: '' })).toBe(404);
  });
});

describe('An answer that is lost', () => {
  /** Matches the first request that ends with `end`, and all later ones: the service is unreachable from then on. */
  const from = (end: string) => {
    let isLost = false;
    return (request: string) => (isLost ||= request.endsWith(end));
  };

  it('of a cart leaves the buyer without one, and the next attempt has another', async () => {
    const { buyer, code } = await fillCart();
    await expect(proxy.lose(from('POST /carts'), () => startCheckout(buyer))).rejects.toThrow();
    await sign(await startCheckout(buyer));
    await placedOrder(code);
    const open: string[] = [];
    for await (const { id } of shop.merchant.fairterm.carts.list({ orderRef: code, status: 'open' })) open.push(id);
    expect(open).toEqual([]);
  });

  it('of an authorization is found out when the answers arrive again', async () => {
    const { buyer, code } = await fillCart();
    const cartId = await startCheckout(buyer);
    const transactionId = await proxy.lose(
      (request) => request.endsWith('authorize'),
      async () => {
        const signed = await sign(cartId);
        await placedOrder(code);
        return signed;
      },
    );
    expect((await orderOf(code)).payments).toMatchObject([{ transactionId }]);
  });

  it('of an authorization in an outage is found out by the next callback', async () => {
    const { buyer, code } = await fillCart();
    await startCheckout(buyer);
    const { id } = await shop.merchant.fairterm.carts.create({ options: { orderRef: code, customTotal: TOTAL_CENTS } });
    const callback = { transactionId: await sign(id), orderRef: code };
    expect(await proxy.lose(from('authorize'), () => deliver(callback))).toBe(500);
    expect(await transactionOf(callback.transactionId)).toMatchObject({ status: 'AUTHORIZED' });
    expect(await orderOf(code)).toMatchObject({ state: 'ArrangingPayment', payments: [] });
    expect(await deliver(callback)).toBe(204);
    expect((await placedOrder(code)).payments).toMatchObject([{ transactionId: callback.transactionId }]);
  });

  it('of a settlement fails it, and it is repeated', async () => {
    const { payment, transactionId, code } = await buy();
    expect(await proxy.lose(from('settle'), () => settle(payment))).toMatchObject({ __typename: 'SettlePaymentError' });
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'SETTLED' });
    expect(await settle(payment)).toEqual({ __typename: 'Payment' });
    expect(await orderOf(code)).toMatchObject({ state: 'PaymentSettled' });
  });

  it('of a refund fails it, and the repeated one is made once', async () => {
    const { payment, transactionId, code } = await buy();
    await settle(payment);
    await refund(payment, 50_00);
    await expect(proxy.lose(from('refund'), () => refund(payment, 50_00))).rejects.toThrow();
    expect(await refundsIn(transactionId)).toEqual([50_00, 50_00]);
    await expect(refund(payment, 60_00)).rejects.toThrow('A refund of $50.00 was made');
    await refund(payment, 50_00);
    expect(await refundsIn(transactionId)).toEqual([50_00, 50_00]);
    await refund(payment, 50_00);
    expect(await refundsIn(transactionId)).toEqual([50_00, 50_00, 50_00]);
    expect((await orderOf(code)).payments[0].refunds).toHaveLength(3);
  });

  it('of a cancel keeps the order, which is canceled by the next attempt', async () => {
    const { order, transactionId, code } = await buy();
    await expect(proxy.lose(from('cancel'), () => cancelOrder(order))).rejects.toThrow();
    expect(await transactionOf(transactionId)).toMatchObject({ status: 'CANCELED' });
    expect(await orderOf(code)).toMatchObject({ state: 'PaymentAuthorized', payments: [{ state: 'Authorized' }] });
    expect(await cancelOrder(order)).toEqual({ __typename: 'Order' });
    expect(await orderOf(code)).toMatchObject({ state: 'Cancelled', payments: [{ state: 'Cancelled' }] });
  });

  it('of an expired cart fails the checkout, and the next attempt has one open cart', async () => {
    const { buyer, code } = await fillCart();
    const first = await startCheckout(buyer);
    await expect(proxy.lose(from('/expire'), () => startCheckout(buyer))).rejects.toThrow();
    await sign(await startCheckout(buyer));
    await placedOrder(code);
    expect(await shop.merchant.fairterm.carts.retrieve(first)).toMatchObject({ status: 'expired' });
  });
});

describe('The package', () => {
  it('compiles in strict TypeScript with the types of Vendure', async () => {
    const compile = promisify(execFile)(process.execPath, [
      'node_modules/typescript/bin/tsc',
      '-p',
      'test/nightly/vendure/tsconfig.json',
    ]);
    const { stdout } = await compile.catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });

  it('does not start if prices have other decimals than dollars', async () => {
    const starting = startShop(service, proxy.url, defaultEngine, { PRECISION: '3' });
    await expect(starting).rejects.toThrow('FairtermPlugin: expected prices with 2 decimals, received 3');
  });

  it('names an option that is missing', async () => {
    const path = './node_modules/@fairterm/vendure/dist/index.js';
    const { FairtermPlugin } = await import(/* @vite-ignore */ path);
    const options = { serviceUrl: 'https://financing.example', apiKey: 'key', secret: 'secret', callbackSecrets: [''] };
    expect(() => FairtermPlugin.init(options)).toThrow('callbackSecrets');
  });
});
