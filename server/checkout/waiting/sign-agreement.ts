import { addDocument } from '../../agreements/store.ts';
import { saveApplication } from '../../lending/applications/store.ts';
import { together } from '../../db/database.ts';
import { newId, newToken } from '../../base/ids.ts';
import type { Instant } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { lockShownSession, type ShownApplication } from '../session/load.ts';
import type { StartedSession } from '../session/session.ts';
import { canSign } from '../session/state.ts';
import { type Completed, completed, recordReturn } from '../signing/complete.ts';
import { WrongCodeError } from '../signing/one-time-code.ts';
import { sign, type Signature } from '../signing/sign.ts';
import { askWithLease } from './lease.ts';
import { sent } from './lifecycle.ts';
import { awaitOutcome } from './look-up.ts';
import { sendAgreement } from './requests.ts';

/**
 * Signs the agreement, sends it to the lender, and completes the checkout.
 *
 * The signature and the buyer's document are stored before the lender receives the agreement, so that no accepted loan is lost. After an
 * interruption, a background job continues. Signing again returns the same result.
 *
 * @returns Undefined while the lender's response is unknown, or if the lender has withdrawn the loan.
 * @throws ServiceError `cart-closed`, or `changed-meanwhile`: see `sign`.
 * @throws WrongCodeError - the program requires a one-time code, and another one was entered. The attempt was counted.
 */
export async function signAgreement(
  deps: Pick<CheckoutDeps, 'database' | 'lender' | 'mail' | 'codeKey' | 'onException' | 'wakeDelivery'>,
  shown: ShownApplication,
  signature: Signature,
  now: Instant,
): Promise<Completed | undefined> {
  const ids = { agreementId: newId(), transactionId: newId(), document: { id: newId(), code: newToken(16) } };
  const { database } = deps;
  const signed = await database.write(async (tx) => {
    const session = await lockShownSession(tx, shown, now, (each) => isSigned(each) || canSign(each));
    if (isSigned(session)) return undefined;
    const result = await sign(tx, deps, session, signature, ids, now);
    // Returned instead of thrown, so that a wrong code is counted.
    if (typeof result === 'string') return result;
    const { application, changes, document } = result;
    const saved = saveApplication(tx, application, { ...changes, ...sent(application, now) });
    const [after] = await together(saved, addDocument(tx, document, ids.document.code));
    return { checkout: { ...session, application: after }, document };
  });
  if (typeof signed === 'string') throw new WrongCodeError(signed);
  if (signed) {
    const { checkout, document } = signed;
    const options = { isReturning: signature.client !== null };
    return askWithLease(deps, checkout.application, now, () => sendAgreement(deps, checkout, document, now, options));
  }
  const session = await awaitOutcome(database, shown.id, now);
  if (session.state !== 'completed') return undefined;
  await recordReturn(deps, session, now);
  return completed(session, session.transactionId);
}

/** Returns true after a signature, of which the lender's acceptance may be unknown. */
function isSigned({ state }: StartedSession): boolean {
  return state === 'waiting' || state === 'completed';
}
