import { isOpenApplication } from '../../lending/applications/lifecycle.ts';
import { applicationsOfCart, applicationsOfEmail, type Application, findApplication } from '../../lending/applications/store.ts';
import { cartIdsOfEmail, type Cart, getCartById, lockCartIfStored } from '../../purchases/carts/store.ts';
import { findDocumentOfApplication } from '../../agreements/store.ts';
import { LOAN_DAYS } from '../../base/config/retention.ts';
import { MIN_APPLICATION_DAYS, MIN_PURCHASE_DAYS } from '../../base/config/settings.ts';
import type { Counter } from '../../base/progress.js';
import type { Database, Query, Tx } from '../../db/database.ts';
import { openRows } from '../../db/sealed.ts';
import { applicationIdsOfRecipient, messagesOfPerson, openDelivery, type StoredDelivery } from '../../messages/store.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import { type Instant, plusDays, lastUsDate } from '../../base/time.ts';
import { optOutsOf } from '../../purchases/carts/opt-out/store.ts';
import { findTransactionOfApplication, listEntries } from '../../purchases/transactions/store.ts';
import { type Pseudonymized, deleteCartContacts, pseudonymizeLocked } from './pseudonymize.ts';
import { deleteMessages, findHold, heldApplications, lastNoticeAt } from './store.ts';

/** A person, by e-mail address or by one application. */
export type BuyerSelector = { email: string } | { applicationId: string };

interface Found {
  applications: Application[];
  /** Carts with contacts of the person, also those of the applications. */
  cartIds: string[];
  /** Those of them whose contacts are the person's. */
  ownCartIds: string[];
  /** E-mails and texts to the person. */
  messages: StoredDelivery[];
}

/**
 * Returns everything that is stored about a person: applications, signed agreements, carts, transactions, messages, legal holds, and opt-outs
 * of e-mails. Recorded as a security event.
 *
 * @param progress - Counts the applications and carts.
 * @throws Error - nothing is stored about the person.
 */
export async function exportBuyer(
  database: Database,
  selector: BuyerSelector,
  now: Instant,
  progress?: Counter,
): Promise<object> {
  const { query } = database;
  const found = await findBuyer(query, selector);
  const emails = 'email' in selector ? [selector.email] : found.applications.map(({ billingContact }) => billingContact.email);
  const emailOptOuts = [];
  for (const email of emails) emailOptOuts.push(...(await optOutsOf(query, email)));
  if (emailOptOuts.length === 0) requireAny(found);
  const total = found.applications.length + found.cartIds.length;
  const applications = [];
  for (const application of found.applications) {
    const transaction = await findTransactionOfApplication(query, application.id);
    const document = await findDocumentOfApplication(query, application.id);
    applications.push({
      ...presented(application),
      legalHold: (await findHold(query, application.id))?.setAt ?? null,
      transaction: transaction && {
        ...presented(transaction),
        journal: (await listEntries(query, transaction.id)).map(presented),
      },
      agreement: document && { language: document.language, signedAt: document.createdAt, html: document.html },
    });
    progress?.count(applications.length, total);
  }
  const carts = [];
  for (const id of found.cartIds) {
    // Without the code, which opens the checkout.
    const { code: _code, ...cart } = await getCartById(query, id);
    carts.push(presented(cart));
    progress?.count(applications.length + carts.length, total);
  }
  const opened = await openRows(query, found.messages, (row) => openDelivery(query, row));
  const messages = opened.map(({ id, channel, url, body, createdAt, deliveredAt }) => ({
    id,
    channel,
    to: url,
    content: JSON.parse(body),
    createdAt,
    deliveredAt,
  }));
  await database.write((tx) => addSecurityEvents(tx, eventOf('data-exported', found, now)));
  return { exportedAt: now, applications, carts, messages, emailOptOuts };
}

/**
 * Deletes what identifies a person, in one database transaction, after the periods for which lenders must retain it. Money, the journal,
 * statuses and reasons stay, and a signed agreement stays for two years. A message to the person that belongs to a cart of another one stays
 * while that cart is under a legal hold. The contacts of a cart that another person completed stay, unless they are those of this one.
 * Opt-outs of e-mails stay, without an address. Recorded as a security event.
 *
 * @throws Error - nothing is stored about the person, or an application is open, must be retained, has a loan that ends later or ended less
 *   than 90 days ago, or is under a legal hold. Nothing was deleted.
 */
export function eraseBuyer(database: Database, selector: BuyerSelector, now: Instant) {
  return database.write(async (tx) => {
    const { found, carts } = await lockBuyer(tx, selector);
    const obstacles = (await heldApplications(tx, found.cartIds)).map((id) => `application ${id} is under a legal hold`);
    for (const application of found.applications) {
      const obstacle = await obstacleOf(tx, application, now);
      if (obstacle) obstacles.push(obstacle);
    }
    if (obstacles.length > 0) throw new Error(`Nothing was erased: ${obstacles.join('; ')}`);

    const messages = await deleteMessages(
      tx,
      found.messages.map(({ id }) => id),
    );
    const erased: Pseudonymized[] = [];
    for (const application of found.applications) {
      const result = await pseudonymizeLocked(tx, carts.get(application.cartId)!, application, now);
      if (result) erased.push(result);
    }
    // Also of carts without an application, which the merchant just sent, and of those that another person completed.
    for (const id of found.ownCartIds) {
      const cart = carts.get(id)!;
      if (cart.contactsDeletedAt === null) await deleteCartContacts(tx, cart, now);
    }
    await addSecurityEvents(tx, eventOf('data-erased', found, now));
    return { erasedAt: now, applications: erased, carts: found.cartIds.length, messages };
  });
}

