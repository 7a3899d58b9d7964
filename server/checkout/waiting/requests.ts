import { signedAgreement } from '../../agreements/agreement.ts';
import { findDocumentOfApplication, type StoredDocument } from '../../agreements/store.ts';
import type { DenialReason } from '../../lending/applications/decision.ts';
import { isDecisionPending } from '../../lending/applications/lifecycle.ts';
import type { Application, ApplicationRef } from '../../lending/applications/store.ts';
import type { NewException } from '../../lending/exceptions/store.ts';
import type { LenderMerchant, LenderOrder, SignedLoan } from '../../lending/lenders/lender.ts';
import { needsShipping } from '../../purchases/carts/totals.ts';
import type { Instant } from '../../base/time.ts';
import { decisionContext, denyUndecided, storeDecision, withdrawLoan } from '../decision/decide.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import type { StartedSession } from '../session/session.ts';
import { completeCheckout, type Completed, type CompletionOptions } from '../signing/complete.ts';

/** A checkout with its application as it was saved with the lease of a request. */
export type LeasedCheckout = Pick<StartedSession, 'merchant' | 'program' | 'purchase' | 'pricing' | 'application'>;

/** The parts of a checkout that a lender receives. */
type SentCheckout = Pick<LeasedCheckout, 'merchant' | 'purchase' | 'application'>;

/** A checkout with the program that validates the lender's response. */
type SignedCheckout = SentCheckout & Pick<LeasedCheckout, 'program'>;

/** Applies the resolution of an exception by a person. What does not fit the application any more has no effect. */
type Resolve = (deps: CheckoutDeps, ref: ApplicationRef, reasons: DenialReason[] | undefined, now: Instant) => Promise<unknown>;

/** A kind of request to the lender, whose outcome an application waits for. */
interface RequestKind {
  isPending(application: Pick<Application, 'status' | 'statusCode'>): boolean;
  /** Asks the lender for the outcome, and applies it. `undecided` without one. May be repeated at any time. */
  ask(deps: CheckoutDeps, checkout: LeasedCheckout, now: Instant): Promise<unknown>;
  /** Kind of the exception that is raised after the last attempt, and about an invalid response. */
  exception: NewException['kind'];
  /** The request in the fault of an invalid response: `request 0190f1a0-…`. */
  about(application: Application): string;
  /** The resolutions of its exceptions besides `retry`. */
  resolutions: Partial<Record<'deny' | 'accepted' | 'rejected', Resolve>>;
}

const requestKinds: readonly RequestKind[] = [
  // A decision that the response to `requestDecision` has not contained.
  {
    isPending: isDecisionPending,
    ask: async (deps, checkout, now) => {
      const { application } = checkout;
      const requestId = application.requestId!;
      const decision = await deps.lender.decisionOf(decisionContext(checkout, requestId, deps.cards));
      return decision === 'undecided' ? decision : storeDecision(deps, application, requestId, decision, now);
    },
    exception: 'decision',
    about: ({ requestId }) => `request ${requestId}`,
    resolutions: {
      deny: (deps, ref, reasons = ['other'], now) => denyUndecided(deps, ref, reasons, now),
    },
  },
  // The acceptance of a signed agreement.
  {
    isPending: ({ status }) => status === 'ATTEMPTED_CHECKOUT',
    ask: async (deps, checkout, now) =>
      sendAgreement(deps, checkout, await findDocumentOfApplication(deps.database.query, checkout.application.id), now),
    exception: 'agreement',
    about: (application) => `agreement ${signedAgreement(application)?.id}`,
    resolutions: {
      accepted: (deps, ref, _reasons, now) => completeCheckout(deps, ref, now),
      // Reported to the lender, which has not answered.
      rejected: (deps, ref, reasons, now) => withdrawLoan(deps, ref, { reasons }, now, true),
    },
  },
];

/** Returns the kind of the request whose outcome an application waits for, if it waits for a lender. */
export function pendingRequest(application: Pick<Application, 'status' | 'statusCode'>): RequestKind | undefined {
  return requestKinds.find(({ isPending }) => isPending(application));
}

/**
 * Sends a signed agreement to the lender and completes the checkout, or denies it. May be repeated at any time.
 *
 * @param document - The stored document of the application.
 * @returns Undefined if the lender has rejected the loan.
 * @throws UnknownOutcomeError
 */
export async function sendAgreement(
  deps: Pick<CheckoutDeps, 'database' | 'lender' | 'mail' | 'onException' | 'wakeDelivery'>,
  checkout: SignedCheckout,
  document: StoredDocument | undefined,
  now: Instant,
  options: Pick<CompletionOptions, 'isReturning'> = {},
): Promise<Completed | undefined> {
  const { application, program } = checkout;
  const response = await deps.lender.accept(loanOf(checkout, document), program);
  if (response.outcome === 'accepted') {
    return completeCheckout(deps, application, now, { ...options, loanNumber: response.loanNumber });
  }
  await withdrawLoan(deps, application, response, now);
  return undefined;
}

function loanOf(checkout: SentCheckout, document: StoredDocument | undefined): SignedLoan {
  const { application } = checkout;
  const agreement = signedAgreement(application);
  if (!agreement || !document) throw new Error('A checkout was attempted without an agreement.');
  const { disclosure, disclosureHash, signedName, signedAt, client, codeSentBy, consents, transactionId } = agreement;
  const { language, html, sha256 } = document;
  return {
    agreementId: agreement.id,
    requestId: application.requestId ?? '',
    applicationId: application.id,
    disclosure,
    disclosureHash,
    signedName,
    signedAt,
    client,
    codeSentBy,
    consents,
    document: { language, html, sha256 },
    contact: application.billingContact,
    ...lenderOrder(checkout),
    transactionId,
  };
}

/** Returns the merchant and the order of a checkout, as lenders receive them. */
export function lenderOrder({ merchant, purchase, application }: SentCheckout): { merchant: LenderMerchant; order: LenderOrder } {
  const { options, totals } = purchase;
  const { firstName, lastName, address, address2, city, state, zip } = application.shippingContact;
  return {
    merchant: { id: merchant.id, name: merchant.name, category: merchant.category },
    order: {
      reference: options.orderRef ?? '',
      totalCents: totals.totalCents,
      shippingCents: totals.shippingCents,
      taxCents: totals.taxCents,
      lines: (options.items ?? []).map(({ sku, name = '', quantity, price }) => ({ sku, name, quantity, priceCents: price })),
      shippingAddress: needsShipping(options) ? { firstName, lastName, address, address2, city, state, zip } : null,
    },
  };
}
