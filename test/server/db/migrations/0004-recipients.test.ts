import { expect, it } from 'vitest';
import { type Kysely, sql } from 'kysely';
import { createDatabaseAt, describeOnEveryEngine } from '../../../support/databases.ts';

const at = '2026-11-21T09:30:00.000000Z';

describeOnEveryEngine('Migration 0004', (engine) => {
  it('keeps the counted attempts of persons', async () => {
    const database = await createDatabaseAt('0003-authenticated-rows', engine);
    const hash = 'a'.repeat(64);
    await database.write((tx) => sql`insert into application_attempts values (${hash}, ${`["${at}"]`}, ${at})`.execute(tx));

    await database.migrate();

    expect(await database.query.selectFrom('limited_attempts').selectAll().execute()).toEqual([
      { subject_hash: hash, attempts_json: `["${at}"]`, last_attempt_at: at },
    ]);
  });

  it('attributes e-mails to the only application of their recipient at their merchant', async () => {
    const database = await createDatabaseAt('0003-authenticated-rows', engine);
    await database.write(async (tx) => {
      const insert = (table: string, rows: object[]) =>
        (tx as unknown as Kysely<Record<string, object>>).insertInto(table).values(rows).execute();
      await insert('tenants', [{ id: 'tenant', name: 'Acme', created_at: at }]);
      for (const id of ['shop', 'other']) {
        const merchant = { id, tenant_id: 'tenant', name: id, store_url: 'https://shop.example/' };
        await insert('merchants', [{ ...merchant, default_program_id: id, created_at: at }]);
        await insert('programs', [{ id, merchant_id: id, created_at: at }]);
      }
      const application = (id: string, merchant_id: string, email_hash: string) => ({
        id,
        tenant_id: 'tenant',
        merchant_id,
        buyer_id: 'buyer',
        program_id: merchant_id,
        cart_id: `cart-${id}`,
        email_hash,
        status: 'DENIED',
        status_code: '300000',
        currency: 'USD',
        offers_json: '[]',
        sealed: '',
        revision: 1,
        created_at: at,
        updated_at: at,
        expires_at: at,
      });
      const applications = [
        application('ada', 'shop', 'hash-of-ada'),
        application('grace-1', 'shop', 'hash-of-grace'),
        application('grace-2', 'shop', 'hash-of-grace'),
        application('no-address', 'shop', ''),
      ];
      const cart = { status: 'OPEN', created_by_hash: '', expires_on: '2026-11-28', created_at: at, sealed: '' };
      const carts = applications.map(({ cart_id: id, merchant_id, program_id }, index) => {
        const code_hash = String(index).repeat(64);
        return { id, merchant_id, program_id, code_hash, ...cart };
      });
      await insert('carts', carts);
      await insert('applications', applications);
      const message = (id: string, merchant_id: string, channel: string, recipient_hash: string) => {
        const unsent = { endpoint: channel, sealed: '', attempts: 0, last_failure: '', created_at: at };
        return { id, merchant_id, channel, recipient_hash, ...unsent };
      };
      await insert('outbox', [
        message('1-to-ada', 'shop', 'email', 'hash-of-ada'),
        message('2-to-grace', 'shop', 'email', 'hash-of-grace'),
        message('3-of-other', 'other', 'email', 'hash-of-ada'),
        message('4-text', 'shop', 'text', 'hash-of-phone'),
        message('5-callback', 'shop', 'callback', ''),
      ]);
    });

    await database.migrate();

    const rows = database.query.selectFrom('outbox').select(['id', 'cart_id', 'application_id']).orderBy('id');
    expect(await rows.execute()).toEqual([
      { id: '1-to-ada', cart_id: 'cart-ada', application_id: 'ada' },
      { id: '2-to-grace', cart_id: null, application_id: null },
      { id: '3-of-other', cart_id: null, application_id: null },
      { id: '4-text', cart_id: null, application_id: null },
      { id: '5-callback', cart_id: null, application_id: null },
    ]);
  });
});
