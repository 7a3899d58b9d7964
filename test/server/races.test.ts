import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { findApplicationOfCart, saveApplication } from '../../server/lending/applications/store.ts';
import { completeCart, getCart } from '../../server/purchases/carts/store.ts';
import { lockSession } from '../../server/checkout/session/load.ts';
import type { Database } from '../../server/db/database.ts';
import { newId } from '../../server/base/ids.ts';
import { noLender } from '../support/lenders.ts';
import { callbackSender, createSender } from '../../server/messages/callback.ts';
import { type Delivery, startDelivery } from '../../server/messages/deliver.ts';
import { systemClock } from '../../server/base/time.ts';
import { getTransaction, saveTransaction } from '../../server/purchases/transactions/store.ts';
import { completeCheckout, createCart, open, reachAgreement, submit } from '../support/checkout.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createDatabase, describeOnEveryEngine } from '../support/databases.ts';
import { startApp } from '../support/app.ts';
import { startReceiver } from '../support/http.ts';
import { startService, type TestMerchant, type TestService } from '../support/service.ts';
import { until } from '../support/time.ts';

describeOnEveryEngine('With concurrent changes', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  let database: Database;
  beforeAll(async () => {
    service = await startService(engine);
    merchant = await service.createMerchant();
    database = service.database;
  });
  const codeOf = (cart: { url: string }) => cart.url.split('/').at(-1)!;

  describe('a transaction', () => {
    const event = (amount: number) =>
      ({ type: 'authorized', amountCents: amount, actor: 'system', at: service.clock.now() }) as const;

    it('that was saved since it was retrieved is not overwritten', async () => {
      const id = await completeCheckout(merchant);
      const read = await getTransaction(database.query, merchant.merchantId, id);
      await database.write((tx) => saveTransaction(tx, { ...read, merchantOrderId: 'first' }, event(1)));

      const late = database.write((tx) => saveTransaction(tx, { ...read, merchantOrderId: 'second' }, event(2)));

      await expect(late).rejects.toMatchObject({ name: 'ServiceError', code: 'changed-meanwhile' });
      expect(await getTransaction(database.query, merchant.merchantId, id)).toMatchObject({
        merchantOrderId: 'first',
        revision: read.revision + 1,
      });
      const journal = await database.query
        .selectFrom('transaction_entries')
        .select(['sequence', 'amountCents'])
        .where('transactionId', '=', id)
        .orderBy('sequence')
        .execute();
      expect(journal).toEqual([
        { sequence: 1, amountCents: 75_000 },
        { sequence: 2, amountCents: 1 },
      ]);
    });
  });

  it('rejects saving an application that was changed since it was read', async () => {
    const cart = await createCart(merchant);
    await submit(await open(cart.url));
    const read = (await findApplicationOfCart(database.query, cart.id))!;
    await database.write((tx) => saveApplication(tx, read, { offerId: 'first' }));

    const late = database.write((tx) => saveApplication(tx, read, { offerId: 'second' }));

    await expect(late).rejects.toMatchObject({ name: 'ServiceError', code: 'changed-meanwhile' });
    expect(await findApplicationOfCart(database.query, cart.id)).toMatchObject({
      offerId: 'first',
      revision: read.revision + 1,
    });
  });

  it('reads a checkout, after waiting for its lock, as the holder of the lock has saved it', async () => {
    const cart = await createCart(merchant);
    await submit(await open(cart.url));
    const read = (await findApplicationOfCart(database.query, cart.id))!;
    let change = (): void => undefined;
    const mayChange = new Promise<void>((resolve) => (change = resolve));
    let locked = (): void => undefined;
    const isLocked = new Promise<void>((resolve) => (locked = resolve));
    const holder = database.write(async (tx) => {
      const { application } = await lockSession(tx, read, service.clock.now());
      locked();
      await mayChange;
      await saveApplication(tx, application, { offerId: 'of the holder' });
    });
    await isLocked;

    const waiting = database.write((tx) => lockSession(tx, read, service.clock.now()));
    // On SQLite, the writes of a process run one after the other.
    const waitingForLock = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    if (engine === 'postgres') await until(async () => (await waitingForLock.execute(database.query)).rows.length > 0);
    change();

    await holder;
    expect((await waiting).application).toMatchObject({ offerId: 'of the holder', revision: read.revision + 1 });
  });

  describe('completing a cart', () => {
    it('is rejected the second time', async () => {
      const { id } = await createCart(merchant);
      const transactionIds = [newId(), newId()] as const;
      await database.write((tx) => completeCart(tx, id, transactionIds[0]));
      const again = database.write((tx) => completeCart(tx, id, transactionIds[1]));
      await expect(again).rejects.toMatchObject({ code: 'changed-meanwhile' });
      expect(await getCart(database.query, merchant.merchantId, id)).toMatchObject({
        status: 'COMPLETED',
        transactionId: transactionIds[0],
      });
    });

    it('succeeds if its link expired after it was signed, and fails for an unknown cart', async () => {
      const { id } = await createCart(merchant);
      await database.write((tx) => tx.updateTable('carts').set({ status: 'EXPIRED' }).where('id', '=', id).execute());
      const transactionId = newId();
      await database.write((tx) => completeCart(tx, id, transactionId));
      const unknown = database.write((tx) => completeCart(tx, newId(), newId()));
      await expect(unknown).rejects.toMatchObject({ code: 'changed-meanwhile' });
      const after = await getCart(database.query, merchant.merchantId, id);
      expect(after).toMatchObject({ status: 'COMPLETED', transactionId });
    });
  });

  it('a database error is logged with its type and location, without data', async () => {
    const cart = await createCart(merchant, {
      orderRef: 'ORDER-OF-A-FAILURE',
      callbackUrl: 'http://127.0.0.1:65535/token-of-a-failure',
    });
    const agreement = await reachAgreement(cart.url);
    const loggedBefore = service.logged.length;
    await database.write((tx) => sql`alter table transaction_entries rename to transaction_entries_renamed`.execute(tx));
    const failed = await submit(agreement);
    await database.write((tx) => sql`alter table transaction_entries_renamed rename to transaction_entries`.execute(tx));

    expect(failed.status).toBe(500);
    const lines = service.logged.slice(loggedBefore).map((line) => JSON.parse(line));
    const errors = lines.filter((line) => 'error' in line);
    expect(errors).toEqual([
      {
        level: 50,
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        error: expect.any(String),
        code: expect.any(String),
        stack: expect.any(Array),
        requestId: expect.any(String),
      },
    ]);
    for (const frame of errors[0].stack) expect(frame).toMatch(/^\s+at \S.*:\d+:\d+\)?$|^\s+at .*(<anonymous>|\(index \d+\))/);
    const log = JSON.stringify(lines);
    for (const secret of [
      'transaction_entries',
      'insert into',
      'no such table',
      'does not exist',
      'Lovelace',
      'Analytical',
      'ORDER-OF-A-FAILURE',
      'token-of-a-failure',
      codeOf(cart),
    ]) {
      expect(log).not.toContain(secret);
    }
  });
});

