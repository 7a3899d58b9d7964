import type { ReasonCode } from '../../../shared/programs/denial-reason.ts';
import { isDecisionPending } from '../../lending/applications/lifecycle.ts';
import { type Application, findApplication, saveApplication } from '../../lending/applications/store.ts';
import { lockCartById } from '../../purchases/carts/store.ts';
import type { Database } from '../../db/database.ts';
import { type Exception, findException, saveResolution } from '../../lending/exceptions/store.ts';
import { DUE_NOW } from '../../messages/outbox.ts';
import type { Instant } from '../../base/time.ts';
import { isWaitingForLender } from './await.ts';

/**
 * A resolution of an exception by a person. `retry`: ask the lender again, from the shortest wait. `deny`: deny the application in the lender's
 * name. `accepted`, `rejected`: record the lender's answer to the signed agreement.
 */
export const RESOLUTIONS = ['retry', 'deny', 'accepted', 'rejected'] as const;
export type ResolutionName = (typeof RESOLUTIONS)[number];

/** A person's resolution. None of it is personal data of a buyer. */
export interface ResolutionRequest {
  resolution: ResolutionName;
  actor: string;
  reason: string;
  /** The principal reason of a denial or a rejection, which the buyer's notice states. */
  denialReason: ReasonCode | null;
}

/** Returns the ways to resolve an exception of an application. A resolution that has not taken effect can only be repeated. */
export function resolutionsFor(
  { resolution, closedAt }: Pick<Exception, 'resolution' | 'closedAt'>,
  application: Pick<Application, 'status' | 'statusCode'>,
): readonly ResolutionName[] {
  if (closedAt !== null || !isWaitingForLender(application)) return [];
  if (resolution !== null) return [resolution];
  return isDecisionPending(application) ? ['retry', 'deny'] : ['retry', 'accepted', 'rejected'];
}

/**
 * Records how a person resolves an exception. The service applies it within seconds, with the e-mail and the event that belong to it. Until it
 * has taken effect, it can be repeated: the record of who has resolved it stays, and it is due again.
 *
 * @throws Error - there is no such exception, it has been resolved in another way, or its application cannot be resolved in this way.
 */
export async function resolveException(
  database: Database,
  id: string,
  { resolution, actor, reason, denialReason }: ResolutionRequest,
  now: Instant,
): Promise<Exception> {
  const found = await findException(database.query, id);
  const unlocked = found && (await findApplication(database.query, found.applicationId));
  if (!unlocked) throw new Error(`ID: expected the id of an exception, but received "${id}"`);
  return database.write(async (tx) => {
    await lockCartById(tx, unlocked.cartId);
    const exception = (await findException(tx, id))!;
    const application = (await findApplication(tx, exception.applicationId))!;
    const possible = resolutionsFor(exception, application);
    const isRepeated = exception.resolution === resolution && exception.denialReason === denialReason;
    if (possible.length === 0 || (exception.resolution !== null && !isRepeated)) {
      throw new Error(`ID: expected an open exception, but ${id} has been resolved, or its application is ${application.status}`);
    }
    if (!possible.includes(resolution)) {
      throw new Error(
        `--as: expected ${possible.join(' or ')} for an application that is ${application.status}, but received ${resolution}`,
      );
    }
    const isRetry = resolution === 'retry';
    const saved = { resolution, actor, reason, denialReason, resolvedAt: now, closedAt: isRetry ? now : null };
    if (!isRepeated) await saveResolution(tx, id, saved);
    await saveApplication(tx, application, { requestDueAt: DUE_NOW, ...(isRetry && { requestAttempts: 0 }) });
    return isRepeated ? exception : { ...exception, ...saved };
  });
}
