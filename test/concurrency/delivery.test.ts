import { expect, it } from 'vitest';
import { claimDue } from '../../server/messages/claim-store.ts';
import { plusMs } from '../../server/base/time.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import { bodiesOf, status } from '../support/http.ts';
import { startDelivering } from '../server/messages/delivering.ts';

describeOnEveryEngine('Delivery by several processes', (engine) => {
  const {
    startReceiver,
    now,
    advanceClock,
    start,
    addCallback,
    addCallbacks,
    rowOf,
    delivered,
    pollFinished,
    database,
    secondDatabase,
  } = startDelivering(engine);

  it('retries after the lease if a process ended during an attempt', async () => {
    const receiver = await startReceiver(status(204));
    const id = await addCallback(receiver.url);
    const claim = {
      channels: ['callback'] as const,
      limit: 10,
      limitPerEndpoint: 10,
      limitPerMerchant: 10,
      inFlightCounts: new Map(),
    };
    const claimed = await database().write((tx) => claimDue(tx, claim, now(), plusMs(now(), 60_000)));
    expect(claimed).toMatchObject([{ id, attempts: 1 }]);

    start();
    advanceClock(59_999);
    await pollFinished();
    expect(receiver.received).toEqual([]);

    advanceClock(1);
    await delivered(id);
    expect(receiver.received).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ attempts: 2 });
  });

  it('sends each callback once, from one of two workers', async () => {
    const receiver = await startReceiver(status(204));
    const ids = await addCallbacks(150, receiver.url);

    start();
    start({ database: secondDatabase() });
    for (const id of ids) await delivered(id);

    const receivedIds = bodiesOf(receiver).map((body) => JSON.parse(body).transactionId as string);
    expect(receivedIds.toSorted()).toEqual(ids.toSorted());
    const attempts = await database().query.selectFrom('outbox').select('attempts').distinct().execute();
    expect(attempts).toEqual([{ attempts: 1 }]);
  });
});
