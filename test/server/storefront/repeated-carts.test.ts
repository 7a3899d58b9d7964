import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plusDays, systemClock } from '../../../server/time.ts';
import { chair } from '../../support/checkout.ts';
import { givenPages, type Pages, shop, elsewhere, isReadableBy } from './pages.ts';

describe('A repeated cart request of a page', () => {
  let service: Pages['service'];
  let merchant: Pages['merchant'];
  let other: Pages['other'];
  let bodyOf: Pages['bodyOf'];
  let send: Pages['send'];
  let cartsOf: Pages['cartsOf'];
  let idempotencyKey: string;
  beforeAll(async () => {
    ({ service, merchant, other, bodyOf, send, cartsOf } = await givenPages());
  });
  beforeEach(() => {
    idempotencyKey = randomUUID();
  });
  const sameBody = (options: object = { items: [chair] }, rest: object = {}) => bodyOf(options, { idempotencyKey, ...rest });

  it('returns the same response, byte for byte', async () => {
    const body = sameBody();
    const [first, second] = [await send(body), await send(body)];
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.text).toBe(first.text);
    expect(isReadableBy(second, shop)).toBe(true);
  });

  it('is rejected with another body', async () => {
    await send(sameBody());
    const response = await send(sameBody({ items: [{ ...chair, price: 1 }] }));
    expect(response).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
    expect(isReadableBy(response, shop)).toBe(true);
  });

  it('creates another cart with another key', async () => {
    const first = await send(sameBody());
    idempotencyKey = randomUUID();
    expect((await send(sameBody())).body.url).not.toBe(first.body.url);
  });

  it('is rejected for a page of another origin', async () => {
    const body = sameBody();
    await send(body);
    const response = await send(body, { origin: 'https://evil.example' });
    expect(response).toMatchObject({ status: 403, body: { code: 'origin-not-registered' } });
  });

  it('of another merchant creates a cart of that merchant', async () => {
    const mine = await send(sameBody());
    const theirs = await send(sameBody(undefined, { key: other.apiKey }), { origin: elsewhere });
    expect(theirs.status).toBe(200);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('ten times at once creates one cart', async () => {
    const before = (await cartsOf(merchant)).length;
    const body = sameBody();
    const responses = await Promise.all(Array.from({ length: 10 }, () => send(body)));
    const opened = responses.filter(({ status }) => status === 200);
    const underWay = responses.filter(({ status }) => status === 409);
    expect(opened.length).toBeGreaterThan(0);
    expect(opened.length + underWay.length).toBe(10);
    expect(new Set(opened.map(({ text }) => text)).size).toBe(1);
    for (const response of underWay) {
      expect(response.body.code).toBe('idempotency-key-in-use');
      expect(response.headers.get('retry-after')).toBe('1');
    }
    expect((await send(body)).text).toBe(opened[0]!.text);
    expect((await cartsOf(merchant)).length).toBe(before + 1);
  });

  it('twice at once with two bodies creates one of the two carts', async () => {
    const before = (await cartsOf(merchant)).length;
    const bodies = [sameBody(), sameBody({ items: [{ ...chair, price: 90_000 }] })];
    const responses = await Promise.all(bodies.map((body) => send(body)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBe(1);
    expect([409, 422]).toContain(statuses.find((status) => status !== 200));
    expect((await cartsOf(merchant)).length).toBe(before + 1);
  });

  it('while the first is in progress is rejected with Retry-After', async () => {
    const body = sameBody();
    await send(body);
    await service.database.write(async (tx) => {
      const key = `storefront\n${idempotencyKey}`;
      await tx.deleteFrom('idempotency_responses').where('key', '=', key).execute();
      const held = { leased_until: plusDays(systemClock.now(), 1) };
      await tx.updateTable('idempotency_keys').set(held).where('key', '=', key).execute();
    });
    const response = await send(body);
    expect(response).toMatchObject({ status: 409, body: { code: 'idempotency-key-in-use' } });
    expect(isReadableBy(response, shop)).toBe(true);
  });

  it('returns the same response on a later day on which it would be rejected', async () => {
    const body = sameBody();
    const first = await send(body);
    // As it is after a crash between the cart and its answer.
    await service.database.write(async (tx) => {
      const key = `storefront\n${idempotencyKey}`;
      await tx.deleteFrom('idempotency_responses').where('key', '=', key).execute();
      await tx.updateTable('idempotency_keys').set({ leased_until: '' }).where('key', '=', key).execute();
    });
    expect((await send(body)).text).toBe(first.text);
  });

  it('stores the content of the cart once, because anyone can send carts', async () => {
    await send(sameBody({ items: [{ ...chair, name: 'Walnut chair' }] }));
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

  it('never returns the response of the merchant’s server, nor the reverse', async () => {
    const body = sameBody();
    const byServer = await merchant.call('POST', '/carts', { headers: { 'idempotency-key': idempotencyKey }, body });
    const byPage = await send(body);
    const again = await merchant.call('POST', '/carts', { headers: { 'idempotency-key': idempotencyKey }, body });
    expect([byServer.status, byPage.status]).toEqual([200, 200]);
    expect(byPage.body.id).not.toBe(byServer.body.id);
    expect(again.text).toBe(byServer.text);

    // No key of the merchant API can have what those of pages begin with.
    const headers = { 'idempotency-key': `storefront\t${idempotencyKey}` };
    expect((await merchant.call('POST', '/carts', { headers, body })).status).toBe(400);
  });
});
