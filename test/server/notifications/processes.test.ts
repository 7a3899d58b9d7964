import { expect, it } from 'vitest';
import { claimDue } from '../../../server/notifications/outbox.ts';
import { plusMs } from '../../../server/time.ts';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { bodiesOf, status } from '../../support/http.ts';
import { givenDelivering } from './delivering.ts';

describeOnEveryEngine('Delivery by several processes', (engine) => {
  const { startReceiver, now, pass, start, promise, promiseMany, rowOf, delivered, lookedThrough, database, secondDatabase } =
    givenDelivering(engine);

  it('resumes after the lease when a process died in the middle of an attempt', async () => {
    const receiver = await startReceiver(status(204));
    const id = await promise(receiver.url);
    const claimed = await claimDue(
      database(),
      { channels: ['callback'], limit: 10, limitPerEndpoint: 10, limitPerMerchant: 10, inFlightCounts: new Map() },
      now(),
      plusMs(now(), 60_000),
    );
    expect(claimed).toMatchObject([{ id, attempts: 1 }]);

    start();
    pass(59_999);
    await lookedThrough();
    expect(receiver.received).toEqual([]);

    pass(1);
    await delivered(id);
    expect(receiver.received).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ attempts: 2 });
  });

  it('shares the outbox with another process, and neither sends deliveries of the other', async () => {
    const receiver = await startReceiver(status(204));
    const ids = await promiseMany(150, receiver.url);

    start();
    start({ database: secondDatabase() });
    for (const id of ids) await delivered(id);

    const called = bodiesOf(receiver).map((body) => JSON.parse(body).transactionId as string);
    expect(called.toSorted()).toEqual(ids.toSorted());
    const attempts = await database().query.selectFrom('outbox').select('attempts').distinct().execute();
    expect(attempts).toEqual([{ attempts: 1 }]);
  });
});
