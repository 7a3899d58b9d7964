/** Unknown ids, and ids of another merchant. Every operation responds to both exactly the same, and changes nothing. */
import { describe, expect, it } from 'vitest';
import { createCart, completeCheckout, completeCheckoutAndAct } from '../../support/checkout.ts';
import { invalidId, unknownIds } from '../transactions/invalid-ids.ts';
import { type ApiResponse, startService, type TestMerchant } from '../../support/service.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const authorize = { type: 'authorize' };

type Operation = [name: string, method: string, path: (id: string) => string, body?: ((id: string) => unknown) | undefined];

const transactionOperations: Operation[] = [
  ['GET /transactions/:tx-id', 'GET', (id) => `/transactions/${id}`],
  ['GET /transactions/:tx-id/adjustments', 'GET', (id) => `/transactions/${id}/adjustments`],
  ['PUT /transactions/:tx-id', 'PUT', (id) => `/transactions/${id}`, () => ({ merchantOrderId: 'STOLEN' })],
  ...[authorize, { type: 'settle' }, { type: 'cancel' }, { type: 'cancel', amount: 1 }, { type: 'refund' }].map(
    (action): Operation => [
      `POST /transactions/actions/:tx-id ${JSON.stringify(action)}`,
      'POST',
      (id) => `/transactions/actions/${id}`,
      () => action,
    ],
  ),
  ['POST /transactions/:tx-id/shipment', 'POST', (id) => `/transactions/${id}/shipment`, () => ({ carrierName: 'STOLEN' })],
];

const cartOperations: Operation[] = [
  ['GET /carts/:cartId', 'GET', (id) => `/carts/${id}`],
  ['POST /carts/:cartId/expire', 'POST', (id) => `/carts/${id}/expire`],
  ['POST /carts/:cartId/email', 'POST', (id) => `/carts/${id}/email`, () => ({ email: 'ada@example.com', name: 'Ada' })],
  ['POST /carts/:cartId/text', 'POST', (id) => `/carts/${id}/text`, () => ({ phone: '5550100100' })],
  ['POST /sandbox/checkouts', 'POST', () => '/sandbox/checkouts', (cartId) => ({ cartId })],
];

const service = await startService();
const merchant = await service.createMerchant();
const other = await service.createMerchant();
/** Returns the ids of a new purchase, its settlement, a webhook and an event of a merchant. */
const idsOf = async (of: TestMerchant) => {
  const { id: transaction } = await completeCheckoutAndAct(of, [authorize, { type: 'settle' }]);
  const { id: settlement } = (await of.post('/sandbox/settlements')).body.settlements[0];
  const { id: webhook } = (await of.post('/webhooks', { url: 'https://shop.example/' })).body;
  return { transaction, settlement, webhook, event: (await of.get('/events')).body.events[0].id };
};
const own = await idsOf(merchant);
const neighbor = await service.createMerchant();
const foreignIds = await idsOf(neighbor);

const otherOperations: [kind: keyof typeof own, code: string, call: string, body?: (id: string) => object][] = [
  ['webhook', 'webhook-not-found', 'GET /webhooks/:id'],
  ['webhook', 'webhook-not-found', 'GET /webhooks/:id/deliveries'],
  ['webhook', 'webhook-not-found', 'POST /webhooks/:id/deliveries', () => ({ eventId: own.event })],
  ['webhook', 'webhook-not-found', 'POST /webhooks/:id/secrets'],
  ['webhook', 'webhook-not-found', 'POST /webhooks/:id/enable'],
  ['webhook', 'webhook-not-found', 'POST /webhooks/:id/test'],
  ['webhook', 'webhook-not-found', 'DELETE /webhooks/:id'],
  ['event', 'event-not-found', `POST /webhooks/${own.webhook}/deliveries`, (eventId) => ({ eventId })],
  ['event', 'event-not-found', 'GET /events/:id'],
  ['event', 'invalid-request', 'GET /events?after=:id'],
  ['settlement', 'settlement-not-found', 'GET /settlements/:id'],
  ['settlement', 'settlement-not-found', 'GET /settlements/:id.csv'],
  ['settlement', 'invalid-request', 'GET /settlements?after=:id'],
  ['transaction', 'invalid-request', 'GET /transactions?after=:id'],
];

