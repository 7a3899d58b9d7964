import { assign, create, enums, type Infer, integer, optional, string, type } from 'superstruct';
import { LANGUAGES } from '../../shared/languages/index.ts';
import { type ExpressionBuilder, type OnConflictBuilder, sql } from 'kysely';
import type { Database, Query, Tx } from '../db/database.ts';
import type { Channel, Schema } from '../db/schema.ts';
import { emailHash, lookupHash, openRows, type SealedColumns, unseal } from '../db/sealed.ts';
import { idOf } from '../base/ids.ts';
import type { Instant } from '../base/time.ts';
import { cardUrl, lenderUrl, mailtoOf, telOf, webhookUrl } from './addresses.ts';
import type { Outcome } from './attempt.ts';
import { joinKinds, type NewNotice } from './notices.ts';
import {
  failingWebhooks,
  insertAttempts,
  type AttemptResult,
  type ClaimedDelivery,
  saveAttemptResult,
  type SealedDelivery,
  sealDelivery,
  type StoredDelivery,
} from './store.ts';

export interface Callback {
  id: string;
  merchantId: string;
  cartId: string;
  url: string;
  body: { transactionId: string; orderRef: string };
  createdAt: Instant;
  dueAt: Instant;
}

/** Returns the id of the callback of a purchase. */
export function callbackIdOf({ id, createdAt }: { id: string; createdAt: Instant }): string {
  return idOf(`${id}/callback`, 1, createdAt);
}

/** Earlier than any clock: purchases may be dated by another clock than deliveries. */
export const DUE_NOW: Instant = '1970-01-01T00:00:00.000000Z';

/** Of a delivery that somebody requested, which precedes others and does not wait for the circuit breaker. */
export const DUE_AT_ONCE: Instant = '1969-12-31T00:00:00.000000Z';

/** Enqueues a callback, in the database transaction of its cause. */
export async function enqueueCallback(tx: Tx, { url, body, ...callback }: Callback): Promise<void> {
  await enqueue(tx, { ...callback, channel: 'callback', url, endpoint: new URL(url).origin, body: JSON.stringify(body) });
}

const Email = type({ name: string(), subject: string(), text: string(), html: string() });
/** An e-mail. `name` is the recipient's; `text` and `html` have the same content. */
export type EmailContent = Infer<typeof Email>;

/** An e-mail in the outbox, with the notice that it contains or links to: see `NewNotice`. */
const StoredEmail = assign(
  Email,
  type({ notice: optional(type({ language: enums(LANGUAGES), sha256: string(), html: optional(string()) })) }),
);

/** Parses the body of an e-mail in the outbox. */
export function parseEmail(body: string): Infer<typeof StoredEmail> {
  return create(JSON.parse(body), StoredEmail);
}

/** Parses the body of an e-mail or a text message in the outbox. A text message has no subject. */
export function messageIn(body: string): { subject?: string | undefined; text: string } {
  return create(JSON.parse(body), type({ subject: optional(string()), text: string() }));
}

/** The handling of messages: sent, only recorded (in the sandbox), or rejected because there is no sender. */
export type MessageHandling = 'sent' | 'recorded' | 'rejected';
export type HandlingByChannel = Record<'email' | 'text', MessageHandling>;

export type Message = {
  id: string;
  merchantId: string;
  handling: Exclude<MessageHandling, 'rejected'>;
  createdAt: Instant;
  /** Omitted for a message to a user of the console. */
  cartId?: string;
  /** The application that it is about. Omitted for a link to a cart. */
  applicationId?: string;
} & (
  | { channel: 'email'; /** An e-mail address. */ to: string; content: EmailContent; notice?: NewNotice | undefined }
  | { channel: 'text'; /** A US phone number of ten digits. */ to: string; content: { text: string }; notice?: undefined }
);

/** Enqueues an e-mail or a text. All messages of a channel share one endpoint: the operator's server. */
export async function enqueueMessage(tx: Tx, { to, content, handling, notice, ...message }: Message): Promise<void> {
  const { kinds, ...stored } = notice ?? {};
  await enqueue(tx, {
    ...message,
    notice: kinds && joinKinds(kinds),
    recipientHash: await (message.channel === 'email' ? emailHash(tx, to) : lookupHash(tx, 'recipient', to)),
    url: message.channel === 'email' ? mailtoOf(to) : telOf(to),
    endpoint: message.channel,
    body: JSON.stringify(notice ? { ...content, notice: stored } : content),
    dueAt: handling === 'sent' ? DUE_NOW : null,
  });
}

