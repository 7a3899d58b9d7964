import { describe, expect, it } from 'vitest';
import { chair, createCart, open, post, reachAgreement, typed } from '../../../support/checkout.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('The Content Security Policy of a checkout page', () => {
  const policyOf = (headers: Headers) => {
    const entries = headers.get('content-security-policy')!.split(';');
    return new Map(entries.map((directive) => directive.trim().split(/ (.*)/s, 2) as [string, string]));
  };
  const directives = ['default-src', 'script-src', 'style-src', 'img-src', 'form-action', 'frame-ancestors', 'base-uri'];

  it.each([
    'https://x.example;script-src/c.png',
    'https://x;script-src.example/c.png',
    "https://x.example;script-src-elem;style-src;'unsafe-inline'/c.png",
    'https://*/c.png',
    'https://*.example/c.png',
    'http://*:80/c.png',
    'https://x.example,*/c.png',
    'https://x.example;report-uri/c.png',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'not a URL',
  ])('contains only the origins of valid image URLs, not %s', async (imageUrl) => {
    const valid = { ...chair, imageUrl: 'https://img.example:8443/c.png' };
    const cart = await createCart(merchant, { items: [{ ...chair, imageUrl }, valid] });
    const { headers } = await open(cart.url);
    const policy = policyOf(headers);
    expect([...policy.keys()]).toEqual(directives);
    expect(policy.get('img-src')).toBe('data: https://img.example:8443');
  });

  it.each(['https://x.example;script-src/', 'https://*/', 'https://*.example/'])(
    'does not contain the invalid shop URL %s',
    async (url) => {
      const response = await merchant.post('/carts', {
        options: { items: [chair], completeUrl: url, errorUrl: url },
      });
      expect(response.status).toBe(200);
      const policy = policyOf((await reachAgreement(response.body.url)).headers);
      expect([...policy.keys()]).toEqual(directives);
      expect(policy.get('form-action')).toBe("'self' https:");
    },
  );

  it.each([
    ['a malformed link', 'GET', '/c/%E0%A4%A'],
    ['an unknown path below a link', 'GET', '/c/unknown/details/more'],
  ])('forbids framing the page for %s', async (_title, method, path) => {
    const { headers } = await fetchResponse(service.publicUrl + path, { method });
    expect(policyOf(headers).get('frame-ancestors')).toBe("'none'");
  });

  it('forbids framing the page for a form that is too large', async () => {
    const { url } = await createCart(merchant);
    const response = await post(`${url}/details`, { ...typed, city: 'x'.repeat(100_000) });
    expect(response.status).toBe(413);
    expect(policyOf(response.headers).get('frame-ancestors')).toBe("'none'");
  });
});
