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
  const created = { created_at: at };
  await insert(tx, 'tenants', { id: 'tenant', name: 'Acme', ...created });
  const merchant = { tenant_id: 'tenant', name: 'Acme', store_url: 'https://shop.example/', default_program_id: 'program' };
  await insert(tx, 'merchants', { id: 'merchant', ...merchant, ...created });
  const ofMerchant = { merchant_id: 'merchant', ...created };
  await insert(tx, 'programs', { id: 'program', ...ofMerchant });
  const cart = {
    code_hash: 'c'.repeat(64),
    status: 'COMPLETED',
    created_by_hash: '',
    expires_on: '2030-01-01',
    program_id: 'program',
  };
  await insert(tx, 'carts', {
    id: 'cart',
    ...cart,
    ...ofMerchant,
    sealed: seal(tx, 'carts', { id: 'cart', ...cart, ...ofMerchant }, {}),
  });
  const application = {
    id: 'application',
    tenant_id: 'tenant',
    buyer_id: 'buyer',
    program_id: 'program',
    cart_id: 'cart',
    session_hash: '',
    ...ofMerchant,
  };
  await insert(tx, 'applications', {
    ...application,
    status: 'CHECKOUT_COMPLETED',
    status_code: '000000',
    currency: 'USD',
    offers_json: '[]',
    updated_at: at,
    expires_at: at,
    sealed: seal(tx, 'applications', application, {}),
    revision: 1,
  });
  const transaction = { id: 'transaction', cart_id: 'cart', application_id: 'application', ...ofMerchant };
  await insert(tx, 'transactions', {
    ...transaction,
    status: 'SETTLED',
    status_since: at,
    order_ref: '',
    merchant_order_id: '',
    total_cents: 5_000,
    adjusted_total_cents: 4_000,
    refunded_cents: 1_000,
    shipping_cents: 0,
    shipping_method_code: '',
    shipping_method_name: '',
    carrier_name: '',
    updated_at: at,
    sealed: seal(tx, 'transactions', transaction, {}),
    revision: 2,
  });
  const event = { transaction_id: 'transaction', actor: 'system', at };
  await insert(tx, 'transaction_events', { ...event, sequence: 1, type: 'created', amount_cents: 5_000 });
  await insert(tx, 'transaction_events', { ...event, sequence: 2, type: 'refunded', amount_cents: 1_000 });
}

describeOnEveryEngine('The migration to requested amounts', (engine) => {
  it('keeps the rows of the journal, without an amount that they requested, and new rows can have one', async () => {
    const database = await createDatabaseAt('0001-initial', engine);
    await database.write(insertPurchase);

    await database.migrate();

    const row = { transaction_id: 'transaction', type: 'refunded', lines_json: '[]', actor: 'system', at } as const;
    const large = { ...row, sequence: 3, amount_cents: 4_000, requested_cents: 99_999_999_999 };
    await database.write((tx) => tx.insertInto('transaction_events').values(large).execute());
    const journal = database.query.selectFrom('transaction_events').select(['sequence', 'amount_cents', 'requested_cents']);
    expect(await journal.orderBy('sequence').execute()).toEqual([
      { sequence: 1, amount_cents: 5_000, requested_cents: null },
      { sequence: 2, amount_cents: 1_000, requested_cents: null },
      { sequence: 3, amount_cents: 4_000, requested_cents: 99_999_999_999 },
    ]);
  });
});
