/** A local implementation of Stripe's API. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { onCleanup } from './cleanup.ts';
import { listen } from './http.ts';

/** Form parameters of a request, such as `{"metadata[order]":"1"}`. */
export type Fields = Record<string, string>;

export interface StripeResponse {
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
  /** The end of its hold. */
  captureBeforeMs: number;
}

export function success(body: object): StripeResponse {
  return { status: 200, body };
}

/** @see https://docs.stripe.com/api/errors */
function errorResponse(status: number, error: object): StripeResponse {
  return { status, body: { error } };
}

/** The response during an outage of Stripe. */
export const outage: StripeResponse = { status: 503, body: { error: { type: 'api_error', message: 'Down' } } };

const docUrl = (code: string) => `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;

export function invalid(code: string, message: string): StripeResponse {
  return errorResponse(400, { type: 'invalid_request_error', code, message, doc_url: docUrl(code) });
}

export function missing(param: string): StripeResponse {
  const code = 'resource_missing';
  return errorResponse(404, { type: 'invalid_request_error', code, param, message: `No such ${param}`, doc_url: docUrl(code) });
}

function unexpectedState(intent: Intent, done: string): StripeResponse {
  const code = 'payment_intent_unexpected_state';
  const message = `This PaymentIntent could not be ${done} because it has a status of ${intent.status}.`;
  const payment_intent = intentJson(intent);
  return errorResponse(400, { type: 'invalid_request_error', code, message, doc_url: docUrl(code), payment_intent });
}

/** @see https://docs.stripe.com/declines/codes */
function cardError(intent: Intent, card: string): StripeResponse {
  const decline = {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    charge: 'ch_1',
    message: 'Your card was declined.',
    doc_url: docUrl('card_declined'),
    payment_method: { id: card, object: 'payment_method', type: 'card' },
  };
  return errorResponse(402, { ...decline, payment_intent: { ...intentJson(intent), last_payment_error: decline } });
}

/** Objects of all accounts, so that a request of an earlier test finds nothing in the account of the next one. */
let count = 0;

/** The end of holds for tests with a fixed clock. Those with the clock of the system call `setHoldEnd`. */
const CAPTURE_BEFORE_MS = Date.UTC(2026, 10, 28, 9, 30);

/** @param fields - Of the request, which may expand the charge. */
function intentJson(intent: Intent, fields: Fields = {}): object {
  const amount_capturable = intent.status === 'requires_capture' ? intent.amount : 0;
  const charge = {
    id: `ch_${intent.id}`,
    object: 'charge',
    payment_method_details: { type: 'card', card: { capture_before: intent.captureBeforeMs / 1000 } },
  };
  const isExpanded = fields['expand[0]'] === 'latest_charge';
  const latest_charge = amount_capturable === 0 ? null : isExpanded ? charge : charge.id;
  const client_secret = `${intent.id}_secret`;
  return { object: 'payment_intent', livemode: false, ...intent, amount_capturable, latest_charge, client_secret };
}

function sessionJson({ id, fields, status, customer, card }: Session, port: number): object {
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

function metadataIn(fields: Fields): Record<string, string> {
  const names = Object.keys(fields).filter((name) => name.startsWith('metadata['));
  return Object.fromEntries(names.map((name) => [name.slice('metadata['.length, -1), fields[name]!]));
}

/**
 * Replaces the response to a request, or closes its connection before or after the request takes effect, or responds with an error
 * after that. Clients retry after a closed connection, but not after an error.
 */
export type Interception = StripeResponse | 'close-before' | 'close-after' | 'fail-after' | undefined;

export interface StripeRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  fields: Fields;
}

/**
 * Starts a server that implements Stripe's documented API for holds, captures, releases and refunds, including idempotency keys.
 *
 * @see https://docs.stripe.com/api
 */
export async function startStripe() {
  const { server, port, stop } = await listen();
  onCleanup(stop);
  const sessions = new Map<string, Session>();
  const intents = new Map<string, Intent>();
  const refunds: { id: string; intent: string; amount: number; status: string; metadata: Record<string, string> }[] = [];
  const replays = new Map<string, { fingerprint: string; response: StripeResponse }>();
  const requests: StripeRequest[] = [];
  const declining = new Set<string>();
  let holdEndMs = CAPTURE_BEFORE_MS;
  let intercept: (request: StripeRequest) => Interception | Promise<Interception> = () => undefined;

  function createSession(fields: Fields): StripeResponse {
    const id = `cs_test_${++count}`;
    const session: Session = { id, fields, status: 'open', customer: null, card: null };
    sessions.set(id, session);
    return success(sessionJson(session, port));
  }

  function createIntent(fields: Fields): StripeResponse {
    const amount = Number(fields['amount']);
    if (amount < 50) return invalid('amount_too_small', 'Amount must be at least $0.50 usd');
    const id = `pi_${++count}`;
    const intent: Intent = {
      id,
      amount,
      currency: fields['currency']!,
      status: fields['payment_method'] ? 'requires_confirmation' : 'requires_payment_method',
      capture_method: fields['capture_method'] ?? 'automatic',
      customer: fields['customer'] ?? null,
      payment_method: fields['payment_method'] ?? null,
      metadata: metadataIn(fields),
      amount_received: 0,
      captureBeforeMs: holdEndMs,
    };
    intents.set(id, intent);
    return success(intentJson(intent));
  }

  const confirmable = ['requires_payment_method', 'requires_confirmation', 'requires_action'];
  const cancelable = [...confirmable, 'requires_capture', 'processing'];

  function change(intent: Intent, verb: string | undefined, fields: Fields): StripeResponse {
    if (verb === undefined) {
      if (!confirmable.includes(intent.status)) return unexpectedState(intent, 'updated');
      intent.amount = Number(fields['amount'] ?? intent.amount);
    } else if (verb === 'confirm') {
      if (!confirmable.includes(intent.status)) return unexpectedState(intent, 'confirmed');
      const card = fields['payment_method'] ?? intent.payment_method;
      if (!card)
        return invalid('payment_intent_unexpected_state', 'You cannot confirm this PaymentIntent without a payment method');
      if (declining.has(card)) {
        Object.assign(intent, { status: 'requires_payment_method', payment_method: null });
        return cardError(intent, card);
      }
      Object.assign(intent, { status: 'requires_capture', payment_method: card });
    } else if (verb === 'capture') {
      if (intent.status !== 'requires_capture') return unexpectedState(intent, 'captured');
      const amount = Number(fields['amount_to_capture'] ?? intent.amount);
      if (amount > intent.amount) return invalid('amount_too_large', 'Expected at most the amount of the hold');
      Object.assign(intent, { status: 'succeeded', amount_received: amount });
    } else {
      if (!cancelable.includes(intent.status)) return unexpectedState(intent, 'canceled');
      intent.status = 'canceled';
    }
    return success(intentJson(intent, fields));
  }

  function createRefund(fields: Fields): StripeResponse {
    const intent = intents.get(fields['payment_intent']!);
    if (!intent) return missing('payment_intent');
    if (intent.status !== 'succeeded') return invalid('charge_not_captured', 'This charge has not been captured');
    const amount = Number(fields['amount']);
    const earlier = refunds.filter((refund) => refund.intent === intent.id && refund.status === 'succeeded');
    const refunded = earlier.reduce((sum, refund) => sum + refund.amount, 0);
    if (amount > intent.amount_received - refunded)
      return invalid('charge_already_refunded', 'Expected at most the remaining amount');
    const refund = { id: `re_${++count}`, intent: intent.id, amount, status: 'succeeded', metadata: metadataIn(fields) };
    refunds.push(refund);
    return success({ object: 'refund', ...refund, payment_intent: intent.id });
  }

  function route({ method, path, fields }: StripeRequest): StripeResponse {
    const [, , resource, id, verb] = path.split('/');
    if (resource === 'checkout' && method === 'POST') return createSession(fields);
    if (resource === 'checkout') {
      const session = sessions.get(verb!);
      return session ? success(sessionJson(session, port)) : missing('session');
    }
    if (resource === 'payment_intents' && id === undefined) return createIntent(fields);
    if (resource === 'payment_intents') {
      const intent = intents.get(id!);
      if (!intent) return missing('intent');
      return method === 'GET' ? success(intentJson(intent, fields)) : change(intent, verb, fields);
    }
    if (resource === 'refunds' && method === 'POST') return createRefund(fields);
    const data = refunds.filter(({ intent }) => intent === fields['payment_intent']);
    return success({ object: 'list', data, has_more: false, url: '/v1/refunds' });
  }

  function replay(request: StripeRequest): StripeResponse {
    const key = request.headers['idempotency-key'] as string | undefined;
    if (request.method !== 'POST' || key === undefined) return route(request);
    const fingerprint = JSON.stringify([request.path, request.fields]);
    const earlier = replays.get(key);
    if (!earlier) {
      const response = route(request);
      replays.set(key, { fingerprint, response });
      return response;
    }
    if (earlier.fingerprint === fingerprint) return earlier.response;
    return {
      status: 400,
      body: { error: { type: 'idempotency_error', message: 'Keys can only be used with the same parameters' } },
    };
  }

  async function respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of message) text += String(chunk);
    const { pathname: path, searchParams } = new URL(message.url!, 'http://stripe.test');
    const fields = Object.fromEntries([...searchParams, ...new URLSearchParams(text)]);
    const request = { method: message.method!, path, headers: message.headers, fields };
    requests.push(request);
    const intercepted = await intercept(request);
    if (intercepted === 'close-before') return void message.socket.destroy();
    const replaced = typeof intercepted === 'object' ? intercepted : replay(request);
    if (intercepted === 'close-after') return void message.socket.destroy();
    const { status, body } = intercepted === 'fail-after' ? outage : replaced;
    const retry = intercepted ? { 'stripe-should-retry': 'false' } : {};
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${++count}`, ...retry });
    response.end(JSON.stringify(body));
  }
  server.on('request', (message, response) => void respond(message, response));

  return {
    /** The server's address, as options of a gateway. */
    api: { host: '127.0.0.1', port, protocol: 'http' as const },
    /** Number of open connections. */
    connections: () => promisify<number>((done) => server.getConnections(done))(),
    requests,
    refunds,
    intent: (reference: string): Intent => intents.get(reference)!,
    /** Completes a session as if a buyer entered a card on its page. Returns the id of the card. */
    enterCard: (sessionId: string, { brand = 'visa', last4 = '4242', declines = false } = {}) => {
      const card = { id: `pm_${++count}`, brand, last4 };
      Object.assign(sessions.get(sessionId)!, { status: 'complete', customer: `cus_${++count}`, card });
      if (declines) declining.add(card.id);
      return card.id;
    },
    /** The intents of a card. */
    intentsOf: (card: string): Intent[] => [...intents.values()].filter(({ metadata }) => metadata['payment_method'] === card),
    /** Cancels the intents of a card whose holds have ended, as Stripe does. */
    endHolds: (card: string, now: string) => {
      for (const intent of intents.values()) {
        const isEnded = intent.status === 'requires_capture' && intent.captureBeforeMs <= Date.parse(now);
        if (isEnded && intent.metadata['payment_method'] === card) intent.status = 'canceled';
      }
    },
    /** Sets whether further holds on a card are declined. */
    setDeclines: (card: string, declines: boolean) => void (declines ? declining.add(card) : declining.delete(card)),
    /** Sets the end of holds on further intents. */
    setHoldEnd: (end: string) => void (holdEndMs = Date.parse(end)),
    /** Intercepts further requests. */
    intercept: (replacement: typeof intercept) => void (intercept = replacement),
    /** Deletes the stored idempotency keys, as Stripe does after a day. */
    deleteKeys: () => replays.clear(),
  };
}

export type StripeServer = Awaited<ReturnType<typeof startStripe>>;
