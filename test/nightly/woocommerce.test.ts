/**
 * Runs the plug-in for WooCommerce under nginx and PHP-FPM, with a browser and a real service. `woocommerce/` simulates WordPress and WooCommerce;
 * its files name what was read for it.
 */
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callbackSecretsOf } from '../../server/merchants/callback-secrets.ts';
import { buy, openPage, startBrowser } from '../support/browser.ts';
import { startService } from '../support/service.ts';
import { startRecipeShop } from '../recipes/recipe-shop.ts';
import { startWordPress, type WordPress, type WordPressOptions } from './woocommerce/shop.ts';
import { estimateOf, oak, quoteOf, walnut } from '../recipes/recipe-page.ts';

/** Triggers the same events as WooCommerce's script when the buyer selects an option. */
const variationScript = `
  const form = jQuery('.variations_form');
  form.find('select').on('change', ({ target: { value } }) =>
    isNaN(value) ? form.trigger('reset_data') : form.trigger('found_variation', [{ display_price: Number(value) }]));`;

/** Simulates the store of the cart block, which changes without a new page. */
const cartStoreScript = `
  const listeners = [];
  let cart;
  window.wp = {
    data: {
      subscribe: (listener) => listeners.push(listener),
      select: (name) => name === 'wc/store/cart' ? { hasFinishedResolution: () => cart !== undefined, getCartTotals: () => cart } : undefined,
    },
  };
  window.changeCart = (total_price, currency_minor_unit = 2) => {
    cart = { total_price, currency_minor_unit };
    for (const listener of listeners) listener();
  };`;

/** Simulates the scripts of the checkout block: shows the registered payment methods that the server says the cart can use. */
const checkoutBlockScript = `
  const settings = JSON.parse(document.querySelector('#settings').textContent);
  const decode = (html) => new DOMParser().parseFromString(html, 'text/html').body.textContent;
  window.wp = { element: { createElement: (component) => component() }, htmlEntities: { decodeEntities: decode } };
  window.wc = {
    wcSettings: { getSetting: (name, absent) => settings[name] ?? absent },
    wcBlocksRegistry: {
      registerPaymentMethod: ({ name, label, ariaLabel, content, canMakePayment, supports }) => {
        if (!settings.availablePaymentMethods.includes(name) || !canMakePayment() || !supports.features.includes('products')) return;
        const radio = Object.assign(document.createElement('input'), { type: 'radio', name: 'method', value: name, checked: true, ariaLabel });
        document.querySelector('form').append(radio, label, content, Object.assign(document.createElement('button'), { textContent: 'Place order' }));
      },
    },
  };`;

const [service, browser] = await Promise.all([startService(), startBrowser()]);
const shop = await startRecipeShop(service);
const { apiKey, secret, merchantId, fairterm } = shop.merchant;
const secrets = (await callbackSecretsOf(service.database.query, merchantId)).map((row) => row.secret);
const constants = {
  FAIRTERM_URL: `${service.publicUrl}/`,
  FAIRTERM_KEY: apiKey,
  FAIRTERM_SECRET: secret,
  FAIRTERM_CALLBACK_SECRETS: secrets,
};
const wordPress = await startWordPress(shop.url, constants);
const script = (code: string) => () => new Response(code, { headers: { 'content-type': 'text/javascript' } });
shop.routes.set('GET /jquery.js', script(readFileSync('test/nightly/node_modules/jquery/dist/jquery.min.js', 'utf8')));
shop.routes.set('GET /add-to-cart-variation.js', script(variationScript));
shop.routes.set('GET /wp-data.js', script(cartStoreScript));
shop.routes.set('GET /blocks.js', script(checkoutBlockScript));
for (const file of ['button.js', 'checkout-block.js']) {
  const path = `GET /wp-content/plugins/fairterm/${file}`;
  shop.routes.set(path, script(readFileSync(`widget/recipes/woocommerce/${file}`, 'utf8')));
}
const pages = ['product', 'product-blocks', 'cart', 'cart-blocks', 'checkout', 'checkout-blocks', 'wc-api/fairterm_choose/'];
for (const path of [...pages, 'checkout/order-received/*']) shop.routes.set(`GET /${path}`, wordPress.serve);
for (const path of ['/checkout', '/wc-api/fairterm/']) shop.routes.set(`POST ${path}`, wordPress.serve);

