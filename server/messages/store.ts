import { setImmediate } from 'node:timers/promises';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { CivilDate } from '../../shared/dates.ts';
import type { Query, Tx } from '../db/database.ts';
import type { Channel, DeliveryAttemptTable, MessageCountTable, OutboxTable, Schema } from '../db/schema.ts';
import type { Period } from '../db/periods.ts';
import { prepared } from '../db/prepared.ts';
import { emailHash, lookupHash, omit, openRow, openRows, seal, type SealedColumns } from '../db/sealed.ts';
import { idAt } from '../base/ids.ts';
import type { Instant } from '../base/time.ts';
import { recipientKey } from './addresses.ts';
import type { NoticeKind } from '../lending/lenders/events.ts';

/** The values of a delivery that identify a person, or may do so. They are stored sealed. */
export interface SealedDelivery {
  /**
   * Recipient: an HTTP URL, `mailto:` with an e-mail address, `tel:` with a phone number, `card:` with a transaction's id, `lender:`
   * with an application's id, or `webhook:` with its id.
   */
  url: string;
  /** Body of a callback or of an event, JSON content of an e-mail or text message, or the call of the card gateway. */
  body: string;
}

declare module '../db/sealed.ts' {
  interface SealedValues {
    outbox: SealedDelivery;
  }
}

export type StoredDelivery = Selectable<OutboxTable>;

/** A delivery with its sealed values. */
export type OutboxEntry = Omit<StoredDelivery, 'sealed' | 'recipientHash' | 'transactionId'> & SealedDelivery;

/** Returns a delivery, whose body is exactly the one that was enqueued. */
export function openDelivery(query: Query, row: StoredDelivery): OutboxEntry {
  return omit(openRow(query, 'outbox', row), ['sealed', 'recipientHash', 'transactionId']);
}

/** Seals the recipient and the body of a delivery. */
export function sealDelivery(query: Query, row: SealedColumns<'outbox'>, { url, body }: SealedDelivery): string {
  return seal(query, 'outbox', row, { url, body });
}

export type DeliveryAttempt = Selectable<DeliveryAttemptTable>;

export type ClaimedDelivery = Pick<StoredDelivery, 'id' | 'applicationId' | 'sequence' | 'attempts' | 'replayedAfter'>;

export interface AttemptResult {
  durationMs: number;
  statusCode: number | null;
  failure: string;
}

/**
 * Returns the hash under which messages to a recipient are counted, by kind: links to carts, applications, one-time codes, or links to continue.
 *
 * @param to - An e-mail address, or a US phone number of ten digits.
 */
export function countedRecipient(
  query: Query,
  kind: 'recipient' | 'application-recipient' | 'code-recipient' | 'link-recipient',
  to: string,
): Promise<string> {
  return lookupHash(query, kind, recipientKey(to));
}

