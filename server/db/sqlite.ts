import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CamelCasePlugin, CompiledQuery, Kysely, type SqliteDialect } from 'kysely';
import { codeOf } from '../base/errors.ts';
import type { Database, Tx } from './database.ts';
import { type Connection, createConnection, withConnection } from './engine.ts';
import { Sqlite, type SqliteFile } from './driver.ts';
import { commitTogether, type Job } from './group-commit.ts';
import type { KeyRing } from '../base/key-ring.ts';
import { createMigrator, isServable, pendingMigrations, runMigrations } from './migrate.ts';
import type { Schema } from './schema.ts';
import {
  isBusy,
  isUnavailableFile,
  LOCK_TIMEOUT_MS,
  readingDialect,
  withStatementCache,
  writingDialect,
} from './sqlite-dialect.ts';
import { checkedWrites, unavailable } from './unavailable.ts';
import { writeClock } from './write-time.ts';

/** Maximum number of writes that share a commit: enough to amortize the fsync, few enough for a short wait. */
const MAX_JOBS_PER_COMMIT = 128;

/**
 * Opens a SQLite file as a `Database`, creating it and its folder when they are missing.
 *
 * Concurrent writes share one commit, and so one fsync. No write resolves before that commit. If one of them fails, all are run
 * again, each in a savepoint, so that only the failed one is rolled back. Reads use a separate connection.
 *
 * @param keyRing - Called once the file exists, because the keys of a sandbox are created with its file.
 * @param maxJobsPerCommit - With 1, every write has a separate commit.
 * @param mayCreate - If false, a missing file is an error.
 * @throws Error - the file cannot be opened, or would not survive power loss (see `requireDurable`).
 */
export function openSqlite(
  filename: string,
  keyRing: () => KeyRing,
  { maxJobsPerCommit = MAX_JOBS_PER_COMMIT, mayCreate = true } = {},
): Database {
  if (!mayCreate && !existsSync(filename)) {
    throw new Error(`DATABASE_URL: expected a database at ${filename}, but found none; \`fairterm migrate\` creates it`);
  }
  createPrivately(filename);
  const connection = createConnection('sqlite', keyRing());
  const writerFile = openFile(filename, { readOnly: false });
  const readerFile = openFile(filename, { readOnly: true });
  const requireSameFile = sameFileCheck(filename);
  const writer = kyselyOn(writingDialect({ database: withStatementCache(writerFile), requireSameFile }), connection);
  const errorOf = (thrown: unknown) => (isUnavailableFile(thrown) ? unavailable(connection, thrown) : thrown);
  // A write on the connection that only reads is a fault of the service.
  const errorOfRead = (thrown: unknown) => (codeOf(thrown) === 'SQLITE_READONLY' ? thrown : errorOf(thrown));
  const reader = kyselyOn(readingDialect({ database: withStatementCache(readerFile), errorOf: errorOfRead }), connection);
  const clock = writeClock();
  const waiting: Job[] = [];
  let committing: Promise<void> | undefined;
  let commits = 0;
  let writes = 0;

  async function commitWaiting(): Promise<void> {
    while (waiting.length > 0) {
      // Requests that have already arrived are processed first, for as long as they add writes.
      for (let count = 0; count < waiting.length && waiting.length < maxJobsPerCommit;) {
        count = waiting.length;
        await new Promise<void>((resolve) => void setImmediate(resolve));
      }
      const writesBefore = writes;
      await commitTogether(writer, clock, waiting.splice(0, maxJobsPerCommit));
      if (writes > writesBefore) commits += 1;
    }
    committing = undefined;
  }

  const database: Database = {
    engine: 'sqlite',
    query: reader,
    ...checkedWrites(
      <T>(work: (tx: Tx) => Promise<T>) =>
        new Promise<T>((resolve, reject) => {
          let result: T;
          waiting.push({
            run: async (tx) => {
              result = await work(tx);
            },
            resolve: () => {
              writes += 1;
              resolve(result);
            },
            reject: (thrown) => reject(errorOf(thrown)),
          });
          committing ??= commitWaiting();
        }),
    ),
    setClockOffset: (offsetMs) => {
      connection.clockOffsetMs = offsetMs;
    },
    migrate: async () => {
      const names = await runMigrations(createMigrator(writer, connection));
      // From here on `beginTransaction` waits, because SQLite's own busy timeout blocks the process.
      await writer.executeQuery(CompiledQuery.raw('pragma busy_timeout = 20'));
      return names;
    },
    pendingMigrations: () => pendingMigrations(createMigrator(reader, connection)),
    isMigrated: async () => {
      requireSameFile();
      return isServable(createMigrator(reader, connection), reader);
    },
    settingProblems: async () => [],
    usage: () => ({ connections: 2, idleConnections: committing ? 1 : 2, waiting: waiting.length, commits, writes }),
    truncateLog: async () => {
      const deadline = performance.now() + LOCK_TIMEOUT_MS;
      for (;;) {
        const { rows } = await writer.executeQuery<{ busy: number }>(CompiledQuery.raw('pragma wal_checkpoint(truncate)'));
        if (rows[0]!.busy === 0) return true;
        if (performance.now() > deadline) return false;
        await delay(20);
      }
    },
    vacuum: async () => {
      await writer.executeQuery(CompiledQuery.raw('vacuum'));
      if (!(await database.truncateLog())) throw new Error('The database is being read: stop all processes that use it first');
    },
    close: async () => {
      await committing;
      await Promise.all([reader.destroy(), writer.destroy()]);
      // Kysely does not close a file that was never queried.
      readerFile.close();
      writerFile.close();
    },
  };
  return database;
}

