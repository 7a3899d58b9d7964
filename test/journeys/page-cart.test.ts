/** A shop without a server: its page creates the cart in a real browser, and its visitors can edit the request. */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { buy, openPage, startBrowser } from '../support/browser.ts';
import { onCleanup } from '../support/cleanup.ts';
import { chair } from '../support/checkout.ts';
import { listen } from '../support/http.ts';
import { startService } from '../support/service.ts';

const servePage: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><title>A shop</title><h1>A shop</h1>');
};

const service = await startService();
const browser = await startBrowser();
const [shop, unregistered] = await Promise.all([listen(servePage), listen(servePage)]);
onCleanup(() => Promise.all([shop.stop(), unregistered.stop()]));
const shopUrl = `http://localhost:${shop.port}`;
// Browsers resolve it to this machine, but the sandbox allows only localhost without registration.
const unregisteredUrl = `http://unregistered.localhost:${unregistered.port}`;
const merchant = await service.createMerchant({ storeUrl: `${shopUrl}/` });

describe('A purchase with a cart from a page', () => {
  const visit = async (url: string): Promise<Page> => {
    const { page } = await openPage(browser);
    await page.goto(url);
    return page;
  };
  /** Creates a cart by a script of the page. Returns the response that the browser allows the script to read. */
  const createCartFrom = (page: Page, options: object, type = 'text/plain') => {
    const body = JSON.stringify({ key: merchant.apiKey, idempotencyKey: randomUUID(), options });
    return page.evaluate(
      async ([url, json, contentType]) => {
        try {
          const response = await fetch(url!, { method: 'POST', body: json!, headers: { 'content-type': contentType! } });
          const retryAfter = response.headers.get('retry-after');
          return { status: response.status, retryAfter, body: (await response.json()) as Record<string, string> };
        } catch (error) {
          return { status: 0, retryAfter: null, body: { description: String(error) } };
        }
      },
      [`${service.publicUrl}/storefront/carts`, body, type],
    );
  };
  const cartsOf = () =>
    service.database.query.selectFrom('carts').select('id').where('merchantId', '=', merchant.merchantId).execute();

  it('creates a transaction that the merchant can retrieve', async () => {
    const page = await visit(shopUrl);
    const options = { orderRef: 'ORDER-1', items: [{ ...chair, quantity: 2 }], completeUrl: `${shopUrl}/thanks` };
    const { status, body } = await createCartFrom(page, options);
    expect(status).toBe(200);

    await page.goto(body['url']!);
    await buy(page);
    const thankYouUrl = new URL(page.url());
    expect([thankYouUrl.origin, thankYouUrl.pathname, thankYouUrl.searchParams.get('orderRef')]).toEqual([
      shopUrl,
      '/thanks',
      'ORDER-1',
    ]);
    const transaction = await merchant.fairterm.transactions.retrieve(thankYouUrl.searchParams.get('transactionId')!);
    expect(transaction).toMatchObject({ status: 'PENDING', total: 150_000, lineItems: [{ sku: chair.sku, quantity: 2 }] });
    expect((await merchant.fairterm.carts.retrieve(body['id']!)).createdBy).toBe('Storefront');
  });

  it('has a total that a visitor manipulated, so that the merchant can detect and cancel it', async () => {
    const page = await visit(shopUrl);
    const { body } = await createCartFrom(page, { orderRef: 'ORDER-1', items: [chair], customTotal: 5_000 });
    await page.goto(body['url']!);
    await buy(page);
    const id = new URL(page.url()).searchParams.get('transactionId')!;
    const orderTotalCents = chair.price;
    const transaction = await merchant.fairterm.transactions.retrieve(id);
    expect(transaction).toMatchObject({ status: 'PENDING', total: 5_000 });
    expect(transaction.total).not.toBe(orderTotalCents);
    expect(await merchant.fairterm.transactions.cancel(id)).toMatchObject({ status: 'CANCELED', adjustedTotal: 0 });
  });

  it.each(['text/plain', 'application/json'])(
    'cannot start on a page of an unregistered origin, with a request as %s',
    async (type) => {
      const before = await cartsOf();
      const response = await createCartFrom(await visit(unregisteredUrl), { items: [chair] }, type);
      expect(response).toMatchObject({ status: 0, body: { description: expect.stringContaining('Failed to fetch') } });
      expect(await cartsOf()).toEqual(before);
    },
  );

  it('cannot start with a form of an unregistered origin', async () => {
    const before = await cartsOf();
    const page = await visit(unregisteredUrl);
    const body = JSON.stringify({ key: merchant.apiKey, idempotencyKey: randomUUID(), options: { items: [chair], note: '=' } });
    const name = body.slice(0, body.indexOf('='));
    const value = body.slice(body.indexOf('=') + 1);
    const response = page.waitForResponse(`${service.publicUrl}/storefront/carts`);
    await page.evaluate(
      ([action, fieldName, fieldValue]) => {
        const form = Object.assign(document.createElement('form'), { method: 'post', enctype: 'text/plain', action });
        const field = Object.assign(document.createElement('input'), { type: 'hidden', name: fieldName, value: fieldValue });
        form.append(field);
        document.body.append(form);
        form.submit();
      },
      [`${service.publicUrl}/storefront/carts`, name, value],
    );
    expect((await response).status()).toBe(403);
    expect(await cartsOf()).toEqual(before);
  });
});
