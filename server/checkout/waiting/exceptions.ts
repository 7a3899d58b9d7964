import { html } from '@lit-labs/ssr';
import { keysOf } from '../../../shared/objects.ts';
import type { ReasonCode } from '../../../shared/programs/denial-reason.ts';
import { isDecisionPending } from '../../lending/applications/lifecycle.ts';
import { type Application, type ApplicationRef, findApplication, saveApplication } from '../../lending/applications/store.ts';
import { lockCartById } from '../../purchases/carts/store.ts';
import type { Database, Tx } from '../../db/database.ts';
import {
  addException,
  type Exception,
  findException,
  type NewException,
  saveResolution,
} from '../../lending/exceptions/store.ts';
import { renderHtml } from '../../http/pages/html.ts';
import { idOf, newId } from '../../base/ids.ts';
import { enqueueServicingEvent } from '../../messages/servicing-store.ts';
import { enqueueMessage } from '../../messages/outbox.ts';
import { countMessage } from '../../messages/store.ts';
import { type Instant, dateIn } from '../../base/time.ts';
import { subjectOf } from '../decision/save-status.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { lockSession } from '../session/load.ts';
import { resolved } from './lifecycle.ts';
import { pendingRequest } from './requests.ts';

/** Warnings by e-mail in a day (UTC). Further exceptions are only listed and logged: a lender that is down raises many. */
const MAX_ALERTS_PER_DAY = 20;

/** The key under which warnings are counted. */
const COUNTED = 'operator-alerts';

const SENTENCES: Record<NewException['kind'], string> = {
  decision: 'The lender has not answered a request for a decision, and is not asked again automatically.',
  agreement: 'The lender has not answered a signed agreement, and it is not sent again automatically.',
  undecided: 'The lender has not decided an application, which will be denied on the last day of its period.',
  schedule:
    'The lender has stated payments of a loan that are not used. The buyer still sees the payments that were known before.',
};

/**
 * Raises an exception that a person has to resolve, and warns the operator by e-mail, without personal data, in the database transaction of
 * its cause.
 *
 * @returns The exception; undefined if the application has an open one of this kind.
 */
export async function raiseException(
  tx: Tx,
  application: Pick<Application, 'id' | 'merchantId' | 'cartId'>,
  { id, kind, now, fault = null }: Pick<NewException, 'id' | 'kind' | 'fault'> & { now: Instant },
  { operator, handling }: Pick<CheckoutDeps['mail'], 'operator' | 'handling'>,
): Promise<NewException | undefined> {
  const { id: applicationId, merchantId, cartId } = application;
  const raised = await addException(tx, { id, applicationId, merchantId, kind, fault, raisedAt: now });
  const { alertsEmail: to, name } = operator;
  if (!raised || to === undefined || handling === 'unavailable') return raised;
  const count = await countMessage(tx, { day: dateIn(now, 'UTC'), channel: 'email', counted: COUNTED });
  if (count > MAX_ALERTS_PER_DAY) return raised;
  const content = { name, ...alertOf(raised, count === MAX_ALERTS_PER_DAY) };
  const message = { id: idOf(`${id}/alert`, 0, now), merchantId, cartId, handling, createdAt: now };
  await enqueueMessage(tx, { ...message, channel: 'email', to, content });
  return raised;
}

/** Warns operator and lender, once, that an application will be denied because the lender has not decided it. */
export async function warnUndecided(
  { database, mail, onException }: Pick<CheckoutDeps, 'database' | 'mail' | 'onException'>,
  ref: ApplicationRef,
  now: Instant,
): Promise<void> {
  const exceptionId = newId();
  const eventId = newId();
  const raised = await database.write(async (tx) => {
    const { application } = await lockSession(tx, ref, now);
    const { warnAt, expiresAt } = application;
    if (warnAt === null || warnAt > now || !isDecisionPending(application)) return undefined;
    await saveApplication(tx, application, { warnAt: null });
    await enqueueServicingEvent(tx, subjectOf(application, eventId, now), { type: 'application-undecided', deniedAt: expiresAt });
    return raiseException(tx, application, { id: exceptionId, kind: 'undecided', now }, mail);
  });
  if (raised) onException(raised);
}

function alertOf({ id, applicationId, kind, fault = null }: NewException, isLast: boolean) {
  const paragraphs = [
    SENTENCES[kind],
    ...(fault === null ? [] : [`Response to ${fault}`]),
    `Application: ${applicationId}`,
    `List what has to be resolved: fairterm exception list. Show this exception: fairterm exception show ${id}`,
    ...(isLast ? [`This is the last of ${MAX_ALERTS_PER_DAY} warnings today. Further exceptions are only listed.`] : []),
  ];
  const subject = `Financing: an application has to be resolved (${kind})`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <title>${subject}</title>
      </head>
      <body>
        ${paragraphs.map((text) => html`<p>${text}</p>`)}
      </body>
    </html>`;
  return { subject, text: `${paragraphs.join('\n\n')}\n`, html: renderHtml(page) };
}

/**
 * A resolution of an exception by a person. `retry`: ask the lender again, from the shortest wait. `deny`: deny the application in the lender's
 * name. `accepted`, `rejected`: record the lender's answer to the signed agreement. `keep`: close the exception of a schedule without using it.
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
  { kind, resolution, closedAt }: Pick<Exception, 'kind' | 'resolution' | 'closedAt'>,
  application: Pick<Application, 'status' | 'statusCode'>,
): readonly ResolutionName[] {
  if (kind === 'schedule') return closedAt === null ? ['keep'] : [];
  const pending = pendingRequest(application);
  if (closedAt !== null || !pending) return [];
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
