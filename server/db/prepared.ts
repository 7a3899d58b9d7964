import type { CompiledQuery, DialectAdapter, Selectable } from 'kysely';
import type { Query } from './database.ts';
import type { Schema } from './schema.ts';

interface Builder<Row> {
  compile(): CompiledQuery<Row>;
}

/** What came of a query: the rows it answered, and how many it changed. */
export interface Outcome<Row> {
  rows: Row[];
  changed: number;
}

/** An engine that answers at once and keeps statements: what is prepared runs on one without Kysely in between. */
export interface StatementAdapter extends DialectAdapter {
  /** What runs `sql` with values for its parameters, on the connection whose adapter this is. */
  statement(sql: string): (parameters: readonly unknown[]) => Outcome<unknown>;
}

/**
 * A query that is built and compiled once, and then run with other values each time.
 *
 * For what nearly every request asks: building a query costs more than SQLite takes to answer it, and so does the way through
 * Kysely. On PostgreSQL it goes that way.
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
  const run = preparedOutcome(build);
  return async (query, ...values) => (await run(query, values)).rows;
}

type Run<Values, Row> = (query: Query, values: Values) => Outcome<Row> | Promise<Outcome<Row>>;

function preparedOutcome<Values extends unknown[], Row>(
  build: (query: Query, ...values: Values) => Builder<Row>,
): Run<Values, Row> {
  const runFor = new WeakMap<DialectAdapter, Run<Values, Row>>();
  return (query, values) => {
    const { adapter } = query.getExecutor();
    let run = runFor.get(adapter);
    if (!run) runFor.set(adapter, (run = compile(query, build, values)));
    return run(query, values);
  };
}

function compile<Values extends unknown[], Row>(
  query: Query,
  build: (query: Query, ...values: Values) => Builder<Row>,
  { length }: Values,
): Run<Values, Row> {
  const standIns = Array.from({ length }, () => Object.freeze({}));
  const built = build(query, ...(standIns as unknown[] as Values)).compile();
  const positions = built.parameters.map((parameter) => standIns.indexOf(parameter as object));
  const isInOrder = positions.length === length && positions.every((position, index) => position === index);
  const parametersOf = (values: Values): readonly unknown[] =>
    isInOrder ? values : positions.map((position, index) => (position < 0 ? built.parameters[index] : values[position]));

  const { adapter } = query.getExecutor() as { adapter: DialectAdapter | StatementAdapter };
  if ('statement' in adapter) {
    const run = adapter.statement(built.sql);
    return (_, values) => run(parametersOf(values)) as Outcome<Row>;
  }
  return async (connection, values) => {
    const { rows, numAffectedRows } = await connection.executeQuery<Row>({ ...built, parameters: parametersOf(values) });
    return { rows, changed: Number(numAffectedRows ?? 0) };
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

/** A table whose rows count how often they were saved. */
type Revised = { [Table in keyof Schema]: Schema[Table] extends { id: string; revision: number } ? Table : never }[keyof Schema];

/**
 * An update of `columns` in the row of `table` with that id, if it still has that revision; compiled once.
 *
 * @returns Whether there was such a row.
 */
export function preparedSave<Table extends Revised>(
  table: Table,
  columns: readonly (keyof Schema[Table] & string)[],
): (query: Query, row: Selectable<Schema[Table]>, revision: number) => Promise<boolean> {
  const update = preparedOutcome((query, id: unknown, revision: unknown, ...values: unknown[]) =>
    query
      .updateTable<Revised>(table)
      .set(Object.fromEntries(columns.map((column, index) => [column, values[index]])))
      .where('id', '=', id as string)
      .where('revision', '=', revision as number),
  );
  return async (query, row, revision) => {
    const values = columns.map((column) => (row as Record<string, unknown>)[column]);
    const { changed } = await update(query, [(row as { id: string }).id, revision, ...values]);
    return changed > 0;
  };
}