/** Starts a shop in which the plug-in was just installed: its settings are entered. */
const startNewShop = (options: WordPressOptions = {}, defined = {}) =>
  startWordPress(shop.url, defined, { ...options, callbackSecret: secrets[0]! });
const request = (path: string, form?: Record<string, string>) =>
  new Request(shop.url + path, form ? { method: 'POST', body: new URLSearchParams(form) } : {});
const textOf = async ({ serve }: WordPress, path: string, form?: Record<string, string>) =>
  (await serve(request(path, form))).text();
const SETTINGS = '/wp-admin/settings';
const entered = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries({ enabled: '1', ...values }).map(([name, value]) => [`woocommerce_fairterm_${name}`, value]));

describe('The plug-in for WooCommerce', () => {
  it.each(['/product', '/product-blocks'])(
    'shows the estimate of a product once, and updates it with the variation: %s',
    async (path) => {
      const { page, problems } = await openPage(browser);
      await page.goto(`${shop.url}${path}`);
      expect(await page.locator('financing-button').count()).toBe(1);
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
    },
  );

  it('shows no button in a shop with another currency', async () => {
    const { page, problems } = await openPage(browser);
    for (const path of ['/product', '/product-blocks', '/cart', '/cart-blocks']) {
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
    const orderId = Number(new URL(page.url()).searchParams.get('orderRef'));
    await expect.poll(() => wordPress.order(orderId)).toMatchObject({ status: 'processing', transaction_id: transactionId });
    const read = () => fairterm.transactions.retrieve(transactionId);
    expect(await read()).toMatchObject({
      status: 'AUTHORIZED',
      merchantOrderId: String(orderId),
      total: walnut.priceCents,
      billingContact: { fullName: 'Ada Lovelace', phone: '3125550100' },
    });
    await wordPress.admin('status', { order: orderId, status: 'completed' });
    expect(await read()).toMatchObject({ status: 'SETTLED' });
    await wordPress.admin('refund', { order: orderId, amount: '99.00' });
    expect(await read()).toMatchObject({ status: 'SETTLED', adjustedTotal: walnut.priceCents - 99_00 });
  }, 30_000);

  it('updates the amount of the cart block, which changes without a new page', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${shop.url}/cart-blocks`);
    const button = page.locator('financing-button');
    await expect.poll(() => estimateOf(page)).toContain((await quoteOf(shop, walnut.priceCents)).amount);
    for (const [total, digits, cents] of [
      ['75000', 2, oak.priceCents],
      ['1299', 0, walnut.priceCents],
    ] as const) {
      await page.evaluate(
        ([price, unit]) => (window as unknown as { changeCart: Function })['changeCart'](price, unit),
        [total, digits],
      );
      await expect.poll(() => estimateOf(page)).toContain((await quoteOf(shop, cents)).amount);
    }
    await page.evaluate(() => (window as unknown as { changeCart: Function })['changeCart']('0'));
    expect(await button.isVisible()).toBe(false);
    expect(problems).toEqual([]);
  });

  it('is a payment method of the checkout block', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(`${shop.url}/checkout-blocks`);
    await page.getByRole('radio', { name: 'Pay over time' }).check();
    expect(await page.locator('form').textContent()).toContain('You choose a plan on the next page.');
    await page.getByRole('button', { name: 'Place order' }).click();
    await page.waitForURL(`${service.publicUrl}/c/**`);
    await page.goto(`${shop.url}/checkout-blocks?currency=EUR`);
    expect(await page.getByRole('radio').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('declares that it works with custom order tables and with the blocks of the cart and the checkout', async () => {
    expect(await wordPress.admin('declared')).toEqual({ custom_order_tables: true, cart_checkout_blocks: true });
  });

  it('asks for another payment method if the service is unreachable, and logs the reason', async () => {
    const { serve, logged } = await startWordPress(shop.url, { ...constants, FAIRTERM_URL: 'http://127.0.0.1:1' });
    const response = await serve(new Request(`${shop.url}/checkout`, { method: 'POST' }));
    expect(await response.text()).toContain('Please choose another way to pay');
    expect(logged()).toEqual([expect.stringMatching(/^No cart for order 41: /)]);
  });

  it('shows no button for a product without a price', async () => {
    for (const path of ['/product?price=', '/product?price=0', '/product-blocks?price=']) {
      expect(await textOf(wordPress, path)).not.toContain('<financing-button');
    }
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
    const order = await wordPress.admin<number>('create', { fields: { payment_method: 'fairterm' } });
    expect(await wordPress.callback('t', order, headers())).toBe(400);
    expect(wordPress.order(order)).toMatchObject({ status: 'pending' });
  });

  it.each(['whsec_…', 'whsec_', '', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_c2hvcnQ='])(
    'rejects every callback while the secret is "%s"',
    async (malformed) => {
      const { serve } = await startWordPress(shop.url, { ...constants, FAIRTERM_CALLBACK_SECRETS: malformed });
      const body = '{"transactionId":"t","orderRef":"41"}';
      const key = Buffer.from(malformed.replace('whsec_', ''), 'base64');
      const signature = createHmac('sha256', key).update(`m.${timestamp()}.${body}`).digest('base64');
      const headers = { 'webhook-id': 'm', 'webhook-timestamp': timestamp(), 'webhook-signature': `v1,${signature}` };
      const response = await serve(new Request(`${shop.url}/wc-api/fairterm/`, { method: 'POST', headers, body }));
      expect(response.status).toBe(500);
    },
  );

  it('accepts callbacks that are signed with either of two secrets', async () => {
    const old = `whsec_${Buffer.alloc(24, 'o').toString('base64')}`;
    for (const value of [[old, ...secrets], `${old}, ${secrets[0]}`]) {
      const defined = { ...constants, FAIRTERM_CALLBACK_SECRETS: value };
      const { admin, callback } = await startWordPress(shop.url, defined, { callbackSecret: secrets[0]! });
      const order = await admin<number>('create', { fields: { payment_method: 'fairterm' } });
      // The signature is valid; the service does not know the purchase.
      expect(await callback('0192e4a0-7d5c-7000-8000-000000000000', order)).toBe(503);
    }
  });
});

describe('The order that the plug-in sends', () => {
  const address = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    address_1: '12 Main St',
    address_2: 'Unit 4',
    city: 'Chicago',
    state: 'IL',
    postcode: '60601-1234',
    country: 'US',
    email: 'ada@shop.example',
    phone: '+1 (312) 555-0100',
  };
  const contact = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    address: '12 Main St',
    address2: 'Unit 4',
    city: 'Chicago',
    state: 'IL',
    zip: '60601',
    email: 'ada@shop.example',
    phone: '3125550100',
  };
  const pay = async (fields: object, on = wordPress) => {
    const order = await on.admin<number>('create', { fields: { payment_method: 'fairterm', address, ...fields } });
    return { order, ...(await on.admin<{ result: { result: string }; notices: string[] }>('pay', { order })) };
  };
  const contactOf = async (changes: object) => {
    const { order, result } = await pay({ address: { ...address, ...changes } });
    expect(result).toMatchObject({ result: 'success' });
    const { options } = await fairterm.carts.retrieve(wordPress.order(order).meta['_fairterm_cart_id'] as string);
    return options.billingContact;
  };

  it.each<[changes: object, lost: string[]]>([
    [{}, []],
    [{ phone: '312-555-0100 ext. 4' }, ['phone']],
    [{ phone: '+44 20 7946 0000' }, ['phone']],
    [{ phone: '' }, ['phone']],
    [{ email: 'ada@localhost' }, ['email']],
    [{ email: '.ada@shop.example' }, ['email']],
    [{ email: 'ada@shöp.example' }, ['email']],
    [{ email: '"ada"@shop.example' }, ['email']],
    [{ email: ' ada@shop.example ' }, []],
    [{ postcode: '6060' }, ['zip']],
    [{ postcode: '' }, ['zip']],
    [{ address_2: 'x'.repeat(201) }, ['address2']],
  ])('has the contact without what the service would reject: %j', async (changes, lost) => {
    const expected = Object.fromEntries(Object.entries(contact).filter(([name]) => !lost.includes(name)));
    expect(await contactOf(changes)).toEqual(expected);
  });

  it.each([
    { country: 'CA', state: 'ON', postcode: 'M5V 2T6' },
    { country: 'PR', state: '' },
    { state: 'PR' },
    { state: '' },
    { first_name: '' },
    { last_name: ' ' },
    { address_1: '' },
    { city: '' },
    { city: 'x'.repeat(101) },
    { first_name: 'A\u0007da' },
  ])('has no contact without a complete US address: %j', async (changes) => {
    expect(await contactOf(changes)).toBeUndefined();
  });

  it('has its own currency, which may differ from that of the shop', async () => {
    expect(await pay({ currency: 'CAD' })).toMatchObject({ result: { result: 'failure' } });
    const { order } = await pay({});
    const available = (query: string) => textOf(wordPress, `/admin/available?${query}`, {});
    expect(await available(`order-pay=${order}&currency=EUR`)).toBe('true');
    const canadian = await wordPress.admin<number>('create', { fields: { currency: 'CAD' } });
    expect(await available(`order-pay=${canadian}`)).toBe('false');
    expect(await available('currency=EUR')).toBe('false');
    expect(await available('')).toBe('true');
  });

  it('is not of a subscription', async () => {
    const subscriptions = await startWordPress(shop.url, constants, { subscriptions: true });
    expect(await textOf(subscriptions, '/admin/available', {})).toBe('true');
    expect(await textOf(subscriptions, '/admin/available?type=subscription', {})).toBe('false');
    for (const path of ['/product', '/product-blocks', '/cart', '/cart-blocks']) {
      expect(await textOf(subscriptions, path)).toContain('<financing-button');
      expect(await textOf(subscriptions, `${path}?type=subscription`)).not.toContain('<financing-button');
    }
    expect(await pay({ products: ['simple', 'deleted'] }, subscriptions)).toMatchObject({ result: { result: 'success' } });
    expect(await pay({ products: ['simple', 'subscription'] }, subscriptions)).toMatchObject({ result: { result: 'failure' } });
    expect(await pay({ meta: { _subscription_renewal: '7' } }, subscriptions)).toMatchObject({ result: { result: 'failure' } });
  });
});

describe('The settings of the plug-in', () => {
  const values = { url: `${service.publicUrl}/`, key: apiKey, secret, callback_secrets: secrets[0]! };

  it('are entered and tested, and secrets are never shown again', async () => {
    const installed = await startNewShop();
    const { admin, serve } = installed;
    expect(await textOf(installed, '/product')).not.toContain('<financing-button');
    expect(await admin('available')).toBe(false);

    const shown = [await textOf(installed, SETTINGS)];
    shown.push(await textOf(installed, SETTINGS, { ...entered(values), save: 'fairterm_test' }));
    expect(shown[1]).toContain(`Connected: $1,000 is ${(await quoteOf(shop, 1_000_00)).amount} a month.`);
    // An empty field keeps the secret.
    const kept = { url: values.url, key: values.key, secret: '', callback_secrets: '' };
    shown.push(await textOf(installed, SETTINGS, { ...entered(kept), save: 'fairterm_test' }));
    expect(shown[2]).toContain('Connected: ');
    shown.push(await textOf(installed, SETTINGS), await textOf(installed, '/wp-json/wc/v3/payment_gateways/fairterm'));
    expect(shown[3]).toContain(`value="${apiKey}"`);
    for (const html of shown) {
      for (const hidden of [secret, ...secrets]) expect(html).not.toContain(hidden);
    }
    expect(JSON.parse(shown[4]!)).toMatchObject({ url: values.url, key: apiKey });
    expect(await textOf(installed, '/product')).toContain(`<financing-button api-key="${apiKey}" amount="75000">`);
    const order = await admin<number>('create', { fields: { payment_method: 'fairterm', address: {} } });
    expect(await admin('pay', { order })).toMatchObject({ result: { result: 'success' } });
    const { id: cartId } = await fairterm.carts.create({ options: { orderRef: String(order), customTotal: 1_299_00 } });
    const { transactionId } = await fairterm.sandbox.checkout({ cartId });
    expect(await installed.callback(transactionId, order)).toBe(204);
    expect((await serve(request('/checkout'))).status).toBe(200);
  });

  it.each<[changes: Partial<typeof values>, error: string]>([
    [{ secret: 'wrong' }, 'Not connected: '],
    [{ url: 'http://127.0.0.1:1' }, 'Not connected: No response'],
    [{ callback_secrets: 'whsec_short' }, 'Not connected: Callback secret: expected whsec_ and a key in base64.'],
    [{ callback_secrets: '' }, 'Not connected: Callback secret: expected whsec_ and a key in base64.'],
  ])('are reported if they are wrong: %j', async (changes, error) => {
    const html = await textOf(await startNewShop(), SETTINGS, { ...entered({ ...values, ...changes }), save: 'fairterm_test' });
    expect(html).toContain(error);
    expect(html).not.toContain(secret);
  });

  it('are hidden if they are constants, which win', async () => {
    const defined = { FAIRTERM_SECRET: secret, FAIRTERM_CALLBACK_SECRETS: secrets };
    const partly = await startNewShop({}, defined);
    const html = await textOf(partly, SETTINGS, { ...entered({ ...values, secret: 'ignored' }), save: 'fairterm_test' });
    expect(html).toContain('Connected: ');
    expect(html.match(/name="woocommerce_fairterm_\w+"/g)).toEqual(
      ['enabled', 'url', 'key'].map((name) => `name="woocommerce_fairterm_${name}"`),
    );
    const all = await textOf(wordPress, SETTINGS, { ...entered({}), save: 'fairterm_test' });
    expect(all).toContain('Connected: ');
    expect(all.match(/name="woocommerce_fairterm_\w+"/g)).toEqual(['name="woocommerce_fairterm_enabled"']);
  });

  it.each(Object.keys(values))('do not offer the payment method without one of them: %s', async (name) => {
    const incomplete = await startNewShop();
    await textOf(incomplete, SETTINGS, { ...entered({ ...values, [name]: '' }), save: 'x' });
    expect(await incomplete.admin('available')).toBe(false);
    expect(await textOf(incomplete, '/cart')).not.toContain('<financing-button');
    const order = await incomplete.admin<number>('create', { fields: { payment_method: 'fairterm' } });
    expect(await textOf(incomplete, `/admin/available?order-pay=${order}`, {})).toBe('false');
  });

  it('turn the payment method off', async () => {
    const off = await startNewShop();
    await textOf(off, SETTINGS, { ...entered(values), save: 'x' });
    expect(await off.admin('available')).toBe(true);
    const { woocommerce_fairterm_enabled: _, ...rest } = entered(values);
    await textOf(off, SETTINGS, { ...rest, save: 'x' });
    expect(await off.admin('available')).toBe(false);
  });
});

describe('The Spanish texts of the plug-in', () => {
  it('are shown in every Spanish locale', async () => {
    for (const locale of ['es_ES', 'es_MX']) {
      const spanish = await startWordPress(shop.url, constants, { locale });
      expect(await textOf(spanish, '/cart')).toContain('>Paga a plazos</a>');
      expect(await textOf(spanish, SETTINGS)).toContain('Probar la conexión');
    }
  });

  it('are the same in the file for translators and in the one that WordPress reads, and none is missing', () => {
    const folder = 'widget/recipes/woocommerce/languages';
    const code = `echo json_encode((include '${folder}/fairterm-es.l10n.php')['messages']);`;
    const { stdout } = spawnSync('php', ['-r', code], { encoding: 'utf8' });
    const pairsOf = (file: string) => [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/^msgid "(.+)"\nmsgstr "(.*)"$/gm)];
    const messages = JSON.parse(stdout) as Record<string, string>;
    expect(Object.fromEntries(pairsOf('fairterm-es.po').map(([, text, spanish]) => [text, spanish]))).toEqual(messages);
    expect(pairsOf('fairterm.pot').map(([, text]) => text)).toEqual(Object.keys(messages));
    // Those that the tests above have used; `orders.test.ts` checks the others.
    expect(Object.keys(messages)).toEqual(expect.arrayContaining(wordPress.texts()));
  });
});
