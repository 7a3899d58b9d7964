import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Delivery } from '../../../server/messages/deliver.ts';
import { status } from '../../support/http.ts';
import { until } from '../../support/time.ts';
import { startDelivering } from './delivering.ts';

describe('Delivery while a receiver does not respond', () => {
  const { startReceiver, advanceClock, start, addCallback, addCallbacks, delivered, addMerchant, database } = startDelivering();

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

  it('sends all callbacks of another merchant while no attempt of the first has finished', async () => {
    const hangingMerchant = await addMerchant();
    const other = await addMerchant();
    const { hang, waiting, release } = startHangingReceiver();
    const hanging = await startReceiver(hang);
    const healthy = await startReceiver(status(204));
    await addCallbacks(300, hanging.url, { merchantId: hangingMerchant });
    const ids = await addCallbacks(50, healthy.url, { merchantId: other, inMs: 1 });
    advanceClock(1);

    const delivery = start({ timeoutMs: 60_000 });
    await until(() => waiting.length === 8);
    for (const id of ids) await delivered(id);

    expect(await finishedAttemptsOf(hangingMerchant)).toEqual([]);
    expect(healthy.received).toHaveLength(50);
    expect(hanging.received, 'requests to one endpoint').toHaveLength(8);
    await release(delivery);
  });

  it('sends callbacks of other merchants while 100 receivers of one merchant do not respond', async () => {
    const hangingMerchant = await addMerchant();
    const other = await addMerchant();
    const { hang, waiting, release } = startHangingReceiver();
    for (let count = 0; count < 100; count++) await addCallback((await startReceiver(hang)).url, { merchantId: hangingMerchant });
    const healthy = await startReceiver(status(204));
    const id = await addCallback(healthy.url, { merchantId: other, inMs: 1 });
    advanceClock(1);

    const delivery = start({ timeoutMs: 60_000 });
    await until(() => waiting.length === 32);
    await delivered(id);

    expect(await finishedAttemptsOf(hangingMerchant)).toEqual([]);
    expect(waiting, 'requests of one merchant').toHaveLength(32);
    await release(delivery);
  });

  it('sends callbacks of other merchants while five receivers of each of twelve merchants do not respond', async () => {
    const other = await addMerchant();
    const { hang, waiting, release } = startHangingReceiver();
    const hangingMerchants = await Promise.all(Array.from({ length: 12 }, addMerchant));
    for (const hangingMerchant of hangingMerchants) {
      for (let receivers = 0; receivers < 5; receivers++)
        await addCallbacks(8, (await startReceiver(hang)).url, { merchantId: hangingMerchant });
    }
    const healthy = await startReceiver(status(204));
    const ids = await addCallbacks(20, healthy.url, { merchantId: other, inMs: 1 });
    advanceClock(1);

    const delivery = start({ timeoutMs: 60_000 });
    for (const id of ids) await delivered(id);

    expect((await Promise.all(hangingMerchants.map(finishedAttemptsOf))).flat()).toEqual([]);
    await until(() => waiting.length > 100);
    await release(delivery);
  });
});
