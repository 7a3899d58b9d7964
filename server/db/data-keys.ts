import { sql } from 'kysely';
import type { Database, Query } from './database.ts';
import { connectionOf } from './engine.ts';
import { prefixOf, SealedDataError } from './key-ring.ts';
import { SEALED_TABLES, type SealedTable } from './sealed.ts';

/** Stored sealed with each data key, to recognize another key with the same id. */
const CHECK_VALUE = 'Fairterm data key';

/**
 * Requires the key ring to contain every key that rows of the database are sealed with.
 *
 * @throws Error - a key is missing, or has another value.
 */
export async function requireDataKeys({ query }: Pick<Database, 'query'>): Promise<void> {
  const { keyRing } = connectionOf(query);
  for (const { id, check_value } of await query.selectFrom('data_keys').selectAll().orderBy('id').execute()) {
    if (!keyRing.ids.includes(id)) {
      throw new Error(
        `DATA_KEYS: expected the key ${id}, with which this database is encrypted, but received only ${keyRing.ids.join(', ')}`,
      );
    }
    try {
      keyRing.open(check_value, ['data_keys', id]);
    } catch (thrown) {
      if (!(thrown instanceof SealedDataError)) throw thrown;
      throw new Error(
        `DATA_KEYS: expected the key ${id} with which this database is encrypted, but received another key with its id`,
        {
          cause: thrown,
        },
      );
    }
  }
}

/** Records that rows are sealed with the active key from now on. */
export async function saveActiveDataKey(database: Database): Promise<void> {
  const { keyRing } = connectionOf(database.query);
  const id = keyRing.activeId;
  const recorded = await database.query.selectFrom('data_keys').select('id').where('id', '=', id).executeTakeFirst();
  if (recorded) return;
  const check_value = keyRing.seal(CHECK_VALUE, ['data_keys', id]);
  await database.write(async (tx) => {
    await tx
      .insertInto('data_keys')
      .values({ id, check_value })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Number of rows that are sealed again in one database transaction. */
const BATCH_SIZE = 100;

/** Progress of a rotation: how many rows of a table were sealed again. */
export interface RotatedTable {
  table: SealedTable;
  rows: number;
}

/**
 * Seals all rows again that are sealed with another key than the active one, a table at a time, in small database
 * transactions. The service may be running. After an interruption, another rotation continues.
 *
 * Yields after each batch and at the end of each table.
 */
export async function* rotateRows(database: Database, batchSize = BATCH_SIZE): AsyncGenerator<RotatedTable> {
  for (const table of Object.keys(SEALED_TABLES) as SealedTable[]) {
    let rows = 0;
    let after: PrimaryKey | undefined;
    do {
      const batch = await rotateBatch(database, table, after, batchSize);
      rows += batch.rows;
      after = batch.last;
      yield { table, rows };
    } while (after);
  }
}

type PrimaryKey = readonly (string | number)[];

interface Batch {
  rows: number;
  /** Primary key of the last row; undefined if there are no further rows. */
  last: PrimaryKey | undefined;
}

/**
 * Seals the next rows after a primary key again. A row that the service changes meanwhile is left as it is: it was sealed with the
 * active key then.
 */
async function rotateBatch(database: Database, table: SealedTable, after: PrimaryKey | undefined, limit: number): Promise<Batch> {
  const { keyRing } = connectionOf(database.query);
  const columns: readonly string[] = SEALED_TABLES[table];
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const past = after ? sql`(${names}) > (${sql.join(after)})` : sql`1 = 1`;
  const { rows } = await sql<Record<string, string | number> & { sealed: string }>`
    select ${names}, sealed from ${sql.table(table)}
    where ${past} and ${isOutdated(keyRing.activeId)} order by ${names} limit ${sql.lit(limit)}`.execute(database.query);
  const outdated = rows.map(({ sealed, ...row }) => {
    const key = columns.map((column) => row[column]!);
    return { key, sealed, again: keyRing.seal(keyRing.open(sealed, [table, ...key]), [table, ...key]) };
  });

  const rotated = await database.write(async (tx) => {
    let count = 0n;
    for (const { key, sealed, again } of outdated) {
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set sealed = ${again}
        where (${names}) = (${sql.join(key)}) and sealed = ${sealed}`.execute(tx);
      count += numAffectedRows ?? 0n;
    }
    return Number(count);
  });
  return { rows: rotated, last: rows.length < limit ? undefined : outdated.at(-1)!.key };
}

/** Secrets that were retired are empty. */
function isOutdated(activeId: string) {
  const prefix = prefixOf(activeId);
  return sql`sealed <> '' and substr(sealed, 1, ${sql.lit(prefix.length)}) <> ${prefix}`;
}

/**
 * Forgets the keys that no row is sealed with any more. They can then be removed from `DATA_KEYS`.
 *
 * @returns Their ids, and the number of rows that are still sealed with another key than the active one, because a process that was not
 *   restarted has written them. Then no key is forgotten.
 */
export async function forgetUnusedDataKeys(database: Database): Promise<{ forgotten: string[]; outdatedRows: number }> {
  const { activeId } = connectionOf(database.query).keyRing;
  let outdatedRows = 0;
  for (const table of Object.keys(SEALED_TABLES) as SealedTable[]) {
    outdatedRows += await countOutdated(database.query, table, activeId);
  }
  if (outdatedRows > 0) return { forgotten: [], outdatedRows };
  const forgotten = await database.write((tx) =>
    tx.deleteFrom('data_keys').where('id', '<>', activeId).returning('id').execute(),
  );
  return { forgotten: forgotten.map(({ id }) => id).toSorted(), outdatedRows };
}

async function countOutdated(query: Query, table: SealedTable, activeId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where ${isOutdated(activeId)}`.execute(query);
  return rows[0]!.count;
}
