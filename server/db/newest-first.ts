import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Instant } from '../base/time.ts';

/** A part of a list that is sorted by `createdAt` and `id`, the newest first. */
export interface NewestFirst {
  /** Inclusive lower bound. */
  createdFrom?: Instant | undefined;
  /** Exclusive upper bound. */
  createdBefore?: Instant | undefined;
  /** The last row of the previous page. */
  after?: Position | undefined;
  limit: number;
}

export interface Position {
  createdAt: Instant;
  id: string;
}

/**
 * Returns the conditions of a page. Only one of two upper bounds remains, so that the index is read from there.
 *
 * @param columns - The columns that the list is sorted by.
 */
export function conditionsOf(
  { createdFrom, createdBefore, after }: NewestFirst,
  columns = { createdAt: 'createdAt', id: 'id' },
): RawBuilder<SqlBool>[] {
  const createdAt = sql.ref(columns.createdAt);
  const id = sql.ref(columns.id);
  const isAfterBound = after !== undefined && (createdBefore === undefined || after.createdAt < createdBefore);
  return [
    ...(createdFrom === undefined ? [] : [sql<SqlBool>`${createdAt} >= ${createdFrom}`]),
    ...(createdBefore === undefined || isAfterBound ? [] : [sql<SqlBool>`${createdAt} < ${createdBefore}`]),
    ...(isAfterBound ? [sql<SqlBool>`(${createdAt}, ${id}) < (${after.createdAt}, ${after.id})`] : []),
  ];
}

/**
 * Prevents the use of the column's index, which would read many rows that other filters exclude. SQLite has no statistics here, and chooses
 * between indexes by their columns alone (decisions/0061).
 */
export function unindexed(column: string): RawBuilder<string> {
  return sql`${sql.ref(column)} || ''`;
}
