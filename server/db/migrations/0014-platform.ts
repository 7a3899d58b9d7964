import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';
import { showApplications } from './0014-shown-applications.ts';

/** What the platform API lists of an application, what it is found by, and the keys that tokens are signed with. */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const addText = (name: string, fallback: string) =>
    database.schema
      .alterTable('applications')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(fallback))
      .execute();
  await addText('order_json', '{}');
  await addText('shown_agreements_json', '[]');
  await addText('metadata_json', '{}');
  await addText('normalized_address_hash', '');
  await database.schema.alterTable('applications').addColumn('payment_method_id', 'text').execute();
  await showApplications(database);

  // Each begins with what a listing names and ends with what it is sorted by, so that a page is read where it begins. The moment
  // of creation at the end of those by change is for what is changed within a range and sorted by creation (decisions/0031).
  const orders = { created: 'created_at, id', updated: 'updated_at, id, created_at' };
  const found = {
    tenant: 'tenant_id',
    merchant: 'tenant_id, merchant_id',
    status: 'tenant_id, status_code',
    merchant_status: 'tenant_id, merchant_id, status_code',
    program_status: 'tenant_id, program_id, status_code',
  };
  const index = (name: string, columns: string) =>
    sql`create index ${sql.raw(`applications_of_${name} on applications (${columns})`)}`.execute(database);
  for (const [name, columns] of Object.entries(found)) {
    for (const [order, ordered] of Object.entries(orders)) await index(`${name}_by_${order}`, `${columns}, ${ordered}`);
  }
  // Of one buyer, or one address, there are few: whatever else is asked is looked up in their rows.
  await index('buyer', `tenant_id, buyer_id, ${orders.created}`);
  await index('address', `tenant_id, normalized_address_hash, ${orders.created}`);

  const keys = database.schema
    .createTable('signing_keys')
    .addColumn('kid', 'text', (column) => column.primaryKey().notNull())
    .addColumn('algorithm', 'text', (column) => column.notNull())
    .addColumn('public_jwk_json', 'text', (column) => column.notNull())
    .addColumn('private_jwk_json', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('retired_at', 'text');
  await (engine === 'sqlite' ? keys.modifyEnd(sql`strict`) : keys).execute();
}