/** A capture, release or refund that a card gateway has to execute. */
const CardOperation = type({
  type: enums(['capture', 'release', 'refund']),
  reference: string(),
  /** 0 for a release. */
  amountCents: integer(),
});
export type CardOperation = Infer<typeof CardOperation>;

/** A card operation with the journal row that caused it. */
const JournaledOperation = assign(CardOperation, type({ sequence: integer() }));
type JournaledOperation = Infer<typeof JournaledOperation> & { transactionId: string };
export type EnqueuedCardOperation = JournaledOperation & {
  isDone: boolean;
  /** True if it failed and is not retried. */
  hasFailed: boolean;
};

/** Parses the body of a card operation in the outbox. */
export function cardOperationIn(body: string): CardOperation {
  return create(JSON.parse(body), CardOperation);
}

type NewCardOperation = JournaledOperation & { id: string; merchantId: string; createdAt: Instant };

/** Enqueues a card operation, in the database transaction of its cause. */
export async function enqueueCardOperation(
  tx: Tx,
  { id, merchantId, createdAt, transactionId, ...operation }: NewCardOperation,
): Promise<void> {
  const body = JSON.stringify(operation);
  const url = cardUrl(transactionId);
  await enqueue(tx, { id, merchantId, channel: 'card', url, endpoint: 'card', body, createdAt, dueAt: DUE_NOW, transactionId });
}

/** Returns the card operations of transactions, in no particular order. */
export async function listCardOperations(query: Query, transactionIds: readonly string[]): Promise<EnqueuedCardOperation[]> {
  if (transactionIds.length === 0) return [];
  const rows = await query
    .selectFrom('outbox')
    .select(['id', 'merchantId', 'channel', 'transactionId', 'cartId', 'applicationId', 'sealed', 'deliveredAt'])
    .select(['dueAt', 'attempts'])
    // A literal, so that the partial index can be used.
    .where('channel', '=', sql.lit('card' as const))
    .where('transactionId', 'in', transactionIds)
    .execute();
  return openRows(query, rows, (row) => ({
    transactionId: row.transactionId!,
    isDone: row.deliveredAt !== null,
    hasFailed: row.deliveredAt === null && row.dueAt === null && row.attempts > 0,
    ...create(JSON.parse(unseal(query, 'outbox', row).body), JournaledOperation),
  }));
}

/** An event to enqueue. Its body is extended by its id, sequence and time. */
export interface NewLenderEvent {
  id: string;
  merchantId: string;
  applicationId: string;
  transactionId?: string | undefined;
  body: object;
  createdAt: Instant;
}

/** Attempts to find the next free position, if others enqueue events of the same application at the same time. */
const MAX_POSITIONS = 10;

/**
 * Enqueues an event for the lender, in the database transaction of its cause. It is due when the lender has received all earlier events
 * of its application.
 *
 * Locks the earlier events in their order, so that either this sees a delivery, or the delivery sees this event.
 */
export async function enqueueLenderEvent(tx: Tx, { body, ...event }: NewLenderEvent): Promise<void> {
  const { id, applicationId, createdAt } = event;
  for (let tries = 0; tries < MAX_POSITIONS; tries++) {
    const earlier = await lenderEventsOf(tx, applicationId).forUpdate().execute();
    const sequence = (earlier.at(-1)?.sequence ?? 0) + 1;
    const isEnqueued = await enqueue(tx, {
      ...event,
      channel: 'lender',
      url: lenderUrl(applicationId),
      endpoint: 'lender',
      sequence,
      body: JSON.stringify({ id, sequence, at: createdAt, ...body }),
      dueAt: earlier.every(({ deliveredAt }) => deliveredAt !== null) ? DUE_NOW : null,
    });
    if (isEnqueued) return;
  }
  throw new Error(`The event ${id} of application ${applicationId} could not be enqueued`);
}

/** The query of the events of an application in their order, in which they are also locked. */
function lenderEventsOf(tx: Tx, applicationId: string | null) {
  return tx
    .selectFrom('outbox')
    .select(['id', 'sequence', 'deliveredAt'])
    .where('channel', '=', sql.lit('lender' as const))
    .where('applicationId', '=', applicationId)
    .orderBy('sequence');
}

/** An event of a loan for the lender, as it is enqueued or was delivered. */
export interface EnqueuedLenderEvent {
  applicationId: string;
  transactionId: string;
  sequence: number;
  /** The row of the journal that caused it. */
  revision: number;
  isDelivered: boolean;
  /** The body of the request to the lender. */
  body: Readonly<Record<string, unknown>>;
}

const LoanEventBody = type({ revision: integer() });

