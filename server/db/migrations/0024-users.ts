import { type Kysely, sql } from 'kysely';
import type { Connection, Engine } from '../engine.ts';

/** Adds the users of the console, with their passkeys, links and sessions. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  for (const statement of statementsOf(engine)) await sql.raw(statement).execute(database);
}

const statementsOf = (engine: Engine): string[] => {
  const end = `)${engine === 'sqlite' ? ' strict' : ''}`;
  const integer = engine === 'sqlite' ? 'integer' : 'bigint';
  return [
    'create index merchants_by_tenant on merchants (tenant_id, id)',
    'create index security_events_by_merchant on security_events (merchant_id, occurred_at, id)',
    `create table users (
      id text primary key not null,
      tenant_id text not null references tenants (id),
      merchant_id text references merchants (id),
      role text not null check (role in ('viewer', 'support', 'finance', 'developer', 'admin')),
      refund_limit_cents ${integer} check (refund_limit_cents >= 0),
      email_hash text not null check (length(email_hash) = 64),
      created_at text not null,
      removed_at text,
      sealed text not null
    ${end}`,
    "create unique index users_by_email on users (email_hash, tenant_id, coalesce(merchant_id, '')) where removed_at is null",
    'create index users_by_tenant on users (tenant_id, merchant_id, id)',
    'create index users_by_merchant on users (merchant_id)',
    `create table user_passkeys (
      id text primary key not null,
      user_id text not null references users (id),
      counter ${integer} not null,
      challenged_at text not null,
      created_at text not null,
      sealed text not null
    ${end}`,
    'create index user_passkeys_by_user on user_passkeys (user_id, created_at)',
    `create table user_links (
      token_hash text primary key not null check (length(token_hash) = 64),
      user_id text not null references users (id),
      purpose text not null check (purpose in ('invitation', 'sign-in')),
      browser_hash text not null,
      expires_at text not null,
      mac text not null
    ${end}`,
    'create index user_links_by_user on user_links (user_id)',
    'create index user_links_by_expiry on user_links (expires_at)',
    `create table user_sessions (
      token_hash text primary key not null check (length(token_hash) = 64),
      user_id text not null references users (id),
      last_seen_at text not null,
      authenticated_at text not null,
      ends_at text not null,
      mac text not null
    ${end}`,
    'create index user_sessions_by_user on user_sessions (user_id)',
    'create index user_sessions_by_end on user_sessions (ends_at)',
  ];
};
