import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { callbackSecretsOf } from '../../../server/merchants/callback-secrets.ts';
import { createCart, reachAgreement, submit } from '../../support/checkout.ts';
import { type Received, startReceiver, status } from '../../support/http.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

describe('The callback POST to the cart’s callbackUrl', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });
  const bought = async (callbackUrl: string, orderRef?: string) => {
    const cart = await createCart(merchant, { callbackUrl, ...(orderRef !== undefined && { orderRef }) });
    return (await merchant.post('/sandbox/checkouts', { cartId: cart.id })).body.transactionId as string;
  };
  const verified = async ({ body, headers }: Received, merchantId = merchant.merchantId) => {
    const [live] = await callbackSecretsOf(service.database.query, merchantId);
    return new Webhook(live!.secret).verify(body, headers as Record<string, string>);
  };

  it('is sent after a successful checkout of a cart, with transactionId and orderRef and nothing else [EVT-1] [EVT-2] [CHOICE-32]', async () => {
    const { url, received } = await startReceiver();
    const cart = await createCart(merchant, { callbackUrl: url, orderRef: 'ORDER-1' });
    await submit(await reachAgreement(cart.url));
    await until(() => received.length === 1);

    const { body, method, headers } = received[0]!;
    const { transactionId } = JSON.parse(body);
    expect(body).toBe(JSON.stringify({ transactionId, orderRef: 'ORDER-1' }));
    expect({ method, type: headers['content-type'] }).toEqual({ method: 'POST', type: 'application/json' });
    expect(await merchant.get(`/transactions/${transactionId}`)).toMatchObject({ status: 200, body: { status: 'PENDING' } });
  });

  it('has an empty orderRef if the cart has no orderRef', async () => {
    const { url, received } = await startReceiver();
    const transactionId = await bought(url);
    await until(() => received.length === 1);
    expect(received[0]!.body).toBe(JSON.stringify({ transactionId, orderRef: '' }));
  });

  it('has a signature that the Standard Webhooks library verifies with the merchant’s secret [CHOICE-36]', async () => {
    const { url, received } = await startReceiver();
    const transactionId = await bought(url, 'ORDER-2');
    await until(() => received.length === 1);

    expect(await verified(received[0]!)).toEqual({ transactionId, orderRef: 'ORDER-2' });
    const other = await service.createMerchant();
    await expect(verified(received[0]!, other.merchantId)).rejects.toThrow('No matching signature');
  });

  it('lets the receiver read and authorize the transaction before it responds [CLIENT-19] [CHOICE-33]', async () => {
    const statuses: number[] = [];
    const { url, received } = await startReceiver(async (response, body) => {
      const { transactionId } = JSON.parse(body);
      statuses.push((await merchant.get(`/transactions/${transactionId}`)).status);
      statuses.push((await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize' })).status);
      status(200)(response);
    });
    const transactionId = await bought(url);
    await until(() => received.length === 1 && statuses.length === 2);
    expect(statuses).toEqual([200, 200]);
    expect(await merchant.get(`/transactions/${transactionId}`)).toMatchObject({ body: { status: 'AUTHORIZED' } });
  });

  it('is not sent after a failed checkout [EVT-7]', async () => {
    const { url, received } = await startReceiver();
    const cart = await createCart(merchant, { callbackUrl: url });
    expect(await merchant.post('/sandbox/checkouts', { cartId: cart.id, outcome: 'denied' })).toMatchObject({ status: 422 });
    // One that was bought afterwards has left: so would this one have.
    await bought(url);
    await until(() => received.length > 0);
    expect(received).toHaveLength(1);
  });
});
