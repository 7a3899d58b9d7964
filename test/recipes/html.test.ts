/** The recipe for a page without a framework, with a strict Content Security Policy, and the routes that all recipes share. */
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { products } from '../../widget/recipes/shop/catalog.ts';
import { createFinancing } from '../../widget/recipes/shop/financing.ts';
import { buy, openPage, startBrowser } from '../support/browser.ts';
import { codeBlock } from '../support/docs.ts';
import { startService } from '../support/service.ts';
import { startRecipeShop } from './recipe-shop.ts';
import { expectRecipeToWork, oak, walnut } from './recipe-page.ts';

const files = ['product.html', 'product.js'].map((name): [string, string] => [
  name,
  readFileSync(`widget/recipes/html/${name}`, 'utf8'),
]);

const [service, browser] = await Promise.all([startService(), startBrowser()]);
const shop = await startRecipeShop(service);
for (const [name, content] of files) {
  const configured = content.replaceAll('http://localhost:4000', service.publicUrl).replace('KEY', shop.merchant.apiKey);
  const policy = codeBlock('widget/recipes/README.md', 'policy').replace('Content-Security-Policy: ', '').trim();
  const headers = {
    'content-type': name.endsWith('html') ? 'text/html' : 'text/javascript',
    'content-security-policy': policy.replaceAll('http://localhost:4000', service.publicUrl),
  };
  shop.routes.set(`GET /${name}`, () => new Response(configured, { headers }));
}

describe('The recipe for plain HTML', () => {
  it('updates the estimate with the variant, dispatches events and opens the checkout, under the policy of the README', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${shop.url}/product.html`);
    await expectRecipeToWork(page, shop);
    expect(problems).toEqual([]);
  });

  it('completes a purchase, whose callback sets the order to paid', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${shop.url}/product.html`);
    await page.locator('financing-button [part=button]').click();
    await page.waitForURL(`${service.publicUrl}/c/**`);
    await buy(page);
    expect(await page.locator('h1').textContent()).toBe('Thank you');
    const { searchParams } = new URL(page.url());
    const transactionId = searchParams.get('transactionId')!;
    const orderRef = searchParams.get('orderRef')!;
    await expect.poll(() => shop.orders.find(orderRef)).toMatchObject({ status: 'paid', sku: oak.sku, transactionId });
    expect(await shop.merchant.fairterm.transactions.retrieve(transactionId)).toMatchObject({
      status: 'AUTHORIZED',
      merchantOrderId: orderRef,
      total: oak.priceCents,
    });
  });
});

