/** A database of the release before, with transactions in it, brought up to date; and what it refuses afterwards. */
import { Sqlite } from '../../../server/db/driver.ts';
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { createMigrator } from '../../../server/db/migrate.ts';
import type { Schema } from '../../../server/db/schema.ts';
import { atTheEnd } from '../../support/cleanup.ts';
import { describeOnEveryEngine, type Engine, givenDatabaseUrl } from '../../support/engines.ts';

const [bought, authorized] = ['2026-11-21T09:30:00.000000Z', '2026-11-23T10:00:00.000000Z'];

/** What ends a change that was possible, and is taken back. */
const UNDONE = 'It was possible';

/** A connection of our own, since the service's always wants the newest tables. */
function connect(engine: Engine, url: string): Kysely<any> {
  return new Kysely<any>({
    dialect:
      engine === 'sqlite'
        ? new SqliteDialect({ database: new Sqlite(url.slice('sqlite:'.length)) })
        : new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
  });
}

/** A transaction of each kind there could be, as its row was written then. */
async function fill(database: Kysely<any>): Promise<void> {
  const insert = (table: string, row: object) => database.insertInto(table).values(row).execute();
  await insert('tenants', { id: 't', name: 'Acme', created_at: bought });
  const merchant = { id: 'm', tenant_id: 't', name: 'Acme', store_url: 'https://shop.example/', default_program_id: 'p' };
  await insert('merchants', { ...merchant, created_at: bought });
  await insert('programs', { id: 'p', merchant_id: 'm', code: 'standard', created_at: bought });
  for (const status of ['PENDING', 'AUTHORIZED']) {
    const references = { id: status, merchant_id: 'm', program_id: 'p', created_at: bought };
    const cart = { code: status, status: 'OPEN', created_by: '', expires_on: '2026-11-28', options_json: '{}' };
    await insert('carts', { ...references, ...cart });
    const contacts = { billing_contact_json: '{}', shipping_contact_json: '{}' };
    await insert('applications', {
      ...references,
      ...contacts,
      tenant_id: 't',
      buyer_id: 'b',
      cart_id: status,
      status: 'CHECKOUT_COMPLETED',
      status_code: '000000',
      totals_json: '{}',
      offers_json: '[]',
      payment_agreements_json: '[]',
      updated_at: bought,
      expires_at: bought,
      revision: 1,
    });
    await insert('transactions', {
      id: status,
      merchant_id: 'm',
      cart_id: status,
      application_id: status,
      status,
      order_ref: 'O-1',
      merchant_order_id: '',
      total_cents: 5_000,
      adjusted_total_cents: 5_000,
      tax_cents: null,
      shipping_cents: status === 'PENDING' ? 700 : 9_000,
      shipping_method_code: '',
      shipping_method_name: '',
      tracking_number: '',
      carrier_name: '',
      line_items_json: '[]',
      discounts_json: '[]',
      ...contacts,
      created_at: bought,
      updated_at: bought,
      revision: status === 'PENDING' ? 1 : 2,
    });
    const event = { transaction_id: status, sequence: 1, type: 'created', amount_cents: 5_000, at: bought };
    await insert('transaction_events', event);
    if (status === 'PENDING') continue;
    await insert('transaction_events', { ...event, sequence: 2, type: 'authorized', at: authorized });
  }
}

