import { type Kysely, sql } from 'kysely';
import type { Connection, Engine } from '../engine.ts';

/** Adds the requests that merchants sent with their keys. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  for (const statement of statementsOf(engine)) await sql.raw(statement).execute(database);
}

const statementsOf = (engine: Engine): string[] => [
  `create table merchant_requests (
    id text primary key not null,
    merchant_id text not null,
    key_id text not null,
    method text not null,
    path text not null,
    status integer not null,
    code text
  )${engine === 'sqlite' ? ' strict, without rowid' : ''}`,
  'create index merchant_requests_by_merchant on merchant_requests (merchant_id, id)',
  'create index merchant_requests_failed on merchant_requests (merchant_id, id) where code is not null',
];
