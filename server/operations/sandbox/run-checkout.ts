import type { CheckoutOutcome } from '../../../shared/wire/sandbox.ts';
import { fullName } from '../../base/contact.ts';
import type { Application } from '../../lending/applications/store.ts';
import { testCards } from '../../purchases/cards/sandbox-gateway.ts';
import { awaitOutcome } from '../../checkout/waiting/look-up.ts';
import { requestDecision } from '../../checkout/waiting/request-decision.ts';
import { agreementConsents } from '../../agreements/consents.ts';
import type { CheckoutDeps } from '../../checkout/session/deps.ts';
import { sessionOfCart } from '../../checkout/session/load.ts';
import { type Session, sessionOf, type StartedSession } from '../../checkout/session/session.ts';
import { shownHash, termsOf } from '../../agreements/agreement.ts';
import { type Completed, completed } from '../../checkout/signing/complete.ts';
import { signAgreement } from '../../checkout/waiting/sign-agreement.ts';
import { changeDetails, startApplication, type BuyerDetails } from '../../checkout/steps/details/submit.ts';
import { saveCard } from '../../checkout/steps/card.ts';
import { currentStep, positionOf } from '../../checkout/step-registry.ts';
import type { Step } from '../../checkout/steps/step.ts';
import { texts } from '../../base/texts.ts';
import { choosePlan } from '../../checkout/steps/plan.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Instant } from '../../base/time.ts';
import type { CartOptions } from '../../../shared/wire/cart.ts';
import { CAPITAL_ZIPS } from '../../../shared/wire/us-states.ts';
import { prefilledDetails, readDetails, fixedShipping } from '../../checkout/steps/details/form.ts';

/** The outcomes of the API, and those that only sample orders have. */
export type Outcome = CheckoutOutcome | 'partly-approved' | 'needs-action';

/** The last four digits of the test buyer's tax id, which select the outcome. */
const TAX_ID_LAST4: Record<Outcome, string> = {
  approved: '1001',
  denied: '2001',
  'remainder-declined': '1101',
  'partly-approved': '1101',
  'needs-action': '4002',
};

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
  merchantId: string,
  cartId: string,
  outcome: CheckoutOutcome,
  now: Instant,
): Promise<Completed> {
  // Completed, because no step is the last one.
  return (await takeSteps(deps, merchantId, cartId, { outcome }, now))!;
}

