import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

/** Requests with an idempotency key: who is answering one, what its writes came to, and what was answered. */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const keys = database.schema
    .createTable('idempotency_keys')
    .addColumn('merchant_id', 'text', (column) => column.notNull().references('merchants.id'))
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('leased_until', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['merchant_id', 'key'] as never);
  const answers = database.schema
    .createTable('idempotency_answers')
    .addColumn('merchant_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('headers_json', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_answers_pk', ['merchant_id', 'key'] as never);
  const writes = database.schema
    .createTable('idempotency_writes')
    .addColumn('merchant_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('result_json', 'text')
    .addPrimaryKeyConstraint('idempotency_writes_pk', ['merchant_id', 'key', 'ordinal'] as never);
  for (const table of [keys, answers, writes]) await (engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute();

  await database.schema
    .createIndex('idempotency_keys_by_expiry')
    .on('idempotency_keys')
    .columns(['expires_at'] as never)
    .execute();
}
