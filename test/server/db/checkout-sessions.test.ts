/** A database of the release before checkouts could be started again, brought up to date. */
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { Sqlite } from '../../../server/db/driver.ts';
import { createMigrator } from '../../../server/db/migrate.ts';
import type { Schema } from '../../../server/db/schema.ts';
import { atTheEnd } from '../../support/cleanup.ts';
import { describeOnEveryEngine, givenDatabaseUrl } from '../../support/engines.ts';
import { applicationRow, cartRow } from '../../support/purchase.ts';

const at = '2026-11-21T09:30:00.000000Z';
const references = { tenantId: 't', merchantId: 'm', programId: 'p', at };
const ids = Array.from({ length: 50 }, (_, index) => `application ${index}`);

describeOnEveryEngine('A database from before sessions of checkouts', (engine) => {
  let database: Database;
  let indexesBefore: string[];
  const indexesOf = async (query: Kysely<any>): Promise<string[]> => {
    const { rows } =
      engine === 'sqlite'
        ? await sql<{ name: string }>`select name from sqlite_master where type = 'index' and tbl_name = 'applications'
            and sql is not null`.execute(query)
        : await sql<{ name: string }>`select indexname as name from pg_indexes where tablename = 'applications'
            and indexname not in ('applications_pkey', 'applications_cart_id_key')`.execute(query);
    return rows.map(({ name }) => name).sort();
  };
  const oldApplication = (id: string) => {
    const { session_hash: _session, superseded_at: _superseded, ...old } = applicationRow({ id, ...references });
    return { ...old, revision: 7, notice_code: '' };
  };

  beforeAll(async () => {
    const { url, remove } = await givenDatabaseUrl(engine);
    atTheEnd(remove);
    const dialect =
      engine === 'sqlite'
        ? new SqliteDialect({ database: new Sqlite(url.slice('sqlite:'.length)) })
        : new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) });
    const before = new Kysely<any>({ dialect });
    const { error } = await createMigrator(before as Kysely<Schema>, engine).migrateTo('0014-platform');
    if (error) throw error as Error;
    const insert = (table: string, rows: object | object[]) => before.insertInto(table).values(rows).execute();
    await insert('tenants', { id: 't', name: 'Acme', created_at: at });
    const merchant = { tenant_id: 't', name: 'Acme', store_url: 'https://shop.example/', default_program_id: 'p' };
    await insert('merchants', { id: 'm', ...merchant, created_at: at });
    await insert('programs', { id: 'p', merchant_id: 'm', code: 'standard', created_at: at });
    await insert(
      'carts',
      ids.map((id) => cartRow({ id, ...references })),
    );
    await insert('applications', ids.map(oldApplication));
    // What refers to an application.
    const document = { language: 'en', html: '<p>Signed</p>', sha256: 'a'.repeat(64), created_at: at };
    await insert('agreement_documents', { id: 'd', application_id: ids[0], merchant_id: 'm', code: 'c'.repeat(22), ...document });
    indexesBefore = await indexesOf(before);
    await before.destroy();

    database = openDatabase(url);
    atTheEnd(() => database.close());
    await database.migrate();
  });
  const add = (id: string, over: object = {}) =>
    database.write((tx) =>
      tx
        .insertInto('applications')
        .values({ ...applicationRow({ id, ...references }), ...over })
        .execute(),
    );

  it('keeps every application as it was, with no session and as the current one of its cart', async () => {
    const rows = await database.query.selectFrom('applications').selectAll().orderBy('id').execute();
    const expected = ids.map((id) => {
      const { notice_code: _notice, ...kept } = oldApplication(id);
      return { ...kept, session_hash: '', superseded_at: null };
    });
    expect(rows).toEqual(expected.sort((one, other) => (one.id < other.id ? -1 : 1)));
  });

  it('keeps every index, and every reference to an application', async () => {
    expect(await indexesOf(database.query as never)).toEqual(
      [...indexesBefore, 'applications_current', 'applications_superseded'].sort(),
    );
    if (engine === 'sqlite') {
      expect((await sql`pragma foreign_key_check`.execute(database.query)).rows).toEqual([]);
    }
    const orphan = database.write((tx) =>
      tx.updateTable('applications').set({ id: 'other' }).where('id', '=', ids[0]!).execute(),
    );
    await expect(orphan).rejects.toThrow(/foreign key/i);
    await expect(add('of no cart', { cart_id: 'unknown' })).rejects.toThrow(/foreign key/i);
  });

  it('lets a cart have one current application, and any number that were replaced', async () => {
    const cart_id = ids[1]!;
    await expect(add('second', { cart_id })).rejects.toThrow(/unique/i);
    const replace = (id: string) =>
      database.write((tx) => tx.updateTable('applications').set({ superseded_at: at }).where('id', '=', id).execute());
    await replace(cart_id);
    await add('second', { cart_id });
    await replace('second');
    await add('third', { cart_id });
    await expect(add('fourth', { cart_id })).rejects.toThrow(/unique/i);
  });

  it('rejects a session hash of another length', async () => {
    await expect(add('short', { cart_id: ids[2]!, superseded_at: at, session_hash: 'abc' })).rejects.toThrow(/check/i);
  });
});
