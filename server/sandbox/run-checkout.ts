import type { CheckoutOutcome } from '../../shared/wire/sandbox.ts';
import type { ApplicationRow } from '../applications/store.ts';
import { testCards } from '../cards/sandbox-gateway.ts';
import { getCart } from '../carts/store.ts';
import { awaitDecision } from '../checkout/decision/await.ts';
import { requestDecision } from '../checkout/decision/request.ts';
import type { CheckoutDeps } from '../checkout/deps.ts';
import { sessionOfCart } from '../checkout/session/load.ts';
import { type Session, sessionAfter } from '../checkout/session/session.ts';
import { disclosureOf, shownHash } from '../checkout/signing/agreement.ts';
import { type Completed, completed } from '../checkout/signing/complete.ts';
import { signAgreement } from '../checkout/signing/sign.ts';
import { startApplication } from '../checkout/steps/details/submit.ts';
import { saveCard } from '../checkout/steps/card/submit.ts';
import { positionOf } from '../checkout/steps/index.ts';
import { choosePlan } from '../checkout/steps/plan/submit.ts';
import { ServiceError } from '../errors.ts';
import type { MerchantRow } from '../merchants/store.ts';
import type { Instant } from '../time.ts';
import { TEST_BUYER_NAME, testBuyerDetails } from './test-buyer.ts';

/** Which of the test buyers each outcome takes. */
const DIGITS: Record<CheckoutOutcome, string> = { approved: '1001', denied: '2001', 'remainder-declined': '1101' };

const DECLINING_CARD = testCards.find(({ reference }) => reference === 'tok_declined')!;

/** More than there are steps, each of which somebody else may take at the same moment. */
const MAX_ATTEMPTS = 12;

/**
 * Takes a cart through the checkout as a test buyer would, by the verbs the pages use: details, application, the
 * cheapest plan, signature. A checkout that is complete already answers with its transaction; one that somebody else takes
 * further at the same moment is gone on with from there.
 *
 * @throws ServiceError `cart-not-found`, `cart-closed` - the link has expired; `not-approved`; `changed-meanwhile`
 */
export async function runCheckout(
  deps: CheckoutDeps,
  merchant: MerchantRow,
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
      const taken = await takeStep(deps, current, outcome, now);
      if (taken && 'redirectUrl' in taken) return taken;
      current = taken ? sessionAfter(current, taken, now) : await session();
    } catch (thrown) {
      if (!(await wasTaken(thrown, current, session))) throw thrown;
      current = await session();
    }
  }
  throw new ServiceError('changed-meanwhile', 'Other requests changed the same checkout; please retry.');
}

/** Whether a step was refused because another request has taken it. */
async function wasTaken(thrown: unknown, before: Session, session: () => Promise<Session>): Promise<boolean> {
  if (!(thrown instanceof ServiceError)) return false;
  if (thrown.code === 'changed-meanwhile') return true;
  if (thrown.code !== 'cart-closed') return false;
  const after = await session();
  return positionOf(after) !== positionOf(before) || after.application?.id !== before.application?.id;
}

/** @returns Where the checkout led, once it is complete; the application, where the step has saved one. */
async function takeStep(
  deps: CheckoutDeps,
  current: Session,
  outcome: CheckoutOutcome,
  now: Instant,
): Promise<Completed | ApplicationRow | undefined> {
  const position = positionOf(current);
  const { options } = current.purchase;
  const { code } = current.cart;
  const { database } = deps;

  if (position === 'declined') throw new ServiceError('not-approved', 'The application was denied.');
  if (position === 'unavailable' || position === 'excluded')
    throw new ServiceError('not-approved', 'No plan is offered for this amount.');
  if (current.state === 'completed') throw cannotEnd(position, outcome);
  if (!current.application) {
    if (position !== 'details') throw cannotEnd(position, outcome);
    return startApplication(deps, code, { ...testBuyerDetails(options), language: 'en' }, now);
  }
  if (position === 'apply') {
    const applicant = { dateOfBirth: '1990-12-10', taxIdLast4: DIGITS[outcome], annualIncomeCents: 8_400_000 };
    const decided = await requestDecision(deps, current.application, applicant, now);
    // A version that was imported meanwhile is read with the session.
    return decided?.program_version === current.program.version ? decided : undefined;
  }
  if (position === 'plans' && outcome !== 'denied') {
    return choosePlan(database, current.application, current.plans[0]!.offerId, now);
  }
  if (position === 'card') {
    await saveCard(database, current.application, DECLINING_CARD, now);
    return undefined;
  }
  if (position === 'waiting') {
    await awaitDecision(database, current.application.id, now);
    return undefined;
  }
  if (position === 'agreement' && outcome === 'remainder-declined' && current.parts.cardCents === 0) {
    throw new ServiceError('not-approved', 'All of this amount is lent: nothing is left to be paid by card.');
  }
  if (position !== 'agreement' || outcome === 'denied') throw cannotEnd(position, outcome);
  const { language } = current.application;
  const hash = shownHash(disclosureOf(current, language, now), current.application);
  return signAgreement(deps, current.application, { name: TEST_BUYER_NAME, shownHash: hash, language }, now);
}

function cannotEnd(position: string, outcome: CheckoutOutcome): ServiceError {
  return new ServiceError('cart-closed', `The checkout is at the step "${position}" and cannot end ${outcome}.`);
}
