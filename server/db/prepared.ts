import { propertyOf } from '../../shared/objects.ts';
import type { CompiledQuery, OnConflictBuilder, OnConflictDoNothingBuilder, QueryResult, Selectable } from 'kysely';
import type { Query } from './database.ts';
import { type Engine, engineOf } from './engine.ts';
import type { Schema } from './schema.ts';

interface Builder<Row> {
  compile(): CompiledQuery<Row>;
}

/** Placeholder of a value while a query is compiled. */
class Placeholder {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/**
 * Returns a query that is compiled once for each engine and executed with different values.
 *
 * For queries of nearly every request: Kysely takes longer to build and compile a query than SQLite takes to execute it
 * (decisions/0035).
 *
 * @param build - Builds the query with placeholders. It must not inspect the values.
 *
 * @example
 * const cartById = prepared((query, id: string) => query.selectFrom('carts').selectAll().where('id', '=', id));
 * const [cart] = await cartById(database.query, 'c_1');
 */
export function prepared<Values extends unknown[], Row>(
  build: (query: Query, ...values: Values) => Builder<Row>,
): (query: Query, ...values: Values) => Promise<Row[]> {
  const execute = preparedResult(build);
  return async (query, ...values) => (await execute(query, values)).rows;
}

function preparedResult<Values extends unknown[], Row>(
  build: (query: Query, ...values: Values) => Builder<Row>,
): (query: Query, values: Values) => Promise<QueryResult<Row>> {
  const compiledBy = new Map<Engine, CompiledQuery<Row>>();

  return (query, values) => {
    const engine = engineOf(query);
    let compiled = compiledBy.get(engine);
    if (!compiled) {
      const placeholders: unknown[] = values.map((_, index) => new Placeholder(index));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `build` does not inspect the values
      compiled = build(query, ...(placeholders as Values)).compile();
      compiledBy.set(engine, compiled);
    }
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.index] : parameter,
    );
    return query.executeQuery({ ...compiled, parameters });
  };
}

/**
 * Returns an insert of whole rows. Compiled once for each set of columns.
 *
 * @param onConflict - Without it, a conflict is an error.
 * @returns False if the row was not inserted because of a conflict.
 */
export function preparedInsert<Table extends keyof Schema>(
  table: Table,
  onConflict?: (conflict: OnConflictBuilder<Schema, Table>) => OnConflictDoNothingBuilder<Schema, Table>,
): (query: Query, row: Selectable<Schema[Table]>) => Promise<boolean> {
  const inserts = new Map<string, (query: Query, values: unknown[]) => Promise<QueryResult<unknown>>>();

  return async (query, row) => {
    const columns = Object.keys(row);
    const key = columns.join();
    let insert = inserts.get(key);
    if (!insert) {
      const rowOf = (values: unknown[]) => Object.fromEntries(columns.map((column, index) => [column, values[index]]));
      insert = preparedResult((tx, ...values: unknown[]) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot resolve the row of any table
        const inserted = tx.insertInto(table).values(rowOf(values) as never);
        return onConflict ? inserted.onConflict(onConflict) : inserted;
      });
      inserts.set(key, insert);
    }
    return (await insert(query, Object.values(row))).numAffectedRows === 1n;
  };
}

type Revised = { [Table in keyof Schema]: Schema[Table] extends { id: string; revision: number } ? Table : never }[keyof Schema];

/**
 * Returns an update of `columns` by id and revision. Compiled once.
 *
 * @returns True if the row with that revision existed.
 */
export function preparedSave<Table extends Revised, Column extends keyof Selectable<Schema[Table]> & string>(
  table: Table,
  columns: readonly Column[],
): (query: Query, row: Pick<Selectable<Schema[Table]>, Column> & { id: string }, revision: number) => Promise<boolean> {
  const update = preparedResult((query, id: string, revision: number, ...values: unknown[]) =>
    query
      .updateTable<Revised>(table)
      .set(Object.fromEntries(columns.map((column, index) => [column, values[index]])))
      .where('id', '=', id)
      .where('revision', '=', revision),
  );
  return async (query, row, revision) => {
    const values = columns.map((column) => propertyOf(row, column));
    const { numAffectedRows } = await update(query, [String(propertyOf(row, 'id')), revision, ...values]);
    return numAffectedRows === 1n;
  };
}
