/**
 * Runs the recipe for Shopify in a browser with a real service: the rendered Liquid in a page that changes variants as themes do.
 * Shopify's signing app proxy and the three calls of its Admin API are simulated here.
 */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Liquid } from 'liquidjs';
import type { Browser } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { callbackSecretsOf } from '../../server/merchants/callback-secrets.ts';
import { createFinancing, isFromShopify } from '../../widget/recipes/shopify/financing.ts';
import { buy, openPage, startBrowser } from '../support/browser.ts';
import { startService, type TestService } from '../support/service.ts';
import { startRecipeShop, htmlPage, type RecipeShop } from './recipe-shop.ts';
import { estimateOf, expectTracked, quoteOf } from './recipe-page.ts';

const APP_SECRET = 'hush';
const variants = [
  { id: 40_001, price: 75_000, title: 'Oak' },
  { id: 40_002, price: 129_900, title: 'Walnut' },
];
const product = { available: true, variants, selected_or_first_available_variant: variants[0] };

const liquid = new Liquid({ root: 'widget/recipes/shopify/snippets', extname: '.liquid' });
liquid.registerFilter('asset_url', (name: string) => `/cdn/assets/${name}`);
const renderSnippet = (overrides: object = {}, settings: object = {}): string =>
  liquid.parseAndRenderSync("{% render 'fairterm', product: product, cart: cart, settings: settings %}", {
    product,
    cart: { currency: { iso_code: 'USD' } },
    settings: { fairterm_url: 'https://financing.example', fairterm_key: 'KEY', ...settings },
    ...overrides,
  }) as string;

describe('The snippet for Shopify', () => {
  it('renders the price of the selected variant and the prices of all variants in cents', () => {
    const html = renderSnippet();
    expect(html).toContain('amount="75000"');
    expect(JSON.parse(/data-cents='([^']*)'/.exec(html)![1]!)).toEqual({ 40_001: 75_000, 40_002: 129_900 });
  });

  it('escapes the settings of the shop', () => {
    const html = renderSnippet({}, { fairterm_key: '"><script>alert(1)</script>', fairterm_url: '"><b>' });
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('<b>');
  });

  it.each([
    ['if the cart has another currency', { cart: { currency: { iso_code: 'EUR' } } }],
    ['if the product is sold out', { product: { ...product, available: false } }],
  ])('renders nothing %s', (_case, overrides) => {
    expect(renderSnippet(overrides).trim()).toBe('');
  });
});

describe('isFromShopify', () => {
  // Shopify signs sorted names, with comma-separated values of a repeated name and without separators between parameters.
  const unsigned = () =>
    new URLSearchParams('extra=1&extra=2&shop=shop-name.myshopify.com&path_prefix=%2Fapps%2Fawesome&timestamp=1317327555');
  const signed = (secret: string) => {
    const params = unsigned();
    const text = 'extra=1,2path_prefix=/apps/awesomeshop=shop-name.myshopify.comtimestamp=1317327555';
    params.set('signature', createHmac('sha256', secret).update(text).digest('hex'));
    return params;
  };

  it.each<[query: string, expected: boolean, params: URLSearchParams, now: number]>([
    ['signed five seconds ago', true, signed('hush'), 1_317_327_560],
    ['signed an hour ago', false, signed('hush'), 1_317_331_155],
    ['signed with another secret', false, signed('loud'), 1_317_327_560],
    ['not signed', false, unsigned(), 1_317_327_560],
    ['empty', false, new URLSearchParams(), 1_317_327_560],
  ])('for a query that is %s returns %s', (_query, expected, params, now) => {
    expect(isFromShopify(params, 'hush', now)).toBe(expected);
  });
});

interface Draft {
  id: string;
  status: 'OPEN' | 'COMPLETED';
  customAttributes: { key: string; value: string }[];
  order: { id: string; note: string | null } | null;
  totalPriceSet: { shopMoney: { amount: string; currencyCode: string } };
}

