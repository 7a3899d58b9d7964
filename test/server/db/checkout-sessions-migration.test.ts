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
    await insert('tenants', { id: 't', name: 'T', created_at: at });
    const owner = { tenant_id: 't', merchant_id: 'm' };
    await insert('merchants', {
      id: 'm',
      tenant_id: 't',
      name: 'M',
      store_url: 'https://shop.example/',
      default_program_id: 'p',
      created_at: at,
    });
    await insert('programs', { id: 'p', merchant_id: 'm', code: 'standard', created_at: at });
    let number = 0;
    const addCart = async (id: string, ...applications: object[]) => {
      const code_hash = id.padEnd(64, '0');
      const cart = { id, merchant_id: 'm', code_hash, status: 'OPEN', created_by_hash: '', expires_on: '2026-11-27' };
      await insert('carts', { ...cart, program_id: 'p', created_at: at, sealed: '' });
      for (const application of applications) {
        const ids = { id: `a${(number += 1)}`, ...owner, buyer_id: 'b', program_id: 'p', cart_id: id };
        const times = {
          created_at: at,
          updated_at: at,
          expires_at: at,
          superseded_at: applications.at(-1) === application ? null : at,
        };
        const rest = { currency: 'USD', offers_json: '[]', sealed: '', revision: 1, status_code: '100000' };
        await insert('applications', { ...ids, ...times, ...rest, ...application });
      }
    };
    const details_deleted_at = at;
    await addCart('completed', { status: 'CHECKOUT_COMPLETED', request_id: 'r' });
    await addCart('erased', { status: 'DENIED', request_id: 'r', details_deleted_at });
    await addCart('unfinished', { status: 'EXPIRED', details_deleted_at });
    await addCart('restarted', { status: 'CANCELLED', details_deleted_at }, { status: 'DENIED', request_id: 'r' });
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
    const returned = await database.query.selectFrom('applications').select('status').where('returned_at', '=', at).execute();
    expect(returned).toEqual([{ status: 'CHECKOUT_COMPLETED' }]);
    const unused = database.query.selectFrom('applications').select('id').where('card_return_hash', '!=', '');
    expect(await unused.execute()).toEqual([]);
  });
});