describeOnEveryEngine('With a custom lender or delivery', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await createDatabase(engine);
  });

  describe('an error of the lender', () => {
    const logOf = async (message: string) => {
      const app = await startApp(database, { lender: { ...noLender, decide: () => Promise.reject(new Error(message)) } });
      const page = await submit(await open((await app.createCart()).url));
      const failed = await submit(page);
      expect(failed).toMatchObject({ status: 500, step: 'unexpected-error' });
      expect(failed.text).not.toMatch(/Lovelace|Analytical|insert into/);
      const log = app.logged.join('');
      expect(log).toContain('"error":"Error"');
      return log;
    };

    it('is logged without its message, which may contain a URL or SQL', async () => {
      const log = await logOf('No answer about Ada Lovelace, 12 Analytical Way: insert into decisions values (1)');
      expect(log).not.toMatch(/Lovelace|Analytical|insert into/);
    });

    it('is logged without its message when that has several lines, one of which resembles a stack frame', async () => {
      const log = await logOf(
        'No answer about\nAda Lovelace\n    at 12 Analytical Way\nat once: insert into decisions values (1)',
      );
      expect(log).not.toMatch(/Lovelace|Analytical|insert into/);
    });
  });

  describe('a callback is sent at once after a checkout, without waiting for the next poll', () => {
    let delivery: Delivery;
    let looks = 0;
    const faults: unknown[] = [];
    beforeAll(() => {
      const sender = createSender({ mode: 'sandbox', allowLoopback: true, allowedHosts: [], timeoutMs: 20_000 });
      const onError = (thrown: unknown) => void faults.push(thrown);
      const clock = { now: () => ((looks += 1), systemClock.now()) };
      const senders = { callback: callbackSender(database, clock, sender.send) };
      delivery = startDelivery({ database, clock, senders, onError, pollMs: 3_600_000 });
      onCleanup(async () => {
        await delivery.stop();
        await sender.close();
      });
    });

    it('through the pages', async () => {
      const { url: callbackUrl, received } = await startReceiver();
      const app = await startApp(database, { wakeDelivery: () => delivery.wake() });
      const agreement = await reachAgreement((await app.createCart({ callbackUrl })).url);
      const looksBefore = looks;
      expect(looksBefore).toBeGreaterThan(0);
      expect(received).toEqual([]);

      expect(await submit(agreement)).toMatchObject({ status: 303 });

      await until(() => received.length === 1);
      expect(looks).toBeGreaterThan(looksBefore);
      expect(faults).toEqual([]);
    });
  });
});
