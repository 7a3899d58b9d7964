import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createDatabaseAt, describeOnEveryEngine } from '../../support/databases.ts';

const at = '2026-11-20T12:00:00.000000Z';

describeOnEveryEngine('The migration 0006-checkout-sessions', (engine) => {
  it('counts completed purchases as returned, and applications with a request or with details as requests', async () => {
    const database = await createDatabaseAt('0001-initial', engine);
    const insert = (table: string, row: object) =>
      database.write((tx) => {
        const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
        return sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(tx);
      });
    await insert('tenants', { id: 't', name: 'T', createdAt: at });
    const owner = { tenantId: 't', merchantId: 'm' };
    await insert('merchants', {
      id: 'm',
      tenantId: 't',
      name: 'M',
      storeUrl: 'https://shop.example/',
      defaultProgramId: 'p',
      createdAt: at,
    });
    await insert('programs', { id: 'p', merchantId: 'm', code: 'standard', createdAt: at });
    let number = 0;
    const addCart = async (id: string, ...applications: object[]) => {
      const codeHash = id.padEnd(64, '0');
      const cart = { id, merchantId: 'm', codeHash, status: 'OPEN', createdByHash: '', expiresOn: '2026-11-27' };
      await insert('carts', { ...cart, programId: 'p', createdAt: at, sealed: '' });
      for (const application of applications) {
        const ids = { id: `a${(number += 1)}`, ...owner, buyerId: 'b', programId: 'p', cartId: id };
        const times = {
          createdAt: at,
          updatedAt: at,
          expiresAt: at,
          supersededAt: applications.at(-1) === application ? null : at,
        };
        const rest = { currency: 'USD', offersJson: '[]', sealed: '', revision: 1, statusCode: '100000' };
        await insert('applications', { ...ids, ...times, ...rest, ...application });
      }
    };
    const detailsDeletedAt = at;
    await addCart('completed', { status: 'CHECKOUT_COMPLETED', requestId: 'r' });
    await addCart('erased', { status: 'DENIED', requestId: 'r', detailsDeletedAt });
    await addCart('unfinished', { status: 'EXPIRED', detailsDeletedAt });
    await addCart('restarted', { status: 'CANCELLED', detailsDeletedAt }, { status: 'DENIED', requestId: 'r' });
    await addCart('needs-action', { status: 'NEEDS_ACTION' });
    await addCart('empty');

    await database.migrate();

    const carts = await database.query.selectFrom('carts').select(['id', 'submissions']).execute();
    expect(Object.fromEntries(carts.map(({ id, submissions }) => [id, submissions]))).toEqual({
      completed: 1,
      erased: 1,
      unfinished: 0,
      restarted: 1,
      'needs-action': 1,
      empty: 0,
    });
    const returned = await database.query.selectFrom('applications').select('status').where('returnedAt', '=', at).execute();
    expect(returned).toEqual([{ status: 'CHECKOUT_COMPLETED' }]);
    const unused = database.query.selectFrom('applications').select('id').where('cardReturnHash', '!=', '');
    expect(await unused.execute()).toEqual([]);
  });
});
