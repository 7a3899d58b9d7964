import { propertyOf } from '../../../shared/objects.ts';
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { StructError } from 'superstruct';
import type { CivilDate } from '../../../shared/dates.ts';
import { CalendarDate } from '../../../shared/wire/fields.ts';
import type { CommandConfig, Config } from '../../base/config/config.ts';
import { readDataKeys } from '../../base/config/data-keys.ts';
import type { LenderConfig } from '../../base/config/lender.ts';
import { saveActiveDataKey } from '../../db/data-keys.ts';
import type { Database } from '../../db/database.ts';
import { databaseName, openDatabase } from '../../db/open-database.ts';
import { onDamagedRow } from '../../db/engine.ts';
import { SealedDataError } from '../../base/key-ring.ts';
import { requireKnownMigrations } from '../../db/migrate.ts';
import { migrateInMode, requireMode } from '../../db/mode.ts';
import { codeOf, errorLogFields, messageOf, ServiceError } from '../../base/errors.ts';
import type { KeyPair } from '../../merchants/keys.ts';
import { requireLivePrograms } from '../../lending/programs/programs.ts';
import type { Clock } from '../../base/time.ts';

/** Input, output, clock and configuration of a command. Tests replace them. */
export interface CommandContext {
  /**
   * Reads the configuration from the environment. Called only by commands that need it, so that others run without a valid
   * configuration.
   *
   * @throws Error - a variable is invalid.
   */
  config(): CommandConfig;
  /** Reads the configuration of a service. */
  serviceConfig(): Config;
  /** Reads the secrets and the timeout of a lender at a URL. @throws Error - the URL or a variable is invalid. */
  lenderAt(url: string): LenderConfig;
  /** Returns the key pair of a merchant in the environment. @throws Error - a variable is missing. */
  keyPair(): KeyPair;
  /** Reads the lender of the service. @throws Error - none is configured, or a variable is invalid. */
  lender(): LenderConfig;
  /** Starts the service. @param log - Of the service. */
  serve(config: Config, log: Logger): Promise<{ publicUrl: string; close(): Promise<void> }>;
  clock: Clock;
  stdin(): AsyncIterable<Uint8Array>;
  /** Prints a line of the result to standard output. */
  print(line: string): void;
  /** Prints a message to standard error. */
  log(line: string): void;
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

/** An option of a command. A required option must not be empty. */
interface Option {
  type: 'string' | 'boolean';
  multiple?: true;
  default?: false | string[];
  isRequired?: true;
}

/** Kinds of options. An absent flag is false, and an absent list is empty. */
export const text = { type: 'string' } satisfies Option;
export const required = { type: 'string', isRequired: true } satisfies Option;
export const list = { type: 'string', multiple: true, default: [] } satisfies Option;
export const flag = { type: 'boolean', default: false } satisfies Option;

type Options = Readonly<Record<string, Option>>;

type Values<O extends Options> = {
  [Name in keyof O]: O[Name] extends { type: 'boolean' }
    ? boolean
    : O[Name] extends { multiple: true }
      ? string[]
      : O[Name] extends { isRequired: true }
        ? string
        : string | undefined;
};

/** Creates a command that has only options. */
export function command<O extends Options>(
  usage: string,
  options: O,
  run: (values: Values<O>, context: CommandContext) => Promise<number | void>,
): Command {
  return { usage, run: async (args, context) => run(requireOptions(parseOptions(args, options).values, options), context) };
}

/** Creates a command with one argument in addition to its options. @param name - Name of the argument for messages. */
export function commandOn<O extends Options>(
  usage: string,
  name: string,
  options: O,
  run: (argument: string, values: Values<O>, context: CommandContext) => Promise<number | void>,
): Command {
  return {
    usage,
    run: async (args, context) => {
      const { values, positionals } = parseOptions(args, options, { allowPositionals: true });
      return run(onlyPositional(name, positionals), requireOptions(values, options), context);
    },
  };
}

/** Parses the arguments of a command, without checking that required options are present. */
export function parseOptions<O extends Options>(args: string[], options: O, { allowPositionals = false } = {}) {
  const config: Options = options;
  const { values, positionals } = parseArgs({ args, options: config, allowPositionals });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `parseArgs` returns the types of options that are literals
  return { values: values as Values<O>, positionals };
}

/** @throws UsageError - a required option is missing or empty. */
function requireOptions<O extends Options>(values: Values<O>, options: O): Values<O> {
  for (const [name, { isRequired }] of Object.entries(options)) {
    if (isRequired && !values[name]) throw new UsageError(`expected --${name}`);
  }
  return values;
}

/** The command was called with missing or invalid arguments. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Describes an error to the operator: its message, and its stack frames if it is a fault of the program. */
export function describeError(thrown: unknown): string {
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
export async function withDatabase<T>(
  context: CommandContext,
  work: (database: Database, config: CommandConfig) => Promise<T>,
): Promise<T> {
  const config = context.config();
  logDatabaseName(context, config);
  const database = openDatabase(config.databaseUrl, () => readDataKeys(config, { mayCreate: false }), { mayCreate: false });
  onDamagedRow(database, ({ message }) => context.log(`warning: ${message}`));
  try {
    if (!(await database.isMigrated())) {
      await requireKnownMigrations(database.query);
      throw new Error('DATABASE_URL: expected a database that is up to date, but migrations are pending; run `fairterm migrate`');
    }
    await requireMode(database, config.mode);
    if (config.mode === 'live') requireLivePrograms(database, { hasCards: config.cardStripeKey !== undefined });
    await saveActiveDataKey(database);
    return await work(database, config);
  } finally {
    await database.close();
  }
}

/** Creates the configured database if it does not exist, and runs pending migrations. */
export async function migrateDatabase(context: CommandContext): Promise<void> {
  const config = context.config();
  logDatabaseName(context, config);
  const database = openDatabase(config.databaseUrl, () => readDataKeys(config));
  onDamagedRow(database, ({ message }) => context.log(`warning: ${message}`));
  try {
    await migrateInMode(database, config.mode);
  } finally {
    await database.close();
  }
}

/** Removes what was erased from the log of the database, or logs that it could not. */
export async function truncateLog({ log }: CommandContext, database: Database): Promise<void> {
  if (await database.truncateLog()) return;
  log('warning: erased values are still in the write-ahead log, because the database is being read; run `fairterm vacuum` later');
}

/** Logs the database, because a command without the environment variables of the service uses the default one. */
function logDatabaseName({ log }: CommandContext, { databaseUrl, isDefaultDatabase }: CommandConfig): void {
  const name = `Database: ${databaseName(databaseUrl)}`;
  log(isDefaultDatabase ? `${name} (the default: DATABASE_URL is not set; set it as for the service)` : name);
}

/** Returns the only positional argument. @throws UsageError - there is not exactly one. */
export function onlyPositional(name: string, positionals: readonly string[]): string {
  if (positionals.length > 1) throw new UsageError(`expected one ${name}, but received ${positionals.length}`);
  if (!positionals[0]) throw new UsageError(`expected ${name}`);
  return positionals[0];
}

/** @throws Error - the value is not a date. */
export function dateOption(option: string, value: string | undefined): CivilDate | undefined {
  if (value === undefined) return undefined;
  const [error, date] = CalendarDate.validate(value);
  if (error) throw new Error(`${option}: expected a date such as 2026-11-21, but received "${value}"`);
  return date;
}

/** @throws Error - the value is not one of `choices`. */
export function choiceOption<Choice extends string>(
  option: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw new Error(`${option}: expected ${choices.join(' or ')}, but received "${value}"`);
  return chosen;
}

/** @throws Error - the value is not an integer from `min` to `max`. */
export function integerOption(
  option: string,
  value: string | undefined,
  { min, max }: { min: number; max: number },
): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= min && number <= max) return number;
  throw new Error(`${option}: expected a whole number from ${min} to ${max}, but received "${value}"`);
}
