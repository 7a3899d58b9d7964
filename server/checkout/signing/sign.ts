import type { KeyObject } from 'node:crypto';
import type { Language } from '../../../shared/languages/index.ts';
import { chosenPlan, disclosureHash, shownHash, type Terms, termsOf } from '../../agreements/agreement.ts';
import { agreementConsents, consentsAt } from '../../agreements/consents.ts';
import { signedDocument } from '../../agreements/document.ts';
import type { StoredDocument } from '../../agreements/store.ts';
import { applicationStatusAfter } from '../../lending/applications/lifecycle.ts';
import { offerOf } from '../../lending/applications/offers.ts';
import type { BuyerClient, NewAgreement } from '../../lending/applications/signature.ts';
import type { Application, ApplicationChanges } from '../../lending/applications/store.ts';
import type { Tx } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { texts } from '../../base/texts.ts';
import { type Instant, DATABASE_NOW } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import type { StartedSession } from '../session/session.ts';
import { type CodeResult, useCode } from './one-time-code.ts';

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

/** Ids of the rows that a signature adds. Created outside of the database transaction, which may be repeated. */
export interface SignatureIds {
  agreementId: string;
  transactionId: string;
  document: { id: string; code: string };
}

/** A signature that is not saved yet. */
export interface Signed {
  /** The application, whose code was used. */
  application: Application;
  changes: ApplicationChanges;
  /** The buyer's document. */
  document: StoredDocument;
}

/**
 * Signs the agreement of a checkout whose cart is locked.
 *
 * @returns The signature to save; or the result of comparing the one-time code that the program requires, whose attempt was counted.
 * @throws ServiceError `changed-meanwhile` - the disclosure, card, buyer or an address differs from what was shown, for example because a
 *   new day has begun; the agreement must be shown and signed again.
 */
export async function sign(
  tx: Tx,
  { mail, codeKey }: Pick<CheckoutDeps, 'mail' | 'codeKey'>,
  locked: StartedSession,
  signature: Signature,
  ids: SignatureIds,
  now: Instant,
): Promise<Signed | Exclude<CodeResult, 'correct'>> {
  const terms = shownTerms(locked, signature, now);
  const unstored = agreementOf(locked, terms, signature, ids, now);
  const { result, application } = await verifiedByCode(tx, codeKey, locked, signature.code, now);
  if (result !== 'correct') return result;
  const { language } = signature;
  const financed = { ...locked, application: { ...application, language } };
  const { document, agreement } = signedDocument(financed, terms, unstored, ids.document, mail, now);
  const status = applicationStatusAfter('attempt', application.status);
  return { application, document, changes: { language, ...status, paymentAgreements: [agreement], updatedAt: DATABASE_NOW } };
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
  { agreementId, transactionId }: SignatureIds,
  now: Instant,
): NewAgreement {
  const { cart, program } = session;
  const codeChannel = program.signature.code;
  return {
    id: agreementId,
    transactionId,
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
