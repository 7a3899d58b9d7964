/** Financing programs with everything that a program can have. */
import { create } from 'superstruct';
import { Program } from '../../shared/programs/program.ts';
import { type RateSheet, rateSheet } from '../../shared/programs/rate-sheet.ts';
import { program as standard } from './checkout.ts';
import { Sqlite } from '../../server/db/driver.ts';
import { Kysely, type LogEvent, PostgresDialect, SqliteDialect } from 'kysely';
import { Pool } from 'pg';
import type { Query } from '../../server/db/database.ts';
import { withEngine } from '../../server/db/engine.ts';
import type { Schema } from '../../server/db/schema.ts';
import type { Engine } from './databases.ts';

/** A day without promotions, unless a test makes one. */
export const TODAY = '2026-11-21';

type Change = Record<string, unknown>;

/** The standard program with some things otherwise, completed as an import would. */
export function givenProgram(change: Change = {}): Program {
  return create({ ...standard, ...change }, Program);
}

/** What such a program is quoted from. */
export function givenSheet(change: Change = {}, state?: string): RateSheet {
  return rateSheet(givenProgram(change), state);
}

/** Returns an offer of 24 months at 9.99 % for tier A. Arguments override the defaults. */
export function givenOffer(change: Change = {}): Change {
  return { id: 'offer', termLength: 24, tierAprBps: { A: 999 }, ...change };
}

/** Returns a single offer of one rate, for amounts from $50. `rest` overrides the defaults. */
export function givenSingle(termLength: number, rateBps: number, rest: Change = {}): RateSheet {
  return givenSheet({ offers: [givenOffer({ termLength, tierAprBps: { A: rateBps } })], ...rest });
}

/** Returns a fee that is part of the finance charge and financed. Arguments override the defaults. */
export function givenFee(change: Change): Change {
  return { id: 'fee', kind: 'origination', financeCharge: true, financed: true, ...change };
}

/** Sold on every day there is, with everything a program may have that buyers get to see. */
export const elaborateProgram: Program = givenProgram({
  id: 'elaborate',
  name: 'Holiday financing',
  lender: {
    name: 'First Fair Bank',
    model: 'bank-partner',
    stateLicences: { IL: 'Illinois Consumer Installment Loan license 60DBO' },
  },
  creditType: 'creditSale',
  downPayment: { percentBps: 1_000 },
  schedule: { firstPaymentAfter: { months: 1, days: 14 }, oddDaysInterest: '365' },
  fees: [
    givenFee({ id: 'origination', amountBps: 200 }),
    givenFee({ id: 'application', kind: 'application', flatCents: 1_500, financeCharge: false, financed: false, mapr: false }),
  ],
  offers: [
    givenOffer({ id: 'a12', termLength: 12, tierAprBps: { A: 999, B: 1_499, C: 1_999 } }),
    givenOffer({ id: 'a24', termLength: 24, tierAprBps: { A: 1_199, B: 1_799, C: 2_399 } }),
    givenOffer({ id: 'a36', termLength: 36, tierAprBps: { A: 1_299, B: 1_999, C: 2_599 } }),
  ],
  states: {
    excluded: ['IA'],
    notices: {
      IL: {
        en: 'Loans are made or arranged pursuant to an Illinois license.',
        es: 'Los préstamos se otorgan o gestionan conforme a una licencia de Illinois.',
      },
    },
  },
  late: { flatCents: 500, percentBps: 100 },
});

/** With an offer that costs nothing, on every day there is. */
export const promotionalProgram: Program = givenProgram({
  id: 'promotional',
  name: 'Holiday promotion',
  downPayment: { percentBps: 1_000 },
  fees: [givenFee({ id: 'application', kind: 'application', flatCents: 500, financeCharge: false })],
  offers: [
    givenOffer({
      id: 'zero6',
      termLength: 6,
      tierAprBps: { A: 0, B: 0 },
      promo: { kind: 'zero-apr', from: '1970-01-01', to: '2999-12-31', merchantDiscountBps: 450 },
    }),
    givenOffer({ id: 'a12', termLength: 12, tierAprBps: { A: 999, B: 1_499, C: 1_999 } }),
    givenOffer({ id: 'a24', termLength: 24, tierAprBps: { A: 1_199, B: 1_799, C: 2_399 } }),
    givenOffer({ id: 'a36', termLength: 36, tierAprBps: { A: 1_299, B: 1_999, C: 2_599 } }),
  ],
});

