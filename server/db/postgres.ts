import { Socket } from 'node:net';
import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { ServiceError } from '../errors.ts';
import type { Database, Tx } from './database.ts';
import { type Connection, withConnection } from './engine.ts';
import type { KeyRing } from './key-ring.ts';
import { createMigrator, hasPendingMigrations, migrateToLatest } from './migrate.ts';
import type { Schema } from './schema.ts';

/** Attempts of one write before its caller has to retry. */
const MAX_ATTEMPTS = 24;

/** "Cached plan must not change result type": a migration has changed a table since the statement was prepared. */
const STALE_STATEMENT = '0A000';

/**
 * SQLSTATEs after which the same work may succeed: a serialization failure, a deadlock and a stale statement. Row locks taken in one
 * order (decisions/0033) leave neither of the first two on PostgreSQL; engines that are always serializable report the first under
 * contention.
 */
const CONFLICTS = new Set(['40001', '40P01', STALE_STATEMENT]);

/** How long a statement may run, and how long a database transaction may wait for its next statement. */
const STATEMENT_TIMEOUT_MS = 30_000;

/** How long a query waits for a connection: for a free one while all are busy, which a burst of requests must not fail by. */
const CONNECTION_TIMEOUT_MS = 15_000;

/**
 * Connections of one process. A write occupies one from its first statement to its commit, so that many buyers wait for a
 * connection of ours rather than for each other inside the server.
 */
const MAX_CONNECTIONS = 20;

/**
 * Opens PostgreSQL, or an engine that speaks its protocol, as a `Database`.
 *
 * Writes run at READ COMMITTED: what they decide on, they have locked before they read it (decisions/0033).
 *
 * @param statementTimeoutMs - How long the server lets a statement run, or a database transaction wait for its next one.
 */
export function openPostgres(url: string, keyRing: () => KeyRing, { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = {}): Database {
  const connection: Connection = { engine: 'postgres', keyRing: keyRing() };
  const pool = openPool(url, MAX_CONNECTIONS, statementTimeoutMs);
  const database = kyselyOn(async () => clientWithNamedStatements(await pool.connect()), connection);

  return {
    engine: 'postgres',
    query: database,
    write: (work) => retried(() => inTransaction(pool, connection, work)),
    migrate: () => migrate(url, connection),
    isMigrated: async () => !(await hasPendingMigrations(createMigrator(database, connection))),
    close: () => endPool(pool),
  };
}

/** @param statementTimeoutMs - 0 for no limit. */
function openPool(url: string, max: number, statementTimeoutMs: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: { getTypeParser: typeParser },
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    // A query is sent without waiting for the results of the ones before it.
    pipeline: true,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    stream: () => new PipeliningSocket(statementTimeoutMs),
  });
  // A connection that breaks, idle or busy, fails the query it was busy with and is replaced at the next; without
  // listeners it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Maximum number of named prepared statements. The service has about a hundred statements without a `limit`. */
const MAX_NAMED_STATEMENTS = 500;

/** The names of prepared statements by their SQL, the same on every connection. */
const statementNames = new Map<string, string>();

/**
 * Runs `work` in a database transaction.
 *
 * Kysely's own transactions run one query at a time. In these, queries that start together are sent together, and `begin` is sent
 * with the first of them: on a checkout, that is half of the round trips.
 */
async function inTransaction<T>(pool: pg.Pool, connection: Connection, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = clientWithNamedStatements(await pool.connect());
  let isOpen = true;
  const requireOpen = async () => {
    if (!isOpen) throw new Error('A query was started after its database transaction ended.');
    return { ...client, release: () => undefined };
  };
  try {
    // It fails only with its connection, and then so does the commit.
    client.query(BEGIN, []).catch(() => undefined);
    const result = await work(kyselyOn(requireOpen, connection) as Tx);
    isOpen = false;
    const { command } = await client.query('commit', []);
    if (command !== 'COMMIT') throw new Error(`A failed query was passed over: expected COMMIT, but received ${command}`);
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

/** Kysely on the clients that `connect` resolves to: it connects for each query and releases the client after it. */
function kyselyOn(connect: () => Promise<Client>, connection: Connection): Kysely<Schema> {
  const pool = { connect: connect as unknown as () => Promise<PostgresPoolClient>, end: async () => undefined };
  return withConnection(new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }), connection);
}

