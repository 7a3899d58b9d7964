import { expect, it } from 'vitest';
import { merchantsOf } from '../../../server/merchants/store.ts';
import { createMerchant } from '../../../server/merchants/merchants.ts';
import { createDatabase, describeOnEveryEngine } from '../../support/databases.ts';

const AT = '2026-11-21T09:30:00.000000Z';
const NAMES = ['Acme Goods', 'ACME [Outlet]', 'École Élan', 'Łódź Shop', '100% Wool', 'a.b*c?', 'back\\slash', 'Straße'];

describeOnEveryEngine('The merchants of a tenant', async (engine) => {
  const create = async () => {
    const database = await createDatabase(engine);
    const add = (name: string, tenantId?: string) =>
      createMerchant(database, 'sandbox', { name, storeUrl: 'https://shop.example/', origins: [], tenantId }, AT);
    const { tenantId } = await add(NAMES[0]!);
    for (const name of NAMES.slice(1)) await add(name, tenantId);
    await add('Acme of another tenant');
    return { database, tenantId };
  };

  it('are found by a part of their name, in upper or lower case', async () => {
    const { database, tenantId } = await create();
    const found = async (name: string) =>
      (await merchantsOf(database.query, { tenantId, name, limit: 100 })).map((merchant) => merchant.name);
    expect(await found('')).toEqual(NAMES);
    expect(await found('\0')).toEqual(NAMES);
    expect(await found('acme')).toEqual(['Acme Goods', 'ACME [Outlet]']);
    expect(await found('ÉCOLE é')).toEqual(['École Élan']);
    expect(await found('łÓDŹ')).toEqual(['Łódź Shop']);
    expect(await found('straße')).toEqual(['Straße']);
    for (const [text, name] of [
      ['[out', 'ACME [Outlet]'],
      ['t]', 'ACME [Outlet]'],
      ['0%', '100% Wool'],
      ['.B*C?', 'a.b*c?'],
      ['K\\S', 'back\\slash'],
    ] as const) {
      expect([text, await found(text)]).toEqual([text, [name]]);
    }
    for (const text of ['a*d', 'a?m', 'a.m', '[a-c]', '_', '^', '$', '(', 'other']) {
      expect([text, await found(text)]).toEqual([text, []]);
    }
  });

  it('are read by page, and only one for a user of one merchant', async () => {
    const { database, tenantId } = await create();
    const read = (filter: { after?: string; merchantId?: string; name?: string }) =>
      merchantsOf(database.query, { tenantId, name: '', limit: 3, ...filter });
    const first = await read({});
    expect(first.map(({ name }) => name)).toEqual(NAMES.slice(0, 3));
    const second = await read({ after: first[2]!.id });
    expect(second.map(({ name }) => name)).toEqual(NAMES.slice(3, 6));
    expect((await read({ after: first[0]!.id, name: 'acme' })).map(({ name }) => name)).toEqual(['ACME [Outlet]']);
    const { id } = second[0]!;
    expect(await read({ merchantId: id })).toEqual([second[0]]);
  });
});
