import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { chair } from '../../../../support/checkout.ts';
import { startStorefront, shopOrigin, allowsOrigin } from './pages.ts';

const { service, merchant, bodyOf, send, cartsOf } = await startStorefront();

describe('When a page repeats a cart request, the service', () => {
  let idempotencyKey: string;
  beforeEach(() => {
    idempotencyKey = randomUUID();
  });
  const bodyWithSameKey = (options: object = { items: [chair] }) => bodyOf(options, { idempotencyKey });

  it('returns the same response, byte for byte', async () => {
    const body = bodyWithSameKey();
    const first = await send(body);
    const second = await send(body);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.text).toBe(first.text);
    expect(allowsOrigin(second, shopOrigin)).toBe(true);
  });

  it('rejects a page of another origin', async () => {
    const body = bodyWithSameKey();
    await send(body);
    const response = await send(body, { origin: 'https://evil.example' });
    expect(response).toMatchObject({ status: 403, body: { code: 'origin-not-registered' } });
  });

  it('creates one cart for two simultaneous requests with different bodies', async () => {
    const before = (await cartsOf(merchant)).length;
    const bodies = [bodyWithSameKey(), bodyWithSameKey({ items: [{ ...chair, price: 90_000 }] })];
    const responses = await Promise.all(bodies.map((body) => send(body)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBe(1);
    expect([409, 422]).toContain(statuses.find((status) => status !== 200));
    expect((await cartsOf(merchant)).length).toBe(before + 1);
  });

  it('does not copy the cart into the idempotency tables, because anyone can send carts', async () => {
    await send(bodyWithSameKey({ items: [{ ...chair, name: 'Walnut chair' }] }));
    const { query } = service.database;
    const key = `storefront\n${idempotencyKey}`;
    const stored = [
      await query.selectFrom('idempotency_keys').selectAll().where('key', '=', key).execute(),
      await query.selectFrom('idempotency_writes').selectAll().where('key', '=', key).execute(),
      await query.selectFrom('idempotency_responses').selectAll().where('key', '=', key).execute(),
    ];
    expect(stored.map((rows) => rows.length)).toEqual([1, 1, 1]);
    expect(JSON.stringify(stored)).not.toContain('Walnut');
    expect(JSON.stringify(stored).length).toBeLessThan(1_200);
  });

  it('separates the idempotency keys of pages from those of the merchant API', async () => {
    const body = bodyWithSameKey();
    const byServer = await merchant.call('POST', '/carts', { headers: { 'idempotency-key': idempotencyKey }, body });
    const byPage = await send(body);
    const again = await merchant.call('POST', '/carts', { headers: { 'idempotency-key': idempotencyKey }, body });
    expect([byServer.status, byPage.status]).toEqual([200, 200]);
    expect(byPage.body.id).not.toBe(byServer.body.id);
    expect(again.text).toBe(byServer.text);

    // A key of the merchant API cannot contain a control character, so it cannot have the prefix `storefront\n`.
    const headers = { 'idempotency-key': `storefront\t${idempotencyKey}` };
    expect((await merchant.call('POST', '/carts', { headers, body })).status).toBe(400);
  });
});