/** Takes the steps of `runCheckout`, up to `lastStep` if the buyer leaves the checkout after it: then returns undefined. */
export async function takeSteps(
  deps: CheckoutDeps,
  merchantId: string,
  cartId: string,
  { outcome, lastStep }: { outcome: Outcome; lastStep?: Step['name'] },
  now: Instant,
): Promise<Completed | undefined> {
  const { database } = deps;
  const session = (): Promise<Session> => sessionOfCart(database.query, merchantId, cartId, now);

  let current = await session();
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    if (current.state === 'completed') return completed(current, current.transactionId);
    try {
      const result = await takeStep(deps, current, outcome, now);
      if (result && 'redirectUrl' in result) return result;
      if (lastStep && currentStep(current)?.name === lastStep) return undefined;
      current = result ? await sessionOf(database.query, { ...current, application: result }, 'buyer', now) : await session();
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

/** Takes a step. Returns the completed checkout, or the application that the step saved, if any. */
type TakeStep = (
  deps: CheckoutDeps,
  session: StartedSession,
  outcome: Outcome,
  now: Instant,
) => Promise<Completed | Application | undefined>;

/** The steps of the registry, as the test buyer takes them. */
const stepsByName: Record<Step['name'], TakeStep> = {
  details: async (deps, { application, purchase }, _outcome, now) => {
    const details = { ...testBuyerDetails(purchase.options), language: application.language };
    await changeDetails(deps, application, details, application.sessionHash, now);
    return undefined;
  },
  apply: async (deps, { application, program }, outcome, now) => {
    const applicant = { dateOfBirth: '1990-12-10', taxIdLast4: TAX_ID_LAST4[outcome], annualIncomeCents: 8_400_000 };
    const decided = await requestDecision(deps, application, applicant, now);
    // Loads the session again if a new program version was imported after the session was loaded.
    return decided?.programVersion === program.version ? decided : undefined;
  },
  plans: async ({ database }, { application, plans }, outcome, now) => {
    if (outcome === 'denied') throw unreachableOutcome('plans', outcome);
    return choosePlan(database, application, plans[0]!.offerId, now);
  },
  card: async ({ database }, { application }, outcome, now) => {
    await saveCard(database, application, outcome === 'remainder-declined' ? DECLINING_CARD : VALID_CARD, now);
    return undefined;
  },
  agreement: async (deps, session, outcome, now) => {
    const { application, portions, program } = session;
    if (outcome === 'denied') throw unreachableOutcome('agreement', outcome);
    if (outcome === 'remainder-declined' && portions.cardCents === 0) {
      throw new ServiceError('not-approved', 'The whole amount is financed: there is no card payment to decline.');
    }
    const { language } = application;
    const hash = shownHash(termsOf(session, language, now), application, agreementConsents(program, texts[language]));
    const name = fullName(application.billingContact);
    return signAgreement(deps, application, { name, shownHash: hash, language, client: null, code: null }, now);
  },
};

/** Takes the next step. */
async function takeStep(
  deps: CheckoutDeps,
  current: Session,
  outcome: Outcome,
  now: Instant,
): Promise<Completed | Application | undefined> {
  const step = currentStep(current)?.name;
  if (current.state === 'declined') throw new ServiceError('not-approved', 'The application was denied.');
  if (current.state === 'unavailable' || current.state === 'excluded') {
    throw new ServiceError('not-approved', 'No plan is offered for this amount.');
  }
  if (current.application && current.state === 'waiting') {
    await awaitOutcome(deps.database, current.application.id, now);
    return undefined;
  }
  if (!step || current.state === 'completed') throw unreachableOutcome(current.state, outcome);
  if (current.application) return stepsByName[step](deps, current, outcome, now);
  if (step !== 'details') throw unreachableOutcome(step, outcome);
  return startApplication(deps, current.cart.code, { ...testBuyerDetails(current.purchase.options), language: 'en' }, now);
}

function unreachableOutcome(position: string, outcome: Outcome): ServiceError {
  return new ServiceError(
    'cart-closed',
    `Expected a checkout that can have the outcome ${outcome}, but it is at the step "${position}".`,
  );
}

/** Replaces the values of fields that are empty or invalid in the prefilled form. */
const TEST_BUYER: Readonly<Record<string, string>> = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '5550100100',
  address: '12 Analytical Way',
  address2: '',
  city: 'Springfield',
  state: 'IL',
  shippingFirstName: 'Ada',
  shippingLastName: 'Lovelace',
  shippingAddress: '12 Analytical Way',
  shippingAddress2: '',
  shippingCity: 'Springfield',
};

/**
 * Returns the details of the test buyer: the prefilled form with the first shipping option. Fields that the form rejects get
 * the values of the test buyer. A rejected ZIP code is replaced with one of the state's capital. A state that contradicts its ZIP code is
 * confirmed: the hidden field `asked` has the contradictions that the buyer was asked about.
 */
function testBuyerDetails(options: CartOptions): Omit<BuyerDetails, 'language'> {
  const shown: Record<string, string> = prefilledDetails(options, undefined).values;
  const typed = { ...shown, shippingTypeId: options.shippingOptions?.[0]?.typeId };
  const first = readDetails(options, typed);
  if (first.ok) return first.details;
  const form = { ...typed, asked: first.values['asked'] };
  const read = readDetails(options, form);
  if (read.ok) return read.details;

  const replacements: Record<string, string | undefined> = {
    ...TEST_BUYER,
    zip: CAPITAL_ZIPS[shown['state'] || TEST_BUYER['state']!],
    shippingZip: CAPITAL_ZIPS[fixedShipping(options)?.state ?? shown['shippingState'] ?? ''],
  };
  const corrected = Object.fromEntries(Object.keys(read.errors).map((name) => [name, replacements[name]]));
  const again = readDetails(options, { ...form, ...corrected });
  if (!again.ok) throw new Error(`The test buyer cannot fill in ${Object.keys(again.errors).join(', ')}.`);
  return again.details;
}
