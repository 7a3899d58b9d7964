import type { CompiledQuery, Selectable } from 'kysely';
import type { Query } from './database.ts';
import type { Schema } from './schema.ts';

interface Builder<Row> {
  compile(): CompiledQuery<Row>;
}

/**
 * A query that is built and compiled once, and then run with other values each time.
 *
 * For what nearly every request asks: building a query costs more than SQLite takes to answer it.
 *
 * @param build - Makes the query from values that stand in for the real ones; it must not look at them.
 *
 * @example
 * const byId = prepared((query, id: string) => query.selectFrom('carts').selectAll().where('id', '=', id));
 * const [cart] = await byId(database.query, 'c_1');
 */
export function prepared<Values extends unknown[], Row>(
  build: (query: Query, ...values: Values) => Builder<Row>,
): (query: Query, ...values: Values) => Promise<Row[]> {
  const compiledFor = new WeakMap<object, { query: CompiledQuery<Row>; positions: (number | undefined)[] }>();

  return async (query, ...values) => {
    const dialect = query.getExecutor().adapter;
    let compiled = compiledFor.get(dialect);
    if (!compiled) {
      const standIns = values.map(() => Object.freeze({}));
      const built = build(query, ...(standIns as Values)).compile();
      const positions = built.parameters.map((parameter) => {
        const position = standIns.indexOf(parameter as object);
        return position < 0 ? undefined : position;
      });
      compiledFor.set(dialect, (compiled = { query: built, positions }));
    }
    const { query: built, positions } = compiled;
    const parameters = positions.map((position, index) => (position === undefined ? built.parameters[index] : values[position]));
    const { rows } = await query.executeQuery<Row>({ ...built, parameters });
    return rows;
  };
}

/** An insert of whole rows into `table`, compiled once for each set of columns. */
export function preparedInsert<Table extends keyof Schema>(
  table: Table,
): (query: Query, row: Selectable<Schema[Table]>) => Promise<void> {
  const inserts = new Map<string, (query: Query, ...values: unknown[]) => Promise<unknown>>();

  return async (query, row) => {
    const columns = Object.keys(row);
    const key = columns.join();
    let insert = inserts.get(key);
    if (!insert) {
      const rowOf = (values: unknown[]) => Object.fromEntries(columns.map((column, index) => [column, values[index]]));
      insert = prepared((tx, ...values: unknown[]) => tx.insertInto(table).values(rowOf(values) as never));
      inserts.set(key, insert);
    }
    await insert(query, ...Object.values(row));
  };
}
