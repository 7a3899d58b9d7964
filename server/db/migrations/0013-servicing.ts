import { type Kysely, sql } from 'kysely';
import type { Connection } from '../engine.ts';

/**
 * Adds what the events of a loan contain, and the part of a cancel that reduces the card portion. The lender receives events of the changes
 * from now on. The discount of earlier purchases is 0, because no program had one.
 */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  const amount = engine === 'sqlite' ? 'integer' : 'bigint';
  for (const statement of [
    `alter table transactions add column card_reduced_cents ${amount} not null default 0
       check (card_reduced_cents >= 0 and card_reduced_cents <= card_cents)`,
    'alter table transactions add column request_id text',
    "alter table transactions add column time_zone text not null default 'UTC'",
    'alter table transactions add column merchant_discount_bps integer not null default 0',
    `alter table transactions add column merchant_discount_cents ${amount} not null default 0`,
    'alter table transactions add column events_after integer not null default 0',
    `alter table transaction_events add column card_cents ${amount} not null default 0
       check (card_cents >= 0 and (card_cents = 0 or card_cents <= amount_cents))`,
    `update transactions set events_after = revision,
       request_id = (select request_id from applications where applications.id = transactions.application_id)`,
  ]) {
    await sql.raw(statement).execute(database);
  }
  const { rows: versions } = await sql<{ program_id: string; version: number; document_json: string }>`
    select program_id, version, document_json from program_versions`.execute(database);
  for (const { program_id: programId, version, document_json: json } of versions) {
    const { timeZone = 'UTC' }: { timeZone?: string } = JSON.parse(json);
    await sql`update transactions set time_zone = ${timeZone} where application_id in (
      select id from applications where program_id = ${programId} and program_version = ${version})`.execute(database);
  }
}
