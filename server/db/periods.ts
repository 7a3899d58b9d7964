import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../time.ts';
import type { Query } from './database.ts';
import { tableByIndex } from './newest-first.ts';
import type { Schema } from './schema.ts';

/** A period of time. */
export interface Period {
  /** Inclusive. */
  from: Instant;
  /** Exclusive. */
  before: Instant;
}

/** Returns the number of rows that were created in each period, and the sums of a column. One range of the index is read for each. */
export async function sumByPeriod(
  query: Query,
  table: keyof Schema,
  index: string,
  condition: RawBuilder<unknown>,
  periods: readonly Period[],
  summed: RawBuilder<unknown>,
): Promise<{ count: number; sum: number }[]> {
  if (periods.length === 0) return [];
  const values = periods.map(({ from, before }, ordinal) => sql`(cast(${ordinal} as integer), ${from}, ${before})`);
  // SQLite reads the index in the order of the periods, which the left join fixes.
  const { rows } = await sql<{ count: number; sum: number }>`
    with periods (ordinal, since, until) as (values ${sql.join(values)})
    select cast(count(created_at) as bigint) as count, cast(coalesce(sum(${summed}), 0) as bigint) as sum
    from periods left join ${tableByIndex(query, table, index)}
      on ${condition} and created_at >= since and created_at < until
    group by ordinal order by ordinal`.execute(query);
  return rows;
}

/** Returns the number of rows that were created in each period. */
export async function countByPeriod(
  query: Query,
  table: keyof Schema,
  index: string,
  condition: RawBuilder<unknown>,
  periods: readonly Period[],
): Promise<number[]> {
  const rows = await sumByPeriod(query, table, index, condition, periods, sql`0`);
  return rows.map(({ count }) => count);
}
