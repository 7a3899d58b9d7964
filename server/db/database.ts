import { resolve } from 'node:path';
import type { Kysely, Transaction } from 'kysely';
import { parsedUrl } from '../../shared/url.ts';
import type { Engine } from './engine.ts';
import { openPostgres } from './postgres.ts';
import type { Schema } from './schema.ts';
import { openSqlite } from './sqlite.ts';

/** For reading: the database itself, or a database transaction under way. */
export type Query = Kysely<Schema>;

/** Inside a database transaction. Has no way back to the outer connection. */
export type Tx = Transaction<Schema>;

/** The whole of what the service asks of a database. Two files implement it. */
export interface Database {
  readonly engine: Engine;
  /** For reading: sees what is committed. */
  readonly query: Query;
  /**
   * Runs `work` in one database transaction and resolves once its result is on disk.
   *
   * Reads inside `work` see what others commit meanwhile. It therefore starts by locking the row it decides on, with `forUpdate()`
   * (decisions/0033). It queries through `tx` only, and uses no network, clock or randomness, because it may run again.
   *
   * @throws ServiceError `changed-meanwhile` - it conflicted with other writes every time it ran.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Brings the tables up to date. Several processes may call it at once; one does the work, the others wait. */
  migrate(): Promise<void>;
  /** Whether the tables are those this build was made for. */
  isMigrated(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Runs queries of one database transaction together: PostgreSQL receives them at once and runs them in their order.
 *
 * Waits for all of them before it throws the first failure, so that none runs after the database transaction was rolled back.
 */
export async function together<Results extends readonly unknown[]>(
  ...queries: { [Index in keyof Results]: Promise<Results[Index]> }
): Promise<Results> {
  const settled = await Promise.allSettled(queries);
  const failed = settled.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as Results;
}

/** A database as far as it can be read. */
export type Readable = Pick<Database, 'query'>;

/**
 * Opens the database that `url` names: `sqlite:path/to/file.db`, or `postgres://user:password@host/name`.
 *
 * @param mayCreate - False refuses a SQLite file that is not there, rather than making an empty one.
 * @throws Error - the address has neither form, or the engine cannot keep its promises (see `sqlite.ts`).
 */
export function openDatabase(url: string, { mayCreate = true } = {}): Database {
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length), { mayCreate });
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url);
  throw new Error('DATABASE_URL: expected sqlite:FILE or postgres://…, but received another kind of address');
}

/** The address of a database without its password and parameters, for people: `postgres://user@host/name`, `sqlite:/path/to/file.db`. */
export function databaseName(url: string): string {
  if (url.startsWith('sqlite:')) return `sqlite:${resolve(url.slice('sqlite:'.length))}`;
  const parsed = parsedUrl(url);
  if (!parsed) return `${url.split(':')[0]}://…`;
  const { protocol, username, host, pathname } = parsed;
  return `${protocol}//${username}${username && '@'}${host}${pathname}`;
}
