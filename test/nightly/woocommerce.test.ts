/**
 * Runs the recipe for WooCommerce under nginx and PHP-FPM, with a browser and a real service. `woocommerce/` simulates the functions of WordPress that
 * the plugin calls.
 */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callbackSecretsOf } from '../../server/merchants/callback-secrets.ts';
import { buy, openPage, startBrowser } from '../support/browser.ts';
import { startService } from '../support/service.ts';
import { startRecipeShop } from '../recipes/recipe-shop.ts';
import { startWordPress } from './woocommerce/shop.ts';
import { estimateOf, oak, quoteOf, walnut } from '../recipes/recipe-page.ts';

/** Triggers the same events as WooCommerce's script when the buyer selects an option. */
const variationScript = `
  const form = jQuery('.variations_form');
  form.find('select').on('change', ({ target: { value } }) =>
    isNaN(value) ? form.trigger('reset_data') : form.trigger('found_variation', [{ display_price: Number(value) }]));`;

const [service, browser] = await Promise.all([startService(), startBrowser()]);
const shop = await startRecipeShop(service);
const { apiKey, secret, merchantId } = shop.merchant;
const secrets = (await callbackSecretsOf(service.database.query, merchantId)).map((row) => row.secret);
const constants = {
  FAIRTERM_URL: service.publicUrl,
  FAIRTERM_KEY: apiKey,
  FAIRTERM_SECRET: secret,
  FAIRTERM_CALLBACK_SECRETS: secrets,
};
const wordPress = await startWordPress(shop.url, constants);
const script = (code: string) => () => new Response(code, { headers: { 'content-type': 'text/javascript' } });
shop.routes.set('GET /jquery.js', script(readFileSync('test/nightly/node_modules/jquery/dist/jquery.min.js', 'utf8')));
shop.routes.set('GET /add-to-cart-variation.js', script(variationScript));
const variations = readFileSync('widget/recipes/woocommerce/variations.js', 'utf8');
shop.routes.set('GET /wp-content/plugins/fairterm/variations.js', script(variations));
for (const path of ['/product', '/cart', '/checkout', '/wc-api/fairterm_choose/', '/checkout/order-received/*']) {
  shop.routes.set(`GET ${path}`, wordPress.serve);
}
for (const path of ['/checkout', '/wc-api/fairterm/', '/admin/complete/*']) shop.routes.set(`POST ${path}`, wordPress.serve);