/** The query plan of an engine. */
export interface Plan {
  /** The indexes by which a table is read, each once; `none` where it is read from end to end. Rows looked up by their id do not count. */
  indexes: string[];
  /** Whether each of them is entered where a pair of values says. */
  isEntered: boolean;
  /** Whether it sorts what it reads, rather than the few rows of a page. */
  sorts: boolean;
}

/** A database that explains queries of `table`. */
export interface Planner {
  planOf(runQuery: (query: Query) => Promise<unknown>): Promise<Plan>;
  close(): Promise<void>;
}

export function plannerOf(engine: Engine, url: string, table: string): Planner {
  return engine === 'sqlite' ? sqlitePlanner(url.slice('sqlite:'.length), table) : postgresPlanner(url, table);
}

function sqlitePlanner(filename: string, table: string): Planner {
  const file = new Sqlite(filename);
  const { query, last } = watched('sqlite', new SqliteDialect({ database: file }));
  return {
    planOf: async (runQuery) => {
      await runQuery(query);
      const { sql, parameters } = last();
      const steps = file.prepare(`explain query plan ${sql}`).all(parameters) as { parent: number; detail: string }[];
      const reads = steps.map(({ detail }) => detail).filter((detail) => new RegExp(`^(SCAN|SEARCH) ${table}\\b`).test(detail));
      const found = reads.filter((detail) => !detail.endsWith(`sqlite_autoindex_${table}_1 (id=?)`));
      const hasPage = found.length < reads.length;
      return {
        indexes: [...new Set(found.map((detail) => /^SEARCH .* INDEX (\S+)/.exec(detail)?.[1] ?? 'none'))],
        isEntered: found.every((detail) => /\(\w+,id\)[<>]\(\?,\?\)/.test(detail)),
        sorts: steps.some(({ parent, detail }) => detail.startsWith('USE TEMP B-TREE') && !(hasPage && parent === 0)),
      };
    },
    close: () => query.destroy(),
  };
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Node[];
}

function postgresPlanner(url: string, table: string): Planner {
  // With few rows, the engine would prefer a full scan: disable it to see the plan for many rows.
  const settings = ['seqscan', 'bitmapscan', 'sort'].map((way) => `-c enable_${way}=off`).join(' ');
  const pool = new Pool({ connectionString: url, options: settings });
  const { query, last } = watched('postgres', new PostgresDialect({ pool }));
  return {
    planOf: async (runQuery) => {
      await runQuery(query);
      const { sql, parameters } = last();
      const { rows } = await pool.query(`explain (format json) ${sql}`, [...parameters]);
      const nodes = [...within((rows[0] as { 'QUERY PLAN': { Plan: Node }[] })['QUERY PLAN'][0]!.Plan, false)];
      const found = nodes.filter(({ node }) => node['Relation Name'] === table && node['Index Name'] !== `${table}_pkey`);
      return {
        indexes: [...new Set(found.map(({ node }) => node['Index Name'] ?? 'none'))],
        isEntered: found.every(({ node }) => /ROW\(\w+, id\) [<>] ROW\(/.test(node['Index Cond'] ?? '')),
        sorts: nodes.some(({ node, isLimited }) => isLimited && node['Node Type'].endsWith('Sort')),
      };
    },
    close: () => query.destroy(),
  };
}

/** Every step of a plan, and whether only so many of its rows are wanted. */
function* within(node: Node, isLimited: boolean): Generator<{ node: Node; isLimited: boolean }> {
  yield { node, isLimited };
  for (const below of node.Plans ?? []) yield* within(below, isLimited || node['Node Type'] === 'Limit');
}

/** A connection that returns its last query. */
function watched(engine: Engine, dialect: SqliteDialect | PostgresDialect) {
  let logged: LogEvent['query'] | undefined;
  const query = withEngine(new Kysely<Schema>({ dialect, log: (event) => void (logged = event.query) }), engine);
  return { query, last: () => logged! };
}
