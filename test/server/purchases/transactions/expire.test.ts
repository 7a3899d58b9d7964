import { toJson } from '../../../../server/db/json.ts';
import { sql } from 'kysely';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../../server/base/config/config.ts';
import { type Database } from '../../../../server/db/database.ts';
import { ServiceError } from '../../../../server/base/errors.ts';
import { serve } from '../../../../server/main.ts';
import { DAY_MS, type Instant, plusDays, systemClock } from '../../../../server/base/time.ts';
import { expireTransactions, startExpiryJob } from '../../../../server/purchases/transactions/expire.ts';
import { listEntries } from '../../../../server/purchases/transactions/store.ts';
import { createDatabase, createDatabaseUrl, openTestDatabase } from '../../../support/databases.ts';
import { completeCheckoutAndAct } from '../../../support/checkout.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';
import { startService, widgetFolder } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';
import { TEST_DATA_KEYS } from '../../../support/data-keys.ts';

const authorize = { type: 'authorize' };
const actor = 'key:12345678';
const rethrow = (thrown: unknown) => {
  throw thrown;
};
const now: Instant = '2026-11-21T09:30:00.000000Z';

const service = await startService();
const merchant = await service.createMerchant();

describe('A transaction', () => {
  const moveClock = (days: number) =>
    merchant.post('/sandbox/clock', { now: new Date(Date.now() + days * DAY_MS).toISOString() });
  afterEach(() => moveClock(0));

  const post = (id: string, action: object) => merchant.post(`/transactions/actions/${id}`, action);
  const read = async (id: string) => (await merchant.get(`/transactions/${id}`)).body;
  const journalOf = async (id: string) =>
    (await listEntries(service.database.query, id)).map((entry) => [entry.type, entry.actor, entry.reason]);

  /** The transaction after its expiry, which has no loan. */
  const expired = (transaction: { financing: object | null }) => {
    const current = { amount: 0, monthly: 0, totalOfPayments: 0, payments: [], calculatedBy: 'service' };
    return { ...transaction, status: 'EXPIRED', financing: { ...transaction.financing, current } };
  };

  it.each([
    ['PENDING', [], 7, 'authorize'],
    ['AUTHORIZED', [authorize], 90, 'settle'],
  ])(
    'is %s until the end of its lifetime, and EXPIRED for any later request [CHOICE-13] [CHOICE-14] [OBJ-12]',
    async (status, actions, days, type) => {
      const { id, transaction } = await completeCheckoutAndAct(merchant, actions);
      await moveClock(days - 0.01);
      expect(await read(id)).toEqual(transaction);
      await moveClock(days + 0.01);
      expect(await read(id)).toEqual(expired(transaction));
      for (const action of [type, 'cancel', 'refund']) {
        const response = await post(id, { type: action });
        expect(response).toMatchObject({ status: 500, body: { error: true, type: 'INTERNAL_ERROR', code: 'wrong-state' } });
        expect(response.body.description).toContain(`Cannot ${action} a transaction that is EXPIRED`);
      }
      expect(await merchant.post(`/transactions/${id}/shipment`, { carrierName: 'Post' })).toMatchObject({
        status: 500,
        body: { code: 'wrong-state' },
      });
      // Rejected actions do not store the expiry, which is left to the job.
      expect((await journalOf(id)).map(([entryType]) => entryType)).not.toContain('expired');
      await moveClock(days - 0.01);
      expect(await post(id, { type })).toMatchObject({
        status: 200,
        body: { status: status === 'PENDING' ? 'AUTHORIZED' : 'SETTLED' },
      });
    },
  );

  it('expires 90 days after its authorization, regardless of later partial cancels', async () => {
    const { id } = await completeCheckoutAndAct(merchant, []);
    await moveClock(5);
    expect((await post(id, authorize)).body.status).toBe('AUTHORIZED');
    await moveClock(94);
    expect((await post(id, { type: 'cancel', amount: 1 })).body.status).toBe('AUTHORIZED');
    await moveClock(95.01);
    expect(await read(id)).toMatchObject({ status: 'EXPIRED', adjustedTotal: 74_999 });
  });

  it('accepts an order id after it has expired, and is then stored as EXPIRED', async () => {
    const { id, transaction } = await completeCheckoutAndAct(merchant, []);
    await moveClock(8);
    const response = await merchant.call('PUT', `/transactions/${id}`, { body: JSON.stringify({ merchantOrderId: 'M-1' }) });
    expect([response.status, response.body]).toEqual([200, { ...expired(transaction), merchantOrderId: 'M-1' }]);
    expect(await journalOf(id)).toEqual([
      ['created', 'buyer', null],
      ['expired', 'system', 'not-authorized-in-time'],
      ['order-id-set', `key:${merchant.apiKey.slice(-8)}`, null],
    ]);
    await moveClock(0);
    expect((await read(id)).status).toBe('EXPIRED');
  });
});

