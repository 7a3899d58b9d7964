import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../server/ids.ts';
import { createCart, open, type Page, reachAgreement, submit } from '../../support/checkout.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';

/** Target of a failed checkout, because the cart has no errorUrl. */
const toShop = [303, 'https://shop.example/'];
const wayOut = ({ status, headers }: Page) => [status, headers.get('location')];

describe('POST /carts/:cartId/expire', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });
  const expire = (id: string, body?: unknown) => merchant.post(`/carts/${id}/expire`, body);
  const done = { status: 204, text: '' };

  it.each([
    ['no body', undefined],
    ['an empty object', '{}'],
    ['an empty list', '[]'],
    ['unknown fields', '{"reason":"sold"}'],
    ['an empty string', ''],
    ['JSON that is broken', '{"options":'],
    ['text that is no JSON', 'please'],
    ['a trap', `${'['.repeat(200)}${']'.repeat(200)}`],
    ['two megabytes', `"${'x'.repeat(2_000_000)}"`],
  ])('returns 204 without a body for %s [CART-37] [STATE-13] [CLIENT-15] [CHOICE-24]', async (_what, body) => {
    const cart = await createCart(merchant);
    expect(await expire(cart.id, body)).toMatchObject(done);
    expect(wayOut(await open(cart.url))).toEqual(toShop);
    expect(await open(`${cart.url}?display=popup`)).toMatchObject({ status: 410, heading: 'This checkout link has expired' });
  });

  it('returns 204 again if the cart is already expired [CLIENT-15] [CHOICE-12]', async () => {
    const { id } = await createCart(merchant);
    for (let times = 0; times < 3; times++) expect(await expire(id)).toMatchObject(done);
  });

  it('returns 204 for a cart past its expiration date', async () => {
    const now = service.clock.now();
    const { id } = await createCart(merchant, {}, { expiration: now.slice(0, 10) });
    service.clock.moveTo('2039-01-01T00:00:00.000000Z');
    const response = await expire(id);
    service.clock.moveTo(now);
    expect(response).toMatchObject(done);
  });

  it('returns 204 for a completed cart and leaves it completed [CLIENT-15] [CHOICE-12]', async () => {
    const cart = await createCart(merchant);
    const { body } = await merchant.post('/sandbox/checkouts', { cartId: cart.id });

    expect(await expire(cart.id)).toMatchObject(done);

    expect(await open(cart.url)).toMatchObject({ heading: 'This order is complete' });
    expect(await merchant.get(`/transactions/${body.transactionId}`)).toMatchObject({ body: { status: 'PENDING' } });
  });

  it('accepts a trailing slash [CHOICE-22]', async () => {
    const { id } = await createCart(merchant);
    expect(await merchant.post(`/carts/${id}/expire/`, '[')).toMatchObject(done);
  });

  it('leaves the cart readable', async () => {
    const { id, url } = await createCart(merchant);
    await expire(id);
    expect(await merchant.get(`/carts/${id}`)).toMatchObject({ status: 200, body: { id, url } });
  });

  it('returns 404, as GET does, for an unknown cart and for a cart of another merchant, which stays open [CLIENT-16] [CHOICE-11]', async () => {
    const other = await service.createMerchant();
    const foreign = await createCart(other);
    for (const id of [newId(), 'unknown', '%00', foreign.id]) {
      const [rejected, read] = [await expire(id), await merchant.get(`/carts/${id}`)];
      expect(rejected).toMatchObject({ status: 404, body: { error: true, code: 'cart-not-found' } });
      expect(rejected.body).toEqual(read.body);
    }
    expect(await open(foreign.url)).toMatchObject({ heading: 'Your details' });
  });

  it('rejects requests without a key and with other methods', async () => {
    const { id } = await createCart(merchant);
    const response = await fetch(`${service.publicUrl}/carts/${id}/expire`, { method: 'POST' });
    expect(response.status).toBe(401);
    expect(await merchant.get(`/carts/${id}/expire`)).toMatchObject({ status: 405, body: { code: 'method-not-allowed' } });
    expect(await merchant.call('PUT', `/carts/${id}/expire`)).toMatchObject({ status: 405 });
  });

  describe('ends a checkout', () => {
    it('that is in progress, at any step [STATE-13]', async () => {
      const cart = await createCart(merchant);
      const details = await open(cart.url);
      await expire(cart.id);
      expect(wayOut(await submit(details))).toEqual(toShop);
    });

    it('that is ready to be signed', async () => {
      const cart = await createCart(merchant);
      const agreement = await reachAgreement(cart.url);
      await expire(cart.id);
      expect(wayOut(await submit(agreement))).toEqual(toShop);
      expect(await merchant.post('/sandbox/checkouts', { cartId: cart.id })).toMatchObject({
        status: 400,
        body: { code: 'cart-closed' },
      });
    });

    it('or has no effect: of ten carts that are signed and expired at the same moment, each ends in one state', async () => {
      const carts = await Promise.all(Array.from({ length: 10 }, () => createCart(merchant)));
      const agreements = await Promise.all(carts.map(({ url }) => reachAgreement(url)));

      await Promise.all(
        carts.flatMap(({ id }, index) => {
          const both = [() => expire(id), () => submit(agreements[index]!)];
          return (index % 2 ? both : both.toReversed()).map((act) => act());
        }),
      );

      const ends = await Promise.all(
        carts.map(async ({ id, url }) => {
          const { query } = service.database;
          const { status, transaction_id } = await query
            .selectFrom('carts')
            .selectAll()
            .where('id', '=', id)
            .executeTakeFirstOrThrow();
          const transactions = await query.selectFrom('transactions').select('id').where('cart_id', '=', id).execute();
          return { status, transaction_id, transactions, page: await open(url) };
        }),
      );
      for (const { status, transaction_id, transactions, page } of ends) {
        const isBought = status === 'COMPLETED';
        expect(status).toMatch(/^(COMPLETED|EXPIRED)$/);
        expect(transactions.map(({ id }) => id)).toEqual(isBought ? [transaction_id] : []);
        if (isBought) expect(page.heading).toBe('This order is complete');
        else expect(wayOut(page)).toEqual(toShop);
      }
    });
  });
});
