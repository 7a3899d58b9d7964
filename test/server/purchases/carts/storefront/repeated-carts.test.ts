import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { chair } from '../../../../support/checkout.ts';
import { startStorefront, shopOrigin, otherOrigin, allowsOrigin } from './pages.ts';
import { plusDays, systemClock } from '../../../../../server/base/time.ts';

const { service, merchant, other, bodyOf, send, cartsOf } = await startStorefront();

describe('When a page repeats a cart request, the service', () => {
  let idempotencyKey: string;
  beforeEach(() => {
    idempotencyKey = randomUUID();
  });
  const bodyWithSameKey = (options: object = { items: [chair] }, rest: object = {}) =>
    bodyOf(options, { idempotencyKey, ...rest });

  it('returns the same response, byte for byte', async () => {
    const body = bodyWithSameKey();
    const first = await send(body);
    const second = await send(body);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.text).toBe(first.text);
    expect(allowsOrigin(second, shopOrigin)).toBe(true);
  });

  it('rejects a different body with the same idempotency key', async () => {
    await send(bodyWithSameKey());
    const response = await send(bodyWithSameKey({ items: [{ ...chair, price: 1 }] }));
    expect(response).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
    expect(allowsOrigin(response, shopOrigin)).toBe(true);
  });

  it('creates a separate cart for another merchant', async () => {
    const mine = await send(bodyWithSameKey());
    const theirs = await send(bodyWithSameKey(undefined, { key: other.apiKey }), { origin: otherOrigin });
    expect(theirs.status).toBe(200);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('creates one cart for ten requests at once', async () => {
    const before = (await cartsOf(merchant)).length;
    const body = bodyWithSameKey();
    const responses = await Promise.all(Array.from({ length: 10 }, () => send(body)));
    const created = responses.filter(({ status }) => status === 200);
    const inProgress = responses.filter(({ status }) => status === 409);
    expect(created.length).toBeGreaterThan(0);
    expect(created.length + inProgress.length).toBe(10);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    for (const response of inProgress) {
      expect(response.body.code).toBe('idempotency-key-in-use');
      expect(response.headers.get('retry-after')).toBe('1');
    }
    expect((await send(body)).text).toBe(created[0]!.text);
    expect((await cartsOf(merchant)).length).toBe(before + 1);
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

  it('responds 409 with Retry-After while the first request is in progress', async () => {
    const body = bodyWithSameKey();
    await send(body);
    await service.database.write(async (tx) => {
      const key = `storefront\n${idempotencyKey}`;
      await tx.deleteFrom('idempotency_responses').where('key', '=', key).execute();
      const activeLease = { leasedUntil: plusDays(systemClock.now(), 1) };
      await tx.updateTable('idempotency_keys').set(activeLease).where('key', '=', key).execute();
    });
    const response = await send(body);
    expect(response).toMatchObject({ status: 409, body: { code: 'idempotency-key-in-use' } });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(allowsOrigin(response, shopOrigin)).toBe(true);
  });

  it('returns the same cart if it crashed before it stored the response', async () => {
    const body = bodyWithSameKey();
    const first = await send(body);
    // The rows after a crash between creating the cart and storing the response.
    await service.database.write(async (tx) => {
      const key = `storefront\n${idempotencyKey}`;
      await tx.deleteFrom('idempotency_responses').where('key', '=', key).execute();
      await tx.updateTable('idempotency_keys').set({ leasedUntil: '' }).where('key', '=', key).execute();
    });
    expect((await send(body)).text).toBe(first.text);
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
