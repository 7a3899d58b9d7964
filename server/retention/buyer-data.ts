import { buyerOf, type BuyerContact } from '../applications/contact.ts';
import { isOpenApplication } from '../applications/lifecycle.ts';
import { applicationsOfCart, applicationsOfEmail, type ApplicationRow, findApplication } from '../applications/store.ts';
import { cartIdsOfEmail, getCartById, lockCartById } from '../carts/store.ts';
import { findDocumentOfApplication } from '../checkout/session/store.ts';
import type { PaymentAgreement } from '../../shared/wire/application.ts';
import { messagesTo, type OutboxRow } from '../notifications/store.ts';
import type { Database, Query } from '../db/database.ts';
import { addSecurityEvents, securityEventRow } from '../security-events/store.ts';
import { dateOf, type Instant } from '../time.ts';
import { findTransactionOfApplication, listEvents } from '../transactions/store.ts';
import { type Pseudonymized, deleteCartContacts, pseudonymize } from './pseudonymize.ts';
import { deleteMessages, findHold } from './store.ts';

/** A person, by e-mail address or by one application. */
export type BuyerSelector = { email: string } | { applicationId: string };

interface Found {
  applications: ApplicationRow[];
  /** Carts with contacts of the person, also those of the applications. */
  cartIds: string[];
  /** E-mails and texts to the person. */
  messages: OutboxRow[];
}

/**
 * Returns everything that is stored about a person: applications, signed agreements, carts, transactions, messages and legal holds.
 * Recorded as a security event.
 *
 * @throws Error - nothing is stored about the person.
 */
export async function exportBuyer(database: Database, selector: BuyerSelector, now: Instant): Promise<object> {
  const { query } = database;
  const found = await findBuyer(query, selector);
  const applications = [];
  for (const application of found.applications) {
    const transaction = await findTransactionOfApplication(query, application.id);
    const document = await findDocumentOfApplication(query, application.id);
    applications.push({
      ...presented(application),
      legalHold: (await findHold(query, application.id))?.set_at ?? null,
      transaction: transaction && {
        ...presented(transaction),
        journal: (await listEvents(query, transaction.id)).map(presented),
      },
      agreement: document && { language: document.language, signedAt: document.created_at, html: document.html },
    });
  }
  const carts = [];
  for (const id of found.cartIds) {
    const { code: _code, ...cart } = await getCartById(query, id);
    carts.push(presented(cart));
  }
  const messages = found.messages.map(({ id, channel, url, body, created_at, delivered_at }) => ({
    id,
    channel,
    to: url,
    content: JSON.parse(body) as unknown,
    createdAt: created_at,
    deliveredAt: delivered_at,
  }));
  await record(database, 'data-exported', found, now);
  return { exportedAt: now, applications, carts, messages };
}

/**
 * Deletes what identifies a person. Money, the journal, statuses and reasons stay, and a signed agreement stays for two years.
 * Recorded as a security event.
 *
 * @throws Error - nothing is stored about the person, or an application is open, has a loan, or is under a legal hold. Nothing was
 *   deleted.
 */
export async function eraseBuyer(database: Database, selector: BuyerSelector, now: Instant) {
  const { query } = database;
  const found = await findBuyer(query, selector);
  const obstacles: string[] = [];
  for (const application of found.applications) {
    const obstacle = await obstacleOf(query, application, now);
    if (obstacle) obstacles.push(obstacle);
  }
  if (obstacles.length > 0) throw new Error(`Nothing was erased: ${obstacles.join('; ')}`);

  const erased: Pseudonymized[] = [];
  for (const application of found.applications) {
    const result = await pseudonymize(database, application, now);
    if (result) erased.push(result);
  }
  for (const id of found.cartIds) {
    await database.write(async (tx) => {
      const cart = await lockCartById(tx, id);
      // An open cart without an application is one that the merchant just sent.
      if (cart.contacts_deleted_at === null) await deleteCartContacts(tx, cart, now);
    });
  }
  const { messages } = found;
  await database.write((tx) =>
    deleteMessages(
      tx,
      messages.map(({ id }) => id),
    ),
  );
  await record(database, 'data-erased', found, now);
  return { erasedAt: now, applications: erased, carts: found.cartIds.length, messages: messages.length };
}

