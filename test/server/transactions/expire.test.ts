import { sql } from 'kysely';
import pino from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/config/config.ts';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { ServiceError } from '../../../server/errors.ts';
import { serve } from '../../../server/main.ts';
import { DAY_MS, plusDays, systemClock } from '../../../server/time.ts';
import { act } from '../../../server/transactions/actions.ts';
import { auditTransactions } from '../../../server/transactions/audit.ts';
import { expireLapsed, startExpiryJob } from '../../../server/transactions/expire.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { createDatabase, createDatabaseUrl } from '../../support/databases.ts';
import { completeCheckoutAndAct } from '../../support/checkout.ts';
import { givenBuying } from '../../support/purchases.ts';
import { startService, type TestMerchant, type TestService, widgetFolder } from '../../support/service.ts';
import { until } from '../../support/time.ts';

const [authorize, settle] = [{ type: 'authorize' }, { type: 'settle' }];
const lifetimes = { pendingDays: 7, authorizedDays: 90 };
const rethrow = (thrown: unknown) => {
  throw thrown;
};
const now = '2026-11-21T09:30:00.000000Z';

describe('An expired transaction', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });
  const moveClock = (days: number) =>
    merchant.post('/sandbox/clock', { now: new Date(Date.now() + days * DAY_MS).toISOString() });
  afterEach(() => moveClock(0));

  const post = (id: string, action: object) => merchant.post(`/transactions/actions/${id}`, action);
  const read = async (id: string) => (await merchant.get(`/transactions/${id}`)).body;
  const journalOf = async (id: string) => {
    const journal = service.database.query.selectFrom('transaction_events').select('type').where('transaction_id', '=', id);
    return (await journal.orderBy('sequence').execute()).map(({ type }) => type);
  };

  it.each([
    ['PENDING', [], 7, 'authorize'],
    ['AUTHORIZED', [authorize], 90, 'settle'],
  ])(
    'is %s until its last moment, and EXPIRED for any later read [CHOICE-13] [CHOICE-14] [OBJ-12]',
    async (status, actions, days, type) => {
      const { id, transaction } = await completeCheckoutAndAct(merchant, actions);
      await moveClock(days - 0.01);
      expect(await read(id)).toEqual(transaction);
      await moveClock(days + 0.01);
      expect(await read(id)).toEqual({ ...transaction, status: 'EXPIRED' });
      for (const action of [type, 'cancel', 'refund']) {
        const response = await post(id, { type: action });
        expect(response).toMatchObject({ status: 500, body: { error: true, type: 'INTERNAL_ERROR', code: 'wrong-state' } });
        expect(response.body.description).toContain(`Cannot ${action} a transaction that is EXPIRED`);
      }
      expect(await merchant.post(`/transactions/${id}/shipment`, { carrierName: 'Post' })).toMatchObject({
        status: 500,
        body: { code: 'wrong-state' },
      });
      // The rejected action has written nothing. The sweep writes the expiry.
      expect(await journalOf(id)).not.toContain('expired');
      await moveClock(days - 0.01);
      expect(await post(id, { type })).toMatchObject({
        status: 200,
        body: { status: status === 'PENDING' ? 'AUTHORIZED' : 'SETTLED' },
      });
    },
  );

  it.each([
    ['SETTLED', [authorize, settle]],
    ['CANCELED', [{ type: 'cancel' }]],
    ['REFUNDED', [authorize, settle, { type: 'refund' }]],
  ])('does not expire if it is %s', async (_status, actions) => {
    const { id, transaction } = await completeCheckoutAndAct(merchant, actions);
    await moveClock(10_000);
    expect(await read(id)).toEqual(transaction);
  });

  it('expires a number of days after its authorization, regardless of later cancels', async () => {
    const { id } = await completeCheckoutAndAct(merchant, []);
    await moveClock(5);
    expect((await post(id, authorize)).body.status).toBe('AUTHORIZED');
    await moveClock(94);
    expect((await post(id, { type: 'cancel', amount: 1 })).body.status).toBe('AUTHORIZED');
    await moveClock(95.01);
    expect(await read(id)).toMatchObject({ status: 'EXPIRED', adjustedTotal: 74_999 });
  });

  it('still accepts an order ID, and is stored as EXPIRED with it', async () => {
    const { id, transaction } = await completeCheckoutAndAct(merchant, []);
    await moveClock(8);
    const response = await merchant.call('PUT', `/transactions/${id}`, { body: JSON.stringify({ merchantOrderId: 'M-1' }) });
    expect([response.status, response.body]).toEqual([200, { ...transaction, status: 'EXPIRED', merchantOrderId: 'M-1' }]);
    expect(await journalOf(id)).toEqual(['created', 'expired', 'order-id-set']);
    await moveClock(0);
    expect((await read(id)).status).toBe('EXPIRED');
  });
});