describe('The id', () => {
  const request = ([, method, path, body]: Operation, id: string): Promise<ApiResponse> =>
    merchant.call(method, path(id), body ? { body: JSON.stringify(body(id)) } : {});
  /** Returns what could distinguish two responses, without the given id, the request id and the time. */
  const comparable = ({ status, text, headers }: ApiResponse, id: string) => {
    const names = [...headers.keys()].filter((name) => name !== 'date' && name !== 'x-request-id');
    return [status, text.replaceAll(id, ':id'), names.map((name) => [name, headers.get(name)])];
  };
  const expectUnknown = async (operation: Operation, foreign: string) => {
    const response = await request(operation, foreign);
    expect(response.body).toMatchObject({ error: true, type: 'INTERNAL_ERROR' });
    expect(comparable(response, foreign)).toEqual(comparable(await request(operation, UNKNOWN), UNKNOWN));
  };

  describe.each(transactionOperations)('in %s [TX-21] [CHOICE-9]', (...operation) => {
    it.each(unknownIds)(
      '%s is unknown and returns 500 with exactly the documented body [CLIENT-6] [ERR-3] [ERR-9] [TX-2]',
      async (id) => {
        const response = await request(operation, encodeURIComponent(id));
        expect([response.status, response.text]).toEqual([500, JSON.stringify(invalidId)]);
      },
    );

    it.each<[string, { type: string }[]]>([
      ['PENDING', []],
      ['AUTHORIZED', [authorize]],
      ['SETTLED', [authorize, { type: 'settle' }]],
      ['CANCELED', [{ type: 'cancel' }]],
    ])(
      'of another merchant is treated as unknown while the transaction is %s, which does not change',
      async (status, actions) => {
        const { id, transaction } = await completeCheckoutAndAct(other, actions);
        expect(transaction.status).toBe(status);
        await expectUnknown(operation, id);
        expect((await other.get(`/transactions/${id}`)).body).toEqual(transaction);
      },
    );
  });

  describe.each(cartOperations)('in %s [CHOICE-11] [CLIENT-16]', (...operation) => {
    it('of another merchant is treated as unknown, and the cart does not change', async () => {
      const cart = await createCart(other);
      await expectUnknown(operation, cart.id);
      expect(await request(operation, UNKNOWN)).toMatchObject({ status: 404, body: { code: 'cart-not-found' } });
      expect((await other.get(`/carts/${cart.id}`)).body).toEqual(cart);
      expect(await other.post('/sandbox/checkouts', { cartId: cart.id })).toMatchObject({ status: 200 });
    });

    it('of another merchant is treated as unknown after the purchase', async () => {
      const cart = await createCart(other);
      await other.post('/sandbox/checkouts', { cartId: cart.id });
      await expectUnknown(operation, cart.id);
    });
  });

  it.each(otherOperations)('of a foreign %s is treated as unknown, with the code %s, in %s', async (kind, code, call, body) => {
    const [method, path] = call.split(' ') as [string, string];
    const operation: Operation = [call, method, (id) => path.replace(':id', id), body];
    await expectUnknown(operation, foreignIds[kind]);
    const unknown = path.includes(':id') ? [UNKNOWN, 'unknown'] : [UNKNOWN];
    for (const id of unknown) expect((await request(operation, id)).body).toMatchObject({ code });
  });

  it('of a webhook of another merchant has changed nothing', async () => {
    expect((await merchant.get('/webhooks')).body.webhooks).toMatchObject([{ id: own.webhook }]);
    expect((await neighbor.get('/webhooks')).body.webhooks).toMatchObject([{ id: foreignIds.webhook }]);
    const { deliveries } = (await neighbor.get(`/webhooks/${foreignIds.webhook}/deliveries`)).body;
    expect(deliveries.filter(({ eventType }: { eventType: string }) => eventType === 'webhook.test')).toHaveLength(1);
  });

  it('of a cart is treated as unknown for a transaction, and the id of a transaction for a cart [CHOICE-9] [CHOICE-11]', async () => {
    const cart = (await createCart(merchant)).id;
    const transaction = await completeCheckout(merchant);
    for (const operation of transactionOperations)
      expect(comparable(await request(operation, cart), cart)).toEqual(comparable(await request(operation, UNKNOWN), UNKNOWN));
    for (const operation of cartOperations)
      expect(comparable(await request(operation, transaction), transaction)).toEqual(
        comparable(await request(operation, UNKNOWN), UNKNOWN),
      );
  });
});
