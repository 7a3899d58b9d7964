import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type SelectModifierNode,
  type SqliteStatement,
} from 'kysely';

/** Maximum time for which a write waits for a write of another process. */
export const LOCK_TIMEOUT_MS = 10_000;

export function isBusy(thrown: unknown): boolean {
  return (thrown as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false;
}

/** Returns a database handle that caches prepared statements, because preparing one takes longer than reading a row. */
export function withStatementCache(file: SqliteDatabase): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    prepare: (text) => {
      let statement = prepared.get(text);
      if (statement) return statement;
      if (prepared.size >= 1_000) prepared.clear();
      prepared.set(text, (statement = file.prepare(text)));
      return statement;
    },
    close: () => file.close(),
  };
}

interface ImmediateSqliteConfig {
  database: SqliteDatabase;
  /** Called before each database transaction. Throws if the file was deleted or replaced. */
  requireSameFile: () => void;
}

/** Kysely's SQLite dialect with a different driver, query compiler and adapter. */
export class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: ImmediateSqliteConfig;

  constructor(config: ImmediateSqliteConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver(this.#config);
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new LocklessSqliteQueryCompiler();
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlSqliteAdapter();
  }
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

/** The dialect for the connection that only reads. */
export class ReadingSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    super({ database });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new ReadingSqliteDriver(this.#database);
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new LocklessSqliteQueryCompiler();
  }
}

/**
 * Shares the connection between queries, which are synchronous here. Kysely's driver gives it to one query at a time and wakes all
 * waiting queries after each. With 64 concurrent requests, this halves the processor time of a request (decisions/0035).
 */
class ReadingSqliteDriver implements Driver {
  readonly #database: SqliteDatabase;
  readonly #connection: DatabaseConnection;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#connection = {
      executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
        const statement = database.prepare(sql);
        if (statement.reader) return { rows: statement.all(parameters) as Row[] };
        statement.run(parameters);
        return { rows: [] };
      },
      streamQuery: () => {
        throw new Error('The connection for reading does not stream');
      },
    };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    throw new Error('The connection for reading has no transactions');
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#database.close();
  }
}

/** Runs all migrations in one transaction, so that concurrent processes wait for each other. */
class TransactionalDdlSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