describe('The recipe for Shopify', () => {
  let service: TestService;
  let browser: Browser;
  let shop: RecipeShop;
  const drafts = new Map<string, Draft>();
  let returned: number[] = [];
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    shop = await startRecipeShop(service);
    const { url, routes, merchant } = shop;
    const callbackSecrets = (await callbackSecretsOf(service.database.query, merchant.merchantId)).map(({ secret }) => secret);
    const app = createFinancing({
      serviceUrl: service.publicUrl,
      apiKey: merchant.apiKey,
      secret: merchant.secret,
      callbackSecrets,
      shopUrl: url,
      appUrl: url,
      appSecret: APP_SECRET,
      adminUrl: `${url}/admin/api/graphql.json`,
      adminToken: 'shpat_token',
    });
    routes.set('POST /callback', async (request) => {
      const response = await app.handleCallback(request);
      returned.push(response.status);
      return response;
    });
    routes.set('GET /checkout', app.startCheckout);
    routes.set('GET /apps/financing/checkout', (request) => app.startCheckout(signAsAppProxy(request)));
    routes.set('POST /admin/api/graphql.json', (request) => handleAdminRequest(request, drafts));
    routes.set('GET /pages/thank-you', () => htmlPage('<title>Shop</title><h1>Thank you</h1>'));
    const script = readFileSync('widget/recipes/shopify/assets/fairterm.js', 'utf8');
    routes.set('GET /cdn/assets/fairterm.js', () => new Response(script, { headers: { 'content-type': 'text/javascript' } }));
    const snippet = renderSnippet({}, { fairterm_url: service.publicUrl, fairterm_key: merchant.apiKey });
    routes.set('GET /products/chair', () => htmlPage(theme(snippet)));
  });
  beforeEach(() => {
    drafts.clear();
    returned = [];
  });

  it('updates the estimate with the variant, dispatches events and completes a purchase at the price of Shopify', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${shop.url}/products/chair`);
    const ofOak = await quoteOf(shop, 75_000);
    const ofWalnut = await quoteOf(shop, 129_900);
    await expect.poll(() => estimateOf(page)).toContain(`${ofOak.amount}/month`);
    await page.getByLabel('Wood').selectOption({ label: 'Walnut' });
    await expect.poll(() => estimateOf(page)).toContain(`${ofWalnut.amount}/month`);
    await page.locator('financing-button [part=button]').click();
    await page.waitForURL(`${service.publicUrl}/c/**`);
    await expectTracked(shop, [
      { name: 'financing-quote', monthlyCents: ofOak.monthly },
      { name: 'financing-quote', monthlyCents: ofWalnut.monthly },
      { name: 'financing-start' },
    ]);

    await buy(page);
    expect(await page.locator('h1').textContent()).toBe('Thank you');
    expect(problems).toEqual([]);
    const [draft] = [...drafts.values()];
    await expect.poll(() => draft!.status).toBe('COMPLETED');
    const transactionId = new URL(page.url()).searchParams.get('transactionId')!;
    expect(await shop.merchant.fairterm.transactions.retrieve(transactionId)).toMatchObject({
      status: 'AUTHORIZED',
      merchantOrderId: draft!.id,
      total: 129_900,
    });
  });

  const start = (query: string) => fetch(`${shop.url}/apps/financing/checkout${query}`, { redirect: 'manual' });

  it('responds with 401 to unsigned checkout requests that bypass the app proxy', async () => {
    const response = await fetch(`${shop.url}/checkout?variant=40001`, { redirect: 'manual' });
    expect([response.status, drafts.size]).toEqual([401, 0]);
  });

  it.each(['', '?variant=', '?variant=1', '?variant=gid://shopify/Product/1', '?variant=40001%22'])(
    'responds with 404 for an unknown variant: %j',
    async (query) => {
      expect([(await start(query)).status, drafts.size]).toEqual([404, 0]);
    },
  );

  it('does not complete a draft order whose price has changed', async () => {
    await start('?variant=40001');
    const [draft] = [...drafts.values()];
    draft!.totalPriceSet.shopMoney.amount = '999.00';
    const options = { orderRef: draft!.id, customTotal: 75_000, callbackUrl: `${shop.url}/callback` };
    const { id: cartId } = await shop.merchant.fairterm.carts.create({ options });
    const { transactionId } = await shop.merchant.fairterm.sandbox.checkout({ cartId });
    await expect.poll(() => returned).toEqual([204]);
    expect(draft!.status).toBe('OPEN');
    expect(await shop.merchant.fairterm.transactions.retrieve(transactionId)).toMatchObject({ status: 'PENDING' });
  });

  describe('for an order with two purchases', () => {
    const statusOf = async (id: string) => (await shop.merchant.fairterm.transactions.retrieve(id)).status;
    const place = async () => {
      await start('?variant=40001');
      return [...drafts.values()][0]!;
    };
    /** Signs a cart for a draft order. @param hasCallback - False to send the callback later. */
    const sign = async (draft: Draft, hasCallback: boolean) => {
      const callback = hasCallback && { callbackUrl: `${shop.url}/callback` };
      const { id: cartId } = await shop.merchant.fairterm.carts.create({
        options: { orderRef: draft.id, customTotal: 75_000, ...callback },
      });
      return (await shop.merchant.fairterm.sandbox.checkout({ cartId })).transactionId;
    };
    const callBack = ({ id: orderRef }: Draft, transactionId: string) => shop.callBack('callback', { transactionId, orderRef });

    it('cancels the second one, once, and notes it on the order', async () => {
      const draft = await place();
      const first = await sign(draft, true);
      await expect.poll(() => draft.status).toBe('COMPLETED');
      draft.order!.note = 'Ring twice.';
      const second = await sign(draft, false);
      for (let count = 0; count < 2; count += 1) {
        expect(await callBack(draft, second)).toBe(204);
        expect([await statusOf(first), await statusOf(second)]).toEqual(['AUTHORIZED', 'CANCELED']);
        expect(draft.order!.note).toMatch(new RegExp(`^Ring twice\\.\n[^\n]*${second}[^\n]*$`));
      }
    });

    it('changes nothing if the callback of the first one is repeated', async () => {
      const draft = await place();
      const first = await sign(draft, false);
      for (let count = 0; count < 2; count += 1) expect(await callBack(draft, first)).toBe(204);
      expect([draft.status, draft.order!.note, await statusOf(first)]).toEqual(['COMPLETED', null, 'AUTHORIZED']);
    });

    it('cancels a purchase of a draft order that was paid by another method', async () => {
      const draft = await place();
      Object.assign(draft, { status: 'COMPLETED', order: { id: 'gid://shopify/Order/9', note: null } });
      const late = await sign(draft, false);
      expect(await callBack(draft, late)).toBe(204);
      expect(await statusOf(late)).toBe('CANCELED');
      expect(draft.order!.note).toContain(late);
    });

    it('cancels a purchase of a draft order that is paid by another method meanwhile', async () => {
      const draft = await place();
      const late = await sign(draft, false);
      paidMeanwhile = true;
      onTestFinished(() => void (paidMeanwhile = false));
      expect(await callBack(draft, late)).toBe(204);
      expect(await statusOf(late)).toBe('CANCELED');
      expect(draft.order!.note).toContain(late);
    });

    it('accepts one of two whose callbacks arrive at the same moment', async () => {
      const draft = await place();
      const both = [await sign(draft, false), await sign(draft, false)];
      expect(await Promise.all(both.map((id) => callBack(draft, id)))).toEqual([204, 204]);
      expect(new Set(await Promise.all(both.map(statusOf)))).toEqual(new Set(['AUTHORIZED', 'CANCELED']));
      expect(await statusOf(draft.customAttributes[0]!.value)).toBe('AUTHORIZED');
    });
  });

  it('offers another payment method if the draft order has another currency, without a cart', async () => {
    currencyCode = 'EUR';
    onTestFinished(() => void (currencyCode = 'USD'));
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    const newestCart = async () => (await shop.merchant.fairterm.carts.list().next()).value?.id;
    const before = await newestCart();
    expect((await start('?variant=40001')).status).toBe(503);
    expect(await newestCart()).toBe(before);
    logged.mockRestore();
  });

  it('does not complete a draft order whose currency has changed', async () => {
    await start('?variant=40001');
    const [draft] = [...drafts.values()];
    draft!.totalPriceSet.shopMoney.currencyCode = 'CAD';
    const options = { orderRef: draft!.id, customTotal: 75_000, callbackUrl: `${shop.url}/callback` };
    const { id: cartId } = await shop.merchant.fairterm.carts.create({ options });
    const { transactionId } = await shop.merchant.fairterm.sandbox.checkout({ cartId });
    await expect.poll(() => returned).toEqual([204]);
    expect(draft!.status).toBe('OPEN');
    expect(await shop.merchant.fairterm.transactions.retrieve(transactionId)).toMatchObject({ status: 'PENDING' });
  });

  it('responds with 400 to an unsigned callback', async () => {
    const response = await fetch(`${shop.url}/callback`, { method: 'POST', body: '{"transactionId":"t","orderRef":"gid"}' });
    expect(response.status).toBe(400);
  });
});

