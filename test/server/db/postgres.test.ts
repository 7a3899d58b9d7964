import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { type Database, together, type Tx } from '../../../server/db/database.ts';
import { databaseName, openDatabase } from '../../../server/db/open-database.ts';
import { openPostgres } from '../../../server/db/postgres.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { alterDatabase, createDatabaseUrl, openTestDatabase } from '../../support/databases.ts';
import { until } from '../../support/time.ts';
import { testKeys } from '../../support/data-keys.ts';

const url = await createDatabaseUrl('postgres');
// Two pools, as of two processes.
const databases = [openDatabase(url, testKeys), openDatabase(url, testKeys)];
await databases[0]!.write((tx) => sql`create table counters (id text primary key, value bigint not null)`.execute(tx));
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
});

const valueOf = async (id: string, query = databases[0]!.query) => {
  const { rows } = await sql<{ value: number }>`select value from counters where id = ${id}`.execute(query);
  return rows[0]!.value;
};
const createCounters = (...ids: string[]) =>
  databases[0]!.write(async (tx) => {
    for (const id of ids) await sql`insert into counters values (${id}, 0)`.execute(tx);
  });
const increment = async (tx: Tx, id: string) => {
  await sql`select id from counters where id = ${id} for update`.execute(tx);
  const value = await valueOf(id, tx);
  await sql`update counters set value = ${value + 1} where id = ${id}`.execute(tx);
};