/** Creates the file before SQLite does, so that other users of this machine cannot read it. */
function createPrivately(filename: string): void {
  const isFile = filename !== '' && filename !== ':memory:';
  if (!isFile) return;
  mkdirSync(dirname(filename), { recursive: true });
  closeSync(openSync(filename, 'a', 0o600));
}

/** Page cache of each connection, large enough for the index pages that writes change. */
const CACHE_KIB = 16_384;

/** Size to which the WAL is truncated after a checkpoint. A read that takes hours makes it grow. */
const MAX_WAL_BYTES = 64 * 1_024 * 1_024;

/** Pages of the WAL after which they are copied to the file. A few dozen writes reach the default of 1,000, and change mostly the same pages. */
const CHECKPOINT_PAGES = 4_000;

function openFile(filename: string, { readOnly }: { readOnly: boolean }): SqliteFile {
  try {
    const file = new Sqlite(filename, { timeout: 5_000 });
    switchToWal(file);
    file.pragma('synchronous = FULL');
    file.pragma('foreign_keys = ON');
    // Overwrites deleted content with zeros.
    file.pragma('secure_delete = ON');
    file.pragma(`cache_size = -${CACHE_KIB}`);
    // The pages that a statement with triggers may have to restore. By default SQLite writes them to a file for most transactions.
    file.pragma('temp_store = MEMORY');
    file.pragma(`journal_size_limit = ${MAX_WAL_BYTES}`);
    file.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    if (readOnly) file.pragma('query_only = ON');
    requireDurable(file);
    return file;
  } catch (thrown) {
    if (!(thrown instanceof Sqlite.SqliteError)) throw thrown;
    throw new Error(`expected a SQLite database at ${filename}, but: ${thrown.message}`, { cause: thrown });
  }
}

/**
 * Returns a function that throws if the file is no longer the one that was opened. SQLite would continue to write to a deleted or
 * replaced file, and those writes would be lost.
 */
function sameFileCheck(filename: string): () => void {
  const { ino } = statSync(filename);
  return () => {
    if (statSync(filename, { throwIfNoEntry: false })?.ino === ino) return;
    throw Object.assign(new Error(`The database was moved or deleted: ${filename}`), { code: 'DATABASE_MOVED' });
  };
}

/**
 * If several processes open a new file, one switches it to WAL mode. For the others SQLite returns `SQLITE_BUSY` without applying its
 * busy timeout.
 */
function switchToWal(file: SqliteFile): void {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      file.pragma('journal_mode = WAL');
      return;
    } catch (thrown) {
      if (!isBusy(thrown) || performance.now() > deadline) throw thrown;
      // Sleeps for 10 ms, because files are opened synchronously.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function kyselyOn(dialect: SqliteDialect, connection: Connection): Kysely<Schema> {
  return withConnection(new Kysely<Schema>({ dialect, plugins: [new CamelCasePlugin()] }), connection);
}

/**
 * Requires committed writes to survive power loss: `synchronous = FULL` with WAL. Reads the setting back after the first read of the
 * file, because better-sqlite3 is compiled to fall back to NORMAL, which can lose committed writes.
 */
function requireDurable(file: SqliteFile): void {
  file.prepare('select count(*) from sqlite_schema').get();
  const synchronous = file.pragma('synchronous', { simple: true });
  const journal = file.pragma('journal_mode', { simple: true });
  if (synchronous !== 2 || journal !== 'wal') {
    throw new Error(
      `SQLite would lose writes: expected WAL and synchronous 2 (FULL), but found ${String(journal)} and ${String(synchronous)}`,
    );
  }
}