describe('The expiry job', async () => {
  const database = await createDatabase();
  let purchases: Awaited<ReturnType<typeof createBuyer>>;
  beforeEach(async () => {
    purchases = await createBuyer(database, now);
  });
  const authorizeAt = (id: string, at: Instant) =>
    transactions.act({ database, actor }, { merchantId: purchases.merchantId, id }, { type: 'authorize' }, at);
  const createPurchaseDaysAgo = (days: number) => purchases.createPurchase({ createdAt: plusDays(now, -days) });
  const rowOf = (id: string) =>
    database.query.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const statusOf = async (id: string) => (await rowOf(id)).status;

  it('expires only transactions that are past their lifetime, of all merchants', async () => {
    const fresh = await createPurchaseDaysAgo(0);
    const lastDay = await createPurchaseDaysAgo(6.99);
    const overdue = await createPurchaseDaysAgo(7);
    const old = await createPurchaseDaysAgo(400);
    const authorized = await createPurchaseDaysAgo(0);
    const unsettled = await createPurchaseDaysAgo(0);
    const other = await (await createBuyer(database, now)).createPurchase({ createdAt: plusDays(now, -8) });
    await authorizeAt(authorized, plusDays(now, 6));
    await authorizeAt(unsettled, now);

    expect(await expireTransactions({ database, transactions, now, onError: rethrow })).toBe(3);
    for (const id of [fresh, lastDay]) expect(await statusOf(id)).toBe('PENDING');
    for (const id of [overdue, old, other]) expect(await statusOf(id)).toBe('EXPIRED');
    expect(await rowOf(overdue)).toMatchObject({ statusSince: now, adjustedTotalCents: 5_000, revision: 2 });

    expect(await expireTransactions({ database, transactions, now: plusDays(now, 90), onError: rethrow })).toBe(3);
    expect(await Promise.all([fresh, authorized, unsettled].map(statusOf))).toEqual(['EXPIRED', 'AUTHORIZED', 'EXPIRED']);
    const lastEntryOf = async (id: string) => (await listEntries(database.query, id)).at(-1);
    const entry = { type: 'expired', actor: 'system' };
    expect(await lastEntryOf(overdue)).toMatchObject({ ...entry, reason: 'not-authorized-in-time' });
    expect(await lastEntryOf(unsettled)).toMatchObject({ ...entry, reason: 'not-settled-in-time' });
  });

  it('expires each transaction once if two jobs run concurrently', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => createPurchaseDaysAgo(8)));
    const runJob = () => expireTransactions({ database, transactions, now, onError: rethrow });
    const [one, other] = await Promise.all([runJob(), runJob()]);
    expect(one + other).toBe(40);
    for (const id of ids) expect(await rowOf(id)).toMatchObject({ status: 'EXPIRED', revision: 2 });
  });

  it('skips transactions that are authorized while it runs', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => createPurchaseDaysAgo(6)));
    const authorizations = Promise.allSettled(ids.map((id) => authorizeAt(id, now)));
    await expireTransactions({ database, transactions, now: plusDays(now, 2), onError: rethrow });
    const outcomes = await authorizations;
    for (const [index, id] of ids.entries()) {
      expect(await statusOf(id)).toBe(outcomes[index]!.status === 'fulfilled' ? 'AUTHORIZED' : 'EXPIRED');
    }
  });

  it('skips transactions whose write conflicts, and reports other errors', async () => {
    const id = await createPurchaseDaysAgo(8);
    const failingDatabase = (thrown: Error): Database => ({ ...database, write: () => Promise.reject(thrown) });
    const conflict = new ServiceError('changed-meanwhile', 'Another request was first.');
    const errors: unknown[] = [];
    const runOn = (failing: Database) =>
      expireTransactions({ database: failing, transactions, now, onError: (...onError) => errors.push(onError) });
    expect(await runOn(failingDatabase(conflict))).toBe(0);
    expect(errors).toEqual([]);
    const diskFull = new Error('The disk is full');
    expect(await runOn(failingDatabase(diskFull))).toBe(0);
    expect(errors).toEqual([[diskFull, id]]);
    expect(await statusOf(id)).toBe('PENDING');
    expect(await expireTransactions({ database, transactions, now, onError: rethrow })).toBe(1);
  });

  it('expires other transactions if some cannot be expired, and reports each of these', async () => {
    const otherDatabase = await createDatabase();
    const { createPurchase } = await createBuyer(otherDatabase, now);
    const inconsistent = await Promise.all(Array.from({ length: 120 }, () => createPurchase({ createdAt: plusDays(now, -30) })));
    const consistent = await createPurchase({ createdAt: plusDays(now, -8) });
    // The journal already has a second row, which the transaction does not reflect.
    const entry = { sequence: 2, type: 'shipped', amountCents: 0, cardCents: 0, linesJson: toJson([]), at: now } as const;
    const rows = inconsistent.map((transactionId) => ({ ...entry, transactionId, actor: 'system' as const, reason: null }));
    await otherDatabase.write((tx) => tx.insertInto('transaction_entries').values(rows).execute());
    const errors: [unknown, string][] = [];
    const onError = (thrown: unknown, id: string) => void errors.push([thrown, id]);
    expect(await expireTransactions({ database: otherDatabase, transactions, now, onError })).toBe(1);
    const statuses = otherDatabase.query.selectFrom('transactions').select('id').where('status', '=', 'EXPIRED');
    expect(await statuses.execute()).toEqual([{ id: consistent }]);
    expect(errors.map(([, id]) => id).toSorted()).toEqual(inconsistent.toSorted());
    expect(String(errors[0]![0])).toContain('next row of the journal');
  });

  it('stops after the current transaction when it is stopped', async () => {
    await Promise.all(Array.from({ length: 5 }, () => createPurchaseDaysAgo(8)));
    let count = 0;
    expect(await expireTransactions({ database, transactions, now, onError: rethrow, isRunning: () => ++count <= 2 })).toBe(2);
    expect(await expireTransactions({ database, transactions, now, onError: rethrow })).toBe(3);
  });

  it('continues after an error on an interval', async () => {
    const id = await createPurchaseDaysAgo(8);
    const errors: unknown[] = [];
    const onError = (thrown: unknown) => void errors.push(thrown);
    await database.write((tx) => sql`alter table transactions rename to renamed_transactions`.execute(tx));
    const runJob = startExpiryJob({ database, clock: { now: () => now }, transactions, onError, intervalMs: 1 });
    await until(() => errors.length > 0);
    await database.write((tx) => sql`alter table renamed_transactions rename to transactions`.execute(tx));
    await until(async () => (await statusOf(id)) === 'EXPIRED');
    await runJob.stop();
  });

  it('runs with the configured lifetimes when a service starts', async () => {
    const url = await createDatabaseUrl();
    const otherDatabase = openTestDatabase(url);
    await otherDatabase.migrate();
    const today = systemClock.now();
    const { createPurchase } = await createBuyer(otherDatabase, today);
    const old = await createPurchase({ createdAt: plusDays(today, -3) });
    const fresh = await createPurchase();
    const statusIn = async (id: string) => {
      const rows = otherDatabase.query.selectFrom('transactions').select('status').where('id', '=', id);
      return (await rows.executeTakeFirstOrThrow()).status;
    };

    const config = { ...readConfig({ DATA_KEYS: TEST_DATA_KEYS, PENDING_DAYS: '2' }), port: 0, databaseUrl: url };
    const configured = await serve(config, widgetFolder, { log: pino({ enabled: false }) });
    await until(async () => (await statusIn(old)) === 'EXPIRED');
    await configured.close();
    expect(await statusIn(fresh)).toBe('PENDING');
  });
});
