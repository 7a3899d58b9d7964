import type { Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import type { SecurityEventKind, SecurityEventTable } from '../db/schema.ts';
import { newId } from '../ids.ts';
import type { Instant } from '../time.ts';

export type SecurityEventRow = Selectable<SecurityEventTable>;

/** A change of credentials or settings. Its details contain neither secrets nor personal data. */
export interface SecurityEvent {
  kind: SecurityEventKind;
  actor: 'console' | 'system';
  merchantId?: string;
  tenantId?: string;
  details: Readonly<Record<string, string | readonly string[]>>;
}

/** Returns the row of an event. Call it outside the database transaction, because it generates an id. */
export function securityEventRow(event: SecurityEvent, now: Instant): SecurityEventRow {
  const { kind, actor, merchantId = null, tenantId = null, details } = event;
  return {
    id: newId(),
    occurredAt: now,
    kind,
    actor,
    merchantId,
    tenantId,
    network: null,
    count: 1,
    detailsJson: JSON.stringify(details),
  };
}

/** Appends events, in the database transaction of the change. */
export async function addSecurityEvents(tx: Tx, ...rows: readonly SecurityEventRow[]): Promise<void> {
  await tx.insertInto('security_events').values(rows).execute();
}

/** Appends an event of a network and minute, or adds its count to the existing one. */
export async function countSecurityEvent(tx: Tx, row: SecurityEventRow): Promise<void> {
  await tx
    .insertInto('security_events')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'network', 'occurredAt'])
        .doUpdateSet((eb) => ({ count: eb('security_events.count', '+', eb.ref('excluded.count')) })),
    )
    .execute();
}

/** Returns events, the newest first. @param since - The earliest instant. */
export async function listSecurityEvents(
  query: Query,
  { since, kind, limit }: { since?: Instant | undefined; kind?: SecurityEventKind | undefined; limit: number },
): Promise<SecurityEventRow[]> {
  let events = query.selectFrom('security_events').selectAll().orderBy('occurredAt', 'desc').orderBy('id', 'desc').limit(limit);
  if (since !== undefined) events = events.where('occurredAt', '>=', since);
  if (kind !== undefined) events = events.where('kind', '=', kind);
  return events.execute();
}
