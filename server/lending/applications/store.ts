import { keysOf } from '../../../shared/objects.ts';
import { type Selectable, sql } from 'kysely';
import { isDeepStrictEqual } from 'node:util';
import type { ApplicationStatus } from '../../../shared/wire/application.ts';
import type { Query, Tx } from '../../db/database.ts';
import { unindexed } from '../../db/newest-first.ts';
import { prepared, preparedSaving } from '../../db/prepared.ts';
import type { ApplicationTable, StoredOffer } from '../../db/schema.ts';
import { emailHash, lookupHash, omit, openRow, openRows, pick, seal, type SealedColumns } from '../../db/sealed.ts';
import { ServiceError } from '../../base/errors.ts';
import { type Instant, DATABASE_NOW } from '../../base/time.ts';
import { type BuyerContact, NO_CONTACT } from '../../base/contact.ts';
import { idEndOf } from './reference.ts';
import type { StoredDecision } from './decision.ts';
import { OPEN_STATUSES } from './lifecycle.ts';
import type { Codes, Consent, PaymentAgreement } from './signature.ts';

/** The values of an application that identify the buyer, or may do so, and long ones. They are stored sealed. */
export interface SealedApplication {
  billingContact: BuyerContact;
  shippingContact: BuyerContact;
  /** Hash of the billing address, see shared/normalized-address.ts; empty while the address is unknown. */
  normalizedAddressHash: string;
  /** Label of the card shown to the buyer, such as `Visa 4242`; empty without a card. */
  cardLabel: string;
  /** The consents that the buyer gave on the application page; empty before the application. */
  consents: readonly Consent[];
  /** The one-time codes that were sent to the buyer. */
  codes: Codes;
  /** True if the lender has identified the buyer as a covered borrower of the Military Lending Act. */
  isCoveredBorrower: boolean;
  /** The signed agreement, only for the checkout: see `signedAgreement`. */
  paymentAgreements: readonly PaymentAgreement[];
  /** The reasons and the credit score of the lender's decision, for notices to the buyer; null before a decision. */
  decision: StoredDecision | null;
  /** The merchant's metadata of the cart, such as `{"channel":"web"}`. */
  metadata: Record<string, string>;
  /** Approved plans, for the platform API: see `presentOffer`. */
  offers: StoredOffer[];
}

declare module '../../db/sealed.ts' {
  interface SealedValues {
    applications: SealedApplication;
  }
}

const SEALED = [
  'billingContact',
  'shippingContact',
  'normalizedAddressHash',
  'cardLabel',
  'consents',
  'codes',
  'isCoveredBorrower',
  'paymentAgreements',
  'decision',
  'metadata',
  'offers',
] as const satisfies readonly (keyof SealedApplication)[];

/** The sealed values after the deletion of the buyer's details. */
export const NO_DETAILS = { billingContact: NO_CONTACT, shippingContact: NO_CONTACT, normalizedAddressHash: '' };

/** The sealed values after the deletion of everything that identifies the buyer. `pseudonymize` reduces the signed agreement. */
export const NO_PERSON: Omit<SealedApplication, 'consents' | 'paymentAgreements' | 'decision' | 'offers'> = {
  ...NO_DETAILS,
  cardLabel: '',
  codes: {},
  isCoveredBorrower: false,
  metadata: {},
};

type StoredRow = Selectable<ApplicationTable>;

/** An application with its sealed values. */
export type Application = Omit<StoredRow, 'sealed' | 'normalizedAddressHash' | 'emailHash'> & SealedApplication;

/** Opens the sealed values of a row, or of some of its columns. */
export function openApplication<Row extends SealedColumns<'applications'> & { sealed: string }>(query: Query, row: Row) {
  return openRow(query, 'applications', row);
}

/** Returns the columns that the sealed values are stored in. */
async function sealedColumns(
  query: Query,
  row: SealedColumns<'applications'> & SealedApplication,
): Promise<Pick<StoredRow, 'sealed' | 'normalizedAddressHash' | 'emailHash'>> {
  return {
    normalizedAddressHash: await lookupHash(query, 'address', row.normalizedAddressHash),
    emailHash: await emailHash(query, row.billingContact.email),
    sealed: seal(query, 'applications', row, pick(row, SEALED)),
  };
}

