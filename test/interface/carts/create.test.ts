import { describe, expect, it } from 'vitest';
import { chair, createCart } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';
import { invalidAt } from '../invalid-at.ts';
import { contact } from './contact.ts';
import { uuid } from './ids.ts';
import { dateIn } from '../../../shared/dates.ts';

const DAY_MS = 86_400_000;

const service = await startService();
const merchant = await service.createMerchant();

describe('POST /carts', () => {
  const today = () => dateIn(service.clock.now(), 'UTC');

  it('returns 200 with the stored cart, its link and its quote [SVC-2] [OBJ-21] [OBJ-25] [CART-1] [CART-33] [CART-34] [CART-35] [CHOICE-15] [ERR-1]', async () => {
    const expiration = `${Number(today().slice(0, 4)) + 1}-03-31`;
    const options = {
      orderRef: 'ORDER-1',
      callbackUrl: 'https://shop.example/callback',
      completeUrl: 'https://shop.example/thanks',
      errorUrl: 'https://shop.example/cart',
      createdBy: 'Store 12',
      cartName: 'Spring promotion',
      shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 500 }],
      shippingContact: { ...contact, email: 'ada@example.com', phone: '5550100100', zip: '62701' },
      billingContact: contact,
      disableEditShipping: true,
      items: [chair],
      discounts: [{ amount: 1_000, description: 'Welcome' }],
    };
    const { status, body } = await merchant.post('/carts', { expiration, options });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(uuid),
      merchantId: merchant.merchantId,
      cartName: 'Spring promotion',
      expiration,
      url: expect.stringMatching(new RegExp(`^${service.publicUrl}/c/[\\w-]{22}$`)),
      createdBy: 'Store 12',
      isCustomTotal: false,
      options,
    });
    expect(body.asLowAs, 'for 75000 - 1000 + 500').toMatchObject({ monthly: 3_437, amount: '$34.37' });
    expect(body.asLowAs.asLowAsText).toContain('$34.37');
  });

  it('generates a unique short link that does not contain the id [CLIENT-17] [CHOICE-26] [OBJ-23]', async () => {
    const first = await createCart(merchant);
    const second = await createCart(merchant);
    expect(first.url).not.toBe(second.url);
    expect(first.url).not.toContain(first.id);
    expect(new URL(first.url).pathname).toHaveLength('/c/'.length + 22);
  });

  it('generates ids that sort by time within a merchant [CHOICE-25]', async () => {
    const other = await service.createMerchant();
    const ids = [];
    for (const owner of [merchant, other, merchant]) ids.push((await createCart(owner)).id);
    expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
    for (const id of ids) expect(id).toMatch(uuid);
  });

  describe('expiration [CART-2] [OBJ-22]', () => {
    it('defaults to seven days from today if it is omitted, null or empty [CHOICE-19] [CLIENT-10]', async () => {
      for (const expiration of [undefined, null, '']) {
        const { body: cart } = await merchant.post('/carts', { expiration, options: { customTotal: 100 } });
        expect(Date.parse(cart.expiration) - Date.parse(today())).toBe(7 * DAY_MS);
      }
    });

    it('accepts today in UTC, as credential checks send it [CHOICE-19] [CLIENT-10]', async () => {
      expect(await createCart(merchant, {}, { expiration: today() })).toMatchObject({ expiration: today() });
    });

    it.each([
      ['New York at 11:30 p.m.', 'America/New_York', '04:30:00'],
      ['Los Angeles at 11:30 p.m.', 'America/Los_Angeles', '07:30:00'],
      ['Honolulu at 11:30 p.m.', 'Pacific/Honolulu', '09:30:00'],
      ['American Samoa at 11:59 p.m.', 'Pacific/Pago_Pago', '10:59:59'],
      ['Guam at 7 a.m.', 'Pacific/Guam', '21:00:00'],
    ])('may be today in %s [CHOICE-19]', async (_title, timeZone, utcTime) => {
      const now = `2030-01-16T${utcTime}.000Z`;
      const localDate = dateIn(now, timeZone);
      await merchant.post('/sandbox/clock', { now });
      expect(await createCart(merchant, {}, { expiration: localDate })).toMatchObject({ expiration: localDate });
    });

    it('rejects a day that has ended in every US time zone [CHOICE-19]', async () => {
      await merchant.post('/sandbox/clock', { now: '2030-01-16T11:00:00.000Z' });
      const response = await merchant.post('/carts', { expiration: '2030-01-15', options: { customTotal: 100 } });
      expect(response).toMatchObject(invalidAt('expiration'));
      expect(await createCart(merchant, {}, { expiration: '2030-01-16' })).toMatchObject({ expiration: '2030-01-16' });
    });
  });

  describe('createdBy [CART-8] [OBJ-24]', () => {
    it.each<[string, object, object]>([
      ['it is omitted', {}, {}],
      ['it is empty', { createdBy: '' }, {}],
      ['it is null', { createdBy: null }, { createdBy: null }],
    ])('is "Merchant API" when %s', async (_title, options, rest) => {
      expect(await createCart(merchant, options, { ...rest })).toMatchObject({ createdBy: 'Merchant API' });
    });

    it('is read from the top level rather than from the options [CLIENT-10]', async () => {
      expect(await createCart(merchant, { createdBy: 'Till 3' })).toMatchObject({ createdBy: 'Till 3' });
      expect(await createCart(merchant, {}, { createdBy: 'Till 4' })).toMatchObject({ createdBy: 'Till 4' });
      expect(await createCart(merchant, { createdBy: 'Till 3' }, { createdBy: 'Till 4' })).toMatchObject({ createdBy: 'Till 4' });
    });
  });
});
