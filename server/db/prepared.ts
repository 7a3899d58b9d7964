import type { CompiledQuery, OnConflictBuilder, OnConflictDoNothingBuilder, QueryResult, Selectable } from 'kysely';
import type { Query } from './database.ts';
import { connectionOf, type Engine, engineOf } from './engine.ts';
import type { Schema } from './schema.ts';
import { pick } from './sealed.ts';
import { timeAt } from './write-time.ts';
import { DATABASE_NOW, type Instant } from '../base/time.ts';

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

/** Columns to save. A time may be `DATABASE_NOW`: that of the write, by the sandbox's clock. */
export type SavedColumns<Row> = {
  [Column in keyof Row]: Row[Column] | (Instant extends Row[Column] ? typeof DATABASE_NOW : never);
};

/**
 * Returns a query that saves columns. Compiled once for each set of columns, and of times among them.
 *
 * @param build - Builds the query with placeholders of the columns, in `row`, and of other values.
 */
export function preparedSaving<Columns extends object, Values extends unknown[], Row>(
  build: (query: Query, row: Columns, ...values: Values) => Builder<Row>,
): (query: Query, columns: SavedColumns<Columns>, ...values: Values) => Promise<QueryResult<Row>> {
  const queries = new Map<string, ReturnType<typeof preparedResult<[Instant | undefined, number, ...unknown[]], Row>>>();

  return (query, columns, ...values) => {
    const names = Object.keys(columns);
    const saved: unknown[] = Object.values(columns);
    const key = names.map((name, index) => (saved[index] === DATABASE_NOW ? `${name}=now` : name)).join();
    let execute = queries.get(key);
    if (!execute) {
      const isTime = saved.map((value) => value === DATABASE_NOW);
      execute = preparedResult((tx, writeTime: Instant | undefined, offsetMs: number, ...all: unknown[]) => {
        const entries = names.map((name, index) => [name, isTime[index] ? timeAt(tx, writeTime, offsetMs) : all[index]]);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- placeholders
        return build(tx, Object.fromEntries(entries) as Columns, ...(all.slice(names.length) as Values));
      });
      queries.set(key, execute);
    }
    // Parameters of the query, too, because they differ for each write.
    const { writeTime, clockOffsetMs = 0 } = connectionOf(query);
    return execute(query, [writeTime, clockOffsetMs, ...saved, ...values]);
  };
}

/**
 * Returns an insert of whole rows.
 *
 * @param onConflict - Without it, a conflict is an error.
 * @returns False if the row was not inserted because of a conflict.
 */
export function preparedInsert<Table extends keyof Schema>(
  table: Table,
  onConflict?: (conflict: OnConflictBuilder<Schema, Table>) => OnConflictDoNothingBuilder<Schema, Table>,
): (query: Query, row: Selectable<Schema[Table]>) => Promise<boolean> {
  const insert = preparedSaving((query, row: Selectable<Schema[Table]>) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript cannot resolve the row of any table
    const inserted = query.insertInto(table).values(row as never);
    return onConflict ? inserted.onConflict(onConflict) : inserted;
  });
  return async (query, row) => (await insert(query, row)).numAffectedRows === 1n;
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
  const update = preparedSaving((query, changes: Record<string, unknown>, id: string, revision: number) =>
    query.updateTable<Revised>(table).set(changes).where('id', '=', id).where('revision', '=', revision),
  );
  return async (query, row, revision) => {
    const { numAffectedRows } = await update(query, pick(row, columns), row.id, revision);
    return numAffectedRows === 1n;
  };
}
