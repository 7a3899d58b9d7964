import { LRUCache } from 'lru-cache';
import { codeOf } from '../base/errors.ts';
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  SqliteQueryCompiler,
  type SelectModifierNode,
  type SqliteStatement,
} from 'kysely';

/** Maximum time for which a write waits for a write of another process. */
export const LOCK_TIMEOUT_MS = 10_000;

export function isBusy(thrown: unknown): boolean {
  return codeOf(thrown).startsWith('SQLITE_BUSY');
}

/** Returns a database handle that caches prepared statements, because preparing one takes longer than reading a row. */
export function withStatementCache(file: SqliteDatabase): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({ max: 1_000, memoMethod: (text) => file.prepare(text) });
  return { prepare: (text) => prepared.memo(text), close: () => file.close() };
}

/**
 * Codes of an unavailable file: its disk is full, broken or read-only, another process has the lock for too long, or the file was moved. The
 * driver adds details: `SQLITE_IOERR_WRITE`.
 */
const UNAVAILABLE = /^(SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY)|DATABASE_MOVED$)/;

export function isUnavailableFile(thrown: unknown): boolean {
  return UNAVAILABLE.test(codeOf(thrown));
}

interface ImmediateSqliteConfig {
  database: SqliteDatabase;
  /** Called before each database transaction. Throws if the file was deleted or replaced. */
  requireSameFile: () => void;
}

/** Kysely's SQLite dialect with a driver of this service, and a different query compiler and adapter. */
class ServiceSqliteDialect extends SqliteDialect {
  readonly #driver: SqliteDriver;

  constructor(config: SqliteDialectConfig, driver: SqliteDriver) {
    super(config);
    this.#driver = driver;
  }

  override createDriver(): SqliteDriver {
    return this.#driver;
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new LocklessSqliteQueryCompiler();
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlSqliteAdapter();
  }
}

/** Returns the dialect for the connection that writes. */
export function writingDialect(config: ImmediateSqliteConfig): SqliteDialect {
  return new ServiceSqliteDialect(config, new ImmediateSqliteDriver(config));
}

interface ReadingSqliteConfig {
  database: SqliteDatabase;
  /** Returns the error for the caller of a query that failed. */
  errorOf: (thrown: unknown) => unknown;
}

/** Returns the dialect for the connection that only reads. */
export function readingDialect(config: ReadingSqliteConfig): SqliteDialect {
  return new ServiceSqliteDialect(config, new ReadingSqliteDriver(config));
}

/**
 * Omits `for update` and `skip locked`, which SQLite does not support or need: only one database transaction at a time can
 * be started with `begin immediate`.
 */
class LocklessSqliteQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    const { modifier } = node;
    if (modifier === 'ForUpdate' || modifier === 'ForNoKeyUpdate' || modifier === 'SkipLocked') return;
    super.visitSelectModifier(node);
  }
}

/**
 * Starts immediate transactions. A deferred transaction fails at its first write if another process has written in the meantime; an
 * immediate one waits at its start, where it can be retried.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #requireSameFile: () => void;

  constructor({ requireSameFile, ...config }: ImmediateSqliteConfig) {
    super(config);
    this.#requireSameFile = requireSameFile;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    this.#requireSameFile();
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'));
        return;
      } catch (thrown) {
        if (!isBusy(thrown) || performance.now() > deadline) throw thrown;
        await new Promise((resolve) => setTimeout(resolve, 2 + 10 * Math.random()));
      }
    }
  }

  /** If the disk is full, SQLite has already rolled back. Another rollback would hide that error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch((thrown: Error) => {
      if (!thrown.message.includes('no transaction is active')) throw thrown;
    });
  }
}

/**
 * Gives its connection to all queries, which are synchronous. Kysely's driver gives it to one query at a time, and wakes all others after
 * each.
 */
class ReadingSqliteDriver extends SqliteDriver {
  readonly #errorOf: (thrown: unknown) => unknown;
  #connection: Promise<DatabaseConnection> | undefined;

  constructor({ errorOf, ...config }: ReadingSqliteConfig) {
    super(config);
    this.#errorOf = errorOf;
  }

  override acquireConnection(): Promise<DatabaseConnection> {
    return (this.#connection ??= super.acquireConnection().then((connection) => ({
      streamQuery: (...query) => connection.streamQuery(...query),
      executeQuery: (...query) => {
        try {
          return connection.executeQuery(...query);
        } catch (thrown) {
          throw this.#errorOf(thrown);
        }
      },
    })));
  }

  override async releaseConnection(): Promise<void> {}
}

/** Runs all migrations in one transaction, so that concurrent processes wait for each other. */
class TransactionalDdlSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
