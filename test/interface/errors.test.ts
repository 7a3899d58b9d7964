import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chair, completeCheckout, completeCheckoutAndAct } from '../support/checkout.ts';
import { type ApiResponse, fetchResponse, startService } from '../support/service.ts';
import { byOutcome } from '../support/tables.ts';

const service = await startService();
const merchant = await service.createMerchant();
await merchant.post('/sandbox/clock', { now: '2030-01-16T11:00:00.000Z' });
const pending = await completeCheckout(merchant);
const { id: authorized } = await completeCheckoutAndAct(merchant, [{ type: 'authorize' }]);
const { id: canceled } = await completeCheckoutAndAct(merchant, [{ type: 'cancel' }]);

describe('Errors of the merchant API', () => {
  const act = (id: string, type: string, fields = {}) => merchant.post(`/transactions/actions/${id}`, { type, ...fields });
  const put = (merchantOrderId: unknown) =>
    merchant.call('PUT', `/transactions/${pending}`, { body: JSON.stringify({ merchantOrderId }) });
  const ship = (id: string) => merchant.post(`/transactions/${id}/shipment`, { carrierName: 'Post' });
  const createCart = (options: object, fields = {}) => merchant.post('/carts', { options, ...fields });
  const postCompressed = (body: string) =>
    merchant.call('POST', '/carts', { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } });
  const units = (sku: string, quantity: number) => ({ lineItems: [{ sku, quantity }] });
  const discounts = [{ amount: chair.price, description: 'Everything' }];
  const largeItem = { ...chair, price: 10_000_000, quantity: 10_000 };

  /** The text of each error, once, by status, code and rules: other tests compare codes and paths. */
  const rejections = byOutcome<() => Promise<ApiResponse>>({
    '401 unauthenticated [ERR-2] [AUTH-3]': {
      'Send your API key and its secret with HTTP Basic authentication. Sandbox keys work only in the sandbox.': () =>
        fetchResponse(`${service.publicUrl}/carts/x`),
    },
    '500 none [ERR-3] [ERR-9]': {
      'Transaction ID was invalid': () => merchant.get('/transactions/x'),
    },
    '500 wrong-state [ERR-3] [CHOICE-8]': {
      'Cannot authorize a transaction that is CANCELED; it must be PENDING.': () => act(canceled, 'authorize'),
      'Cannot settle a transaction that is PENDING; it must be AUTHORIZED.': () => act(pending, 'settle'),
      'Cannot cancel a transaction that is CANCELED; it must be PENDING or AUTHORIZED.': () => act(canceled, 'cancel'),
      'Cannot refund a transaction that is AUTHORIZED; it must be SETTLED.': () => act(authorized, 'refund'),
      'Cannot ship a transaction that is CANCELED; it must be PENDING or AUTHORIZED or SETTLED or REFUNDED.': () =>
        ship(canceled),
    },
    '500 amount-too-large [ERR-3] [LIM-2] [CHOICE-8]': {
      'Cannot cancel 75001 cents: 75000 are left.': () => act(pending, 'cancel', { amount: 75_001 }),
    },
    '500 quantity-too-large [ERR-3] [LIM-3] [CHOICE-8]': {
      'Cannot cancel 2 of the sku "CHAIR-1": 1 is left.': () => act(pending, 'cancel', units('CHAIR-1', 2)),
      'Cannot cancel 1 of the sku "DESK": 0 are left.': () => act(pending, 'cancel', units('DESK', 1)),
    },
    '500 amount-mismatch [ERR-3] [CHOICE-43]': {
      'Cannot authorize 1 cents: 75000 are left. Omit `amount`, or cancel what you do not need first.': () =>
        act(pending, 'authorize', { amount: 1 }),
      'Cannot settle 1 cents: 75000 are left. Omit `amount`, or cancel what you do not need first.': () =>
        act(authorized, 'settle', { amount: 1 }),
    },
    '400 invalid-request [ERR-4] [TX-5]': {
      'At path: merchantOrderId -- Expected a string, but received: 7': () => put(7),
      'At path: merchantOrderId -- Expected well-formed Unicode, but received a lone surrogate': () => put('M\ud83d'),
    },
    '400 invalid-request [ERR-5] [CHOICE-10]': {
      'At path: options -- Expected `items` or `customTotal`, but received neither': () => createCart({}),
      'At path: options -- Expected items, discounts, shipping and tax to add up to 1 to 99999999999 cents, but received 0': () =>
        createCart({ items: [chair], discounts }),
      'At path: options.items.0 -- Expected price times quantity to be at most 99999999999 cents, but received 10000000 times 10000':
        () => createCart({ items: [largeItem] }),
      'At path: options.tax -- Expected at most the `customTotal` of 1 cents, which includes it, but received 2': () =>
        createCart({ customTotal: 1, tax: 2 }),
      'At path: expiration -- Expected 2030-01-16 or a later day, but received "2030-01-15"': () =>
        createCart({ customTotal: 1 }, { expiration: '2030-01-15' }),
      'The body could not be read: expected a JSON object.': () => merchant.post('/carts', '{"options":'),
      'fairterm-version: expected 1 or 2, but received "3"': () =>
        merchant.call('GET', '/carts/x', { headers: { 'fairterm-version': '3' } }),
    },
    '400 invalid-request [LIM-8]': {
      'Expected at most 32 levels of nesting, but received more': () =>
        merchant.post('/carts', `{"x":${'['.repeat(32)}${']'.repeat(32)}}`),
    },
    '400 program-not-found [CHOICE-10]': {
      'At path: financingProgramId -- Expected the id of one of your financing programs, or nothing for the default one, but received "x"':
        () => merchant.post('/aslowas', { customTotal: 1, financingProgramId: 'x' }),
    },
    '404 cart-not-found [CLIENT-16] [CHOICE-11]': {
      'Cart ID was invalid': () => merchant.get('/carts/x'),
    },
    '404 unknown-path': {
      'There is nothing at /transactions/a/b/c': () => merchant.get('/transactions/a/b/c'),
    },
    '405 method-not-allowed [CART-38]': {
      'DELETE is not possible here; allowed: HEAD, GET': () => merchant.call('DELETE', '/carts/x'),
    },
    '413 body-too-large [LIM-7] [LIM-10]': {
      'The body is larger than 1048576 bytes.': () => merchant.post('/carts', { x: 'x'.repeat(1_100_000) }),
      'The body is larger than 131072 bytes.': () => postCompressed('x'.repeat(1_000_000)),
    },
  });

  it.each(rejections.map(([description, request, outcome]) => [description, outcome, request] as const))(
    'are JSON with description, error and type: %s, %s [ERR-6] [ERR-7] [ERR-8] [SVC-5]',
    async (description, outcome, request) => {
      const response = await request();
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      const [status, code] = outcome.split(' ');
      const body = { description, error: true, type: 'INTERNAL_ERROR', ...(code !== 'none' && { code }) };
      expect([response.status, response.body]).toEqual([Number(status), body]);
    },
  );

  it('have unique request ids', async () => {
    const ids = [];
    for (const [, request] of rejections) ids.push((await request()).headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(rejections.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  describe('for malformed ids', () => {
    it.each(['%', '%E0%A4%A', '%00', '%ED%A0%80', '%FF', '..%2F..', '%20', '+', encodeURIComponent('ü€😀'), "'%20or%201=1--"])(
      '/transactions/%s are the same as for an invalid id [ERR-9]',
      async (id) => {
        for (const response of [
          await merchant.get(`/transactions/${id}`),
          await merchant.post(`/transactions/actions/${id}`, { type: 'authorize' }),
          await merchant.post(`/transactions/${id}/shipment`, {}),
        ]) {
          expect([response.status, response.body]).toEqual([
            500,
            { description: 'Transaction ID was invalid', error: true, type: 'INTERNAL_ERROR' },
          ]);
        }
      },
    );
  });
});
