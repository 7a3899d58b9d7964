import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';

const engines = new WeakMap<Kysely<Schema>, Engine>();

/** Records which engine a connection, or a database transaction on it, belongs to. Returns the connection. */
export function withEngine<Connection extends Kysely<Schema>>(connection: Connection, engine: Engine): Connection {
  engines.set(connection, engine);
  return connection;
}

/** Returns the engine that a connection or database transaction was opened on. */
export function engineOf(connection: Kysely<Schema>): Engine {
  const engine = engines.get(connection);
  if (!engine) throw new Error('Expected a connection that openDatabase() has opened');
  return engine;
}