/** What Kysely uses of a client of the pool; it needs the rest of its type for cursors only. */
interface Client {
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult>;
  release(isBroken?: boolean): void;
}

/** A client whose statements are parsed once by each connection, which saves half of PostgreSQL's work for a short one. */
function clientWithNamedStatements(client: pg.PoolClient): Client {
  let isStale = false;
  const query = async (text: string, values: readonly unknown[]) => {
    const name = statementName(text, values);
    if (!name) return client.query(text, [...values]);
    try {
      return await client.query({ name, text, values: [...values] });
    } catch (thrown) {
      if (codeOf(thrown) !== STALE_STATEMENT) throw thrown;
      isStale = true;
      // Within a database transaction, all of it is run again on another connection.
      if (client.getTransactionStatus() !== 'I') throw thrown;
      return client.query(text, [...values]);
    }
  };
  return { query, release: (isBroken = false) => client.release(isStale || isBroken) };
}

const BEGIN = 'begin isolation level read committed';

/** Statements with a limit are planned each time: how many rows their filters leave depends on the values. */
function statementName(text: string, values: readonly unknown[]): string | undefined {
  if ((values.length === 0 && text !== BEGIN) || text.includes(' limit ')) return undefined;
  const known = statementNames.get(text);
  if (known !== undefined || statementNames.size >= MAX_NAMED_STATEMENTS) return known;
  const name = `fairterm_${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

/**
 * A connection's socket. It sends the queries that start in the same turn of the event loop in one packet, since a system call for
 * each would take a fifth of the processor time of a purchase.
 *
 * It is destroyed when nothing arrives for clearly longer than the server lets a statement run. A server that is frozen or cut off
 * sends nothing, and the operating system would wait for it for a quarter of an hour.
 */
class PipeliningSocket extends Socket {
  #isCollecting = false;

  constructor(statementTimeoutMs: number) {
    super();
    const destroy = () => this.destroy(Object.assign(new Error('PostgreSQL has not answered'), { code: 'ETIMEDOUT' }));
    this.setTimeout(1.2 * statementTimeoutMs, destroy);
  }

  /** `pg` corks the socket while it writes a prepared statement. The first in a turn keeps it corked for the others. */
  override cork(): void {
    if (!this.#isCollecting) {
      this.#isCollecting = true;
      process.nextTick(() => {
        this.#isCollecting = false;
        this.uncork();
      });
      super.cork();
    }
    super.cork();
  }
}

/** Uses connections without a statement timeout: a migration may fill a column of millions of rows, or wait for one that does. */
async function migrate(url: string, connection: Connection): Promise<void> {
  const pool = openPool(url, 2, 0);
  const database = new Kysely<Schema>({ dialect: new UnlockedPostgresDialect({ pool }) });
  try {
    await whileLocked(pool, () => migrateToLatest(createMigrator(database, connection)));
  } finally {
    await endPool(pool);
  }
}

/** Kysely's own `destroy` leaves a pool open that it has not used yet. */
async function endPool(pool: pg.Pool): Promise<void> {
  if (!pool.ending) await pool.end();
}

async function retried<T>(attempt: () => Promise<T>): Promise<T> {
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
 * Holds a row lock while `work` runs. Other engines with PostgreSQL's protocol may not have advisory locks. The lock belongs to an
 * open database transaction, so it is released if the process dies.
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
    if (!['23505', '42P07', '42710'].includes(codeOf(thrown))) throw thrown;
  }
  await client.query('insert into migration_lock (id) values (1) on conflict do nothing');
}

/** The SQLSTATE of a failure; empty for one that has none. */
function codeOf(thrown: unknown): string {
  return (thrown as { code?: string }).code ?? '';
}

class UnlockedPostgresDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new UnlockedPostgresAdapter();
  }
}

/** Disables Kysely's advisory lock; `whileLocked` replaces it. */
class UnlockedPostgresAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

const INT8_OID = 20;

/** pg returns bigint as text. Amounts are safe integers by their structs; any other is a fault. */
function typeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid !== INT8_OID) return pg.types.getTypeParser(oid, format);
  return (value: string) => {
    const parsed = Number(value);
    if (!Number.isSafeInteger(parsed)) throw new RangeError('A bigint in the database is not a safe integer');
    return parsed;
  };
}
