import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Program } from '../../../../../shared/programs/program.ts';
import { importProgram } from '../../../../../server/lending/programs/import.ts';
import { plusDays } from '../../../../../server/base/time.ts';
import { chair, open } from '../../../../support/checkout.ts';
import { createProgram } from '../../../../support/programs.ts';
import { startStorefront, allowsOrigin, mobileOrigin, shopOrigin } from './pages.ts';

const { service, merchant, other, bodyOf, send, cartsOf } = await startStorefront();

describe('A cart created by a page', () => {
  it('is returned with only its id, link and last day', async () => {
    const response = await send(bodyOf());
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: expect.stringMatching(new RegExp(`^${service.publicUrl}/c/[\\w-]{22}$`)),
      expiration: plusDays(service.clock.now(), 7).slice(0, 10),
    });
    expect((await open(response.body.url)).step).toBe('details');
  });

  it('is an ordinary cart for the merchant, created by "Storefront"', async () => {
    const options = {
      orderRef: 'ORDER-1',
      completeUrl: `${mobileOrigin}/thanks?x=1`,
      errorUrl: `${shopOrigin}/bag`,
      callbackUrl: `${shopOrigin}/callback`,
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

  it('has only image and product URLs that are relative or of registered origins', async () => {
    const allowed = { imageUrl: `${mobileOrigin}/chair.jpg`, detailUrl: '/chairs/1' };
    const foreign = { imageUrl: 'https://evil.example/chair.jpg', detailUrl: '//evil.example/chairs/1' };
    const scripts = { imageUrl: '\\\\evil.example/chair.jpg', detailUrl: 'javascript:alert(1)' };
    const items = [allowed, foreign, scripts].map((urls, index) => ({ ...chair, sku: `CHAIR-${index}`, ...urls }));
    const { body } = await send(bodyOf({ items }));

    const stored = (await merchant.get(`/carts/${body.id}`)).body.options.items;
    expect(stored.map(({ imageUrl, detailUrl }: typeof chair) => ({ imageUrl, detailUrl }))).toEqual([
      allowed,
      { imageUrl: '', detailUrl: '' },
      { imageUrl: '', detailUrl: '' },
    ]);
    expect((await open(body.url)).text).not.toContain('evil.example');
  });

  it('has no name, metadata, buyer id or expiration of the page', async () => {
    const cartFields = { createdBy: 'Merchant API', cartName: 'Approved by the manager' };
    const optionFields = { metadata: { approved: 'yes' }, buyerId: '01890a5d-ac96-774b-bcce-b302099a8057' };
    const response = await send(
      bodyOf(
        { items: [chair], ...cartFields, ...optionFields, apiKey: other.apiKey },
        { ...cartFields, expiration: '9999-12-31' },
      ),
    );
    const { body } = await merchant.get(`/carts/${response.body.id}`);
    expect(body).toMatchObject({ createdBy: 'Storefront', cartName: '' });
    expect(body.expiration).toBe(plusDays(service.clock.now(), 7).slice(0, 10));
    expect(body.options).not.toHaveProperty('createdBy');
    expect(body.options).not.toHaveProperty('cartName');
    expect(body.options).not.toHaveProperty('apiKey');
    expect(body.options).not.toHaveProperty('metadata');
    expect(body.options).not.toHaveProperty('buyerId');
  });

  it('uses its program, or the default program if its program is unknown, and is rejected if that is not sold', async () => {
    const seller = await service.createMerchant({ storeUrl: `${shopOrigin}/` });
    const addProgram = (program: Program) =>
      importProgram(service.database, program, [seller.merchantId], { asDefault: false }, service.clock.now());
    await addProgram(createProgram({ id: 'holiday' }));
    const codeOf = async (financingProgramId: string | null) => {
      const response = await send(bodyOf({ items: [chair], financingProgramId }, { key: seller.apiKey }));
      if (response.status !== 200) return response.body.code;
      const { programId: id } = (await cartsOf(seller)).find((cart) => cart.id === response.body.id)!;
      const row = await service.database.query
        .selectFrom('programs')
        .select('code')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return row.code;
    };
    expect([await codeOf('holiday'), await codeOf('unknown'), await codeOf(null)]).toEqual(['holiday', 'standard', 'standard']);
    await addProgram(createProgram({ version: 2, status: 'retired' }));
    expect([await codeOf('holiday'), await codeOf(null)]).toEqual(['holiday', 'program-not-found']);
  });

  it('shows the buyer its shipping address, even if it cannot be changed', async () => {
    const shippingContact = { fullName: 'Mallory <b>Fence</b>', address: '1 Dock', city: 'Boise', state: 'ID', zip: '83702' };
    const options = { items: [chair], shippingContact, disableEditShipping: true };
    const fixed = await open((await send(bodyOf(options))).body.url);
    expect(fixed.text).not.toContain('shipElsewhere');
    expect(fixed.text.replace(/<!--.*?-->/g, '')).toContain(
      '<p><bdi>Mallory &lt;b&gt;Fence&lt;/b&gt;</bdi><br /><bdi>1 Dock</bdi><br /><bdi>Boise, ID 83702</bdi></p>',
    );
    // The checkout hides an address that the merchant's server has fixed.
    const hidden = await open((await merchant.post('/carts', { options })).body.url);
    expect(hidden.text).not.toContain('<bdi>1 Dock');
  });

  it.each([shopOrigin, mobileOrigin])('allows the page of %s that created it to read the response', async (origin) => {
    const response = await send(bodyOf(), { origin });
    expect(response.status).toBe(200);
    expect(allowsOrigin(response, origin)).toBe(true);
    expect(response.headers.get('vary')).toBe('origin');
    expect(response.headers.get('access-control-expose-headers')).toBe('retry-after, x-request-id');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('is not logged with its content, key, id or URL', async () => {
    const contact = { firstName: 'Ada', lastName: 'Lovelace', address: '12 Analytical Way', city: 'Springfield', state: 'IL' };
    const idempotencyKey = randomUUID();
    const options = { items: [chair], shippingContact: { ...contact, email: 'ada@example.com' }, orderRef: 'ORDER-LOGGED' };
    const body = bodyOf(options, { idempotencyKey });
    const { body: created } = await send(body);
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
      created.id,
      created.url,
      'logged.example',
      '127.0.0.1',
    ])
      expect(logged).not.toContain(secret);
  });
});
