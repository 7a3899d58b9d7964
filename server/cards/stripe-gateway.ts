import Stripe from 'stripe';
import { ServiceError } from '../errors.ts';
import type { CardEntry, CardGateway, CardOnFile, CardPart } from './gateway.ts';
import { isUnexpectedState, stripeOrders } from './stripe-orders.ts';

/** What this was written for. The library's types know no other, so that an update of it shows here. */
const API_VERSION = '2026-10-28.endive';

/** One attempt, and how often the library repeats it: with two calls for an order, well within the lease of a delivery. */
const TIMEOUT_MS = 10_000;
const MAX_NETWORK_RETRIES = 1;

export interface StripeOptions {
  /** A secret key. */
  key: string;
  /** Receives every error that is neither an approval nor a decline; the buyer is not shown its cause. */
  onFault: (thrown: unknown) => void;
  /** Address of Stripe's API; defaults to Stripe's own. */
  api?: { host: string; port: number; protocol: 'http' | 'https'; timeoutMs?: number };
}

/**
 * Charges cards at Stripe. The card is entered on Stripe's own page (Checkout, mode `setup`), so that its number never comes near
 * this service and no script is needed. The `reference` is a PaymentIntent with that card, which is confirmed when the
 * purchase is authorized: until then nothing is held.
 *
 * @see https://docs.stripe.com/payments/save-and-reuse?platform=checkout
 * @see https://docs.stripe.com/payments/place-a-hold-on-a-payment-method
 */
export function createStripeGateway({ key, onFault, api }: StripeOptions): CardGateway {
  const { timeoutMs = TIMEOUT_MS, ...address } = api ?? {};
  const stripe = new Stripe(key, {
    apiVersion: API_VERSION,
    timeout: timeoutMs,
    maxNetworkRetries: MAX_NETWORK_RETRIES,
    telemetry: false,
    ...address,
  });

  async function begin(part: CardPart, returnUrl: string): Promise<CardEntry> {
    const { id, url } = await stripe.checkout.sessions.create({
      mode: 'setup',
      allowed_payment_method_types: ['card'],
      currency: part.currency.toLowerCase(),
      // A card without a customer could be tried only once.
      customer_creation: 'always',
      client_reference_id: part.applicationId,
      locale: part.language,
      // The braces are Stripe's to fill, and must stay as they are.
      success_url: `${returnUrl}${returnUrl.includes('?') ? '&' : '?'}entry={CHECKOUT_SESSION_ID}`,
      cancel_url: returnUrl,
    });
    if (!url) throw new Error('Stripe began a session without a page');
    return { url, entryId: id };
  }

  async function finish(part: CardPart, entry: string): Promise<CardOnFile | null> {
    const session = await stripe.checkout.sessions
      .retrieve(entry, { expand: ['setup_intent.payment_method'] })
      .catch((thrown: unknown) => {
        if (isMissing(thrown)) return undefined;
        throw thrown;
      });
    if (session?.client_reference_id !== part.applicationId || session.status !== 'complete') return null;
    const setup = session.setup_intent;
    const method = typeof setup === 'object' && setup?.status === 'succeeded' ? setup.payment_method : null;
    if (typeof method !== 'object' || !method?.card) return null;

    const customer = typeof session.customer === 'string' ? session.customer : session.customer?.id;
    const { id: reference } = await stripe.paymentIntents.create(
      {
        amount: part.amountCents,
        currency: part.currency.toLowerCase(),
        ...(customer && { customer }),
        payment_method: method.id,
        allowed_payment_method_types: ['card'],
        capture_method: 'manual',
        // After a decline the intent forgets its card; here it is kept.
        metadata: { application_id: part.applicationId, payment_method: method.id },
      },
      { idempotencyKey: `hold-${session.id}-${part.amountCents}` },
    );
    return { reference, label: labelOf(method.card) };
  }

  async function authorize(reference: string, amountCents: number): Promise<'authorized' | 'declined'> {
    const hold = await stripe.paymentIntents.retrieve(reference);
    const known = answerIn(hold);
    if (known) return known;
    if (hold.amount !== amountCents) await stripe.paymentIntents.update(reference, { amount: amountCents });
    try {
      const { payment_method: card } = hold.metadata;
      const confirmed = await stripe.paymentIntents.confirm(reference, {
        ...(card && { payment_method: card }),
        off_session: true,
      });
      return answerIn(confirmed) ?? 'declined';
    } catch (thrown) {
      if (thrown instanceof Stripe.errors.StripeCardError) return 'declined';
      // Somebody else has confirmed or canceled it since it was looked at.
      const since = isUnexpectedState(thrown) && answerIn(await stripe.paymentIntents.retrieve(reference));
      if (since) return since;
      throw thrown;
    }
  }

  async function asked<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (thrown) {
      onFault(thrown);
      throw new ServiceError('card-unavailable', 'The card gateway gave no usable answer; please retry.', { cause: thrown });
    }
  }

  return {
    begin: (part, returnUrl) => asked(begin(part, returnUrl)),
    finish: async (part, entry) => (ENTRY.test(entry) ? asked(finish(part, entry)) : null),
    authorize: (reference, amountCents) => asked(authorize(reference, amountCents)),
    ...stripeOrders(stripe),
  };
}

/** The id of a session. */
const ENTRY = /^cs_[A-Za-z0-9_]{1,250}$/;

/** Returns the state of an intent's hold; undefined if the intent can still be confirmed. */
function answerIn({ status }: Stripe.PaymentIntent): 'authorized' | 'declined' | undefined {
  if (status === 'requires_capture' || status === 'succeeded') return 'authorized';
  if (status === 'canceled') return 'declined';
  if (status === 'processing') throw new Error('Stripe has not come to an answer');
  return undefined;
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Stripe.errors.StripeInvalidRequestError && thrown.code === 'resource_missing';
}

/** As people name them; what is not among them is a card. */
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
