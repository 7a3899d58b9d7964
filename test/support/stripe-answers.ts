/** Parameters of a request as they are sent, `{"metadata[order]":"1"}`. */
export type Fields = Record<string, string>;

export interface Answered {
  status: number;
  body: object;
}

export interface Session {
  id: string;
  fields: Fields;
  status: 'open' | 'complete' | 'expired';
  customer: string | null;
  card: { id: string; brand: string; last4: string } | null;
}

export interface Intent {
  id: string;
  amount: number;
  currency: string;
  status: string;
  capture_method: string;
  customer: string | null;
  payment_method: string | null;
  metadata: Record<string, string>;
  amount_received: number;
}

export function answer(body: object): Answered {
  return { status: 200, body };
}

/** @see https://docs.stripe.com/api/errors */
function refusal(status: number, error: object): Answered {
  return { status, body: { error } };
}

const docUrl = (code: string) => `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;

export function invalid(code: string, message: string): Answered {
  return refusal(400, { type: 'invalid_request_error', code, message, doc_url: docUrl(code) });
}

export function missing(param: string): Answered {
  const code = 'resource_missing';
  return refusal(404, { type: 'invalid_request_error', code, param, message: `No such ${param}`, doc_url: docUrl(code) });
}

export function unexpectedState(intent: Intent, done: string): Answered {
  const code = 'payment_intent_unexpected_state';
  const message = `This PaymentIntent could not be ${done} because it has a status of ${intent.status}.`;
  const payment_intent = intentJson(intent);
  return refusal(400, { type: 'invalid_request_error', code, message, doc_url: docUrl(code), payment_intent });
}

/** @see https://docs.stripe.com/declines/codes */
export function cardError(intent: Intent, card: string): Answered {
  const decline = {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    charge: 'ch_1',
    message: 'Your card was declined.',
    doc_url: docUrl('card_declined'),
    payment_method: { id: card, object: 'payment_method', type: 'card' },
  };
  return refusal(402, { ...decline, payment_intent: { ...intentJson(intent), last_payment_error: decline } });
}

export function intentJson(intent: Intent): object {
  const amount_capturable = intent.status === 'requires_capture' ? intent.amount : 0;
  return { object: 'payment_intent', livemode: false, ...intent, amount_capturable, client_secret: `${intent.id}_secret` };
}

export function sessionJson({ id, fields, status, customer, card }: Session, port: number): object {
  return {
    id,
    object: 'checkout.session',
    mode: fields['mode'],
    client_reference_id: fields['client_reference_id'] ?? null,
    customer,
    status,
    url: status === 'open' ? `http://127.0.0.1:${port}/c/pay/${id}` : null,
    setup_intent: {
      id: `seti_${id}`,
      object: 'setup_intent',
      status: card ? 'succeeded' : 'requires_payment_method',
      payment_method: card && { id: card.id, object: 'payment_method', type: 'card', card },
    },
  };
}

export function metadataIn(fields: Fields): Record<string, string> {
  const names = Object.keys(fields).filter((name) => name.startsWith('metadata['));
  return Object.fromEntries(names.map((name) => [name.slice('metadata['.length, -1), fields[name]!]));
}