/** Returns the events of the loans of applications, in no particular order. */
export async function listLenderEvents(query: Query, applicationIds: readonly string[]): Promise<EnqueuedLenderEvent[]> {
  if (applicationIds.length === 0) return [];
  const rows = await lenderRowsOf(query, applicationIds)
    .select(['id', 'merchantId', 'channel', 'transactionId', 'cartId', 'applicationId', 'sequence', 'sealed', 'deliveredAt'])
    .where('transactionId', 'is not', null)
    .execute();
  return openRows(query, rows, (row) => {
    const body = create(JSON.parse(unseal(query, 'outbox', row).body), LoanEventBody);
    const { applicationId, transactionId, sequence } = row;
    const ids = { applicationId: applicationId!, transactionId: transactionId!, sequence: sequence! };
    return { ...ids, revision: body.revision, isDelivered: row.deliveredAt !== null, body };
  });
}

/** An event to deliver to a webhook. The body has the id of the event. */
export interface NewWebhookDelivery {
  /** The same for every delivery of an event to a webhook. */
  id: string;
  merchantId: string;
  webhookId: string;
  cartId: string | null;
  body: string;
  createdAt: Instant;
  /** Null while it waits for the first delivery to the webhook. */
  dueAt: Instant | null;
}

/** Enqueues events for webhooks, each once. */
export async function enqueueWebhookDeliveries(tx: Tx, deliveries: readonly NewWebhookDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map(({ id, merchantId, webhookId, cartId, body, createdAt, dueAt }) => {
    const place = { id, channel: 'webhook', merchantId, transactionId: null, cartId, applicationId: null } as const;
    return rowOf(tx, place, { url: webhookUrl(webhookId), body }, { endpoint: webhookId, dueAt, createdAt });
  });
  await tx
    .insertInto('outbox')
    .values(rows)
    .onConflict((index) => index.column('id').doNothing())
    .execute();
}

type DeliveryPlace = SealedColumns<'outbox'> & Pick<StoredDelivery, 'channel' | 'transactionId' | 'cartId' | 'applicationId'>;

/** Returns the row of a delivery that was not attempted. */
function rowOf(
  tx: Tx,
  place: DeliveryPlace,
  sealed: SealedDelivery,
  rest: Pick<StoredDelivery, 'endpoint' | 'dueAt' | 'createdAt'> &
    Partial<Pick<StoredDelivery, 'recipientHash' | 'sequence' | 'notice'>>,
): StoredDelivery {
  return {
    ...place,
    sequence: null,
    notice: null,
    recipientHash: '',
    sealed: sealDelivery(tx, place, sealed),
    attempts: 0,
    replayedAfter: 0,
    beganAt: null,
    deliveredAt: null,
    lastFailure: '',
    ...rest,
  };
}

/** The position of an event among those of its application, of any kind. */
export interface LenderPosition {
  applicationId: string;
  sequence: number;
  isDelivered: boolean;
  /** True if it was scheduled again after an attempt. */
  wasReplayed: boolean;
}

/** Returns the positions of the events of applications, in their order. */
export async function listLenderPositions(query: Query, applicationIds: readonly string[]): Promise<LenderPosition[]> {
  if (applicationIds.length === 0) return [];
  const rows = await lenderRowsOf(query, applicationIds)
    .select(['applicationId', 'sequence', 'deliveredAt', 'replayedAfter'])
    .orderBy('applicationId')
    .orderBy('sequence')
    .execute();
  return rows.map(({ applicationId, sequence, deliveredAt, replayedAfter }) => ({
    applicationId: applicationId!,
    sequence: sequence!,
    isDelivered: deliveredAt !== null,
    wasReplayed: replayedAfter > 0,
  }));
}

function lenderRowsOf(query: Query, applicationIds: readonly string[]) {
  return (
    query
      .selectFrom('outbox')
      // A literal, so that the partial index can be used.
      .where('channel', '=', sql.lit('lender' as const))
      .where('applicationId', 'in', applicationIds)
  );
}

interface NewDelivery {
  id: string;
  merchantId: string;
  channel: Channel;
  url: string;
  endpoint: string;
  body: string;
  createdAt: Instant;
  dueAt: Instant | null;
  recipientHash?: string;
  /** Of a card operation, or of an event of a loan. */
  transactionId?: string | undefined;
  /** Of other deliveries. */
  cartId?: string;
  applicationId?: string;
  /** The kinds of the notice of an e-mail. */
  notice?: string | undefined;
  /** Of an event for the lender. */
  sequence?: number;
}

