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
  const dated = { createdAt: AT, sealed: 'x' };
  const of = { merchantId: 'm', programId: 'p', status: 'COMPLETED', ...dated };
  await insert(database, 'carts', { id, ...of, codeHash: id.repeat(64), createdByHash: '', expiresOn: '2026-11-30' });
  await insert(database, 'applications', {
    id,
    ...of,
    tenantId: 't',
    buyerId: 'b',
    cartId: id,
    status: 'CHECKOUT_COMPLETED',
    statusCode: '610000',
    currency: 'USD',
    offersJson: '[]',
    updatedAt: AT,
    expiresAt: AT,
    revision: 1,
    detailsDeletedAt,
  });
  await insert(database, 'transactions', {
    id,
    merchantId: 'm',
    cartId: id,
    applicationId: id,
    status: 'SETTLED',
    statusSince: AT,
    orderRef: '',
    ...dated,
    merchantOrderId: '',
    totalCents: 1,
    adjustedTotalCents: 1,
    shippingCents: 0,
    shippingMethodCode: '',
    shippingMethodName: '',
    carrierName: '',
    updatedAt: AT,
    revision: 1,
  });
}

describeOnEveryEngine('The migration to bounded queries', (engine) => {
  it('dates the deletion of the contacts of transactions as that of their applications', async () => {
    const database = await createDatabaseAt('0001-initial', engine);
    await insert(database, 'tenants', { id: 't', name: '', createdAt: AT });
    const merchant = { id: 'm', tenantId: 't', name: '', storeUrl: '', defaultProgramId: 'p', createdAt: AT };
    await insert(database, 'merchants', merchant);
    await insert(database, 'programs', { id: 'p', merchantId: 'm', createdAt: AT });
    await insertPurchase(database, 'a', null);
    await insertPurchase(database, 'b', DELETED_AT);

    await database.migrate();

    const rows = await database.query.selectFrom('transactions').select(['id', 'contactsDeletedAt']).orderBy('id').execute();
    expect(rows).toEqual([
      { id: 'a', contactsDeletedAt: null },
      { id: 'b', contactsDeletedAt: DELETED_AT },
    ]);
  });
});
