import { type RawBuilder, sql } from 'kysely';
import { OPEN_STATUSES } from '../../lending/applications/lifecycle.ts';
import type { Exception } from '../../lending/exceptions/store.ts';
import type { Query } from '../../db/database.ts';
import type { Channel } from '../../db/schema.ts';
import { type Instant, plusDays } from '../../base/time.ts';
import { DUE_NOW } from '../../messages/outbox.ts';

/** Rows that a count reads at most (decisions/0077). A count of this many is at least that. */
export const MAX_COUNTED = 1_000;

/** Days after which a failed card operation is not counted any more: a person has resolved it in another way than by sending it again. */
const FAILED_DAYS = 14;

/** Work that waits, by its kind. */
interface Waiting<Kind> {
  kind: Kind;
  count: number;
  oldestAt: Instant | null;
  /** Since when the first of it has been due; null if it is due later. */
  dueSince: Instant | null;
}

/** Waiting and failed work of all merchants. */
export interface Backlog {
  /** Deliveries that are due now or later: the first `MAX_COUNTED` of all channels. `retriedCount` of them have failed before. */
  deliveries: readonly (Waiting<Channel> & { retriedCount: number })[];
  /** Requests to the lender without an outcome: for a decision, or to accept a signed agreement. */
  lenderRequests: readonly Waiting<'decision' | 'agreement'>[];
  /** Exceptions that a person has to resolve. */
  exceptions: readonly { kind: Exception['kind']; count: number }[];
  /** Webhooks whose last attempts have failed, the longest first. They are disabled after days. */
  failingWebhooks: readonly { id: string; merchantId: string; failingSince: Instant }[];
  /** Captures, releases and refunds of cards that have failed and are not retried. */
  failedCardOperations: number;
  /** Since when the first work of each job has been due; null if none is. */
  dueSince: Readonly<Record<'deliveries' | 'webhook-events' | 'lender-requests' | 'application-expiry', Instant | null>>;
}

/** Returns what waits. Each statement reads at most `MAX_COUNTED` rows from an index. */
export async function readBacklog(query: Query, now: Instant): Promise<Backlog> {
  const read = async <Row>(statement: RawBuilder<Row>) => (await statement.execute(query)).rows;
  const limit = sql`limit ${sql.lit(MAX_COUNTED)}`;
  // A delivery that is due at once has a time long before it was created.
  const deliveries = await read(sql<Backlog['deliveries'][number]>`
    select channel as kind, cast(count(*) as bigint) as count, min(created_at) as oldest_at,
      cast(sum(case when last_failure <> '' then 1 else 0 end) as bigint) as retried_count,
      min(case when due_at > ${now} then null when due_at < created_at then created_at else due_at end) as due_since
    from (
      select channel, created_at, due_at, last_failure from outbox where due_at is not null order by due_at, id ${limit}
    ) as first group by channel`);
  // A request that a person has resolved is due since a time that its row does not have.
  const lenderRequests = await read(sql<Backlog['lenderRequests'][number]>`
    select kind, cast(count(*) as bigint) as count, min(submitted_at) as oldest_at,
      min(case when request_due_at > ${now} or request_due_at = ${DUE_NOW} then null else request_due_at end) as due_since
    from (
      select case when status = 'ATTEMPTED_CHECKOUT' then 'agreement' else 'decision' end as kind, submitted_at, request_due_at
      from applications where request_due_at is not null order by request_due_at, id ${limit}
    ) as first group by kind`);
  const exceptions = await read(sql<Backlog['exceptions'][number]>`
    select kind, cast(count(*) as bigint) as count
    from (select kind from exceptions where closed_at is null order by raised_at, id ${limit}) as first group by kind`);
  const failingWebhooks = await read(sql<Backlog['failingWebhooks'][number]>`
    select id, merchant_id, failing_since from webhooks
    where failing_since is not null and disabled_at is null order by failing_since, id ${limit}`);
  const failedCards = await read(sql`
    select id from outbox where channel = 'card' and due_at is null and delivered_at is null
      and created_at >= ${plusDays(now, -FAILED_DAYS)} order by created_at, id ${limit}`);
  const [event] = await read(sql<{ createdAt: Instant }>`
    select created_at from events where enqueued_at is null order by created_at, id limit 1`);
  const [expired] = await read(sql<{ expiresAt: Instant }>`
    select expires_at from applications where status in (${sql.join(OPEN_STATUSES)}) and expires_at <= ${now}
    order by expires_at, id limit 1`);
  return {
    deliveries,
    lenderRequests,
    exceptions,
    failingWebhooks,
    failedCardOperations: failedCards.length,
    dueSince: {
      deliveries: earliest(deliveries),
      'webhook-events': event?.createdAt ?? null,
      'lender-requests': earliest(lenderRequests),
      'application-expiry': expired?.expiresAt ?? null,
    },
  };
}

function earliest(groups: readonly { dueSince: Instant | null }[]): Instant | null {
  return groups.flatMap(({ dueSince }) => dueSince ?? []).toSorted()[0] ?? null;
}
