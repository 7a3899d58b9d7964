import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { chair } from '../../../../support/checkout.ts';
import { boundaryValues } from '../../../../support/openapi-values.ts';
import { startStorefront, shopOrigin, otherOrigin, allowsOrigin } from './pages.ts';

const { service, merchant, bodyOf, send, cartsOf } = await startStorefront();

describe('A cart request of a page', () => {
  describe('is rejected if its origin', () => {
    it.each([
      ['has another host', 'https://evil.example'],
      ['has plain HTTP', 'http://shop.example'],
      ['has another port', 'https://shop.example:8443'],
      ['is a subdomain', 'https://evil.shop.example'],
      ['is a longer host name', 'https://shop.example.evil.example'],
      ['ends with a slash', 'https://shop.example/'],
      ['is in upper case', 'HTTPS://SHOP.EXAMPLE'],
      ['is opaque', 'null'],
      ['contains two origins', `${shopOrigin}, https://evil.example`],
    ])('%s, and the page cannot read the reason', async (_title, origin) => {
      const before = await cartsOf(merchant);
      const response = await send(bodyOf(), { origin });
      expect(response).toMatchObject({ status: 403, body: { error: true, code: 'origin-not-registered' } });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(await cartsOf(merchant)).toEqual(before);
    });

    it('is missing', async () => {
      const response = await send(bodyOf(), { origin: null });
      expect(response).toMatchObject({ status: 403, body: { code: 'origin-not-registered' } });
      expect(response.body.description).toContain('no Origin header');
    });

    it('has another host, before the body is read', async () => {
      const response = await send('{"key":', { origin: 'https://evil.example' });
      expect(response).toMatchObject({ status: 403, body: { code: 'origin-not-registered' } });
    });

    it('belongs to another merchant, and the page can read the reason', async () => {
      const response = await send(bodyOf(), { origin: otherOrigin });
      expect(response).toMatchObject({ status: 403, body: { code: 'origin-not-registered' } });
      expect(allowsOrigin(response, otherOrigin)).toBe(true);
      expect(response.text).not.toContain(merchant.merchantId);
    });
  });

  describe('is rejected if it has', () => {
    it.each<[string, () => unknown]>([
      ['an unknown key', () => 'ft_sandbox_key_0000000000000000000000'],
      ['the secret for the key', () => merchant.secret],
      ['a merchant’s id for the key', () => merchant.merchantId],
      ['SQL for the key', () => "' or 1=1 --"],
      ['a live key', () => merchant.apiKey.replace('sandbox', 'live')],
    ])('%s', async (_title, key) => {
      const response = await send(bodyOf(undefined, { key: key() }));
      expect(response).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect(allowsOrigin(response, shopOrigin)).toBe(true);
      expect(response.text).not.toContain(merchant.secret);
      expect(response.headers.get('www-authenticate')).toBeNull();
    });

    it('a retired key', async () => {
      const retired = await service.createMerchant({ storeUrl: `${shopOrigin}/` });
      const retirement = { retiredAt: service.clock.now() };
      await service.database.write((tx) =>
        tx.updateTable('merchant_keys').set(retirement).where('apiKey', '=', retired.apiKey).execute(),
      );
      expect(await send(bodyOf(undefined, { key: retired.apiKey }))).toMatchObject({ status: 401 });
    });

    it.each<[path: string, title: string, body: () => BodyInit]>([
      ['', 'text in Latin-1', () => new Uint8Array(Buffer.from(bodyOf({ items: [chair], orderRef: 'é' }), 'latin1'))],
      ['', '__proto__ in an item', () => bodyOf().replace('"sku"', '"__proto__":{"price":1},"sku"')],
      ['idempotencyKey', 'no idempotency key', () => bodyOf(undefined, { idempotencyKey: undefined })],
      ['idempotencyKey', 'an order number as idempotency key', () => bodyOf(undefined, { idempotencyKey: 'ORDER-1' })],
      ['idempotencyKey', 'a line break after it', () => bodyOf(undefined, { idempotencyKey: `${randomUUID()}\n` })],
      ['options', 'no options', () => bodyOf(undefined, { options: undefined })],
      ['options', 'no items and no total', () => bodyOf({})],
      ['options.items.0.price', 'a negative price', () => bodyOf({ items: [{ ...chair, price: -1 }] })],
      ...[
        'https://evil.example/',
        'https://shop.example@evil.example/',
        'javascript:alert(1)',
        '/thanks',
        `${otherOrigin}/`,
      ].flatMap((url) =>
        ['completeUrl', 'errorUrl', 'callbackUrl'].map((name): [string, string, () => BodyInit] => [
          `options.${name}`,
          `the ${name} ${url}`,
          () => bodyOf({ items: [chair], [name]: url }),
        ]),
      ),
    ])('an invalid value at the path %j: %s, and the page can read the reason', async (path, _title, body) => {
      const before = await cartsOf(merchant);
      const response = await send(body());
      expect(response).toMatchObject({ status: 400, body: { error: true, type: 'INTERNAL_ERROR', code: 'invalid-request' } });
      expect(response.body.description).toContain(path && `At path: ${path} -- Expected`);
      expect(allowsOrigin(response, shopOrigin)).toBe(true);
      expect(await cartsOf(merchant)).toEqual(before);
    });

    it('another type, or a value beyond the limits, of any of its fields', async () => {
      const valid = { key: merchant.apiKey, idempotencyKey: randomUUID(), options: {} };
      for (const field of Object.keys(valid)) {
        for (const value of [undefined, ...boundaryValues]) {
          const { status } = await send(JSON.stringify({ ...valid, [field]: value }));
          expect([field, value, status]).toEqual([field, value, expect.toBeOneOf([400, 401])]);
        }
      }
    });

    it('a body of more than 16 kB', async () => {
      const body = bodyOf({ items: [chair], orderRef: 'x'.repeat(1_000_000) });
      const response = await send(body);
      expect(response).toMatchObject({ status: 413, body: { code: 'body-too-large' } });
      expect(allowsOrigin(response, shopOrigin)).toBe(true);
      expect((await send(bodyOf({ items: [chair], note: 'x'.repeat(16_384) }))).status).toBe(413);
      expect((await send(bodyOf({ items: [chair], note: 'x'.repeat(15_900) }))).status).toBe(200);
    });

    it('a body in an unknown encoding', async () => {
      const response = await send(bodyOf(), { headers: { 'content-encoding': 'zip' } });
      expect(response).toMatchObject({ status: 415, body: { code: 'unsupported-encoding' } });
      expect(allowsOrigin(response, shopOrigin)).toBe(true);
    });
  });
});