/** Returns why the data of an application cannot be erased; undefined if it can. */
async function obstacleOf(query: Query, application: ApplicationRow, now: Instant): Promise<string | undefined> {
  const { id } = application;
  if (await findHold(query, id)) return `application ${id} is under a legal hold`;
  if (application.request_leased_until !== null || (isOpenApplication(application) && application.expires_at > now)) {
    return `application ${id} is open until ${application.expires_at}`;
  }
  const transaction = await findTransactionOfApplication(query, id);
  if (!transaction) return undefined;
  const { status, adjusted_total_cents, id: transactionId } = transaction;
  if (status === 'PENDING' || status === 'AUTHORIZED') return `transaction ${transactionId} is ${status}`;
  const lastPaymentOn = lastPaymentOf(application);
  if (status === 'SETTLED' && adjusted_total_cents > 0 && lastPaymentOn >= dateOf(now)) {
    return `the loan of transaction ${transactionId} has payments until ${lastPaymentOn}`;
  }
  return undefined;
}

function lastPaymentOf({ shown_agreements_json }: ApplicationRow): string {
  const [agreement] = JSON.parse(shown_agreements_json) as PaymentAgreement[];
  return agreement?.disclosure.payments.at(-1)?.dueDate ?? '';
}

/** @throws Error - nothing is stored about the person. */
async function findBuyer(query: Query, selector: BuyerSelector): Promise<Found> {
  if ('applicationId' in selector) {
    const application = await findApplication(query, selector.applicationId);
    if (!application) throw new Error(`--application: expected the id of an application, but received ${selector.applicationId}`);
    return foundOf(query, [application], [application.cart_id], []);
  }
  const { email } = selector;
  const applications = await applicationsOfEmail(query, email);
  const carts = new Set([...applications.map(({ cart_id }) => cart_id), ...(await cartIdsOfEmail(query, email))]);
  const known = new Set(applications.map(({ id }) => id));
  for (const cartId of carts) {
    for (const other of await applicationsOfCart(query, cartId)) {
      // Another person may have used the same link.
      if (!known.has(other.id) && other.details_deleted_at !== null) applications.push(other);
    }
  }
  const found = await foundOf(query, applications, [...carts], [email]);
  if (applications.length === 0 && carts.size === 0 && found.messages.length === 0) {
    throw new Error('--email: nothing is stored about this address');
  }
  return found;
}

async function foundOf(query: Query, applications: ApplicationRow[], carts: string[], addresses: string[]): Promise<Found> {
  const contacts = applications.flatMap(contactsOf);
  const emails = [...addresses, ...contacts.map(({ email }) => email)];
  const messages = await messagesTo(query, { emails, phones: contacts.map(({ phone }) => phone) });
  return { applications, cartIds: carts, messages };
}

function contactsOf(application: ApplicationRow): BuyerContact[] {
  return [buyerOf(application), JSON.parse(application.shipping_contact_json) as BuyerContact];
}

/** Returns a row with parsed JSON and without hashes and sealed values, for a person to read. */
function presented(row: object): Record<string, unknown> {
  const readable = Object.entries(row).filter(([column]) => column !== 'sealed' && !column.endsWith('_hash'));
  return Object.fromEntries(
    readable.map(([column, value]): [string, unknown] =>
      column.endsWith('_json') && typeof value === 'string' ? [column.slice(0, -5), JSON.parse(value)] : [column, value],
    ),
  );
}

async function record(
  database: Database,
  kind: 'data-exported' | 'data-erased',
  { applications, cartIds: carts }: Found,
  now: Instant,
): Promise<void> {
  const details = { applications: applications.map(({ id }) => id), carts };
  const row = securityEventRow({ kind, actor: 'console', details }, now);
  await database.write((tx) => addSecurityEvents(tx, row));
}
