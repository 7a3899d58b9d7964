import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../server/db/database.ts';
import { whileUnchanged } from '../../../server/db/kept.ts';
import { addTenant, findTenant } from '../../../server/merchants/store.ts';
import { atTheEnd } from '../../support/cleanup.ts';
import { describeOnEveryEngine, givenDatabaseUrl } from '../../support/engines.ts';

const CREATED = '2026-11-21T09:30:00.000000Z';

describeOnEveryEngine('What is kept while nothing changes', (engine) => {
  let database: Database;
  let elsewhere: Database;
  let next = 0;
  const tenants = { write: (by: Database, id: string) => by.write((tx) => addTenant(tx, { id, name: id, created_at: CREATED })) };
  const givenReading = () => {
    let loads = 0;
    const read = whileUnchanged(async ({ query }, id: string) => {
      loads += 1;
      return (await findTenant(query, id))?.name;
    });
    return { read: (id: string) => read(database, id), loads: () => loads };
  };
  beforeAll(async () => {
    const { url, remove } = await givenDatabaseUrl(engine);
    [database, elsewhere] = [openDatabase(url), openDatabase(url)];
    await database.migrate();
    atTheEnd(async () => {
      await Promise.all([database.close(), elsewhere.close()]);
      await remove();
    });
  });

  it.each([
    ['by itself', () => database],
    ['by another process', () => elsewhere],
  ])('is read anew after a commit %s', async (_what, by) => {
    const id = `t_${next++}`;
    const { read } = givenReading();
    expect([await read(id), await read(id)]).toEqual([undefined, undefined]);
    await tenants.write(by(), id);
    expect(await read(id)).toBe(id);
    await by().write((tx) => tx.updateTable('tenants').set({ name: 'Renamed' }).where('id', '=', id).execute());
    expect(await read(id)).toBe('Renamed');
  });

  it('is not read again before, where the engine can say so', async () => {
    const id = `t_${next++}`;
    await tenants.write(database, id);
    const { read, loads } = givenReading();
    expect([await read(id), await read(id), await read(id)]).toEqual([id, id, id]);
    expect(loads()).toBe(engine === 'sqlite' ? 1 : 3);
  });

  it('is told apart by its arguments, and is not kept when there was nothing', async () => {
    const [one, other] = [`t_${next++}`, `t_${next++}`];
    await tenants.write(database, one);
    const { read, loads } = givenReading();
    expect([await read(one), await read(other), await read(other)]).toEqual([one, undefined, undefined]);
    expect(loads()).toBe(3);
  });

  it('is not put beside what was written while it was read', async () => {
    const id = `t_${next++}`;
    await tenants.write(database, id);
    let isFirst = true;
    const read = whileUnchanged(async ({ query }, name: string) => {
      const found = (await findTenant(query, name))?.name;
      if (isFirst) {
        isFirst = false;
        await elsewhere.write((tx) => tx.updateTable('tenants').set({ name: 'Later' }).where('id', '=', name).execute());
        // Somebody else asks meanwhile, and is answered what holds from here on.
        expect(await read(database, name)).toBe('Later');
      }
      return found;
    });
    expect(await read(database, id)).toBe(id);
    expect(await read(database, id)).toBe('Later');
  });

  it('never grows without end', async () => {
    const read = whileUnchanged(async (_database, id: string) => ({ id }));
    const first = await read(database, 'first');
    for (let count = 0; count < 2_000; count++) await read(database, `more ${count}`);
    expect(await read(database, 'first')).toEqual(first);
    const [one, again] = [await read(database, 'more 1999'), await read(database, 'more 1999')];
    expect(one).not.toBe(again);
  });

  describe('A stamp', () => {
    it('stays while nothing is committed, also by what is refused, and never comes back', async () => {
      const stamps = [database.stamp()];
      await expect(database.write(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
      stamps.push(database.stamp());
      await tenants.write(database, `t_${next++}`);
      stamps.push(database.stamp());
      await tenants.write(elsewhere, `t_${next++}`);
      stamps.push(database.stamp());
      if (engine === 'postgres') expect(new Set(stamps)).toEqual(new Set([undefined]));
      else {
        expect(stamps[1]).toBe(stamps[0]);
        expect(new Set(stamps).size).toBe(3);
      }
    });
  });
});
