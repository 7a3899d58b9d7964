/** A row that was damaged, or changed without the data keys, does not stop the lists and jobs that find it. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { runCheckoutJob } from '../../server/checkout/job.ts';
import type { Database } from '../../server/db/database.ts';
import { newDataKey } from '../../server/base/key-ring.ts';
import { hashSecret, newKeyPair } from '../../server/merchants/keys.ts';
import { plusDays } from '../../server/base/time.ts';
import { checkoutDeps, completeCheckout, createCart, open, submit } from '../support/checkout.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import { TEST_DATA_KEYS } from '../support/data-keys.ts';
import { startReceiver } from '../support/http.ts';
import { listApplications, requestToken, startService, type TestMerchant, type TestService } from '../support/service.ts';
import { until } from '../support/time.ts';
import { fairterm } from '../server/operations/commands/fairterm.ts';

describeOnEveryEngine('A damaged row', (engine) => {
  let service: TestService;
  let database: Database;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService(engine);
    ({ database } = service);
  });
  const change = (statement: ReturnType<typeof sql>) => database.write((tx) => statement.execute(tx));
  const damage = (table: string, id: string) =>
    change(sql`update ${sql.table(table)} set sealed = ${'v2.test.AAAA'} where id = ${id}`);
  const reported = () => service.logged.map((line) => JSON.parse(line)).filter(({ at }) => at === 'database');

  it('is left out of the applications of the platform API, whose other pages follow, and logged once', async () => {
    merchant = await service.createMerchant();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const transactionId = await completeCheckout(merchant);
      const ofTransaction = database.query
        .selectFrom('transactions')
        .select('applicationId as id')
        .where('id', '=', transactionId);
      const { id } = await ofTransaction.executeTakeFirstOrThrow();
      ids.push(id);
    }
    await damage('applications', ids[1]!);
    const token = await requestToken(service.publicUrl, merchant);

    const listed: string[] = [];
    let query = 'sort=createdAt.asc&limit=1';
    for (let page = 0; query !== '' && page < 5; page++) {
      const { status, body, headers } = await listApplications(service.publicUrl, token, query);
      expect(status).toBe(200);
      listed.push(...body.applications.map(({ id }: { id: string }) => id));
      query = /\?([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
    }

    expect(listed).toEqual([ids[0], ids[2]]);
    await listApplications(service.publicUrl, token);
    expect(reported()).toMatchObject([{ level: 50, damaged: 'applications', id: ids[1] }]);
  });

  it('does not stop the job that expires applications, which reports it', async () => {
    merchant = await service.createMerchant();
    const carts = [await createCart(merchant), await createCart(merchant)];
    for (const { url } of carts) await submit(await open(url));
    const applicationOf = (cartId: string) =>
      database.query.selectFrom('applications').select(['id', 'status']).where('cartId', '=', cartId).executeTakeFirstOrThrow();
    const [{ id }, { id: otherId }] = await Promise.all([applicationOf(carts[0]!.id), applicationOf(carts[1]!.id)]);
    await damage('applications', id);

    /** Of both. The job also reports notices of applications of other tests that were not opened. */
    const failed: (string | undefined)[] = [];
    await runCheckoutJob({
      deps: checkoutDeps(database),
      clock: { now: () => plusDays(service.clock.now(), 365) },
      retention: { unfinishedApplicationHours: 1_000_000 },
      onError: (_thrown, applicationId) => {
        if (applicationId === id || applicationId === otherId) failed.push(applicationId);
      },
    });

    expect(failed).toEqual([id]);
    expect([(await applicationOf(carts[0]!.id)).status, (await applicationOf(carts[1]!.id)).status]).toEqual([
      'STARTED',
      'EXPIRED',
    ]);
  });

  it('is a failed delivery, is left out of the list of deliveries, and does not stop the others', async () => {
    const { url: callbackUrl, received } = await startReceiver();
    merchant = await service.createMerchant();
    await completeCheckout(merchant, { callbackUrl });
    const { merchantId } = merchant;
    const callbacks = database.query
      .selectFrom('outbox')
      .selectAll()
      .where('merchantId', '=', merchantId)
      .where('channel', '=', 'callback');
    await until(() => received.length === 1);
    const delivered = await callbacks.executeTakeFirstOrThrow();
    await change(sql`
      insert into outbox (id, merchant_id, channel, endpoint, sealed, attempts, last_failure, created_at, due_at)
      values ('damaged', ${merchantId}, 'callback', ${callbackUrl}, ${delivered.sealed}, 0, '', '2026-11-21', '2026-11-21')`);
    await completeCheckout(merchant, { callbackUrl });

    await until(() => received.length === 2);
    const row = () => database.query.selectFrom('outbox').selectAll().where('id', '=', 'damaged').executeTakeFirstOrThrow();
    expect(await until(async () => ((await row()).lastFailure === '' ? false : row()))).toMatchObject({
      attempts: 1,
      dueAt: null,
    });
    const { code, stdout, stderr } = await fairterm(['deliveries', 'list', '--merchant', merchantId], {
      databaseUrl: service.databaseUrl,
    });
    expect([code, stdout.filter((line) => line.includes(new URL(callbackUrl).origin)).length]).toEqual([0, 2]);
    expect(stderr).toEqual([expect.stringMatching(/^warning: .* outbox damaged:/)]);
  });

  it('is left as it is by a rotation of the data keys, which counts it and does not make a forged key valid', async () => {
    merchant = await service.createMerchant();
    const forged = newKeyPair('sandbox');
    const row = await database.query
      .selectFrom('merchant_keys')
      .selectAll()
      .where('apiKey', '=', merchant.apiKey)
      .executeTakeFirstOrThrow();
    const inserted = { ...row, apiKey: forged.apiKey, secretHash: hashSecret(forged.secret) };
    await database.write((tx) => tx.insertInto('merchant_keys').values(inserted).execute());
    const cart = await createCart(merchant);
    await damage('carts', cart.id);

    const env = { DATA_KEYS: `${newDataKey('next')},${TEST_DATA_KEYS}` };
    const { code, stdout, stderr } = await fairterm(['data-key', 'rotate', '--json'], { databaseUrl: service.databaseUrl, env });

    expect([code, JSON.parse(stdout[0]!)]).toMatchObject([1, { removableKeyIds: ['test'], outdatedRows: 0 }]);
    expect(JSON.parse(stdout[0]!).damagedRows).toBeGreaterThanOrEqual(2);
    expect(stderr.join('\n')).toMatch(`warning: Cannot open sealed data of carts ${cart.id}`);
    const show = ['merchant', 'show', '--merchant', merchant.merchantId, '--json'];
    const shown = await fairterm(show, { databaseUrl: service.databaseUrl, env });
    expect(JSON.parse(shown.stdout[0]!)).toMatchObject({ apiKeys: [merchant.apiKey] });
  });
});
