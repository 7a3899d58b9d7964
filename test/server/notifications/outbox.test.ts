import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../server/db/database.ts';
import { createMerchant } from '../../../server/merchants/merchants.ts';
import {
  type Claim,
  claimDue,
  enqueueCallback,
  hasDue,
  noteDelivered,
  noteFailed,
} from '../../../server/notifications/outbox.ts';
import { plusMs } from '../../../server/time.ts';
import { describeOnEveryEngine, givenDatabase } from '../../support/engines.ts';

const now = '2026-11-21T09:30:00.000000Z';
const later = plusMs(now, 60_000);

/** A claim without regard to endpoints. */
const atMost = (limit: number): Claim => ({ limit, limitPerEndpoint: limit, limitPerMerchant: limit, underWay: new Map() });

describeOnEveryEngine('The outbox', (engine) => {
  let database: Database;
  let merchantId: string;
  beforeAll(async () => {
    database = await givenDatabase(engine);
    const merchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
    ({ merchantId } = await createMerchant(database, 'sandbox', merchant, now));
  });
  beforeEach(() => database.write((tx) => tx.deleteFrom('outbox').execute()));

  const enqueue = (id: string, dueAt = now) =>
    database.write((tx) =>
      enqueueCallback(tx, { id, merchantId, url: 'http://a/', body: { transactionId: id, orderRef: '' }, createdAt: now, dueAt }),
    );
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted();

  it('keeps a callback as it was promised', async () => {
    await enqueue('a');

    expect(await database.query.selectFrom('outbox').selectAll().execute()).toEqual([
      {
        id: 'a',
        merchant_id: merchantId,
        url: 'http://a/',
        endpoint: 'http://a',
        body: '{"transactionId":"a","orderRef":""}',
        attempts: 0,
        due_at: now,
        delivered_at: null,
        last_failure: '',
        created_at: now,
      },
    ]);
  });

  it('forgets a callback whose cause was refused', async () => {
    const refused = database.write(async (tx) => {
      await enqueueCallback(tx, {
        id: 'a',
        merchantId,
        url: 'http://a/',
        body: { transactionId: 'a', orderRef: '' },
        createdAt: now,
        dueAt: now,
      });
      throw new Error('No');
    });

    await expect(refused).rejects.toThrow('No');
    expect(await hasDue(database.query, now)).toBe(false);
  });

  it('gives what is due, and not what is due a microsecond later', async () => {
    await enqueue('due');
    await enqueue('early', now.replace('000000Z', '000001Z'));

    expect(await hasDue(database.query, now)).toBe(true);
    expect(ids(await claimDue(database, atMost(10), now, later))).toEqual(['due']);
  });

  it('gives no more than asked for, the longest due first', async () => {
    for (const [id, agoMs] of [
      ['third', 1],
      ['first', 3],
      ['second', 2],
    ] as const)
      await enqueue(id, plusMs(now, -agoMs));

    expect(ids(await claimDue(database, atMost(2), now, later))).toEqual(['first', 'second']);
    expect(ids(await claimDue(database, atMost(2), now, later))).toEqual(['third']);
  });

  it('gives a claimed callback to nobody else before the lease is over, and counts the attempts', async () => {
    await enqueue('a');

    expect(await claimDue(database, atMost(10), now, later)).toMatchObject([{ id: 'a', attempts: 1, due_at: later }]);
    expect(await claimDue(database, atMost(10), now, later)).toEqual([]);
    expect(await claimDue(database, atMost(10), later, plusMs(later, 60_000))).toMatchObject([{ id: 'a', attempts: 2 }]);
  });

  it('gives each callback to one of ten that ask at the same moment', async () => {
    const all = Array.from({ length: 60 }, (_, index) => `c_${String(index).padStart(2, '0')}`);
    for (const id of all) await enqueue(id);

    const claims = await Promise.all(Array.from({ length: 10 }, () => claimDue(database, atMost(6), now, later)));

    const claimed = ids(claims.flat());
    expect(claimed).toEqual([...new Set(claimed)]);
    const rest: string[] = [];
    for (let more = ['']; more.length > 0; rest.push(...more)) more = ids(await claimDue(database, atMost(60), now, later));
    expect([...claimed, ...rest].toSorted()).toEqual(all);
  });

  it('remembers when a callback was taken, and never gives it again', async () => {
    await enqueue('a');
    await claimDue(database, atMost(1), now, later);
    await noteFailed(database, 'a', 'The receiver answered 500', now);
    await claimDue(database, atMost(1), now, later);

    await noteDelivered(database, 'a', now);

    const rows = await database.query.selectFrom('outbox').selectAll().execute();
    expect(rows).toMatchObject([{ attempts: 2, due_at: null, delivered_at: now, last_failure: '' }]);
    expect(await hasDue(database.query, '9999-12-31T00:00:00.000000Z')).toBe(false);
  });

  it('does not make a callback due again that another process delivered meanwhile', async () => {
    await enqueue('a');
    await claimDue(database, atMost(1), now, later);
    await claimDue(database, atMost(1), later, plusMs(later, 60_000));
    await noteDelivered(database, 'a', later);

    await noteFailed(database, 'a', 'No answer within 15000 ms', plusMs(later, 5_000));

    expect(await hasDue(database.query, '9999-12-31T00:00:00.000000Z')).toBe(false);
  });

  it('gives up on a callback that has no further attempt', async () => {
    await enqueue('a');
    await claimDue(database, atMost(1), now, later);

    await noteFailed(database, 'a', 'The receiver answered 500', null);

    const rows = await database.query.selectFrom('outbox').selectAll().execute();
    expect(rows).toMatchObject([{ due_at: null, delivered_at: null, last_failure: 'The receiver answered 500' }]);
  });
});
