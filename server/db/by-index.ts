import { type SelectQueryBuilder, sql, SqliteAdapter } from 'kysely';
import type { Query } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Selects from `table` by that index.
 *
 * PostgreSQL knows from its statistics which one to use. SQLite keeps none, and of two that it takes to be as good picks any: it is
 * told, and refuses a query that the index cannot answer.
 */
export function selectByIndex<Table extends keyof Schema>(
  query: Query,
  table: Table,
  index: string,
): SelectQueryBuilder<Schema, Table, {}> {
  const named = sql.raw(isSqlite(query) ? `${table} indexed by ${index}` : table);
  return query.selectFrom(sql<Schema[Table]>`${sql.table(table)}`.as<Table>(named));
}

/**
 * Whether a sorted union whose parts an index has in that order already is merged from them, each read only as far as it counts.
 * PostgreSQL does so only where a part is a query of its own, with an order and a limit.
 */
export function mergesUnions(query: Query): boolean {
  return isSqlite(query);
}

function isSqlite(query: Query): boolean {
  return query.getExecutor().adapter instanceof SqliteAdapter;
}
