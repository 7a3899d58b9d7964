import { getFormKey } from '../../../../server/checkout/session/store.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { casesOf } from '../../../support/campaign.ts';
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

/** Input that an attacker would have a buyer submit. */
const forged = { ...typed, firstName: 'Mallory', lastName: 'Planted', annualIncome: '987654', signedName: 'Mallory Planted' };

describe('A form of the checkout', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant();
  });

  /** Starts a checkout and reaches the given step as a buyer who pays the remainder by card. */
  const reachStep = async (step: StepName): Promise<{ page: Page; cartId: string }> => {
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
    const [application] = await query.selectFrom('applications').selectAll().where('cartId', '=', cartId).execute();
    const [cart] = await query.selectFrom('carts').selectAll().where('id', '=', cartId).execute();
    return { application, cart };
  };

  describe.each(steps)('at %s', (step, heading) => {
    /** `npm test` runs half of the cases at each step. */
    const atSomeSteps = <T>(cases: readonly T[]) =>
      casesOf(cases, (one) => (cases.indexOf(one) + steps.findIndex(([name]) => name === step)) % 2 === 0);

    const tokens: [title: string, token: () => object | Promise<object>][] = [
      ['no token', () => ({ formToken: '' })],
      ['an invented token', () => ({ formToken: `${Math.floor(Date.now() / 1_000)}.${'A'.repeat(43)}` })],
      ['the token of another cart', async () => ({ formToken: fieldsOf((await reachStep(step)).page)['formToken']! })],
      [
        'the token of another step',
        async () => ({ formToken: fieldsOf((await reachStep(step === 'details' ? 'apply' : 'details')).page)['formToken']! }),
      ],
    ];
    it.each(atSomeSteps(tokens))('is rejected with %s, and its input is neither stored nor shown', async (_title, token) => {
      const { page, cartId } = await reachStep(step);
      const before = await stateOf(cartId);
      const response = await send(page, { ...fieldsOf(page), ...forged, ...(await token()) });

      expect(response.status).toBe(403);
      expect(response.text).toContain(`<h1>${heading}</h1>`);
      expect(response.text).toContain('role="alert"');
      expect(response.text).not.toMatch(/Mallory|Planted|987654/);
      expect(await stateOf(cartId)).toEqual(before);
      // The form on the error page can be submitted.
      const next = await submit(pageAt(page.url, response), { taxIdLast4: '1101' });
      expect(next.status).toBeLessThan(400);
    });

    const sites: [title: string, headers: Record<string, string>][] = [
      ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
      ['another site that hides its origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
      ['another site in an old browser', { origin: 'https://evil.example' }],
    ];
    it.each(atSomeSteps(sites))('is rejected if it comes from %s', async (_title, headers) => {
      const { page, cartId } = await reachStep(step);
      const before = await stateOf(cartId);
      const response = await send(page, { ...forged, ...fieldsOf(page) }, headers);
      expect(response.status).toBe(403);
      expect(response.text).not.toMatch(/Mallory|Planted|987654/);
      expect(await stateOf(cartId)).toEqual(before);
    });

    it('is accepted with the headers that browsers send from a page without a referrer', async () => {
      const { page } = await reachStep(step);
      const headers = { 'sec-fetch-site': 'same-origin', origin: 'null' };
      expect(await send(page, { ...typed, taxIdLast4: '1101', ...fieldsOf(page) }, headers)).toMatchObject({ status: 303 });
    });

    it('is shown again with its values if it was open for more than a day, and can then be submitted', async () => {
      const { page, cartId } = await reachStep(step);
      const before = await stateOf(cartId);
      await withClockAt(25, async () => {
        const fields = { ...typed, signedName: 'Ada Byron', city: 'Somewhere', taxIdLast4: '1101', ...fieldsOf(page) };
        const response = await send(page, fields);
        expect(response.status).toBe(422);
        expect(response.text).toContain(`<h1>${heading}</h1>`);
        expect(response.text).toContain('submit it again');
        if (step === 'details') expect(response.text).toContain('value="Somewhere"');
        if (step === 'apply') expect(response.text).toContain('value="12/10/1990"');
        if (step === 'agreement') expect(response.text).toContain('value="Ada Byron"');
        expect(response.text).not.toContain('1101"');
        expect(await stateOf(cartId)).toEqual(before);
        const next = await submit(pageAt(page.url, response), { taxIdLast4: '1101' });
        expect(next.status).toBeLessThan(400);
      });
    });

    it('redirects to the next step when it is submitted again', async () => {
      const { page } = await reachStep(step);
      const fields = { ...typed, taxIdLast4: '1101', ...fieldsOf(page) };
      const first = await send(page, fields);
      const again = await send(page, fields);
      expect([first.status, again.status]).toEqual([303, 303]);
      const next = await open(new URL(again.headers.get('location')!, page.url).href).catch(() => undefined);
      if (step !== 'agreement') expect(next?.heading).not.toBe(heading);
    });
  });

  it.each(['check', 'cancel', 'extend'])('is rejected for the action %s without a token', async (action) => {
    const { cartId, page } = await reachStep('agreement');
    const before = await stateOf(cartId);
    expect((await post(`${sessionUrl(page)}/${action}`, {})).status).toBe(403);
    expect(await stateOf(cartId)).toEqual(before);
  });

  it('of an unknown link redirects to the page for unknown links', async () => {
    const response = await post(`${service.publicUrl}/c/AAAAAAAAAAAAAAAAAAAAAA/details`, typed);
    const { status, headers } = response;
    expect(status).toBe(303);
    expect(await open(new URL(headers.get('location')!, service.publicUrl).href)).toMatchObject({ status: 404 });
  });

  it('does not log the key of its tokens', async () => {
    const key = (await getFormKey(service.database.query)).export().toString('base64url');
    expect(key).toMatch(/^[\w-]{43}$/);
    await submit((await reachStep('details')).page);
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
