import type { Kysely } from 'kysely';
import type { Instant } from '../time.ts';
import type { KeyRing } from './key-ring.ts';
import type { Schema } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';

/** What the connections of an open database share. */
export interface Connection {
  readonly engine: Engine;
  readonly keyRing: KeyRing;
  /** Key of `lookupHash`, once it was read. */
  lookupKey?: Buffer;
  /** By which the sandbox's clock was moved. */
  clockOffsetMs?: number;
  /** On SQLite, the time of the current write. */
  writeTime?: Instant;
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
