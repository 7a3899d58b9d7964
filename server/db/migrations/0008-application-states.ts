import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

/** What an application must remember through every state: whom it waits for, how much is lent, the card for the rest, why not. */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const amount = engine === 'sqlite' ? 'integer' : 'bigint';
  const addText = (name: string, fallback: string) =>
    database.schema
      .alterTable('applications')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(fallback))
      .execute();
  const addNullable = (name: string, type: 'text' | 'integer' | 'bigint') =>
    database.schema.alterTable('applications').addColumn(name, type).execute();

  await addText('language', 'en');
  await addNullable('request_id', 'text');
  await addNullable('asked_until', 'text');
  await addNullable('financed_cents', amount);
  await addText('card_reference', '');
  await addText('card_label', '');
  await addText('denial_reasons_json', '[]');
  // The sweep looks for those whose time is over, and those a lender has not answered.
  await database.schema
    .createIndex('applications_by_expires_at')
    .on('applications')
    .columns(['status', 'expires_at', 'id'] as never)
    .execute();
  await sql`create index applications_asked on applications (asked_until) where asked_until is not null`.execute(database);
}
