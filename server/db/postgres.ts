import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { CamelCasePlugin, Kysely, PostgresAdapter, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { codeOf, ServiceError } from '../base/errors.ts';
import type { Counter } from '../base/progress.js';
import type { Database, Tx } from './database.ts';
import { type Connection, createConnection, withConnection } from './engine.ts';
import type { KeyRing } from '../base/key-ring.ts';
import { createMigrator, hasPendingMigrations, runMigrations } from './migrate.ts';
import type { Schema } from './schema.ts';

/** Attempts of one write before it fails with `changed-meanwhile`. */
const MAX_ATTEMPTS = 24;

/** "Cached plan must not change result type": a migration has changed a table since the statement was prepared. */
const STALE_STATEMENT = '0A000';

/** "Prepared statement does not exist" and "already exists": a pooler has changed the server connection since the statement was prepared. */
const POOLED_STATEMENT = ['26000', '42P05'];

/**
 * SQLSTATEs of errors after which a retry may succeed: a serialization failure, a deadlock and errors of prepared statements. The first
 * two are not expected on PostgreSQL, because writes lock rows in a fixed order (decisions/0033). Engines that are always serializable
 * report the first under contention.
 */
const CONFLICTS = new Set(['40001', '40P01', STALE_STATEMENT, ...POOLED_STATEMENT]);

/** Maximum time of a statement, and between the statements of a database transaction. */
const STATEMENT_TIMEOUT_MS = 30_000;

/** Maximum time for which a query waits for a connection. Long enough that a burst of requests, which occupies all connections, does not fail. */
const CONNECTION_TIMEOUT_MS = 15_000;

/** Name of the connections that may write. Lists in ascending order wait for their database transactions (decisions/0045). */
export const APPLICATION_NAME = 'fairterm';

/**
 * Connections per process. A write occupies one from its first statement to its commit. The limit makes excess requests wait for a
 * connection in this process rather than compete inside the server.
 */
const MAX_CONNECTIONS = 20;

/**
 * Opens a database on PostgreSQL, or on an engine with its protocol.
 *
 * Writes run at READ COMMITTED. Each first locks the row on which its decision depends, and then reads (decisions/0033).
 *
 * @param statementTimeoutMs - Maximum time of a statement, and between the statements of a database transaction.
 */
export function openPostgres(url: string, keyRing: () => KeyRing, { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = {}): Database {
  const connection = createConnection('postgres', keyRing());
  const pool = openPool(url, APPLICATION_NAME, MAX_CONNECTIONS, statementTimeoutMs);
  const statements = createStatementNames();
  const connect = async () => clientWithNamedStatements(await pool.connect(), statements);
  const query = kyselyOn(connect, connection);

  const database: Database = {
    engine: 'postgres',
    query,
    write: (work) => withRetries(() => inTransaction(connect, connection, work)),
    setClockOffset: (offsetMs) => {
      connection.clockOffsetMs = offsetMs;
    },
    migrate: () => migrate(url, connection),
    isMigrated: async () => !(await hasPendingMigrations(createMigrator(query, connection))),
    truncateLog: async () => true,
    vacuum: (progress) => vacuum(url, query, progress),
    close: () => endPool(pool),
  };
  return database;
}

/**
 * @param applicationName - Replaces the one of the URL.
 * @param statementTimeoutMs - 0 for no limit.
 */
function openPool(url: string, applicationName: string, max: number, statementTimeoutMs: number): pg.Pool {
  const named = new URL(url);
  named.searchParams.set('application_name', applicationName);
  const pool = new pg.Pool({
    connectionString: named.href,
    max,
    types: { getTypeParser: typeParser },
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    // A query is sent without waiting for the results of earlier ones.
    pipeline: true,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    stream: () => socketWithTimeout(statementTimeoutMs),
  });
  // If a connection breaks, its current query fails, and the pool replaces the connection when the next query needs one. Without
  // these listeners, the error event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Runs `work` in a database transaction.
 *
 * Kysely's own transactions send one query at a time. Here, queries that start together are sent together, and `begin` is sent with
 * the first of them, which halves the round trips of a checkout.
 */
async function inTransaction<T>(
  connect: () => Promise<Client>,
  connection: Connection,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await connect();
  let isOpen = true;
  const requireOpen = async () => {
    if (!isOpen) throw new Error('A query was started after its database transaction ended.');
    return { ...client, release: () => undefined };
  };
  try {
    // `begin` fails only if the connection breaks, and then the commit fails too.
    client.query(BEGIN, []).catch(() => undefined);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each query of this instance is part of the database transaction
    const result = await work(kyselyOn(requireOpen, connection) as Tx);
    isOpen = false;
    const { command } = await client.query('commit', []);
    if (command !== 'COMMIT') throw new Error(`A query error was ignored: expected COMMIT, but received ${command}`);
    client.release();
    return result;
  } catch (thrown) {
    isOpen = false;
    const isBroken = await client.query('rollback', []).then(
      () => false,
      () => true,
    );
    client.release(isBroken);
    throw thrown;
  }
}

/** One for all database transactions, because it caches the names of columns. */
const camelCase = new CamelCasePlugin();

/** Returns a Kysely instance that calls `connect` for each query and releases the client after it. */
function kyselyOn(connect: () => Promise<Client>, connection: Connection): Kysely<Schema> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely uses the other members of a client only for cursors
  const connectPool = connect as () => Promise<Client & PostgresPoolClient>;
  const pool = { connect: connectPool, end: async () => undefined };
  return withConnection(new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [camelCase] }), connection);
}

