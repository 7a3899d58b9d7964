/** A shop without a server: its page creates the cart, in a real browser, and its visitor can edit the request. */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { plusDays } from '../../server/time.ts';
import { buy, openPage, startBrowser } from '../support/browser.ts';
import { onCleanup } from '../support/cleanup.ts';
import { chair } from '../support/checkout.ts';
import { listen } from '../support/http.ts';
import { noLimits, startService, type TestMerchant, type TestService } from '../support/service.ts';

describe('A purchase that begins on a page', () => {
  let service: TestService;
  let browser: Browser;
  let merchant: TestMerchant;
  let shopUrl: string;
  let unregisteredUrl: string;
  beforeAll(async () => {
    service = await startService();
    browser = await startBrowser();
    const [shop, unregistered] = await Promise.all([listen(servePage), listen(servePage)]);
    onCleanup(() => Promise.all([shop.stop(), unregistered.stop()]));
    shopUrl = `http://localhost:${shop.port}`;
    // Browsers resolve it to this machine, but unlike localhost a sandbox does not treat it as a development page.
    unregisteredUrl = `http://stranger.localhost:${unregistered.port}`;
    merchant = await service.createMerchant({ storeUrl: `${shopUrl}/` });
  });

  const pageOf = async (url: string): Promise<Page> => {
    const { page } = await openPage(browser);
    await page.goto(url);
    return page;
  };
  /** Returns the response as a script of the page sees it, after the browser's CORS checks. */
  const openFrom = (page: Page, options: object, type = 'text/plain') => {
    const body = JSON.stringify({ key: merchant.apiKey, idempotencyKey: randomUUID(), options });
    return page.evaluate(
      async ([url, sent, contentType]) => {
        try {
          const response = await fetch(url!, { method: 'POST', body: sent!, headers: { 'content-type': contentType! } });
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
    service.database.query.selectFrom('carts').select('id').where('merchant_id', '=', merchant.merchantId).execute();

  it('completes the checkout and creates a transaction whose total the merchant can retrieve', async () => {
    const page = await pageOf(shopUrl);
    const options = { orderRef: 'ORDER-1', items: [{ ...chair, quantity: 2 }], completeUrl: `${shopUrl}/thanks` };
    const { status, body } = await openFrom(page, options);
    expect(status).toBe(200);

    await page.goto(body['url']!);
    await buy(page);
    const arrived = new URL(page.url());
    expect([arrived.origin, arrived.pathname, arrived.searchParams.get('orderRef')]).toEqual([shopUrl, '/thanks', 'ORDER-1']);
    const transaction = await merchant.fairterm.transactions.retrieve(arrived.searchParams.get('transactionId')!);
    expect(transaction).toMatchObject({ status: 'PENDING', total: 150_000, lineItems: [{ sku: chair.sku, quantity: 2 }] });
    expect((await merchant.fairterm.carts.retrieve(body['id']!)).createdBy).toBe('Storefront');
  });

  it('has the total that a visitor manipulated, which matches no order of the merchant', async () => {
    const page = await pageOf(shopUrl);
    const { body } = await openFrom(page, { orderRef: 'ORDER-1', items: [chair], customTotal: 5_000 });
    await page.goto(body['url']!);
    await buy(page);
    const id = new URL(page.url()).searchParams.get('transactionId')!;
    const orderTotalCents = chair.price;
    const transaction = await merchant.fairterm.transactions.retrieve(id);
    expect(transaction).toMatchObject({ status: 'PENDING', total: 5_000 });
    expect(transaction.total).not.toBe(orderTotalCents);
    expect(await merchant.fairterm.transactions.cancel(id)).toMatchObject({ status: 'CANCELED', adjustedTotal: 0 });
  });

  it('can be sent as JSON, after a CORS preflight', async () => {
    expect((await openFrom(await pageOf(shopUrl), { items: [chair] }, 'application/json')).status).toBe(200);
  });

  it('returns the reason of an error to the page', async () => {
    const page = await pageOf(shopUrl);
    const response = await openFrom(page, { items: [chair], completeUrl: 'https://evil.example/' });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    expect(response.body['description']).toContain('options.completeUrl');
  });

  it.each(['text/plain', 'application/json'])('cannot begin on a page of an unregistered origin, as %s', async (type) => {
    const before = await cartsOf();
    const response = await openFrom(await pageOf(unregisteredUrl), { items: [chair] }, type);
    expect(response).toMatchObject({ status: 0, body: { description: expect.stringContaining('Failed to fetch') } });
    expect(await cartsOf()).toEqual(before);
  });

  it('cannot begin with a form of an unregistered origin', async () => {
    const before = await cartsOf();
    const page = await pageOf(unregisteredUrl);
    const body = JSON.stringify({ key: merchant.apiKey, idempotencyKey: randomUUID(), options: { items: [chair], note: '=' } });
    const [name, value] = [body.slice(0, body.indexOf('=')), body.slice(body.indexOf('=') + 1)];
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

  it('returns Retry-After when the rate limit is exceeded', async () => {
    const busy = await startService(undefined, { limits: { ...noLimits, cartsPerAddress: 1 } });
    const theirs = await busy.createMerchant({ storeUrl: `${shopUrl}/` });
    const page = await pageOf(shopUrl);
    const open = () =>
      page.evaluate(
        async ([url, sent]) => {
          const response = await fetch(url!, { method: 'POST', body: sent! });
          return [response.status, response.headers.get('retry-after')];
        },
        [
          `${busy.publicUrl}/storefront/carts`,
          JSON.stringify({ key: theirs.apiKey, idempotencyKey: randomUUID(), options: { items: [chair] } }),
        ],
      );
    expect(await open()).toEqual([200, null]);
    // The rate limit ignores the sandbox clock, which anyone with an API key can move.
    busy.clock.moveTo(plusDays(busy.clock.now(), 1));
    expect(await open()).toEqual([429, expect.stringMatching(/^(5\d|60)$/)]);
  });
});

const servePage: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><title>A shop</title><h1>A shop</h1>');
};
