import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { plusDays, systemClock } from '../../server/base/time.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { chair } from '../support/checkout.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../support/databases.ts';
import { buildProject, cli, startReachableProcess } from '../support/process.ts';
import { createBuyer } from '../support/purchases.ts';
import { clientOf, startService } from '../support/service.ts';
import { until } from '../support/time.ts';

describeOnEveryEngine('A service without jobs', (engine) => {
  beforeAll(buildProject);

  it('serves, but delivers and expires nothing, until it runs with them', async () => {
    const databaseUrl = await createMigratedDatabaseUrl(engine);
    const database = openTestDatabase(databaseUrl);
    const now = systemClock.now();
    const created = await createMerchant(
      database,
      'sandbox',
      { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] },
      now,
    );
    const { createPurchase } = await createBuyer(database, plusDays(now, -30), created.merchantId);
    const overdue = await createPurchase();
    let calls = 0;
    const receiver = createServer((_request, response) => {
      calls += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    onCleanup(() => receiver.close());
    const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const statusOf = async (id: string) =>
      (await database.query.selectFrom('transactions').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;

    const service = await startReachableProcess(databaseUrl, {}, [cli, 'serve', '--no-jobs']);
    const { post } = clientOf(service.url, created);
    const { body: cart } = await post('/carts', { options: { items: [chair], callbackUrl } });
    expect((await post('/sandbox/checkouts', { cartId: cart.id })).status).toBe(200);
    service.child.kill('SIGTERM');
    const { code, stderr } = await service.ended;

    expect([code, stderr]).toEqual([0, expect.stringContaining(', without jobs: nothing is delivered')]);
    // Each job would have run once before the service ended.
    expect([calls, await statusOf(overdue)]).toEqual([0, 'PENDING']);
    const attempted = await database.query.selectFrom('outbox').select('id').where('attempts', '>', 0).execute();
    expect(attempted).toEqual([]);
    // Records of requests are saved.
    expect((await database.query.selectFrom('merchant_requests').selectAll().execute()).length).toBeGreaterThan(0);

    await startService(engine, { databaseUrl });
    await until(async () => calls > 0 && (await statusOf(overdue)) === 'EXPIRED');
  });
});
