import { beforeAll, describe, expect, it } from 'vitest';
import { chair, createCart, open, reachAgreement, submit } from '../../../support/checkout.ts';
import { fetchResponse, startService, type TestMerchant, type TestService } from '../../../support/service.ts';

/** The directives of a page's policy. */
const policyOf = (headers: Headers) =>
  Object.fromEntries(
    headers
      .get('content-security-policy')!
      .split('; ')
      .map((directive) => directive.split(/ (.*)/s, 2) as [string, string]),
  );

/** In the sandbox, pages on the developer's own machine. */
const LOCAL = 'http://localhost:* https://localhost:* http://127.0.0.1:* https://127.0.0.1:*';

describe('The headers of a checkout page', () => {
  let service: TestService;
  let merchant: TestMerchant;
  beforeAll(async () => {
    service = await startService();
    merchant = await service.createMerchant({ origins: ['https://www.shop.example'] });
  });

  it('allow framing by the shop and form redirects to the shop only, on every step', async () => {
    const cart = await createCart(merchant, {
      items: [{ ...chair, imageUrl: 'https://img.example/c.png' }],
      completeUrl: 'http://localhost:4001/thank-you',
      errorUrl: 'http://localhost:4002/sorry',
    });
    let page = await open(cart.url);
    for (const heading of ['Your details', 'Apply for financing', 'Choose your plan']) {
      expect(page.heading).toBe(heading);
      expect(policyOf(page.headers)).toEqual({
        'default-src': "'none'",
        'script-src': "'self'",
        'style-src': "'self'",
        'img-src': 'data: https://img.example',
        // Browsers apply `form-action` to every redirect after a form submission, and a failed checkout redirects to errorUrl.
        'form-action': "'self' https: http://localhost:4002",
        'frame-ancestors': `https://shop.example https://www.shop.example ${LOCAL}`,
        'base-uri': "'none'",
      });
      expect(page.headers.has('x-frame-options')).toBe(false);
      page = await submit(page);
    }
    expect(page.heading).toBe('Review and sign');
    expect(policyOf(page.headers)['form-action']).toBe("'self' https: http://localhost:4002 http://localhost:4001");
  });

  it('allow no redirect to the shop after signing in a frame or a window', async () => {
    const cart = await createCart(merchant, { completeUrl: 'https://shop.example/thanks' });
    const { url } = await reachAgreement(cart.url);
    const headersFor = async (display: string, headers: Record<string, string> = {}) => {
      const address = new URL(url);
      if (display) address.searchParams.set('display', display);
      return policyOf((await fetchResponse(address.href, { headers })).headers)['form-action'];
    };
    expect(await headersFor('')).toBe("'self' https: https://shop.example");
    expect(await headersFor('popup')).toBe("'self'");
    expect(await headersFor('frame')).toBe("'self'");
    expect(await headersFor('', { 'sec-fetch-dest': 'iframe' })).toBe("'self'");
  });

  it('allow framing by pages on the developer’s machine only, for a merchant without origins', async () => {
    const { merchantId } = merchant;
    const { database } = service;
    const rows = await database.query.selectFrom('merchant_origins').selectAll().where('merchant_id', '=', merchantId).execute();
    await database.write((tx) => tx.deleteFrom('merchant_origins').where('merchant_id', '=', merchantId).execute());
    const { headers } = await open((await createCart(merchant)).url);
    await database.write((tx) => tx.insertInto('merchant_origins').values(rows).execute());
    expect(policyOf(headers)['frame-ancestors']).toBe(LOCAL);
  });

  it('forbid framing of the page for an unknown link', async () => {
    const { headers } = await fetchResponse(`${service.publicUrl}/c/unknown`);
    expect(policyOf(headers)).toMatchObject({ 'frame-ancestors': "'none'", 'form-action': "'self'" });
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it.each([
    ['', 'same-origin'],
    ['?display=frame', 'same-origin'],
    ['?display=popup', 'unsafe-none'],
  ])('set the opener policy for %j', async (query, opener) => {
    const { url } = await createCart(merchant);
    for (const address of [`${url}${query}`, `${url}/details${query}`]) {
      const { headers } = await fetchResponse(address);
      expect(headers.get('cross-origin-opener-policy')).toBe(opener);
    }
  });

  it('forbid caching and referrers and set no cookie throughout a purchase', async () => {
    const { url } = await createCart(merchant);
    const responses: Headers[] = [];
    const seen = async (address: string, init: RequestInit = {}) => {
      const response = await fetchResponse(address, init);
      responses.push(response.headers);
      return response;
    };
    for (const step of ['', '/details', '/apply', '/nonsense']) await seen(url + step);
    await seen(`${url}/details`, { method: 'POST', body: new URLSearchParams({ firstName: '' }) });
    await seen(`${url}/details`, { method: 'POST', body: new URLSearchParams({ city: 'x'.repeat(100_000) }) });
    const agreement = await reachAgreement(url);
    responses.push(agreement.headers, (await submit(agreement)).headers);
    for (const step of ['', '/details', '/agreement']) await seen(url + step);

    for (const headers of responses) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('permissions-policy')).toMatch(/^([a-z-]+=\(\), )+[a-z-]+=\(\)$/);
      expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\).*payment=\(\)/);
      expect(headers.has('set-cookie')).toBe(false);
    }
  });
});
