import { toJson } from '../../../server/db/json.ts';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../server/db/database.ts';
import { prepared, preparedInsert, preparedSave, preparedSaving } from '../../../server/db/prepared.ts';
import type { TenantTable } from '../../../server/db/schema.ts';
import { DATABASE_NOW } from '../../../server/base/time.ts';
import { getTransaction } from '../../../server/purchases/transactions/store.ts';
import { describeOnEveryEngine, createDatabase } from '../../support/databases.ts';
import { createBuyer } from '../../support/purchases.ts';

const AT = '2026-11-21T09:30:00.000000Z';

const addTenant = preparedInsert('tenants');
const addTenantNow = preparedSaving((tx, row: TenantTable) => tx.insertInto('tenants').values(row).returning('createdAt'));
const tenantById = prepared((query, id: string) => query.selectFrom('tenants').selectAll().where('id', '=', id));
const saveName = preparedSave('transactions', ['orderRef', 'revision']);

describeOnEveryEngine('A prepared query', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await createDatabase(engine);
  });

  it('runs with the values of each call, in any order of the parameters', async () => {
    const between = prepared((query, last: string, name: string, first: string) =>
      query
        .selectFrom('tenants')
        .select('id')
        .where('id', '>=', first)
        .where('name', 'in', [name, 'also'])
        .where('id', '<=', last)
        .orderBy('id'),
    );
    await database.write(async (tx) => {
      for (const [id, name] of Object.entries({ 'o-1': 'one', 'o-2': 'two', 'o-3': 'one', 'o-4': 'also' })) {
        await addTenant(tx, { id, name, createdAt: AT });
      }
    });

    expect(await between(database.query, 'o-9', 'one', 'o-1')).toEqual([{ id: 'o-1' }, { id: 'o-3' }, { id: 'o-4' }]);
    expect(await between(database.query, 'o-3', 'two', 'o-1')).toEqual([{ id: 'o-2' }]);
    expect(await between(database.query, 'o-3', 'none', 'o-1')).toEqual([]);
  });

  it('stores the time of the write only for DATABASE_NOW, and not for a text that names it', async () => {
    const texts = ['now of the database', JSON.stringify(DATABASE_NOW)];
    const saved = await database.write(async (tx) => {
      for (const [index, name] of texts.entries()) await addTenant(tx, { id: `text-${index}`, name, createdAt: AT });
      return addTenantNow(tx, { id: 'now', name: 'Now', createdAt: DATABASE_NOW });
    });
    const names = await Promise.all(texts.map(async (_, index) => (await tenantById(database.query, `text-${index}`))[0]!.name));
    expect(names).toEqual(texts);
    expect(saved.rows[0]!.createdAt > AT).toBe(true);
    expect(await tenantById(database.query, 'now')).toMatchObject(saved.rows);
  });

  it('is part of its database transaction: it is visible only inside, and rolled back with it', async () => {
    const rejected = database.write(async (tx) => {
      await addTenant(tx, { id: 'within', name: 'Within', createdAt: AT });
      expect(await tenantById(tx, 'within')).toHaveLength(1);
      expect(await tenantById(database.query, 'within')).toEqual([]);
      throw new Error('No');
    });

    await expect(rejected).rejects.toThrow('No');
    expect(await tenantById(database.query, 'within')).toEqual([]);
  });

  it('returns a rejected promise instead of throwing if the database rejects it', async () => {
    const outcome = database.write((tx) => {
      const added = [1, 2].map(() => addTenant(tx, { id: 'twice', name: 'Twice', createdAt: AT }));
      return Promise.all(added);
    });
    await expect(outcome).rejects.toThrow(/unique/i);
  });

  it('updates the given columns if the revision matches, and returns true if it does', async () => {
    const { merchantId, createPurchase } = await createBuyer(database, AT);
    const id = await createPurchase({ orderRef: 'before' });
    const other = await createPurchase({ orderRef: 'other' });
    const row = await getTransaction(database.query, merchantId, id);
    const changed = {
      ...row,
      orderRef: 'after',
      carrierName: 'unsaved',
      adjustedQuantitiesJson: toJson([]),
      sealed: 'unsaved',
      revision: row.revision + 1,
    };

    expect(await database.write((tx) => saveName(tx, changed, row.revision))).toBe(true);
    expect(await database.write((tx) => saveName(tx, changed, row.revision))).toBe(false);

    expect(await getTransaction(database.query, merchantId, id)).toEqual({
      ...row,
      orderRef: 'after',
      revision: changed.revision,
    });
    expect((await getTransaction(database.query, merchantId, other)).orderRef).toBe('other');
  });
});

it('A prepared query cannot write on the read connection of SQLite', async () => {
  const { query } = await createDatabase('sqlite');
  await expect(addTenant(query, { id: 'read', name: 'Read', createdAt: AT })).rejects.toThrow(/readonly/);
});
