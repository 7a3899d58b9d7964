import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Progress } from '../base/progress.js';
import type { Database, Tx } from './database.ts';
import { Sqlite, type SqliteFile } from './driver.ts';
import { isBusy } from './sqlite-dialect.ts';

/** The result of a copy, which is the same on both sides. */
interface Copy {
  tables: { name: string; rows: number; hash: string }[];
  /** Ids of the data keys that are needed to read it. */
  keyIds: string[];
}

interface Table {
  name: string;
  columns: string[];
  /** Columns of the primary key. */
  key: string[];
  /** Tables that its rows refer to. */
  references: string[];
}

type Row = Record<string, string | number | null>;

/** Tables with rows in a new database, which the source's replace. */
const FILLED_BY_MIGRATIONS = ['data_keys', 'environment', 'form_keys', 'lookup_keys'];

/** Characters of rows that are inserted together. */
const BATCH_CHARS = 1_000_000;

/** Rows that are read together from PostgreSQL. */
const FETCHED_ROWS = 200;

/**
 * Copies all rows of a SQLite file into an empty PostgreSQL database, in one database transaction, and compares their number and hash on
 * both sides. Other processes cannot use the file meanwhile.
 *
 * @param progress - Counts the rows.
 * @throws Error - a process uses the file, the target is not empty, PostgreSQL cannot store a value, or both sides differ. Then no row was
 *   copied.
 */
export async function copyToPostgres(file: string, target: Database, progress: Pick<Progress, 'start' | 'count'>): Promise<Copy> {
  const source = openExclusively(file);
  try {
    const tables = inOrderOfReferences(tablesOf(source));
    await migrateEmpty(target, tables);
    const countOf = ({ name }: Table) => source.prepare<[], number>(`select count(*) from "${name}"`).pluck().get()!;
    const total = tables.reduce((sum, table) => sum + countOf(table), 0);
    progress.start('Copying the rows');
    const copied = await target.write(async (tx) => {
      for (const name of FILLED_BY_MIGRATIONS) await sql`delete from ${sql.table(name)}`.execute(tx);
      const results: Copy['tables'] = [];
      let done = 0;
      for (const table of tables) {
        const result = await copyTable(source, tx.withoutPlugins(), table, (rows) => progress.count(done + rows, total));
        results.push({ name: table.name, ...result });
        done += result.rows;
      }
      return results;
    });
    return { tables: copied, keyIds: source.prepare<[], string>('select id from data_keys order by id').pluck().all() };
  } finally {
    source.close();
  }
}

/** Opens a SQLite file so that other processes cannot use it until it is closed. @throws Error - a process uses it. */
function openExclusively(file: string): SqliteFile {
  const source = new Sqlite(file, { fileMustExist: true, timeout: 1_000 });
  try {
    source.pragma('locking_mode = exclusive');
    // Takes the lock, which every open connection to a file in WAL mode prevents.
    source.prepare('select count(*) from sqlite_schema').get();
    return source;
  } catch (thrown) {
    source.close();
    if (!isBusy(thrown)) throw thrown;
    throw new Error('--from: expected a database that is not in use, but a process uses it; stop the service first', {
      cause: thrown,
    });
  }
}

function tablesOf(source: SqliteFile): Table[] {
  const names = source.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all();
  const columnsOf = source.prepare<[string], { name: string; pk: number }>('select name, pk from pragma_table_info(?)');
  const referencesOf = source.prepare<[string], string>('select "table" from pragma_foreign_key_list(?)').pluck();
  return names
    .filter((name) => !/^(sqlite|kysely)_/.test(name))
    .map((name) => {
      const columns = columnsOf.all(name);
      const key = columns.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
      return { name, columns: namesOf(columns), key: namesOf(key), references: referencesOf.all(name) };
    });
}

const quoted = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ');

const namesOf = (columns: readonly { name: string }[]) => columns.map(({ name }) => name);

/** Returns the tables in an order in which none refers to a later one. */
function inOrderOfReferences(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  while (ordered.length < tables.length) {
    const before = new Set(namesOf(ordered));
    const next = tables.filter(({ name, references }) => !before.has(name) && references.every((other) => before.has(other)));
    if (next.length === 0) throw new Error('Expected tables that do not refer to each other in a circle');
    ordered.push(...next);
  }
  return ordered;
}

/** Migrates an empty database. @throws Error - it has other tables, or rows. */
async function migrateEmpty(target: Database, tables: readonly Table[]): Promise<void> {
  const existing = await target.query.introspection.getTables();
  const other = existing.find(({ name }) => name !== 'migration_lock' && !tables.some((table) => table.name === name));
  if (other) throw new Error(`--to: expected an empty database, but received one with the table ${other.name}`);
  await target.migrate();
  for (const { name } of tables.filter((table) => !FILLED_BY_MIGRATIONS.includes(table.name))) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(target.query);
    if (rows.length > 0) throw new Error(`--to: expected an empty database, but received one with rows in ${name}`);
  }
}

/** Copies the rows of a table in the order of their keys, in batches. @param onRows - Called with the number of rows so far. */
async function copyTable(source: SqliteFile, tx: Tx, table: Table, onRows: (rows: number) => void) {
  const { name, columns, key } = table;
  const selected = sql.join(columns.map((column) => sql.ref(column)));
  const insert = async (batch: readonly string[]) => {
    if (batch.length === 0) return;
    await sql`insert into ${sql.table(name)} (${selected})
      select ${selected} from json_populate_recordset(null::${sql.table(name)}, ${`[${batch.join(',')}]`}::json)`.execute(tx);
  };
  const sent = new RowHash();
  let batch: string[] = [];
  let chars = 0;
  for (const row of source.prepare<[], Row>(`select ${quoted(columns)} from "${name}" order by ${quoted(key)}`).iterate()) {
    requireStorable(table, row);
    const text = sent.add(row);
    batch.push(text);
    chars += text.length;
    if (chars < BATCH_CHARS) continue;
    await insert(batch);
    onRows(sent.rows);
    batch = [];
    chars = 0;
  }
  await insert(batch);
  await sql`analyze ${sql.table(name)}`.execute(tx);

  const stored = new RowHash();
  await sql`declare stored no scroll cursor for select ${selected} from ${sql.table(name)}`.execute(tx);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(FETCHED_ROWS)} from stored`.execute(tx);
    if (rows.length === 0) break;
    for (const row of rows) stored.add(row);
  }
  await sql`close stored`.execute(tx);
  if (stored.rows !== sent.rows || stored.hash !== sent.hash) {
    throw new Error(
      `${name}: expected ${sent.rows} rows with the hash ${sent.hash}, but stored ${stored.rows} with ${stored.hash}`,
    );
  }
  onRows(sent.rows);
  return { rows: sent.rows, hash: sent.hash };
}

/** @throws Error - PostgreSQL cannot store the row: its texts contain no NUL characters. */
function requireStorable({ name, columns, key }: Table, row: Row): void {
  const column = columns.find((each) => String(row[each]).includes('\0'));
  if (column === undefined) return;
  const id = key.map((each) => String(row[each])).join(' ');
  throw new Error(`${name}: PostgreSQL cannot store the NUL character (U+0000) in ${column} of the row ${id}`);
}

/** The number of rows, and a hash that does not depend on their order: the sum of the hashes of their texts. */
class RowHash {
  rows = 0;
  #sum = 0n;

  /** @returns The text of the row. */
  add(row: Row): string {
    const text = JSON.stringify(row);
    this.rows += 1;
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`));
    return text;
  }

  get hash(): string {
    return this.#sum.toString(16).padStart(64, '0');
  }
}
