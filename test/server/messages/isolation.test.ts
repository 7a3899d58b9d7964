import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Delivery } from '../../../server/messages/deliver.ts';
import { status } from '../../support/http.ts';
import { until } from '../../support/time.ts';
import { startDelivering } from './delivering.ts';

describe('Delivery to receivers that do not respond', () => {
  const { startReceiver, advanceClock, start, addCallbacks, delivered, addMerchant, database } = startDelivering();

  /** Returns a responder that does not respond until it is released. */
  const startHangingReceiver = () => {
    const waiting: ServerResponse[] = [];
    let isReleased = false;
    return {
      hang: (response: ServerResponse) => (isReleased ? status(204)(response) : void waiting.push(response)),
      waiting,
      release: async (delivery: Delivery) => {
        const stopping = delivery.stop();
        isReleased = true;
        for (const response of waiting) status(204)(response);
        await stopping;
      },
    };
  };
  const finishedAttemptsOf = (ofMerchantId: string) =>
    database()
      .query.selectFrom('outbox')
      .innerJoin('delivery_attempts', 'delivery_attempts.deliveryId', 'outbox.id')
      .select('outbox.id')
      .where('outbox.merchantId', '=', ofMerchantId)
      .where('delivery_attempts.durationMs', 'is not', null)
      .execute();

  it.each([
    ['8 requests to one receiver', { merchants: 1, receivers: 1, callbacks: 300, least: 8, most: 8 }],
    ['32 requests to 100 receivers of one merchant', { merchants: 1, receivers: 100, callbacks: 1, least: 32, most: 32 }],
    ['at most 256 requests to others', { merchants: 12, receivers: 5, callbacks: 8, least: 101, most: 256 }],
  ])('sends all callbacks of another merchant, and %s', async (_requests, { merchants, receivers, callbacks, least, most }) => {
    const other = await addMerchant();
    const hangingMerchants = await Promise.all(Array.from({ length: merchants }, addMerchant));
    const { hang, waiting, release } = startHangingReceiver();
    for (const merchantId of hangingMerchants) {
      for (let count = 0; count < receivers; count++)
        await addCallbacks(callbacks, (await startReceiver(hang)).url, { merchantId });
    }
    const healthy = await startReceiver(status(204));
    const ids = await addCallbacks(50, healthy.url, { merchantId: other, inMs: 1 });
    advanceClock(1);

    const delivery = start({ timeoutMs: 60_000 });
    for (const id of ids) await delivered(id);

    expect((await Promise.all(hangingMerchants.map(finishedAttemptsOf))).flat()).toEqual([]);
    await until(() => waiting.length >= least);
    expect(waiting.length).toBeLessThanOrEqual(most);
    await release(delivery);
  });
});
