import type { KeyObject } from 'node:crypto';
import type { Language } from '../../../shared/languages/index.ts';
import { chosenPlan, disclosureHash, shownHash, signedAgreement, type Terms, termsOf } from '../../agreements/agreement.ts';
import { agreementConsents, consentsAt } from '../../agreements/consents.ts';
import { signedDocument } from '../../agreements/document.ts';
import { addDocument, type StoredDocument, findDocumentOfApplication } from '../../agreements/store.ts';
import { applicationStatusAfter } from '../../lending/applications/lifecycle.ts';
import { hasException, leased } from '../../lending/applications/request.ts';
import { type Application, saveApplication } from '../../lending/applications/store.ts';
import { together, type Tx } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { type Exception, findResolved } from '../../lending/exceptions/store.ts';
import { newId, newToken } from '../../base/ids.ts';
import { type SignedLoan, UnknownOutcomeError } from '../../lending/lenders/lender.ts';
import { texts } from '../../base/texts.ts';
import { type Instant, WRITE_TIME } from '../../base/time.ts';
import { type Asker, awaitDecision, type Claimed, claimRequest, releaseRequest } from '../decision/await.ts';
import { denyUndecided, offerOf } from '../decision/decide.ts';
import { resolveDecision } from '../decision/request.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { type LenderFacts, lenderOrder } from '../session/lender-order.ts';
import { type ApplicationRef, lockShownSession, requireState, type ShownApplication } from '../session/load.ts';
import type { StartedSession } from '../session/session.ts';
import { canSign } from '../session/state.ts';
import { completeCheckout, type Completed, completed, recordReturn, withdrawLoan } from './complete.ts';
import { type CodeResult, useCode, WrongCodeError } from './one-time-code.ts';
import type { NewAgreement, BuyerClient } from '../../lending/applications/signature.ts';

export interface Signature {
  /** The typed name. */
  name: string;
  /** `shownHash` of the page that was signed. */
  shownHash: string;
  /** Language of that page. */
  language: Language;
  /** The browser; null without one. */
  client: BuyerClient | null;
  /** The one-time code that was entered; null for a test buyer without a mailbox, who needs none. */
  code: string | null;
}

/**
 * Signs the agreement, sends it to the lender, and completes the checkout.
 *
 * The signature and the buyer's document are stored before the lender receives the agreement, so that no accepted loan is lost. After an
 * interruption, a background job continues. Signing again returns the same result.
 *
 * @returns Undefined while the lender's response is unknown, or if the lender has withdrawn the loan.
 * @throws ServiceError `cart-closed`, or `changed-meanwhile` - the disclosure, card, buyer or an address differs from what was shown,
 *   for example because a new day has begun; the agreement must be shown and signed again.
 * @throws WrongCodeError - the program requires a one-time code, and another one was entered. The attempt was counted.
 */
export async function signAgreement(
  deps: Pick<CheckoutDeps, 'database' | 'lender' | 'mail' | 'codeKey' | 'onException' | 'wakeDelivery'>,
  shown: ShownApplication,
  signature: Signature,
  now: Instant,
): Promise<Completed | undefined> {
  const agreementId = newId();
  const transactionId = newId();
  const documentIds = { id: newId(), code: newToken(16) };
  const { database, mail, codeKey } = deps;
  const signed = await database.write(async (tx) => {
    const locked = await lockShownSession(tx, shown, now);
    if (locked.state === 'completed' || locked.state === 'waiting') return undefined;
    requireState(locked, canSign);
    const terms = shownTerms(locked, signature, now);
    const unstored = agreementOf(locked, terms, signature, { id: agreementId, transactionId }, now);
    const { result, ...verified } = await verifiedByCode(tx, codeKey, locked, signature.code, now);
    // Returned instead of thrown, so that a wrong code is counted.
    if (result !== 'correct') return result;
    const session = { ...locked, ...verified };
    const application = { ...session.application, language: signature.language };
    const { document, agreement } = signedDocument({ ...session, application }, terms, unstored, documentIds, mail, now);
    const saved = saveApplication(tx, session.application, {
      language: signature.language,
      ...applicationStatusAfter('attempt', application.status),
      paymentAgreements: [agreement],
      ...leased(now),
      requestAttempts: 0,
      updatedAt: WRITE_TIME,
    });
    const [after] = await together(saved, addDocument(tx, document, documentIds.code));
    return { session: { ...session, application: after }, document };
  });
  if (typeof signed === 'string') throw new WrongCodeError(signed);
  if (signed) return finishSigned(deps, signed.session, signed.document, now, { isReturning: signature.client !== null });
  const session = await awaitDecision(database, shown.id, now);
  if (session.state !== 'completed') return undefined;
  await recordReturn(deps, session, now);
  return completed(session, session.transactionId);
}

