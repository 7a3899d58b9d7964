import { beforeEach, describe, expect, it } from 'vitest';
import type { CardGateway, CardPortion } from '../../../../server/purchases/cards/gateway.ts';
import { createStripeGateway } from '../../../../server/purchases/cards/stripe-gateway.ts';
import type { Instant } from '../../../../server/base/time.ts';
import { startStripe, type StripeServer } from '../../../support/stripe.ts';
import { until } from '../../../support/time.ts';

const now: Instant = '2026-11-21T09:30:00.000000Z';
const KEY = 'sk_test_51Secret';
const portion: CardPortion = { applicationId: 'application-1', amountCents: 40_000, currency: 'USD', language: 'es' };
const returnUrl = 'https://pay.example/c/CODE/card/return?language=es';

let stripe: StripeServer;
let gateway: CardGateway;
let errors: unknown[];
beforeEach(async () => {
  stripe = await startStripe();
  errors = [];
  gateway = createStripeGateway({ key: KEY, onFault: (thrown) => errors.push(thrown), api: stripe.api });
});

const startEntry = () => gateway.startEntry(portion, returnUrl);

/** Enters a card on Stripe's page. */
async function createCard(card: Parameters<StripeServer['enterCard']>[1] = {}) {
  const { entryId } = await startEntry();
  const method = stripe.enterCard(entryId, card);
  const { reference, label } = (await gateway.finishEntry(portion, entryId))!;
  return { entryId, method, reference, label };
}

async function createHold(amountCents = 40_000): Promise<string> {
  const { reference } = await createCard();
  expect(await gateway.authorize(reference, amountCents, now)).toMatchObject({ outcome: 'authorized' });
  return reference;
}

/** Captures the whole amount of a hold. */
async function createCapture(): Promise<string> {
  const reference = await createHold();
  await gateway.capture(reference, 40_000, 1);
  return reference;
}

const requestsTo = (method: string, ending: string) =>
  stripe.requests.filter((request) => request.method === method && request.path.endsWith(ending));
const unavailable = { name: 'ServiceError', code: 'card-unavailable' };

it('A gateway that is closed has no connections to Stripe', async () => {
  await startEntry();
  expect(await stripe.connections()).toBe(1);
  gateway.close!();
  await until(async () => (await stripe.connections()) === 0);
});

describe('Entering a card at Stripe', () => {
  it('redirects the buyer to a page of Stripe in their language, which returns to the same step', async () => {
    const { url, entryId } = await startEntry();
    expect(url).toContain(entryId);
    expect(stripe.requests[0]!.fields).toEqual({
      mode: 'setup',
      'allowed_payment_method_types[0]': 'card',
      currency: 'usd',
      customer_creation: 'always',
      client_reference_id: 'application-1',
      locale: 'es',
      success_url: `${returnUrl}&entry={CHECKOUT_SESSION_ID}`,
      cancel_url: returnUrl,
    });
  });

  it('sends the API version and the key', async () => {
    await startEntry();
    expect(stripe.requests[0]!.headers).toMatchObject({
      'stripe-version': '2026-10-28.endive',
      authorization: `Bearer ${KEY}`,
    });
  });

  it('places no hold when the card is entered, and returns its brand and last four digits', async () => {
    const { reference, label, method } = await createCard({ brand: 'amex', last4: '0005' });
    expect(label).toBe('American Express 0005');
    expect(stripe.intent(reference)).toMatchObject({
      amount: 40_000,
      currency: 'usd',
      status: 'requires_confirmation',
      capture_method: 'manual',
      payment_method: method,
      metadata: { applicationId: 'application-1', payment_method: method },
    });
    expect(stripe.intent(reference).customer).toMatch(/^cus_/);
  });

  it.each([
    ['visa', 'Visa 4242'],
    ['union_pay', 'UnionPay 4242'],
    ['something_new', 'Card 4242'],
    ['constructor', 'Card 4242'],
  ])('labels a card of brand %s as %s', async (brand, label) => {
    expect((await createCard({ brand })).label).toBe(label);
  });

  it('returns the same card if the entry is finished twice', async () => {
    const { entryId, reference } = await createCard();
    expect(await gateway.finishEntry(portion, entryId)).toEqual({ reference, label: 'Visa 4242' });
    expect(requestsTo('POST', '/payment_intents').length).toBe(2);
  });

  it('returns another reference if the amount has changed', async () => {
    const { entryId, reference } = await createCard();
    const other = await gateway.finishEntry({ ...portion, amountCents: 30_000 }, entryId);
    expect(other!.reference).not.toBe(reference);
    expect(stripe.intent(other!.reference).amount).toBe(30_000);
  });

  it('returns no card before one is entered', async () => {
    const { entryId } = await startEntry();
    expect(await gateway.finishEntry(portion, entryId)).toBeNull();
  });

  it("returns no card from another buyer's session", async () => {
    const { entryId } = await startEntry();
    stripe.enterCard(entryId);
    expect(await gateway.finishEntry({ ...portion, applicationId: 'application-2' }, entryId)).toBeNull();
    expect(requestsTo('POST', '/payment_intents')).toEqual([]);
  });

  it('returns no card for a session that is unknown to Stripe', async () => {
    expect(await gateway.finishEntry(portion, 'cs_test_unknown')).toBeNull();
    expect(errors).toEqual([]);
  });

  it.each(['', 'tok_visa', 'cs_../../v1/customers', `cs_${'a'.repeat(300)}`, '4242424242424242'])(
    'sends no request for the invalid session id %j',
    async (entry) => {
      expect(await gateway.finishEntry(portion, entry)).toBeNull();
      expect(stripe.requests).toEqual([]);
    },
  );
});

