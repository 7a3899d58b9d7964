import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../server/base/time.ts';
import { createCart, reachAgreement, submit } from '../../support/checkout.ts';
import { startReceiver, status } from '../../support/http.ts';
import { startService } from '../../support/service.ts';
import { until } from '../../support/time.ts';
import { storedDeliveries } from '../../support/stored.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('The sandbox clock', () => {
  const moveTo = async (now: string) => {
    const response = await merchant.post('/sandbox/clock', { now });
    expect(response).toMatchObject({ status: 200, body: { now: expect.stringContaining(now.slice(0, 10)) } });
  };
  const moveBack = () => moveTo(new Date().toISOString());
  const callbackTo = async (url: string) => (await storedDeliveries(service.database)).find((row) => row.url === url)!;

  it('does not delay a callback or its retry if it is moved to 2030 during a checkout', async () => {
    const { url: callbackUrl, received } = await startReceiver((response) => status(received.length < 2 ? 500 : 204)(response));
    await moveTo('2030-01-02T03:04:05Z');
    const cart = await createCart(merchant, { callbackUrl });
    await submit(await reachAgreement(cart.url));
    const failed = await until(async () => {
      const row = await callbackTo(callbackUrl);
      return row.lastFailure === 'The receiver responded with 500' && row;
    });
    await moveBack();

    expect(failed.createdAt).toMatch(/^2030-01-02T/);
    expect(epochMs(failed.dueAt!) - Date.now(), 'milliseconds to the retry').toBeLessThanOrEqual(5_500);
    await until(async () => (await callbackTo(callbackUrl)).deliveredAt);
    expect(received).toHaveLength(2);
  });

  it('does not delay a callback if it is moved back before the callback is sent', async () => {
    const { url: callbackUrl, received } = await startReceiver();
    await moveTo('2030-01-02T03:04:05Z');
    const { id: cartId } = await createCart(merchant, { callbackUrl });
    const [checkout] = await Promise.all([merchant.post('/sandbox/checkouts', { cartId }), moveBack()]);
    expect(checkout.status).toBe(200);
    await until(() => received.length === 1);
  });

  it('does not make retries due earlier if it is moved to the past', async () => {
    const { url: callbackUrl } = await startReceiver(status(500));
    const startedAtMs = Date.now();
    await moveTo('1999-12-31T12:00:00Z');
    const { id: cartId } = await createCart(merchant, { callbackUrl });
    await merchant.post('/sandbox/checkouts', { cartId });
    const failed = await until(async () => {
      const row = await callbackTo(callbackUrl);
      return row.lastFailure !== '' && row;
    });
    await moveBack();
    expect(epochMs(failed.dueAt!) - startedAtMs).toBeGreaterThan(4_000);
    expect(failed.attempts).toBe(1);
  });

  it('can be moved to the start and near the end of the supported range, where carts can be created', async () => {
    for (const now of ['1970-01-01T00:00:00Z', '8999-12-31T23:50:00Z']) {
      await moveTo(now);
      expect(await createCart(merchant)).toMatchObject({ id: expect.any(String) });
    }
    await moveBack();
  });
});
