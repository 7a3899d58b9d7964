import { propertyOf } from '../../../shared/objects.ts';
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { StructError } from 'superstruct';
import type { CivilDate } from '../../../shared/dates.ts';
import { CalendarDate } from '../../../shared/wire/fields.ts';
import { type CommandConfig, type Config, readCommandConfig } from '../../base/config/config.ts';
import { readDataKeys } from '../../base/config/data-keys.ts';
import type { Progress } from '../../base/progress.js';
import type { Env } from '../../base/config/env.ts';
import { saveActiveDataKey } from '../../db/data-keys.ts';
import type { Database } from '../../db/database.ts';
import { databaseName, openDatabase } from '../../db/open-database.ts';
import { onDamagedRow } from '../../db/engine.ts';
import { SealedDataError } from '../../base/key-ring.ts';
import { requireCompatibleMigrations } from '../../db/migrate.ts';
import { migrateInMode, requireMode } from '../../db/mode.ts';
import { codeOf, errorLogFields, isUnavailable, messageOf, ServiceError } from '../../base/errors.ts';
import { sellOnlyLivePrograms } from '../../lending/programs/programs.ts';
import type { Clock, Instant } from '../../base/time.ts';

/** Input, output, clock and environment of a command. Tests replace them. */
export interface CommandContext {
  /** Environment variables. Each command reads only the configuration that it needs, and runs if the rest is invalid. */
  env: Env;
  /** The settings of the file after `--env`, which are also in `env`. */
  settingsFile?: Readonly<Record<string, string>>;
  /** Starts the service. @param log - Of the service. @param hasJobs - Whether background jobs run. */
  serve(config: Config, log: Logger, hasJobs: boolean): Promise<{ publicUrl: string; close(): Promise<void> }>;
  clock: Clock;
  stdin(): AsyncIterable<Uint8Array>;
  /** Prints a line of the result to standard output. */
  print(line: string): void;
  /** Prints a message to standard error. */
  log(line: string): void;
  /** Shows what a long command does. It ends with the command. */
  progress: Progress;
}

export interface Command {
  /** The arguments after the command's name: `--merchant M [--json]`. */
  usage: string;
  /** Further lines of its `--help`. */
  help?: readonly string[];
  /**
   * @param args - The arguments after the command's name.
   * @returns The exit code if it is not 0: 1 for a negative result, 2 if the command failed to produce a result.
   * @throws UsageError - the arguments are invalid. The message of any other error is printed.
   */
  run(args: string[], context: CommandContext): Promise<number | void>;
}

/** An option of a command, or its argument without a name. A required one must not be empty. */
interface Option {
  type: 'string' | 'boolean';
  multiple?: true;
  default?: false | string[];
  isRequired?: true;
  /** True for the argument. Its name is only for messages. */
  isArgument?: true;
  /** Converts a text. @param option - The option as it is typed: `--since`. @throws Error - the text is invalid. */
  convert?(text: string, option: string): unknown;
}

/** Kinds of options. An absent flag is false, and an absent list is empty. */
export const option = {
  text: { type: 'string' },
  required: { type: 'string', isRequired: true },
  list: { type: 'string', multiple: true, default: [] },
  flag: { type: 'boolean', default: false },
  argument: { type: 'string', isArgument: true, isRequired: true },
  optionalArgument: { type: 'string', isArgument: true },
  date: {
    type: 'string',
    convert: (value: string, name: string): CivilDate => {
      const [error, day] = CalendarDate.validate(value);
      if (error) throw new Error(`${name}: expected a date such as 2026-11-21, but received "${value}"`);
      return day;
    },
  },
  /** One of several texts. `{ ...option.list, ...option.choice(…) }` is a list of them. */
  choice: <Choice extends string>(choices: readonly Choice[]) =>
    ({
      type: 'string',
      convert: (value: string, name: string): Choice => {
        const chosen = choices.find((each) => each === value);
        if (chosen === undefined) throw new Error(`${name}: expected ${choices.join(' or ')}, but received "${value}"`);
        return chosen;
      },
    }) satisfies Option,
  /** A whole number from `min` to `max`. */
  integer: (min: number, max: number) =>
    ({
      type: 'string',
      convert: (value: string, name: string): number => {
        const number = Number(value);
        if (/^\d+$/.test(value) && number >= min && number <= max) return number;
        throw new Error(`${name}: expected a whole number from ${min} to ${max}, but received "${value}"`);
      },
    }) satisfies Option,
} satisfies Record<string, Option | ((...limits: never[]) => Option)>;

