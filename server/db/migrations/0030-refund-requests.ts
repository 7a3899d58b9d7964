import { type Kysely, sql } from 'kysely';
import type { Connection, Engine } from '../engine.ts';

/** Adds refunds that a second person has to approve, and the limit of merchants above which one has to. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  for (const statement of statementsOf(engine)) await sql.raw(statement).execute(database);
}

const statementsOf = (engine: Engine): string[] => {
  const amount = engine === 'sqlite' ? 'integer' : 'bigint';
  return [
    `alter table merchants add column refund_approval_cents ${amount} check (refund_approval_cents > 0)`,
    `create table refund_requests (
       id text primary key not null,
       merchant_id text not null references merchants (id),
       transaction_id text not null references transactions (id),
       revision integer not null,
       action_json text not null,
       amount_cents ${amount} not null check (amount_cents > 0),
       requested_by text not null references users (id),
       requested_at text not null,
       expires_at text not null,
       status text not null check (status in ('pending', 'approved', 'rejected', 'expired')),
       decided_by text references users (id),
       decided_at text,
       check ((decided_by is null) = (status in ('pending', 'expired'))),
       check (status <> 'approved' or decided_by <> requested_by)
     )${engine === 'sqlite' ? ' strict' : ''}`,
    `create unique index refund_requests_pending on refund_requests (transaction_id) where status = 'pending'`,
    `create index refund_requests_of_merchant on refund_requests (merchant_id, requested_at, id) where status = 'pending'`,
    'create index refund_requests_of_transaction on refund_requests (transaction_id, requested_at)',
  ];
};
