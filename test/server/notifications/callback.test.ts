import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  callbackSecretsOf,
  retireOlderCallbackSecret,
  rotateCallbackSecret,
} from '../../../server/merchants/callback-secrets.ts';
import { redeliver } from '../../../server/notifications/deliveries.ts';
import { epochMs } from '../../../server/time.ts';
import { bodiesOf, type Receiver, status } from '../../support/http.ts';
import { until } from '../../support/time.ts';
import { givenDelivering } from './delivering.ts';

describe('A callback is signed', () => {
  const { startReceiver, givenMerchant, database, now, pass, promise, start, delivered, failed, rowOf } = givenDelivering();

  const headersOf = ({ received }: Receiver, index = received.length - 1) => {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = received[index]!.headers;
    return { id: id as string, atSeconds: Number(timestamp), signatures: (signature as string).split(' ') };
  };
  /** What the Standard Webhooks' own library signs it with; its `verify` looks at the clock, which is not the one here. */
  const expected = (secret: string, receiver: Receiver, index?: number) => {
    const { id, atSeconds } = headersOf(receiver, index);
    return new Webhook(secret).sign(id, new Date(atSeconds * 1000), bodiesOf(receiver).at(index ?? -1)!);
  };
  const secretsOf = async (merchantId: string) =>
    (await callbackSecretsOf(database().query, merchantId)).map(({ secret }) => secret);

  it('with the secret that was created with its merchant, at the second of the attempt', async () => {
    const of = await givenMerchant();
    const receiver = await startReceiver(status(204));
    start();
    const id = await promise(receiver.url, { of });
    await delivered(id);

    const [secret, ...more] = await secretsOf(of);
    expect(more).toEqual([]);
    expect(headersOf(receiver)).toEqual({
      id,
      atSeconds: Math.floor(epochMs(now()) / 1000),
      signatures: [expected(secret!, receiver)],
    });
  });

  it('again at every attempt, with the same id for retries and replays', async () => {
    const of = await givenMerchant();
    const statuses = [500, 204, 204];
    const receiver = await startReceiver((response) => status(statuses.shift() ?? 204)(response));
    start();
    const id = await promise(receiver.url, { of });
    const { due_at: dueAt } = await failed(id);
    pass(epochMs(dueAt!) - epochMs(now()) + 1_000);
    await delivered(id);

    pass(86_400_000);
    await redeliver(database(), id);
    await until(() => receiver.received.length === 3);
    await until(async () => (await rowOf(id)).delivered_at === now());

    const all = [0, 1, 2].map((index) => headersOf(receiver, index));
    expect(all.map((headers) => headers.id)).toEqual([id, id, id]);
    expect(new Set(all.map(({ atSeconds }) => atSeconds)).size).toBe(3);
    const [secret] = await secretsOf(of);
    for (const index of [0, 1, 2]) expect(all[index]!.signatures).toEqual([expected(secret!, receiver, index)]);
    expect(new Set(bodiesOf(receiver)).size).toBe(1);
  });

  it('with both secrets while one replaces the other, and with the newer alone after that', async () => {
    const of = await givenMerchant();
    const receiver = await startReceiver(status(204));
    start();
    const sent = async () => delivered(await promise(receiver.url, { of }));
    const [first] = await secretsOf(of);

    const [second] = await rotateCallbackSecret(database(), of, now());
    await sent();
    expect(headersOf(receiver).signatures).toEqual([expected(second!.secret, receiver), expected(first!, receiver)]);

    await retireOlderCallbackSecret(database(), of, now());
    await sent();
    expect(headersOf(receiver).signatures).toEqual([expected(second!.secret, receiver)]);
  });

  it('with the secrets of its own merchant', async () => {
    const [one, other] = [await givenMerchant(), await givenMerchant()];
    expect(await secretsOf(one)).not.toEqual(await secretsOf(other));
    const receiver = await startReceiver(status(204));
    start();
    await delivered(await promise(receiver.url, { of: other }));

    expect(headersOf(receiver).signatures).toEqual([expected((await secretsOf(other))[0]!, receiver)]);
  });
});

describe('The secrets of a merchant', () => {
  const { givenMerchant, database, now } = givenDelivering();

  it('are at most two, also after two simultaneous rotations', async () => {
    const of = await givenMerchant();

    const rotations = await Promise.allSettled([1, 2, 3].map(() => rotateCallbackSecret(database(), of, now())));

    expect(rotations.filter((rotation) => rotation.status === 'fulfilled')).toHaveLength(1);
    expect(await callbackSecretsOf(database().query, of)).toHaveLength(2);
  });

  it('are at least one, also after the older one is retired twice at the same time', async () => {
    const of = await givenMerchant();
    const [newer] = await rotateCallbackSecret(database(), of, now());

    const retirals = await Promise.allSettled([1, 2].map(() => retireOlderCallbackSecret(database(), of, now())));

    expect(retirals.filter((retiral) => retiral.status === 'fulfilled')).toHaveLength(1);
    expect(await callbackSecretsOf(database().query, of)).toMatchObject([{ id: newer!.id }]);
  });

  it('are deleted once they are retired', async () => {
    const of = await givenMerchant();
    const [older] = await callbackSecretsOf(database().query, of);
    await rotateCallbackSecret(database(), of, now());
    await retireOlderCallbackSecret(database(), of, now());

    const stored = await database()
      .query.selectFrom('callback_secrets')
      .selectAll()
      .where('id', '=', older!.id)
      .executeTakeFirstOrThrow();
    expect(stored).toMatchObject({ secret: '', retired_at: now() });
  });
});
