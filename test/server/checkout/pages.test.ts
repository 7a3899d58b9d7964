import { describe, expect, it } from 'vitest';
import {
  chair,
  createCart,
  elsewhere,
  open,
  post,
  reachAgreement,
  reachDecision,
  sessionUrl,
  submit,
  typed,
  typedDigits,
} from '../../support/checkout.ts';
import { fetchResponse, startService } from '../../support/service.ts';
import { everythingStored } from '../../support/databases.ts';

const shippingOptions = [
  { type: 'Ground', typeId: 'ground', cost: 500 },
  { type: 'Express', typeId: 'express', cost: 2_900 },
];

const service = await startService();
const merchant = await service.createMerchant({ origins: ['https://www.shop.example'] });

describe('The pages behind a cart link', () => {
  const transactionIn = (location: string | null) => new URL(location ?? '').searchParams.get('transactionId') ?? '';

  it('lead from the details to the signature by plain forms, and redirect to completeUrl with 303', async () => {
    const completeUrl = 'https://shop.example/thanks?lang=en#top';
    const cart = await createCart(merchant, { orderRef: 'ORDER 7', completeUrl, shippingOptions });
    let page = await open(cart.url);
    expect(page.step).toBe('details');
    page = await submit(page, { shippingTypeId: 'express' });
    expect(page.step).toBe('apply');
    page = await submit(page);
    expect(page.step).toBe('plans');
    page = await submit(page);
    expect(page.step).toBe('agreement');
    const signed = await submit(page);

    expect(signed.status).toBe(303);
    const location = signed.headers.get('location')!;
    expect(location).toMatch(/^https:\/\/shop\.example\/thanks\?lang=en&transactionId=[0-9a-f-]{36}&orderRef=ORDER\+7#top$/);
    const { body } = await merchant.get(`/transactions/${transactionIn(location)}`);
    expect(body).toMatchObject({
      status: 'PENDING',
      total: 77_900,
      shippingCost: 2_900,
      shippingMethodCode: 'express',
      shippingMethodName: 'Express',
      billingContact: { fullName: 'Ada Lovelace', phone: '5550100100', city: 'Springfield' },
    });
  });

  it('redirect to the merchant’s store URL if the cart has no completeUrl', async () => {
    const signed = await submit(await reachAgreement((await createCart(merchant)).url));
    expect(signed.headers.get('location')).toMatch(/^https:\/\/shop\.example\/\?transactionId=[0-9a-f-]{36}&orderRef=$/);
  });

  it('send no referrer, set no cookie, and forbid storage, frames of other sites and foreign scripts', async () => {
    const { headers } = await open(
      (await createCart(merchant, { items: [{ ...chair, imageUrl: 'https://img.example/c.png' }] })).url,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('set-cookie')).toBeNull();
    const policy = headers.get('content-security-policy')!.split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('img-src data: https://img.example');
    expect(policy.find((directive) => directive.startsWith('frame-ancestors'))).toMatch(
      /^frame-ancestors https:\/\/shop\.example https:\/\/www\.shop\.example http:\/\/localhost:\* /,
    );
    expect(policy).toContain("script-src 'self'");
    expect(policy.join(' ')).not.toMatch(/unsafe|nonce|sha\d/);
  });

  it('show markup from any source as text', async () => {
    const markup = '"><script>alert(1)</script>';
    const cart = await createCart(merchant, {
      items: [{ ...chair, name: markup }],
      discounts: [{ amount: 1, description: markup }],
    });
    const response = await submit(await open(cart.url), { firstName: markup, zip: 'x' });
    expect(response.status).toBe(422);
    expect(response.text).not.toContain('<script>');
    expect(response.text).toContain('&lt;script&gt;');
  });

  it('retain the submitted values next to the validation errors', async () => {
    const page = await submit(await open((await createCart(merchant)).url), { email: 'unknown', city: '', firstName: 'Grace' });
    expect(page.status).toBe(422);
    expect(page.text).toMatch(/Correct these 2 fields/);
    expect(page.text).toContain('Enter an email address');
    expect(page.text).toMatch(/value="Grace"/);
    expect(page.text).toMatch(/value="unknown"/);
  });

  it('never return the digits of the SSN', async () => {
    const application = await submit(await open((await createCart(merchant)).url));
    const page = await submit(application, { taxIdLast4: '9876', annualIncome: 'much' });
    expect(page.status).toBe(422);
    expect(page.text).not.toContain('9876');
  });

  it('prefill the buyer’s details from the cart, and allow another shipping address', async () => {
    const billingContact = {
      fullName: 'Grace Brewster Hopper',
      address: '1 Compiler Road',
      city: 'Arlington',
      state: 'VA',
      zip: '22201',
    };
    const cart = await createCart(merchant, { billingContact, shippingOptions: [shippingOptions[0]!] });
    const page = await open(cart.url);
    for (const value of ['Grace Brewster', 'Hopper', '1 Compiler Road', 'Arlington', '22201']) expect(page.text).toContain(value);

    const incomplete = await submit(page, { ...elsewhere, shippingZip: '' });
    expect(incomplete).toMatchObject({ status: 422, text: expect.stringContaining('Enter the ZIP code to ship to') });
    const applying = await submit(page, elsewhere);
    const signed = await submit(await submit(await submit(applying)));
    const { body } = await merchant.get(`/transactions/${transactionIn(signed.headers.get('location'))}`);
    expect(body.shippingContact).toMatchObject({ fullName: 'Howard Aiken', city: 'Cambridge', state: 'MA', zip: '02138' });
    expect(body.billingContact).toMatchObject({ fullName: 'Ada Lovelace' });
  });

  it('ship to the merchant’s fixed address, regardless of the form', async () => {
    const shippingContact = { fullName: 'Store Pickup', address: '1 Main', city: 'Boise', state: 'ID', zip: '83702' } as never;
    const cart = await createCart(merchant, { shippingContact, disableEditShipping: true });
    expect((await open(cart.url)).text).not.toContain('shipElsewhere');
    const signed = await submit(await reachAgreement(cart.url, { shipElsewhere: 'yes', shippingCity: 'Elsewhere' }));
    const { body } = await merchant.get(`/transactions/${transactionIn(signed.headers.get('location'))}`);
    expect(body.shippingContact).toMatchObject({ fullName: 'Store Pickup', city: 'Boise' });
  });

  it('show the terms that are signed', async () => {
    const page = await reachAgreement((await createCart(merchant, { items: undefined, customTotal: 50_000 })).url);
    for (const figure of ['9.99%', '$53.71', '$500.00', '$553.71', '$23.07', '$23.10']) expect(page.text).toContain(figure);
  });

  describe('after a denial', () => {
    it('show the notice with a link to the unchanged errorUrl, also when opened again', async () => {
      const errorUrl = 'https://shop.example/cart?step=pay&order=7';
      const cart = await createCart(merchant, { errorUrl });
      let page = await submit(await open(cart.url));
      page = await submit(page, { taxIdLast4: '2001' });
      expect(page).toMatchObject({ status: 200, step: 'declined' });
      expect(page.text).toContain(`href="${errorUrl.replace('&', '&amp;')}"`);
      expect(await open(sessionUrl(page))).toMatchObject({ heading: page.heading });
    });

    it('create no transaction, and accept no form of another step', async () => {
      const cart = await createCart(merchant);
      const denied = await reachDecision(cart.url, { taxIdLast4: '2001' });
      const session = sessionUrl(denied);
      for (const step of ['details', 'apply', 'plans', 'agreement']) {
        const response = await post(`${session}/${step}`, { ...typed, offerId: 'standard-24', shownHash: '0'.repeat(64) });
        expect([response.status, response.headers.get('location')]).toEqual([303, `${new URL(session).pathname}?lang=en`]);
      }
      const { transactionId } = await service.database.query
        .selectFrom('carts')
        .select('transactionId')
        .where('id', '=', cart.id)
        .executeTakeFirstOrThrow();
      expect(transactionId).toBeNull();
    });
  });

  it.each(['unknown', 'AAAAAAAAAAAAAAAAAAAAAA', '%00', '..%2f..%2fetc', '%E0%A4%A', 'x'.repeat(5_000)])(
    'respond to the unknown link /c/%s with an error page',
    async (code) => {
      const page = await fetchResponse(`${service.publicUrl}/c/${code}`);
      expect(page.status).toBeGreaterThanOrEqual(400);
      expect(page.status).toBeLessThan(500);
      expect(page.headers.get('content-type')).toContain('html');
    },
  );

  it('redirect to the current step from any page and form', async () => {
    const cart = await createCart(merchant);
    for (const step of ['apply', 'plans', 'agreement', 'nonsense']) {
      expect(await open(`${cart.url}/${step}`)).toMatchObject({ step: 'details' });
      expect(await post(`${cart.url}/${step}`, typed)).toMatchObject({ status: 303 });
    }
    const session = sessionUrl(await submit(await open(cart.url)));
    expect(await open(session)).toMatchObject({ step: 'apply' });
    expect(await open(`${session}/details`)).toMatchObject({ step: 'details' });
    expect((await open(`${session}/details`)).text).toContain('value="Lovelace"');
  });

  it('let the plan be changed until it is signed', async () => {
    const cart = await createCart(merchant);
    const session = sessionUrl(await reachAgreement(cart.url));
    const agreement = await submit(await open(`${session}/plans`), { offerId: 'standard-6' });
    expect(agreement).toMatchObject({ step: 'agreement' });
    expect(agreement.text).toContain('5.99%');
    expect(await submit(await open(`${session}/plans`), { offerId: 'made-up' })).toMatchObject({ status: 422 });
  });

  it('reject a form of 100 kB and a malformed form, and remain usable', async () => {
    const cart = await createCart(merchant);
    expect(await post(`${cart.url}/details`, { ...typed, city: 'x'.repeat(100_000) })).toMatchObject({ status: 413 });
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"firstName":{}}' };
    expect(await fetchResponse(`${cart.url}/details`, json)).toMatchObject({ status: 403 });
    expect(await open(cart.url)).toMatchObject({ status: 200, step: 'details' });
  });

  it('do not log their URLs and the buyer’s input', async () => {
    const cart = await createCart(merchant);
    const agreement = await reachAgreement(cart.url);
    await submit(agreement);
    const [, , code = '', session = ''] = new URL(agreement.url).pathname.split('/');
    const log = service.logged.join('');
    for (const secret of [code, session, 'Lovelace', 'ada@example.com', '5550100100', 'Analytical'])
      expect(log).not.toContain(secret);
  });

  it('do not store the identity data of the buyer', async () => {
    const cart = await createCart(merchant);
    await submit(await reachAgreement(cart.url, { taxIdLast4: '7391', dateOfBirth: '02/29/1984', annualIncome: '73915' }));
    const stored = await everythingStored(service.database);
    expect(stored).toContain('Lovelace');
    for (const secret of [typedDigits('7391'), /1984-02-29/, typedDigits('73,?915(?:00)?')]) expect(stored).not.toMatch(secret);
  });
});
