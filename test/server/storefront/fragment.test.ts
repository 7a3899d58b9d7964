import { parse } from 'parse5';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, fetchResponse, startService, type TestMerchant, type TestService } from '../../support/service.ts';

const SHOP = 'https://shop.example';
let service: TestService;
let merchant: TestMerchant;
let other: TestMerchant;

const createShops = async () => {
  service = await startService();
  merchant = await service.createMerchant({ storeUrl: `${SHOP}/`, origins: [SHOP] });
  other = await service.createMerchant();
};
const fragment = (query: Record<string, string | undefined> = {}, headers: Record<string, string> = {}): Promise<ApiResponse> => {
  const parameters = { key: merchant.apiKey, amount: '50000', ...query };
  const present = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return fetchResponse(`${service.publicUrl}/widget/v1/fragment?${new URLSearchParams(present)}`, { headers });
};
const basic = ({ apiKey, secret }: TestMerchant) => ({ authorization: `Basic ${btoa(`${apiKey}:${secret}`)}` });

describe('A server-rendered button', () => {
  beforeAll(() => createShops());

  it('contains the estimate of the merchant API, and links to the cart that work without JavaScript', async () => {
    const { status, text, headers } = await fragment({ 'cart-url': `${SHOP}/checkout?a=1&b=2` });

    const { body } = await merchant.post('/aslowas', { customTotal: 50_000 });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const offer = JSON.parse(attributeIn(text, 'offer'));
    expect(offer).toEqual({
      amountCents: 50_000,
      on: body.basis.date,
      timeZone: 'UTC',
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
    const revalidated = await fragment({}, { 'if-none-match': headers.get('etag')!, 'cache-control': 'max-age=0' });
    expect([revalidated.status, revalidated.text]).toEqual([304, '']);
  });

  it.each<[title: string, query: Record<string, string | undefined>, status: number, code: string]>([
    ['no key', { key: undefined }, 401, 'unauthenticated'],
    ['an unknown key', { key: 'unknown' }, 401, 'unauthenticated'],
    ['a key with a NUL', { key: 'a\0b' }, 400, 'invalid-request'],
    ['no amount', { amount: undefined }, 400, 'invalid-request'],
    ['an empty amount', { amount: '' }, 400, 'invalid-request'],
    ['an amount of 0', { amount: '0' }, 400, 'invalid-request'],
    ['a negative amount', { amount: '-1' }, 400, 'invalid-request'],
    ['an amount in dollars', { amount: '12.99' }, 400, 'invalid-request'],
    ['an amount in scientific notation', { amount: '5e4' }, 400, 'invalid-request'],
    ['an amount above the maximum', { amount: '100000000000' }, 400, 'invalid-request'],
    ['an amount of 2^53', { amount: '9007199254740992' }, 400, 'invalid-request'],
    ['a javascript: URL', { 'cart-url': 'javascript:alert(1)' }, 400, 'invalid-request'],
    ['a data: URL', { 'cart-url': 'data:text/html,x' }, 400, 'invalid-request'],
    ['a javascript: URL after a space', { 'cart-url': ' javascript:alert(1)' }, 400, 'invalid-request'],
    ['a URL without a host', { 'cart-url': 'https://' }, 400, 'invalid-request'],
    ['a URL with a NUL', { 'cart-url': '/cart\0' }, 400, 'invalid-request'],
    ['a URL of another origin', { 'cart-url': 'https://evil.example/' }, 403, 'origin-not-registered'],
    ['a URL of another origin without slashes', { 'cart-url': 'https:evil.example' }, 403, 'origin-not-registered'],
    ['a protocol-relative URL of another host', { 'cart-url': '//evil.example/' }, 403, 'origin-not-registered'],
    ['a URL of another host after a backslash', { 'cart-url': '/\\evil.example/' }, 403, 'origin-not-registered'],
    ['an unknown theme', { theme: 'pink' }, 400, 'invalid-request'],
    ['a misspelled parameter', { cart_url: `${SHOP}/` }, 400, 'invalid-request'],
    ['the name of an inherited property', { constructor: 'x' }, 400, 'invalid-request'],
    ['an unknown program', { program: 'unknown' }, 400, 'program-not-found'],
  ])('is rejected with %s', async (_title, query, status, code) => {
    expect(await fragment(query)).toMatchObject({ status, body: { error: true, code } });
  });

  it('is rejected if a parameter is repeated', async () => {
    const url = `${service.publicUrl}/widget/v1/fragment?key=${merchant.apiKey}&amount=1&amount=2`;
    expect(await fetchResponse(url)).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  });

  it('is available only to pages of registered origins', async () => {
    const response = await fragment({}, { origin: SHOP });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, SHOP]);
    expect(await fragment({}, { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      body: { code: 'origin-not-registered' },
    });
  });

  it('can link to any URL if the request has the merchant’s secret', async () => {
    const query = { 'cart-url': 'https://any.example/cart' };
    expect((await fragment(query, basic(merchant))).text).toContain('href="https://any.example/cart"');
    expect((await fragment(query, basic(other))).status).toBe(401);
    expect((await fragment(query, basic({ ...merchant, secret: 'wrong' }))).status).toBe(401);
  });
});

describe('The markup of a server-rendered button', () => {
  beforeAll(() => createShops());

  const html = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;{{x}}</template>`;
  it.each(['label', 'lang', 'program'])('is escaped or rejected for HTML in %s', async (name) => {
    const { text, body } = await fragment({ [name]: html.slice(0, name === 'lang' ? 35 : 100), 'cart-url': `${SHOP}/"><b>'` });
    // No program has this id.
    if (name === 'program') return expect(body.code).toBe('program-not-found');
    const names = elementsIn(text);
    expect(names).not.toContain('script');
    expect(names).not.toContain('img');
    expect(names).not.toContain('b');
    expect(attributeIn(text, name === 'lang' ? 'lang' : 'cart-url')).toBe(
      name === 'lang' ? html.slice(0, 35) : `${SHOP}/%22%3E%3Cb%3E'`,
    );
  });
});

interface Node {
  nodeName: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Node[];
  content?: Node;
}

const nodesOf = (node: Node): Node[] => [
  node,
  ...[...(node.childNodes ?? []), ...(node.content ? [node.content] : [])].flatMap(nodesOf),
];

/** Returns the names of all elements, including those in the shadow root. */
const elementsIn = (html: string): string[] => nodesOf(parse(html) as Node).map(({ nodeName }) => nodeName);

/** Returns the parsed value of an attribute of the element. */
function attributeIn(html: string, name: string): string {
  const element = nodesOf(parse(html) as Node).find(({ nodeName }) => nodeName === 'financing-button')!;
  return element.attrs!.find((attribute) => attribute.name === name)!.value;
}
