import { expect, it } from 'vitest';
import { retryWaitsMs } from '../../../server/notifications/retries.ts';
import { describeOnEveryEngine } from '../../support/engines.ts';
import { until } from '../../support/until.ts';
import { givenDelivering } from './delivering.ts';
import { status } from './listening.ts';

describeOnEveryEngine('Delivery past a receiver that hangs', (engine) => {
  const { givenReceiver, pass, start, promise, rowOf, delivered, failed, lookedThrough } = givenDelivering(engine);

  it('gives other receivers their callbacks while one hangs, and tries that one again', async () => {
    let hangs = true;
    const hung = await givenReceiver((response) => hangs || status(204)(response));
    start({ timeoutMs: 300 });
    const waiting = await promise(hung.url);
    await until(() => hung.bodies.length === 1);

    await lookedThrough();
    const during = await rowOf(waiting);

    expect(await failed(waiting)).toMatchObject({ last_failure: 'No answer within 300 ms', delivered_at: null });
    expect(during).toMatchObject({ attempts: 1, last_failure: '', delivered_at: null });
    hangs = false;
    pass(1.1 * retryWaitsMs[0]!);
    await delivered(waiting);
    expect(hung.bodies).toHaveLength(2);
  });

  it('gives other receivers their callbacks while one hangs that has a hundred to get', async () => {
    const hung = await givenReceiver(() => undefined);
    const sound = await givenReceiver(status(204));
    for (let count = 0; count < 100; count++) await promise(hung.url);
    const id = await promise(sound.url, { inMs: 1 });
    pass(1);

    start({ timeoutMs: 1_500 });

    await until(() => hung.bodies.length > 0);
    await until(async () => (await rowOf(id)).delivered_at, 1_000);
  });
});
