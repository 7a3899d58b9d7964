import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { idAt } from '../base/ids.ts';
import type { Instant } from '../base/time.ts';
import type { Query } from './database.ts';
import type { Schema } from './schema.ts';

/** A period of time. */
export interface Period {
  /** Inclusive. */
  from: Instant;
  /** Exclusive. */
  before: Instant;
}

/** The rows to count. An index has all columns that are read: those of the condition, the time, and the summed column. */
export interface Counted {
  table: keyof Schema;
  condition: RawBuilder<unknown>;
  /** The column with the time of a row, or `id` for ids that begin with it. Default: `created_at`. */
  time?: string;
}

/** Returns the number of rows of each period. */
export async function countByPeriod(query: Query, counted: Counted, periods: readonly Period[]): Promise<number[]> {
  return (await aggregateByPeriod(query, counted, periods, sql`0`)).map(({ count }) => count);
}

/** Returns the number of rows of each period, and the sum of a column of them. */
export function sumByPeriod(query: Query, counted: Counted, column: string, periods: readonly Period[]): Promise<Aggregate[]> {
  return aggregateByPeriod(query, counted, periods, sql`coalesce(sum(${sql.ref(column)}), 0)`);
}

interface Aggregate {
  count: number;
  sum: number;
}

async function aggregateByPeriod(
  query: Query,
  { table, condition, time = 'created_at' }: Counted,
  periods: readonly Period[],
  sum: RawBuilder<unknown>,
): Promise<Aggregate[]> {
  if (periods.length === 0) return [];
  // Other requests run between the queries of a page, because a query of SQLite blocks the process.
  await setImmediate();
  const boundOf = (instant: Instant) => (time === 'id' ? idAt(instant) : instant);
  // Each part reads one range of the index, once for both values. Grouping a join with the periods would sort all rows.
  const parts = periods.map(
    ({ from, before }, ordinal) => sql`
      select cast(${ordinal} as integer) as ordinal, count(*) as count, cast(${sum} as bigint) as sum from ${sql.table(table)}
      where ${condition} and ${sql.ref(time)} >= ${boundOf(from)} and ${sql.ref(time)} < ${boundOf(before)}`,
  );
  const { rows } = await sql<Aggregate>`${sql.join(parts, sql` union all `)} order by ordinal`.execute(query);
  return rows;
}
