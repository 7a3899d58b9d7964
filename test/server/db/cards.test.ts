/** A database of the release before cards, with purchases in it, brought up to date. */
import { Sqlite } from '../../../server/db/driver.ts';
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely';
import pg from 'pg';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../server/db/database.ts';
import { createMigrator } from '../../../server/db/migrate.ts';
import type { Schema } from '../../../server/db/schema.ts';
import { auditTransactions } from '../../../server/transactions/audit.ts';
import { describeOnEveryEngine, type Engine, givenDatabaseUrl } from '../../support/engines.ts';

const at = '2026-11-21T09:30:00.000000Z';

function connect(engine: Engine, url: string): Kysely<any> {
  const path = url.slice('sqlite:'.length);
  const postgres = () => new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) });
  const dialect = engine === 'sqlite' ? new SqliteDialect({ database: new Sqlite(path) }) : postgres();
  return new Kysely<any>({ dialect });
}

const transactionRow = (id: string, status: string, card_declines: 0 | 1) => ({
  id,
  merchant_id: 'm',
  cart_id: id,
  application_id: id,
  status,
  status_since: at,
  order_ref: '',
  merchant_order_id: '',
  total_cents: 5_000,
  adjusted_total_cents: status === 'CANCELED' ? 0 : 5_000,
  canceled_cents: status === 'CANCELED' ? 5_000 : 0,
  tax_cents: null,
  shipping_cents: 0,
  shipping_method_code: '',
  shipping_method_name: '',
  tracking_number: '',
  carrier_name: '',
  card_declines,
  line_items_json: '[]',
  discounts_json: '[]',
  billing_contact_json: '{}',
  shipping_contact_json: '{}',
  created_at: at,
  updated_at: at,
  revision: status === 'PENDING' ? 1 : 2,
});

/** As little of an application as there could be then. */
const applied = {
  tenant_id: 't',
  buyer_id: 'b',
  status: 'CHECKOUT_COMPLETED',
  status_code: '610000',
  billing_contact_json: '{}',
  shipping_contact_json: '{}',
  totals_json: '{}',
  offers_json: '[]',
  payment_agreements_json: '[]',
  updated_at: at,
  expires_at: at,
  revision: 1,
};

describeOnEveryEngine('A database from before cards', (engine) => {
  it('has purchases whose card declines go on declining, as long as they are PENDING', async () => {
    const { url, remove } = await givenDatabaseUrl(engine);
    const old = connect(engine, url);
    const { error } = await createMigrator(old as Kysely<Schema>, engine).migrateTo('0008-application-states');
    if (error) throw error as Error;
    const insert = (table: string, row: object) => old.insertInto(table).values(row).execute();
    await insert('tenants', { id: 't', name: 'Acme', created_at: at });
    const merchant = { tenant_id: 't', name: 'Acme', store_url: 'https://shop.example/', default_program_id: 'p' };
    await insert('merchants', { id: 'm', ...merchant, created_at: at });
    await insert('programs', { id: 'p', merchant_id: 'm', code: 'standard', created_at: at });
    const rows = [
      transactionRow('declining', 'PENDING', 1),
      transactionRow('gone', 'CANCELED', 1),
      transactionRow('plain', 'PENDING', 0),
    ];
    for (const row of rows) {
      const references = { id: row.id, merchant_id: 'm', program_id: 'p', created_at: at };
      const cart = { code: row.id, status: 'COMPLETED', created_by: '', expires_on: '2026-11-28', options_json: '{}' };
      await insert('carts', { ...references, ...cart });
      await insert('applications', { ...references, ...applied, cart_id: row.id });
      await insert('transactions', row);
      const event = { transaction_id: row.id, amount_cents: 5_000, at };
      await insert('transaction_events', { ...event, sequence: 1, type: 'created' });
      if (row.revision === 2) await insert('transaction_events', { ...event, sequence: 2, type: 'canceled' });
    }
    await old.destroy();

    const database = openDatabase(url);
    await database.migrate();
    const cards = database.query
      .selectFrom('transactions')
      .select(['id', 'card_cents', 'card_reference', 'card_label'])
      .orderBy('id');
    const none = { card_cents: 0, card_reference: '', card_label: '' };
    expect(await cards.execute()).toEqual([
      { id: 'declining', card_cents: 5_000, card_reference: 'tok_declined', card_label: 'Visa 0002' },
      { id: 'gone', ...none },
      { id: 'plain', ...none },
    ]);
    for await (const differences of auditTransactions(database.query)) expect(differences).toEqual([]);
    await database.close();
    await remove();
  });
});