describe('Placing a hold at Stripe', () => {
  it('holds the amount, which is less after a partial cancel, without the buyer', async () => {
    const reference = await createHold(25_000);
    expect(stripe.intent(reference)).toMatchObject({ status: 'requires_capture', amount: 25_000 });
    expect(requestsTo('POST', '/confirm')[0]!.fields).toMatchObject({ off_session: 'true' });
  });

  it('places no second hold if repeated, and reports when the hold ends', async () => {
    const { reference } = await createCard();
    const hold = { outcome: 'authorized', expiresAt: '2026-11-28T09:30:00.000000Z' };
    expect(await gateway.authorize(reference, 40_000, now)).toEqual(hold);
    expect(await gateway.authorize(reference, 40_000, now)).toEqual(hold);
    expect(requestsTo('POST', '/confirm').length).toBe(1);
  });

  it('is declined, and retries the same card if repeated', async () => {
    const { reference, method } = await createCard({ declines: true });
    expect(await gateway.authorize(reference, 40_000, now)).toMatchObject({ outcome: 'declined' });
    expect(await gateway.authorize(reference, 40_000, now)).toMatchObject({ outcome: 'declined' });
    stripe.setDeclines(method, false);
    expect(await gateway.authorize(reference, 40_000, now)).toMatchObject({ outcome: 'authorized' });
    expect(stripe.intent(reference)).toMatchObject({ status: 'requires_capture', payment_method: method });
    expect(errors).toEqual([]);
  });

  it('is declined if the bank requires authentication by the buyer', async () => {
    const { reference } = await createCard();
    const error = { type: 'card_error', code: 'authentication_required', message: 'This transaction requires authentication.' };
    stripe.intercept(({ path }) => (path.endsWith('/confirm') ? { status: 402, body: { error } } : undefined));
    expect(await gateway.authorize(reference, 40_000, now)).toMatchObject({ outcome: 'declined' });
  });

  it('is declined after a release', async () => {
    const { reference } = await createCard();
    await gateway.release(reference);
    expect(await gateway.authorize(reference, 40_000, now)).toMatchObject({ outcome: 'declined' });
    expect(requestsTo('POST', '/confirm')).toEqual([]);
  });

  it('is declined if the card is released concurrently', async () => {
    const { reference } = await createCard();
    stripe.intercept(async ({ path }) => {
      if (!path.endsWith('/confirm')) return undefined;
      stripe.intercept(() => undefined);
      await gateway.release(reference);
      return undefined;
    });
    expect(await gateway.authorize(reference, 40_000, now)).toMatchObject({ outcome: 'declined' });
    expect(stripe.intent(reference).status).toBe('canceled');
  });

  it('succeeds for concurrent requests', async () => {
    const { reference } = await createCard();
    const responses = await Promise.all([1, 2, 3].map(() => gateway.authorize(reference, 40_000, now)));
    expect(responses.map(({ outcome }) => outcome)).toEqual(['authorized', 'authorized', 'authorized']);
    expect(stripe.intent(reference).status).toBe('requires_capture');
  });

  it('succeeds after a lost response', async () => {
    const { reference } = await createCard();
    let lost = 0;
    stripe.intercept(({ path }) => (path.endsWith('/confirm') && lost++ === 0 ? 'close-after' : undefined));
    expect(await gateway.authorize(reference, 40_000, now)).toMatchObject({ outcome: 'authorized' });
    expect(errors).toEqual([]);
  });

  it.each([
    ['a server error', { status: 500, body: { error: { type: 'api_error', message: 'Oops' } } }],
    ['a rejected key', { status: 401, body: { error: { type: 'invalid_request_error', message: `No: ${KEY}` } } }],
    ['too many requests', { status: 429, body: { error: { type: 'invalid_request_error', code: 'rate_limit', message: '' } } }],
    ['a lock timeout', { status: 429, body: { error: { type: 'invalid_request_error', code: 'lock_timeout', message: '' } } }],
    ['an unknown intent', { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing' } } }],
    ['an invalid response', { status: 200, body: [] }],
    ['a lost connection', 'close-before' as const],
  ])('has an unknown outcome after %s, which is logged', async (_title, interception) => {
    const { reference } = await createCard();
    stripe.intercept(() => interception);
    await expect(gateway.authorize(reference, 40_000, now)).rejects.toMatchObject(unavailable);
    expect(errors.length).toBe(1);
  });

  it('has an unknown outcome after a timeout', async () => {
    const { reference } = await createCard();
    const gatewayWithTimeout = createStripeGateway({ key: KEY, onFault: () => undefined, api: { ...stripe.api, timeoutMs: 50 } });
    stripe.intercept(() => new Promise(() => undefined));
    await expect(gatewayWithTimeout.authorize(reference, 40_000, now)).rejects.toMatchObject(unavailable);
  });
});

describe('Capturing, releasing and refunding at Stripe', () => {
  it('captures a part of the hold once', async () => {
    const reference = await createHold();
    await gateway.capture(reference, 30_000, 1);
    await gateway.capture(reference, 30_000, 2);
    expect(stripe.intent(reference)).toMatchObject({ status: 'succeeded', amount_received: 30_000 });
    expect(requestsTo('POST', '/capture').length).toBe(1);
  });

  it('captures once if the response was lost', async () => {
    const reference = await createHold();
    stripe.intercept(({ path }) => (path.endsWith('/capture') ? 'close-after' : undefined));
    await expect(gateway.capture(reference, 30_000, 1)).rejects.toMatchObject({ name: 'CardFailure', isPermanent: false });
    stripe.intercept(() => undefined);
    await gateway.capture(reference, 30_000, 2);
    expect(stripe.intent(reference).amount_received).toBe(30_000);
  });

  it.each([
    ['canceled', true],
    ['succeeded', true],
    ['requires_payment_method', false],
  ])('cannot capture if the intent is %s (permanent: %s)', async (status, isPermanent) => {
    const reference = await createHold();
    stripe.intent(reference).status = status;
    const message = `Expected a payment intent that can be captured, but received the status ${status}`;
    await expect(gateway.capture(reference, 30_000, 1)).rejects.toMatchObject({ name: 'CardFailure', message, isPermanent });
  });

  it('releases a card with a hold, without a hold, and after a release', async () => {
    const withHold = await createHold();
    const { reference: withoutHold } = await createCard();
    for (const reference of [withHold, withoutHold, withHold]) {
      await gateway.release(reference);
      expect(stripe.intent(reference).status).toBe('canceled');
    }
  });

  it('does not release a captured hold', async () => {
    const reference = await createCapture();
    await expect(gateway.release(reference)).rejects.toMatchObject({ name: 'CardFailure', isPermanent: true });
  });

  it('refunds once for each id, even after Stripe has deleted the idempotency key', async () => {
    const reference = await createCapture();
    await gateway.refund(reference, 10_000, 'refund-1');
    await gateway.refund(reference, 10_000, 'refund-1');
    stripe.deleteKeys();
    await gateway.refund(reference, 10_000, 'refund-1');
    await gateway.refund(reference, 10_000, 'refund-2');
    expect(stripe.refunds.map(({ amount, metadata }) => [amount, metadata['refund_id']])).toEqual([
      [10_000, 'refund-1'],
      [10_000, 'refund-2'],
    ]);
  });

  it('retries a refund that failed at the bank', async () => {
    const reference = await createCapture();
    await gateway.refund(reference, 40_000, 'refund-1');
    stripe.refunds[0]!.status = 'failed';
    await gateway.refund(reference, 40_000, 'refund-1');
    expect(stripe.refunds.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });

  it('refunds once if the response was lost', async () => {
    const reference = await createCapture();
    stripe.intercept(({ method, path }) => (method === 'POST' && path.endsWith('/refunds') ? 'close-after' : undefined));
    await expect(gateway.refund(reference, 10_000, 'refund-1')).rejects.toMatchObject({ name: 'CardFailure' });
    stripe.intercept(() => undefined);
    await gateway.refund(reference, 10_000, 'refund-1');
    expect(stripe.refunds.length).toBe(1);
  });

  it('refunds after the capture what was to be refunded before it', async () => {
    const reference = await createHold();
    await expect(gateway.refund(reference, 10_000, 'refund-1')).rejects.toMatchObject({
      message: 'Expected a captured payment intent, but received the status requires_capture',
      isPermanent: false,
    });
    await gateway.capture(reference, 40_000, 1);
    await gateway.refund(reference, 10_000, 'refund-1');
    expect(stripe.refunds.length).toBe(1);
  });

  it('describes the response of Stripe without its message', async () => {
    const reference = await createCapture();
    const disputed = { type: 'invalid_request_error', code: 'charge_disputed', message: 'The card of Ada Lovelace' };
    stripe.intercept(({ method }) => (method === 'POST' ? { status: 400, body: { error: disputed } } : undefined));
    await expect(gateway.refund(reference, 10_000, 'refund-1')).rejects.toMatchObject({
      name: 'CardFailure',
      message: 'Stripe responded with 400: charge_disputed',
      statusCode: 400,
      isPermanent: false,
    });
    const error = { type: 'api_error', code: 'Ada Lovelace', message: 'The card of Ada Lovelace' };
    stripe.intercept(() => ({ status: 500, body: { error } }));
    await expect(gateway.capture(reference, 1, 1)).rejects.toMatchObject({
      message: 'Stripe responded with 500',
      statusCode: 500,
    });
    stripe.intercept(() => 'close-before');
    const noResponse = { message: expect.stringMatching(/^Stripe did not respond/), statusCode: null, isPermanent: false };
    await expect(gateway.release(reference)).rejects.toMatchObject(noResponse);
  });

  it('fails permanently for an intent that is unknown to Stripe', async () => {
    await expect(gateway.capture('pi_unknown', 1, 1)).rejects.toMatchObject({
      message: 'Stripe responded with 404: resource_missing',
      isPermanent: true,
    });
  });
});

describe('A request to Stripe', () => {
  it('never contains a card number, and every POST request has an idempotency key', async () => {
    const reference = await createCapture();
    await gateway.refund(reference, 10_000, 'refund-1');
    for (const { method, headers, fields } of stripe.requests) {
      expect(JSON.stringify(fields)).not.toMatch(/\d{13}/);
      if (method === 'POST') expect(headers['idempotency-key']).toMatch(/./);
    }
  });
});
