import { type Kysely, sql } from 'kysely';
import { type Instant, plusDays } from '../../time.ts';
import type { Connection } from '../engine.ts';

/** Adds the retries of requests to lenders, the warnings about missing decisions, and exceptions that a person resolves. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
  await sql.raw(engine === 'sqlite' ? `${exceptions} strict` : exceptions).execute(database);
  for (const index of indexes) await sql.raw(index).execute(database);
  await extendPending(database);
}

const statements = [
  'alter table applications add column request_attempts integer not null default 0',
  'alter table applications add column request_due_at text',
  'alter table applications add column warn_at text',
  'update applications set request_due_at = request_leased_until where request_leased_until is not null',
  'drop index applications_with_pending_request',
];

const exceptions = `create table exceptions (
  id text primary key not null,
  application_id text not null references applications (id),
  merchant_id text not null references merchants (id),
  kind text not null check (kind in ('decision', 'agreement', 'undecided')),
  raised_at text not null,
  resolution text,
  denial_reason text,
  actor text,
  reason text,
  resolved_at text,
  closed_at text,
  check ((resolution is null) = (resolved_at is null) and (resolution is null) = (actor is null) and (resolution is null) = (reason is null))
)`;

const indexes = [
  'create index applications_with_due_request on applications (request_due_at, id) where request_due_at is not null',
  'create index applications_to_warn on applications (warn_at, id) where warn_at is not null',
  'create unique index exceptions_open on exceptions (application_id, kind) where closed_at is null',
  'create index exceptions_of_application on exceptions (application_id)',
  'create index exceptions_by_time on exceptions (raised_at, id)',
];

/** Days after the request on which an application from before this migration is denied if it is not decided: 12 CFR 1002.9(a)(1)(i). */
const UNDECIDED_DAYS = 30;
const WARNING_DAYS = 5;

/** Pending applications no longer end with their carts. */
async function extendPending(database: Kysely<unknown>): Promise<void> {
  const pending = sql<{ id: string; updated_at: Instant }>`select id, updated_at from applications where status_code = '100100'`;
  for (const { id, updated_at: requestedAt } of (await pending.execute(database)).rows) {
    const expiresAt = plusDays(requestedAt, UNDECIDED_DAYS);
    const warnAt = plusDays(expiresAt, -WARNING_DAYS);
    await sql`update applications set expires_at = ${expiresAt}, warn_at = ${warnAt} where id = ${id}`.execute(database);
  }
}