describe('The sweep', () => {
  let database: Database;
  let buying: Awaited<ReturnType<typeof givenBuying>>;
  beforeAll(async () => {
    database = await createDatabase();
  });
  beforeEach(async () => {
    buying = await givenBuying(database, now);
  });
  const boughtAgo = (days: number) => buying.givenPurchase({ created_at: plusDays(now, -days) });
  const rowOf = (id: string) =>
    database.query.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const statusOf = async (id: string) => (await rowOf(id)).status;

  it('expires lapsed transactions of every merchant, and nothing else', async () => {
    const [fresh, lastDay, lapsed, old] = [await boughtAgo(0), await boughtAgo(6.99), await boughtAgo(7), await boughtAgo(400)];
    const [authorized, unsettled] = [await boughtAgo(0), await boughtAgo(0)];
    const other = await (await givenBuying(database, now)).givenPurchase({ created_at: plusDays(now, -8) });
    await act(
      { database, lifetimes, actor: 'key:12345678' },
      { merchantId: buying.merchantId, id: authorized },
      { type: 'authorize' },
      plusDays(now, 6),
    );
    await act(
      { database, lifetimes, actor: 'key:12345678' },
      { merchantId: buying.merchantId, id: unsettled },
      { type: 'authorize' },
      now,
    );

    expect(await expireLapsed({ database, lifetimes, now, onError: rethrow })).toBe(3);
    expect(await Promise.all([fresh, lastDay, lapsed, old, other].map(statusOf))).toEqual([
      'PENDING',
      'PENDING',
      'EXPIRED',
      'EXPIRED',
      'EXPIRED',
    ]);
    expect(await rowOf(lapsed)).toMatchObject({ status_since: now, adjusted_total_cents: 5_000, revision: 2 });

    expect(await expireLapsed({ database, lifetimes, now: plusDays(now, 90), onError: rethrow })).toBe(3);
    expect(await Promise.all([fresh, authorized, unsettled].map(statusOf))).toEqual(['EXPIRED', 'AUTHORIZED', 'EXPIRED']);
  });

  it('does nothing the second time', async () => {
    await boughtAgo(8);
    expect(await expireLapsed({ database, lifetimes, now, onError: rethrow })).toBe(1);
    expect(await expireLapsed({ database, lifetimes, now, onError: rethrow })).toBe(0);
  });

  it('processes more transactions than one batch', async () => {
    await Promise.all(Array.from({ length: 250 }, () => boughtAgo(8)));
    expect(await expireLapsed({ database, lifetimes, now, onError: rethrow })).toBe(250);
  });

  it('shares the work with a concurrent sweep, and expires each transaction once', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => boughtAgo(8)));
    const sweep = () => expireLapsed({ database, lifetimes, now, onError: rethrow });
    const [one, other] = await Promise.all([sweep(), sweep()]);
    expect(one + other).toBe(40);
    for (const id of ids) expect(await rowOf(id)).toMatchObject({ status: 'EXPIRED', revision: 2 });
  });

  it('skips transactions that change during the sweep', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => boughtAgo(6)));
    const settledMeanwhile = Promise.allSettled(
      ids.map((id) =>
        act({ database, lifetimes, actor: 'key:12345678' }, { merchantId: buying.merchantId, id }, { type: 'authorize' }, now),
      ),
    );
    await expireLapsed({ database, lifetimes, now: plusDays(now, 2), onError: rethrow });
    const outcomes = await settledMeanwhile;
    for (const [index, id] of ids.entries()) {
      expect(await statusOf(id)).toBe(outcomes[index]!.status === 'fulfilled' ? 'AUTHORIZED' : 'EXPIRED');
    }
  });

  it('ends when every write conflicts, and reports any other error', async () => {
    const id = await boughtAgo(8);
    const failingDatabase = (thrown: Error): Database => ({ ...database, write: () => Promise.reject(thrown) });
    const lost = new ServiceError('changed-meanwhile', 'Another request was first.');
    const faults: unknown[] = [];
    const sweepOf = (swept: Database) =>
      expireLapsed({ database: swept, lifetimes, now, onError: (...fault) => faults.push(fault) });
    expect(await sweepOf(failingDatabase(lost))).toBe(0);
    expect(faults).toEqual([]);
    const full = new Error('The disk is full');
    expect(await sweepOf(failingDatabase(full))).toBe(0);
    expect(faults).toEqual([[full, id]]);
    expect(await statusOf(id)).toBe('PENDING');
    expect(await expireLapsed({ database, lifetimes, now, onError: rethrow })).toBe(1);
  });

  it('skips transactions that cannot be expired, and reports each of them', async () => {
    const own = await createDatabase();
    const { givenPurchase } = await givenBuying(own, now);
    const bad = await Promise.all(Array.from({ length: 120 }, () => givenPurchase({ created_at: plusDays(now, -30) })));
    const good = await givenPurchase({ created_at: plusDays(now, -8) });
    // The journal already has the next row, which the transaction does not include.
    await own.write(async (tx) => {
      for (const transaction_id of bad) {
        const row = {
          transaction_id,
          sequence: 2,
          type: 'shipped',
          amount_cents: 0,
          lines_json: '[]',
          actor: 'system',
          reason: null,
          at: now,
        } as const;
        await tx.insertInto('transaction_events').values(row).execute();
      }
    });
    const faults: [unknown, string][] = [];
    const fault = (thrown: unknown, id: string) => void faults.push([thrown, id]);
    expect(await expireLapsed({ database: own, lifetimes, now, onError: fault })).toBe(1);
    const statuses = own.query.selectFrom('transactions').select('id').where('status', '=', 'EXPIRED');
    expect(await statuses.execute()).toEqual([{ id: good }]);
    expect(faults.map(([, id]) => id).toSorted()).toEqual(bad.toSorted());
    expect(String(faults[0]![0])).toContain('takes its next row only');
  });

  it('stops between two transactions when it is aborted', async () => {
    await Promise.all(Array.from({ length: 5 }, () => boughtAgo(8)));
    let count = 0;
    expect(await expireLapsed({ database, lifetimes, now, onError: rethrow, isRunning: () => ++count <= 2 })).toBe(2);
    expect(await expireLapsed({ database, lifetimes, now, onError: rethrow })).toBe(3);
  });

  describe('as a job of the service', () => {
    const sweepAt = (clock: () => string, intervalMs: number) => {
      const faults: unknown[] = [];
      const sweep = startExpiryJob({
        database,
        clock: { now: clock },
        lifetimes,
        onError: (fault) => faults.push(fault),
        intervalMs,
      });
      return { ...sweep, faults };
    };

    it('runs at once, and stops during its pause', async () => {
      const id = await boughtAgo(8);
      const sweep = sweepAt(() => now, 3_600_000);
      await until(async () => (await statusOf(id)) === 'EXPIRED');
      await sweep.stop();
      expect(sweep.faults).toEqual([]);
    });

    it('runs again, with a clock that has moved meanwhile', async () => {
      const id = await boughtAgo(6);
      let time = now;
      const sweep = sweepAt(() => time, 5);
      time = plusDays(now, 2);
      await until(async () => (await statusOf(id)) === 'EXPIRED');
      await sweep.stop();
      expect(sweep.faults).toEqual([]);
    });

    it('continues after an error', async () => {
      const id = await boughtAgo(8);
      const faults: unknown[] = [];
      const onError = (fault: unknown) => void faults.push(fault);
      await database.write((tx) => sql`alter table transactions rename to transactions_away`.execute(tx));
      const sweep = startExpiryJob({ database, clock: { now: () => now }, lifetimes, onError, intervalMs: 1 });
      await until(() => faults.length > 0);
      await database.write((tx) => sql`alter table transactions_away rename to transactions`.execute(tx));
      await until(async () => (await statusOf(id)) === 'EXPIRED');
      await sweep.stop();
    });
  });

  it('has run with the configured lifetimes when a service has started, and stops with it', async () => {
    const { url, remove } = await createDatabaseUrl();
    onCleanup(remove);
    const own = openDatabase(url);
    onCleanup(() => own.close());
    await own.migrate();
    const today = systemClock.now();
    const { givenPurchase } = await givenBuying(own, today);
    const [old, fresh] = [await givenPurchase({ created_at: plusDays(today, -3) }), await givenPurchase()];
    const statusIn = async (id: string) => {
      const rows = own.query.selectFrom('transactions').select('status').where('id', '=', id);
      return (await rows.executeTakeFirstOrThrow()).status;
    };

    const config = { ...readConfig({ PENDING_DAYS: '2' }), port: 0, databaseUrl: url };
    const service = await serve(config, widgetFolder, { log: pino({ enabled: false }) });
    await until(async () => (await statusIn(old)) === 'EXPIRED');
    await service.close();
    expect(await statusIn(fresh)).toBe('PENDING');
  });

  it('writes only changes that the journals contain', async () => {
    for await (const differences of auditTransactions(database.query)) expect(differences).toEqual([]);
  });
});
