import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import Stripe from 'stripe';
import { ServiceError } from '../../base/errors.ts';
import { instantOf } from '../../base/time.ts';
import { type CardEntry, CardFailure, type CardGateway, type CardHold, type CardOnFile, type CardPortion } from './gateway.ts';

/** Version of Stripe's API. The library's types allow only the version that they describe. */
const API_VERSION = '2026-10-28.endive';

/** Two calls with one retry each take less time than the lease of a delivery. */
const TIMEOUT_MS = 10_000;
const MAX_NETWORK_RETRIES = 1;

export interface StripeOptions {
  /** A secret key. */
  key: string;
  /** Receives all errors except declines. Their cause is not shown to buyers. */
  onFault: (thrown: unknown) => void;
  /** The API server in tests. */
  api?: { host: string; port: number; protocol: 'http' | 'https'; timeoutMs?: number };
}

/**
 * Charges cards with Stripe. Buyers enter the card on Stripe's page (Checkout, mode `setup`), so that its number never reaches this
 * service and no script is needed. The `reference` is a PaymentIntent with that card. It is confirmed when the purchase is authorized,
 * which places the hold.
 *
 * @see https://docs.stripe.com/payments/save-and-reuse?platform=checkout
 * @see https://docs.stripe.com/payments/place-a-hold-on-a-payment-method
 */
export function createStripeGateway({ key, onFault, api }: StripeOptions): CardGateway {
  const { timeoutMs = TIMEOUT_MS, ...address } = api ?? {};
  const httpAgent = new (api?.protocol === 'http' ? HttpAgent : HttpsAgent)({ keepAlive: true });
  const stripe = new Stripe(key, {
    apiVersion: API_VERSION,
    timeout: timeoutMs,
    maxNetworkRetries: MAX_NETWORK_RETRIES,
    telemetry: false,
    httpAgent,
    ...address,
  });

  async function startEntry(portion: CardPortion, returnUrl: string): Promise<CardEntry> {
    const { id, url } = await stripe.checkout.sessions.create({
      mode: 'setup',
      allowed_payment_method_types: ['card'],
      currency: portion.currency.toLowerCase(),
      // A card without a customer can be used only once.
      customer_creation: 'always',
      client_reference_id: portion.applicationId,
      locale: portion.language,
      // Stripe replaces the placeholder, whose braces must not be encoded.
      success_url: `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}entry={CHECKOUT_SESSION_ID}`,
      cancel_url: returnUrl,
    });
    if (!url) throw new Error('Stripe created a session without a URL');
    return { url, entryId: id };
  }

  async function finishEntry(portion: CardPortion, entry: string): Promise<CardOnFile | null> {
    const session = await stripe.checkout.sessions
      .retrieve(entry, { expand: ['setup_intent.payment_method'] })
      .catch((thrown: unknown) => {
        if (isMissing(thrown)) return undefined;
        throw thrown;
      });
    if (session?.client_reference_id !== portion.applicationId || session.status !== 'complete') return null;
    const setup = session.setup_intent;
    const method = typeof setup === 'object' && setup?.status === 'succeeded' ? setup.payment_method : null;
    if (typeof method !== 'object' || !method?.card) return null;

    const customer = typeof session.customer === 'string' ? session.customer : session.customer?.id;
    const { id: reference } = await stripe.paymentIntents.create(
      intentOf({
        amountCents: portion.amountCents,
        currency: portion.currency.toLowerCase(),
        customer,
        card: method.id,
        metadata: { applicationId: portion.applicationId },
      }),
      { idempotencyKey: `hold-${session.id}-${portion.amountCents}` },
    );
    return { reference, label: labelOf(method.card) };
  }

  async function authorize(reference: string, amountCents: number): Promise<CardHold> {
    const hold = await stripe.paymentIntents.retrieve(reference, WITH_CHARGE);
    const earlierResult = resultOf(hold);
    if (earlierResult) return earlierResult;
    if (hold.amount !== amountCents) await stripe.paymentIntents.update(reference, { amount: amountCents });
    try {
      const { payment_method: card } = hold.metadata;
      const confirmed = await stripe.paymentIntents.confirm(reference, {
        ...(card && { payment_method: card }),
        off_session: true,
        ...WITH_CHARGE,
      });
      return resultOf(confirmed) ?? { outcome: 'declined' };
    } catch (thrown) {
      if (thrown instanceof Stripe.errors.StripeCardError) return { outcome: 'declined' };
      // A concurrent request confirmed or canceled the intent.
      const concurrent = isUnexpectedState(thrown) && resultOf(await stripe.paymentIntents.retrieve(reference, WITH_CHARGE));
      if (concurrent) return concurrent;
      throw thrown;
    }
  }

  /** A repeated call returns the same intent for a day. An intent that is not confirmed charges nothing. */
  async function renew(reference: string, amountCents: number): Promise<string> {
    const { currency, customer, metadata } = await stripe.paymentIntents.retrieve(reference);
    const { payment_method: card } = metadata;
    if (!card) throw new Error('The payment intent does not name its card');
    const customerId = typeof customer === 'string' ? customer : customer?.id;
    const { id } = await stripe.paymentIntents.create(intentOf({ amountCents, currency, customer: customerId, card, metadata }), {
      idempotencyKey: `renew-${reference}-${amountCents}`,
    });
    return id;
  }

  async function orUnavailable<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (thrown) {
      onFault(thrown);
      throw new ServiceError('card-unavailable', 'The card gateway returned no usable response; please retry.', {
        cause: thrown,
      });
    }
  }

  return {
    company: 'Stripe',
    startEntry: (portion, returnUrl) => orUnavailable(startEntry(portion, returnUrl)),
    finishEntry: async (portion, entry) => (SESSION_ID.test(entry) ? orUnavailable(finishEntry(portion, entry)) : null),
    authorize: (reference, amountCents) => orUnavailable(authorize(reference, amountCents)),
    renew: (reference, amountCents) => orUnavailable(renew(reference, amountCents)),
    ...stripeOperations(stripe),
    close: () => httpAgent.destroy(),
  };
}

