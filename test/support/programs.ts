/** Financing programs for tests, and query plans of their database. */
import { create } from 'superstruct';
import { Program, ProgramFields } from '../../shared/programs/program.ts';
import { type RateSheet, rateSheet } from '../../shared/programs/rate-sheet.ts';
import { standardProgram } from '../../server/lending/programs/standard-program.ts';
import { Sqlite } from '../../server/db/driver.ts';
import { CamelCasePlugin, Kysely, type LogEvent, PostgresDialect, SqliteDialect } from 'kysely';
import type { Query } from '../../server/db/database.ts';
import { testKeys } from './data-keys.ts';
import { openPool } from './postgres.ts';
import { createConnection, withConnection } from '../../server/db/engine.ts';
import type { Schema } from '../../server/db/schema.ts';
import type { Engine } from './databases.ts';

/** The date of quotes. The standard program has no promotion on it. */
export const TODAY = '2026-11-21';

type Change = Record<string, unknown>;

/** Returns the standard program with changes, and with the defaults that an import sets. */
export function createProgram(change: Change = {}): Program {
  return create({ ...standardProgram, ...change }, Program);
}

/**
 * Returns the standard program with changes that need not be consistent. The calculations support the fees of all rate sheets, also those
 * that an import rejects.
 */
export function createUncheckedProgram(change: Change = {}): Program {
  return create({ ...standardProgram, ...change }, ProgramFields);
}

/** Returns the rate sheet of the standard program with changes, which need not be consistent. */
export function createSheet(change: Change = {}, state?: string): RateSheet {
  // Without its agreements, which rate sheets do not contain, the program is validated in a third of the time.
  return rateSheet(createUncheckedProgram({ documents: {}, ...change }), state);
}

/** Returns an offer of 24 months at 9.99 % for tier A. Arguments override the defaults. */
export function createOffer(change: Change = {}): Change {
  return { id: 'offer', termLength: 24, tierAprBps: { A: 999 }, ...change };
}

/** Returns a single offer of one rate, for amounts from $50. `rest` overrides the defaults. */
export function createSingleOfferSheet(termLength: number, rateBps: number, rest: Change = {}): RateSheet {
  return createSheet({ offers: [createOffer({ termLength, tierAprBps: { A: rateBps } })], ...rest });
}

/** Returns a fee that is part of the finance charge and financed. Arguments override the defaults. */
export function createFee(change: Change): Change {
  return { id: 'fee', kind: 'origination', financeCharge: true, financed: true, ...change };
}

/** A program with every feature that buyers see: a bank partner, a down payment, fees, tiers, state notices and late fees. */
export const elaborateProgram: Program = createProgram({
  id: 'elaborate',
  name: 'Holiday financing',
  lender: {
    name: 'First Fair Bank',
    model: 'bank-partner',
    nmlsId: '1234567',
    licenses: {
      IL: {
        type: 'Illinois Consumer Installment Loan license',
        number: '60DBO',
        regulator: { name: 'Illinois IDFPR', phone: '888-555-0100', website: 'https://idfpr.example' },
      },
    },
    address: '1 Bank Street, Wilmington, DE 19801',
    phone: '1-800-555-0100',
    logo: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><rect width="28" height="28" fill="#1d4f91"/></svg>')}`,
  },
  downPayment: { percentBps: 1_000 },
  schedule: { firstPaymentAfter: { months: 1, days: 14 }, oddDaysInterest: '365' },
  fees: [
    createFee({ id: 'origination', amountBps: 200 }),
    createFee({ id: 'application', kind: 'application', flatCents: 1_500 }),
  ],
  offers: [
    createOffer({ id: 'a12', termLength: 12, tierAprBps: { A: 999, B: 1_499, C: 1_999 } }),
    createOffer({ id: 'a24', termLength: 24, tierAprBps: { A: 1_199, B: 1_799, C: 2_399 } }),
    createOffer({ id: 'a36', termLength: 36, tierAprBps: { A: 1_299, B: 1_999, C: 2_599 } }),
  ],
  states: {
    excluded: ['IA'],
    notices: {
      IL: (['advertisement', 'application', 'agreement'] as const).map((at) => ({
        at,
        text: {
          en: 'Loans are made or arranged pursuant to an Illinois license.',
          es: 'Los préstamos se otorgan o gestionan conforme a una licencia de Illinois.',
        },
      })),
    },
  },
  late: { flatCents: 500, percentBps: 100 },
});

