import { describe, expect, it } from 'vitest';
import { type TestResponse, apiKey, fault, createStandIn, hangUp, errorResponse, secret, noResponse } from './stand-in.ts';

const html = `<financing-button api-key="${apiKey}"><template shadowrootmode="open"></template></financing-button>`;
const purchase = { amount: 50_000, cartUrl: 'https://shop.example/cart?a=1&b=2', lang: 'fr' };

describe('widget.fragment', () => {
  it('returns the markup of the service after one request, without the secret in the URL', async () => {
    const { fairterm, requests } = await createStandIn([{ status: 200, text: html }]);

    expect(await fairterm.widget.fragment(purchase)).toBe(html);

    expect(requests).toHaveLength(1);
    const [path, query] = requests[0]!.path.split('?');
    expect(path).toBe('/widget/v1/fragment');
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      key: apiKey,
      amount: '50000',
      lang: 'fr',
      'cart-url': purchase.cartUrl,
    });
    expect(requests[0]!.path).not.toContain(secret);
    expect(requests[0]!.headers.authorization).toMatch(/^Basic /);
  });

  it.each<[what: string, response: TestResponse]>([
    ['rejects the request', errorResponse(403, 'origin-not-registered')],
    ['responds 429', errorResponse(429, 'rate-limited')],
    ['has an internal error', fault],
    ['returns another HTML page', { status: 200, text: '<!doctype html><p>Welcome to nginx' }],
    ['redirects', { status: 302, headers: { location: 'https://elsewhere.example/' } }],
    ['closes the connection', hangUp],
    ['does not respond in time', noResponse],
  ])('returns a link without an estimate if the service %s', async (_what, response) => {
    const { fairterm, requests } = await createStandIn([response]);

    const fragment = await fairterm.widget.fragment(purchase, { timeoutMs: response === noResponse ? 30 : 5_000 });

    expect(fragment.replace(/ service="http:[^"]+"/, '')).toBe(
      `<financing-button api-key="${apiKey}" amount="50000" lang="fr" cart-url="https://shop.example/cart?a=1&#38;b=2">` +
        '<a slot="fallback" href="https://shop.example/cart?a=1&#38;b=2">Pay over time</a></financing-button>',
    );
    expect(fragment).not.toContain(secret);
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  it('escapes all text', async () => {
    const { fairterm } = await createStandIn([fault]);
    const script = `"><script>alert('x')</script>`;

    const fragment = await fairterm.widget.fragment({
      amount: 1,
      program: script,
      label: script,
      cartUrl: `https://shop.example/${script}`,
    });

    expect(fragment).not.toContain('<script');
    expect(fragment.match(/</g)).toHaveLength(4);
  });

  it.each(['/checkout/financing', 'checkout?a=1', '../cart', '?cart=1', '//shop.example/cart'])(
    'links to the relative URL %j',
    async (cartUrl) => {
      const { fairterm, requests } = await createStandIn([fault]);
      const fragment = await fairterm.widget.fragment({ amount: 50_000, cartUrl });
      expect(new URLSearchParams(requests[0]!.path.split('?')[1]).get('cart-url')).toBe(cartUrl);
      expect(fragment).toContain(` cart-url="${cartUrl}"`);
      expect(fragment).toContain(`<a slot="fallback" href="${cartUrl}">`);
    },
  );

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    '\u00a0javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'mailto:a@b',
    '',
    'https://',
  ])('does not link to %j', async (cartUrl) => {
    const { fairterm } = await createStandIn([fault]);
    expect(await fairterm.widget.fragment({ amount: 50_000, cartUrl })).not.toMatch(/href|cart-url/);
  });

  it.each([
    ['a lone surrogate', { amount: 1, label: '\ud800' }],
    ['an amount of NaN', { amount: Number.NaN }],
    ['an object as amount', { amount: { toString: () => 'x' } as unknown as number }],
  ])('never rejects, even with %s', async (_what, request) => {
    const { fairterm } = await createStandIn([errorResponse(400, 'invalid-request')]);
    expect(await fairterm.widget.fragment(request)).toMatch(/^<financing-button .*<\/financing-button>$/);
  });
});
