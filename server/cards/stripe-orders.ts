import Stripe from 'stripe';
import { CardFailure, type CardGateway } from './gateway.ts';

/**
 * What was promised, at Stripe. Each looks first at what has become of the intent: the library repeats a call safely for a day,
 * and an order is repeated for three, or by an operator at any time.
 */
export function stripeOrders(stripe: Stripe): Pick<CardGateway, 'capture' | 'release' | 'refund'> {
  const { paymentIntents, refunds } = stripe;

  async function capture(reference: string, amountCents: number): Promise<void> {
    const { status, amount_received } = await paymentIntents.retrieve(reference);
    if (status === 'succeeded' && amount_received === amountCents) return;
    if (status !== 'requires_capture') {
      const isFinal = status === 'canceled' || status === 'succeeded';
      throw new CardFailure(`Stripe has nothing to capture: the intent is ${status}`, { isFinal });
    }
    await paymentIntents.capture(reference, { amount_to_capture: amountCents });
  }

  async function release(reference: string): Promise<void> {
    const { status } = await paymentIntents.retrieve(reference);
    if (status === 'canceled') return;
    if (status === 'succeeded') throw new CardFailure('Stripe has captured what was to be released', { isFinal: true });
    await paymentIntents.cancel(reference);
  }

  async function refund(reference: string, amountCents: number, refundId: string): Promise<void> {
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
    capture: (reference, amountCents) => ordered(capture(reference, amountCents)),
    release: (reference) => ordered(release(reference)),
    refund: (reference, amountCents, refundId) => ordered(refund(reference, amountCents, refundId)),
  };
}

/** Whether something was asked of an intent that is past it, or not there yet. */
export function isUnexpectedState(thrown: unknown): boolean {
  return thrown instanceof Stripe.errors.StripeError && thrown.code === 'payment_intent_unexpected_state';
}

/** Repeats nothing of what Stripe wrote but its codes: a message can hold what a buyer typed. */
async function ordered(order: Promise<void>): Promise<void> {
  try {
    await order;
  } catch (thrown) {
    if (!(thrown instanceof Stripe.errors.StripeError)) throw thrown;
    const { statusCode, code = thrown.rawType } = thrown;
    const said = /^[a-z_]{1,64}$/.test(code ?? '') ? `: ${code}` : '';
    if (statusCode === undefined) throw new CardFailure(`Stripe gave no answer${said}`, { cause: thrown });
    const isFinal = thrown.code === 'resource_missing';
    throw new CardFailure(`Stripe answered ${statusCode}${said}`, { statusCode, isFinal, cause: thrown });
  }
}
