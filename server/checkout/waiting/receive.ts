import { type ApplicationRef, findApplication, findApplicationOfRequest } from '../../lending/applications/store.ts';
import { isDecisionPending } from '../../lending/applications/lifecycle.ts';
import { ServiceError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { type InvalidResponse, invalidResponse } from '../../lending/lenders/lender.ts';
import { parseDecision } from '../../lending/lenders/responses.ts';
import type { Instant } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { getSession, lockSession } from '../session/load.ts';
import { decisionContext, storeDecision } from '../decision/decide.ts';
import { hasOtherDecision } from '../decision/stored-decision.ts';
import { recordInvalid } from './exceptions.ts';

/**
 * Stores a decision that the lender sends before it is requested again. Has no effect if the request has a decision already, so that the
 * lender may repeat it. Recorded decisions do not change, so they are compared afterwards. An invalid one raises an exception, like an invalid
 * response.
 *
 * @param body - The decision as in a response to the request.
 * @returns `different` if another decision about this request is recorded. `unknown` if no application has this request: it was not sent, or the buyer has to complete an action before the next one.
 * @throws ServiceError `invalid-request` - the body is no decision about this request; the message has the field.
 */
export async function receiveDecision(
  deps: CheckoutDeps,
  requestId: string,
  body: unknown,
  now: Instant,
): Promise<'recorded' | 'different' | 'unknown'> {
  const { database, cards, mail } = deps;
  const application = await findApplicationOfRequest(database.query, requestId);
  if (!application) return 'unknown';
  const session = await getSession(database.query, application.id, now);
  const parsed = parseDecision(body, decisionContext(session, requestId, cards), mail.mode);
  if ('fault' in parsed) {
    await recordInvalidDecision(deps, application, requestId, invalidResponse(parsed.fault, body), now);
    throw new ServiceError('invalid-request', parsed.fault);
  }
  if (typeof parsed.content !== 'object') throw new ServiceError('invalid-request', 'outcome: expected that of a decision');
  await storeDecision(deps, application, requestId, parsed.content, now);
  const after = await findApplication(database.query, application.id);
  return after && hasOtherDecision(after, requestId, parsed.content) ? 'different' : 'recorded';
}

async function recordInvalidDecision(
  { database, mail, onException }: CheckoutDeps,
  ref: ApplicationRef,
  requestId: string,
  invalid: InvalidResponse,
  now: Instant,
): Promise<void> {
  const exceptionId = newId();
  const raised = await database.write(async (tx) => {
    const { application } = await lockSession(tx, ref, now);
    if (application.requestId !== requestId || !isDecisionPending(application)) return undefined;
    return recordInvalid(tx, application, invalid, { id: exceptionId, now }, mail);
  });
  if (raised) onException(raised);
}
