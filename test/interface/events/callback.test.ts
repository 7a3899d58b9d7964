import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { callbackSecretsOf } from '../../../server/merchants/callback-secrets.ts';
import { createCart, reachAgreement, reachDecision, submit } from '../../support/checkout.ts';
import { startReceiver, status } from '../../support/http.ts';
import { startService, type TestMerchant } from '../../support/service.ts';
import { until } from '../../support/time.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('The callback to callbackUrl [CART-5]', () => {
  const buy = async (options: object): Promise<string> => {
    const signed = await submit(await reachAgreement((await createCart(merchant, options)).url));
    return new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
  };
  const outbox = () =>
    service.database.query.selectFrom('outbox').select(['id', 'deliveredAt']).where('channel', '=', 'callback').execute();

  it('is a POST of JSON with exactly transactionId and orderRef [EVT-1] [EVT-2] [CHOICE-32]', async () => {
    const { url: callbackUrl, received } = await startReceiver();
    const transactionId = await buy({ orderRef: 'ORDER "7" ü', callbackUrl });
    const { method, headers, body } = await until(() => received[0]);
    expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
    expect(body).toBe(JSON.stringify({ transactionId, orderRef: 'ORDER "7" ü' }));
  });

  it('has a signature that the Standard Webhooks library verifies with the merchant’s secret only [CHOICE-36]', async () => {
    const { url: callbackUrl, received } = await startReceiver();
    const transactionId = await buy({ orderRef: 'ORDER-2', callbackUrl });
    const { body, headers } = await until(() => received[0]);
    const verify = async ({ merchantId }: TestMerchant) => {
      const [current] = await callbackSecretsOf(service.database.query, merchantId);
      return new Webhook(current!.secret).verify(body, headers as Record<string, string>);
    };
    expect(await verify(merchant)).toEqual({ transactionId, orderRef: 'ORDER-2' });
    await expect(verify(await service.createMerchant())).rejects.toThrow('No matching signature');
  });

  it('is sent when the transaction can be retrieved, and the receiver can authorize it before it responds [CLIENT-19] [CHOICE-33] [STATE-1]', async () => {
    const statuses: unknown[] = [];
    const { url: callbackUrl } = await startReceiver(async (response, body) => {
      const { transactionId, orderRef } = JSON.parse(body) as { transactionId: string; orderRef: string };
      statuses.push((await merchant.get(`/transactions/${transactionId}`)).body.status);
      const authorized = await merchant.post(`/transactions/actions/${transactionId}`, {
        type: 'authorize',
        merchantOrderId: orderRef,
      });
      statuses.push(authorized.body.status, authorized.body.merchantOrderId);
      status(200)(response);
    });
    await buy({ orderRef: 'O-2', callbackUrl });
    await until(async () => (await outbox()).every(({ deliveredAt }) => deliveredAt));
    expect(statuses).toEqual(['PENDING', 'AUTHORIZED', 'O-2']);
  });

  it.each([200, 204])('is not retried after a response of %i [CLIENT-19] [CHOICE-34]', async (code) => {
    const { url: callbackUrl, received } = await startReceiver(status(code));
    await buy({ callbackUrl });
    await until(async () => (await outbox()).every(({ deliveredAt }) => deliveredAt));
    expect(received).toHaveLength(1);
  });

  it('is not sent without a callbackUrl, and the merchant can authorize after the redirect to completeUrl [CLIENT-20] [CART-5]', async () => {
    const before = await outbox();
    const id = await buy({ completeUrl: 'https://shop.example/thanks' });
    expect(await outbox()).toEqual(before);
    const response = await merchant.post(`/transactions/actions/${id}`, { type: 'authorize' });
    expect(response).toMatchObject({ status: 200, body: { status: 'AUTHORIZED' } });
  });

  describe('is not sent, and no transaction is created, [EVT-7] [SVC-1]', () => {
    const purchases = async () => (await service.database.query.selectFrom('transactions').select('id').execute()).length;

    it('when the buyer is denied', async () => {
      const before = [await outbox(), await purchases()];
      const cart = await createCart(merchant, { callbackUrl: 'http://127.0.0.1:65535/never' });
      const denied = await reachDecision(cart.url, { taxIdLast4: '2001' });
      expect(denied.step).toBe('declined');
      expect([await outbox(), await purchases()]).toEqual(before);
    });
  });
});
