import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Tx } from '../../../server/db/database.ts';
import { seal } from '../../../server/db/sealed.ts';
import { createDatabaseAt, describeOnEveryEngine } from '../../support/databases.ts';

const at = '2026-11-23T09:00:00.000000Z';

/** Inserts a row with columns of the first schema, which the types of the current one do not describe. */
async function insert(tx: Tx, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(tx);
}

/** Inserts a refunded transaction with its journal, and everything that it refers to. */
async function insertPurchase(tx: Tx): Promise<void> {
  const created = { createdAt: at };
  await insert(tx, 'tenants', { id: 'tenant', name: 'Acme', ...created });
  const merchant = { tenantId: 'tenant', name: 'Acme', storeUrl: 'https://shop.example/', defaultProgramId: 'program' };
  await insert(tx, 'merchants', { id: 'merchant', ...merchant, ...created });
  const ofMerchant = { merchantId: 'merchant', ...created };
  await insert(tx, 'programs', { id: 'program', ...ofMerchant });
  const cart = {
    codeHash: 'c'.repeat(64),
    status: 'COMPLETED',
    createdByHash: '',
    expiresOn: '2030-01-01',
    programId: 'program',
  };
  await insert(tx, 'carts', {
    id: 'cart',
    ...cart,
    ...ofMerchant,
    sealed: seal(tx, 'carts', { id: 'cart', ...cart, ...ofMerchant }, {}),
  });
  const application = {
    id: 'application',
    tenantId: 'tenant',
    buyerId: 'buyer',
    programId: 'program',
    cartId: 'cart',
    sessionHash: '',
    ...ofMerchant,
  };
  await insert(tx, 'applications', {
    ...application,
    status: 'CHECKOUT_COMPLETED',
    statusCode: '000000',
    currency: 'USD',
    offersJson: '[]',
    updatedAt: at,
    expiresAt: at,
    sealed: seal(tx, 'applications', application, {}),
    revision: 1,
  });
  const transaction = { id: 'transaction', cartId: 'cart', applicationId: 'application', ...ofMerchant };
  await insert(tx, 'transactions', {
    ...transaction,
    status: 'SETTLED',
    statusSince: at,
    orderRef: '',
    merchantOrderId: '',
    totalCents: 5_000,
    adjustedTotalCents: 4_000,
    refundedCents: 1_000,
    shippingCents: 0,
    shippingMethodCode: '',
    shippingMethodName: '',
    carrierName: '',
    updatedAt: at,
    sealed: seal(tx, 'transactions', transaction, {}),
    revision: 2,
  });
  const event = { transactionId: 'transaction', actor: 'system', at };
  await insert(tx, 'transaction_events', { ...event, sequence: 1, type: 'created', amountCents: 5_000 });
  await insert(tx, 'transaction_events', { ...event, sequence: 2, type: 'refunded', amountCents: 1_000 });
}

describeOnEveryEngine('The migration to requested amounts', (engine) => {
  it('keeps the rows of the journal, without an amount that they requested, and new rows can have one', async () => {
    const database = await createDatabaseAt('0001-initial', engine);
    await database.write(insertPurchase);

    await database.migrate();

    const row = { transactionId: 'transaction', type: 'refunded', linesJson: '[]', actor: 'system', at } as const;
    const large = { ...row, sequence: 3, amountCents: 4_000, requestedCents: 99_999_999_999 };
    await database.write((tx) => tx.insertInto('transaction_events').values(large).execute());
    const journal = database.query.selectFrom('transaction_events').select(['sequence', 'amountCents', 'requestedCents']);
    expect(await journal.orderBy('sequence').execute()).toEqual([
      { sequence: 1, amountCents: 5_000, requestedCents: null },
      { sequence: 2, amountCents: 1_000, requestedCents: null },
      { sequence: 3, amountCents: 4_000, requestedCents: 99_999_999_999 },
    ]);
  });
});
