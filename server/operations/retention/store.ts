import { type Selectable, sql } from 'kysely';
import type { CivilDate } from '../../../shared/dates.ts';
import { unindexed } from '../../db/newest-first.ts';
import type { Query, Tx } from '../../db/database.ts';
import type { LegalHoldTable } from '../../db/schema.ts';
import { idAt } from '../../base/ids.ts';
import type { Instant } from '../../base/time.ts';
import { isNotForLender } from '../../messages/store.ts';

export type LegalHold = Selectable<LegalHoldTable>;

/** Returns all legal holds, the oldest first. */
export function listHolds(query: Query): Promise<LegalHold[]> {
  return query.selectFrom('legal_holds').selectAll().orderBy('setAt').orderBy('applicationId').execute();
}

export async function findHold(query: Query, applicationId: string): Promise<LegalHold | undefined> {
  return query.selectFrom('legal_holds').selectAll().where('applicationId', '=', applicationId).executeTakeFirst();
}

/** Returns the ids of the applications of carts that are under a legal hold. */
export async function heldApplications(query: Query, cartIds: readonly string[]): Promise<string[]> {
  if (cartIds.length === 0) return [];
  const rows = await query
    .selectFrom('legal_holds')
    .innerJoin('applications', 'applications.id', 'legal_holds.applicationId')
    .select('applications.id')
    .where('applications.cartId', 'in', cartIds)
    .orderBy('applications.id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function addHold(tx: Tx, row: LegalHold): Promise<void> {
  await tx.insertInto('legal_holds').values(row).execute();
}

export async function deleteHold(tx: Tx, applicationId: string): Promise<void> {
  await tx.deleteFrom('legal_holds').where('applicationId', '=', applicationId).execute();
}

/** An application whose personal data is due for deletion. */
export interface DueApplication {
  id: string;
  cartId: string;
}

/** Returns ended applications without a purchase that a lender received and that last changed before an instant, the oldest first. */
export function applicationsToPseudonymize(query: Query, changedBefore: Instant, limit: number): Promise<DueApplication[]> {
  return (
    query
      .selectFrom('applications')
      .select(['id', 'cartId'])
      .where('submittedAt', 'is not', null)
      .where('detailsDeletedAt', 'is', null)
      // A literal, because the index has this condition.
      .where(sql<boolean>`status <> 'CHECKOUT_COMPLETED'`)
      .where(unindexed('status'), 'in', ['DENIED', 'INELIGIBLE', 'CANCELLED', 'EXPIRED'])
      .where('requestLeasedUntil', 'is', null)
      .where('updatedAt', '<', changedBefore)
      .where(isNotHeld('applications.id'))
      .orderBy('updatedAt')
      .orderBy('id')
      .limit(limit)
      .execute()
  );
}

/**
 * Returns applications whose transaction has had its final status since before an instant, whose loan, if there is one, ended before a day, and
 * whose notices were all sent before an instant, the oldest first.
 */
export function duePurchases(
  query: Query,
  finalBefore: Instant,
  loanEndedBefore: CivilDate,
  noticedBefore: Instant,
  limit: number,
): Promise<DueApplication[]> {
  return (
    query
      .selectFrom('transactions')
      .select(['applicationId as id', 'cartId'])
      .where('contactsDeletedAt', 'is', null)
      .where('statusSince', '<', finalBefore)
      // Purchases without a loan have an empty text, which is less than every date.
      .where('loanEndsOn', '<', loanEndedBefore)
      // A literal, so that the partial index can be used.
      .where(sql<boolean>`status not in ('PENDING', 'AUTHORIZED')`)
      .where(isNotHeld('transactions.applicationId'))
      .where(hasNoNoticeSince(noticedBefore))
      .orderBy('statusSince')
      .orderBy('transactions.id')
      .limit(limit)
      .execute()
  );
}

/** Returns carts that were not completed, whose last day was before a day, and that still have contacts. */
export async function dueCarts(query: Query, expiredBefore: CivilDate, limit: number): Promise<string[]> {
  const rows = await query
    .selectFrom('carts')
    .select('id')
    .where('contactsDeletedAt', 'is', null)
    .where(sql<boolean>`status <> 'COMPLETED'`)
    .where('expiresOn', '<', expiredBefore)
    .where(hasNoHeldApplication('carts.id'))
    .orderBy('expiresOn')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the ids of callbacks, e-mails and texts that are not sent any more, have no notice and were created before an instant. */
export async function dueMessages(query: Query, createdBefore: Instant, limit: number): Promise<string[]> {
  const rows = await query
    .selectFrom('outbox')
    .select('id')
    .where('dueAt', 'is', null)
    .where(sql<boolean>`channel not in ('card', 'lender')`)
    .where('notice', 'is', null)
    .where('createdAt', '<', createdBefore)
    .where(hasNoHeldApplication('outbox.cartId'))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns when the latest notice about an application was sent; null without one. */
export async function lastNoticeAt(query: Query, applicationId: string): Promise<Instant | null> {
  const { at } = await query
    .selectFrom('outbox')
    .select(({ fn }) => fn.max('createdAt').as('at'))
    .where('applicationId', '=', applicationId)
    .where(isNotForLender)
    .where('notice', 'is not', null)
    .executeTakeFirstOrThrow();
  return at;
}

/** Deletes the notices about an application, with their e-mails. */
export async function deleteNotices(tx: Tx, applicationId: string): Promise<void> {
  await tx
    .deleteFrom('outbox')
    .where('applicationId', '=', applicationId)
    .where(isNotForLender)
    .where('notice', 'is not', null)
    .execute();
}

/** Deletes messages, unless they became due again or are under a legal hold. Returns their number. */
export async function deleteMessages(tx: Tx, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const messages = tx
    .deleteFrom('outbox')
    .where('id', 'in', ids)
    .where('dueAt', 'is', null)
    .where(hasNoHeldApplication('outbox.cartId'));
  return Number((await messages.executeTakeFirstOrThrow()).numDeletedRows);
}

/** Tables whose rows are deleted at an age, and their column with the time, or with an id that begins with it. */
const TIME_COLUMNS = {
  security_events: 'occurred_at',
  lender_calls: 'started_at',
  events: 'created_at',
  merchant_requests: 'id',
};
export type AgingTable = keyof typeof TIME_COLUMNS;

/** Returns the ids of rows of a table before an instant, the oldest first. */
export async function dueRows(query: Query, table: AgingTable, before: Instant, limit: number): Promise<string[]> {
  const column = sql.ref(TIME_COLUMNS[table]);
  const end = table === 'merchant_requests' ? idAt(before) : before;
  const due = sql<{ id: string }>`select id from ${sql.table(table)} where ${column} < ${end} order by ${column} limit ${limit}`;
  return (await due.execute(query)).rows.map(({ id }) => id);
}

/** Deletes rows of a table. A trigger rejects security events of the last year. */
export async function deleteRows(tx: Tx, table: AgingTable, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom(table).where('id', 'in', ids).execute();
}

/** Deletes signed agreements. A trigger rejects those of the last two years. */
export async function deleteDocuments(tx: Tx, applicationIds: readonly string[]): Promise<void> {
  if (applicationIds.length > 0)
    await tx.deleteFrom('agreement_documents').where('applicationId', 'in', applicationIds).execute();
}

/** Returns the ids of the applications of signed agreements that are older than an instant, if their personal data was deleted. */
export async function dueDocuments(query: Query, signedBefore: Instant, limit: number): Promise<string[]> {
  const rows = await query
    .selectFrom('agreement_documents')
    .innerJoin('applications', 'applications.id', 'agreement_documents.applicationId')
    .select('applications.id')
    .where('agreement_documents.createdAt', '<', signedBefore)
    .where('applications.detailsDeletedAt', 'is not', null)
    .where(isNotHeld('applications.id'))
    .orderBy('agreement_documents.createdAt')
    .orderBy('applications.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

function isNotHeld(column: 'applications.id' | 'transactions.applicationId') {
  return sql<boolean>`not exists (select 1 from legal_holds where legal_holds.application_id = ${sql.ref(column)})`;
}

/**
 * True for a purchase without a notice since an instant, such as a letter about its debt. Counted, because PostgreSQL would turn a condition with
 * `exists` into a join with all notices.
 */
function hasNoNoticeSince(since: Instant) {
  return sql<boolean>`(
    select count(*) from outbox
    where outbox.application_id = transactions.application_id and channel <> 'lender' and notice is not null and outbox.created_at >= ${since}
  ) = 0`;
}

/** True for a cart without an application under a legal hold, which keeps the messages of the cart, too. */
function hasNoHeldApplication(cartId: 'carts.id' | 'outbox.cartId') {
  return sql<boolean>`not exists (
    select 1 from applications inner join legal_holds on legal_holds.application_id = applications.id
    where applications.cart_id = ${sql.ref(cartId)}
  )`;
}
