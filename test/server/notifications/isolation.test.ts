import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Delivery, retryWaitsMs } from '../../../server/notifications/deliver.ts';
import { status } from '../../support/http.ts';
import { captureTimeouts, until } from '../../support/time.ts';
import { givenDelivering } from './delivering.ts';

describe('Delivery while one receiver hangs', () => {
  const {
    startReceiver,
    pass,
    start,
    promise,
    promiseMany,
    rowOf,
    delivered,
    failed,
    lookedThrough,
    givenMerchant,
    database,
    merchantId,
  } = givenDelivering();

  it('sends callbacks to other receivers, and retries the one that hangs', async () => {
    const timeouts = captureTimeouts();
    let hangs = true;
    const hung = await startReceiver((response) => (hangs ? undefined : status(204)(response)));
    start({ timeoutMs: 2_000 });
    const waiting = await promise(hung.url);
    await until(() => hung.received.length === 1);

    await lookedThrough();
    expect(await rowOf(waiting)).toMatchObject({ attempts: 1, last_failure: '', delivered_at: null });

    timeouts.expire();
    expect(await failed(waiting)).toMatchObject({ last_failure: 'No answer within 2000 ms', delivered_at: null });
    hangs = false;
    pass(1.1 * retryWaitsMs[0]!);
    await delivered(waiting);
    expect(hung.received).toHaveLength(2);
  });

  /** Holds every response until it is released, then responds to all requests at once. The attempt timeout does not matter. */
  const givenHanging = () => {
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
  const endedOf = (of: string) =>
    database()
      .query.selectFrom('outbox')
      .innerJoin('delivery_attempts', 'delivery_attempts.delivery_id', 'outbox.id')
      .select('outbox.id')
      .where('outbox.merchant_id', '=', of)
      .where('delivery_attempts.duration_ms', 'is not', null)
      .execute();

  it('sends callbacks to other receivers while one that hangs has a hundred due', async () => {
    const { hang, waiting, release } = givenHanging();
    const [hung, sound] = [await startReceiver(hang), await startReceiver(status(204))];
    await promiseMany(100, hung.url);
    const id = await promise(sound.url, { inMs: 1 });
    pass(1);

    const delivery = start({ timeoutMs: 60_000 });
    await until(() => waiting.length > 0);
    await delivered(id);

    expect(await endedOf(merchantId())).toEqual([{ id }]);
    await release(delivery);
  });

  it('sends all callbacks of another merchant before a single attempt that hangs has ended', async () => {
    const [hangingMerchant, other] = [await givenMerchant(), await givenMerchant()];
    const { hang, waiting, release } = givenHanging();
    const [hung, sound] = [await startReceiver(hang), await startReceiver(status(204))];
    await promiseMany(300, hung.url, { of: hangingMerchant });
    const ids = await promiseMany(50, sound.url, { of: other, inMs: 1 });
    pass(1);

    const delivery = start({ timeoutMs: 60_000 });
    await until(() => waiting.length === 8);
    for (const id of ids) await delivered(id);

    expect(await endedOf(hangingMerchant)).toEqual([]);
    expect(sound.received).toHaveLength(50);
    expect(hung.received, 'to one endpoint').toHaveLength(8);
    await release(delivery);
  });

  it('sends callbacks of others while one merchant has a hundred receivers that all hang', async () => {
    const [hangingMerchant, other] = [await givenMerchant(), await givenMerchant()];
    const { hang, waiting, release } = givenHanging();
    for (let count = 0; count < 100; count++) await promise((await startReceiver(hang)).url, { of: hangingMerchant });
    const sound = await startReceiver(status(204));
    const id = await promise(sound.url, { of: other, inMs: 1 });
    pass(1);

    const delivery = start({ timeoutMs: 60_000 });
    await until(() => waiting.length === 32);
    await delivered(id);

    expect(await endedOf(hangingMerchant)).toEqual([]);
    expect(waiting, 'of one merchant').toHaveLength(32);
    await release(delivery);
  });

  it('sends callbacks of others while twelve merchants have five receivers each that all hang', async () => {
    const other = await givenMerchant();
    const { hang, waiting, release } = givenHanging();
    const hangingMerchants = await Promise.all(Array.from({ length: 12 }, givenMerchant));
    for (const of of hangingMerchants) {
      for (let receivers = 0; receivers < 5; receivers++) await promiseMany(8, (await startReceiver(hang)).url, { of });
    }
    const sound = await startReceiver(status(204));
    const ids = await promiseMany(20, sound.url, { of: other, inMs: 1 });
    pass(1);

    const delivery = start({ timeoutMs: 60_000 });
    for (const id of ids) await delivered(id);

    expect((await Promise.all(hangingMerchants.map(endedOf))).flat()).toEqual([]);
    await until(() => waiting.length > 100);
    await release(delivery);
  });
});
