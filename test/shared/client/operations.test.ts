import { describe, expect, it } from 'vitest';
import { type TestResponse, createStandIn, errorResponse } from './stand-in.ts';

const message: TestResponse = { status: 200, body: { message: 'The e-mail is on its way.', id: 'new in a later version' } };

describe('A cart', () => {
  it('is sent by e-mail', async () => {
    const { fairterm, requests } = await createStandIn([message]);

    expect(await fairterm.carts.email('c 1', { email: 'ada@example.com', name: 'Ada' })).toEqual({
      message: 'The e-mail is on its way.',
    });
    expect(requests).toMatchObject([
      { method: 'POST', path: '/carts/c%201/email', body: '{"email":"ada@example.com","name":"Ada"}' },
    ]);
  });

  it('is sent by text message', async () => {
    const { fairterm, requests } = await createStandIn([message]);

    expect(await fairterm.carts.text('c', { phone: '5125550100' })).toEqual({ message: 'The e-mail is on its way.' });

    expect(requests).toMatchObject([{ method: 'POST', path: '/carts/c/text', body: '{"phone":"5125550100"}' }]);
  });

  it('is expired by a request without a body', async () => {
    const { fairterm, requests } = await createStandIn([{ status: 204 }]);

    expect(await fairterm.carts.expire('c')).toBeUndefined();

    expect(requests).toMatchObject([{ method: 'POST', path: '/carts/c/expire', body: '' }]);
    expect(requests[0]!.headers).not.toHaveProperty('content-type');
  });
});

describe('An authorization', () => {
  it.each([0, -1, undefined, null, Number.NaN])('of the amount %s is rejected before it is sent', async (amount) => {
    const { fairterm, requests } = await createStandIn([errorResponse(400)]);

    await expect(fairterm.transactions.authorize('t', { amount: amount as number })).rejects.toThrow(
      /^amount: expected at least 1 cent, but received .*; omit it for the whole remaining amount$/,
    );
    expect(requests).toEqual([]);
  });
});

describe('A cancellation or a refund', () => {
  it.each<[string, object, string]>([
    ['an amount of 0', { amount: 0 }, 'amount'],
    ['an undefined amount', { amount: undefined }, 'amount'],
    ['an amount of null', { amount: null }, 'amount'],
    ['a negative amount', { amount: -1 }, 'amount'],
    ['an amount that is not a number', { amount: Number.NaN }, 'amount'],
    ['an empty list', { lineItems: [] }, 'lineItems'],
    ['an undefined list', { lineItems: undefined }, 'lineItems'],
    ['an amount of 0 with line items', { amount: 0, lineItems: [{ sku: 'A', quantity: 1 }] }, 'amount'],
  ])('of %s is rejected before it is sent, because the service would adjust the wrong amount', async (_case, request, field) => {
    const { fairterm, requests } = await createStandIn([errorResponse(400)]);
    const { transactions } = fairterm;

    for (const call of [transactions.cancel('t', request), transactions.refund('t', request)]) {
      await expect(call).rejects.toThrow(new RegExp(`^${field}: expected .*; omit (it|them) for the whole remaining amount$`));
    }
    expect(requests).toEqual([]);
  });

  it('is not turned into another action by an additional field', async () => {
    const { fairterm, requests } = await createStandIn([errorResponse(400)]);

    const request = { amount: 5, type: 'refund' };
    await expect(fairterm.transactions.cancel('t', request)).rejects.toThrow();

    expect(JSON.parse(requests[0]!.body)).toEqual({ amount: 5, type: 'cancel' });
  });
});

describe('The client', () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'rejects the amount %s, which JSON would convert to null',
    async (customTotal) => {
      const { fairterm, requests } = await createStandIn([errorResponse(400)]);

      await expect(fairterm.asLowAs({ customTotal })).rejects.toThrow('customTotal: expected a number');
      await expect(fairterm.carts.create({ options: { customTotal: 1, tax: customTotal } })).rejects.toThrow('tax: expected');
      expect(requests).toEqual([]);
    },
  );

  it.each(['', '.', '..'])('rejects the id "%s", because the path would be that of another call', async (id) => {
    const { fairterm, requests } = await createStandIn([{ status: 204 }]);

    await expect(fairterm.transactions.retrieve(id)).rejects.toThrow('id: expected');
    await expect(fairterm.transactions.settle(id)).rejects.toThrow('id: expected');
    await expect(fairterm.carts.expire(id)).rejects.toThrow('id: expected');
    expect(requests).toEqual([]);
  });

  it('escapes an id with slashes in the path', async () => {
    const { fairterm, requests } = await createStandIn([{ status: 204 }]);

    await fairterm.carts.expire('../transactions/t?x#y');

    expect(requests[0]!.path).toBe('/carts/..%2Ftransactions%2Ft%3Fx%23y/expire');
  });

  it('uses the path of the service URL as prefix of all requests', async () => {
    const { url, requests } = await createStandIn([{ status: 204 }]);
    const { Fairterm } = await import('../../../shared/client/index.ts');

    await new Fairterm({ serviceUrl: `${url}/pay/`, apiKey: 'k', secret: 's' }).carts.expire('c');

    expect(requests[0]!.path).toBe('/pay/carts/c/expire');
  });
});
