import { type Kysely, sql } from 'kysely';
import type { Connection } from '../engine.ts';

/**
 * Adds authentication codes of refunds that a second person has to approve, and of the sum of merchants above which one has to, with those
 * of the rows that exist; and who has created a key, from the record of security events.
 */
export async function up(database: Kysely<unknown>, { keyRing }: Connection): Promise<void> {
  await sql`alter table merchants add column mac text not null default ''`.execute(database);
  await sql`alter table refund_requests add column mac text not null default ''`.execute(database);
  await sql`alter table merchant_keys add column created_by text`.execute(database);
  await sql`create index merchant_keys_by_creator on merchant_keys (created_by) where created_by is not null`.execute(database);
  await authenticate('merchants', 'refund_approval_cents');
  const decision = ['status', 'decided_by', 'decided_at'];
  const request = ['merchant_id', 'transaction_id', 'revision', 'action_json', 'amount_cents', 'requested_by', 'requested_at'];
  await authenticate('refund_requests', ...request, 'expires_at', ...decision);
  const { rows: events } = await sql<{ actor: string; merchant_id: string; details_json: string }>`
    select actor, merchant_id, details_json from security_events where kind = 'key-created'`.execute(database);
  for (const { actor, merchant_id: merchantId, details_json: details } of events) {
    const { keyId }: { keyId: string } = JSON.parse(details);
    await sql`
      update merchant_keys set created_by = ${actor}
      where merchant_id = ${merchantId} and substr(api_key, length(api_key) - 7) = ${keyId}`.execute(database);
  }

  async function authenticate(table: string, ...bound: string[]): Promise<void> {
    const columns = sql.join(['id', ...bound].map((name) => sql.ref(name)));
    const { rows } = await sql<Record<string, string | number | null>>`select ${columns} from ${sql.table(table)}`.execute(
      database,
    );
    for (const { id, ...row } of rows) {
      const mac = keyRing.mac([table, id!, ...bound.map((name) => row[name]!)]);
      await sql`update ${sql.table(table)} set mac = ${mac} where id = ${id}`.execute(database);
    }
  }
}