/** Renders a product form like those of themes: a script sets the hidden input `id` to the variant and dispatches `change`. */
const theme = (snippet: string) => `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<main><h1>Lounge chair</h1>${snippet}
<label>Wood <select id="wood">${variants.map(({ id, title }) => `<option value="${id}">${title}</option>`).join('')}</select></label>
<form action="/cart/add" method="post"><input type="hidden" name="id" value="40001"></form></main>
<script type="module">
  wood.onchange = () => {
    const input = document.forms[0].elements.id;
    input.value = wood.value;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };
</script>`;

/** Returns the request with the parameters and signature that Shopify's app proxy adds. */
function signAsAppProxy(request: Request): Request {
  const url = new URL(request.url);
  url.searchParams.set('shop', 'acme.myshopify.com');
  url.searchParams.set('timestamp', String(Math.floor(Date.now() / 1_000)));
  const names = [...url.searchParams.keys()].toSorted();
  const text = names.map((name) => `${name}=${url.searchParams.get(name)}`).join('');
  url.searchParams.set('signature', createHmac('sha256', APP_SECRET).update(text).digest('hex'));
  return new Request(url);
}

/** True if a draft order is paid by another method just before it is completed. */
let paidMeanwhile = false;

/** The currency of new draft orders. */
let currencyCode = 'USD';

