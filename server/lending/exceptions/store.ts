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

/** Attempts of the job to get the outcome of a request to a lender, in about four days, after which a person has to resolve it. */
export const MAX_ATTEMPTS = 14;

/** Returns true if the job does not look up the outcome any more. */
export function hasGivenUp({ requestAttempts }: Pick<Application, 'requestAttempts'>): boolean {
  return requestAttempts >= MAX_ATTEMPTS;
}

/** Returns true if an exception was raised about the pending request: the job has given up, or has warned of the missing decision. */
export function hasException(application: Pick<Application, 'requestAttempts' | 'warnAt' | 'statusCode'>): boolean {
  return hasGivenUp(application) || (isDecisionPending(application) && application.warnAt === null);
}

/** Closes the open exceptions of an application, whose cart is locked. */
export async function closeExceptions(tx: Tx, applicationId: string, now: Instant, kind?: Exception['kind']): Promise<void> {
  let open = tx.updateTable('exceptions').set({ closedAt: now }).where('applicationId', '=', applicationId);
  if (kind !== undefined) open = open.where('kind', '=', kind);
  await open.where('closedAt', 'is', null).execute();
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
export type ListedException = Exception & { status: string; statusCode: string; expiresAt: Instant };

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
    .select(['applications.status', 'applications.statusCode', 'applications.expiresAt']);
  if (isOpen) rows = rows.where('exceptions.closedAt', 'is', null);
  if (merchantId !== undefined) rows = rows.where('exceptions.merchantId', '=', merchantId);
  if (since !== undefined) rows = rows.where('exceptions.raisedAt', '>=', since);
  return rows.orderBy('raisedAt').orderBy(sql.ref('exceptions.id')).limit(limit).execute();
}
