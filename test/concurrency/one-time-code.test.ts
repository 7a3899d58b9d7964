import { expect, it } from 'vitest';
import { importProgram } from '../../server/lending/programs/import.ts';
import { createCart, open, type Page, reachAgreement, submit } from '../support/checkout.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import { createProgram } from '../support/programs.ts';
import { storedDeliveries } from '../support/stored.ts';
import { concurrently, startServices, statusesOf } from './processes.ts';

const emails = ['ada@gmail.com', 'A.da@gmail.com', 'ada+1@googlemail.com', 'ADA@GMAIL.com'];
const sendCode = (page: Page) => submit(page, {}, '/signing-code');

describeOnEveryEngine('Concurrent one-time codes to one recipient', (engine) => {
  it('are limited exactly for several carts, and possible again after 24 hours', async () => {
    const { service, merchants, moveClocks } = await startServices(engine, { codesPerRecipient: 3 });
    moveClocks('2026-11-22T18:00:00.000000Z');
    const program = createProgram({ id: 'coded', signature: { code: 'email' } });
    const { database, clock } = service;
    await importProgram(database, program, [merchants[0]!.merchantId], { asDefault: true }, clock.now());
    const agreements = await concurrently(async (index) => {
      const cart = await createCart(merchants[index % merchants.length]!);
      return reachAgreement(cart.url, { email: emails[index % 4]! });
    }, 8);
    const before = (await storedDeliveries(database)).length;

    const sent = await Promise.all(agreements.map(sendCode));

    expect(statusesOf(sent)).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    expect((await storedDeliveries(database)).slice(before)).toHaveLength(3);
    const limited = agreements[sent.findIndex(({ status }) => status === 429)]!;
    moveClocks('2026-11-23T17:59:00.000000Z');
    expect(await sendCode(await open(limited.url))).toMatchObject({ status: 429 });
    moveClocks('2026-11-23T18:01:00.000000Z');
    expect(await sendCode(await open(limited.url))).toMatchObject({ status: 200 });
  });
});
