import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { CamelCasePlugin, Kysely, PostgresAdapter, PostgresDialect, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import { codeOf, ServiceError } from '../base/errors.ts';
import type { Counter } from '../base/progress.js';
import type { Database, Tx } from './database.ts';
import { type Connection, createConnection, withConnection } from './engine.ts';
import type { KeyRing } from '../base/key-ring.ts';
import { createMigrator, isServable, pendingMigrations, runMigrations } from './migrate.ts';
import type { Schema } from './schema.ts';
import { checkedWrites, unavailable } from './unavailable.ts';

/** Attempts of one write before it fails with `changed-meanwhile`. */
const MAX_ATTEMPTS = 24;

/** "Cached plan must not change result type": a migration has changed a table since the statement was prepared. */
const STALE_STATEMENT = '0A000';

/**
 * SQLSTATEs of errors after which a retry may succeed: a serialization failure, a deadlock and a stale statement. The first two are not
 * expected on PostgreSQL, because writes lock rows in a fixed order (decisions/0033). Engines that are always serializable report the
 * first under contention.
 */
const CONFLICTS = new Set(['40001', '40P01', STALE_STATEMENT]);

/**
 * SQLSTATEs of a database that is unavailable: lost connections (08), a read-only server and timeouts within a database transaction (25), an
 * unknown result of a commit (40003), a lack of resources such as disk space (53), a canceled statement, a shutdown and a start (57), and
 * I/O errors (58030).
 */
const UNAVAILABLE = /^(08...|25006|25P0[34]|40003|53...|57014|57P0\d|58030)$/;

/** "Current transaction is aborted". */
const ABORTED = '25P02';

/** A warning of the server, which reports so that a commit did not wait for the synchronous standby. */
const WARNING = '01000';

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
 * @param preparesStatements - If false, statements have no names, for a pooler that does not support prepared statements.
 */
export function openPostgres(
  url: string,
  keyRing: () => KeyRing,
  { statementTimeoutMs = STATEMENT_TIMEOUT_MS, preparesStatements = true } = {},
): Database {
  const connection = createConnection('postgres', keyRing());
  const pool = openPool(url, APPLICATION_NAME, MAX_CONNECTIONS, statementTimeoutMs);
  const nameOf = preparesStatements ? createStatementNames() : () => undefined;
  const connect = async () => {
    const client = await pool.connect().catch((thrown: unknown) => {
      // Without a connection, the reason does not matter, unless the service has closed the pool.
      throw pool.ending ? thrown : unavailable(connection, thrown);
    });
    return createClient(client, connection, nameOf);
  };
  const query = kyselyOn(connect, connection);
  let commits = 0;

  const database: Database = {
    engine: 'postgres',
    query,
    ...checkedWrites(async (work) => {
      const result = await withRetries(() => inTransaction(connect, connection, work));
      commits += 1;
      return result;
    }),
    setClockOffset: (offsetMs) => {
      connection.clockOffsetMs = offsetMs;
    },
    migrate: () => migrate(url, connection),
    pendingMigrations: () => pendingMigrations(createMigrator(query, connection)),
    isMigrated: () => isServable(createMigrator(query, connection), query),
    settingProblems: () => timeoutProblems(query, statementTimeoutMs),
    usage: () => {
      const { totalCount: connections, idleCount: idleConnections, waitingCount: waiting } = pool;
      return { connections, idleConnections, waiting, commits, writes: commits };
    },
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
  // As options, the driver would not send 0, which replaces the timeout of a role. Of a repeated parameter, it uses the last one.
  const timeouts = TIMEOUTS.map((name) => [name, String(statementTimeoutMs)]);
  const parameters = new URLSearchParams([['application_name', applicationName], ...timeouts]).toString();
  const pool = new pg.Pool({
    connectionString: `${url}${url.includes('?') ? '&' : '?'}${parameters}`,
    max,
    types: { getTypeParser: typeParser },
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    // A query is sent without waiting for the results of earlier ones.
    pipeline: true,
    stream: () => socketWithTimeout(statementTimeoutMs),
  });
  // If a connection breaks, its current query fails, and the pool replaces the connection when the next query needs one. Without
  // these listeners, the error event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => broken.add(client));
    client.on('notice', (notice) => notice.code === WARNING && warnings.set(client, notice));
  });
  return pool;
}

const TIMEOUTS = ['statement_timeout', 'idle_in_transaction_session_timeout'];

/** Connections that were lost. */
const broken = new WeakSet<pg.PoolClient>();

/** The last warning of each connection. */
const warnings = new WeakMap<pg.PoolClient, unknown>();

/** Reads the timeouts back, because poolers do not pass on those that a connection requests. Lists rely on them (decisions/0045). */
async function timeoutProblems(query: Kysely<Schema>, timeoutMs: number): Promise<string[]> {
  const { rows } = await sql<{ name: string; ms: string; role: string }>`
    select name, setting as ms, current_user as role from pg_settings where name in (${sql.join(TIMEOUTS)})`.execute(query);
  return rows
    .filter(({ ms }) => Number(ms) === 0 || Number(ms) > timeoutMs)
    .map(({ name, ms, role }) => {
      const remedy = `alter role ${pg.escapeIdentifier(role)} set ${name} = '${timeoutMs}ms'`;
      return `${name}: expected 1 to ${timeoutMs} ms, but found ${ms}. A pooler ignores the setting of a connection. Run: ${remedy}`;
    });
}

