import { describe, expect, it } from 'vitest';
import { completeCheckout } from '../support/checkout.ts';
import { type ApiResponse, fetchResponse, startService } from '../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();
const transactionId = await completeCheckout(merchant);

describe('Errors of the merchant API', () => {
  const act = (body: unknown) => merchant.post(`/transactions/actions/${transactionId}`, body);
  const put = (body: unknown) => merchant.call('PUT', `/transactions/${transactionId}`, { body: JSON.stringify(body) });

  const rejections: [
    event: string,
    ids: string,
    status: number,
    code: string | undefined,
    request: () => Promise<ApiResponse>,
  ][] = [
    [
      'a request is not authenticated',
      '[ERR-2] [AUTH-3]',
      401,
      'unauthenticated',
      () => fetchResponse(`${service.publicUrl}/carts/x`),
    ],
    ['a transaction id is invalid', '[ERR-3] [ERR-9]', 500, undefined, () => merchant.get('/transactions/x')],
    ['an action is not allowed in the status', '[ERR-3] [CHOICE-8]', 500, 'wrong-state', () => act({ type: 'settle' })],
    [
      'an amount is too large',
      '[ERR-3] [LIM-2] [CHOICE-8]',
      500,
      'amount-too-large',
      () => act({ type: 'cancel', amount: 75_001 }),
    ],
    [
      'an amount is not the remaining one',
      '[ERR-3] [CHOICE-43]',
      500,
      'amount-mismatch',
      () => act({ type: 'authorize', amount: 1 }),
    ],
    ['an order id is invalid', '[ERR-4] [TX-5]', 400, 'invalid-request', () => put({ merchantOrderId: 7 })],
    ['a cart is invalid', '[ERR-5] [CHOICE-10]', 400, 'invalid-request', () => merchant.post('/carts', { options: {} })],
    ['JSON is malformed', '[CHOICE-10]', 400, 'invalid-request', () => merchant.post('/carts', '{"options":')],
    [
      'a program is unknown',
      '[CHOICE-10]',
      400,
      'program-not-found',
      () => merchant.post('/aslowas', { customTotal: 1, financingProgramId: 'x' }),
    ],
    ['a cart is unknown', '[CLIENT-16] [CHOICE-11]', 404, 'cart-not-found', () => merchant.get('/carts/x')],
    ['a path is unknown', '', 404, 'unknown-path', () => merchant.get('/transactions/a/b/c')],
    ['a method is not allowed', '[CART-38]', 405, 'method-not-allowed', () => merchant.call('DELETE', '/carts/x')],
    ['a body is too large', '[LIM-7]', 413, 'body-too-large', () => merchant.post('/carts', { x: 'x'.repeat(1_100_000) })],
  ];

  it.each(rejections)(
    'are JSON with description, error and type if %s %s [ERR-6] [ERR-7] [ERR-8] [SVC-5]',
    async (_event, _ids, status, code, request) => {
      const response = await request();
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect([response.status, response.body]).toEqual([
        status,
        {
          description: expect.stringMatching(/\w.{8,}/),
          error: true,
          type: 'INTERNAL_ERROR',
          ...(code !== undefined && { code }),
        },
      ]);
    },
  );

  it('have unique request ids', async () => {
    const ids = [];
    for (const [, , , , request] of rejections) ids.push((await request()).headers.get('x-request-id'));
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
