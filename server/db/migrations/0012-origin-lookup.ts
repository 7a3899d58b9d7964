import type { Kysely } from 'kysely';

/** Whether anybody has registered the origin of a page is asked before it is known whose page it is. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createIndex('merchant_origins_by_origin')
    .on('merchant_origins')
    .columns(['origin'] as never)
    .execute();
}
