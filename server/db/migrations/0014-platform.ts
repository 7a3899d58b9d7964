import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

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

  // Each begins with what the query names and ends with what it is sorted by, so that a page is read where it begins.
  const found: Record<string, string> = {
    tenant: '',
    merchant: 'merchant_id',
    program: 'program_id',
    status: 'status_code',
    merchant_status: 'merchant_id, status_code',
    buyer: 'buyer_id',
    address: 'normalized_address_hash',
  };
  for (const [name, columns] of Object.entries(found)) {
    // Of one buyer, or one address, there are few: they need no order of their own.
    const orders = name === 'buyer' || name === 'address' ? ['created_at'] : ['created_at', 'updated_at'];
    for (const order of orders) {
      const all = ['tenant_id', ...(columns ? [columns] : []), order, 'id'].join(', ');
      await sql`create index ${sql.raw(`applications_of_${name}_by_${order} on applications (${all})`)}`.execute(database);
    }
  }

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
