import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database, Tx } from '../../../server/db/database.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { describeOnEveryEngine, createDatabase } from '../../support/databases.ts';
import { testKeys } from '../../support/data-keys.ts';
import type { Instant } from '../../../server/base/time.ts';

const createdAt: Instant = '2026-11-21T09:30:00.000000Z';

describeOnEveryEngine('A write', (engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await createDatabase(engine);
    await database.write(async (tx) => {
      await sql`create table parents (id text primary key)`.execute(tx);
      await sql`create table children (
        id text primary key, parent_id text references parents (id) deferrable initially deferred)`.execute(tx);
    });
  });

  const insertTenant = (tx: Tx, id: string) => tx.insertInto('tenants').values({ id, name: 'Acme', createdAt }).execute();
  const tenants = async (ids: string[]) => {
    const rows = await database.query.selectFrom('tenants').select('id').where('id', 'in', ids).orderBy('id').execute();
    return rows.map(({ id }) => id);
  };

  it('is visible to other queries once it resolves, and returns the result of its callback', async () => {
    const result = await database.write(async (tx) => {
      await insertTenant(tx, 'committed');
      return 42;
    });

    expect(result).toBe(42);
    expect(await tenants(['committed'])).toEqual(['committed']);
  });

  it('that throws leaves no changes, and rejects with the same error', async () => {
    const rejection = new Error('No');

    const rejected = database.write(async (tx) => {
      await insertTenant(tx, 'rejected');
      throw rejection;
    });

    await expect(rejected).rejects.toBe(rejection);
    expect(await tenants(['rejected'])).toEqual([]);
  });

  it('that violates a constraint leaves no changes', async () => {
    const duplicate = database.write(async (tx) => {
      await insertTenant(tx, 'twice');
      await insertTenant(tx, 'twice');
    });

    await expect(duplicate).rejects.toSatisfy((rejection: Error) =>
      /unique/i.test(`${rejection.message} ${String(rejection.cause)}`),
    );
    expect(await tenants(['twice'])).toEqual([]);
  });

  it('that catches the error of a statement is rejected or committed completely', async () => {
    const recovering = database.write(async (tx) => {
      await insertTenant(tx, 'half-1');
      await insertTenant(tx, 'half-1').catch(() => undefined);
      await insertTenant(tx, 'half-2');
    });

    const [outcome] = await Promise.allSettled([recovering]);
    expect(await tenants(['half-1', 'half-2'])).toEqual(outcome.status === 'fulfilled' ? ['half-1', 'half-2'] : []);
  });

  it('that throws does not roll back concurrent writes', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `mixed-${String(index).padStart(2, '0')}`);

    const outcomes = await Promise.allSettled(
      ids.map((id, index) =>
        database.write(async (tx) => {
          await insertTenant(tx, id);
          if (index % 3 === 0) throw new Error(`No ${id}`);
          return id;
        }),
      ),
    );

    const successful = ids.filter((_, index) => index % 3 !== 0);
    expect(outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))).toEqual(successful);
    expect(outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as Error).message] : []))).toEqual(
      ids.filter((id) => !successful.includes(id)).map((id) => `No ${id}`),
    );
    expect(await tenants(ids)).toEqual(successful);
  });

  it('reads its uncommitted changes, which other queries do not read', async () => {
    const [inside, outside] = await database.write(async (tx) => {
      await insertTenant(tx, 'unseen');
      const rows = await tx.selectFrom('tenants').select('id').where('id', '=', 'unseen').execute();
      return [rows.length, await tenants(['unseen'])];
    });

    expect([inside, outside]).toEqual([1, []]);
    expect(await tenants(['unseen'])).toEqual(['unseen']);
  });

  it('whose commit fails is rejected, and a write that shares the commit is either committed or rejected', async () => {
    const valid = database.write((tx) => insertTenant(tx, 'innocent'));
    const orphan = database.write((tx) => sql`insert into children values ('c', 'unknown')`.execute(tx));

    const outcomes = await Promise.allSettled([valid, orphan]);

    const { rows: children } = await sql`select id from children`.execute(database.query);
    expect(outcomes[1].status).toBe('rejected');
    expect(children).toEqual([]);
    expect(await tenants(['innocent'])).toEqual(outcomes[0].status === 'fulfilled' ? ['innocent'] : []);
  });

  it('succeeds after another commit failed', async () => {
    await expect(database.write((tx) => sql`insert into children values ('d', 'unknown')`.execute(tx))).rejects.toThrow(
      /foreign key/i,
    );

    await database.write((tx) => insertTenant(tx, 'afterwards'));

    expect(await tenants(['afterwards'])).toEqual(['afterwards']);
  });

  it('is rejected after the database is closed', async () => {
    const closed = await createDatabase(engine);
    await closed.close();

    await expect(closed.write((tx) => insertTenant(tx, 'late'))).rejects.toThrow();
  });
});

describe('openDatabase', () => {
  it.each(['', 'mysql://me:secret@localhost/x', 'data/sandbox.db', 'file:data/sandbox.db', 'http://localhost/', 'sqlite'])(
    'rejects the URL "%s" with the expected format, and does not repeat it',
    (url) => {
      expect(() => openDatabase(url, testKeys)).toThrow(/^DATABASE_URL: expected sqlite:FILE or postgres:\/\/…(?!.*secret)/);
    },
  );
});
