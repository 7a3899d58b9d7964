/** The files of a database after personal data was erased, which contain none of it, encrypted or not. */
import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newDataKey } from '../../server/base/key-ring.ts';
import { sweepOnce } from '../../server/operations/retention/sweep.ts';
import { plusDays } from '../../server/base/time.ts';
import { testConfig, TEST_DATA_KEYS } from '../support/data-keys.ts';
import { createCart, reachAgreement, submit } from '../support/checkout.ts';
import { startService, type TestMerchant, type TestService } from '../support/service.ts';
import { fairterm } from '../server/operations/commands/fairterm.ts';
import { createPeople } from '../server/operations/retention/people.ts';

const buyer = { email: 'zephyrine@canarymail.example' };

/** Buys and cancels, so that the data may be erased, and returns the encrypted values of the buyer. */
async function buyAndCancel(service: TestService, merchant: TestMerchant): Promise<string[]> {
  const cart = await createCart(merchant);
  await merchant.post(`/carts/${cart.id}/email`, { email: buyer.email, name: 'Zephyrine' });
  const signed = await submit(await reachAgreement(cart.url, buyer), buyer);
  const transactionId = new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
  await merchant.post(`/transactions/actions/${transactionId}`, { type: 'authorize' });
  expect((await merchant.post(`/transactions/actions/${transactionId}`, { type: 'cancel' })).status).toBe(200);
  const { applicationId } = await service.database.query
    .selectFrom('transactions')
    .select('applicationId')
    .where('id', '=', transactionId)
    .executeTakeFirstOrThrow();
  await createPeople(service, merchant).age(applicationId);
  return sealedValues(service);
}

async function sealedValues({ database }: TestService): Promise<string[]> {
  const values: string[] = [];
  for (const table of ['applications', 'carts', 'transactions', 'outbox']) {
    const { rows } = await sql<{ sealed: string }>`select sealed from ${sql.table(table)}`.execute(database.query);
    values.push(...rows.map(({ sealed }) => sealed));
  }
  return values;
}

/** Returns the parts of encrypted values that a file contains. A value may be stored in several pages. */
function found(content: string, values: readonly string[]): string[] {
  const parts = values.flatMap((value) => value.split('.')[2]!.match(/.{40}/g) ?? []);
  return parts.filter((part) => content.includes(part));
}

describe('The files of a SQLite database', () => {
  const contentOf = ({ databaseUrl }: TestService) => {
    const file = databaseUrl.slice('sqlite:'.length);
    const files = [file, `${file}-wal`].filter((name) => existsSync(name));
    return Buffer.concat(files.map((name) => readFileSync(name))).toString('latin1');
  };
  const setUp = async () => {
    const service = await startService('sqlite');
    const values = await buyAndCancel(service, await service.createMerchant());
    expect(found(contentOf(service), values).length).toBeGreaterThan(20);
    return { service, values };
  };
  const replacedOf = async (service: TestService, values: readonly string[]) => {
    const current = new Set(await sealedValues(service));
    return values.filter((value) => !current.has(value));
  };

  it('contain nothing that `buyer erase` has erased', async () => {
    const { service, values } = await setUp();

    const { code } = await fairterm(['buyer', 'erase', '--email', buyer.email], service);

    expect(code).toBe(0);
    const replaced = await replacedOf(service, values);
    expect(replaced.length).toBeGreaterThanOrEqual(3);
    expect(found(contentOf(service), replaced)).toEqual([]);
  });

  it('contain nothing that was erased after its retention period', async () => {
    const { service, values } = await setUp();
    // The database rejects the deletion of the agreement for two years.
    const now = () => plusDays(service.clock.now(), 100);

    await sweepOnce({
      database: service.database,
      realClock: { now },
      retention: { ...testConfig.retention, applicationDays: 90, purchaseDays: 90, messageDays: 90 },
      onError: (thrown) => expect.fail(String(thrown)),
    });

    const replaced = await replacedOf(service, values);
    expect(replaced.length).toBeGreaterThanOrEqual(2);
    expect(found(contentOf(service), replaced)).toEqual([]);
  });

  it('contain nothing that was encrypted with an earlier key after a rotation', async () => {
    const { service, values } = await setUp();

    const env = { DATA_KEYS: `${newDataKey('next')},${TEST_DATA_KEYS}` };
    expect(await fairterm(['data-key', 'rotate'], { databaseUrl: service.databaseUrl, env })).toMatchObject({ code: 0 });

    expect(await replacedOf(service, values)).toEqual(values);
    expect(found(contentOf(service), values)).toEqual([]);
  });

  it('contain nothing that was deleted without that after `vacuum`', async () => {
    const { service, values } = await setUp();
    const { database, databaseUrl } = service;
    await database.write((tx) => tx.deleteFrom('outbox').execute());
    const replaced = await replacedOf(service, values);
    expect(found(contentOf(service), replaced).length).toBeGreaterThan(0);

    expect(await fairterm(['vacuum'], { databaseUrl })).toMatchObject({ code: 0 });

    expect(found(contentOf(service), replaced)).toEqual([]);
    expect(await database.isMigrated()).toBe(true);
  });
});

describe('The files of a PostgreSQL database', () => {
  it('contain nothing that was erased after `vacuum`', async () => {
    const service = await startService('postgres');
    const { database, databaseUrl } = service;
    const contentOf = async () => {
      await sql`checkpoint`.execute(database.query);
      const { rows } = await sql<{ content: Buffer }>`
        select pg_read_binary_file(pg_relation_filepath(oid)) as content from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 't')`.execute(database.query);
      const { rows: toasted } = await sql<{ content: Buffer }>`
        select pg_read_binary_file(pg_relation_filepath(reltoastrelid)) as content from pg_class
        where relnamespace = 'public'::regnamespace and reltoastrelid <> 0`.execute(database.query);
      return Buffer.concat([...rows, ...toasted].map(({ content }) => content)).toString('latin1');
    };
    const values = await buyAndCancel(service, await service.createMerchant());
    expect(await fairterm(['buyer', 'erase', '--email', buyer.email], service)).toMatchObject({ code: 0 });
    const current = new Set(await sealedValues(service));
    const erased = values.filter((value) => !current.has(value));
    expect(found(await contentOf(), erased).length).toBeGreaterThan(0);

    // `vacuum` keeps rows that a transaction of this service can still see, which is why operators stop the service first.
    const vacuumed = async () => {
      expect(await fairterm(['vacuum'], { databaseUrl })).toMatchObject({ code: 0 });
      return found(await contentOf(), erased);
    };
    await expect.poll(vacuumed).toEqual([]);
    expect(await sealedValues(service)).toEqual(expect.arrayContaining([...current]));
  });
});
