import type { Config } from '../config/config.ts';
import { type Database, databaseName, openDatabase, type Query } from '../db/database.ts';
import { migrateInMode, requireMode } from '../db/mode.ts';
import type { Clock } from '../time.ts';

/** What a command has of the process it runs in. */
export interface Surroundings {
  /** Reads the environment. Asked only by commands that need it: the others work wherever they are started. @throws Error */
  config(): Config;
  clock: Clock;
  /** What is piped in. */
  input(): AsyncIterable<Uint8Array>;
  /** Says a line of the answer. With `--json` there is one, and nothing else. */
  answer(line: string): void;
  /** Says a line about the answer, which no script reads. */
  remark(line: string): void;
}

/** Something an operator can ask for. */
export interface Command {
  /** The command with its options, as one writes it: `migrate`. */
  usage: string;
  /**
   * @param args - What followed the command's name.
   * @returns The exit code if it is not 0: 1 for a negative result, 2 if the command failed to produce a result.
   * @throws UsageError - it was asked for in a way it cannot be. Any other error is a refusal, worded for the operator.
   */
  run(args: string[], surroundings: Surroundings): Promise<number | void>;
}

/** A command that was written wrong: an option missing, or one that does not exist. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** @throws UsageError - the option is missing, or empty. */
export function required(option: string, value: string | undefined): string {
  if (!value) throw new UsageError(`expected ${option}`);
  return value;
}

/** @throws UsageError - there is not exactly one. */
export function onlyOne(name: string, positionals: readonly string[]): string {
  if (positionals.length > 1) throw new UsageError(`expected one ${name}, but received ${positionals.length}`);
  return required(name, positionals[0]);
}

/** Runs `work` on the database of the environment, brought up to date. */
export async function withDatabase<T>(
  surroundings: Surroundings,
  work: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  const read = surroundings.config();
  nameDatabase(surroundings, read);
  const database = openDatabase(read.databaseUrl);
  try {
    await migrateInMode(database, read.mode);
    return await work(database, read);
  } finally {
    await database.close();
  }
}

/**
 * Runs `work` on the existing database of the environment, without creating or migrating it.
 *
 * @throws Error - the database does not exist, or is not migrated.
 */
export async function withDatabaseAsItIs<T>(surroundings: Surroundings, work: (query: Query) => Promise<T>): Promise<T> {
  const read = surroundings.config();
  const { databaseUrl, mode } = read;
  nameDatabase(surroundings, read);
  const database = openDatabase(databaseUrl, { mayCreate: false });
  try {
    if (!(await database.isMigrated())) throw new Error('expected a database that is up to date; run `fairterm migrate`');
    await requireMode(database, mode);
    return await work(database.query);
  } finally {
    await database.close();
  }
}

/** A command that runs without the environment of the service would otherwise change another database unnoticed. */
function nameDatabase({ remark }: Surroundings, { databaseUrl, isDefaultDatabase }: Config): void {
  const name = `Database: ${databaseName(databaseUrl)}`;
  remark(isDefaultDatabase ? `${name} (the default: DATABASE_URL is not set; set it as for the service)` : name);
}

/** Describes an error in one line. If several addresses fail to connect, Node's own error has only a code. */
export function reasonOf(thrown: unknown): string {
  const { message, code } = thrown as { message?: string; code?: string };
  return message || code || String(thrown);
}