/** Counts a message of a day. Returns its number, and locks the count until the database transaction ends. */
export async function countMessage(
  tx: Tx,
  { day, channel, counted }: Pick<MessageCountTable, 'day' | 'channel' | 'counted'>,
): Promise<number> {
  const { count } = await tx
    .insertInto('message_counts')
    .values({ day, channel, counted, count: 1 })
    .onConflict((conflict) =>
      conflict.columns(['day', 'channel', 'counted']).doUpdateSet((row) => ({ count: row('message_counts.count', '+', 1) })),
    )
    .returning('count')
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes the counts of days before `day`. */
export async function deleteMessageCounts(tx: Tx, day: CivilDate): Promise<void> {
  await tx.deleteFrom('message_counts').where('day', '<', day).execute();
}

/** Inserts the latest attempt of each row as in progress. */
export async function insertAttempts(tx: Tx, rows: readonly StoredDelivery[], now: Instant): Promise<void> {
  const started = { startedAt: now, durationMs: null, statusCode: null, failure: '' };
  await tx
    .insertInto('delivery_attempts')
    .values(rows.map(({ id, attempts }) => ({ deliveryId: id, number: attempts, ...started })))
    .execute();
}

const updateAttempt = prepared((tx, id: string, number: number, durationMs: number, statusCode: number | null, failure: string) =>
  tx
    .updateTable('delivery_attempts')
    .set({ durationMs, statusCode, failure })
    .where('deliveryId', '=', id)
    .where('number', '=', number),
);

export async function saveAttemptResult(
  tx: Tx,
  { id, attempts }: ClaimedDelivery,
  { durationMs, statusCode, failure }: AttemptResult,
): Promise<void> {
  await updateAttempt(tx, id, attempts, durationMs, statusCode, failure);
}

/** Returns the attempts of a delivery in their order. */
export function listAttempts(query: Query, id: string): Promise<DeliveryAttempt[]> {
  return query.selectFrom('delivery_attempts').selectAll().where('deliveryId', '=', id).orderBy('number').execute();
}

/** Returns the attempts of deliveries, each in their order. */
export async function attemptsOf(query: Query, ids: readonly string[]): Promise<DeliveryAttempt[]> {
  if (ids.length === 0) return [];
  return query.selectFrom('delivery_attempts').selectAll().where('deliveryId', 'in', ids).orderBy('number').execute();
}

/** Returns the webhooks among endpoints whose last attempt failed. */
export async function failingWebhooks(query: Query, endpoints: readonly string[]): Promise<Set<string>> {
  const rows = await query
    .selectFrom('webhooks')
    .select('id')
    .where('id', 'in', endpoints)
    .where('failingSince', 'is not', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** The endpoint of e-mails with notices that are not sent, because the buyer has withdrawn the consent to electronic documents. */
export const PAPER = 'paper';

/** `recorded`: stored by the sandbox and never sent. `paper`: stored, and sent on paper by the lender. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'recorded', 'paper'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export function deliveryState({
  channel,
  endpoint,
  dueAt,
  deliveredAt,
  attempts,
  replayedAfter,
}: Pick<OutboxEntry, 'channel' | 'endpoint' | 'dueAt' | 'deliveredAt' | 'attempts' | 'replayedAfter'>): DeliveryState {
  if (endpoint === PAPER) return 'paper';
  if (deliveredAt !== null) return 'delivered';
  if (dueAt !== null) return 'pending';
  if (attempts > replayedAfter) return 'failed';
  // An event that no attempt was made for waits for an earlier one.
  return WAITING_CHANNELS.includes(channel) ? 'pending' : 'recorded';
}

/** Channels of events, which wait for the delivery of an earlier one. */
const WAITING_CHANNELS: readonly Channel[] = ['lender', 'webhook'];

/** `deliveryState` as a condition in SQL. */
function isIn(state: DeliveryState) {
  return (row: ExpressionBuilder<Schema, 'outbox'>) => {
    if (state === 'paper') return row('endpoint', '=', PAPER);
    if (state === 'delivered') return row('deliveredAt', 'is not', null);
    const isOpen = row('deliveredAt', 'is', null);
    const hasFailed = row('attempts', '>', row.ref('replayedAfter'));
    const isWaiting = row.and([row('channel', 'in', WAITING_CHANNELS), row.not(hasFailed)]);
    if (state === 'pending') return row.and([isOpen, row.or([row('dueAt', 'is not', null), isWaiting])]);
    const hasEnded = row.and([isOpen, row('dueAt', 'is', null)]);
    if (state === 'failed') return row.and([hasEnded, hasFailed]);
    return row.and([hasEnded, row.not(hasFailed), row.not(isWaiting), row('endpoint', '<>', PAPER)]);
  };
}

export interface DeliveryFilter {
  channel?: Channel | undefined;
  merchantId?: string | undefined;
  applicationId?: string | undefined;
  transactionId?: string | undefined;
  /** Only e-mails with a notice: of any kind, or of one. */
  notices?: NoticeKind | 'all' | undefined;
  /** The earliest instant of their creation. */
  since?: Instant | undefined;
  state?: DeliveryState | undefined;
  limit: number;
}

/** A literal condition, so that the partial index can be used. Another one has the events for the lender. */
export const isNotForLender = sql<boolean>`channel <> 'lender'`;

/** Selects the deliveries about an application, from both indexes. */
function isAboutApplication(id: string) {
  return (row: ExpressionBuilder<Schema, 'outbox'>) =>
    row.or([
      row.and([row('channel', '=', sql.lit('lender' as const)), row('applicationId', '=', id)]),
      row.and([isNotForLender, row('applicationId', '=', id)]),
    ]);
}

/** Returns deliveries, the newest first. */
export async function listDeliveries(
  query: Query,
  { state, notices, applicationId, since, limit, ...filter }: DeliveryFilter,
): Promise<OutboxEntry[]> {
  let deliveries = query.selectFrom('outbox').selectAll();
  if (notices !== undefined) deliveries = deliveries.where('notice', 'is not', null).orderBy('createdAt', 'desc');
  if (notices !== undefined && notices !== 'all') {
    // The kinds are words with a space between them: see `joinKinds`.
    deliveries = deliveries.where(sql<boolean>`' ' || notice || ' ' like ${`% ${notices} %`}`);
  }
  for (const column of ['channel', 'merchantId', 'transactionId'] as const) {
    const value = filter[column];
    if (value !== undefined) deliveries = deliveries.where(column, '=', value);
  }
  if (applicationId !== undefined) deliveries = deliveries.where(isAboutApplication(applicationId));
  if (state !== undefined) deliveries = deliveries.where(isIn(state));
  if (since !== undefined) deliveries = deliveries.where('createdAt', '>=', since);
  const rows = await deliveries.orderBy('id', 'desc').limit(limit).execute();
  return openRows(query, rows, (row) => openDelivery(query, row));
}

/** Selects a merchant's callbacks and events since an instant that were attempted and not delivered. They are retried, or were given up. */
function failing(query: Query, merchantId: string, since: Instant) {
  return (
    query
      .selectFrom('outbox')
      .where('merchantId', '=', merchantId)
      .where('createdAt', '>=', since)
      // Literals, so that the partial index can be used.
      .where(sql<boolean>`delivered_at is null and last_failure <> '' and channel in ('callback', 'webhook')`)
  );
}

/** Returns the number of failing deliveries, up to a limit. */
export async function countFailing(query: Query, merchantId: string, since: Instant, limit: number): Promise<number> {
  const rows = failing(query, merchantId, since).select('id').limit(limit);
  const counted = query.selectFrom(rows.as('some')).select(sql<number>`cast(count(*) as bigint)`.as('count'));
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** Returns failing deliveries, the newest first. */
export async function listFailing(query: Query, merchantId: string, since: Instant, limit: number): Promise<OutboxEntry[]> {
  const rows = await failing(query, merchantId, since).selectAll().orderBy('createdAt', 'desc').limit(limit).execute();
  return openRows(query, rows, (row) => openDelivery(query, row));
}

/** Numbers of deliveries by their state. */
export type DeliveryCounts = Record<'delivered' | 'pending' | 'failed', number>;

/**
 * Returns the numbers of a merchant's callbacks and events that were created in each period. Their ids begin with that time, so that a period is a
 * range of an index, which has all that is counted: only rows that were not delivered are read. Other requests run between the queries.
 */
export async function countDeliveries(query: Query, merchantId: string, periods: readonly Period[]): Promise<DeliveryCounts[]> {
  const counts: DeliveryCounts[] = [];
  for (const { from, before } of periods) {
    await setImmediate();
    const inPeriod = query
      .selectFrom('outbox')
      .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('deliveredAt').as('delivered')])
      .where('merchantId', '=', merchantId)
      .where('id', '>=', idAt(from))
      .where('id', '<', idAt(before))
      .where('channel', 'in', ['callback', 'webhook']);
    const { all, delivered } = await inPeriod.executeTakeFirstOrThrow();
    const failed = all === delivered ? 0 : (await inPeriod.where(isIn('failed')).executeTakeFirstOrThrow()).all;
    counts.push({ delivered, pending: all - delivered - failed, failed });
  }
  return counts;
}

/** Returns deliveries by their ids, the oldest first. */
export async function deliveriesOf(query: Query, ids: readonly string[]): Promise<OutboxEntry[]> {
  if (ids.length === 0) return [];
  const rows = await query.selectFrom('outbox').selectAll().where('id', 'in', ids).orderBy('id').execute();
  return openRows(query, rows, (row) => openDelivery(query, row));
}

export async function webhookDelivery(query: Query, webhookId: string, id: string): Promise<OutboxEntry | undefined> {
  const row = await ofWebhook(query, webhookId).where('id', '=', id).executeTakeFirst();
  return row && openDelivery(query, row);
}

/** Returns deliveries of a webhook, the newest first. @param after - The last one of the previous page. */
export async function webhookDeliveries(
  query: Query,
  webhookId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<OutboxEntry[]> {
  let deliveries = ofWebhook(query, webhookId).orderBy('id', 'desc').limit(limit);
  if (after !== undefined) deliveries = deliveries.where('id', '<', after);
  return openRows(query, await deliveries.execute(), (row) => openDelivery(query, row));
}

function ofWebhook(query: Query, webhookId: string) {
  // A literal, so that the partial index can be used.
  return query
    .selectFrom('outbox')
    .selectAll()
    .where('channel', '=', sql.lit('webhook' as const))
    .where('endpoint', '=', webhookId);
}

export async function findDelivery(query: Query, id: string): Promise<OutboxEntry | undefined> {
  const [row] = await deliveryById(query, id);
  return row && openDelivery(query, row);
}

const deliveryById = prepared((query, id: string) => query.selectFrom('outbox').selectAll().where('id', '=', id));

/** Returns recorded e-mails and texts, the newest first. Orders by id, because the sandbox's clock can be moved. */
export async function recordedMessages(
  query: Query,
  merchantId: string,
  { limit, id }: { limit: number; /** Of one message. */ id?: string },
): Promise<OutboxEntry[]> {
  let messages = query
    .selectFrom('outbox')
    .selectAll()
    .where('merchantId', '=', merchantId)
    .where('channel', 'in', ['email', 'text'])
    // Key pairs must not read the links of the console's users.
    .where('cartId', 'is not', null)
    .where(isIn('recorded'))
    .orderBy('id', 'desc')
    .limit(limit);
  if (id !== undefined) messages = messages.where('id', '=', id);
  const rows = await messages.execute();
  return openRows(query, rows, (row) => openDelivery(query, row));
}

/** A literal condition, so that the partial index can be used. */
const hasRecipient = sql<boolean>`recipient_hash <> ''`;

export interface MessagesOfPerson {
  /** Applications of the person, whose messages are all sent to them. */
  applicationIds: readonly string[];
  /** Carts of the person, whose links merchants may have sent to others, too. */
  cartIds: readonly string[];
  /** E-mail addresses and phone numbers in these applications. */
  emails: readonly string[];
  phones: readonly string[];
  /** An e-mail address that is certainly the person's, of any cart. */
  ownEmail?: string | undefined;
}

/** Returns the e-mails and texts about the applications, and those with links to carts that merchants sent to the person. */
export async function messagesOfPerson(
  query: Query,
  { applicationIds, cartIds, emails, phones, ownEmail }: MessagesOfPerson,
): Promise<StoredDelivery[]> {
  const ownHash = await emailHash(query, ownEmail);
  const hashes = await Promise.all([
    ...emails.map((email) => emailHash(query, email)),
    ...phones.map((phone) => lookupHash(query, 'recipient', phone)),
  ]);
  const recipients = [...new Set([ownHash, ...hashes])].filter(Boolean);
  const outbox = query.selectFrom('outbox').selectAll();
  const messages = outbox.where('channel', 'in', ['email', 'text']).where(isNotForLender);
  const aboutApplications =
    applicationIds.length > 0 ? await messages.where('applicationId', 'in', applicationIds).execute() : [];
  const toRecipients =
    recipients.length > 0 ? await outbox.where('recipientHash', 'in', recipients).where(hasRecipient).execute() : [];
  const links = toRecipients.filter(
    ({ applicationId, cartId, recipientHash }) =>
      applicationId === null && (recipientHash === ownHash || (cartId !== null && cartIds.includes(cartId))),
  );
  return [...aboutApplications, ...links].sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Returns the ids of the applications that messages to an e-mail address are about. */
export async function applicationIdsOfRecipient(query: Query, email: string): Promise<string[]> {
  const rows = await query
    .selectFrom('outbox')
    .select('applicationId')
    .distinct()
    .where('recipientHash', '=', await emailHash(query, email))
    .where(hasRecipient)
    .where('applicationId', 'is not', null)
    .$narrowType<{ applicationId: string }>()
    .execute();
  return rows.map(({ applicationId }) => applicationId);
}

/** Makes the tests of webhooks due that have failed and are retried. The circuit breaker limits how often. */
export async function hastenRetries(tx: Tx, webhookIds: readonly string[], dueAt: Instant): Promise<void> {
  if (webhookIds.length === 0) return;
  await tx
    .updateTable('outbox')
    .set({ dueAt })
    // A literal, so that the partial index can be used.
    .where('channel', '=', sql.lit('webhook' as const))
    .where('endpoint', 'in', webhookIds)
    .where('dueAt', 'is not', null)
    .where('lastFailure', '<>', '')
    .execute();
}

/** Makes the deliveries due that wait for the first one to a webhook. */
export async function releaseWaiting(tx: Tx, webhookId: string, dueAt: Instant): Promise<void> {
  await tx
    .updateTable('outbox')
    .set({ dueAt })
    // A literal, so that the partial index can be used.
    .where('channel', '=', sql.lit('webhook' as const))
    .where('endpoint', '=', webhookId)
    .where('dueAt', 'is', null)
    .where('deliveredAt', 'is', null)
    .whereRef('attempts', '=', 'replayedAfter')
    .execute();
}

/**
 * Makes a delivery due again with a new retry schedule. Its earlier attempts remain.
 *
 * @param dueAt - Null if it waits for the first delivery to its webhook.
 */
export async function restartDelivery(tx: Tx, id: string, dueAt: Instant | null): Promise<void> {
  await tx.updateTable('outbox').set(restarted(dueAt)).where('id', '=', id).execute();
}

/** Makes failed deliveries of a merchant, or of a channel, due again. Returns their number. */
export async function restartFailedDeliveries(
  tx: Tx,
  { merchantId, channel }: Pick<DeliveryFilter, 'merchantId' | 'channel'>,
  dueAt: Instant,
): Promise<number> {
  let failed = tx.updateTable('outbox').set(restarted(dueAt)).where(isIn('failed'));
  if (merchantId !== undefined) failed = failed.where('merchantId', '=', merchantId);
  if (channel !== undefined) failed = failed.where('channel', '=', channel);
  return Number((await failed.executeTakeFirstOrThrow()).numUpdatedRows);
}

function restarted(dueAt: Instant | null) {
  return (row: ExpressionBuilder<Schema, 'outbox'>) => ({
    dueAt,
    deliveredAt: null,
    beganAt: null,
    lastFailure: '',
    replayedAfter: row.ref('attempts'),
  });
}
