import { parse } from 'parse5';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, fetchResponse, startService, type TestMerchant, type TestService } from '../../support/service.ts';

const SHOP = 'https://shop.example';
let service: TestService;
let merchant: TestMerchant;
let other: TestMerchant;

const givenShops = async () => {
  service = await startService();
  merchant = await service.createMerchant({ storeUrl: `${SHOP}/`, origins: [SHOP] });
  other = await service.createMerchant();
};
const fragment = (query: Record<string, string | undefined> = {}, headers: Record<string, string> = {}): Promise<ApiResponse> => {
  const all = { key: merchant.apiKey, amount: '50000', ...query };
  const words = Object.entries(all).filter((word): word is [string, string] => word[1] !== undefined);
  return fetchResponse(`${service.publicUrl}/widget/v1/fragment?${new URLSearchParams(words)}`, { headers });
};
const basic = ({ apiKey, secret }: TestMerchant) => ({ authorization: `Basic ${btoa(`${apiKey}:${secret}`)}` });

describe('A server-rendered button with its estimate', () => {
  beforeAll(() => givenShops());

  it('contains the estimate that the service returns, and a link to the cart for pages without JavaScript', async () => {
    const { status, text, headers } = await fragment({ 'cart-url': `${SHOP}/checkout?a=1&b=2` });

    const { body } = await merchant.post('/aslowas', { customTotal: 50_000 });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const offer = JSON.parse(attributeIn(text, 'offer'));
    expect(offer).toEqual({
      amountCents: 50_000,
      on: body.basis.date,
      currency: { code: 'USD', digits: 2 },
      language: 'en',
      quote: body.asLowAs,
    });
    expect(text).toContain(body.asLowAs.asLowAsText);
    expect(text.match(/<a [^>]*href="https:\/\/shop\.example\/checkout\?a=1&#38;b=2"/g)).toHaveLength(2);
  });

  it.each(['/checkout/financing', 'checkout?a=1', '?cart=1'])('links to %j relative to its page', async (cartUrl) => {
    for (const headers of [{}, basic(merchant)]) {
      const { status, text } = await fragment({ 'cart-url': cartUrl }, headers);
      expect([status, attributeIn(text, 'cart-url')]).toEqual([200, cartUrl]);
      expect(text.split(` href="${cartUrl}"`)).toHaveLength(3);
    }
  });

  it('can be cached like the programs, and is revalidated by its ETag', async () => {
    const { headers } = await fragment();
    expect(headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=86400');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    const again = await fragment({}, { 'if-none-match': headers.get('etag')!, 'cache-control': 'max-age=0' });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each<[what: string, query: Record<string, string | undefined>, status: number, code: string]>([
    ['no key', { key: undefined }, 401, 'unauthenticated'],
    ['an unknown key', { key: 'unknown' }, 401, 'unauthenticated'],
    ['a key that PostgreSQL cannot look for', { key: 'a\0b' }, 400, 'invalid-request'],
    ['no amount', { amount: undefined }, 400, 'invalid-request'],
    ['no amount in it', { amount: '' }, 400, 'invalid-request'],
    ['nothing', { amount: '0' }, 400, 'invalid-request'],
    ['less than nothing', { amount: '-1' }, 400, 'invalid-request'],
    ['dollars', { amount: '12.99' }, 400, 'invalid-request'],
    ['a number written otherwise', { amount: '5e4' }, 400, 'invalid-request'],
    ['more than there is', { amount: '100000000000' }, 400, 'invalid-request'],
    ['2^53', { amount: '9007199254740992' }, 400, 'invalid-request'],
    ['a script for an address', { 'cart-url': 'javascript:alert(1)' }, 400, 'invalid-request'],
    ['data for an address', { 'cart-url': 'data:text/html,x' }, 400, 'invalid-request'],
    ['a script after a space', { 'cart-url': ' javascript:alert(1)' }, 400, 'invalid-request'],
    ['an address without a host', { 'cart-url': 'https://' }, 400, 'invalid-request'],
    ['an address with a NUL', { 'cart-url': '/cart\0' }, 400, 'invalid-request'],
    ["somebody else's address", { 'cart-url': 'https://evil.example/' }, 403, 'origin-not-registered'],
    ["somebody else's address without slashes", { 'cart-url': 'https:evil.example' }, 403, 'origin-not-registered'],
    ["somebody else's host", { 'cart-url': '//evil.example/' }, 403, 'origin-not-registered'],
    ["somebody else's host after a backslash", { 'cart-url': '/\\evil.example/' }, 403, 'origin-not-registered'],
    ['another look than there is', { theme: 'pink' }, 400, 'invalid-request'],
    ['a name that is misspelled', { cart_url: `${SHOP}/` }, 400, 'invalid-request'],
    ["an object's own name", { constructor: 'x' }, 400, 'invalid-request'],
    ['an unknown program', { program: 'unknown' }, 400, 'program-not-found'],
  ])('is rejected with %s', async (_what, query, status, code) => {
    expect(await fragment(query)).toMatchObject({ status, body: { error: true, code } });
  });

  it('is rejected when a parameter is repeated', async () => {
    const twice = `${service.publicUrl}/widget/v1/fragment?key=${merchant.apiKey}&amount=1&amount=2`;
    expect(await fetchResponse(twice)).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  });

  it('is available to pages of registered origins only', async () => {
    const mine = await fragment({}, { origin: SHOP });
    expect([mine.status, mine.headers.get('access-control-allow-origin')]).toEqual([200, SHOP]);
    expect(await fragment({}, { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      body: { code: 'origin-not-registered' },
    });
  });

  it('links to any address for a request with the merchant’s secret', async () => {
    const query = { 'cart-url': 'https://elsewhere.example/cart' };
    expect((await fragment(query, basic(merchant))).text).toContain('href="https://elsewhere.example/cart"');
    expect((await fragment(query, basic(other))).status).toBe(401);
    expect((await fragment(query, basic({ ...merchant, secret: 'wrong' }))).status).toBe(401);
  });
});

describe('The markup of a button', () => {
  beforeAll(() => givenShops());

  const nasty = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;{{x}}</template>`;
  it.each(['label', 'lang', 'program'])('is escaped when it contains %s', async (name) => {
    const { text, body } = await fragment({ [name]: nasty.slice(0, name === 'lang' ? 35 : 100), 'cart-url': `${SHOP}/"><b>'` });
    // There is no program of that name.
    if (name === 'program') return expect(body.code).toBe('program-not-found');
    const names = elementsIn(text);
    expect(names).not.toContain('script');
    expect(names).not.toContain('img');
    expect(names).not.toContain('b');
    expect(attributeIn(text, name === 'lang' ? 'lang' : 'cart-url')).toBe(
      name === 'lang' ? nasty.slice(0, 35) : `${SHOP}/%22%3E%3Cb%3E'`,
    );
  });
});

interface Node {
  nodeName: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Node[];
  content?: Node;
}

const all = (node: Node): Node[] => [node, ...[...(node.childNodes ?? []), ...(node.content ? [node.content] : [])].flatMap(all)];

/** Returns the names of all elements of a fragment, including those in its shadow root. */
const elementsIn = (html: string): string[] => all(parse(html) as Node).map(({ nodeName }) => nodeName);

/** Returns the parsed value of an attribute of the element. */
function attributeIn(html: string, name: string): string {
  const element = all(parse(html) as Node).find(({ nodeName }) => nodeName === 'financing-button')!;
  return element.attrs!.find((attribute) => attribute.name === name)!.value;
}
