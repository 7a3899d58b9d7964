import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../../server/db/database.ts';
import { addException } from '../../../../server/lending/exceptions/store.ts';
import { newId } from '../../../../server/base/ids.ts';
import { addCalls, newCall } from '../../../../server/lending/lenders/store.ts';
import { type Instant, plusDays } from '../../../../server/base/time.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../../../support/databases.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';
import { fairterm, fairtermJson, now } from './fairterm.ts';

/** Lists of rows that have a merchant, with their name in JSON. */
const LISTS: readonly (readonly [command: string, name: string])[] = [
  ['deliveries list', 'deliveries'],
  ['lender-events list', 'events'],
  ['exception list', 'exceptions'],
];

describeOnEveryEngine('Lists of operators', (engine) => {
  let databaseUrl: string;
  let merchantIds: string[];
  const days = [now, plusDays(now, 1), plusDays(now, 2)];
  beforeAll(async () => {
    databaseUrl = await createMigratedDatabaseUrl(engine);
    const database = openTestDatabase(databaseUrl);
    merchantIds = [await createMerchantWithRows(database, days), await createMerchantWithRows(database, days)];
  });
  const run = (...args: string[]) => fairterm(args, { databaseUrl });
  const list = async (command: string, name: string, ...args: string[]): Promise<{ merchantId: string }[]> =>
    (await fairtermJson([...command.split(' '), ...args], { databaseUrl }))[name];

  it.each(LISTS)('%s selects the rows of a merchant since a day, and at most as many as the limit', async (command, name) => {
    expect(await list(command, name)).toHaveLength(6);
    const [merchantId] = merchantIds as [string];
    const own = await list(command, name, '--merchant', merchantId);
    expect(own.map((row) => row.merchantId)).toEqual([merchantId, merchantId, merchantId]);
    expect(await list(command, name, '--merchant', merchantId, '--since', '2026-11-22')).toHaveLength(2);
    expect(await list(command, name, '--since', '2026-11-24')).toEqual([]);
    expect(await list(command, name, '--limit', '4')).toHaveLength(4);
    const { stdout } = await run(...command.split(' '), '--merchant', merchantId);
    expect(stdout).toHaveLength(1 + own.length);
    expect(stdout[0]).toMatch(/^id +/);
  });

  it('lender-calls list selects the calls since a day, and at most as many as the limit', async () => {
    expect(await list('lender-calls list', 'calls')).toHaveLength(6);
    expect(await list('lender-calls list', 'calls', '--since', '2026-11-22')).toHaveLength(4);
    expect(await list('lender-calls list', 'calls', '--since', '2026-11-22', '--limit', '1')).toHaveLength(1);
  });
});

/** Creates a merchant with an event for the lender, a call to it and an exception on each day. */
async function createMerchantWithRows(database: Database, days: readonly Instant[]): Promise<string> {
  const { merchantId, createApplication, createPurchase } = await createBuyer(database, now);
  for (const day of days) {
    await transactions.act(
      { database, actor: 'console' },
      { merchantId, id: await createPurchase() },
      { type: 'authorize' },
      day,
    );
    const call = {
      method: 'POST',
      path: '/decisions',
      id: newId(),
      attempt: 1,
      durationMs: 5,
      statusCode: 200,
      failure: '',
    } as const;
    const applicationId = await createApplication();
    await database.write(async (tx) => {
      await addCalls(tx, [newCall('sent', { ...call, startedAt: day })]);
      await addException(tx, { id: newId(), applicationId, merchantId, kind: 'decision', raisedAt: day });
    });
  }
  return merchantId;
}