/** Uses the code of the signature if the program requires one. */
async function verifiedByCode(
  tx: Tx,
  codeKey: KeyObject,
  { application, program }: StartedSession,
  code: string | null,
  now: Instant,
): Promise<{ result: CodeResult; application: Application }> {
  if (code === null || program.signature.code === 'none') return { result: 'correct', application };
  return useCode(tx, codeKey, application, 'signature', code, now);
}

/**
 * Sends a signed agreement to the lender and completes the checkout, or denies it. May be repeated at any time.
 *
 * @param session  - With its application as it was saved with the lease of the request.
 * @param document - The stored document of the application.
 * @param options  - See `completeCheckout`.
 */
async function finishSigned(
  deps: Pick<CheckoutDeps, 'database' | 'lender' | 'mail' | 'onException' | 'wakeDelivery'>,
  session: LenderFacts,
  document: StoredDocument | undefined,
  now: Instant,
  options: { isReturning?: boolean } = {},
): Promise<Completed | undefined> {
  const { lender } = deps;
  const { application } = session;
  try {
    const response = await lender.accept(loanOf(session, document));
    if (response.outcome === 'accepted') {
      return await completeCheckout(deps, application, now, { ...options, loanNumber: response.loanNumber });
    }
    await withdrawLoan(deps, application, response, now);
    return undefined;
  } catch (thrown) {
    await releaseRequest(deps, application, thrown, now);
    if (thrown instanceof UnknownOutcomeError) return undefined;
    throw thrown;
  }
}

function loanOf(session: LenderFacts, document: StoredDocument | undefined): SignedLoan {
  const { application } = session;
  const agreement = signedAgreement(application);
  if (!agreement || !document) throw new Error('A checkout was attempted without an agreement.');
  const { id, disclosure, disclosureHash: hash, signedName, signedAt, client, codeSentBy, consents } = agreement;
  const { language, html, sha256 } = document;
  return {
    agreementId: id,
    requestId: application.requestId ?? '',
    applicationId: application.id,
    disclosure,
    disclosureHash: hash,
    signedName,
    signedAt,
    client,
    codeSentBy,
    consents,
    document: { language, html, sha256 },
    contact: application.billingContact,
    ...lenderOrder(session),
    transactionId: agreement.transactionId,
  };
}

/** Returns the terms that the signature is for. @throws ServiceError `changed-meanwhile` - they are not those that were shown. */
function shownTerms(session: StartedSession, signature: Signature, now: Instant): Terms {
  const terms = termsOf(session, signature.language, now);
  const consents = agreementConsents(session.program, texts[signature.language]);
  if (shownHash(terms, session.application, consents) !== signature.shownHash) {
    throw new ServiceError('changed-meanwhile', 'The agreement has changed since it was shown.');
  }
  return terms;
}

function agreementOf(
  session: StartedSession,
  { disclosure }: Terms,
  signature: Signature,
  ids: { id: string; transactionId: string },
  now: Instant,
): NewAgreement {
  const { cart, program } = session;
  const codeChannel = program.signature.code;
  return {
    ...ids,
    offer: offerOf(chosenPlan(session), { programId: cart.programId, currency: program.currency }),
    disclosure,
    disclosureHash: disclosureHash(disclosure),
    signedName: signature.name,
    signedAt: now,
    consents: consentsAt(agreementConsents(program, texts[signature.language]), now),
    client: signature.client,
    codeSentBy: codeChannel === 'none' || signature.code === null ? null : codeChannel,
  };
}

/**
 * Retrieves what a checkout waits for from the lender, unless a request is in progress: the decision about the application, or the
 * acceptance of the signed loan. If a person has resolved it, applies the resolution instead.
 *
 * @throws ServiceError `cart-not-found`
 */
export async function resolveWaiting(
  deps: CheckoutDeps,
  ref: ApplicationRef,
  now: Instant,
  asker: Asker = 'buyer',
): Promise<void> {
  const { query } = deps.database;
  const claimed = await claimRequest(deps.database, ref, asker, now);
  if (!claimed) return;
  const { session, application } = claimed;
  const mayBeResolved = asker === 'job' || hasException(application);
  const resolved = mayBeResolved ? await findResolved(query, application.id) : undefined;
  if (resolved) return applyResolution(deps, claimed, resolved, now);
  if (application.status !== 'ATTEMPTED_CHECKOUT') return resolveDecision(deps, claimed, now);
  await finishSigned(deps, { ...session, application }, await findDocumentOfApplication(query, application.id), now);
}

/** Applies how a person has resolved an exception. What does not fit the application any more has no effect. */
async function applyResolution(
  deps: CheckoutDeps,
  { application }: Claimed,
  { resolution, denialReason }: Exception,
  now: Instant,
) {
  const reasons = denialReason === null ? undefined : [denialReason];
  if (resolution === 'deny') await denyUndecided(deps, application, reasons ?? ['other'], now);
  if (resolution === 'rejected') await withdrawLoan(deps, application, { reasons }, now, true);
  if (resolution === 'accepted') await completeCheckout(deps, application, now);
}