/** Starts a proxy that withholds all responses from the first of `texts` that the client sends until it has sent all of them. */
async function startWithholdingProxy(serverUrl: string, texts: string[]) {
  const { hostname, port } = new URL(serverUrl);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let sent = '';
    const withheld: Buffer[] = [];
    client.on('data', (data) => {
      sent += data.toString('latin1');
      upstream.write(data);
      if (texts.every((text) => sent.includes(text))) for (const response of withheld.splice(0)) client.write(response);
    });
    upstream.on('data', (data) => {
      const found = texts.filter((text) => sent.includes(text)).length;
      if (found > 0 && found < texts.length) withheld.push(data);
      else client.write(data);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(serverUrl);
  proxied.port = String((server.address() as AddressInfo).port);
  return { url: proxied.href, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe('A bigint of PostgreSQL', () => {
  it.each(['0', '-1', '99999999999', '9007199254740991', '-9007199254740991'])('of %s is returned as a number', async (text) => {
    const { rows } = await sql<{ n: number }>`select ${sql.raw(text)}::bigint as n`.execute(databases[0]!.query);

    expect(rows).toEqual([{ n: Number(text) }]);
  });

  it.each(['9007199254740992', '-9007199254740992', '9223372036854775807'])(
    'of %s throws an error instead of returning an imprecise number',
    async (text) => {
      const read = sql`select ${sql.raw(text)}::bigint as n`.execute(databases[0]!.query);

      await expect(read).rejects.toThrow('A bigint in the database is not a safe integer');
    },
  );

  it('that is null is returned as null', async () => {
    const { rows } = await sql`select null::bigint as n`.execute(databases[0]!.query);

    expect(rows).toEqual([{ n: null }]);
  });

  it('that throws an error does not affect later queries', async () => {
    await Promise.allSettled(
      Array.from({ length: 25 }, () => sql`select 9223372036854775807::bigint as n`.execute(databases[0]!.query)),
    );

    const { rows } = await sql`select 1::bigint as n`.execute(databases[0]!.query);

    expect(rows).toEqual([{ n: 1 }]);
  });
});

describe('Writes of PostgreSQL', () => {
  it('pipeline concurrent queries', async () => {
    const proxy = await startWithholdingProxy(url, ['first-of-two', 'second-of-two']);
    const database = openPostgres(proxy.url, testKeys);

    const rows = await database.write((tx) =>
      together(
        sql`select ${'first-of-two'}::text as value`.execute(tx),
        sql`select ${'second-of-two'}::text as value`.execute(tx),
      ),
    );

    expect(rows.flatMap((result) => result.rows)).toEqual([{ value: 'first-of-two' }, { value: 'second-of-two' }]);
    await database.close();
    await proxy.close();
  });

  it('reject a query that starts after the database transaction has ended', async () => {
    let escaped: Tx | undefined;
    await databases[0]!.write(async (tx) => {
      escaped = tx;
    });

    await expect(sql`select 1`.execute(escaped!)).rejects.toThrow('A query was started after its database transaction ended.');
  });

  it('are rejected if the error of a query was caught, because PostgreSQL rolls back', async () => {
    await createCounters('rolled-back');

    const write = databases[0]!.write(async (tx) => {
      await increment(tx, 'rolled-back');
      await sql`select 1 / 0`.execute(tx).catch(() => undefined);
    });

    await expect(write).rejects.toThrow('expected COMMIT, but received ROLLBACK');
    expect(await valueOf('rolled-back')).toBe(0);
  });

  it('run at READ COMMITTED', async () => {
    const { rows } = await databases[0]!.write((tx) => sql`show transaction_isolation`.execute(tx));

    expect(rows).toEqual([{ transactionIsolation: 'read committed' }]);
  });

  it('that lock the row first run once each among 64 concurrent ones from two pools', async () => {
    await createCounters('locked');
    let runs = 0;

    const increments = Array.from({ length: 64 }, (_, index) =>
      databases[index % 2]!.write(async (tx) => {
        runs += 1;
        await increment(tx, 'locked');
      }),
    );
    await Promise.all(increments);

    expect([await valueOf('locked'), runs]).toEqual([64, 64]);
  });

  it('are retried after a serialization failure', async () => {
    await createCounters('serialized');
    let runs = 0;

    await databases[0]!.write(async (tx) => {
      runs += 1;
      await increment(tx, 'serialized');
      if (runs < 4) await sql`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`.execute(tx);
    });

    expect([await valueOf('serialized'), runs]).toEqual([1, 4]);
  });

  it('and reads succeed after another process has migrated a table of their prepared statements', async () => {
    await sql`create table changing (id text primary key)`.execute(databases[1]!.query);
    const readAll = (query: Database['query']) => sql`select * from changing where id <> ${'other'}`.execute(query);
    // Often enough for every connection of the pool to have prepared the statement.
    await Promise.all(Array.from({ length: 40 }, () => readAll(databases[0]!.query)));
    await sql`alter table changing add column added text`.execute(databases[1]!.query);
    await sql`insert into changing values ('one', 'two')`.execute(databases[1]!.query);

    const read = await Promise.all(Array.from({ length: 20 }, () => readAll(databases[0]!.query)));
    const written = await databases[0]!.write((tx) => readAll(tx));

    for (const { rows } of [...read, written]) expect(rows).toEqual([{ id: 'one', added: 'two' }]);
  });

  it('with a stale prepared statement are retried from the start', async () => {
    await sql`create table changed (id text primary key)`.execute(databases[1]!.query);
    await createCounters('around-stale');
    const write = () =>
      databases[0]!.write(async (tx) => {
        await increment(tx, 'around-stale');
        return sql`select * from changed where id <> ${'other'}`.execute(tx);
      });
    await Promise.all(Array.from({ length: 20 }, write));
    await sql`alter table changed add column added text`.execute(databases[1]!.query);

    await Promise.all(Array.from({ length: 20 }, write));

    expect(await valueOf('around-stale')).toBe(40);
  });

  it('both succeed after a deadlock', async () => {
    await createCounters('left', 'right');
    const bothLocked = barrier(2);
    const countBoth = (database: Database, first: string, second: string) =>
      database.write(async (tx) => {
        await increment(tx, first);
        await bothLocked();
        await increment(tx, second);
      });

    await Promise.all([countBoth(databases[0]!, 'left', 'right'), countBoth(databases[1]!, 'right', 'left')]);

    expect([await valueOf('left'), await valueOf('right')]).toEqual([2, 2]);
  });

  it('fail with changed-meanwhile after 24 serialization failures', async () => {
    let runs = 0;

    const conflicting = databases[0]!.write(async (tx) => {
      runs += 1;
      await sql`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`.execute(tx);
    });

    await expect(conflicting).rejects.toMatchObject({ code: 'changed-meanwhile' });
    expect(runs).toBe(24);
  });

  it('are not retried after another error', async () => {
    let runs = 0;

    const broken = databases[0]!.write(async (tx) => {
      runs += 1;
      await sql`select 1 / 0`.execute(tx);
    });

    await expect(broken).rejects.toThrow(/division by zero/);
    expect(runs).toBe(1);
  });
});

it.each([
  ['postgres://ada:hidden@db.example:5433/shop?sslmode=verify-full', 'postgres://ada@db.example:5433/shop'],
  ['postgres://ada:hidden@/shop?host=/var/run/postgresql', 'postgres://ada@/var/run/postgresql/shop'],
  ['postgres:///shop?host=/var/run/postgresql', 'postgres:///var/run/postgresql/shop'],
  ['postgres://ada:hidden@db:x/shop', 'postgres://…'],
  ['postgres://ada:hid@/den@db.example/shop', 'postgres://…'],
  ['postgres://ada:hid/den@db.example/shop', 'postgres://…'],
])('The URL %s is shown as %s', (given, shown) => {
  expect(databaseName(given)).toBe(shown);
});

it.each(['postgres://ada:hidden@db:x/shop', 'postgres://ada:hid@/den@db.example/shop'])('The URL %s is rejected', (given) => {
  expect(() => openDatabase(given, testKeys)).toThrow(
    'DATABASE_URL: expected postgres://user:password@host/name, with %XX for special characters of the password',
  );
});

it('A URL with a user and without a host, as of a socket, is accepted', async () => {
  const { username, password, hostname, port, pathname } = new URL(url);
  const database = openTestDatabase(`postgres://${username}:${password}@${pathname}?host=${hostname}&port=${port}`);
  expect((await sql`select 1 as one`.execute(database.query)).rows).toEqual([{ one: 1 }]);
});

it('An idle connection that the server closes is replaced', async () => {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
    databases[0]!.query,
  );

  const { rows } = await until(() => sql`select 1 as n`.execute(databases[1]!.query).catch(() => undefined));

  expect(rows).toEqual([{ n: 1 }]);
});

it('A migration waits for that of another process for longer than the query timeout', async () => {
  const withTimeout = openPostgres(url, testKeys, { statementTimeoutMs: 1_000 });
  await withTimeout.migrate();
  let migrated: Promise<string[]> | undefined;

  await databases[0]!.write(async (tx) => {
    await sql`select id from migration_lock for update`.execute(tx);
    migrated = withTimeout.migrate();
    const longWaiting = sql<{ n: number }>`select count(*)::integer as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and clock_timestamp() > query_start + interval '1200 ms'`;
    await until(async () => (await longWaiting.execute(databases[1]!.query)).rows[0]!.n === 1);
  });

  await expect(migrated).resolves.toEqual([]);
  // Either the server cancels the query (57014), or this process closes the connection first.
  const code = expect.stringMatching(/^(57014|ETIMEDOUT)$/);
  const cause = expect.objectContaining({ code });
  await expect(sql`select pg_sleep(60)`.execute(withTimeout.query)).rejects.toMatchObject({ cause });
  await withTimeout.close();
});

describe('The timeouts of a connection', () => {
  it('are those of the service, and are reported with their remedy if they are not in effect', async () => {
    const database = openTestDatabase(url);
    expect(await database.settingProblems()).toEqual([]);
    // As a pooler does, whose connections have the settings of the role.
    await sql`set statement_timeout = 0`.execute(database.query);
    await sql`set idle_in_transaction_session_timeout = '1min'`.execute(database.query);
    const problems = await database.settingProblems();
    expect(problems.toSorted()).toEqual([
      expect.stringMatching(/ but found 60000\..* alter role "?postgres"? set idle_in_transaction_session_timeout = '30000ms'$/),
      expect.stringMatching(/ but found 0\..* alter role "?postgres"? set statement_timeout = '30000ms'$/),
    ]);
  });

  it('do not limit a migration, even if the role has one', async () => {
    const limited = await createDatabaseUrl('postgres');
    await alterDatabase(limited, "set statement_timeout = '1ms'");
    const database = openTestDatabase(limited);
    await database.migrate();
    expect(await database.isMigrated()).toBe(true);
  });
});

it('Statements have no names if a pooler does not support prepared statements', async () => {
  const named = openTestDatabase(url);
  const unnamed = openPostgres(url, testKeys, { preparesStatements: false });
  onCleanup(() => unnamed.close());
  const preparedBy = async (database: Database) => {
    const select = sql<{ n: number }>`select count(*)::integer as n from pg_prepared_statements where ${true}`;
    await database.write((tx) => select.execute(tx));
    return database.write(async (tx) => (await select.execute(tx)).rows[0]!.n);
  };
  expect([await preparedBy(named), await preparedBy(unnamed)]).toEqual([1, 0]);
});

/** Returns a function that resolves once it has been called `count` times. */
function barrier(count: number): () => Promise<void> {
  let open: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    count -= 1;
    if (count <= 0) open();
    return opened;
  };
}
