import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  callbackSecretsOf,
  retireOlderCallbackSecret,
  rotateCallbackSecret,
} from '../../../server/merchants/callback-secrets.ts';
import { redeliver } from '../../../server/messages/deliveries.ts';
import { epochMs } from '../../../server/base/time.ts';
import { bodiesOf, type Receiver, status } from '../../support/http.ts';
import { until } from '../../support/time.ts';
import { startDelivering } from './delivering.ts';

describe('A callback is signed', () => {
  const { startReceiver, addMerchant, database, now, advanceClock, addCallback, start, delivered, failed, rowOf } =
    startDelivering();

  const headersOf = ({ received }: Receiver, index = received.length - 1) => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = received[index]!.headers;
    return { id: id as string, atSeconds: Number(timestamp), signatures: (signature as string).split(' ') };
  };
  /** Returns the signature by the standardwebhooks library. Its `verify` cannot be used, because it reads the system clock. */
  const expected = (secret: string, receiver: Receiver, index?: number) => {
    const { id, atSeconds } = headersOf(receiver, index);
    return new Webhook(secret).sign(id, new Date(atSeconds * 1000), bodiesOf(receiver).at(index ?? -1)!);
  };
  const secretsOf = async (merchantId: string) =>
    (await callbackSecretsOf(database().query, merchantId)).map(({ secret }) => secret);

  it('with the first secret of its merchant and the time of the attempt in seconds', async () => {
    const merchantId = await addMerchant();
    const receiver = await startReceiver(status(204));
    start();
    const id = await addCallback(receiver.url, { merchantId });
    await delivered(id);

    const [secret, ...more] = await secretsOf(merchantId);
    expect(more).toEqual([]);
    expect(headersOf(receiver)).toEqual({
      id,
      atSeconds: Math.floor(epochMs(now()) / 1000),
      signatures: [expected(secret!, receiver)],
    });
  });

  it('in every attempt, with the same id for retries and redeliveries', async () => {
    const merchantId = await addMerchant();
    const statuses = [500, 204, 204];
    const receiver = await startReceiver((response) => status(statuses.shift() ?? 204)(response));
    start();
    const id = await addCallback(receiver.url, { merchantId });
    const { dueAt } = await failed(id);
    advanceClock(epochMs(dueAt!) - epochMs(now()) + 1_000);
    await delivered(id);

    advanceClock(86_400_000);
    await redeliver(database(), id);
    await until(() => receiver.received.length === 3);
    await until(async () => (await rowOf(id)).deliveredAt === now());

    const all = [0, 1, 2].map((index) => headersOf(receiver, index));
    expect(all.map((headers) => headers.id)).toEqual([id, id, id]);
    expect(new Set(all.map(({ atSeconds }) => atSeconds)).size).toBe(3);
    const [secret] = await secretsOf(merchantId);
    for (const index of [0, 1, 2]) expect(all[index]!.signatures).toEqual([expected(secret!, receiver, index)]);
    expect(new Set(bodiesOf(receiver)).size).toBe(1);
  });

  it('with both secrets during a rotation, and then with the newer one, when the older one is erased', async () => {
    const merchantId = await addMerchant();
    const receiver = await startReceiver(status(204));
    start();
    const sendCallback = async () => delivered(await addCallback(receiver.url, { merchantId }));
    const [older] = await callbackSecretsOf(database().query, merchantId);

    const [second] = await rotateCallbackSecret(database(), merchantId, now());
    await sendCallback();
    expect(headersOf(receiver).signatures).toEqual([expected(second!.secret, receiver), expected(older!.secret, receiver)]);

    await retireOlderCallbackSecret(database(), merchantId, now());
    await sendCallback();
    expect(headersOf(receiver).signatures).toEqual([expected(second!.secret, receiver)]);
    const { query } = database();
    const stored = query.selectFrom('callback_secrets').selectAll().where('id', '=', older!.id);
    expect(await stored.executeTakeFirstOrThrow()).toMatchObject({ sealed: '', retiredAt: now() });
  });
});
