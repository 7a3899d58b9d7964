import type { Language } from '../../../shared/disclosure/texts.ts';
import type { Offer } from '../../../shared/wire/application.ts';
import { buyerOf } from '../../applications/contact.ts';
import { statusAfter } from '../../applications/lifecycle.ts';
import { type ApplicationRow, saveApplication } from '../../applications/store.ts';
import { ServiceError } from '../../errors.ts';
import { newId, newToken } from '../../ids.ts';
import { type SignedLoan, UnknownOutcome } from '../../lenders/lender.ts';
import { type Instant, plusMs } from '../../time.ts';
import { disclosureHash, type PaymentAgreement, shownHash, signedAgreement } from './agreement.ts';
import { ASKING_MS, awaitOutcome, letOthersAsk } from '../decision/await.ts';
import { type Completed, completeCheckout, completed, withdraw } from './complete.ts';
import { chosenPlan, disclosureOf } from './disclosure.ts';
import { keepDocument } from './store-document.ts';
import { lockShownSession, requireStep, type Shown } from '../session/load.ts';
import type { CheckoutMeans } from '../deps.ts';
import { presentAgreement, presentOffer } from '../session/present.ts';
import type { StartedSession } from '../session/session.ts';

export interface Signature {
  /** The name the buyer signed with. */
  name: string;
  /** `shownHash` of what was on the screen. */
  shownHash: string;
  /** The language it was in. */
  language: Language;
}

/**
 * Signs the agreement, tells the lender, and finishes the checkout.
 *
 * What is signed is kept as a page for the buyer, with the signature. The signature is written before the lender hears of it, so
 * that no accepted loan is forgotten; what is cut off in between is finished by the sweep. Signing again answers as the first
 * time did.
 *
 * @returns Where to send the buyer; undefined while nobody knows what the lender says, or when it will not lend.
 * @throws ServiceError `cart-closed`, or `changed-meanwhile` - the disclosure, the card, the buyer or an address is not as it was
 *   shown, for example because a new day has begun; the agreement must be shown and signed again.
 */
export async function signAgreement(
  means: Pick<CheckoutMeans, 'database' | 'lender' | 'mail' | 'onCompleted'>,
  shown: Shown,
  signature: Signature,
  now: Instant,
): Promise<Completed | undefined> {
  const [agreementId, document] = [newId(), { id: newId(), code: newToken(16) }];
  const { database, mail } = means;
  const signed = await database.write(async (tx) => {
    const session = await lockShownSession(tx, shown, now);
    if (session.reached === 'completed' || session.reached === 'waiting') return undefined;
    requireStep(session, 'agreement');
    const application = { ...session.application, language: signature.language };
    const unstored = agreementOf(session, signature, agreementId, now);
    const agreement = await keepDocument(tx, { ...session, application }, unstored, document, mail);
    return saveApplication(tx, {
      ...application,
      ...statusAfter('attempt', application.status),
      payment_agreements_json: JSON.stringify([agreement]),
      shown_agreements_json: JSON.stringify([presentAgreement(agreement, offerSigned(session))]),
      asked_until: plusMs(now, ASKING_MS),
      updated_at: now,
    });
  });
  if (signed) return finishSigned(means, signed, now);
  const session = await awaitOutcome(database, shown.id, now);
  return session.reached === 'completed' ? completed(session, session.transactionId) : undefined;
}

/**
 * Sends a signed agreement to the lender and finishes the checkout by its answer. May be repeated at any time.
 *
 * @param application - As it was saved when it was signed, or claimed since.
 * @returns As `signAgreement` does.
 */
export async function finishSigned(
  means: Pick<CheckoutMeans, 'database' | 'lender' | 'mail' | 'onCompleted'>,
  application: ApplicationRow,
  now: Instant,
): Promise<Completed | undefined> {
  const { database, lender } = means;
  try {
    const answer = await lender.accept(loanOf(application));
    if (answer === 'accepted') return await completeCheckout(means, application, now);
    await withdraw(means, application, now);
    return undefined;
  } catch (thrown) {
    await letOthersAsk(database, application, thrown, now);
    if (thrown instanceof UnknownOutcome) return undefined;
    throw thrown;
  }
}

function loanOf(application: ApplicationRow): SignedLoan {
  const agreement = signedAgreement(application);
  if (!agreement) throw new Error('A checkout was attempted without an agreement.');
  const { id, disclosure, disclosureHash: hash, signedName, signedAt } = agreement;
  return {
    agreementId: id,
    requestId: application.request_id ?? '',
    applicationId: application.id,
    disclosure,
    disclosureHash: hash,
    signedName,
    signedAt,
    contact: buyerOf(application),
  };
}

function agreementOf(session: StartedSession, signature: Signature, id: string, now: Instant): PaymentAgreement {
  const disclosure = disclosureOf(session, signature.language, now);
  if (shownHash(disclosure, session.application) !== signature.shownHash) {
    throw new ServiceError('changed-meanwhile', 'The agreement has changed since it was shown.');
  }
  return { id, disclosure, disclosureHash: disclosureHash(disclosure), signedName: signature.name, signedAt: now };
}

function offerSigned(session: StartedSession): Offer {
  const { cart, program } = session;
  return presentOffer(chosenPlan(session), { programId: cart.program_id, currency: program.currency });
}
