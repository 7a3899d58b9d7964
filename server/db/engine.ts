import type { Kysely } from 'kysely';
import type { Instant } from '../base/time.ts';
import type { KeyRing, SealedDataError } from '../base/key-ring.ts';
import type { Schema } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';

/** The state that the connections of an open database share. */
export interface Connection {
  readonly engine: Engine;
  readonly keyRing: KeyRing;
  /** Called with each damaged row that a list leaves out. */
  reportDamagedRow(this: void, error: SealedDataError): void;
  /** Called with each failure after which the database was unavailable. */
  reportFailure(this: void, cause: unknown): void;
  /** Key of `lookupHash`, once it was read. */
  lookupKey?: Buffer;
  /** By which the sandbox's clock was moved. */
  clockOffsetMs?: number;
  /** On SQLite, the time of the current write, by the sandbox's clock and in real time. */
  writeTime?: Instant;
  realWriteTime?: Instant;
}

/** Creates the connection of a database. Damaged rows are printed as warnings of the process until `onDamagedRow` is called. */
export function createConnection(engine: Engine, keyRing: KeyRing): Connection {
  const reportDamagedRow = reportOnce((error) => process.emitWarning(error));
  return { engine, keyRing, reportDamagedRow, reportFailure: () => undefined };
}

/** Reports the damaged rows of a database to `report`, each once. */
export function onDamagedRow({ query }: { query: Kysely<Schema> }, report: (error: SealedDataError) => void): void {
  connectionOf(query).reportDamagedRow = reportOnce(report);
}

/** An outage makes every request and every job fail. */
const REPORT_INTERVAL_MS = 10_000;

/**
 * Reports failures after which the database was unavailable, at most one in ten seconds.
 *
 * @param report - Receives the error of the driver, and the number of failures since the previous report that were not reported.
 */
export function onFailure({ query }: { query: Kysely<Schema> }, report: (cause: unknown, notReported: number) => void): void {
  let reportedAtMs = -REPORT_INTERVAL_MS;
  let notReported = 0;
  connectionOf(query).reportFailure = (cause) => {
    const nowMs = performance.now();
    if (nowMs - reportedAtMs < REPORT_INTERVAL_MS) {
      notReported += 1;
      return;
    }
    report(cause, notReported);
    reportedAtMs = nowMs;
    notReported = 0;
  };
}

/** Limits the memory for reported rows. */
const MAX_REPORTED = 10_000;

/** A job or a request may read a damaged row every second. */
function reportOnce(report: (error: SealedDataError) => void): (error: SealedDataError) => void {
  const reported = new Set<string>();
  return (error) => {
    if (reported.has(error.message) || reported.size >= MAX_REPORTED) return;
    reported.add(error.message);
    report(error);
  };
}

const connections = new WeakMap<Kysely<Schema>, Connection>();

/** Records which database a connection, or a database transaction on it, belongs to. Returns the connection. */
export function withConnection<Query extends Kysely<Schema>>(query: Query, connection: Connection): Query {
  connections.set(query, connection);
  return query;
}

/** Returns the database that a connection or database transaction was opened on. */
export function connectionOf(query: Kysely<Schema>): Connection {
  const connection = connections.get(query);
  if (!connection) throw new Error('Expected a connection that openDatabase() has opened');
  return connection;
}

/** Returns the engine that a connection or database transaction was opened on. */
export function engineOf(query: Kysely<Schema>): Engine {
  return connectionOf(query).engine;
}
