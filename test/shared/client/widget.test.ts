import { describe, expect, it } from 'vitest';
import { type TestResponse, apiKey, fault, givenResponses, hangUp, errorResponse, secret, silence } from './stand-in.ts';

const html = `<financing-button api-key="${apiKey}"><template shadowrootmode="open"></template></financing-button>`;
const purchase = { amount: 50_000, cartUrl: 'https://shop.example/cart?a=1&b=2', lang: 'fr' };

describe('A button for a page', () => {
  it('is the markup of the service, requested once, without the secret in a URL', async () => {
    const { fairterm, requests } = await givenResponses([{ status: 200, text: html }]);

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
    ['asks for patience', errorResponse(429, 'rate-limited')],
    ['fails', fault],
    ['answers as another would', { status: 200, text: '<!doctype html><p>Welcome to nginx' }],
    ['redirects', { status: 302, headers: { location: 'https://elsewhere.example/' } }],
    ['ends the connection', hangUp],
    ['says nothing in time', silence],
  ])('has a link and no estimate if the service %s', async (_what, response) => {
    const { fairterm, requests } = await givenResponses([response]);

    const written = await fairterm.widget.fragment(purchase, { timeoutMs: response === silence ? 30 : 5_000 });

    expect(written.replace(/ service="http:[^"]+"/, '')).toBe(
      `<financing-button api-key="${apiKey}" amount="50000" lang="fr" cart-url="https://shop.example/cart?a=1&#38;b=2">` +
        '<a slot="fallback" href="https://shop.example/cart?a=1&#38;b=2">Pay over time</a></financing-button>',
    );
    expect(written).not.toContain(secret);
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  it('escapes all text', async () => {
    const { fairterm } = await givenResponses([fault]);
    const nasty = `"><script>alert('x')</script>`;

    const written = await fairterm.widget.fragment({
      amount: 1,
      program: nasty,
      label: nasty,
      cartUrl: `https://shop.example/${nasty}`,
    });

    expect(written).not.toContain('<script');
    expect(written.match(/</g)).toHaveLength(4);
  });

  it.each(['/checkout/financing', 'checkout?a=1', '../cart', '?cart=1', '//shop.example/cart'])(
    'links to the URL %j, which the page resolves',
    async (cartUrl) => {
      const { fairterm, requests } = await givenResponses([fault]);
      const written = await fairterm.widget.fragment({ amount: 50_000, cartUrl });
      expect(new URLSearchParams(requests[0]!.path.split('?')[1]).get('cart-url')).toBe(cartUrl);
      expect(written).toContain(` cart-url="${cartUrl}"`);
      expect(written).toContain(`<a slot="fallback" href="${cartUrl}">`);
    },
  );

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'mailto:a@b',
    '',
    'https://',
  ])('has no link to %j', async (cartUrl) => {
    const { fairterm } = await givenResponses([fault]);
    expect(await fairterm.widget.fragment({ amount: 50_000, cartUrl })).not.toMatch(/href|cart-url/);
  });

  it.each([
    ['half a character', { amount: 1, label: '\ud800' }],
    ['no number', { amount: Number.NaN }],
    ['something else altogether', { amount: { toString: () => 'x' } as unknown as number }],
  ])('never rejects, even with %s', async (_what, request) => {
    const { fairterm } = await givenResponses([errorResponse(400, 'invalid-request')]);
    expect(await fairterm.widget.fragment(request)).toMatch(/^<financing-button .*<\/financing-button>$/);
  });
});