describe('The recipe for WooCommerce', () => {
  it('shows the estimate of a product, and updates it with the variation', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${shop.url}/product`);
    const ofOak = await quoteOf(shop, oak.priceCents);
    const ofWalnut = await quoteOf(shop, walnut.priceCents);
    for (const [option, quote] of [
      [undefined, ofOak],
      ['Walnut', ofWalnut],
      ['Choose', ofOak],
    ] as const) {
      if (option) await page.getByLabel('Wood').selectOption({ label: option });
      await expect.poll(() => estimateOf(page)).toContain(`${quote.amount}/month`);
    }
    expect(await page.locator('financing-button [part=button]').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('shows no button in a shop with another currency', async () => {
    const { page, problems } = await openPage(browser);
    for (const path of ['/product', '/cart']) {
      await page.goto(`${shop.url}${path}?currency=EUR`);
      expect(await page.locator('financing-button').count()).toBe(0);
    }
    expect(problems).toEqual([]);
  });

  it('completes a purchase from the cart to a paid order, and settles it when the order is completed', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${shop.url}/cart`);
    await expect.poll(() => estimateOf(page)).toContain((await quoteOf(shop, walnut.priceCents)).amount);
    await page.locator('financing-button [part=button]').click();
    expect(await page.locator('form p').textContent()).toBe('Pay over time');
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.waitForURL(`${service.publicUrl}/c/**`);
    expect(await page.locator('main [name=firstName]').inputValue()).toBe('Ada');
    await buy(page);
    expect(await page.locator('h1').textContent()).toBe('Thank you');
    expect(problems).toEqual([]);

    const transactionId = new URL(page.url()).searchParams.get('transactionId')!;
    const orderId = new URL(page.url()).searchParams.get('orderRef')!;
    await expect
      .poll(() => wordPress.stored().orders[orderId])
      .toMatchObject({
        status: 'processing',
        transaction_id: transactionId,
        notes: [],
      });
    const read = () => shop.merchant.fairterm.transactions.retrieve(transactionId);
    expect(await read()).toMatchObject({ status: 'AUTHORIZED', merchantOrderId: orderId, total: walnut.priceCents });
    await fetch(`${shop.url}/admin/complete/${orderId}`, { method: 'POST' });
    expect(await read()).toMatchObject({ status: 'SETTLED' });
    expect(wordPress.stored().orders[orderId]).toMatchObject({ notes: [] });
  }, 30_000);

  it('asks for another payment method if the service is unreachable, and logs the reason', async () => {
    const { serve, stored } = await startWordPress(shop.url, { ...constants, FAIRTERM_URL: 'http://127.0.0.1:1' });
    const response = await serve(new Request(`${shop.url}/checkout`, { method: 'POST' }));
    expect(await response.text()).toContain('Please choose another way to pay');
    expect(stored().logged).toEqual([expect.stringMatching(/^No cart for order 41: /)]);
  });

  const placeOrder = async () => {
    await fetch(`${shop.url}/wc-api/fairterm_choose/`, { redirect: 'manual' });
    const response = await fetch(`${shop.url}/checkout`, { method: 'POST', redirect: 'manual' });
    const orderRef = Object.keys(wordPress.stored().orders).at(-1)!;
    return { response, orderRef };
  };
  const checkOut = async (orderRef: string, customTotal: number, outcome?: 'remainder-declined') => {
    const options = { orderRef, customTotal, callbackUrl: `${shop.url}/wc-api/fairterm/` };
    const { id: cartId } = await shop.merchant.fairterm.carts.create({ options });
    const { transactionId } = await shop.merchant.fairterm.sandbox.checkout({ cartId, ...(outcome && { outcome }) });
    return transactionId;
  };

  it('puts an order on hold if its transaction has a different total, and does not authorize it', async () => {
    const { orderRef } = await placeOrder();
    const transactionId = await checkOut(orderRef, 100_00);
    await expect.poll(() => wordPress.stored().orders[orderRef]).toMatchObject({ status: 'on-hold' });
    expect(await shop.merchant.fairterm.transactions.retrieve(transactionId)).toMatchObject({ status: 'PENDING' });
  });

  it('fails an order if the card is declined, and cancels its transaction', async () => {
    const { orderRef } = await placeOrder();
    const transactionId = await checkOut(orderRef, walnut.priceCents, 'remainder-declined');
    await expect.poll(() => wordPress.stored().orders[orderRef]).toMatchObject({ status: 'failed' });
    expect(await shop.merchant.fairterm.transactions.retrieve(transactionId)).toMatchObject({ status: 'CANCELED' });
  });

  const timestamp = () => String(Math.floor(Date.now() / 1_000));
  it.each<[description: string, headers: () => Record<string, string>]>([
    ['without a signature', () => ({})],
    [
      'with a malformed signature',
      () => ({ 'webhook-id': 'm', 'webhook-timestamp': timestamp(), 'webhook-signature': 'v1,AAAA v1, ,' }),
    ],
    ['with a malformed timestamp', () => ({ 'webhook-id': 'm', 'webhook-timestamp': '1e9', 'webhook-signature': 'v1,AAAA' })],
  ])('responds with 400 to a callback %s', async (_description, headers) => {
    const { orderRef } = await placeOrder();
    const body = JSON.stringify({ transactionId: 't', orderRef });
    const response = await fetch(`${shop.url}/wc-api/fairterm/`, { method: 'POST', headers: headers(), body });
    expect(response.status).toBe(400);
    expect(wordPress.stored().orders[orderRef]).toMatchObject({ status: 'pending' });
  });

  it('rejects every callback while the secret is the placeholder, whose key is empty', async () => {
    const { serve } = await startWordPress(shop.url, { ...constants, FAIRTERM_CALLBACK_SECRETS: ['whsec_…'] });
    const body = '{"transactionId":"t","orderRef":"41"}';
    const signature = createHmac('sha256', '').update(`m.${timestamp()}.${body}`).digest('base64');
    const headers = { 'webhook-id': 'm', 'webhook-timestamp': timestamp(), 'webhook-signature': `v1,${signature}` };
    const response = await serve(new Request(`${shop.url}/wc-api/fairterm/`, { method: 'POST', headers, body }));
    expect(response.status).toBe(500);
  });
});
