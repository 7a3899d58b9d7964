import { resolve } from 'node:path';
import type { Kysely, Transaction } from 'kysely';
import { parseUrl } from '../../shared/url.ts';
import type { Engine } from './engine.ts';
import type { KeyRing } from '../base/key-ring.ts';
import { openPostgres } from './postgres.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite.ts';

/** For reading: the database, or a database transaction. */
export type Query = Kysely<Schema>;

/** A database transaction. */
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
   * @throws ServiceError `changed-meanwhile` - every retry conflicted with other writes.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Moves the times that writes take (`timeOfWrite`) with the sandbox's clock. */
  setClockOffset(offsetMs: number): void;
  /** Runs pending migrations. If several processes call it, one runs them and the others wait. */
  migrate(): Promise<void>;
  /** Returns true if there are no pending migrations. */
  isMigrated(): Promise<boolean>;
  /**
   * Removes overwritten and deleted values from the write-ahead log of SQLite, after an erasure. Does nothing on PostgreSQL, whose log
   * belongs to its server.
   *
   * @returns False if reads of other connections prevented it for 10 seconds.
   */
  truncateLog(): Promise<boolean>;
  /** Rewrites all tables, so that their files do not contain overwritten and deleted values. Other processes must not use the database. */
  vacuum(): Promise<void>;
  close(): Promise<void>;
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

export type Readable = Pick<Database, 'query'>;

/**
 * Opens the database at `url`: `sqlite:path/to/file.db`, or `postgres://user:password@host/name`.
 *
 * @param keyRing - Returns the keys that seal personal data and secrets. Called once.
 * @param mayCreate - If false, a missing SQLite file is an error.
 * @throws Error - the URL has another form, or writes would not be durable (see `sqlite.ts`).
 */
export function openDatabase(url: string, keyRing: () => KeyRing, { mayCreate = true } = {}): Database {
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length), keyRing, { mayCreate });
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, keyRing);
  throw new Error('DATABASE_URL: expected sqlite:FILE or postgres://…, but received another kind of URL');
}

/** Returns the URL of a database without its password and parameters: `postgres://user@host/name`, `sqlite:/path/to/file.db`. */
export function databaseName(url: string): string {
  if (url.startsWith('sqlite:')) return `sqlite:${resolve(url.slice('sqlite:'.length))}`;
  const parsed = parseUrl(url);
  if (!parsed) return `${url.split(':')[0]}://…`;
  const { protocol, username, host, pathname } = parsed;
  return `${protocol}//${username}${username && '@'}${host}${pathname}`;
}