const SESSION_ID = /^cs_[A-Za-z0-9_]{1,250}$/;

/** Includes the charge, which states when the hold ends. */
const WITH_CHARGE = { expand: ['latest_charge'] };

interface NewIntent {
  amountCents: number;
  currency: string;
  customer: string | undefined;
  card: string;
  metadata: Record<string, string>;
}

/** The parameters of an intent whose confirmation places a hold. */
function intentOf({ amountCents, currency, customer, card, metadata }: NewIntent): Stripe.PaymentIntentCreateParams {
  return {
    amount: amountCents,
    currency,
    ...(customer && { customer }),
    payment_method: card,
    allowed_payment_method_types: ['card'],
    capture_method: 'manual',
    // Stripe removes the card from the intent after a decline.
    metadata: { ...metadata, payment_method: card },
  };
}

/** Returns the state of an intent's hold; undefined if the intent can still be confirmed. */
function resultOf({ status, latest_charge: charge }: Stripe.PaymentIntent): CardHold | undefined {
  if (status === 'requires_capture' || status === 'succeeded') {
    const endSeconds = typeof charge === 'object' ? charge?.payment_method_details?.card?.capture_before : undefined;
    return { outcome: 'authorized', expiresAt: endSeconds === undefined ? undefined : instantOf(endSeconds * 1000) };
  }
  if (status === 'canceled') return { outcome: 'declined' };
  if (status === 'processing') throw new Error('Stripe is still processing the intent');
  return undefined;
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Stripe.errors.StripeInvalidRequestError && thrown.code === 'resource_missing';
}