/**
 * Finds a person, and locks everything that a legal hold could keep: the carts, and those of the messages. Repeats it until nothing was
 * added before the locks were acquired.
 */
async function lockBuyer(tx: Tx, selector: BuyerSelector): Promise<{ found: Found; carts: Map<string, Cart> }> {
  const carts = new Map<string, Cart>();
  const locked = new Set<string>();
  for (;;) {
    const found = await findBuyer(tx, selector);
    requireAny(found);
    const { cartIds, messages } = found;
    const ids = new Set([...cartIds, ...messages.flatMap(({ cartId }) => cartId ?? [])]);
    const notLocked = [...ids].filter((id) => !locked.has(id)).toSorted();
    if (notLocked.length === 0) return { found, carts };
    for (const id of notLocked) {
      const cart = await lockCartIfStored(tx, id);
      if (cart) carts.set(id, cart);
      locked.add(id);
    }
  }
}

/** Returns why the data of an application cannot be erased; undefined if it can. */
async function obstacleOf(query: Query, application: Application, now: Instant): Promise<string | undefined> {
  const { id } = application;
  if (application.requestLeasedUntil !== null || (isOpenApplication(application) && application.expiresAt > now)) {
    return `application ${id} is open until ${application.expiresAt}`;
  }
  const retainedUntil = plusDays(application.updatedAt, MIN_APPLICATION_DAYS);
  const retained =
    application.submittedAt !== null && application.detailsDeletedAt === null && retainedUntil > now
      ? `application ${id}, which a lender received, must be retained until ${retainedUntil} (12 CFR 1002.12(b))`
      : undefined;
  const transaction = await findTransactionOfApplication(query, id);
  if (!transaction) return retained;
  const { status, statusSince, contactsDeletedAt, loanEndsOn, id: transactionId } = transaction;
  if (status === 'PENDING' || status === 'AUTHORIZED') return `transaction ${transactionId} is ${status}`;
  if (loanEndsOn !== '' && loanEndsOn >= lastUsDate(plusDays(now, -LOAN_DAYS))) {
    return `the loan of transaction ${transactionId}, which ends on ${loanEndsOn}, must be retained for ${LOAN_DAYS} days after it`;
  }
  if (retained) return retained;
  const noticedAt = await lastNoticeAt(query, id);
  const noticeUntil = noticedAt && plusDays(noticedAt, MIN_APPLICATION_DAYS);
  if (noticeUntil && noticeUntil > now) {
    return `the last notice about transaction ${transactionId} must be retained until ${noticeUntil} (12 CFR 1002.12(b))`;
  }
  const purchaseUntil = plusDays(statusSince, MIN_PURCHASE_DAYS);
  if (contactsDeletedAt !== null || purchaseUntil <= now) return undefined;
  return `transaction ${transactionId} must be retained until ${purchaseUntil} (12 CFR 1026.25(a))`;
}

/** @throws Error - nothing is stored about the person. */
function requireAny({ applications, cartIds, messages }: Found): void {
  if (applications.length === 0 && cartIds.length === 0 && messages.length === 0) {
    throw new Error('--email: nothing is stored about this address');
  }
}

/** @throws Error - the application does not exist. */
async function findBuyer(query: Query, selector: BuyerSelector): Promise<Found> {
  if ('applicationId' in selector) {
    const application = await findApplication(query, selector.applicationId);
    if (!application) throw new Error(`--application: expected the id of an application, but received ${selector.applicationId}`);
    const cartIds = [application.cartId];
    const ownCartIds = (await cartIdsOfEmail(query, application.billingContact.email)).filter((id) => cartIds.includes(id));
    return { applications: [application], cartIds, ownCartIds, messages: await messagesOf(query, [application], cartIds) };
  }
  const { email } = selector;
  const own = await applicationsOfEmail(query, email);
  // Messages may be kept longer than the details of the application that they are about.
  for (const id of await applicationIdsOfRecipient(query, email)) {
    const written = own.every((each) => each.id !== id) && (await findApplication(query, id));
    if (written && written.detailsDeletedAt !== null) own.push(written);
  }
  const ownCartIds = await cartIdsOfEmail(query, email);
  const cartIds = [...new Set([...own.map(({ cartId }) => cartId), ...ownCartIds])];
  const messages = await messagesOf(query, own, cartIds, email);
  const known = new Set(own.map(({ id }) => id));
  const applications = [...own];
  for (const cartId of cartIds) {
    for (const other of await applicationsOfCart(query, cartId)) {
      // Another person may have used the same link.
      if (!known.has(other.id) && other.detailsDeletedAt !== null) applications.push(other);
    }
  }
  return { applications, cartIds, ownCartIds, messages };
}

/** Only the billing contact is the buyer: an order can be shipped to another person. */
function messagesOf(
  query: Query,
  applications: readonly Application[],
  cartIds: readonly string[],
  ownEmail?: string,
): Promise<StoredDelivery[]> {
  const buyers = applications.map(({ billingContact }) => billingContact);
  return messagesOfPerson(query, {
    applicationIds: applications.map(({ id }) => id),
    cartIds,
    emails: buyers.map(({ email }) => email),
    phones: buyers.map(({ phone }) => phone),
    ownEmail,
  });
}

/** Returns the values without hashes and without those in their stored form, for a person to read. */
function presented(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== 'sealed' && !/(Hash|Json)$/.test(name)));
}

function eventOf(kind: 'data-exported' | 'data-erased', { applications, cartIds: carts }: Found, now: Instant) {
  return newSecurityEvent({ kind, actor: 'console', details: { applications: applications.map(({ id }) => id), carts } }, now);
}