/** Simulates Shopify's Admin API for draft orders. */
async function handleAdminRequest(request: Request, drafts: Map<string, Draft>): Promise<Response> {
  if (request.headers.get('x-shopify-access-token') !== 'shpat_token') return new Response(null, { status: 401 });
  const { query, variables } = (await request.json()) as {
    query: string;
    variables: {
      id: string;
      input: { id: string; note: string; lineItems: [{ variantId: string }]; customAttributes: Draft['customAttributes'] };
    };
  };
  if (query.includes('orderUpdate')) {
    const { id, note } = variables.input;
    const updated = [...drafts.values()].find(({ order }) => order?.id === id)?.order;
    if (updated) updated.note = note;
    return Response.json({ data: { result: { order: updated ?? null } } });
  }
  if (query.includes('draftOrderCreate')) {
    const variant = variants.find(({ id }) => variables.input.lineItems[0].variantId === `gid://shopify/ProductVariant/${id}`);
    if (!variant) return Response.json({ data: { result: { draftOrder: null } } });
    const id = `gid://shopify/DraftOrder/${drafts.size + 1}`;
    const shopMoney = { amount: (variant.price / 100).toFixed(2), currencyCode };
    drafts.set(id, { id, status: 'OPEN', customAttributes: [], order: null, totalPriceSet: { shopMoney } });
    return Response.json({ data: { result: { draftOrder: drafts.get(id) } } });
  }
  const draft = drafts.get(variables.id) ?? null;
  if (query.includes('draftOrderUpdate')) {
    if (draft) draft.customAttributes = variables.input.customAttributes;
    if (draft && paidMeanwhile) Object.assign(draft, { status: 'COMPLETED', order: { id: 'gid://shopify/Order/8', note: null } });
    return Response.json({ data: { result: { draftOrder: draft } } });
  }
  if (!query.includes('draftOrderComplete')) return Response.json({ data: { draftOrder: draft } });
  if (draft?.status === 'COMPLETED') return Response.json({ data: { result: { draftOrder: null } } });
  if (draft) Object.assign(draft, { status: 'COMPLETED', order: { id: draft.id.replace('DraftOrder', 'Order'), note: null } });
  return Response.json({ data: { result: { draftOrder: draft } } });
}
