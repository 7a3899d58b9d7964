import { expect, it } from 'vitest';
import { plusDays } from '../../server/base/time.ts';
import { copyOf, createCart, reachAgreement, submit } from '../support/checkout.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import { fetchResponse, noLimits } from '../support/service.ts';
import { concurrently, startServices, statusesOf } from './processes.ts';

const SIGNED = '2026-01-05T12:00:00.000000Z';

describeOnEveryEngine('Concurrent ZIP codes at an old link to an agreement', (engine) => {
  it('are limited exactly, from several addresses', async () => {
    const limits = { ...noLimits, documentProofs: 5 };
    const config = { limits, trustProxy: true, host: '127.0.0.1' };
    const { service, origins, merchants, moveClocks } = await startServices(engine, config);
    moveClocks(SIGNED);
    const cart = await createCart(merchants[0]!);
    await submit(await reachAgreement(cart.url));
    const { pathname } = new URL(await copyOf(cart, service.database));
    moveClocks(plusDays(SIGNED, 91));

    const responses = await concurrently((index) => {
      const headers = { 'x-forwarded-for': `203.0.113.${index}` };
      const body = new URLSearchParams({ zip: '10001' });
      return fetchResponse(origins[index % origins.length] + pathname, { method: 'POST', headers, body });
    }, 12);

    expect(statusesOf(responses)).toEqual([...Array(5).fill(422), ...Array(7).fill(429)]);
  });
});
