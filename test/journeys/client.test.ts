/** `@fairterm/client` with the real service. */
import { Fairterm, FairtermError, UnknownOutcomeError, verifyCallback } from '@fairterm/client';
import { describe, expect, it } from 'vitest';
import { callbackSecretsOf } from '../../server/merchants/callback-secrets.ts';
import { chair } from '../support/checkout.ts';
import { startReceiver } from '../support/http.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/time.ts';

const service = await startService();
const merchant = await service.createMerchant();
const { apiKey, secret } = merchant;
const fairterm = new Fairterm({ serviceUrl: service.publicUrl, apiKey, secret });

describe('A server with the merchant client', () => {
  const createPurchase = async () => {
    const { id } = await fairterm.carts.create({ options: { items: [chair, { ...chair, sku: 'CHAIR-2' }] } });
    return (await fairterm.sandbox.checkout({ cartId: id })).transactionId;
  };
  const catchError = (call: Promise<unknown>) => call.catch((thrown: unknown) => thrown);

  it('requests an example of the lowest monthly payment', async () => {
    const quote = await fairterm.asLowAs({ customTotal: 50_000 });

    expect(quote).toMatchObject({ asLowAs: { monthly: 2_307, amount: '$23.07', termInterval: 'Month', apr: 0.0999 } });
    expect(quote).toEqual((await merchant.post('/aslowas', { customTotal: 50_000 })).body);
    const { financingProgramId } = quote;
    expect(await fairterm.asLowAs({ customTotal: 50_000, financingProgramId })).toEqual(quote);
  });

  it('creates and retrieves a cart with every field', async () => {
    const contact = { firstName: 'Ada', lastName: 'Lovelace', address: '1 Analytical Way', city: 'Austin', state: 'TX' };
    const options = {
      orderRef: 'ORDER-1',
      callbackUrl: 'https://shop.example/callback',
      completeUrl: 'https://shop.example/thank-you',
      errorUrl: 'https://shop.example/sorry',
      cartName: 'Spring',
      items: [chair],
      discounts: [{ amount: 1_000, description: 'Spring' }],
      shippingOptions: [{ type: 'Parcel', typeId: 'parcel', cost: 500 }],
      shippingContact: contact,
      billingContact: { ...contact, zip: '78701', email: 'ada@example.com', phone: '5125550100' },
      requireShippingContact: true,
    } as const;

    const cart = await fairterm.carts.create({ expiration: '2099-12-31', createdBy: 'Till 4', options });

    const fields = { merchantId: merchant.merchantId, cartName: 'Spring', expiration: '2099-12-31', createdBy: 'Till 4' };
    expect(cart).toMatchObject({ ...fields, isCustomTotal: false, options, asLowAs: { monthly: 3_437 } });
    expect(cart.url).toMatch(/^http:\/\/localhost:\d+\/c\/[\w-]+$/);
    expect(await fairterm.carts.retrieve(cart.id)).toEqual(cart);
    expect(cart).toEqual((await merchant.get(`/carts/${cart.id}`)).body);
  });

  it('authorizes, ships, settles and refunds a purchase', async () => {
    const id = await createPurchase();

    const pending = await fairterm.transactions.retrieve(id);
    expect(pending).toMatchObject({ serviceTransactionId: id, status: 'PENDING', total: 150_000, merchantOrderId: '' });
    expect(pending).toEqual((await merchant.get(`/transactions/${id}`)).body);

    expect(await fairterm.transactions.setOrderId(id, { merchantOrderId: 'M-0' })).toMatchObject({ merchantOrderId: 'M-0' });
    const authorized = await fairterm.transactions.authorize(id, { merchantOrderId: 'M-1' });
    expect(authorized).toMatchObject({ status: 'AUTHORIZED', merchantOrderId: 'M-1' });
    const reduced = await fairterm.transactions.cancel(id, { amount: 5_000 });
    expect(reduced).toMatchObject({ status: 'AUTHORIZED', adjustedTotal: 145_000 });
    const shipped = await fairterm.transactions.ship(id, { carrierName: 'UPS', trackingNumber: '1Z999' });
    expect(shipped).toMatchObject({ carrierName: 'UPS', trackingNumber: '1Z999' });
    expect(await fairterm.transactions.settle(id)).toMatchObject({ status: 'SETTLED', adjustedTotal: 145_000 });
    const refunded = await fairterm.transactions.refund(id, { lineItems: [{ sku: 'CHAIR-2', quantity: 1 }] });
    expect(refunded).toMatchObject({ status: 'SETTLED', adjustedTotal: 70_000 });
    expect(await fairterm.transactions.refund(id)).toMatchObject({ status: 'REFUNDED', adjustedTotal: 0 });
  });

  it('authorizes with other line items and cancels the whole transaction', async () => {
    const id = await createPurchase();
    const product = { name: 'Two chairs', sku: 'CHAIRS', imageUrl: '', detailUrl: '' };

    const { lineItems } = await fairterm.transactions.authorize(id, { lineItems: [{ price: 150_000, quantity: 1, product }] });
    expect(lineItems).toMatchObject([{ price: 150_000, quantity: 1, product }]);

    expect(await fairterm.transactions.cancel(id)).toMatchObject({ status: 'CANCELED', adjustedTotal: 0 });
  });

  it('recognizes a declined card and cancels the transaction', async () => {
    const { id: cartId } = await fairterm.carts.create({ options: { customTotal: 50_000 } });
    const { transactionId } = await fairterm.sandbox.checkout({ cartId, outcome: 'remainder-declined' });

    const error = await catchError(fairterm.transactions.authorize(transactionId));

    expect(error).toMatchObject({ name: 'FairtermError', status: 402, code: 'card-declined', isCardDecline: true });
    expect(await fairterm.transactions.cancel(transactionId)).toMatchObject({ status: 'CANCELED' });
  });

  it('sends a cart by e-mail and text message, and expires it', async () => {
    const { id, url } = await fairterm.carts.create({ options: { customTotal: 50_000 } });

    expect(await fairterm.carts.email(id, { email: 'ada@example.com', name: 'Ada' })).toEqual({ message: expect.any(String) });
    expect(await fairterm.carts.text(id, { phone: '5125550100' })).toEqual({ message: expect.any(String) });

    const { messages } = await fairterm.sandbox.messages();
    const sent = messages.filter(({ text }) => text.includes(url));
    expect(sent.map(({ channel, to }) => [channel, to])).toEqual([
      ['text', '5125550100'],
      ['email', 'ada@example.com'],
    ]);
    await fairterm.carts.expire(id);
    await fairterm.carts.expire(id);
    expect(await catchError(fairterm.sandbox.checkout({ cartId: id }))).toMatchObject({ status: 409, code: 'cart-closed' });
  });

  it('verifies a callback with the merchant’s callback secret and rejects it with another', async () => {
    const { url, received } = await startReceiver();
    const { id: cartId } = await fairterm.carts.create({ options: { orderRef: 'O-7', customTotal: 50_000, callbackUrl: url } });
    const { transactionId } = await fairterm.sandbox.checkout({ cartId });
    const { body, headers } = await until(() => received[0]);
    const secrets = (await callbackSecretsOf(service.database.query, merchant.merchantId)).map((each) => each.secret);

    expect(await verifyCallback({ body, headers, secrets })).toMatchObject({ transactionId, orderRef: 'O-7' });

    const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
    await expect(verifyCallback({ body, headers, secrets: other })).rejects.toMatchObject({ code: 'bad-signature' });
  });

  it.each(['authorize', 'refund'] as const)('does not %s twice if the first response is lost', async (type) => {
    const id = await createPurchase();
    if (type === 'refund') await fairterm.transactions.authorize(id);
    if (type === 'refund') await fairterm.transactions.settle(id);
    let calls = 0;
    const loseFirstResponse = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      if (++calls > 1) return response;
      await response.text();
      throw new TypeError('The connection was closed after the service had responded');
    };
    const runtime = { fetch: loseFirstResponse };
    const { transactions } = new Fairterm({ serviceUrl: service.publicUrl, apiKey, secret, runtime });

    const transaction = type === 'refund' ? await transactions.refund(id, { amount: 1_000 }) : await transactions.authorize(id);

    expect(calls).toBe(2);
    expect(transaction.adjustedTotal).toBe(type === 'refund' ? 149_000 : 150_000);
    expect(await fairterm.transactions.retrieve(id)).toEqual(transaction);
  });

  it('rejects a key that was used for another request', async () => {
    const id = await createPurchase();
    await fairterm.transactions.authorize(id, {}, { idempotencyKey: 'once' });

    const again = await fairterm.transactions.authorize(id, {}, { idempotencyKey: 'once' });
    const error = await catchError(fairterm.transactions.cancel(id, {}, { idempotencyKey: 'once' }));

    expect(again.status).toBe('AUTHORIZED');
    expect(error).toMatchObject({ name: 'FairtermError', status: 422, code: 'idempotency-key-reused' });
  });

  it('sets the sandbox’s clock', async () => {
    const { now } = await fairterm.sandbox.clock({ now: service.clock.now() });

    expect(now).toMatch(/^\d{4}-\d{2}-\d{2}T/);
  });

  it.each<[string, () => Promise<unknown>, object]>([
    [
      'an unknown transaction',
      () => fairterm.transactions.retrieve('nothing'),
      { status: 404, description: 'Transaction ID was invalid', code: 'transaction-not-found', type: 'INTERNAL_ERROR' },
    ],
    ['an unknown cart', () => fairterm.carts.retrieve('nothing'), { status: 404, code: 'cart-not-found' }],
    ['a quote for a total of 0', () => fairterm.asLowAs({ customTotal: 0 }), { status: 400, code: 'invalid-request' }],
    [
      'a settlement before the authorization',
      async () => fairterm.transactions.settle(await createPurchase()),
      { code: 'wrong-state' },
    ],
    [
      'a cancellation above the total',
      async () => fairterm.transactions.cancel(await createPurchase(), { amount: 150_001 }),
      { code: 'amount-too-large', isCardDecline: false },
    ],
    [
      'a denied checkout',
      async () => {
        const { id: cartId } = await fairterm.carts.create({ options: { customTotal: 50_000 } });
        return fairterm.sandbox.checkout({ cartId, outcome: 'denied' });
      },
      { status: 422, code: 'not-approved' },
    ],
  ])('receives an error with the request id of the log for %s', async (_title, call, expected) => {
    const error = await catchError(call());

    expect(error).toBeInstanceOf(FairtermError);
    expect(error).toMatchObject(expected);
    const { requestId } = error as FairtermError;
    await until(() => service.logged.some((line) => (JSON.parse(line) as { requestId?: string }).requestId === requestId));
  });

  it('receives an error for the secret of another merchant', async () => {
    const other = await service.createMerchant();
    const mismatched = new Fairterm({ serviceUrl: service.publicUrl, apiKey, secret: other.secret });

    expect(await catchError(mismatched.asLowAs({ customTotal: 1 }))).toMatchObject({ status: 401, code: 'unauthenticated' });
  });

  it('receives an error if the service URL is not that of the merchant API', async () => {
    const misconfigured = new Fairterm({ serviceUrl: `${service.publicUrl}/c`, apiKey, secret });

    expect(await catchError(misconfigured.asLowAs({ customTotal: 1 }))).toBeInstanceOf(UnknownOutcomeError);
  });
});
