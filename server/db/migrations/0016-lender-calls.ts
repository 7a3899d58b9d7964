import { type Kysely, sql } from 'kysely';
import type { Connection, Engine } from '../engine.ts';

/** Adds the record of calls to and from the lender, and the category of a merchant, which lenders receive. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  for (const statement of statementsOf(engine)) await sql.raw(statement).execute(database);
}

const statementsOf = (engine: Engine): string[] => [
  `create table lender_calls (
    id text primary key not null,
    direction text not null check (direction in ('sent', 'received')),
    method text not null,
    path text not null,
    subject_id text not null,
    attempt integer not null,
    started_at text not null,
    duration_ms integer not null,
    status_code integer,
    failure text not null
  )${engine === 'sqlite' ? ' strict' : ''}`,
  'create index lender_calls_by_time on lender_calls (started_at, id)',
  'create index lender_calls_by_subject on lender_calls (subject_id, id)',
  "alter table merchants add column category text not null default ''",
];