describe('The recipe for plain HTML, without JavaScript', () => {
  it('has a link to the checkout', async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${shop.url}/product.html`);
    await page.getByRole('link', { name: 'Pay over time' }).click();
    await page.waitForURL(`${service.publicUrl}/c/**`);
    expect(await page.locator('body').textContent()).toContain('$750.00');
  });
});

describe('The routes of the recipes', () => {
  const start = (query: string) => fetch(`${shop.url}/checkout/financing${query}`, { redirect: 'manual' });

  it('create a cart at the catalog price, and ignore amounts in the URL', async () => {
    const response = await start(`?sku=${walnut.sku}&amount=1&priceCents=1`);
    expect(response.status).toBe(303);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const details = await (await fetch(response.headers.get('location')!)).text();
    expect(details).toContain('$1,299.00');
  });

  it.each([
    ['', null],
    ['&display=popup', 'popup'],
    ['&display=%22%3E', '">'],
  ])('add the display parameter to the URL of the checkout: %j', async (query, display) => {
    const location = new URL((await start(`?sku=${oak.sku}${query}`)).headers.get('location')!);
    expect([location.origin, location.searchParams.get('display')]).toEqual([service.publicUrl, display]);
  });

  it.each(['', '?sku=', '?sku=nothing', '?sku=__proto__'])('respond with 404 for an unknown SKU: %j', async (query) => {
    expect((await start(query)).status).toBe(404);
  });

  it('offer another payment method if the service rejects the cart, and log the reason', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    const keys = { apiKey: shop.merchant.apiKey, secret: 'ft_sandbox_secret_of_yesterday' };
    const options = { serviceUrl: service.publicUrl, ...keys, shopUrl: shop.url, callbackSecrets: [], orders: shop.orders };
    const response = await createFinancing(options).startCheckout(new Request(`${shop.url}/?sku=${oak.sku}`));
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('another way to pay')]);
    expect(logged).toHaveBeenCalledOnce();
    expect(logged.mock.calls.flat().join(' ')).not.toContain(keys.secret);
    logged.mockRestore();
  });

  it('respond with 400 to unsigned callbacks', async () => {
    const { orderRef } = shop.orders.place(oak.sku, oak.priceCents, 'USD');
    const body = JSON.stringify({ transactionId: 't', orderRef });
    const response = await fetch(`${shop.url}/financing/callback`, { method: 'POST', body });
    expect(response.status).toBe(400);
    expect(shop.orders.find(orderRef)).toMatchObject({ status: 'placed' });
  });

  it('do not authorize a transaction whose total differs from the order, which another one can still pay', async () => {
    const { orderRef } = shop.orders.place(walnut.sku, walnut.priceCents, 'USD');
    const checkOut = async (customTotal: number) => {
      const options = { orderRef, customTotal, callbackUrl: `${shop.url}/financing/callback` };
      const { id: cartId } = await shop.merchant.fairterm.carts.create({ options });
      return (await shop.merchant.fairterm.sandbox.checkout({ cartId })).transactionId;
    };
    const another = await checkOut(5_000);
    await expect.poll(() => shop.orders.find(orderRef)).toMatchObject({ status: 'rejected', transactionId: another });
    expect(await shop.merchant.fairterm.transactions.retrieve(another)).toMatchObject({ status: 'PENDING' });

    const own = await checkOut(walnut.priceCents);
    await expect.poll(() => shop.orders.find(orderRef)).toMatchObject({ status: 'paid', transactionId: own });
  });

  describe('for an order with two purchases', () => {
    const statusOf = async (id: string) => (await shop.merchant.fairterm.transactions.retrieve(id)).status;
    /** Signs a cart for an order, without a callback. */
    const sign = async (orderRef: string) => {
      const { id: cartId } = await shop.merchant.fairterm.carts.create({ options: { orderRef, customTotal: walnut.priceCents } });
      return (await shop.merchant.fairterm.sandbox.checkout({ cartId })).transactionId;
    };
    const callBack = (orderRef: string, transactionId: string) =>
      shop.callBack('financing/callback', { transactionId, orderRef });
    const place = () => shop.orders.place(walnut.sku, walnut.priceCents, 'USD');

    it.each(['PENDING', 'AUTHORIZED'])('cancel a second one that is %s, once, and note it', async (state) => {
      const order = place();
      const [first, second] = [await sign(order.orderRef), await sign(order.orderRef)];
      expect(await callBack(order.orderRef, first)).toBe(204);
      if (state === 'AUTHORIZED')
        await shop.merchant.fairterm.transactions.authorize(second, { merchantOrderId: order.orderRef });
      for (let count = 0; count < 2; count += 1) {
        expect(await callBack(order.orderRef, second)).toBe(204);
        expect([await statusOf(first), await statusOf(second)]).toEqual(['AUTHORIZED', 'CANCELED']);
        expect(order).toMatchObject({ status: 'paid', transactionId: first });
        expect(order.notes).toEqual([expect.stringContaining(second)]);
      }
    });

    it('change nothing if the callback of the first one is repeated', async () => {
      const order = place();
      const first = await sign(order.orderRef);
      for (let count = 0; count < 2; count += 1) expect(await callBack(order.orderRef, first)).toBe(204);
      expect(await statusOf(first)).toBe('AUTHORIZED');
      expect(order).toMatchObject({ status: 'paid', transactionId: first, notes: [] });
    });

    it('cancel a purchase of an order that was paid by another method', async () => {
      const order = place();
      order.status = 'paid';
      const late = await sign(order.orderRef);
      expect(await callBack(order.orderRef, late)).toBe(204);
      expect(await statusOf(late)).toBe('CANCELED');
      expect(order.transactionId).toBeUndefined();
      expect(order.notes).toEqual([expect.stringContaining(late)]);
    });

    it('note a second one that is settled, which a person must refund', async () => {
      const order = place();
      const [first, second] = [await sign(order.orderRef), await sign(order.orderRef)];
      await callBack(order.orderRef, first);
      await shop.merchant.fairterm.transactions.authorize(second);
      await shop.merchant.fairterm.transactions.settle(second);
      expect(await callBack(order.orderRef, second)).toBe(204);
      expect(await statusOf(second)).toBe('SETTLED');
      expect(order.notes).toEqual([expect.stringMatching(new RegExp(`${second}.*SETTLED`))]);
    });

    it('accept one of two whose callbacks arrive at the same moment', async () => {
      const order = place();
      const both = [await sign(order.orderRef), await sign(order.orderRef)];
      expect(await Promise.all(both.map((id) => callBack(order.orderRef, id)))).toEqual([204, 204]);
      expect(new Set(await Promise.all(both.map(statusOf)))).toEqual(new Set(['AUTHORIZED', 'CANCELED']));
      expect(await statusOf(order.transactionId!)).toBe('AUTHORIZED');
      expect(order.notes).toHaveLength(1);
    });
  });

  it('offer another payment method for a product in another currency, without a cart', async () => {
    const [product] = products;
    const { currency } = product;
    onTestFinished(() => void Object.assign(product, { currency }));
    Object.assign(product, { currency: 'EUR' });
    const newestCart = async () => (await shop.merchant.fairterm.carts.list().next()).value?.id;
    const before = await newestCart();
    const response = await start(`?sku=${oak.sku}`);
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('another way to pay')]);
    expect(await newestCart()).toBe(before);
  });

  it('do not authorize a transaction of an order in another currency', async () => {
    const { orderRef } = shop.orders.place(walnut.sku, walnut.priceCents, 'CAD');
    const options = { orderRef, customTotal: walnut.priceCents, callbackUrl: `${shop.url}/financing/callback` };
    const { id: cartId } = await shop.merchant.fairterm.carts.create({ options });
    const { transactionId } = await shop.merchant.fairterm.sandbox.checkout({ cartId });
    await expect.poll(() => shop.orders.find(orderRef)).toMatchObject({ status: 'rejected', transactionId });
    expect(await shop.merchant.fairterm.transactions.retrieve(transactionId)).toMatchObject({ status: 'PENDING' });
  });

  it('cancel a transaction whose card portion is declined', async () => {
    const { orderRef } = shop.orders.place(walnut.sku, walnut.priceCents, 'USD');
    const options = { orderRef, customTotal: walnut.priceCents, callbackUrl: `${shop.url}/financing/callback` };
    const { id: cartId } = await shop.merchant.fairterm.carts.create({ options });
    const { transactionId } = await shop.merchant.fairterm.sandbox.checkout({ cartId, outcome: 'remainder-declined' });
    await expect.poll(() => shop.orders.find(orderRef)).toMatchObject({ status: 'rejected', transactionId });
    expect(await shop.merchant.fairterm.transactions.retrieve(transactionId)).toMatchObject({ status: 'CANCELED' });
  });
});
