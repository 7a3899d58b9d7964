import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plusDays, systemClock } from '../../../server/time.ts';
import { open } from '../../support/buyer.ts';
import { describeOnEveryEngine } from '../../support/engines.ts';
import { chair } from '../../support/given.ts';
import { deep, values } from '../../interface/bad-input/values.ts';
import { type Answer, fetchAnswer, givenService, type TestMerchant, type TestService } from '../../support/service.ts';

const shop = 'https://shop.example';
const mobile = 'https://m.shop.example:8443';

describeOnEveryEngine('A cart that a page opens', (engine) => {
  let service: TestService;
  let merchant: TestMerchant;
  let other: TestMerchant;
  let idempotencyKey: string;
  beforeAll(async () => {
    service = await givenService(engine, { limits: { cartsPerAddress: 0, cartsPerMerchant: 0, readsPerAddress: 0 } });
    merchant = await service.givenMerchant({ storeUrl: `${shop}/en/`, origins: [mobile] });
    other = await service.givenMerchant({ name: 'Other', storeUrl: 'https://other.example/' });
  });
  beforeEach(() => {
    idempotencyKey = randomUUID();
  });

  const bodyOf = (options: object = { items: [chair] }, rest: object = {}) =>
    JSON.stringify({ key: merchant.apiKey, idempotencyKey, options, ...rest });
  /** As a browser sends it for a page of `origin`. */
  const send = (
    body: BodyInit,
    { origin = shop, headers = {} }: { origin?: string | null; headers?: Record<string, string> } = {},
  ) =>
    fetchAnswer(`${service.publicUrl}/storefront/carts`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain;charset=UTF-8', ...(origin !== null && { origin }), ...headers },
      body,
    });
  const cartsOf = ({ merchantId }: TestMerchant) =>
    service.database.query.selectFrom('carts').selectAll().where('merchant_id', '=', merchantId).execute();
  const isReadableBy = (answer: Answer, origin: string) => answer.headers.get('access-control-allow-origin') === origin;

  it('is told to the page by its link and last day, and nothing more', async () => {
    const answer = await send(bodyOf());
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: expect.stringMatching(new RegExp(`^${service.publicUrl}/c/[\\w-]{22}$`)),
      expiration: plusDays(service.clock.now(), 7).slice(0, 10),
    });
    expect((await open(answer.body.url)).heading).toBe('Your details');
  });

  it('is a cart like others to the merchant, who sees that a page made it', async () => {
    const options = {
      orderRef: 'ORDER-1',
      completeUrl: `${mobile}/thanks?x=1`,
      errorUrl: `${shop}/bag`,
      callbackUrl: `${shop}/callback`,
      items: [chair],
      discounts: [{ amount: 500, description: 'Welcome' }],
      shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 900 }],
      tax: 700,
      disableEditShipping: true,
    };
    const { body } = await send(bodyOf(options));
    expect((await merchant.get(`/carts/${body.id}`)).body).toMatchObject({
      id: body.id,
      url: body.url,
      merchantId: merchant.merchantId,
      createdBy: 'Storefront',
      options,
    });
    expect((await other.get(`/carts/${body.id}`)).status).toBe(404);
  });

  it('says nothing in the name of the merchant’s staff, and does not live as long as it likes', async () => {
    const named = { createdBy: 'Merchant API', cartName: 'Approved by the manager' };
    const answer = await send(bodyOf({ items: [chair], ...named, apiKey: other.apiKey }, { ...named, expiration: '9999-12-31' }));
    const { body } = await merchant.get(`/carts/${answer.body.id}`);
    expect(body).toMatchObject({ createdBy: 'Storefront', cartName: '' });
    expect(body.expiration).toBe(plusDays(service.clock.now(), 7).slice(0, 10));
    expect(body.options).not.toHaveProperty('createdBy');
    expect(body.options).not.toHaveProperty('cartName');
    expect(body.options).not.toHaveProperty('apiKey');
  });

  it('shows its buyer where it ships, also where they cannot change it', async () => {
    const shippingContact = { fullName: 'Mallory <b>Fence</b>', address: '1 Dock', city: 'Boise', state: 'ID', zip: '83702' };
    const options = { items: [chair], shippingContact, disableEditShipping: true };
    const fixed = await open((await send(bodyOf(options))).body.url);
    expect(fixed.text).not.toContain('shipElsewhere');
    expect(fixed.text.replace(/<!--.*?-->/g, '')).toContain(
      '<p><bdi>Mallory &lt;b&gt;Fence&lt;/b&gt;</bdi><br /><bdi>1 Dock</bdi><br /><bdi>Boise, ID 83702</bdi></p>',
    );
    // What the merchant's server fixed is hidden, as the interface has it.
    const hidden = await open((await merchant.post('/carts', { options })).body.url);
    expect(hidden.text).not.toContain('<bdi>1 Dock');
  });

  it.each([
    'text/plain;charset=UTF-8',
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('is opened whatever its type says: %s', async (type) => {
    expect((await send(bodyOf(), { headers: { 'content-type': type } })).status).toBe(200);
  });

  it.each([shop, mobile])('is readable by the page of %s that opened it', async (origin) => {
    const answer = await send(bodyOf(), { origin });
    expect(answer.status).toBe(200);
    expect(isReadableBy(answer, origin)).toBe(true);
    expect(answer.headers.get('vary')).toBe('origin');
    expect(answer.headers.get('access-control-expose-headers')).toBe('retry-after, x-request-id');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  describe('is refused to a page', () => {
    it.each([
      ['of another host', 'https://evil.example'],
      ['of plain HTTP', 'http://shop.example'],
      ['of another port', 'https://shop.example:8443'],
      ['of a host below', 'https://evil.shop.example'],
      ['of a longer host', 'https://shop.example.evil.example'],
      ['with a slash at the end', 'https://shop.example/'],
      ['in capitals', 'HTTPS://SHOP.EXAMPLE'],
      ['that is in a sandbox', 'null'],
      ['of two origins', `${shop}, https://evil.example`],
    ])('%s, which cannot even read why', async (_what, origin) => {
      const before = await cartsOf(merchant);
      const answer = await send(bodyOf(), { origin });
      expect(answer).toMatchObject({ status: 403, body: { error: true, code: 'origin-not-registered' } });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(await cartsOf(merchant)).toEqual(before);
    });

    it('that does not say where it is from, as no page does', async () => {
      const answer = await send(bodyOf(), { origin: null });
      expect(answer).toMatchObject({ status: 403, body: { code: 'origin-not-registered' } });
      expect(answer.body.description).toContain('no Origin header');
    });

    it('of another merchant, who can read why', async () => {
      const answer = await send(bodyOf(), { origin: 'https://other.example' });
      expect(answer).toMatchObject({ status: 403, body: { code: 'origin-not-registered' } });
      expect(isReadableBy(answer, 'https://other.example')).toBe(true);
      expect(answer.text).not.toContain(merchant.merchantId);
    });
  });

  describe('is refused with', () => {
    it.each<[string, () => unknown]>([
      ['an unknown key', () => 'ft_sandbox_key_0000000000000000000000'],
      ['the secret for the key', () => merchant.secret],
      ['a merchant’s id for the key', () => merchant.merchantId],
      ['a key of another kind of letters', () => "' or 1=1 --"],
      ['a live key', () => merchant.apiKey.replace('sandbox', 'live')],
    ])('%s', async (_what, key) => {
      const answer = await send(bodyOf(undefined, { key: key() }));
      expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
      expect(isReadableBy(answer, shop)).toBe(true);
      expect(answer.text).not.toContain(merchant.secret);
      expect(answer.headers.get('www-authenticate')).toBeNull();
    });

    it('a key that was retired', async () => {
      const retired = await service.givenMerchant({ storeUrl: `${shop}/` });
      const retirement = { retired_at: service.clock.now() };
      await service.database.write((tx) =>
        tx.updateTable('merchant_keys').set(retirement).where('api_key', '=', retired.apiKey).execute(),
      );
      expect(await send(bodyOf(undefined, { key: retired.apiKey }))).toMatchObject({ status: 401 });
    });

    const twice = '9007199254740992';
    it.each<[string, () => BodyInit, RegExp]>([
      ['nothing', () => '', /^At path: key -- Expected a string/],
      ['no JSON', () => '{"key":', /could not be read/],
      ['a list', () => '[]', /./],
      ['text', () => '"cart"', /could not be read/],
      [
        'letters of Latin-1',
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
        'an order’s number for it',
        () => bodyOf(undefined, { idempotencyKey: 'ORDER-1' }),
        /Expected a UUID, but received "ORDER-1"/,
      ],
      ['a number for it', () => bodyOf(undefined, { idempotencyKey: 1 }), /^At path: idempotencyKey /],
      ['more after it', () => bodyOf(undefined, { idempotencyKey: `${randomUUID()}\n` }), /^At path: idempotencyKey /],
      ['no options', () => bodyOf(undefined, { options: undefined }), /^At path: options /],
      ['nothing to sell', () => bodyOf({}), /Expected `items` or `customTotal`/],
      ['an empty bag', () => bodyOf({ items: [] }), /Expected `items` or `customTotal`/],
      ['a negative price', () => bodyOf({ items: [{ ...chair, price: -1 }] }), /^At path: options.items.0.price /],
      ['half a cent', () => bodyOf({ customTotal: 0.5 }), /^At path: options.customTotal /],
      ['2^53 cents', () => bodyOf({ customTotal: 1 }).replace(':1}', `:${twice}}`), /^At path: options.customTotal /],
      ['a price that is text', () => bodyOf({ customTotal: '100' }), /^At path: options.customTotal /],
      [
        'more discount than price',
        () => bodyOf({ items: [chair], discounts: [{ amount: 75_000, description: 'x' }] }),
        /add up to/,
      ],
      ['a prototype', () => bodyOf().replace('"options"', '"__proto__":{},"options"'), /__proto__/],
      ['a prototype deep within', () => bodyOf().replace('"sku"', '"__proto__":{"price":1},"sku"'), /__proto__/],
      [
        'another site to return to',
        () => bodyOf({ items: [chair], completeUrl: 'https://evil.example/' }),
        /options.completeUrl/,
      ],
      [
        'another site to be sorry on',
        () => bodyOf({ items: [chair], errorUrl: 'https://shop.example@evil.example/' }),
        /options.errorUrl/,
      ],
      [
        'another site to be called',
        () => bodyOf({ items: [chair], callbackUrl: 'https://evil.example/' }),
        /options.callbackUrl/,
      ],
      ['a script to return to', () => bodyOf({ items: [chair], completeUrl: 'javascript:alert(1)' }), /options.completeUrl/],
      ['a path to return to', () => bodyOf({ items: [chair], completeUrl: '/thanks' }), /options.completeUrl/],
      [
        'an origin of another merchant to return to',
        () => bodyOf({ items: [chair], completeUrl: 'https://other.example/' }),
        /registered/,
      ],
    ])('%s, and the page can read why', async (_what, body, why) => {
      const before = await cartsOf(merchant);
      const answer = await send(body());
      expect(answer).toMatchObject({ status: 400, body: { error: true, type: 'INTERNAL_ERROR', code: 'invalid-request' } });
      expect(answer.body.description).toMatch(why);
      expect(isReadableBy(answer, shop)).toBe(true);
      expect(await cartsOf(merchant)).toEqual(before);
    });

    it.each([...values, deep])('%s for any of its fields, in words', async (_what, json) => {
      for (const field of ['key', 'idempotencyKey', 'options']) {
        const sound: Record<string, string> = {
          key: `"${merchant.apiKey}"`,
          idempotencyKey: `"${idempotencyKey}"`,
          options: '{}',
        };
        const sent = Object.entries(sound).flatMap(([name, valid]) => {
          const value = name === field ? json : valid;
          return value === undefined ? [] : [`"${name}":${value}`];
        });
        const answer = await send(`{${sent.join(',')}}`);
        expect([field, answer.status]).toEqual([field, expect.toBeOneOf([400, 401])]);
      }
    });

    it('a body of a megabyte, whether it says so beforehand or not, or is packed', async () => {
      const body = bodyOf({ items: [chair], orderRef: 'x'.repeat(1_000_000) });
      const answer = await send(body);
      expect(answer).toMatchObject({ status: 413, body: { code: 'body-too-large' } });
      expect(isReadableBy(answer, shop)).toBe(true);
      expect((await send(bodyOf({ items: [chair], note: 'x'.repeat(131_072) }))).status).toBe(413);
      expect((await send(bodyOf({ items: [chair], note: 'x'.repeat(130_000) }))).status).toBe(200);
    });

    it('a body packed in a way nobody knows', async () => {
      const answer = await send(bodyOf(), { headers: { 'content-encoding': 'zip' } });
      expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported-encoding' } });
      expect(isReadableBy(answer, shop)).toBe(true);
    });
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('is no %s', async (method) => {
    const answer = await fetchAnswer(`${service.publicUrl}/storefront/carts`, { method });
    expect(answer).toMatchObject({ status: 405, body: { code: 'method-not-allowed' } });
    expect(answer.headers.get('allow')).toContain('POST');
  });

  describe('that is asked for again', () => {
    it('is the same, byte for byte', async () => {
      const body = bodyOf();
      const [first, second] = [await send(body), await send(body)];
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect(second.text).toBe(first.text);
      expect(isReadableBy(second, shop)).toBe(true);
    });

    it('with another body is refused', async () => {
      await send(bodyOf());
      const answer = await send(bodyOf({ items: [{ ...chair, price: 1 }] }));
      expect(answer).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
      expect(isReadableBy(answer, shop)).toBe(true);
    });

    it('with another key is another', async () => {
      const first = await send(bodyOf());
      idempotencyKey = randomUUID();
      expect((await send(bodyOf())).body.url).not.toBe(first.body.url);
    });

    it('is not given to a page of another origin', async () => {
      const body = bodyOf();
      await send(body);
      const answer = await send(body, { origin: 'https://evil.example' });
      expect(answer).toMatchObject({ status: 403, body: { code: 'origin-not-registered' } });
    });

    it('of another merchant is that merchant’s own', async () => {
      const mine = await send(bodyOf());
      const theirs = await send(bodyOf(undefined, { key: other.apiKey }), { origin: 'https://other.example' });
      expect(theirs.status).toBe(200);
      expect(theirs.body.id).not.toBe(mine.body.id);
    });

    it('by ten at once is one', async () => {
      const before = (await cartsOf(merchant)).length;
      const body = bodyOf();
      const answers = await Promise.all(Array.from({ length: 10 }, () => send(body)));
      const opened = answers.filter(({ status }) => status === 200);
      const underWay = answers.filter(({ status }) => status === 409);
      expect(opened.length).toBeGreaterThan(0);
      expect(opened.length + underWay.length).toBe(10);
      expect(new Set(opened.map(({ text }) => text)).size).toBe(1);
      for (const answer of underWay) {
        expect(answer.body.code).toBe('idempotency-key-in-use');
        expect(answer.headers.get('retry-after')).toBe('1');
      }
      expect((await send(body)).text).toBe(opened[0]!.text);
      expect((await cartsOf(merchant)).length).toBe(before + 1);
    });

    it('by two at once with two bodies is one of the two', async () => {
      const before = (await cartsOf(merchant)).length;
      const bodies = [bodyOf(), bodyOf({ items: [{ ...chair, price: 90_000 }] })];
      const answers = await Promise.all(bodies.map((body) => send(body)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).toBe(1);
      expect([409, 422]).toContain(statuses.find((status) => status !== 200));
      expect((await cartsOf(merchant)).length).toBe(before + 1);
    });

    it('while it is being opened is to be asked for a little later', async () => {
      const body = bodyOf();
      await send(body);
      await service.database.write(async (tx) => {
        const key = `storefront\n${idempotencyKey}`;
        await tx.deleteFrom('idempotency_answers').where('key', '=', key).execute();
        const held = { leased_until: plusDays(systemClock.now(), 1) };
        await tx.updateTable('idempotency_keys').set(held).where('key', '=', key).execute();
      });
      const answer = await send(body);
      expect(answer).toMatchObject({ status: 409, body: { code: 'idempotency-key-in-use' } });
      expect(isReadableBy(answer, shop)).toBe(true);
    });

    it('by a day that would refuse it is still the one it was', async () => {
      const body = bodyOf();
      const first = await send(body);
      // As it is after a crash between the cart and its answer.
      await service.database.write(async (tx) => {
        const key = `storefront\n${idempotencyKey}`;
        await tx.deleteFrom('idempotency_answers').where('key', '=', key).execute();
        await tx.updateTable('idempotency_keys').set({ leased_until: '' }).where('key', '=', key).execute();
      });
      expect((await send(body)).text).toBe(first.text);
    });

    it('is never what the merchant’s server was answered, nor the other way round', async () => {
      const body = bodyOf();
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

  describe('A browser that asks first', () => {
    const ask = (path: string, headers: Record<string, string>) =>
      fetch(service.publicUrl + path, { method: 'OPTIONS', headers });
    const wanted = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };

    it.each([shop, mobile, 'https://other.example'])('may let a page of %s send JSON', async (origin) => {
      const { status, headers } = await ask('/storefront/carts', { origin, ...wanted });
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, origin]);
      expect(headers.get('access-control-allow-methods')).toBe('POST');
      expect(headers.get('access-control-allow-headers')).toBe('content-type');
      expect(headers.get('access-control-max-age')).toBe('86400');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('vary')).toBe('origin');
    });

    it.each([['https://evil.example'], ['null'], ['']])('may not let one of %j', async (origin) => {
      const { status, headers } = await ask('/storefront/carts', { ...(origin && { origin }), ...wanted });
      expect(status).toBe(204);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    });
  });

  it('leaves nothing of itself in the log', async () => {
    const contact = { firstName: 'Ada', lastName: 'Lovelace', address: '12 Analytical Way', city: 'Springfield', state: 'IL' };
    const body = bodyOf({ items: [chair], shippingContact: { ...contact, email: 'ada@example.com' }, orderRef: 'ORDER-LOGGED' });
    const { body: opened } = await send(body);
    await send(body.replace('75000', '-1'));
    await send(body, { origin: 'https://logged.example' });
    await new Promise(setImmediate);
    const logged = service.logged.join('\n');
    expect(logged).toContain('"route":"/storefront/carts"');
    for (const secret of [
      'Lovelace',
      'ada@',
      'ORDER-LOGGED',
      merchant.apiKey,
      idempotencyKey,
      opened.id,
      opened.url,
      'logged.example',
      '127.0.0.1',
    ])
      expect(logged).not.toContain(secret);
  });
});
