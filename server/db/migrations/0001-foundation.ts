import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

/** Tenants, merchants and their keys, programs, carts, applications, transactions with their journal, and the outbox. */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  // STRICT tables know neither varchar nor bigint; SQLite's integer has 64 bits, PostgreSQL's has 32.
  const amount = engine === 'sqlite' ? 'integer' : 'bigint';
  const create = (table: string, columns: (builder: CreateTableBuilder<string>) => CreateTableBuilder<string>) => {
    const builder = columns(database.schema.createTable(table));
    return (engine === 'sqlite' ? builder.modifyEnd(sql`strict`) : builder).execute();
  };

  await create('tenants', (table) =>
    table
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull()),
  );

  await create('merchants', (table) =>
    table
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('store_url', 'text', (column) => column.notNull())
      .addColumn('default_program_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull()),
  );

  await create('merchant_origins', (table) =>
    table
      .addColumn('merchant_id', 'text', (column) => column.notNull().references('merchants.id'))
      .addColumn('origin', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('merchant_origins_pk', ['merchant_id', 'origin'] as never),
  );

  await create('merchant_keys', (table) =>
    table
      .addColumn('api_key', 'text', (column) => column.primaryKey().notNull())
      .addColumn('merchant_id', 'text', (column) => column.notNull().references('merchants.id'))
      .addColumn('secret_hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('retired_at', 'text'),
  );

  await create('programs', (table) =>
    table
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('merchant_id', 'text', (column) => column.notNull().references('merchants.id'))
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('document_json', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull()),
  );
  await database.schema.createIndex('programs_by_merchant').on('programs').column('merchant_id').execute();

  await create('carts', (table) =>
    table
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('merchant_id', 'text', (column) => column.notNull().references('merchants.id'))
      .addColumn('code', 'text', (column) => column.notNull().unique())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('expires_on', 'text', (column) => column.notNull())
      .addColumn('program_id', 'text', (column) => column.notNull().references('programs.id'))
      .addColumn('options_json', 'text', (column) => column.notNull())
      .addColumn('transaction_id', 'text')
      .addColumn('created_at', 'text', (column) => column.notNull()),
  );

  await create('applications', (table) =>
    table
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('tenant_id', 'text', (column) => column.notNull().references('tenants.id'))
      .addColumn('merchant_id', 'text', (column) => column.notNull().references('merchants.id'))
      .addColumn('buyer_id', 'text', (column) => column.notNull())
      .addColumn('program_id', 'text', (column) => column.notNull().references('programs.id'))
      .addColumn('cart_id', 'text', (column) => column.notNull().unique().references('carts.id'))
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('status_code', 'text', (column) => column.notNull())
      .addColumn('tier_id', 'text')
      .addColumn('offer_id', 'text')
      .addColumn('billing_contact_json', 'text', (column) => column.notNull())
      .addColumn('shipping_contact_json', 'text', (column) => column.notNull())
      .addColumn('shipping_type_id', 'text')
      .addColumn('totals_json', 'text', (column) => column.notNull())
      .addColumn('offers_json', 'text', (column) => column.notNull())
      .addColumn('payment_agreements_json', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull()),
  );

  await create('transactions', (table) =>
    table
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('merchant_id', 'text', (column) => column.notNull().references('merchants.id'))
      .addColumn('cart_id', 'text', (column) => column.notNull().unique().references('carts.id'))
      .addColumn('application_id', 'text', (column) => column.notNull().unique().references('applications.id'))
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('order_ref', 'text', (column) => column.notNull())
      .addColumn('merchant_order_id', 'text', (column) => column.notNull())
      .addColumn('total_cents', amount, (column) => column.notNull())
      .addColumn('adjusted_total_cents', amount, (column) => column.notNull())
      .addColumn('tax_cents', amount)
      .addColumn('shipping_cents', amount, (column) => column.notNull())
      .addColumn('shipping_method_code', 'text', (column) => column.notNull())
      .addColumn('shipping_method_name', 'text', (column) => column.notNull())
      .addColumn('tracking_number', 'text', (column) => column.notNull())
      .addColumn('carrier_name', 'text', (column) => column.notNull())
      .addColumn('line_items_json', 'text', (column) => column.notNull())
      .addColumn('discounts_json', 'text', (column) => column.notNull())
      .addColumn('billing_contact_json', 'text', (column) => column.notNull())
      .addColumn('shipping_contact_json', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addCheckConstraint('adjusted_total_is_possible', sql`adjusted_total_cents between 0 and total_cents`),
  );

  await create('transaction_events', (table) =>
    table
      .addColumn('transaction_id', 'text', (column) => column.notNull().references('transactions.id'))
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('amount_cents', amount, (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('transaction_events_pk', ['transaction_id', 'sequence'] as never),
  );

  await create('outbox', (table) =>
    table
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('merchant_id', 'text', (column) => column.notNull().references('merchants.id'))
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('due_at', 'text')
      .addColumn('delivered_at', 'text')
      .addColumn('last_failure', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull()),
  );
  await database.schema.createIndex('outbox_by_due_at').on('outbox').column('due_at').execute();
}