/** Names of card brands by Stripe's identifiers. */
const BRANDS = new Map([
  ['amex', 'American Express'],
  ['american_express', 'American Express'],
  ['diners', 'Diners Club'],
  ['diners_club', 'Diners Club'],
  ['discover', 'Discover'],
  ['jcb', 'JCB'],
  ['mastercard', 'Mastercard'],
  ['unionpay', 'UnionPay'],
  ['union_pay', 'UnionPay'],
  ['visa', 'Visa'],
]);

function labelOf({ brand, last4 }: { brand: string; last4: string }): string {
  return `${BRANDS.get(brand) ?? 'Card'} ${last4}`;
}

/**
 * Captures, releases and refunds. Each checks the state of the intent first, because card operations are retried for three days, or
 * by an operator at any time, but Stripe's idempotency keys expire after one day.
 */
function stripeOperations(stripe: Stripe): Pick<CardGateway, 'capture' | 'release' | 'refund'> {
  const { paymentIntents, refunds } = stripe;

  async function capture(reference: string, amountCents: number): Promise<void> {
    const { status, amount_received } = await paymentIntents.retrieve(reference);
    if (status === 'succeeded' && amount_received === amountCents) return;
    if (status !== 'requires_capture') {
      const isPermanent = status === 'canceled' || status === 'succeeded';
      throw new CardFailure(`Expected a payment intent that can be captured, but received the status ${status}`, { isPermanent });
    }
    await paymentIntents.capture(reference, { amount_to_capture: amountCents });
  }

  async function release(reference: string): Promise<void> {
    const { status } = await paymentIntents.retrieve(reference);
    if (status === 'canceled') return;
    if (status === 'succeeded') throw new CardFailure('Stripe has already captured the hold', { isPermanent: true });
    await paymentIntents.cancel(reference);
  }

  async function refund(reference: string, amountCents: number, refundId: string): Promise<void> {
    // Stripe would repeat the failure of a refund before the capture for a day, because it stores the response by the key.
    const { status } = await paymentIntents.retrieve(reference);
    if (status !== 'succeeded') {
      const isPermanent = status === 'canceled';
      throw new CardFailure(`Expected a captured payment intent, but received the status ${status}`, { isPermanent });
    }
    let failed = 0;
    for await (const earlier of refunds.list({ payment_intent: reference, limit: 100 })) {
      if (earlier.metadata?.['refund_id'] !== refundId) continue;
      if (earlier.status !== 'failed' && earlier.status !== 'canceled') return;
      failed += 1;
    }
    await refunds.create(
      { payment_intent: reference, amount: amountCents, metadata: { refund_id: refundId } },
      { idempotencyKey: `refund-${refundId}-${failed}` },
    );
  }

  return {
    capture: (reference, amountCents) => orCardFailure(capture(reference, amountCents)),
    release: (reference) => orCardFailure(release(reference)),
    refund: (reference, amountCents, refundId) => orCardFailure(refund(reference, amountCents, refundId)),
  };
}

/** Returns true if the intent was in a state that does not allow the call. */
function isUnexpectedState(thrown: unknown): boolean {
  return thrown instanceof Stripe.errors.StripeError && thrown.code === 'payment_intent_unexpected_state';
}

/** Maps errors of Stripe to `CardFailure`. Messages contain Stripe's codes but not its texts, which may contain input of a buyer. */
async function orCardFailure(call: Promise<void>): Promise<void> {
  try {
    await call;
  } catch (thrown) {
    if (!(thrown instanceof Stripe.errors.StripeError)) throw thrown;
    const { statusCode, code = thrown.rawType } = thrown;
    const suffix = /^[a-z_]{1,64}$/.test(code ?? '') ? `: ${code}` : '';
    if (statusCode === undefined) throw new CardFailure(`Stripe did not respond${suffix}`, { cause: thrown });
    const isPermanent = thrown.code === 'resource_missing';
    throw new CardFailure(`Stripe responded with ${statusCode}${suffix}`, { statusCode, isPermanent, cause: thrown });
  }
}