/** A program with an offer at 0 % on every date. */
export const promotionalProgram: Program = createProgram({
  id: 'promotional',
  name: 'Holiday promotion',
  downPayment: { percentBps: 1_000 },
  offers: [
    createOffer({
      id: 'zero6',
      termLength: 6,
      tierAprBps: { A: 0, B: 0 },
      promo: { kind: 'zero-apr', from: '1970-01-01', to: '2999-12-31', merchantDiscountBps: 450 },
    }),
    createOffer({ id: 'a12', termLength: 12, tierAprBps: { A: 999, B: 1_499, C: 1_999 } }),
    createOffer({ id: 'a24', termLength: 24, tierAprBps: { A: 1_199, B: 1_799, C: 2_399 } }),
    createOffer({ id: 'a36', termLength: 36, tierAprBps: { A: 1_299, B: 1_999, C: 2_599 } }),
  ],
});

/** The query plan of an engine. */
export interface Plan {
  /** The distinct indexes that are used to read the table; `none` for a full scan. Lookups by id do not count. */
  indexes: string[];
  /** True if each index is searched from a pair of values, as in keyset pagination. */
  isKeyset: boolean;
  /** True if the query sorts all rows that it reads, not only the rows of a page. */
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
  const { query, last } = recordingConnection('sqlite', new SqliteDialect({ database: file }));
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
        isKeyset: found.every((detail) => /\(\w+,id\)[<>]\(\?,\?\)/.test(detail)),
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
  // With few rows, PostgreSQL prefers a full scan. Disabling it shows the plan for many rows.
  const settings = ['seqscan', 'bitmapscan', 'sort'].map((method) => `-c enable_${method}=off`).join(' ');
  const pool = openPool({ connectionString: url, options: settings });
  const { query, last } = recordingConnection('postgres', new PostgresDialect({ pool }));
  return {
    planOf: async (runQuery) => {
      await runQuery(query);
      const { sql, parameters } = last();
      const { rows } = await pool.query(`explain (format json) ${sql}`, [...parameters]);
      const nodes = [...planNodes((rows[0] as { 'QUERY PLAN': { Plan: Node }[] })['QUERY PLAN'][0]!.Plan, false)];
      const found = nodes.filter(({ node }) => node['Relation Name'] === table && node['Index Name'] !== `${table}_pkey`);
      return {
        indexes: [...new Set(found.map(({ node }) => node['Index Name'] ?? 'none'))],
        isKeyset: found.every(({ node }) => /ROW\(\w+, id\) [<>] ROW\(/.test(node['Index Cond'] ?? '')),
        sorts: nodes.some(({ node, isLimited }) => isLimited && node['Node Type'].endsWith('Sort')),
      };
    },
    close: () => query.destroy(),
  };
}

/** Returns every node of a plan, and whether a limit applies to its rows. */
function* planNodes(node: Node, isLimited: boolean): Generator<{ node: Node; isLimited: boolean }> {
  yield { node, isLimited };
  for (const child of node.Plans ?? []) yield* planNodes(child, isLimited || node['Node Type'] === 'Limit');
}

/** Returns a connection, and a function that returns its last query. */
function recordingConnection(engine: Engine, dialect: SqliteDialect | PostgresDialect) {
  let logged: LogEvent['query'] | undefined;
  const query = withConnection(
    new Kysely<Schema>({ dialect, plugins: [new CamelCasePlugin()], log: (event) => void (logged = event.query) }),
    createConnection(engine, testKeys()),
  );
  return { query, last: () => logged! };
}
