import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Query } from '../../../../server/db/database.ts';
import { readFigures, sumFigures } from '../../../../server/console/home/figures.ts';
import { readWaiting } from '../../../../server/console/home/home.ts';
import { toJson } from '../../../../server/db/json.ts';
import { newId } from '../../../../server/base/ids.ts';
import { countFailing } from '../../../../server/messages/store.ts';
import { DAY_MS, type Instant, plusDays, plusMs, startOfDayIn, systemClock } from '../../../../server/base/time.ts';
import { sumRefunds } from '../../../../server/purchases/settlements/store.ts';
import { countInStatus } from '../../../../server/purchases/transactions/store.ts';
import { countEvents, listEvents, recordEvent } from '../../../../server/messages/webhooks/store.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../../../support/databases.ts';
import { plannerOf } from '../../../support/programs.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';

const NOW: Instant = '2026-11-24T15:00:00.000000Z';
const ZONE = 'America/New_York';
const PERIOD = { from: plusDays(NOW, -1), before: plusDays(NOW, 1) };

describe('The first instant of a day', () => {
  it.each([
    ['2026-11-24', 'UTC', '2026-11-24T00:00:00.000000Z'],
    ['2026-11-24', 'America/New_York', '2026-11-24T05:00:00.000000Z'],
    ['2026-07-04', 'America/New_York', '2026-07-04T04:00:00.000000Z'],
    ['2026-11-24', 'Pacific/Kiritimati', '2026-11-23T10:00:00.000000Z'],
    ['2026-11-24', 'Pacific/Niue', '2026-11-24T11:00:00.000000Z'],
    ['2026-11-24', 'Asia/Kathmandu', '2026-11-23T18:15:00.000000Z'],
    // Clocks were set from midnight to 01:00 on this day.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000000Z'],
  ] as const)('of %s in %s is %s', (day, zone, instant) => {
    expect(startOfDayIn(day, zone)).toBe(instant);
  });
});

