import { fromJson, toJson } from '../db/json.ts';
import type { Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import type { SecurityEventKind, SecurityEventTable } from '../db/schema.ts';
import { newId } from '../base/ids.ts';
import type { Instant } from '../base/time.ts';

type StoredRow = Selectable<SecurityEventTable>;

type Details = Readonly<Record<string, string | readonly string[]>>;

/** An event, as it is stored. Failed logins of a network and minute are one event with their count. */
export type SecurityEvent = Omit<StoredRow, 'detailsJson'> & { details: Details };

function rowOf({ details, ...event }: SecurityEvent): StoredRow {
  return { ...event, detailsJson: toJson(details) };
}

/** A change of credentials or settings, or a failed login. Its details contain neither secrets nor personal data. */
export type NewSecurityEvent = Pick<SecurityEvent, 'kind' | 'actor' | 'details'> & {
  merchantId?: string;
  tenantId?: string;
  network?: string;
};

/** Returns an event to add. Call it outside the database transaction, because it generates an id. */
export function newSecurityEvent(event: NewSecurityEvent, occurredAt: Instant): SecurityEvent {
  return { id: newId(), occurredAt, merchantId: null, tenantId: null, network: null, count: 1, ...event };
}

/** Appends events, in the database transaction of the change. */
export async function addSecurityEvents(tx: Tx, ...events: readonly SecurityEvent[]): Promise<void> {
  await tx.insertInto('security_events').values(events.map(rowOf)).execute();
}

/** Appends an event of a network and minute, or adds its count to the existing one. */
export async function countSecurityEvent(tx: Tx, event: SecurityEvent): Promise<void> {
  await tx
    .insertInto('security_events')
    .values(rowOf(event))
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'network', 'occurredAt'])
        .doUpdateSet((eb) => ({ count: eb('security_events.count', '+', eb.ref('excluded.count')) })),
    )
    .execute();
}

/** Filters of a list of events. */
export interface SecurityEventFilter {
  /** The earliest instant. */
  since?: Instant | undefined;
  kind?: SecurityEventKind | undefined;
  merchantId?: string | undefined;
  /** Adds the events of the merchant's tenant that are of no merchant, such as those of users of all merchants. */
  tenantId?: string | undefined;
  /** The last event of the previous page. */
  after?: Pick<SecurityEvent, 'occurredAt' | 'id'> | undefined;
  limit: number;
}

/** Returns events, the newest first. */
export async function listSecurityEvents(
  query: Query,
  { since, kind, merchantId, tenantId, after, limit }: SecurityEventFilter,
): Promise<SecurityEvent[]> {
  let events = query.selectFrom('security_events').selectAll().orderBy('occurredAt', 'desc').orderBy('id', 'desc').limit(limit);
  if (since !== undefined) events = events.where('occurredAt', '>=', since);
  if (kind !== undefined) events = events.where('kind', '=', kind);
  if (after !== undefined) {
    events = events.where(({ eb, refTuple, tuple }) => eb(refTuple('occurredAt', 'id'), '<', tuple(after.occurredAt, after.id)));
  }
  // Each from its own index.
  const ofMerchant = merchantId === undefined ? events : events.where('merchantId', '=', merchantId);
  const rows = await ofMerchant.execute();
  if (tenantId !== undefined) {
    rows.push(...(await events.where('tenantId', '=', tenantId).where('merchantId', 'is', null).execute()));
    const keyOf = ({ occurredAt, id }: StoredRow) => `${occurredAt} ${id}`;
    rows.sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  }
  return rows.slice(0, limit).map(({ detailsJson, ...event }) => ({ ...event, details: fromJson(detailsJson) }));
}
