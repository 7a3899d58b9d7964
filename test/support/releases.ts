/** Databases of earlier releases, which `test/server/db/releases.test.ts` has saved. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Instant } from '../../server/base/time.ts';
import { createConnection } from '../../server/db/engine.ts';
import { createMigrator, migrations, runMigrations } from '../../server/db/migrate.ts';
import type { Schema } from '../../server/db/schema.ts';
import type { CreatedMerchant } from '../../server/merchants/merchants.ts';
import { connect, type Engine } from './databases.ts';
import { testKeys } from './data-keys.ts';

export type Row = Record<string, unknown>;

/** The content of the file of a release. */
export interface Saved {
  /** Every table, with those that others refer to before them. */
  rows: Record<string, Row[]>;
  /** The time of the sandbox. */
  now: Instant;
  merchant: CreatedMerchant;
  /** The bodies of responses to these requests, with paths instead of URLs of the service. */
  responses: Record<string, string>;
  /** The link to the signed copy of an agreement. */
  copy: string;
}

export const releasesFolder = fileURLToPath(new URL('../server/db/releases', import.meta.url));

/** @param file - Its name, such as `0.1.0.json.br`. */
export function savedRelease(file: string): Saved {
  return JSON.parse(brotliDecompressSync(readFileSync(`${releasesFolder}/${file}`)).toString()) as Saved;
}

/** Creates the schema of the release that saved the rows, and inserts them. */
export async function loadRelease(engine: Engine, url: string, saved: Saved): Promise<void> {
  const kysely = connect(engine, url);
  try {
    const names = saved.rows['kysely_migration']!.map(({ name }) => name as string);
    const released = Object.fromEntries(names.map((name) => [name, migrations[name]!]));
    await runMigrations(createMigrator(kysely, createConnection(engine, testKeys()), released));
    await kysely.transaction().execute(async (tx) => {
      await (engine === 'sqlite' ? sql`pragma defer_foreign_keys = on` : sql`set constraints all deferred`).execute(tx);
      const tables = tablesOf(saved);
      // The migrations make keys.
      for (const [table] of tables) await sql`delete from ${sql.table(table)}`.execute(tx);
      for (const [table, inserted] of tables) {
        for (const row of inserted) await insert(tx, table, row);
      }
    });
  } finally {
    await kysely.destroy();
  }
}

/** Returns the columns, constraints, indexes, triggers and functions of a database as SQL, in alphabetical order. */
export async function schemaOf(engine: Engine, url: string): Promise<string> {
  const kysely = connect(engine, url);
  try {
    const { rows } = await schemaQueries[engine].execute(kysely);
    return `${rows
      .map(({ line }) => line)
      .toSorted()
      .join('\n')}\n`;
  } finally {
    await kysely.destroy();
  }
}

const schemaQueries: Record<Engine, RawBuilder<{ line: string }>> = {
  sqlite: sql`select sql as line from sqlite_schema where sql is not null and name not like 'kysely%'`,
  postgres: sql`
    select concat_ws(' ', table_name, column_name, data_type, 'collate ' || collation_name, 'nullable ' || is_nullable, column_default)
      as line from information_schema.columns where table_schema = 'public' and table_name not like 'kysely%'
    union all select indexdef from pg_indexes where schemaname = 'public' and tablename not like 'kysely%'
    union all select concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
      where contype <> 'n' and connamespace = 'public'::regnamespace and conrelid::regclass::text not like 'kysely%'
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`,
};

/** Returns the tables of a release without those of migrations. */
export const tablesOf = ({ rows }: Saved) => Object.entries(rows).filter(([table]) => !table.startsWith('kysely_'));

function insert(tx: Kysely<Schema>, table: string, row: Row) {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  return sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(tx);
}
