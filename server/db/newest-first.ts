import { type AliasedRawBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Instant } from '../base/time.ts';
import type { Query } from './database.ts';
import { engineOf } from './engine.ts';
import type { Schema } from './schema.ts';

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
 * A table that is read by an index. SQLite has no statistics here and could choose another index, so the query names it. PostgreSQL
 * chooses by its statistics.
 */
export function tableByIndex<Table extends keyof Schema>(
  query: Query,
  table: Table,
  index: string,
): AliasedRawBuilder<Schema[Table], Table> {
  const alias = engineOf(query) === 'sqlite' ? `${table} indexed by ${index}` : table;
  return sql<Schema[Table]>`${sql.table(table)}`.as<Table>(sql.raw(alias));
}

/** Prevents the use of the column's index, which would read many rows that other filters exclude (decisions/0031). */
export function unindexed(column: string): RawBuilder<string> {
  return sql`${sql.ref(column)} || ''`;
}