/** Returns false if another event has the position of this one. */
async function enqueue(tx: Tx, delivery: NewDelivery): Promise<boolean> {
  const { id, merchantId, channel, url, endpoint, body, createdAt, dueAt, recipientHash = '' } = delivery;
  const { transactionId = null, cartId = null, applicationId = null, sequence = null, notice = null } = delivery;
  const owner = { merchantId, transactionId, cartId, applicationId };
  const place = { id, channel, ...owner };
  const rest = { sequence, notice, endpoint, recipientHash, dueAt, createdAt };
  const insert = tx.insertInto('outbox').values(rowOf(tx, place, { url, body }, rest));
  if (sequence === null) {
    await insert.execute();
    return true;
  }
  const position = (index: OnConflictBuilder<Schema, 'outbox'>) =>
    index
      .columns(['applicationId', 'sequence'])
      .where('channel', '=', sql.lit('lender' as const))
      .doNothing();
  const { numInsertedOrUpdatedRows } = await insert.onConflict(position).executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export interface Claim {
  /** Channels with a sender. */
  channels: readonly Channel[];
  /** Limits of the claim, and of deliveries in flight per endpoint and per merchant. */
  limit: number;
  limitPerEndpoint: number;
  limitPerMerchant: number;
  /** Deliveries in flight by endpoint and by merchant id. */
  inFlightCounts: ReadonlyMap<string, number>;
  /** Endpoints without attempts until a time: their due deliveries are postponed to it. */
  postponedUntil?: ReadonlyMap<string, Instant>;
  /** Endpoints with one attempt at a time. */
  probed?: ReadonlySet<string>;
  /** Called with each postponed endpoint that has recovered, in another process, or was enabled. Its deliveries are not postponed. */
  onRecovered?: (endpoint: string) => void;
}

/** Postponements in one claim. The next claim continues. */
const MAX_POSTPONEMENTS = 10;

/**
 * Claims due notifications, so that no other process sends them before `leaseUntil`. If this process crashes, they are due again
 * then. Stays within the limits per endpoint and per merchant.
 */
export function claimDue(database: Database, claim: Claim, now: Instant, leaseUntil: Instant): Promise<StoredDelivery[]> {
  const { channels, limit, limitPerEndpoint, limitPerMerchant, inFlightCounts } = claim;
  const { probed = new Set<string>(), onRecovered } = claim;
  const limitOf = (endpoint: string) => (probed.has(endpoint) ? 1 : limitPerEndpoint);
  const full = (most: number) => [...inFlightCounts].filter(([, count]) => count >= most).map(([name]) => name);

  return database.write(async (tx) => {
    const postponedUntil = new Map(claim.postponedUntil);
    let due = tx.selectFrom('outbox').select(['id', 'endpoint', 'merchantId', 'dueAt']).where(isDue(channels, now));
    if (inFlightCounts.size > 0) {
      due = due.where('endpoint', 'not in', ['', ...full(limitPerEndpoint)]);
      const inProbe = [...probed].filter((endpoint) => inFlightCounts.has(endpoint));
      if (inProbe.length > 0)
        due = due.where((row) => row.or([row('dueAt', '=', DUE_AT_ONCE), row('endpoint', 'not in', inProbe)]));
      due = due.where('merchantId', 'not in', ['', ...full(limitPerMerchant)]);
    }
    const next = due.orderBy('dueAt').orderBy('id').limit(limit);
    // On PostgreSQL, processes share the outbox and skip rows that another is claiming.
    const read = () => (database.engine === 'postgres' ? next.forUpdate().skipLocked() : next).execute();
    let available = await read();
    for (let count = 0; count < MAX_POSTPONEMENTS && (await postpone(tx, available, postponedUntil)); count += 1) {
      available = await read();
    }
    for (const endpoint of claim.postponedUntil?.keys() ?? []) if (!postponedUntil.has(endpoint)) onRecovered?.(endpoint);

    const counts = new Map(inFlightCounts);
    const counted = (name: string) => (counts.get(name) ?? 0) + 1;
    const selected = available.filter(({ endpoint, merchantId, dueAt }) => {
      const isRequested = dueAt === DUE_AT_ONCE;
      if (!isRequested && (postponedUntil.has(endpoint) || counted(endpoint) > limitOf(endpoint))) return false;
      if (counted(endpoint) > limitPerEndpoint || counted(merchantId) > limitPerMerchant) return false;
      for (const name of [endpoint, merchantId]) counts.set(name, counted(name));
      return true;
    });
    if (selected.length === 0) return [];
    const claimed = await tx
      .updateTable('outbox')
      .set((row) => ({
        dueAt: leaseUntil,
        attempts: row('attempts', '+', 1),
        beganAt: row.fn.coalesce('beganAt', row.val(now)),
      }))
      .where(
        'id',
        'in',
        selected.map(({ id }) => id),
      )
      .returningAll()
      .execute();
    await insertAttempts(tx, claimed, now);
    return claimed;
  });
}

/**
 * Postpones the deliveries of endpoints without attempts, and removes those that have recovered from `postponedUntil`. Returns false if
 * nothing was postponed.
 */
async function postpone(
  tx: Tx,
  rows: readonly Pick<StoredDelivery, 'id' | 'endpoint' | 'dueAt'>[],
  postponedUntil: Map<string, Instant>,
): Promise<boolean> {
  const waiting = rows.filter(({ endpoint, dueAt }) => postponedUntil.has(endpoint) && dueAt !== DUE_AT_ONCE);
  if (waiting.length === 0) return false;
  const endpoints = [...new Set(waiting.map(({ endpoint }) => endpoint))];
  const failing = await failingWebhooks(tx, endpoints);
  for (const endpoint of endpoints) {
    const dueAt = postponedUntil.get(endpoint)!;
    const ids = waiting.filter((row) => row.endpoint === endpoint).map(({ id }) => id);
    if (!failing.has(endpoint)) postponedUntil.delete(endpoint);
    else await tx.updateTable('outbox').set({ dueAt }).where('id', 'in', ids).execute();
  }
  return failing.size > 0;
}

/** Returns true if anything is due. Cheaper than a claim, which starts a database transaction. */
export async function hasDue(query: Query, channels: readonly Channel[], now: Instant): Promise<boolean> {
  const due = query.selectFrom('outbox').select('id').where(isDue(channels, now));
  return (await due.limit(1).executeTakeFirst()) !== undefined;
}

function isDue(channels: readonly Channel[], now: Instant) {
  return (row: ExpressionBuilder<Schema, 'outbox'>) => row.and([row('dueAt', '<=', now), row('channel', 'in', channels)]);
}

/** Saves the success of a claimed attempt. A redelivery that was scheduled in the meantime still takes place. */
export async function saveDelivered(
  database: Database,
  row: ClaimedDelivery,
  result: AttemptResult,
  now: Instant,
  saveWith: Outcome['saveWith'] = saveAlone,
): Promise<void> {
  await database.write((tx) => saveWith(tx, () => saveSuccess(tx, row, result, now), true));
}

async function saveSuccess(tx: Tx, row: ClaimedDelivery, result: AttemptResult, now: Instant): Promise<boolean> {
  if (row.sequence !== null) await lenderEventsOf(tx, row.applicationId).forUpdate().execute();
  await saveAttemptResult(tx, row, result);
  const { numUpdatedRows } = await tx
    .updateTable('outbox')
    .set({ dueAt: null, deliveredAt: now, lastFailure: '' })
    .where('id', '=', row.id)
    .where('replayedAfter', '=', row.replayedAfter)
    .executeTakeFirstOrThrow();
  if (row.sequence === null || numUpdatedRows === 0n) return numUpdatedRows > 0n;
  // Read again, because the statement that waited for the locks does not return events that were enqueued meanwhile. Not always the
  // next one: an event that was redelivered delays only those that were enqueued meanwhile.
  const next = await lenderEventsOf(tx, row.applicationId).where('deliveredAt', 'is', null).limit(1).executeTakeFirst();
  if (!next) return true;
  const waiting = tx.updateTable('outbox').set({ dueAt: DUE_NOW }).where('id', '=', next.id);
  await waiting.where('attempts', '=', 0).where('dueAt', 'is', null).execute();
  return true;
}

/**
 * Saves the failure of a claimed attempt. An attempt that ends after its lease does not change the schedule: a delivered
 * notification stays delivered, and the latest attempt decides.
 *
 * @param dueAt - Time of the next attempt; null for no further attempt.
 */
export async function saveFailed(
  database: Database,
  row: ClaimedDelivery,
  result: AttemptResult,
  dueAt: Instant | null,
  saveWith: Outcome['saveWith'] = saveAlone,
): Promise<void> {
  await database.write((tx) => saveWith(tx, () => saveFailure(tx, row, result, dueAt), dueAt === null));
}

async function saveFailure(tx: Tx, row: ClaimedDelivery, result: AttemptResult, dueAt: Instant | null): Promise<boolean> {
  await saveAttemptResult(tx, row, result);
  const { numUpdatedRows } = await tx
    .updateTable('outbox')
    .set({ dueAt, lastFailure: result.failure })
    .where('id', '=', row.id)
    .where('attempts', '=', row.attempts)
    .where('replayedAfter', '=', row.replayedAfter)
    .where('deliveredAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function saveAlone(_tx: Tx, save: () => Promise<boolean>): Promise<void> {
  await save();
}
