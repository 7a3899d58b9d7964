import { type RawBuilder, sql } from 'kysely';
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

/** The rows to count. An index has all columns that are read: those of the condition, `created_at`, and the summed column. */
export interface Counted {
  table: keyof Schema;
  condition: RawBuilder<unknown>;
}

/** Returns the number of rows that were created in each period. Each is one range of the index. */
export function countByPeriod(query: Query, counted: Counted, periods: readonly Period[]): Promise<number[]> {
  return valuesByPeriod(query, counted, periods, sql`count(*)`);
}

/** Returns the sum of a column of the rows that were created in each period. */
export function sumByPeriod(query: Query, counted: Counted, column: string, periods: readonly Period[]): Promise<number[]> {
  return valuesByPeriod(query, counted, periods, sql`coalesce(sum(${sql.ref(column)}), 0)`);
}

async function valuesByPeriod(
  query: Query,
  { table, condition }: Counted,
  periods: readonly Period[],
  aggregate: RawBuilder<unknown>,
): Promise<number[]> {
  if (periods.length === 0) return [];
  const values = periods.map(({ from, before }, ordinal) => sql`(cast(${ordinal} as integer), ${from}, ${before})`);
  // A subquery for each period, because grouping a join sorts all rows.
  const { rows } = await sql<{ value: number }>`
    with periods (ordinal, since, until) as (values ${sql.join(values)})
    select cast((
      select ${aggregate} from ${sql.table(table)}
      where ${condition} and created_at >= since and created_at < until
    ) as bigint) as value
    from periods order by ordinal`.execute(query);
  return rows.map(({ value }) => value);
}