export type Options = Readonly<Record<string, Option>>;

export type Values<O extends Options> = {
  [Name in keyof O]: O[Name] extends { type: 'boolean' }
    ? boolean
    : O[Name] extends { multiple: true }
      ? Converted<O[Name]>[]
      : O[Name] extends { isRequired: true }
        ? Converted<O[Name]>
        : Converted<O[Name]> | undefined;
};

type Converted<O extends Option> = O extends { convert(text: string, option: string): infer Value } ? Value : string;

/** Creates a command. */
export function command<O extends Options>(
  usage: string,
  options: O,
  run: (values: Values<O>, context: CommandContext) => Promise<number | void>,
): Command {
  return { usage, run: async (args, context) => run(parseOptions(args, options, {}), context) };
}

/** The result of a command on the database. */
interface Result {
  /** Printed as one line of JSON with `--json`. */
  value: unknown;
  /** Printed without `--json`. */
  lines: Iterable<string>;
  /** Messages to the operator, after the result. */
  messages?: readonly string[];
}

/** The configuration and the time of a command on the database. */
interface Run {
  config: CommandConfig;
  context: CommandContext;
  now: Instant;
}

/** Creates a command that works on the database, and prints the result as text, or as JSON with `--json`. */
export function databaseCommand<O extends Options>(
  usage: string,
  options: O,
  work: (values: Values<O>, database: Database, run: Run) => Promise<Result>,
): Command {
  return {
    usage,
    run: async (args, context) => {
      const values = parseOptions(args, options, { json: option.flag });
      const result = await withDatabase(context, (database, config) =>
        work(values, database, { config, context, now: context.clock.now() }),
      );
      printResult(context, values.json, result.value, result.lines);
      result.messages?.forEach(context.log);
    },
  };
}

/** Parses and converts the arguments of a command. @throws UsageError - a required one is missing or empty, or there are too many. */
function parseOptions<O extends Options, Common extends Options>(
  args: string[],
  options: O,
  common: Common,
): Values<O> & Values<Common> {
  const all = Object.entries<Option>({ ...options, ...common });
  const [argumentName] = all.find(([, { isArgument }]) => isArgument) ?? [];
  const named: Options = Object.fromEntries(all.filter(([name]) => name !== argumentName));
  const parsed = parseArgs({ args, options: named, allowPositionals: argumentName !== undefined });
  const typed: Record<string, string | boolean | (string | boolean)[] | undefined> = parsed.values;
  if (argumentName !== undefined) {
    const count = parsed.positionals.length;
    if (count > 1) throw new UsageError(`expected one ${argumentName}, but received ${count}`);
    [typed[argumentName]] = parsed.positionals;
  }
  for (const [name, { isRequired, isArgument }] of all) {
    if (isRequired && !typed[name]) throw new UsageError(`expected ${isArgument ? '' : '--'}${name}`);
  }
  const values: Record<string, unknown> = { ...typed };
  for (const [name, { convert }] of all) {
    const value = typed[name];
    if (!convert || value === undefined) continue;
    const converted = [value].flat().map((one) => convert(String(one), `--${name}`));
    values[name] = Array.isArray(value) ? converted : converted[0];
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `parseArgs` returns the types of options that are literals
  return values as Values<O> & Values<Common>;
}

/** The command was called with missing or invalid arguments. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Describes an error to the operator: its message, and its stack frames if it is a fault of the program. */
export function describeError(thrown: unknown): string {
  // The error of the driver names the reason.
  if (isUnavailable(thrown)) return describeError(propertyOf(thrown, 'cause'));
  // If several addresses fail to connect, Node's error has only a code.
  const description = messageOf(thrown) || codeOf(thrown) || String(thrown);
  return isFault(thrown) ? [description, ...errorLogFields(thrown).stack].join('\n') : description;
}

/**
 * Codes of errors that the operator can fix: of the operating system, of invalid options, and SQLSTATEs of a rejected login (28), an
 * unknown database (3D) or a server that shuts down or starts (57).
 */
const OPERATOR_CODES = /^(E[A-Z]+|ERR_PARSE_ARGS_\w+|(28|3D|57)\w{3})$/;

/** Commands and the configuration throw plain errors, whose message states what to do. */
function isFault(thrown: unknown): boolean {
  const isForOperator = [UsageError, ServiceError, StructError, SealedDataError].some((type) => thrown instanceof type);
  return !isForOperator && propertyOf(thrown, 'name') !== 'Error' && !OPERATOR_CODES.test(codeOf(thrown));
}

/** Prints a result as one line of JSON, or as text. */
export function printResult({ print }: CommandContext, isJson: boolean, value: unknown, lines: Iterable<string>): void {
  if (isJson) print(JSON.stringify(value));
  else for (const line of lines) print(line);
}

/** A column of a table: its heading and the text of a row's cell. Numbers are aligned to the right. */
export type Column<Row> = readonly [heading: string, cell: (row: Row) => string, kind?: 'number'];

/** Formats a table with headings. Columns are separated by two spaces. */
export function tableLines<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const cells = columns.map(([heading, cell, kind]) => {
    const texts = [heading, ...rows.map(cell)];
    const width = Math.max(...texts.map(({ length }) => length));
    return texts.map((each) => (kind === 'number' ? each.padStart(width) : each.padEnd(width)));
  });
  return [{}, ...rows].map((_, index) =>
    cells
      .map((column) => column[index])
      .join('  ')
      .trimEnd(),
  );
}

