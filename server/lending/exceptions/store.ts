import { type Selectable, sql } from 'kysely';
import type { Query, Tx } from '../../db/database.ts';
import type { ExceptionTable } from '../../db/schema.ts';
import { isDecisionPending } from '../applications/lifecycle.ts';
import type { Application } from '../applications/store.ts';
import type { Instant } from '../../base/time.ts';

/**
 * A pending request to a lender that a person has to resolve, a decision that will be missing soon, or a response that is not used. It contains
 * no personal data.
 */
export type Exception = Selectable<ExceptionTable>;

/** An exception when it is raised. */
export type NewException = Pick<Exception, 'id' | 'applicationId' | 'merchantId' | 'kind' | 'raisedAt'> &
  Partial<Pick<Exception, 'fault'>>;

/** Raises an exception. Returns it, or undefined if the application has an open one of this kind. */
export async function addException(tx: Tx, raised: NewException): Promise<NewException | undefined> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('exceptions')
    .values({
      fault: null,
      ...raised,
      resolution: null,
      denialReason: null,
      actor: null,
      reason: null,
      resolvedAt: null,
      closedAt: null,
    })
    .onConflict((index) => index.columns(['applicationId', 'kind']).where('closedAt', 'is', null).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n ? raised : undefined;
}

/** Returns the latest exception of a kind of an application, open or closed. */
export function findLatestException(
  query: Query,
  applicationId: string,
  kind: Exception['kind'],
): Promise<Exception | undefined> {
  return query
    .selectFrom('exceptions')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where('kind', '=', kind)
    .orderBy('raisedAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** Saves another fault of an open exception, whose application is locked. */
export async function saveFault(tx: Tx, id: string, fault: string): Promise<void> {
  await tx.updateTable('exceptions').set({ fault }).where('id', '=', id).execute();
}

/** Attempts of the job to get the outcome of a request to a lender, in about four days, after which a person has to resolve it. */
export const MAX_ATTEMPTS = 14;

/** Returns true if the job does not look up the outcome any more. */
export function hasGivenUp({ requestAttempts }: Pick<Application, 'requestAttempts'>): boolean {
  return requestAttempts >= MAX_ATTEMPTS;
}

/**
 * Returns true if an exception was raised about the pending request: the job has given up or has warned of the missing decision, or the
 * lender's response was invalid.
 */
export function hasException(
  application: Pick<Application, 'requestAttempts' | 'invalidOutcome' | 'warnAt' | 'statusCode'>,
): boolean {
  const { invalidOutcome, warnAt } = application;
  return hasGivenUp(application) || invalidOutcome !== null || (isDecisionPending(application) && warnAt === null);
}

/** The kinds of exceptions about a pending request, which end with it. */
const KINDS_OF_REQUESTS: readonly Exception['kind'][] = ['decision', 'agreement', 'undecided'];

/** Closes the open exceptions of an application, whose cart is locked: those of a kind, or all about its pending request. */
export async function closeExceptions(tx: Tx, applicationId: string, now: Instant, kind?: Exception['kind']): Promise<void> {
  await tx
    .updateTable('exceptions')
    .set({ closedAt: now })
    .where('applicationId', '=', applicationId)
    .where('kind', 'in', kind === undefined ? KINDS_OF_REQUESTS : [kind])
    .where('closedAt', 'is', null)
    .execute();
}

/** A person's resolution of an exception. */
export type Resolution = Pick<Exception, 'denialReason'> & {
  resolution: NonNullable<Exception['resolution']>;
  actor: string;
  reason: string;
  resolvedAt: Instant;
  closedAt: Instant | null;
};

/** Saves the resolution of an exception, while the cart of its application is locked. */
export async function saveResolution(tx: Tx, id: string, resolution: Resolution): Promise<void> {
  await tx.updateTable('exceptions').set(resolution).where('id', '=', id).execute();
}

export function findException(query: Query, id: string): Promise<Exception | undefined> {
  return query.selectFrom('exceptions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns the exception of an application with a resolution that has not taken effect. */
export function findResolved(query: Query, applicationId: string): Promise<Exception | undefined> {
  return query
    .selectFrom('exceptions')
    .selectAll()
    .where('applicationId', '=', applicationId)
    .where('closedAt', 'is', null)
    .where('resolution', 'is not', null)
    .orderBy('resolvedAt')
    .executeTakeFirst();
}

/** An exception with the state of its application. */
export type ListedException = Exception & Pick<Application, 'status' | 'statusCode' | 'expiresAt' | 'invalidOutcome'>;

/**
 * Returns exceptions, the oldest first.
 *
 * @param isOpen - Only those that a person has to resolve, or whose resolution has not taken effect.
 */
export function listExceptions(
  query: Query,
  {
    merchantId,
    since,
    isOpen,
    limit,
  }: { merchantId?: string | undefined; since?: Instant | undefined; isOpen: boolean; limit: number },
): Promise<ListedException[]> {
  let rows = query
    .selectFrom('exceptions')
    .innerJoin('applications', 'applications.id', 'exceptions.applicationId')
    .selectAll('exceptions')
    .select(['applications.status', 'applications.statusCode', 'applications.expiresAt', 'applications.invalidOutcome']);
  if (isOpen) rows = rows.where('exceptions.closedAt', 'is', null);
  if (merchantId !== undefined) rows = rows.where('exceptions.merchantId', '=', merchantId);
  if (since !== undefined) rows = rows.where('exceptions.raisedAt', '>=', since);
  return rows.orderBy('raisedAt').orderBy(sql.ref('exceptions.id')).limit(limit).execute();
}
