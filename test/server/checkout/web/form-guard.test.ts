import { beforeAll, describe, expect, it } from 'vitest';
import { createCart, fieldsOf, open, type Page, pageAt, post, sessionUrl, submit, typed } from '../../../support/checkout.ts';
import { type ApiResponse, fetchResponse, startService, type TestMerchant, type TestService } from '../../../support/service.ts';

const steps = [
  ['details', 'Your details'],
  ['apply', 'Apply for financing'],
  ['plans', 'Choose your plan'],
  ['card', 'Your card'],
  ['agreement', 'Review and sign'],
] as const;
type StepName = (typeof steps)[number][0];

/** What somebody else would have a buyer send. */
const planted = { ...typed, firstName: 'Mallory', lastName: 'Planted', annualIncome: '987654', signedName: 'Mallory Planted' };

describe('A form of the checkout', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });

  /** A checkout at a step, of a buyer who pays a part by card. */
  const arriveAt = async (step: StepName): Promise<{ page: Page; cartId: string }> => {
    const cart = await createCart(merchant);
    let page = await open(cart.url);
    for (const [name, heading] of steps) {
      expect(page.heading).toBe(heading);
      if (name === step) break;
      page = await submit(page, { taxIdLast4: '1101' });
    }
    return { page, cartId: cart.id };
  };
  const send = (page: Page, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    fetchResponse(page.action, { method: 'POST', headers, body: new URLSearchParams(fields) });
  const stateOf = async (cartId: string) => {
    const { query } = service.database;
    const [application] = await query.selectFrom('applications').selectAll().where('cart_id', '=', cartId).execute();
    const [cart] = await query.selectFrom('carts').selectAll().where('id', '=', cartId).execute();
    return { application, cart };
  };

  describe.each(steps)('at %s', (step, heading) => {
    it.each([
      ['no token', () => ({ formToken: '' })],
      ['a made-up token', () => ({ formToken: `${Math.floor(Date.now() / 1_000)}.${'A'.repeat(43)}` })],
      ['the token of another cart', async () => ({ formToken: fieldsOf((await arriveAt(step)).page)['formToken']! })],
      [
        'the token of another step',
        async () => ({ formToken: fieldsOf((await arriveAt(step === 'details' ? 'apply' : 'details')).page)['formToken']! }),
      ],
    ])('is rejected with %s, and nothing is stored or shown', async (_what, token) => {
      const { page, cartId } = await arriveAt(step);
      const before = await stateOf(cartId);
      const response = await send(page, { ...fieldsOf(page), ...planted, ...(await token()) });

      expect(response.status).toBe(403);
      expect(response.text).toContain(`<h1>${heading}</h1>`);
      expect(response.text).toContain('role="alert"');
      expect(response.text).not.toMatch(/Mallory|Planted|987654/);
      expect(await stateOf(cartId)).toEqual(before);
      // The page that was shown can be sent.
      const next = await submit(pageAt(page.url, response), { taxIdLast4: '1101' });
      expect(next.status).toBeLessThan(400);
    });

    it.each([
      ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
      ['another site that hides its origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
      ['another site, by an old browser', { origin: 'https://evil.example' }],
    ])('is rejected if it is sent by %s', async (_who, headers) => {
      const { page, cartId } = await arriveAt(step);
      const before = await stateOf(cartId);
      const response = await send(page, { ...planted, ...fieldsOf(page) }, headers);
      expect(response.status).toBe(403);
      expect(response.text).not.toMatch(/Mallory|Planted|987654/);
      expect(await stateOf(cartId)).toEqual(before);
    });

    it('is accepted as browsers send it from a page without a referrer', async () => {
      const { page } = await arriveAt(step);
      const headers = { 'sec-fetch-site': 'same-origin', origin: 'null' };
      expect(await send(page, { ...typed, taxIdLast4: '1101', ...fieldsOf(page) }, headers)).toMatchObject({ status: 303 });
    });

    it('is shown again with its values if it was open for more than a day, and can then be submitted', async () => {
      const { page, cartId } = await arriveAt(step);
      const before = await stateOf(cartId);
      await withClockAt(25, async () => {
        const fields = { ...typed, signedName: 'Ada Byron', city: 'Somewhere', taxIdLast4: '1101', ...fieldsOf(page) };
        const response = await send(page, fields);
        expect(response.status).toBe(422);
        expect(response.text).toContain(`<h1>${heading}</h1>`);
        expect(response.text).toContain('send it again');
        if (step === 'details') expect(response.text).toContain('value="Somewhere"');
        if (step === 'apply') expect(response.text).toContain('value="12/10/1990"');
        if (step === 'agreement') expect(response.text).toContain('value="Ada Byron"');
        expect(response.text).not.toContain('1101"');
        expect(await stateOf(cartId)).toEqual(before);
        const next = await submit(pageAt(page.url, response), { taxIdLast4: '1101' });
        expect(next.status).toBeLessThan(400);
      });
    });

    it('redirects to the current step when it was submitted before', async () => {
      const { page } = await arriveAt(step);
      const fields = { ...typed, taxIdLast4: '1101', ...fieldsOf(page) };
      const first = await send(page, fields);
      const again = await send(page, fields);
      expect([first.status, again.status]).toEqual([303, 303]);
      const led = await open(new URL(again.headers.get('location')!, page.url).href).catch(() => undefined);
      if (step !== 'agreement') expect(led?.heading).not.toBe(heading);
    });
  });

  it.each(['check', 'cancel', 'extend'])('posted to %s without a token changes nothing', async (act) => {
    const { cartId, page } = await arriveAt('agreement');
    const before = await stateOf(cartId);
    expect((await post(`${sessionUrl(page)}/${act}`, {})).status).toBe(403);
    expect(await stateOf(cartId)).toEqual(before);
  });

  it('of an unknown link shows the page for unknown links', async () => {
    const response = await post(`${service.publicUrl}/c/AAAAAAAAAAAAAAAAAAAAAA/details`, typed);
    expect(response.status).toBe(303);
  });

  it('does not log its key, which all processes share', async () => {
    const { key } = await service.database.query.selectFrom('form_keys').selectAll().executeTakeFirstOrThrow();
    expect(key).toMatch(/^[\w-]{43}$/);
    await submit((await arriveAt('details')).page);
    expect(service.logged.join('')).not.toContain(key);
  });

  async function withClockAt(hours: number, act: () => Promise<void>): Promise<void> {
    const before = service.clock.now();
    await merchant.post('/sandbox/clock', { now: new Date(Date.parse(before) + hours * 3_600_000).toISOString() });
    try {
      await act();
    } finally {
      await merchant.post('/sandbox/clock', { now: before });
    }
  }
});