/** The columns of an application that can change. `updatedAt` changes only if it is among the changes. */
export type ApplicationChanges = Partial<
  Omit<
    Application,
    'id' | 'revision' | 'tenantId' | 'merchantId' | 'programId' | 'cartId' | 'buyerId' | 'createdAt' | 'updatedAt'
  > & { updatedAt: typeof DATABASE_NOW }
>;

export async function findApplication(query: Query, id: string): Promise<Application | undefined> {
  const [row] = await applicationById(query, id);
  return row && openApplication(query, row);
}

/** Returns whether the buyer has withdrawn the consent to electronic documents, also if the row is damaged. */
export async function isConsentWithdrawn(query: Query, id: string): Promise<boolean> {
  const found = query.selectFrom('applications').select('id').where('id', '=', id).where('consentWithdrawnAt', 'is not', null);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Returns applications by their ids. Leaves damaged ones out. */
export async function findApplications(query: Query, ids: readonly string[]): Promise<Map<string, Application>> {
  if (ids.length === 0) return new Map();
  const rows = await query.selectFrom('applications').selectAll().where('id', 'in', ids).execute();
  const opened = await openRows(query, rows, (row) => openApplication(query, row));
  return new Map(opened.map((application) => [application.id, application]));
}

const applicationById = prepared((query, id: string) => query.selectFrom('applications').selectAll().where('id', '=', id));

/**
 * Returns the id of the application that a person names by its id or its short reference; an id as it is.
 *
 * @throws Error - several applications have the reference.
 */
export async function resolveApplicationId(query: Query, named: string): Promise<string> {
  const end = idEndOf(named);
  if (end === undefined) return named;
  const rows = await query
    .selectFrom('applications')
    .select('id')
    // The last 10 of 36 characters, which have an index.
    .where(sql`substr(id, 27)`, '=', end)
    .orderBy('id')
    .execute();
  if (rows.length > 1) {
    throw new Error(
      `--application: ${rows.length} applications have the reference ${named}: ${rows.map(({ id }) => id).join(', ')}`,
    );
  }
  return rows[0]?.id ?? named;
}

/** Returns the cart's current application. */
export async function findApplicationOfCart(query: Query, cartId: string): Promise<Application | undefined> {
  const [row] = await applicationOfCart(query, cartId);
  return row && openApplication(query, row);
}

const applicationOfCart = prepared((query, cartId: string) =>
  query.selectFrom('applications').selectAll().where('cartId', '=', cartId).where('supersededAt', 'is', null),
);

/** The columns of an application that decide the status of its cart. */
export type ApplicationProgress = Pick<Application, 'status' | 'statusCode' | 'expiresAt' | 'programVersion'>;

/** Returns the state of the cart's current application, without its sealed values. */
export async function findProgressOfCart(query: Query, cartId: string): Promise<ApplicationProgress | undefined> {
  const [row] = await progressOfCart(query, cartId);
  return row;
}

const progressOfCart = prepared((query, cartId: string) =>
  query
    .selectFrom('applications')
    .select(['status', 'statusCode', 'expiresAt', 'programVersion'])
    .where('cartId', '=', cartId)
    .where('supersededAt', 'is', null),
);

/** Returns the states of the current applications of carts by the ids of the carts. */
export async function findProgressOfCarts(query: Query, cartIds: readonly string[]): Promise<Map<string, ApplicationProgress>> {
  if (cartIds.length === 0) return new Map();
  const rows = await query
    .selectFrom('applications')
    .select(['cartId', 'status', 'statusCode', 'expiresAt', 'programVersion'])
    .where('cartId', 'in', cartIds)
    .where('supersededAt', 'is', null)
    .execute();
  return new Map(rows.map(({ cartId, ...progress }) => [cartId, progress]));
}

/** Returns an application of a cart that another has replaced, by the hash of its session secret. */
export async function findSupersededApplication(
  query: Query,
  cartId: string,
  sessionHash: string,
): Promise<Application | undefined> {
  const row = await query
    .selectFrom('applications')
    .selectAll()
    .where('cartId', '=', cartId)
    .where('sessionHash', '=', sessionHash)
    .where('supersededAt', 'is not', null)
    .executeTakeFirst();
  return row && openApplication(query, row);
}

/** Returns all applications of a cart, including replaced ones. */
export async function applicationsOfCart(query: Query, cartId: string): Promise<Application[]> {
  const rows = await query.selectFrom('applications').selectAll().where('cartId', '=', cartId).orderBy('id').execute();
  return openRows(query, rows, (row) => openApplication(query, row));
}

/** A literal condition, so that the partial index can be used. */
const hasEmail = sql<boolean>`email_hash <> ''`;

/** Returns the applications of a buyer's e-mail address. */
export async function applicationsOfEmail(query: Query, email: string): Promise<Application[]> {
  const hash = await emailHash(query, email);
  const rows = await query
    .selectFrom('applications')
    .selectAll()
    .where('emailHash', '=', hash)
    .where(hasEmail)
    .orderBy('id')
    .execute();
  return openRows(query, rows, (row) => openApplication(query, row));
}

/**
 * Ids of an application, its merchant and its cart. A change of the application locks the row of the cart. Jobs open it only then, so
 * that a damaged one does not stop the others.
 */
export type ApplicationRef = Pick<Application, 'id' | 'cartId' | 'merchantId'>;

const refs = (query: Query) => query.selectFrom('applications').select(['id', 'cartId', 'merchantId']);

/** Returns the application of a request for a decision, whether it has the decision or not. */
export async function findApplicationOfRequest(query: Query, requestId: string): Promise<ApplicationRef | undefined> {
  return refs(query).where('requestId', '=', requestId).executeTakeFirst();
}

/** Returns when a buyer applied at the merchants of a tenant since an instant, the earliest first, without this application. */
export async function recentApplications(
  query: Query,
  { id, tenantId, billingContact }: Pick<Application, 'id' | 'tenantId' | 'billingContact'>,
  since: Instant,
): Promise<Instant[]> {
  if (billingContact.email === '') return [];
  const rows = await recentTimes(query, await emailHash(query, billingContact.email), tenantId, since, id);
  return rows.map(({ createdAt }) => createdAt);
}

const recentTimes = prepared((query, hash: string, tenantId: string, since: Instant, exceptId: string) =>
  query
    .selectFrom('applications')
    .select('createdAt')
    .where('emailHash', '=', hash)
    .where(hasEmail)
    .where(unindexed('tenantId'), '=', tenantId)
    .where('createdAt', '>=', since)
    .where('submittedAt', 'is not', null)
    .where('id', '<>', exceptId)
    .orderBy('createdAt')
    .limit(MAX_RECENT),
);

/** Most applications of a buyer that a lender receives the times of. */
const MAX_RECENT = 100;

/** Returns the number of applications of a cart, including replaced ones. */
export async function countApplicationsOfCart(query: Query, cartId: string): Promise<number> {
  const { count } = await query
    .selectFrom('applications')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('cartId', '=', cartId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns open applications past their expiry, the oldest first. */
export function expiredApplications(query: Query, now: Instant, limit: number): Promise<ApplicationRef[]> {
  return refs(query)
    .where('status', 'in', OPEN_STATUSES)
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Statuses of applications that no lender has received. */
const UNFINISHED_STATUSES: readonly ApplicationStatus[] = ['STARTED', 'INELIGIBLE', 'CANCELLED', 'EXPIRED'];

/** Returns applications that no lender has received and that were last changed before an instant, the oldest first. */
export function unfinishedApplications(query: Query, changedBefore: Instant, limit: number): Promise<ApplicationRef[]> {
  return refs(query)
    .where('submittedAt', 'is', null)
    .where('detailsDeletedAt', 'is', null)
    .where('updatedAt', '<', changedBefore)
    .where(unindexed('status'), 'in', UNFINISHED_STATUSES)
    .orderBy('updatedAt')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Returns true if `unfinishedApplications` returns the application. */
export function isUnfinished(row: Application, changedBefore: Instant): boolean {
  const { status, submittedAt, detailsDeletedAt, updatedAt } = row;
  return UNFINISHED_STATUSES.includes(status) && submittedAt === null && detailsDeletedAt === null && updatedAt < changedBefore;
}

/**
 * Returns pending applications of which a time has come, the earliest first.
 *
 * @param time - `requestDueAt`: the request to the lender is due. `warnAt`: operator and lender are to be warned of the missing decision.
 */
export function dueApplications(
  query: Query,
  time: 'requestDueAt' | 'warnAt',
  now: Instant,
  limit: number,
): Promise<ApplicationRef[]> {
  return refs(query).where(time, '<=', now).orderBy(time).orderBy('id').limit(limit).execute();
}

/** Returns pending applications with an exception whose resolution has not taken effect, and without a request in progress. */
export function resolvedApplications(query: Query, now: Instant, limit: number): Promise<ApplicationRef[]> {
  return query
    .selectFrom('exceptions')
    .innerJoin('applications', 'applications.id', 'exceptions.applicationId')
    .select(['applications.id', 'applications.cartId', 'applications.merchantId'])
    .where('exceptions.closedAt', 'is', null)
    .where('exceptions.resolution', 'is not', null)
    .where('applications.requestLeasedUntil', '<=', now)
    .limit(limit)
    .execute();
}

/** A new application, whose times may be those of the write. */
export type NewApplication = Omit<Application, 'createdAt' | 'updatedAt'> &
  Record<'createdAt' | 'updatedAt', Instant | typeof DATABASE_NOW>;

export async function addApplication(tx: Tx, row: NewApplication): Promise<Application> {
  const { rows } = await insertApplication(tx, { ...omit(row, SEALED), ...(await sealedColumns(tx, row)) });
  return { ...row, ...rows[0]! };
}

const insertApplication = preparedSaving((tx, row: StoredRow) =>
  tx.insertInto('applications').values(row).returning(['createdAt', 'updatedAt']),
);

/**
 * Saves the columns of `changes` that differ from the locked row. An update of all columns would send up to 100 KB of unchanged JSON.
 *
 * Callers must lock its cart first. The comparison of the revision is the last guard if one does not.
 *
 * @returns The row as it is now.
 * @throws ServiceError `changed-meanwhile`
 */
export async function saveApplication(tx: Tx, row: Application, changes: ApplicationChanges): Promise<Application> {
  const { id, revision } = row;
  const saved = { ...row, ...changes, revision: revision + 1 };
  const changedNames = keysOf(changes).filter((name) => !isDeepStrictEqual(row[name], changes[name]));
  const changed = pick(changes, changedNames);
  // The seal authenticates the hash of the session.
  const isSealedAgain = [...SEALED, 'sessionHash'].some((name) => Object.hasOwn(changed, name));
  const columns = {
    ...omit(changed, SEALED),
    ...(isSealedAgain && (await sealedColumns(tx, saved))),
    revision: saved.revision,
  };
  const [times] = (await updateApplication(tx, columns, id, revision)).rows;
  if (!times) {
    throw new ServiceError('changed-meanwhile', `Application ${id} was changed by another request; please retry.`);
  }
  return { ...saved, ...times };
}

const updateApplication = preparedSaving((tx, changes: Partial<StoredRow>, id: string, revision: number) =>
  tx.updateTable('applications').set(changes).where('id', '=', id).where('revision', '=', revision).returning('updatedAt'),
);

/** Deletes the applications of a cart, which no lender has received. */
export async function deleteApplicationsOfCart(tx: Tx, cartId: string): Promise<void> {
  await tx.deleteFrom('applications').where('cartId', '=', cartId).execute();
}