/**
 * Runs `work` in a database transaction.
 *
 * Kysely's own transactions send one query at a time. Here, queries that start together are sent together, and `begin` is sent with
 * the first of them, which halves the round trips of a checkout.
 */
async function inTransaction<T>(
  connect: () => Promise<WritingClient>,
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
    // `begin` fails if the connection breaks, or if it is canceled.
    const begun = client.query(BEGIN, []);
    begun.catch(() => undefined);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each query of this instance is part of the database transaction
    const result = await work(kyselyOn(requireOpen, connection) as Tx);
    isOpen = false;
    // oxlint-disable-next-line promises/await-at-once -- its rejection is handled above
    await Promise.all([begun, client.commit()]);
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

/** A client of a database transaction. */
interface WritingClient extends Client {
  /** @throws ServiceError `database-unavailable` - the database transaction may have been committed, also if only on this server. */
  commit(): Promise<void>;
}

/**
 * Returns a client with named prepared statements. Each connection parses them once, which halves PostgreSQL's work for short ones. A
 * connection is replaced after a stale statement, and after a failure: it may lead to a server that has become read-only.
 */
function createClient(client: pg.PoolClient, connection: Connection, nameOf: NameStatement): WritingClient {
  let isReplaced = false;
  let hasFailed = false;
  const send = async (query: pg.QueryConfig) => {
    try {
      return await client.query(query);
    } catch (thrown) {
      const code = codeOf(thrown);
      // The queries after one that failed are rejected, too, and the error of any of them can be the one that is thrown.
      const isUnavailable = broken.has(client) || UNAVAILABLE.test(code) || (hasFailed && code === ABORTED);
      if (!isUnavailable) throw thrown;
      hasFailed = true;
      isReplaced = true;
      throw unavailable(connection, thrown);
    }
  };
  const query: Client['query'] = async (text, values) => {
    const name = nameOf(text, values);
    if (name === undefined) return send({ text, values: [...values] });
    try {
      return await send({ name, text, values: [...values] });
    } catch (thrown) {
      if (codeOf(thrown) !== STALE_STATEMENT) throw thrown;
      isReplaced = true;
      // A database transaction is retried as a whole, on another connection. `I` (idle): the query was not in one.
      if (client.getTransactionStatus() !== 'I') throw thrown;
      return send({ text, values: [...values] });
    }
  };
  const commit = async () => {
    warnings.delete(client);
    const { command } = await send({ text: 'commit' });
    if (command !== 'COMMIT') throw new Error(`A query error was ignored: expected COMMIT, but received ${command}`);
    // "Canceling wait for synchronous replication": a standby may not have it, and would lose it when it takes over.
    if (warnings.has(client)) throw unavailable(connection, warnings.get(client));
  };
  return { query, commit, release: (isBroken = false) => client.release(isReplaced || isBroken) };
}

/** Without a name: if it failed, the queries that are sent with it would be committed one by one. */
const BEGIN = 'begin isolation level read committed';

/** Maximum number of named prepared statements. The service has about a hundred statements without a `limit`. */
const MAX_NAMED_STATEMENTS = 500;

/**
 * Returns the name of a prepared statement, or undefined for a statement that is sent without a name. Statements with a limit are
 * planned each time, because the number of rows that match their filters depends on the values.
 */
type NameStatement = (text: string, values: readonly unknown[]) => string | undefined;

/**
 * Names prepared statements by the hash of their SQL. Through a pooler, processes share the statements of a server connection, so that a
 * name must never be that of another statement.
 */
function createStatementNames(): NameStatement {
  const names = new Map<string, string>();
  return (text, values) => {
    if (values.length === 0 || text.includes(' limit ')) return undefined;
    const existing = names.get(text);
    if (existing !== undefined || names.size >= MAX_NAMED_STATEMENTS) return existing;
    const name = `fairterm_${createHash('sha256').update(text).digest('base64url')}`;
    names.set(text, name);
    return name;
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
async function migrate(url: string, connection: Connection): Promise<string[]> {
  // Under another name, because a migration may take longer than lists may wait for it. It dates no rows. One connection has the lock, and
  // the other one migrates.
  const pool = openPool(url, `${APPLICATION_NAME} migrate`, 2, 0);
  const database = new Kysely<Schema>({ dialect: new UnlockedPostgresDialect({ pool }) });
  try {
    return await withMigrationLock(pool, () => runMigrations(createMigrator(database, connection)));
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
async function withMigrationLock<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await createLockRow(client);
    await client.query('begin');
    await client.query('select id from migration_lock where id = 1 for update');
    const result = await work();
    await client.query('commit');
    return result;
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
