import { type Kysely, sql } from 'kysely';

/** Finds the security events of a tenant, such as those of users with access to all its merchants. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`create index security_events_by_tenant on security_events (tenant_id, occurred_at, id) where merchant_id is null`.execute(
    database,
  );
}
