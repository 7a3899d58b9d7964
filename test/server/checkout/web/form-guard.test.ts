import { getServiceKey } from '../../../../server/checkout/session/store.ts';
import { describe, expect, it } from 'vitest';
import { casesOf } from '../../../support/campaign.ts';
import { createCart, open, post, reachStep, sessionUrl, submit, typed } from '../../../support/checkout.ts';
import { Page } from '../../../support/page.ts';
import { type ApiResponse, fetchResponse, startService } from '../../../support/service.ts';

const steps = ['details', 'apply', 'plans', 'card', 'agreement'];

/** Input that an attacker would have a buyer submit. */
const forged = { ...typed, firstName: 'Mallory', lastName: 'Planted', annualIncome: '987654', signedName: 'Mallory Planted' };

const service = await startService();
const merchant = await service.createMerchant();

describe('A form of the checkout', () => {
  /** Starts a checkout and reaches the given step as a buyer who pays the remainder by card. */
  const startAt = async (step: string) => {
    const cart = await createCart(merchant);
    return { page: await reachStep(cart.url, step, { taxIdLast4: '1101' }), cartId: cart.id };
  };
  const send = (page: Page, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    fetchResponse(page.action, { method: 'POST', headers, body: new URLSearchParams(fields) });
  const stateOf = async (cartId: string) => {
    const { query } = service.database;
    const [application] = await query.selectFrom('applications').selectAll().where('cartId', '=', cartId).execute();
    const [cart] = await query.selectFrom('carts').selectAll().where('id', '=', cartId).execute();
    return { application, cart };
  };

  describe.each(steps)('at %s', (step) => {
    /** `npm test` runs half of the cases at each step. */
    const atSomeSteps = <T>(cases: readonly T[]) => casesOf(cases, (one) => (cases.indexOf(one) + steps.indexOf(step)) % 2 === 0);

    const tokens: [title: string, token: () => object | Promise<object>][] = [
      ['no token', () => ({ formToken: '' })],
      ['an invented token', () => ({ formToken: `${Math.floor(Date.now() / 1_000)}.${'A'.repeat(43)}` })],
      ['the token of another cart', async () => ({ formToken: (await startAt(step)).page.fields['formToken']! })],
      [
        'the token of another step',
        async () => ({ formToken: (await startAt(step === 'details' ? 'apply' : 'details')).page.fields['formToken']! }),
      ],
    ];
    it.each(atSomeSteps(tokens))('is rejected with %s, and its input is neither stored nor shown', async (_title, token) => {
      const { page, cartId } = await startAt(step);
      const before = await stateOf(cartId);
      const response = await send(page, { ...page.fields, ...forged, ...(await token()) });

      expect(response.status).toBe(403);
      expect(new Page(page.url, response).step).toBe(step);
      expect(response.text).toContain('role="alert"');
      expect(response.text).not.toMatch(/Mallory|Planted|987654/);
      expect(await stateOf(cartId)).toEqual(before);
      // The form on the error page can be submitted.
      const next = await submit(new Page(page.url, response), { taxIdLast4: '1101' });
      expect(next.status).toBeLessThan(400);
    });

    it('is accepted with the headers that browsers send from a page without a referrer', async () => {
      const { page } = await startAt(step);
      const headers = { 'sec-fetch-site': 'same-origin', origin: 'null' };
      expect(await send(page, { ...typed, taxIdLast4: '1101', ...page.fields }, headers)).toMatchObject({ status: 303 });
    });

    it('is shown again with its values if it was open for more than a day, and can then be submitted', async () => {
      const { page, cartId } = await startAt(step);
      const before = await stateOf(cartId);
      await withClockAt(25, async () => {
        const fields = { ...typed, signedName: 'Ada Byron', city: 'Somewhere', taxIdLast4: '1101', ...page.fields };
        const response = await send(page, fields);
        expect(response.status).toBe(422);
        expect(new Page(page.url, response).step).toBe(step);
        expect(response.text).toContain('submit it again');
        if (step === 'details') expect(response.text).toContain('value="Somewhere"');
        if (step === 'apply') expect(response.text).toContain('value="12/10/1990"');
        if (step === 'agreement') expect(response.text).toContain('value="Ada Byron"');
        expect(response.text).not.toContain('1101"');
        expect(await stateOf(cartId)).toEqual(before);
        const next = await submit(new Page(page.url, response), { taxIdLast4: '1101' });
        expect(next.status).toBeLessThan(400);
      });
    });

    it('redirects to the next step when it is submitted again', async () => {
      const { page } = await startAt(step);
      const fields = { ...typed, taxIdLast4: '1101', ...page.fields };
      const first = await send(page, fields);
      const again = await send(page, fields);
      expect([first.status, again.status]).toEqual([303, 303]);
      const next = await open(new URL(again.headers.get('location')!, page.url).href).catch(() => undefined);
      if (step !== 'agreement') expect(next?.step).not.toBe(step);
    });
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another site in an old browser', { origin: 'https://evil.example' }],
  ])('is rejected if it is sent from %s', async (_title, headers) => {
    const { page, cartId } = await startAt('details');
    const before = await stateOf(cartId);
    const response = await send(page, { ...forged, ...page.fields }, headers);
    expect(response.status).toBe(403);
    expect(response.text).not.toMatch(/Mallory|Planted|987654/);
    expect(await stateOf(cartId)).toEqual(before);
  });

  it.each(['check', 'cancel', 'extend'])('is rejected for the action %s without a token', async (action) => {
    const { cartId, page } = await startAt('agreement');
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
    const key = (await getServiceKey(service.database.query)).export().toString('base64url');
    expect(key).toMatch(/^[\w-]{43}$/);
    await submit((await startAt('details')).page);
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
