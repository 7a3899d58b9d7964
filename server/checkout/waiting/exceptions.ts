import { keysOf } from '../../../shared/objects.ts';
import type { ReasonCode } from '../../../shared/programs/denial-reason.ts';
import { isDecided, isDecisionPending } from '../../lending/applications/lifecycle.ts';
import {
  type Application,
  type ApplicationChanges,
  type ApplicationRef,
  findApplication,
  saveApplication,
} from '../../lending/applications/store.ts';
import { lockCartById } from '../../purchases/carts/store.ts';
import type { Database, Tx } from '../../db/database.ts';
import { type Exception, findException, type NewException, saveResolution } from '../../lending/exceptions/store.ts';
import type { InvalidOutcome, InvalidResponse } from '../../lending/lenders/lender.ts';
import { newId } from '../../base/ids.ts';
import { subjectOf } from '../../messages/notice-delivery.ts';
import { enqueueServicingEvent } from '../../messages/servicing-store.ts';
import { type Instant, plusDays } from '../../base/time.ts';
import { raiseException, raiseFault, repeatAlert } from '../decision/raise-exception.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { lockSession } from '../session/load.ts';
import { resolved } from './lifecycle.ts';
import { pendingRequest } from './requests.ts';

/**
 * Records that the lender's response to the pending request of an application is invalid, and raises an exception about its field. The cart
 * of the application is locked.
 *
 * @param id - The id of the exception.
 * @returns The exception; undefined if the operator has been warned of this fault.
 */
export async function recordInvalid(
  tx: Tx,
  application: Application,
  { fault, outcome }: InvalidResponse,
  { id, now }: { id: string; now: Instant },
  mail: CheckoutDeps['mail'],
): Promise<NewException | undefined> {
  const pending = pendingRequest(application);
  if (!pending) return undefined;
  const saved = await saveApplication(tx, application, invalidChanges(application, outcome, now));
  const exception = { id, kind: pending.exception, fault: `${pending.about(saved)}: ${fault}`, now };
  return raiseFault(tx, saved, exception, mail);
}

/** Days after an invalid rejection of a signed agreement on which the loan is withdrawn without reasons: 12 CFR 1002.9(a)(1). */
const REJECTION_DAYS = 30;

/** Returns what changes after an invalid response. One that states neither decision does not replace one that does. */
function invalidChanges(
  application: Pick<Application, 'status' | 'statusCode' | 'invalidOutcome'>,
  outcome: InvalidOutcome,
  now: Instant,
): ApplicationChanges {
  const { invalidOutcome: earlier } = application;
  if (earlier === outcome || (outcome === 'other' && earlier !== null)) return {};
  if (outcome === 'approved') return { invalidOutcome: outcome, warnAt: plusDays(now, 1) };
  // The denial of an application that waits for a decision has its own day, at which it expires.
  if (outcome === 'denied' && !isDecisionPending(application))
    return { invalidOutcome: outcome, warnAt: plusDays(now, REJECTION_DAYS) };
  return { invalidOutcome: outcome };
}

/**
 * Warns about a pending application whose time for it has come: operator and lender, once, that it will be denied because the lender has not
 * decided it; or the operator that the lender's decision is invalid, every day if it is one for the buyer.
 */
export async function warnPending(
  { database, mail, onException }: Pick<CheckoutDeps, 'database' | 'mail' | 'onException'>,
  ref: ApplicationRef,
  now: Instant,
): Promise<void> {
  const exceptionId = newId();
  const eventId = newId();
  const raised = await database.write(async (tx) => {
    const { application } = await lockSession(tx, ref, now);
    const { warnAt, expiresAt, invalidOutcome } = application;
    const pending = pendingRequest(application);
    if (warnAt === null || warnAt > now || !pending) return undefined;
    if (isDecided(application)) {
      await saveApplication(tx, application, { warnAt: invalidOutcome === 'approved' ? plusDays(now, 1) : null });
      return repeatAlert(tx, application, { id: exceptionId, kind: pending.exception, now }, mail);
    }
    await saveApplication(tx, application, { warnAt: null });
    await enqueueServicingEvent(tx, subjectOf(application, eventId, now), { type: 'application-undecided', deniedAt: expiresAt });
    return raiseException(tx, application, { id: exceptionId, kind: 'undecided', now }, mail);
  });
  if (raised) onException(raised);
}

/**
 * A resolution of an exception by a person. `retry`: ask the lender again, from the shortest wait. `deny`: deny the application in the lender's
 * name. `accepted`, `rejected`: record the lender's answer to the signed agreement. `keep`: close the exception about a response without using
 * it.
 */
export const RESOLUTIONS = ['retry', 'deny', 'accepted', 'rejected', 'keep'] as const;
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
  { kind, fault, resolution, closedAt }: Pick<Exception, 'kind' | 'fault' | 'resolution' | 'closedAt'>,
  application: Pick<Application, 'status' | 'statusCode'>,
): readonly ResolutionName[] {
  if (closedAt !== null) return [];
  const pending = kind === 'schedule' || kind === 'bureau' ? undefined : pendingRequest(application);
  // The exception about an invalid denial stays open after the notice.
  if (!pending) return fault === null ? [] : ['keep'];
  return resolution === null ? ['retry', ...keysOf(pending.resolutions)] : [resolution];
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
    // A retry closes the exception at once, because it may raise another; `keep` has no other effect. The others close it when they take effect.
    const isRetry = resolution === 'retry';
    const closedAt = isRetry || resolution === 'keep' ? now : null;
    const saved = { resolution, actor, reason, denialReason, resolvedAt: now, closedAt };
    if (!isRepeated) await saveResolution(tx, id, saved);
    if (resolution !== 'keep') await saveApplication(tx, application, resolved(application, isRetry, now));
    return isRepeated ? exception : { ...exception, ...saved };
  });
}
