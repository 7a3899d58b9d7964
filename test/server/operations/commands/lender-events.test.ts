import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../../server/base/ids.ts';
import { createMigratedDatabaseUrl, openTestDatabase } from '../../../support/databases.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';
import { fairterm, fairtermJson, now } from './fairterm.ts';

const databaseUrl = await createMigratedDatabaseUrl();
const database = openTestDatabase(databaseUrl);

interface Event {
  id: string;
}

describe('fairterm lender-events', () => {
  let merchantId: string;
  let transactionId: string;
  beforeEach(async () => {
    const buyer = await createBuyer(database, now);
    merchantId = buyer.merchantId;
    transactionId = await buyer.createPurchase();
    const caller = { database, actor: 'console' } as const;
    for (const type of ['authorize', 'settle'] as const)
      await transactions.act(caller, { merchantId, id: transactionId }, { type }, now);
  });
  const run = (...args: string[]) => fairterm(['lender-events', ...args], { databaseUrl });
  const list = async (...args: string[]): Promise<[Event, ...Event[]]> =>
    (await fairtermJson(['lender-events', 'list', '--merchant', merchantId, ...args], { databaseUrl })).events;
  const setState = (id: string, state: object) =>
    database.write((tx) => tx.updateTable('outbox').set(state).where('id', '=', id).execute());

  it('list shows the events of a loan, the latest first, by state', async () => {
    const events = await list('--transaction', transactionId);
    expect(events).toMatchObject([
      { type: 'settled', sequence: 2, state: 'pending', transactionId, applicationId: transactionId, merchantId, attempts: 0 },
      { type: 'authorized', sequence: 1, state: 'pending', createdAt: now },
    ]);
    await setState(events[1]!.id, { deliveredAt: now, dueAt: null });
    expect(await list('--state', 'delivered')).toMatchObject([{ type: 'authorized' }]);
    expect(await list('--application', transactionId, '--limit', '1')).toMatchObject([{ type: 'settled' }]);
    expect(await list('--transaction', newId())).toEqual([]);
    const { stdout } = await run('list', '--transaction', transactionId);
    expect(stdout[0]).toMatch(/^id +state +type +attempts +created +application +last failure$/);
    expect(stdout[1]).toMatch(new RegExp(`pending +settled +0 +2026-11-21T09:30:00 +${transactionId} 2$`));
  });

  it('show has the content that the lender receives and each attempt', async () => {
    const [settled] = await list();
    const { stdout } = await run('show', settled.id, '--json');
    expect(JSON.parse(stdout[0]!)).toMatchObject({
      ...settled,
      content: { type: 'settled', disburseCents: 5_000, merchantFeeCents: 0, settledOn: '2026-11-21' },
      log: [],
    });
    expect((await run('show', settled.id)).stdout).toEqual(
      expect.arrayContaining([`settled, event 2 of application ${transactionId}`, '  disburseCents: 5000']),
    );
  });

  it('replay queues one event again, or all failed ones', async () => {
    const [settled, authorized] = (await list()) as [Event, Event];
    await setState(authorized.id, { dueAt: null, attempts: 37, lastFailure: 'down' });
    expect(await run('replay', settled.id)).toMatchObject({ code: 1, stderr: [expect.stringContaining('waits')] });
    expect(await run('replay', '--failed')).toMatchObject({ code: 0 });
    expect(await list('--state', 'failed')).toEqual([]);
    await setState(authorized.id, { deliveredAt: now, dueAt: null });
    expect(await run('replay', authorized.id)).toMatchObject({ code: 0 });
    expect(await list('--state', 'pending')).toHaveLength(2);
  });
});
