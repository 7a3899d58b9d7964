import { Socket } from 'node:net';
import { Kysely, PostgresAdapter, PostgresDialect } from 'kysely';
import pg from 'pg';
import { ServiceError } from '../errors.ts';
import type { Database } from './database.ts';
import { createMigrator, hasPendingMigrations, migrateToLatest } from './migrate.ts';
import type { Schema } from './schema.ts';

/** How often a database transaction is tried before its caller is told to come back. */
const MAX_ATTEMPTS = 24;

const UNIQUE_VIOLATION = '23505';

/**
 * SQLSTATEs after which the same work may well succeed: a serialization failure, a deadlock, and a unique violation,
 * which is how PostgreSQL words some serialization failures (the row that is in the way was not there to be read).
 */
const CONFLICTS = new Set(['40001', '40P01', UNIQUE_VIOLATION]);

/** How long a query, or a database transaction that does nothing, may hold up others. */
const PATIENCE_MS = 30_000;

/**
 * Opens PostgreSQL, or an engine that speaks its protocol, as a `Database`.
 *
 * Every write is serializable and is run again after a conflict, which means the same on each of those engines.
 *
 * @param patienceMs - How long the server lets a query run, or a database transaction wait for its next.
 */
export function openPostgres(url: string, { patienceMs = PATIENCE_MS } = {}): Database {
  const pool = openPool(url, 20, patienceMs);
  const database = new Kysely<Schema>({ dialect: new UnlockedPostgresDialect({ pool }) });

  return {
    engine: 'postgres',
    query: database,
    write: (work) => retried(() => database.transaction().setIsolationLevel('serializable').execute(work)),
    stamp: () => undefined,
    migrate: () => migrate(url),
    isMigrated: async () => !(await hasPendingMigrations(createMigrator(database, 'postgres'))),
    close: () => endPool(pool),
  };
}

/** @param patienceMs - 0 is for ever. */
function openPool(url: string, max: number, patienceMs: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: { getTypeParser: typeParser },
    connectionTimeoutMillis: 5_000,
    statement_timeout: patienceMs,
    idle_in_transaction_session_timeout: patienceMs,
    stream: () => impatientSocket(patienceMs),
  });
  // A connection that breaks, idle or busy, fails the query it was busy with and is replaced at the next; without
  // listeners it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Given up when nothing has come over it for clearly longer than the server lets anything take: a server that was frozen or cut off
 * says nothing, and the system would wait for it for a quarter of an hour.
 */
function impatientSocket(patienceMs: number): Socket {
  const socket = new Socket();
  const giveUp = () => socket.destroy(Object.assign(new Error('PostgreSQL has not answered'), { code: 'ETIMEDOUT' }));
  return socket.setTimeout(1.2 * patienceMs, giveUp);
}

/** With connections of its own: to fill a column of millions of rows, or to wait for who does, takes the time it takes. */
async function migrate(url: string): Promise<void> {
  const pool = openPool(url, 2, 0);
  const database = new Kysely<Schema>({ dialect: new UnlockedPostgresDialect({ pool }) });
  try {
    await whileLocked(pool, () => migrateToLatest(createMigrator(database, 'postgres')));
  } finally {
    await endPool(pool);
  }
}

/** Kysely's own `destroy` leaves a pool open that it has not asked anything of yet. */
async function endPool(pool: pg.Pool): Promise<void> {
  if (!pool.ending) await pool.end();
}

async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (thrown) {
      const code = (thrown as { code?: string }).code ?? '';
      if (!CONFLICTS.has(code)) throw thrown;
      if (tries >= MAX_ATTEMPTS) {
        if (code === UNIQUE_VIOLATION) throw thrown;
        throw new ServiceError('changed-meanwhile', 'Other requests changed the same data; please retry.', { cause: thrown });
      }
      const waitMs = Math.random() * Math.min(250, 2 ** tries);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/**
 * Holds a row lock while `work` runs. A row, because engines of PostgreSQL's kind need not have advisory locks; held by
 * an open database transaction, so that a process that dies gives it back.
 */
async function whileLocked(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await createLockRow(client);
    await client.query('begin');
    await client.query('select id from migration_lock where id = 1 for update');
    await work();
    await client.query('commit');
  } catch (thrown) {
    await client.query('rollback').catch(() => undefined);
    throw thrown;
  } finally {
    client.release();
  }
}

async function createLockRow(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('create table if not exists migration_lock (id integer primary key)');
  } catch (thrown) {
    // "if not exists" does not keep two sessions from creating the same table at the same moment.
    if (!['23505', '42P07', '42710'].includes((thrown as { code?: string }).code ?? '')) throw thrown;
  }
  await client.query('insert into migration_lock (id) values (1) on conflict do nothing');
}

class UnlockedPostgresDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new UnlockedPostgresAdapter();
  }
}

/** Kysely would take an advisory lock; `whileLocked` stands in its place. */
class UnlockedPostgresAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

const INT8_OID = 20;

/** pg answers bigint as text. Amounts are safe integers by their structs; one that is not is a fault to stop at. */
function typeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid !== INT8_OID) return pg.types.getTypeParser(oid, format);
  return (value: string) => {
    const parsed = Number(value);
    if (!Number.isSafeInteger(parsed)) throw new RangeError('A bigint in the database is not a safe integer');
    return parsed;
  };
}