describeOnEveryEngine('The figures of a merchant', async (engine) => {
  const url = await createMigratedDatabaseUrl(engine);
  const database = openTestDatabase(url);

  const addDecision = async (merchantId: string, status: 'APPROVED' | 'DENIED', createdAt: Instant) => {
    const id = newId();
    const type = status === 'APPROVED' ? 'application.approved' : 'application.denied';
    const data = { applicationId: id, cartId: id, orderRef: '', status } as const;
    await database.write(async (tx) => {
      await recordEvent(tx, { id, merchantId, type, data });
      await tx.updateTable('events').set({ createdAt }).where('id', '=', id).execute();
    });
  };

  /** Adds events, because with a few, PostgreSQL considers all indexes equal. */
  const addManyEvents = async () => {
    const { merchantId } = await createBuyer(database, NOW);
    const event = { merchantId, type: 'transaction.created', transactionId: null, dataJson: toJson({}) as never } as const;
    const events = Array.from({ length: 2_000 }, (_, index) => ({
      ...event,
      id: newId(),
      createdAt: plusMs(NOW, index),
      occurredAt: null,
      enqueuedAt: NOW,
    }));
    await database.write((tx) => tx.insertInto('events').values(events).execute());
    await sql`vacuum analyze events`.execute(database.query);
  };

  it('count carts, decisions and purchases on the days on which they happened, in the time zone of the merchant', async () => {
    const buyer = await createBuyer(database, '2026-11-24T04:59:59.999999Z');
    const other = await createBuyer(database, NOW);
    await buyer.createApplication();
    // The clocks were set back on November 1, which has 25 hours.
    await buyer.createPurchase({ totalCents: 10_000, createdAt: '2026-11-01T03:59:59.999999Z' });
    await buyer.createPurchase({ totalCents: 20_000, createdAt: '2026-11-01T04:00:00.000000Z' });
    await buyer.createPurchase({ totalCents: 30_000, createdAt: '2026-11-02T04:59:59.999999Z', status: 'CANCELED' });
    await buyer.createPurchase({ totalCents: 40_000, createdAt: '2026-11-02T05:00:00.000000Z' });
    await buyer.createPurchase({ totalCents: 50_000, createdAt: '2026-10-28T03:59:59.999999Z' });
    await other.createPurchase({ createdAt: NOW });
    await addDecision(buyer.merchantId, 'APPROVED', '2026-11-24T05:00:00.000000Z');
    await addDecision(buyer.merchantId, 'APPROVED', '2026-11-24T14:00:00.000000Z');
    await addDecision(buyer.merchantId, 'DENIED', '2026-11-23T14:00:00.000000Z');
    await addDecision(other.merchantId, 'DENIED', '2026-11-23T14:00:00.000000Z');

    const source = { query: database.query, mode: 'live', merchantId: buyer.merchantId } as const;
    const { current: days, before } = await readFigures(source, '28d', NOW, ZONE);
    expect([days.length, days[0]!.day, days.at(-1)!.day]).toEqual([28, '2026-10-28', '2026-11-24']);
    const nothing = {
      purchases: 0,
      purchasedCents: 0,
      refundedCents: 0,
      started: 0,
      approved: 0,
      denied: 0,
      authorized: 0,
      settled: 0,
    };
    expect(days.filter((day) => JSON.stringify({ ...day, ...nothing }) !== JSON.stringify(day))).toEqual([
      { ...nothing, day: '2026-10-31', purchases: 1, purchasedCents: 10_000 },
      { ...nothing, day: '2026-11-01', purchases: 2, purchasedCents: 50_000 },
      { ...nothing, day: '2026-11-02', purchases: 1, purchasedCents: 40_000 },
      // The carts of all purchases were created a microsecond before the last day.
      { ...nothing, day: '2026-11-23', started: 6, denied: 1 },
      { ...nothing, day: '2026-11-24', approved: 2 },
    ]);
    // Days that are over are not read again.
    await buyer.createPurchase({ createdAt: '2026-11-02T05:00:00.000000Z' });
    await buyer.createPurchase({ createdAt: NOW });
    const { current: again } = await readFigures(source, '28d', NOW, ZONE);
    expect(again.slice(0, -1)).toEqual(days.slice(0, -1));
    expect(again.at(-1)).toEqual({ ...days.at(-1)!, purchases: 1, purchasedCents: 5_000 });
    expect(sumFigures(days)).toEqual({ ...nothing, started: 6, approved: 2, denied: 1, purchases: 4, purchasedCents: 100_000 });
    expect([before.length, before[0]!.day]).toEqual([28, '2026-09-30']);
    expect(sumFigures(before)).toEqual({ ...nothing, purchases: 1, purchasedCents: 50_000 });
  });

  it('of a range are compared with the period before: decisions of 7 days, which are kept for 30, and purchases of 12 months', async () => {
    const buyer = await createBuyer(database, NOW);
    const source = { query: database.query, mode: 'live', merchantId: buyer.merchantId } as const;
    await addDecision(buyer.merchantId, 'APPROVED', '2026-11-18T15:00:00.000000Z');
    await addDecision(buyer.merchantId, 'DENIED', '2026-11-17T15:00:00.000000Z');
    await addDecision(buyer.merchantId, 'APPROVED', '2026-11-11T15:00:00.000000Z');
    await addDecision(buyer.merchantId, 'APPROVED', '2026-11-10T15:00:00.000000Z');
    for (const day of ['2024-11-30', '2024-12-01', '2025-11-30', '2025-12-01', '2026-11-01'] as const)
      await buyer.createPurchase({ createdAt: `${day}T12:00:00.000000Z` });

    const week = await readFigures(source, '7d', NOW, ZONE);
    expect([week.current[0]!.day, week.before[0]!.day]).toEqual(['2026-11-18', '2026-11-11']);
    expect(sumFigures(week.current)).toMatchObject({ approved: 1, denied: 0 });
    expect(sumFigures(week.before)).toMatchObject({ approved: 1, denied: 1 });
    expect(sumFigures((await readFigures(source, '28d', NOW, ZONE)).before)).toMatchObject({ approved: 0, started: 0 });
    expect(sumFigures((await readFigures(source, '90d', NOW, ZONE)).current)).toMatchObject({
      approved: 0,
      started: 0,
      purchases: 1,
    });

    const year = await readFigures(source, '12m', NOW, ZONE);
    const months = ({ day, purchases }: (typeof year.current)[number]) => (purchases > 0 ? [day, purchases] : []);
    expect([year.current.length, year.before.length]).toEqual([12, 12]);
    expect(year.current.flatMap(months)).toEqual(['2025-12-01', 1, '2026-11-01', 1]);
    expect(year.before.flatMap(months)).toEqual(['2024-12-01', 1, '2025-11-01', 1]);
    // Months that are over are not read again.
    await buyer.createPurchase({ createdAt: '2026-10-31T12:00:00.000000Z' });
    await buyer.createPurchase({ createdAt: NOW });
    expect((await readFigures(source, '12m', NOW, ZONE)).current.flatMap(months)).toEqual(['2025-12-01', 1, '2026-11-01', 2]);
  });

  it('have refunds on the day on which they were made, without those to cards', async () => {
    const buyer = await createBuyer(database, NOW);
    const id = await buyer.createPurchase({ createdAt: '2026-10-01T12:00:00.000000Z' });
    const line = { transactionId: id, merchantId: buyer.merchantId, currency: 'USD', feeCents: 0, settlementId: null };
    const lines = [
      {
        ...line,
        sequence: 2,
        type: 'settled' as const,
        grossCents: 5_000,
        day: '2026-11-20' as const,
        at: '2026-11-20T12:00:00.000000Z' as const,
      },
      {
        ...line,
        sequence: 3,
        type: 'refunded' as const,
        grossCents: -1_500,
        day: '2026-11-21' as const,
        at: '2026-11-22T04:59:59.999999Z' as const,
      },
      {
        ...line,
        sequence: 3,
        type: 'refunded-to-card' as const,
        grossCents: 0,
        day: '2026-11-21' as const,
        at: '2026-11-22T04:59:59.999999Z' as const,
      },
      {
        ...line,
        sequence: 4,
        type: 'refunded' as const,
        grossCents: -500,
        day: '2026-11-14' as const,
        at: '2026-11-14T12:00:00.000000Z' as const,
      },
    ];
    await database.write((tx) => tx.insertInto('settlement_lines').values(lines).execute());
    const source = { query: database.query, mode: 'live', merchantId: buyer.merchantId } as const;
    const { current, before } = await readFigures(source, '7d', NOW, ZONE);
    expect(current.filter(({ refundedCents }) => refundedCents !== 0)).toMatchObject([
      { day: '2026-11-21', refundedCents: 1_500 },
    ]);
    expect(sumFigures(before).refundedCents).toBe(500);
  });

  it('of a sandbox all follow its clock, also if that was moved before an event, while the event keeps its real time', async () => {
    const buyer = await createBuyer(database, NOW);
    const source = { query: database.query, mode: 'sandbox', merchantId: buyer.merchantId } as const;
    const decide = () => {
      const id = newId();
      const data = { applicationId: id, cartId: id, orderRef: '', status: 'APPROVED' } as const;
      return database.write((tx) => recordEvent(tx, { id, merchantId: buyer.merchantId, type: 'application.approved', data }));
    };
    const inAYear = plusDays(systemClock.now(), 365);
    onCleanup(() => database.setClockOffset(0));
    await decide();
    database.setClockOffset(365 * DAY_MS);
    await decide();
    await decide();
    const approvedAt = async (now: Instant) => sumFigures((await readFigures(source, '7d', now, ZONE)).current).approved;
    expect([await approvedAt(systemClock.now()), await approvedAt(plusMs(inAYear, 60_000))]).toEqual([1, 2]);
    const { createdAt } = (await listEvents(database.query, { merchantId: buyer.merchantId, limit: 9 })).at(-1)!;
    expect(createdAt < plusDays(systemClock.now(), 1)).toBe(true);
  });

  it('are the same in every process of a sandbox, whose clock can be moved back', async () => {
    const buyer = await createBuyer(database, NOW);
    const source = { query: database.query, mode: 'sandbox', merchantId: buyer.merchantId } as const;
    const read = async () => sumFigures((await readFigures(source, '28d', NOW, ZONE)).current);
    const { purchases } = await read();
    await buyer.createPurchase({ createdAt: '2026-11-02T05:00:00.000000Z' });
    expect(await read()).toMatchObject({ purchases: purchases + 1 });
  });

  it('count what waits, without what has expired', async () => {
    const buyer = await createBuyer(database, NOW);
    const daysAgo = (days: number) => ({ createdAt: plusDays(NOW, -days), statusSince: plusDays(NOW, -days) });
    const authorized = (days: number) => ({
      status: 'AUTHORIZED' as const,
      createdAt: plusDays(NOW, -days - 6),
      statusSince: plusDays(NOW, -days),
    });
    for (const days of [0, 3.9, 4, 6.9, 7]) await buyer.createPurchase(daysAgo(days));
    for (const days of [0, 86.9, 87, 89.9, 90]) await buyer.createPurchase(authorized(days));
    await buyer.createPurchase({ status: 'SETTLED' });
    await (await createBuyer(database, NOW)).createPurchase(daysAgo(4));

    const delivery = (channel: 'callback' | 'webhook' | 'email', change: object) => ({
      id: newId(),
      merchantId: buyer.merchantId,
      channel,
      endpoint: 'e',
      recipientHash: '',
      transactionId: null,
      cartId: null,
      applicationId: null,
      notice: null,
      openBy: null,
      openedAt: null,
      sequence: null,
      sealed: '',
      attempts: 1,
      replayedAfter: 0,
      beganAt: NOW,
      dueAt: null,
      deliveredAt: null,
      lastFailure: '500',
      createdAt: plusDays(NOW, -7),
      ...change,
    });
    const rows = [
      delivery('callback', {}),
      delivery('webhook', { dueAt: NOW }),
      delivery('callback', { createdAt: plusMs(plusDays(NOW, -7), -1) }),
      delivery('webhook', { deliveredAt: NOW, lastFailure: '' }),
      delivery('webhook', { attempts: 0, lastFailure: '' }),
      delivery('email', {}),
    ];
    await database.write((tx) => tx.insertInto('outbox').values(rows).execute());

    expect(await readWaiting(database.query, transactions, buyer.merchantId, NOW, plusDays(NOW, -7))).toEqual({
      toAuthorize: 4,
      toShip: 4,
      expiring: 4,
      failedDeliveries: 2,
      withSharedOrderRef: 0,
    });
    const after = plusDays(NOW, -7);
    expect(await countInStatus(database.query, buyer.merchantId, 'PENDING', { after, limit: 3 })).toBe(3);
    expect(await countFailing(database.query, buyer.merchantId, after, 1)).toBe(1);
  });

  it('fail together without a connection, so that no rejection is left unhandled', async () => {
    const closed = openTestDatabase(url);
    await readWaiting(closed.query, transactions, 'm', NOW, NOW);
    await closed.close();
    const unhandled: unknown[] = [];
    const record = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', record);
    onCleanup(() => void process.off('unhandledRejection', record));

    await expect(readWaiting(closed.query, transactions, 'm', NOW, NOW)).rejects.toThrow();
    // Rejections that nothing handles are reported after the microtasks.
    await setImmediate();
    expect(unhandled).toEqual([]);
  });

  it.each([
    ['events', 'events_by_type', (query) => countEvents({ query, mode: 'live' }, 'm', 'application.approved', [PERIOD])],
    ['settlement_lines', 'settlement_lines_of_refunds', (query) => sumRefunds(query, 'm', [PERIOD])],
    ['outbox', 'outbox_failing', (query) => countFailing(query, 'm', NOW, 9)],
  ] satisfies [string, string, (query: Query) => Promise<unknown>][])(
    'of %s are read from one index',
    async (table, index, count) => {
      if (engine === 'postgres' && table === 'events') await addManyEvents();
      const planner = plannerOf(engine, url, table);
      onCleanup(() => planner.close());
      expect((await planner.planOf(count)).indexes).toEqual([index]);
    },
  );
});
