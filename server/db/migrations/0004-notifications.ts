import { randomBytes } from 'node:crypto';
import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import { v7 } from 'uuid';
import type { Engine } from '../migrate.ts';

/**
 * The outbox carries e-mails and texts beside callbacks, and keeps a log of every attempt. Merchants get a secret that their
 * callbacks are signed with.
 */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const create = (table: string, columns: (builder: CreateTableBuilder<string>) => CreateTableBuilder<string>) => {
    const builder = columns(database.schema.createTable(table));
    return (engine === 'sqlite' ? builder.modifyEnd(sql`strict`) : builder).execute();
  };
  const outbox = () => database.schema.alterTable('outbox');

  await outbox()
    .addColumn('channel', 'text', (column) => column.notNull().defaultTo('callback'))
    .execute();
  await outbox()
    .addColumn('replayed_after', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await outbox().addColumn('began_at', 'text').execute();
  await database.schema
    .createIndex('outbox_by_merchant')
    .on('outbox')
    .columns(['merchant_id', 'id'] as never)
    .execute();

  await create('delivery_attempts', (table) =>
    table
      .addColumn('delivery_id', 'text', (column) => column.notNull().references('outbox.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'text', (column) => column.notNull())
      .addColumn('duration_ms', 'integer')
      .addColumn('status_code', 'integer')
      .addColumn('failure', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('delivery_attempts_pk', ['delivery_id', 'number'] as never),
  );

  await create('callback_secrets', (table) =>
    table
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('merchant_id', 'text', (column) => column.notNull().references('merchants.id'))
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('retired_at', 'text'),
  );
  await database.schema.createIndex('callback_secrets_by_merchant').on('callback_secrets').column('merchant_id').execute();

  const { rows: merchants } = await sql<{ id: string }>`select id from merchants`.execute(database);
  for (const { id } of merchants) {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const now = new Date().toISOString().replace(/Z$/, '000Z');
    await sql`insert into callback_secrets (id, merchant_id, secret, created_at) values (${v7()}, ${id}, ${secret}, ${now})`.execute(
      database,
    );
  }
}
