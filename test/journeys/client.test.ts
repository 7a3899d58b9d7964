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

  it('recognizes a declined card and cancels the transaction', async () => {
    const { id: cartId } = await fairterm.carts.create({ options: { customTotal: 50_000 } });
    const { transactionId } = await fairterm.sandbox.checkout({ cartId, outcome: 'remainder-declined' });

    const error = await catchError(fairterm.transactions.authorize(transactionId));

    expect(error).toMatchObject({ name: 'FairtermError', status: 402, code: 'card-declined', isCardDecline: true });
    expect(await fairterm.transactions.cancel(transactionId)).toMatchObject({ status: 'CANCELED' });
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

  it('receives an error with the request id of the log', async () => {
    const error = await catchError(fairterm.transactions.retrieve('nothing'));

    expect(error).toBeInstanceOf(FairtermError);
    const body = { description: 'Transaction ID was invalid', code: 'transaction-not-found', type: 'INTERNAL_ERROR' };
    expect(error).toMatchObject({ status: 404, ...body });
    const { requestId } = error as FairtermError;
    await until(() => service.logged.some((line) => (JSON.parse(line) as { requestId?: string }).requestId === requestId));
  });

  it('receives an error if the service URL is not that of the merchant API', async () => {
    const misconfigured = new Fairterm({ serviceUrl: `${service.publicUrl}/c`, apiKey, secret });

    expect(await catchError(misconfigured.asLowAs({ customTotal: 1 }))).toBeInstanceOf(UnknownOutcomeError);
  });
});
