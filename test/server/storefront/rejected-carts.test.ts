import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { deep, values } from '../../interface/bad-input/values.ts';
import { chair } from '../../support/checkout.ts';
import { startStorefront, type Pages, shopOrigin, otherOrigin, allowsOrigin } from './pages.ts';

describe('A cart request of a page', () => {
  let service: Pages['service'];
  let merchant: Pages['merchant'];
  let bodyOf: Pages['bodyOf'];
  let send: Pages['send'];
  let cartsOf: Pages['cartsOf'];
  beforeAll(async () => {
    ({ service, merchant, bodyOf, send, cartsOf } = await startStorefront());
  });

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

    const unsafeInteger = '9007199254740992';
    it.each<[string, () => BodyInit, RegExp]>([
      ['an empty body', () => '', /^At path: key -- Expected a string/],
      ['invalid JSON', () => '{"key":', /could not be read/],
      ['an array', () => '[]', /./],
      ['a string', () => '"cart"', /could not be read/],
      [
        'text in Latin-1',
        () => new Uint8Array(Buffer.from(bodyOf({ items: [{ ...chair, name: 'Fauteuil d’été' }] }), 'latin1')),
        /in UTF-8/,
      ],
      ['no key', () => bodyOf(undefined, { key: undefined }), /^At path: key /],
      ['a key that is an object', () => bodyOf(undefined, { key: { $ne: '' } }), /^At path: key /],
      [
        'no idempotency key',
        () => bodyOf(undefined, { idempotencyKey: undefined }),
        /^At path: idempotencyKey -- Expected a UUID/,
      ],
      [
        'an order number for the idempotency key',
        () => bodyOf(undefined, { idempotencyKey: 'ORDER-1' }),
        /Expected a UUID, but received "ORDER-1"/,
      ],
      ['a number for the idempotency key', () => bodyOf(undefined, { idempotencyKey: 1 }), /^At path: idempotencyKey /],
      [
        'a line break after the idempotency key',
        () => bodyOf(undefined, { idempotencyKey: `${randomUUID()}\n` }),
        /^At path: idempotencyKey /,
      ],
      ['no options', () => bodyOf(undefined, { options: undefined }), /^At path: options /],
      ['no items and no total', () => bodyOf({}), /Expected `items` or `customTotal`/],
      ['an empty list of items', () => bodyOf({ items: [] }), /Expected `items` or `customTotal`/],
      ['a negative price', () => bodyOf({ items: [{ ...chair, price: -1 }] }), /^At path: options.items.0.price /],
      ['half a cent', () => bodyOf({ customTotal: 0.5 }), /^At path: options.customTotal /],
      ['2^53 cents', () => bodyOf({ customTotal: 1 }).replace(':1}', `:${unsafeInteger}}`), /^At path: options.customTotal /],
      ['a total that is text', () => bodyOf({ customTotal: '100' }), /^At path: options.customTotal /],
      [
        'a discount of the whole price',
        () => bodyOf({ items: [chair], discounts: [{ amount: 75_000, description: 'x' }] }),
        /add up to/,
      ],
      ['__proto__', () => bodyOf().replace('"options"', '"__proto__":{},"options"'), /__proto__/],
      ['__proto__ in an item', () => bodyOf().replace('"sku"', '"__proto__":{"price":1},"sku"'), /__proto__/],
      [
        'a completeUrl of another origin',
        () => bodyOf({ items: [chair], completeUrl: 'https://evil.example/' }),
        /options.completeUrl/,
      ],
      [
        'an errorUrl of another origin',
        () => bodyOf({ items: [chair], errorUrl: 'https://shop.example@evil.example/' }),
        /options.errorUrl/,
      ],
      [
        'a callbackUrl of another origin',
        () => bodyOf({ items: [chair], callbackUrl: 'https://evil.example/' }),
        /options.callbackUrl/,
      ],
      ['a javascript: completeUrl', () => bodyOf({ items: [chair], completeUrl: 'javascript:alert(1)' }), /options.completeUrl/],
      ['a relative completeUrl', () => bodyOf({ items: [chair], completeUrl: '/thanks' }), /options.completeUrl/],
      [
        'a completeUrl of another merchant’s origin',
        () => bodyOf({ items: [chair], completeUrl: `${otherOrigin}/` }),
        /registered/,
      ],
    ])('%s, and the page can read the reason', async (_title, body, reason) => {
      const before = await cartsOf(merchant);
      const response = await send(body());
      expect(response).toMatchObject({ status: 400, body: { error: true, type: 'INTERNAL_ERROR', code: 'invalid-request' } });
      expect(response.body.description).toMatch(reason);
      expect(allowsOrigin(response, shopOrigin)).toBe(true);
      expect(await cartsOf(merchant)).toEqual(before);
    });

    it.each([...values, deep])('%s for any of its fields', async (_title, json) => {
      for (const field of ['key', 'idempotencyKey', 'options']) {
        const valid: Record<string, string> = {
          key: `"${merchant.apiKey}"`,
          idempotencyKey: `"${randomUUID()}"`,
          options: '{}',
        };
        const sent = Object.entries(valid).flatMap(([name, validJson]) => {
          const value = name === field ? json : validJson;
          return value === undefined ? [] : [`"${name}":${value}`];
        });
        const response = await send(`{${sent.join(',')}}`);
        expect([field, response.status]).toEqual([field, expect.toBeOneOf([400, 401])]);
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