/** The members of a pool client that Kysely uses. Its type requires others, which it uses only for cursors. */
interface Client {
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult>;
  release(isBroken?: boolean): void;
}

/** Returns a client with named prepared statements. Each connection parses them once, which halves PostgreSQL's work for short ones. */
function clientWithNamedStatements(client: pg.PoolClient, statements: StatementNames): Client {
  let isStale = false;
  const query = async (text: string, values: readonly unknown[]) => {
    const name = statements.nameOf(text, values);
    if (!name) return client.query(text, [...values]);
    try {
      return await client.query({ name, text, values: [...values] });
    } catch (thrown) {
      const code = codeOf(thrown);
      if (POOLED_STATEMENT.includes(code)) statements.stop();
      else if (code !== STALE_STATEMENT) throw thrown;
      isStale = true;
      // A database transaction is retried as a whole, on another connection. `I` (idle): the query was not in one.
      if (client.getTransactionStatus() !== 'I') throw thrown;
      return client.query(text, [...values]);
    }
  };
  return { query, release: (isBroken = false) => client.release(isStale || isBroken) };
}

/** Without a name: if it failed, the queries that are sent with it would be committed one by one. */
const BEGIN = 'begin isolation level read committed';

/** Maximum number of named prepared statements. The service has about a hundred statements without a `limit`. */
const MAX_NAMED_STATEMENTS = 500;

interface StatementNames {
  /**
   * Returns the name of a prepared statement, or undefined for a statement that is sent without a name. Statements with a limit are
   * planned each time, because the number of rows that match their filters depends on the values.
   */
  nameOf(text: string, values: readonly unknown[]): string | undefined;
  /** Sends all statements without a name from now on, because a pooler does not support prepared statements. */
  stop(): void;
}

/**
 * Names prepared statements by the hash of their SQL. Through a pooler, processes share the statements of a server connection, so that a
 * name must never be that of another statement.
 */
function createStatementNames(): StatementNames {
  const names = new Map<string, string>();
  let isStopped = false;
  return {
    nameOf: (text, values) => {
      if (isStopped || values.length === 0 || text.includes(' limit ')) return undefined;
      const existing = names.get(text);
      if (existing !== undefined || names.size >= MAX_NAMED_STATEMENTS) return existing;
      const name = `fairterm_${createHash('sha256').update(text).digest('base64url')}`;
      names.set(text, name);
      return name;
    },
    stop: () => {
      isStopped = true;
    },
  };
}

