import type { CheckoutOutcome } from '../../shared/wire/sandbox.ts';
import { fullName } from '../applications/contact.ts';
import type { Application } from '../applications/store.ts';
import { testCards } from '../cards/sandbox-gateway.ts';
import { getCart } from '../carts/store.ts';
import { awaitDecision } from '../checkout/decision/await.ts';
import { requestDecision } from '../checkout/decision/request.ts';
import { agreementConsents } from '../agreements/consents.ts';
import type { CheckoutDeps } from '../checkout/session/deps.ts';
import { sessionOfCart } from '../checkout/session/load.ts';
import { type Session, sessionAfter } from '../checkout/session/session.ts';
import { shownHash, termsOf } from '../agreements/agreement.ts';
import { type Completed, completed } from '../checkout/signing/complete.ts';
import { signAgreement } from '../checkout/signing/sign.ts';
import { changeDetails, startApplication } from '../checkout/steps/details/submit.ts';
import { saveCard } from '../checkout/steps/card/submit.ts';
import { positionOf } from '../checkout/step-registry.ts';
import { texts } from '../texts.ts';
import { choosePlan } from '../checkout/steps/plan/submit.ts';
import { ServiceError } from '../errors.ts';
import type { Merchant } from '../merchants/store.ts';
import type { Instant } from '../time.ts';
import { testBuyerDetails } from './test-buyer.ts';

/** The last four digits of the test buyer's tax id, which select the outcome. */
const TAX_ID_LAST4: Record<CheckoutOutcome, string> = { approved: '1001', denied: '2001', 'remainder-declined': '1101' };

const DECLINING_CARD = testCards.find(({ reference }) => reference === 'tok_declined')!;
const VALID_CARD = testCards.find(({ reference }) => reference === 'tok_visa')!;

/** Larger than the number of steps, because a step fails if a concurrent request has already completed it. */
const MAX_ATTEMPTS = 12;

/**
 * Completes the checkout of a cart as a test buyer, with the same operations as the pages: details, application, the plan with the lowest
 * payment, signature. Returns the transaction if the checkout is already completed. If concurrent requests complete steps of the same
 * checkout, continues from there.
 *
 * @throws ServiceError `cart-not-found`; `cart-closed` - the link has expired, or the checkout can no longer have this outcome;
 *   `not-approved`; `changed-meanwhile`
 */
export async function runCheckout(
  deps: CheckoutDeps,
  merchant: Merchant,
  cartId: string,
  outcome: CheckoutOutcome,
  now: Instant,
): Promise<Completed> {
  const { database } = deps;
  const session = async (): Promise<Session> =>
    sessionOfCart(database.query, await getCart(database.query, merchant.id, cartId), now);

  let current = await session();
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    if (current.state === 'completed') return completed(current, current.transactionId);
    try {
      const result = await takeStep(deps, current, outcome, now);
      if (result && 'redirectUrl' in result) return result;
      current = result ? sessionAfter(current, result, now) : await session();
    } catch (thrown) {
      if (!(await wasTakenConcurrently(thrown, current, session))) throw thrown;
      current = await session();
    }
  }
  throw new ServiceError('changed-meanwhile', 'Other requests changed the same checkout; please retry.');
}

/** Returns true if a step failed because another request has taken it. */
async function wasTakenConcurrently(thrown: unknown, before: Session, session: () => Promise<Session>): Promise<boolean> {
  if (!(thrown instanceof ServiceError)) return false;
  if (thrown.code === 'changed-meanwhile') return true;
  if (thrown.code !== 'cart-closed') return false;
  const after = await session();
  return positionOf(after) !== positionOf(before) || after.application?.id !== before.application?.id;
}

/** Takes the next step. Returns the completed checkout, or the application that the step saved, if any. */
async function takeStep(
  deps: CheckoutDeps,
  current: Session,
  outcome: CheckoutOutcome,
  now: Instant,
): Promise<Completed | Application | undefined> {
  const position = positionOf(current);
  const { options } = current.purchase;
  const { code } = current.cart;
  const { database } = deps;

  if (position === 'declined') throw new ServiceError('not-approved', 'The application was denied.');
  if (position === 'unavailable' || position === 'excluded')
    throw new ServiceError('not-approved', 'No plan is offered for this amount.');
  if (current.state === 'completed') throw unreachableOutcome(position, outcome);
  if (!current.application) {
    if (position !== 'details') throw unreachableOutcome(position, outcome);
    return startApplication(deps, code, { ...testBuyerDetails(options), language: 'en' }, now);
  }
  if (position === 'details') {
    const { application } = current;
    const details = { ...testBuyerDetails(options), language: application.language };
    await changeDetails(deps, application, details, application.sessionHash, now);
    return undefined;
  }
  if (position === 'apply') {
    const applicant = { dateOfBirth: '1990-12-10', taxIdLast4: TAX_ID_LAST4[outcome], annualIncomeCents: 8_400_000 };
    const decided = await requestDecision(deps, current.application, applicant, now);
    // Loads the session again if a new program version was imported after the session was loaded.
    return decided?.programVersion === current.program.version ? decided : undefined;
  }
  if (position === 'plans' && outcome !== 'denied') {
    return choosePlan(database, current.application, current.plans[0]!.offerId, now);
  }
  if (position === 'card') {
    await saveCard(database, current.application, outcome === 'remainder-declined' ? DECLINING_CARD : VALID_CARD, now);
    return undefined;
  }
  if (position === 'waiting') {
    await awaitDecision(database, current.application.id, now);
    return undefined;
  }
  if (position === 'agreement' && outcome === 'remainder-declined' && current.portions.cardCents === 0) {
    throw new ServiceError('not-approved', 'The whole amount is financed: there is no card payment to decline.');
  }
  if (position !== 'agreement' || outcome === 'denied') throw unreachableOutcome(position, outcome);
  const { language } = current.application;
  const consents = agreementConsents(current.program, texts[language]);
  const hash = shownHash(termsOf(current, language, now), current.application, consents);
  const name = fullName(current.application.billingContact);
  return signAgreement(deps, current.application, { name, shownHash: hash, language, client: null, code: null }, now);
}

function unreachableOutcome(position: string, outcome: CheckoutOutcome): ServiceError {
  return new ServiceError(
    'cart-closed',
    `Expected a checkout that can have the outcome ${outcome}, but it is at the step "${position}".`,
  );
}
