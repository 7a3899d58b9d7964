import { describe, expect, it } from 'vitest';
import { chair, createCart, open, reachAgreement, submit } from '../../../support/checkout.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

/** Returns the directives of a page's Content Security Policy. */
const policyOf = (headers: Headers) =>
  Object.fromEntries(
    headers
      .get('content-security-policy')!
      .split('; ')
      .map((directive) => directive.split(/ (.*)/s, 2) as [string, string]),
  );

/** The developer's own machine, which the sandbox allows. */
const LOCAL = 'http://localhost:* https://localhost:* http://127.0.0.1:* https://127.0.0.1:*';

const service = await startService();
const merchant = await service.createMerchant({ origins: ['https://www.shop.example'] });

describe('The headers of a checkout page', () => {
  it('allow frames and form redirects only for the shop, on every step', async () => {
    const cart = await createCart(merchant, {
      items: [{ ...chair, imageUrl: 'https://img.example/c.png' }],
      completeUrl: 'http://localhost:4001/thank-you',
      errorUrl: 'http://localhost:4002/sorry',
    });
    let page = await open(cart.url);
    for (const step of ['details', 'apply', 'plans']) {
      expect(page.step).toBe(step);
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
    expect(page.step).toBe('agreement');
    expect(policyOf(page.headers)['form-action']).toBe("'self' https: http://localhost:4002 http://localhost:4001");
  });

  it('forbid form redirects to the shop in a frame or popup', async () => {
    const cart = await createCart(merchant, { completeUrl: 'https://shop.example/thanks' });
    const { url } = await reachAgreement(cart.url);
    const formActionOf = async (display: string, headers: Record<string, string> = {}) => {
      const target = new URL(url);
      if (display) target.searchParams.set('display', display);
      return policyOf((await fetchResponse(target.href, { headers })).headers)['form-action'];
    };
    expect(await formActionOf('')).toBe("'self' https: https://shop.example");
    expect(await formActionOf('popup')).toBe("'self'");
    expect(await formActionOf('frame')).toBe("'self'");
    expect(await formActionOf('', { 'sec-fetch-dest': 'iframe' })).toBe("'self'");
  });

  it('allow frames only on the developer’s machine if the merchant has no origins', async () => {
    const { merchantId } = merchant;
    const { database } = service;
    const rows = await database.query.selectFrom('merchant_origins').selectAll().where('merchantId', '=', merchantId).execute();
    await database.write((tx) => tx.deleteFrom('merchant_origins').where('merchantId', '=', merchantId).execute());
    const { headers } = await open((await createCart(merchant)).url);
    await database.write((tx) => tx.insertInto('merchant_origins').values(rows).execute());
    expect(policyOf(headers)['frame-ancestors']).toBe(LOCAL);
  });

  it('forbid frames of the page for an unknown link', async () => {
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
    for (const pageUrl of [`${url}${query}`, `${url}/details${query}`]) {
      const { headers } = await fetchResponse(pageUrl);
      expect(headers.get('cross-origin-opener-policy')).toBe(opener);
    }
  });

  it('forbid storage, referrers and indexing and set no cookie throughout a purchase', async () => {
    const { url } = await createCart(merchant);
    const agreement = await reachAgreement(url);
    const tooLarge = { method: 'POST', body: new URLSearchParams({ city: 'x'.repeat(100_000) }) };
    const responses = [
      await fetchResponse(`${url}/details`),
      await fetchResponse(`${url}/nonsense`),
      await fetchResponse(`${url}/details`, tooLarge),
      agreement,
      await submit(agreement),
    ];

    for (const { headers } of responses) {
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

describe('The Content Security Policy of a checkout page', () => {
  const directives = ['default-src', 'script-src', 'style-src', 'img-src', 'form-action', 'frame-ancestors', 'base-uri'];

  it.each(['https://x.example;script-src/c.png', 'https://*.example/c.png', 'javascript:alert(1)'])(
    'contains only the origins of valid image URLs, not %s',
    async (imageUrl) => {
      const valid = { ...chair, imageUrl: 'https://img.example:8443/c.png' };
      const cart = await createCart(merchant, { items: [{ ...chair, imageUrl }, valid] });
      const { headers } = await open(cart.url);
      const policy = policyOf(headers);
      expect(Object.keys(policy)).toEqual(directives);
      expect(policy['img-src']).toBe('data: https://img.example:8443');
    },
  );

  it.each(['https://x.example;script-src/', 'https://*.example/'])('does not contain the invalid shop URL %s', async (url) => {
    const response = await merchant.post('/carts', {
      options: { items: [chair], completeUrl: url, errorUrl: url },
    });
    expect(response.status).toBe(200);
    const policy = policyOf((await reachAgreement(response.body.url)).headers);
    expect(Object.keys(policy)).toEqual(directives);
    expect(policy['form-action']).toBe("'self' https:");
  });
});