/**
 * Returns the socket of a connection. It is destroyed after 1.2 times the statement timeout without activity. For a server that is frozen
 * or unreachable, the operating system would wait for a quarter of an hour.
 */
function socketWithTimeout(statementTimeoutMs: number): Socket {
  const socket = new Socket();
  const error = Object.assign(new Error('PostgreSQL did not respond'), { code: 'ETIMEDOUT' });
  return socket.setTimeout(1.2 * statementTimeoutMs, () => socket.destroy(error));
}

/** Uses connections without a statement timeout, because a migration may update millions of rows, or wait for another process that does. */
async function migrate(url: string, connection: Connection): Promise<void> {
  // Under another name, because a migration may take longer than lists may wait for it. It dates no rows. One connection has the lock, and
  // the other one migrates.
  const pool = openPool(url, `${APPLICATION_NAME} migrate`, 2, 0);
  const database = new Kysely<Schema>({ dialect: new UnlockedPostgresDialect({ pool }) });
  try {
    await withMigrationLock(pool, () => runMigrations(createMigrator(database, connection)));
  } finally {
    await endPool(pool);
  }
}

/** Uses a connection without a statement timeout. `full` replaces the files of the tables, which otherwise contain deleted rows. */
async function vacuum(url: string, query: Kysely<Schema>, progress?: Counter): Promise<void> {
  const tables = await query.introspection.getTables();
  const pool = openPool(url, `${APPLICATION_NAME} vacuum`, 1, 0);
  try {
    for (const [index, { name }] of tables.entries()) {
      await pool.query(`vacuum (full, analyze) ${pg.escapeIdentifier(name)}`);
      progress?.count(index + 1, tables.length);
    }
  } finally {
    await endPool(pool);
  }
}

/** Ends a pool. Kysely's `destroy` does not end a pool that Kysely has not used yet. */
async function endPool(pool: pg.Pool): Promise<void> {
  if (!pool.ending) await pool.end();
}

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!CONFLICTS.has(codeOf(thrown))) throw thrown;
      if (tries >= MAX_ATTEMPTS) {
        throw new ServiceError('changed-meanwhile', 'Other requests changed the same data; please retry.', { cause: thrown });
      }
      const waitMs = Math.random() * Math.min(250, 2 ** tries);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/**
 * Holds a row lock while `work` runs. An advisory lock is not used, because other engines with PostgreSQL's protocol may not have
 * them. The lock belongs to an open database transaction, so it is released if the process dies.
 */
async function withMigrationLock(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await createLockRow(client);
    await client.query('begin');
    await client.query('select id from migration_lock where id = 1 for update');
    await work();
    await client.query('commit');
  } catch (thrown) {
    // The first error is the one to report.
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
    // Despite "if not exists", one of two sessions that create the table at the same moment can fail: unique violation, duplicate table, or
    // duplicate object.
    if (!['23505', '42P07', '42710'].includes(codeOf(thrown))) throw thrown;
  }
  await client.query('insert into migration_lock (id) values (1) on conflict do nothing');
}

class UnlockedPostgresDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new UnlockedPostgresAdapter();
  }
}

/** Disables Kysely's advisory lock; `withMigrationLock` replaces it. */
class UnlockedPostgresAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

const INT8_OID = 20;

/** Parses a bigint as a number, which pg would return as text. All stored values are safe integers; any other is a fault. */
function typeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid !== INT8_OID) return pg.types.getTypeParser(oid, format);
  return (value: string) => {
    const parsed = Number(value);
    if (!Number.isSafeInteger(parsed)) throw new RangeError('A bigint in the database is not a safe integer');
    return parsed;
  };
}
