import type { Database, Query } from './database.ts';
import { requireDataKeys } from './data-keys.ts';
import { openRow, openRows } from './sealed.ts';

/** Number of carts that are changed in one database transaction. */
const BATCH_SIZE = 500;

/**
 * Copies the sealed `orderRef` of carts from before its column into the column, to find them by it. Works in small database transactions,
 * and continues after an interruption. A damaged cart is found by no reference.
 *
 * @throws Error - a data key is missing.
 */
export async function copyOrderRefs(database: Database, batchSize = BATCH_SIZE): Promise<void> {
  if (!(await hasUncopiedOrderRefs(database.query))) return;
  await requireDataKeys(database);
  for (;;) {
    const rows = await uncopied(database.query).selectAll().orderBy('id').limit(batchSize).execute();
    const opened = await openRows(database.query, rows, (row) => ({
      id: row.id,
      orderRef: openRow(database.query, 'carts', row).options.orderRef ?? '',
    }));
    const orderRefs = new Map(opened.map(({ id, orderRef }) => [id, orderRef]));
    await database.write(async (tx) => {
      for (const { id } of rows) {
        const orderRef = orderRefs.get(id) ?? '';
        await tx.updateTable('carts').set({ orderRef }).where('id', '=', id).where('orderRef', 'is', null).execute();
      }
    });
    if (rows.length < batchSize) return;
  }
}

/** Returns true until `copyOrderRefs` has copied all references. */
export async function hasUncopiedOrderRefs(query: Query): Promise<boolean> {
  return (await uncopied(query).select('id').limit(1).executeTakeFirst()) !== undefined;
}

function uncopied(query: Query) {
  return query.selectFrom('carts').where('orderRef', 'is', null);
}
