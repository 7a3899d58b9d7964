/** A database of the release before, with programs, carts and applications in it, brought up to date. */
import { Sqlite } from '../../../server/db/driver.ts';
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { standardProgram } from '../../../server/as-low-as/standard-program.ts';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { createMigrator } from '../../../server/db/migrate.ts';
import type { Schema } from '../../../server/db/schema.ts';
import { atTheEnd } from '../../support/cleanup.ts';
import { describeOnEveryEngine, type Engine, givenDatabaseUrl } from '../../support/engines.ts';

const now = '2026-11-21T09:30:00.000000Z';

/** The built-in program as it was stored at first. */
const oldDocument = (id: string) => ({
  id,
  name: 'standard',
  version: 1,
  lender: { name: 'Fairterm Lending' },
  amount: { minCents: 5_000, maxCents: 3_000_000 },
  tiers: [
    { id: 'A', label: 'Very good credit', creditBand: { min: 740, max: 850 }, advertise: true },
    { id: 'B', label: 'Good credit', creditBand: { min: 660, max: 739 }, advertise: false },
    { id: 'C', label: 'Fair credit', creditBand: { min: 580, max: 659 }, advertise: false },
  ],
  offers: [
    { id: 'standard-6', termLength: 6, tierAprBps: { A: 599, B: 1_499, C: 2_499 }, minCents: null, maxCents: null },
    { id: 'standard-12', termLength: 12, tierAprBps: { A: 799, B: 1_699, C: 2_799 }, minCents: null, maxCents: null },
    { id: 'standard-24', termLength: 24, tierAprBps: { A: 999, B: 1_999, C: 2_999 }, minCents: null, maxCents: null },
  ],
});

/** A connection of our own, since the service's always wants the newest tables. */
function connect(engine: Engine, url: string): Kysely<any> {
  return new Kysely<any>({
    dialect:
      engine === 'sqlite'
        ? new SqliteDialect({ database: new Sqlite(url.slice('sqlite:'.length)) })
        : new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
  });
}

/** Two merchants with a program each; the first has a cart and an application of every status below. */
async function fill(database: Kysely<any>): Promise<void> {
  await database.insertInto('tenants').values({ id: 't', name: 'Acme', created_at: now }).execute();
  for (const n of [1, 2]) {
    const merchant = { tenant_id: 't', name: 'Acme', store_url: 'https://shop.example/', created_at: now };
    await database
      .insertInto('merchants')
      .values({ ...merchant, id: `m_${n}`, default_program_id: `p_${n}` })
      .execute();
    const document_json = JSON.stringify(oldDocument(`p_${n}`));
    await database
      .insertInto('programs')
      .values({ id: `p_${n}`, merchant_id: `m_${n}`, version: 1, document_json, created_at: now })
      .execute();
  }
  for (const [status, tier_id, expires_at] of applications) {
    const cart = {
      merchant_id: 'm_1',
      status: 'OPEN',
      created_by: '',
      expires_on: '2026-11-28',
      program_id: 'p_1',
      created_at: now,
    };
    await database
      .insertInto('carts')
      .values({ ...cart, id: `c_${status}`, code: status, options_json: '{}' })
      .execute();
    await database
      .insertInto('applications')
      .values({
        id: status,
        tenant_id: 't',
        merchant_id: 'm_1',
        buyer_id: 'b',
        program_id: 'p_1',
        cart_id: `c_${status}`,
        status,
        status_code: '000000',
        tier_id,
        billing_contact_json: '{}',
        shipping_contact_json: '{}',
        totals_json: '{}',
        offers_json: '[]',
        payment_agreements_json: '[]',
        created_at: now,
        updated_at: now,
        expires_at,
        revision: 1,
      })
      .execute();
  }
}

/** Status, tier, when it expires; then the version and the day that it must end up with. */
const applications: [string, string | null, string, number | null, string | null][] = [
  ['STARTED', null, '2026-11-28T09:30:00.000000Z', null, null],
  ['DENIED', null, '2026-11-28T09:30:00.000000Z', 1, null],
  ['APPROVED', 'A', '2026-11-29T23:59:59.999999Z', 1, '2026-11-22'],
  ['CHECKOUT_PREPARED', 'B', '2027-01-03T00:00:00.000000Z', 1, '2026-12-27'],
  ['CHECKOUT_COMPLETED', 'C', '2028-03-02T12:00:00.000000Z', 1, '2028-02-24'],
];

describeOnEveryEngine('A database from before programs had versions', (engine) => {
  let database: Database;
  beforeAll(async () => {
    const { url, remove } = await givenDatabaseUrl(engine);
    atTheEnd(remove);
    const before = connect(engine, url);
    const { error } = await createMigrator(before as Kysely<Schema>, engine).migrateTo('0001-foundation');
    if (error) throw error as Error;
    await fill(before);
    await before.destroy();

    database = openDatabase(url);
    atTheEnd(() => database.close());
    await database.migrate();
  });

  it('keeps its programs by the ids they had, known to merchants as "standard"', async () => {
    const programs = await database.query.selectFrom('programs').selectAll().orderBy('id').execute();
    expect(programs).toEqual([
      { id: 'p_1', merchant_id: 'm_1', code: 'standard', created_at: now },
      { id: 'p_2', merchant_id: 'm_2', code: 'standard', created_at: now },
    ]);
  });

  it('has their documents as versions, complete as a program imported today', async () => {
    const versions = await database.query.selectFrom('program_versions').selectAll().orderBy('program_id').execute();
    const version = { version: 1, status: 'active', effective_from: '1970-01-01', effective_to: null, created_at: now };
    expect(versions).toMatchObject([
      { ...version, program_id: 'p_1' },
      { ...version, program_id: 'p_2' },
    ]);
    for (const { document_json } of versions) expect(JSON.parse(document_json)).toEqual(standardProgram);
  });

  it.each(applications)(
    'has an application that is %s keep what it was decided by',
    async (id, _tier, _expires, version, day) => {
      const row = await database.query.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      expect(row).toMatchObject({ program_version: version, approved_on: day });
    },
  );

  it('takes no second program of the same code from a merchant', async () => {
    const again = database.write((tx) =>
      tx.insertInto('programs').values({ id: 'p_3', merchant_id: 'm_1', code: 'standard', created_at: now }).execute(),
    );
    await expect(again).rejects.toThrow(/unique/i);
  });

  describe('has versions that', () => {
    it.each([
      'update program_versions set status = status',
      'delete from program_versions',
      engine === 'sqlite'
        ? 'insert or replace into program_versions select * from program_versions'
        : 'truncate program_versions',
    ])('nothing changes afterwards: %s', async (statement) => {
      const change = database.write((tx) => sql.raw(statement).execute(tx));
      await expect(change).rejects.toThrow('A version of a program is never changed');
    });

    it('are there once each', async () => {
      const again = database.write((tx) =>
        sql`insert into program_versions select * from program_versions where program_id = 'p_1'`.execute(tx),
      );
      await expect(again).rejects.toThrow(/unique|never changed/i);
    });
  });
});
