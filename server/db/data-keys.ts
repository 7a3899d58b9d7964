import { keysOf } from '../../shared/objects.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import { connectionOf } from './engine.ts';
import { type AssociatedData, prefixOf, SealedDataError } from '../base/key-ring.ts';
import { AUTHENTICATED_TABLES, type AuthenticatedTable, SEALED_TABLES, type SealedTable, openRows } from './sealed.ts';

/** Stored sealed with each data key, to recognize another key with the same id. */
const CHECK_VALUE = 'Fairterm data key';

/**
 * Requires the key ring to contain every key that rows of the database are sealed with.
 *
 * @throws Error - a key is missing, or has another value.
 */
export async function requireDataKeys({ query }: Pick<Database, 'query'>): Promise<void> {
  const { keyRing } = connectionOf(query);
  for (const { id, checkValue } of await query.selectFrom('data_keys').selectAll().orderBy('id').execute()) {
    if (!keyRing.ids.includes(id)) {
      throw new Error(
        `DATA_KEYS: expected the key ${id}, with which this database is encrypted, but received only ${keyRing.ids.join(', ')}`,
      );
    }
    try {
      keyRing.open(checkValue, ['data_keys', id]);
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
  const checkValue = keyRing.seal(CHECK_VALUE, ['data_keys', id]);
  await database.write(async (tx) => {
    await tx
      .insertInto('data_keys')
      .values({ id, checkValue })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Number of rows that are rewritten in one database transaction. */
const BATCH_SIZE = 100;

/** A column that the data keys protect: sealed values, or authentication codes. */
interface ProtectedColumn {
  table: SealedTable | AuthenticatedTable;
  column: 'sealed' | 'mac';
  /** The columns of the primary key, and the other columns that are authenticated with the value. */
  key: readonly string[];
  bound: readonly string[];
}

const PROTECTED_COLUMNS: readonly ProtectedColumn[] = [
  ...keysOf(SEALED_TABLES).map((table) => ({
    table,
    column: 'sealed' as const,
    ...SEALED_TABLES[table],
  })),
  ...keysOf(AUTHENTICATED_TABLES).map((table) => ({
    table,
    column: 'mac' as const,
    ...AUTHENTICATED_TABLES[table],
  })),
];

/** Progress of a rotation, after a batch of rows of a table. */
export interface RotatedBatch {
  table: SealedTable | AuthenticatedTable;
  /** Rows that were sealed or authenticated again. */
  rows: number;
  /** Rows that no key of the ring opens. They are left as they are. */
  damagedRows: number;
}

/**
 * Seals and authenticates all rows again that another key than the active one protects, a table at a time, in small database
 * transactions. The service may be running. After an interruption, another rotation continues.
 */
export async function* rotateRows(database: Database, batchSize = BATCH_SIZE): AsyncGenerator<RotatedBatch> {
  const { keyRing } = connectionOf(database.query);
  for (const column of PROTECTED_COLUMNS) {
    const renew = (value: string, associatedData: AssociatedData) => {
      if (column.column === 'sealed') return keyRing.seal(keyRing.open(value, associatedData), associatedData);
      keyRing.verifyMac(value, associatedData);
      return keyRing.mac(associatedData);
    };
    yield* rewriteRows(database, column, isOfOtherKey(column, keyRing.activeId), renew, batchSize);
  }
}

/**
 * Replaces a protected value in all rows that meet a condition, in the order of their primary keys. A row that another process changes
 * meanwhile is left as it is: its value was renewed then. Damaged rows are reported and left as they are.
 */
async function* rewriteRows(
  database: Database,
  { table, column, key, bound }: ProtectedColumn,
  condition: RawBuilder<boolean>,
  renew: (value: string, associatedData: AssociatedData) => string,
  batchSize: number,
): AsyncGenerator<RotatedBatch> {
  const keyColumns = sql.join(key.map((name) => sql.ref(name)));
  const columns = sql.join([...key, ...bound, column].map((name) => sql.ref(name)));
  let after: readonly (string | number)[] | undefined;
  do {
    const past = after ? sql`(${keyColumns}) > (${sql.join(after)})` : sql`1 = 1`;
    const { rows } = await sql<Record<string, string | number>>`
      select ${columns} from ${sql.table(table)}
      where ${past} and ${condition} order by ${keyColumns} limit ${sql.lit(batchSize)}`.execute(database.query);
    const renewed = await openRows(database.query, rows, (row) => {
      const value = String(row[column]);
      const associatedData: AssociatedData = [table, ...[...key, ...bound].map((name) => row[name]!)];
      return { id: key.map((name) => row[name]!), value, again: renew(value, associatedData) };
    });
    const updatedRows = await database.write(async (tx) => {
      let count = 0n;
      for (const { id, value, again } of renewed) {
        const { numAffectedRows } = await sql`
          update ${sql.table(table)} set ${sql.ref(column)} = ${again}
          where (${keyColumns}) = (${sql.join(id)}) and ${sql.ref(column)} = ${value}`.execute(tx);
        count += numAffectedRows ?? 0n;
      }
      return Number(count);
    });
    yield { table, rows: updatedRows, damagedRows: rows.length - renewed.length };
    const last = rows.at(-1);
    after = last && rows.length === batchSize ? key.map((name) => last[name]!) : undefined;
  } while (after);
}

/** Returns the condition of rows that another key than the active one protects. Secrets that were retired are empty. */
function isOfOtherKey({ column }: ProtectedColumn, activeId: string): RawBuilder<boolean> {
  const prefix = prefixOf(activeId);
  const isOther = sql<boolean>`substr(${sql.ref(column)}, 1, ${sql.lit(prefix.length)}) <> ${prefix}`;
  return column === 'sealed' ? sql<boolean>`sealed <> '' and ${isOther}` : isOther;
}

/**
 * Deletes the records of the keys that no row is protected with any more. They can then be removed from `DATA_KEYS`.
 *
 * @param damagedRows - Number of rows that the rotation could not open with any key.
 * @returns Their ids, and the number of rows that another key than the active one protects, because a process that was not restarted has
 *   written them. Then no key is forgotten.
 */
export async function forgetUnusedDataKeys(
  database: Database,
  damagedRows = 0,
): Promise<{ forgotten: string[]; outdatedRows: number }> {
  const { activeId } = connectionOf(database.query).keyRing;
  // Damaged rows are counted, too, but no restart helps them.
  const outdatedRows = (await countOutdatedRows(database)) - damagedRows;
  if (outdatedRows > 0) return { forgotten: [], outdatedRows };
  const forgotten = await database.write((tx) =>
    tx.deleteFrom('data_keys').where('id', '<>', activeId).returning('id').execute(),
  );
  return { forgotten: forgotten.map(({ id }) => id).toSorted(), outdatedRows: 0 };
}

/** Returns the number of rows that another key than the active one protects. */
export async function countOutdatedRows({ query }: Pick<Database, 'query'>): Promise<number> {
  const { activeId } = connectionOf(query).keyRing;
  let total = 0;
  for (const column of PROTECTED_COLUMNS) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(column.table)} where ${isOfOtherKey(column, activeId)}`.execute(query);
    total += rows[0]!.count;
  }
  return total;
}
