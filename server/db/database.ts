import type { Kysely, Transaction } from 'kysely';
import type { Counter } from '../base/progress.js';
import type { Engine } from './engine.ts';
import type { Schema } from './schema.ts';

/** For reading: the database, or a database transaction. */
export type Query = Kysely<Schema>;

export type Tx = Transaction<Schema>;

/** A database, implemented by `sqlite.ts` and `postgres.ts`. */
export interface Database {
  readonly engine: Engine;
  /** For reading committed rows. */
  readonly query: Query;
  /**
   * Runs `work` in one database transaction and resolves once its result is on disk.
   *
   * Reads in `work` see concurrent commits, so `work` must first lock the row that it changes, with `forUpdate()` (decisions/0033). It
   * must use only `tx`, and no network, clock or randomness, because it may be retried.
   *
   * @throws ServiceError `changed-meanwhile` - every retry conflicted with other writes; `database-unavailable` - the write may have been
   *   committed.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Returns true unless a write has failed because the database was unavailable. Then it makes a small write itself, and returns true after
   * that was committed.
   *
   * @throws ServiceError `database-unavailable` - the small write failed, too.
   */
  isWritable(): Promise<boolean>;
  /** Moves the times that writes take (`DATABASE_NOW`) with the sandbox's clock. */
  setClockOffset(offsetMs: number): void;
  /** Runs pending migrations, and returns their names. If several processes call it, one runs them and the others wait. */
  migrate(): Promise<string[]>;
  /** Returns the names of the migrations that `migrate` would run. */
  pendingMigrations(): Promise<string[]>;
  /** Returns true if there are no pending migrations, and none of a later release after which this release cannot serve. */
  isMigrated(): Promise<boolean>;
  /** Describes the settings of the server that the service needs and that are not in effect, with their remedy. */
  settingProblems(): Promise<string[]>;
  /** Returns the use of the database by this process, for metrics. */
  usage(): DatabaseUsage;
  /**
   * Removes overwritten and deleted values from the write-ahead log of SQLite, after an erasure. Does nothing on PostgreSQL, whose log
   * belongs to its server.
   *
   * @returns False if reads of other connections prevented it for 10 seconds.
   */
  truncateLog(): Promise<boolean>;
  /**
   * Rewrites all tables, so that their files do not contain overwritten and deleted values. Other processes must not use the database.
   *
   * @param progress - Counts the tables of PostgreSQL. SQLite rewrites its file in one step.
   */
  vacuum(progress?: Counter): Promise<void>;
  close(): Promise<void>;
}

/** The use of a database by one process. */
export interface DatabaseUsage {
  connections: number;
  /** Open connections that no query uses. SQLite has two connections, whose queries do not overlap. */
  idleConnections: number;
  /** Queries that wait for a connection (PostgreSQL), or writes that wait for a commit (SQLite). */
  waiting: number;
  /** Commits since the start, and the writes in them: on SQLite, writes that wait share a commit. */
  commits: number;
  writes: number;
}

/**
 * Runs queries of one database transaction together: PostgreSQL receives them at once and runs them in their order.
 *
 * Waits for all of them before it throws the first failure, so that none runs after the database transaction was rolled back.
 */
export async function together<Queries extends Promise<unknown>[]>(
  ...queries: Queries
): Promise<{ -readonly [Index in keyof Queries]: Awaited<Queries[Index]> }> {
  await Promise.allSettled(queries);
  return Promise.all(queries);
}

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  isLast: boolean;
}

/** Returns a page. Selects one more than the limit to find out whether there is another page. */
export async function pageOf<Item>(limit: number, select: (limit: number) => Promise<Item[]>): Promise<Page<Item>> {
  const rows = await select(limit + 1);
  return { items: rows.slice(0, limit), isLast: rows.length <= limit };
}

/**
 * Yields the pages of a list, until one is not full.
 *
 * @param limit - Rows of a page.
 * @param read - Returns the page after a row, or the first page.
 */
export async function* pagesOf<Row>(
  limit: number,
  read: (after: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, undefined> {
  let page: readonly Row[] = [];
  do {
    page = await read(page.at(-1));
    if (page.length > 0) yield page;
  } while (page.length === limit);
}

export type Readable = Pick<Database, 'query'>;
