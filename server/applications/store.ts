import type { Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import type { ApplicationTable } from '../db/schema.ts';
import { ServiceError } from '../errors.ts';

export type ApplicationRow = Selectable<ApplicationTable>;

/** The application for a cart; there is at most one. */
export async function findApplicationOfCart(query: Query, cartId: string): Promise<ApplicationRow | undefined> {
  return query.selectFrom('applications').selectAll().where('cart_id', '=', cartId).executeTakeFirst();
}

export async function addApplication(tx: Tx, row: ApplicationRow): Promise<void> {
  await tx.insertInto('applications').values(row).execute();
}

/**
 * Saves an application, if nobody saved it since it was read.
 *
 * @throws ServiceError `changed-meanwhile`
 */
export async function saveApplication(tx: Tx, row: ApplicationRow): Promise<ApplicationRow> {
  const { id, revision, ...values } = row;
  const { numUpdatedRows } = await tx
    .updateTable('applications')
    .set({ ...values, revision: revision + 1 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) {
    throw new ServiceError('changed-meanwhile', `Application ${id} was changed by another request; please retry.`);
  }
  return { ...row, revision: revision + 1 };
}