describeOnEveryEngine('A database from before money came back', (engine) => {
  let database: Database;
  beforeAll(async () => {
    const { url, remove } = await givenDatabaseUrl(engine);
    const old = connect(engine, url);
    const { error } = await createMigrator(old as Kysely<Schema>, engine).migrateTo('0002-program-versions');
    if (error) throw error as Error;
    await fill(old);
    await old.destroy();

    database = openDatabase(url);
    await database.migrate();
    atTheEnd(async () => {
      await database.close();
      await remove();
    });
  });
  const change = (statement: string) => database.write((tx) => sql.raw(statement).execute(tx));
  /** Takes back what the statements did, so that the next example finds everything as it was. */
  const tried = (...statements: string[]) =>
    database.write(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx);
      throw new Error(UNDONE);
    });

  it.each([
    ['PENDING', bought, 4_300],
    ['AUTHORIZED', authorized, 0],
  ])(
    'has a transaction know since when it is %s, that nothing came back, and what its lines are worth',
    async (id, since, worth) => {
      const row = await database.query.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const nothing = { canceled_cents: 0, refunded_cents: 0, gone_lines_json: '[]', card_cents: 0, card_reference: '' };
      expect(row).toMatchObject({
        status: id,
        status_since: since,
        adjusted_total_cents: 5_000,
        lines_worth_cents: worth,
        ...nothing,
      });
    },
  );

  it('has a journal in which no lines have moved', async () => {
    const events = await database.query.selectFrom('transaction_events').select('lines_json').execute();
    expect(events).toEqual([{ lines_json: '[]' }, { lines_json: '[]' }, { lines_json: '[]' }]);
  });

  describe('takes no transaction', () => {
    it.each([
      'adjusted_total_cents = 4999',
      'canceled_cents = 1',
      'refunded_cents = 1',
      'canceled_cents = 1, refunded_cents = -1',
      'canceled_cents = -1, adjusted_total_cents = 5001',
      'adjusted_total_cents = -1, refunded_cents = 5001',
      'lines_worth_cents = -1',
    ])('whose cents do not add up: %s', async (cents) => {
      await expect(change(`update transactions set ${cents} where id = 'PENDING'`)).rejects.toThrow(/check/i);
    });

    it('but one whose cents do', async () => {
      const set = 'canceled_cents = 1000, refunded_cents = 4000, adjusted_total_cents = 0';
      await expect(tried(`update transactions set ${set} where id = 'AUTHORIZED'`)).rejects.toThrow(UNDONE);
    });
  });

  it.each([
    'update transaction_events set amount_cents = 0',
    "update transaction_events set at = at where transaction_id = 'PENDING'",
    'delete from transaction_events',
    ...(engine === 'postgres' ? ['truncate transaction_events', 'truncate transactions cascade'] : []),
  ])('refuses to change what the journal says: %s', async (statement) => {
    await expect(change(statement)).rejects.toThrow('The journal of a transaction is never changed');
  });

  const inserted = (id: string, ...sequences: (number | null)[]) => {
    const rows = sequences.map((sequence) => `('${id}', ${sequence}, 'shipped', 0, '2026-11-24')`);
    return `into transaction_events (transaction_id, sequence, type, amount_cents, at) values ${rows.join(', ')}`;
  };

  describe('takes no row into the journal', () => {
    it.each([
      ['in the place of another', 'insert', 'PENDING', [1]],
      ['after a hole', 'insert', 'PENDING', [3]],
      ['far from the others', 'insert', 'PENDING', [99]],
      ['before the first', 'insert', 'PENDING', [0]],
      ['from below nothing', 'insert', 'AUTHORIZED', [-1]],
      ['of which one is next and one is not', 'insert', 'PENDING', [2, 4]],
      ...(engine === 'postgres'
        ? []
        : ([
            ['that replaces the last', 'insert or replace', 'AUTHORIZED', [2]],
            ['that replaces the first', 'replace', 'AUTHORIZED', [1]],
            ['that would be ignored', 'insert or ignore', 'AUTHORIZED', [2]],
          ] as [string, string, string, number[]][])),
    ])('%s: %s %s %j', async (_what, insert, id, sequences) => {
      const statement = `${insert} ${inserted(id, ...sequences)}`;
      await expect(tried(statement)).rejects.toThrow('The journal of a transaction takes its next row only');
    });

    it('without a sequence', async () => {
      await expect(tried(`insert ${inserted('PENDING', null)}`)).rejects.not.toThrow(UNDONE);
    });

    it('that updates one which is there already', async () => {
      const upsert = `insert ${inserted('PENDING', 1)} on conflict (transaction_id, sequence) do update set amount_cents = 9`;
      await expect(tried(upsert)).rejects.toThrow('The journal of a transaction takes its next row only');
    });

    it('but the next, and the one after it', async () => {
      await expect(tried(`insert ${inserted('PENDING', 2)}`, `insert ${inserted('PENDING', 3, 4)}`)).rejects.toThrow(UNDONE);
    });
  });

  it('has the sweep find its rows without looking at all of them', async () => {
    const question = `
      select id from transactions where status = 'PENDING' and status_since <= '2026' and (status_since, id) > ('2025', 'a')
      order by status_since, id limit 9`;
    const seen = await database.write(async (tx) => {
      // A table of two rows is read whole unless that is ruled out.
      if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(tx);
      const explained = await sql.raw(`explain ${engine === 'sqlite' ? 'query plan ' : ''}${question}`).execute(tx);
      return JSON.stringify(explained.rows);
    });
    expect(seen).toContain('transactions_by_status_since');
    expect(seen).not.toMatch(/sort|temp b-tree/i);
  });
});
