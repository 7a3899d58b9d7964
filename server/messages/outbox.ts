import { assign, create, enums, type Infer, integer, optional, string, type } from 'superstruct';
import { propertyOf } from '../../shared/objects.ts';
import { LANGUAGES } from '../../shared/languages/index.ts';
import { sql } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import { preparedInsert } from '../db/prepared.ts';
import { emailHash, lookupHash, openRows, unseal } from '../db/sealed.ts';
import { idOf } from '../base/ids.ts';
import { type Instant, plusDays } from '../base/time.ts';
import { cardUrl, mailtoOf, telOf, webhookUrl } from './addresses.ts';
import { joinKinds, type NewNotice, OPENING_DAYS } from './notices.ts';
import { PAPER, type SealedDelivery, sealDelivery, type StoredDelivery } from './store.ts';

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

const Order = type({ transactionId: optional(string()), orderRef: optional(string()) });

/** The purchase that a delivery is about. Without it, the delivery is a test, or about a cart or an application. */
export type DeliveredOrder = Infer<typeof Order>;

/** Returns the purchase in the body of a callback, or of an event for a webhook. */
export function orderIn(body: string): DeliveredOrder {
  const received: unknown = JSON.parse(body);
  return create(propertyOf(received, 'data') ?? received, Order);
}

const Email = type({ name: string(), subject: string(), text: string(), html: string(), optOutUrl: optional(string()) });
/** An e-mail. `name` is the recipient's; `text` and `html` have the same content. A POST request to `optOutUrl` opts out (RFC 8058). */
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

/** The handling of messages: sent, only recorded (in the sandbox), or unavailable because there is no sender. */
export type MessageHandling = 'sent' | 'recorded' | 'unavailable';
export type HandlingByChannel = Record<'email' | 'text', MessageHandling>;

export type Message = {
  id: string;
  merchantId: string;
  /** `paper`: stored for the lender, which sends it on paper. */
  handling: Exclude<MessageHandling, 'unavailable'> | 'paper';
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
    notice: kinds ? joinKinds(kinds) : null,
    openBy: notice?.html === undefined || handling === 'paper' ? null : plusDays(message.createdAt, OPENING_DAYS),
    recipientHash: await (message.channel === 'email' ? emailHash(tx, to) : lookupHash(tx, 'recipient', to)),
    url: message.channel === 'email' ? mailtoOf(to) : telOf(to),
    endpoint: handling === 'paper' ? PAPER : message.channel,
    body: JSON.stringify(notice ? { ...content, notice: stored } : content),
    dueAt: handling === 'sent' ? DUE_NOW : null,
  });
}

/** A capture, release or refund that a card gateway has to execute. */
const CardOperation = type({
  type: enums(['capture', 'release', 'refund']),
  /** The gateway's token of the card. */
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

/**
 * An event to deliver to a webhook. The body has the id of the event. The id is the same for every delivery of an event to a webhook, and
 * `dueAt` is null while it waits for the first delivery to the webhook.
 */
export type NewWebhookDelivery = Pick<NewDelivery, 'id' | 'merchantId' | 'body' | 'createdAt' | 'dueAt'> & {
  webhookId: string;
  cartId: string | null;
};

/** Enqueues events for webhooks, each once. */
export async function enqueueWebhookDeliveries(tx: Tx, deliveries: readonly NewWebhookDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  const rows = deliveries.map(({ webhookId, ...delivery }) =>
    outboxRow(tx, { ...delivery, channel: 'webhook', url: webhookUrl(webhookId), endpoint: webhookId }),
  );
  await tx
    .insertInto('outbox')
    .values(rows)
    .onConflict((index) => index.column('id').doNothing())
    .execute();
}

/** A delivery to enqueue. The recipient is that of a message, the transaction that of a card operation or of an event of a loan. */
export type NewDelivery = Pick<StoredDelivery, 'id' | 'merchantId' | 'channel' | 'endpoint' | 'createdAt' | 'dueAt'> &
  Partial<
    Pick<StoredDelivery, 'recipientHash' | 'transactionId' | 'cartId' | 'applicationId' | 'notice' | 'openBy' | 'sequence'>
  > &
  SealedDelivery;

const insertDelivery = preparedInsert('outbox');

async function enqueue(tx: Tx, delivery: NewDelivery): Promise<void> {
  await insertDelivery(tx, outboxRow(tx, delivery));
}

const NOT_ATTEMPTED = { openedAt: null, attempts: 0, replayedAfter: 0, beganAt: null, deliveredAt: null, lastFailure: '' };

/** Returns the row of a delivery that was not attempted. */
export function outboxRow(tx: Tx, { url, body, ...delivery }: NewDelivery): StoredDelivery {
  const subjects = { transactionId: null, cartId: null, applicationId: null, notice: null, openBy: null, sequence: null };
  const row = { recipientHash: '', ...subjects, ...delivery, ...NOT_ATTEMPTED };
  return { ...row, sealed: sealDelivery(tx, row, { url, body }) };
}
