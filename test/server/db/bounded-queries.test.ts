/** The migration 0002-bounded-queries. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '../../../server/db/database.ts';
import { createDatabaseAt, describeOnEveryEngine } from '../../support/databases.ts';

const AT = '2026-11-21T09:30:00.000000Z';
const DELETED_AT = '2026-11-22T09:30:00.000000Z';

/** Inserts a row without the types of the current schema. */
async function insert(database: Database, table: string, row: Record<string, string | number | null>): Promise<void> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  await database.write((tx) =>
    sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(tx),
  );
}

/** Inserts the rows of a purchase as they were before the migration. */
async function insertPurchase(database: Database, id: string, detailsDeletedAt: string | null): Promise<void> {
  const dated = { created_at: AT, sealed: 'x' };
  const of = { merchant_id: 'm', program_id: 'p', status: 'COMPLETED', ...dated };
  await insert(database, 'carts', { id, ...of, code_hash: id.repeat(64), created_by_hash: '', expires_on: '2026-11-30' });
  await insert(database, 'applications', {
    id,
    ...of,
    tenant_id: 't',
    buyer_id: 'b',
    cart_id: id,
    status: 'CHECKOUT_COMPLETED',
    status_code: '610000',
    currency: 'USD',
    offers_json: '[]',
    updated_at: AT,
    expires_at: AT,
    revision: 1,
    details_deleted_at: detailsDeletedAt,
  });
  await insert(database, 'transactions', {
    id,
    merchant_id: 'm',
    cart_id: id,
    application_id: id,
    status: 'SETTLED',
    status_since: AT,
    order_ref: '',
    ...dated,
    merchant_order_id: '',
    total_cents: 1,
    adjusted_total_cents: 1,
    shipping_cents: 0,
    shipping_method_code: '',
    shipping_method_name: '',
    carrier_name: '',
    updated_at: AT,
    revision: 1,
  });
}

describeOnEveryEngine('The migration to bounded queries', (engine) => {
  it('dates the deletion of the contacts of transactions as that of their applications', async () => {
    const database = await createDatabaseAt('0001-initial', engine);
    await insert(database, 'tenants', { id: 't', name: '', created_at: AT });
    const merchant = { id: 'm', tenant_id: 't', name: '', store_url: '', default_program_id: 'p', created_at: AT };
    await insert(database, 'merchants', merchant);
    await insert(database, 'programs', { id: 'p', merchant_id: 'm', created_at: AT });
    await insertPurchase(database, 'a', null);
    await insertPurchase(database, 'b', DELETED_AT);

    await database.migrate();

    const rows = await database.query.selectFrom('transactions').select(['id', 'contacts_deleted_at']).orderBy('id').execute();
    expect(rows).toEqual([
      { id: 'a', contacts_deleted_at: null },
      { id: 'b', contacts_deleted_at: DELETED_AT },
    ]);
  });
});