/**
 * Runs `work` on the configured database, without creating or migrating it.
 *
 * @throws Error - the database does not exist, is of another version or mode, or is encrypted with other keys.
 */
export function withDatabase<T>(
  context: CommandContext,
  work: (database: Database, config: CommandConfig) => Promise<T>,
): Promise<T> {
  return withUnchangedDatabase(context, async (database, config) => {
    if (!(await database.isMigrated())) {
      throw new Error('DATABASE_URL: expected a database that is up to date, but migrations are pending; run `fairterm migrate`');
    }
    await saveActiveDataKey(database);
    return work(database, config);
  });
}

/**
 * Runs `work` on the configured database, of which migrations may be pending, without changing it.
 *
 * @throws Error - the database does not exist, is of a later version or of the other mode, or is encrypted with other keys.
 */
export function withUnchangedDatabase<T>(
  context: CommandContext,
  work: (database: Database, config: CommandConfig) => Promise<T>,
): Promise<T> {
  return withOpenDatabase(context, { mayCreate: false }, async (database, config) => {
    await requireCompatibleMigrations(database.query);
    if (await database.isMigrated()) await requireMode(database, config.mode);
    if (config.mode === 'live') sellOnlyLivePrograms(database, { hasCards: config.cardStripeKey !== undefined });
    return work(database, config);
  });
}

/** Creates the configured database if it does not exist, runs pending migrations, and returns their names. */
export function migrateDatabase(context: CommandContext): Promise<string[]> {
  return withOpenDatabase(context, { mayCreate: true }, (database, { mode }) => {
    context.progress.start('Migrating');
    return migrateInMode(database, mode);
  });
}

/** Returns the names of the migrations that are pending in the configured database, without changing it. */
export function pendingMigrationsOf(context: CommandContext): Promise<string[]> {
  return withOpenDatabase(context, { mayCreate: false }, async (database) => {
    await requireCompatibleMigrations(database.query);
    return database.pendingMigrations();
  });
}

/** Reads the configuration of a command, and logs which database it uses. */
export function readDatabaseConfig({ env, log }: CommandContext): CommandConfig {
  const config = readCommandConfig(env);
  const name = `Database: ${databaseName(config.databaseUrl)}`;
  // A command without the environment variables of the service uses the default database.
  log(config.isDefaultDatabase ? `${name} (the default: DATABASE_URL is not set; set it as for the service)` : name);
  return config;
}

/** Runs `work` on the configured database. @param options - `mayCreate`: whether a missing file or its keys are created. */
export async function withOpenDatabase<T>(
  context: CommandContext,
  options: { mayCreate: boolean },
  work: (database: Database, config: CommandConfig) => Promise<T>,
): Promise<T> {
  const config = readDatabaseConfig(context);
  const { preparesStatements } = config;
  const database = openDatabase(config.databaseUrl, () => readDataKeys(config, options), { ...options, preparesStatements });
  onDamagedRow(database, ({ message }) => context.log(`warning: ${message}`));
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}

/** Removes what was erased from the log of the database, or logs that it could not. */
export async function truncateLog({ log }: CommandContext, database: Database): Promise<void> {
  if (await database.truncateLog()) return;
  log('warning: erased values are still in the write-ahead log, because the database is being read; run `fairterm vacuum` later');
}
