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
      { subjectHash: hash, attemptsJson: `["${at}"]`, lastAttemptAt: at },
    ]);
  });

  it('attributes e-mails to the only application of their recipient at their merchant', async () => {
    const database = await createDatabaseAt('0003-authenticated-rows', engine);
    await database.write(async (tx) => {
      const insert = (table: string, rows: object[]) =>
        (tx as unknown as Kysely<Record<string, object>>).insertInto(table).values(rows).execute();
      await insert('tenants', [{ id: 'tenant', name: 'Acme', createdAt: at }]);
      for (const id of ['shop', 'other']) {
        const merchant = { id, tenantId: 'tenant', name: id, storeUrl: 'https://shop.example/' };
        await insert('merchants', [{ ...merchant, defaultProgramId: id, createdAt: at }]);
        await insert('programs', [{ id, merchantId: id, createdAt: at }]);
      }
      const application = (id: string, merchantId: string, emailHash: string) => ({
        id,
        tenantId: 'tenant',
        merchantId,
        buyerId: 'buyer',
        programId: merchantId,
        cartId: `cart-${id}`,
        emailHash,
        status: 'DENIED',
        statusCode: '300000',
        currency: 'USD',
        offersJson: '[]',
        sealed: '',
        revision: 1,
        createdAt: at,
        updatedAt: at,
        expiresAt: at,
      });
      const applications = [
        application('ada', 'shop', 'hash-of-ada'),
        application('grace-1', 'shop', 'hash-of-grace'),
        application('grace-2', 'shop', 'hash-of-grace'),
        application('no-address', 'shop', ''),
      ];
      const cart = { status: 'OPEN', createdByHash: '', expiresOn: '2026-11-28', createdAt: at, sealed: '' };
      const carts = applications.map(({ cartId: id, merchantId, programId }, index) => {
        const codeHash = String(index).repeat(64);
        return { id, merchantId, programId, codeHash, ...cart };
      });
      await insert('carts', carts);
      await insert('applications', applications);
      const message = (id: string, merchantId: string, channel: string, recipientHash: string) => {
        const unsent = { endpoint: channel, sealed: '', attempts: 0, lastFailure: '', createdAt: at };
        return { id, merchantId, channel, recipientHash, ...unsent };
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

    const rows = database.query.selectFrom('outbox').select(['id', 'cartId', 'applicationId']).orderBy('id');
    expect(await rows.execute()).toEqual([
      { id: '1-to-ada', cartId: 'cart-ada', applicationId: 'ada' },
      { id: '2-to-grace', cartId: null, applicationId: null },
      { id: '3-of-other', cartId: null, applicationId: null },
      { id: '4-text', cartId: null, applicationId: null },
      { id: '5-callback', cartId: null, applicationId: null },
    ]);
  });
});
