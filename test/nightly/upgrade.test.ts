/** Upgrades a service under load, with processes of both releases on one database, and rolls back. */
import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { differencesOf } from '../support/audit.ts';
import { chair } from '../support/checkout.ts';
import { createDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../support/databases.ts';
import { buildProject, startReachableProcess } from '../support/process.ts';
import { loadRelease, releasesFolder, savedRelease } from '../support/releases.ts';
import { clientOf, startService } from '../support/service.ts';
import { until } from '../support/time.ts';

/** Purchases in each phase of the upgrade. */
const PURCHASES = 4;

const BUYERS = 3;

const UNLIMITED = {
  APPLICATIONS_PER_IDENTITY_PER_DAY: '0',
  APPLICATIONS_PER_RECIPIENT_PER_DAY: '0',
  APPLICATIONS_PER_ADDRESS_PER_HOUR: '0',
};

describeOnEveryEngine('An upgrade under load', (engine) => {
  beforeAll(buildProject);

  it('loses no purchase while the processes of both releases serve, nor when it is rolled back', async () => {
    const databaseUrl = await createDatabaseUrl(engine);
    const saved = savedRelease(readdirSync(releasesFolder)[0]!);
    await loadRelease(engine, databaseUrl, saved);
    const entriesBefore = saved.rows['transaction_entries']!.length;

    const earlier = await startService(engine, { databaseUrl });
    const origins = [earlier.publicUrl];
    const settled: string[] = [];
    const rejected: unknown[] = [];
    let requests = 0;
    /** Sends a request to the next process. */
    const post = async (path: string, body: object) => {
      const { status, body: received } = await clientOf(origins[requests++ % origins.length]!, saved.merchant).post(path, body);
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(received)}`);
      return received;
    };
    const buy = async () => {
      const { id: cartId } = await post('/carts', { options: { items: [chair] } });
      const { transactionId } = await post('/sandbox/checkouts', { cartId });
      for (const type of ['authorize', 'settle']) await post(`/transactions/actions/${transactionId}`, { type });
      settled.push(transactionId);
    };
    const closing = new AbortController();
    const buyers = Array.from({ length: BUYERS }, async () => {
      while (!closing.signal.aborted) await buy().catch((thrown: unknown) => rejected.push(thrown));
    });
    const untilMoreArePurchased = async () => {
      const count = settled.length + PURCHASES;
      await until(() => settled.length >= count || rejected.length > 0);
    };
    const isReady = async (origin: string) => (await fetch(`${origin}/readyz`)).status === 200;

    await untilMoreArePurchased();
    const next = await startReachableProcess(databaseUrl, UNLIMITED, ['test/server/db/process.mjs', 'serve-next']);
    origins.push(next.url);
    await untilMoreArePurchased();
    expect([await isReady(earlier.publicUrl), await isReady(next.url)]).toEqual([true, true]);

    origins.shift();
    await earlier.close();
    await untilMoreArePurchased();

    const rolledBack = await startService(engine, { databaseUrl });
    origins.push(rolledBack.publicUrl);
    await untilMoreArePurchased();
    origins.shift();
    next.child.kill('SIGTERM');
    expect((await next.ended).code).toBe(0);
    await untilMoreArePurchased();
    closing.abort();
    await Promise.all(buyers);

    expect(rejected).toEqual([]);
    const { query } = openTestDatabase(databaseUrl);
    const transactions = await query.selectFrom('transactions').select('id').where('status', '=', 'SETTLED').execute();
    const stored = new Set(transactions.map(({ id }) => id));
    expect(settled.filter((id) => !stored.has(id))).toEqual([]);
    const { rows } = await sql<{ count: number }>`select count(*) as count from transaction_entries`.execute(query);
    // A purchase has the entries of its creation, its authorization and its settlement.
    expect(rows[0]!.count).toBeGreaterThanOrEqual(entriesBefore + 3 * settled.length);
    expect(await differencesOf(query)).toEqual([]);
  });
});
