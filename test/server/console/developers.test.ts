import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { once } from '../../../server/merchants/idempotency/once.ts';
import { testBuyers } from '../../../server/lending/lenders/sandbox-lender.ts';
import { addKeyPair, listKeys } from '../../../server/merchants/keys.ts';
import { originsOf } from '../../../server/merchants/store.ts';
import { listSecurityEvents } from '../../../server/merchants/security-events.ts';
import { type Clock, plusMs, systemClock } from '../../../server/base/time.ts';
import { getServiceKey } from '../../../server/checkout/session/store.ts';
import { createMerchant } from '../../../server/merchants/merchants.ts';
import { issueToken } from '../../../server/http/pages/form.ts';
import { startApp } from '../../support/app.ts';
import { completeCheckout, createCart } from '../../support/checkout.ts';
import { filledForm, post, signIn } from '../../support/console.ts';
import { createDatabase, everythingStored } from '../../support/databases.ts';
import { type Received, startReceiver, status } from '../../support/http.ts';
import { Page } from '../../support/page.ts';
import { type ApiResponse, clientOf, startService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

const service = await startService();
const { database, clock } = service;
const merchant = await service.createMerchant();
const { browser, user } = await signIn(service, merchant, 'developer');
const at = (path: string) => `/console/${merchant.merchantId}/${path}`;
const open = (path: string) => browser.open(at(path));

/** Submits a form of a page without following redirects. */
const submitOnly = async (page: Page, path: string, values: Record<string, string> = {}): Promise<ApiResponse> => {
  const { action, fields } = filledForm(page, path);
  return browser.request(action, post({ ...fields, ...values }));
};

const copied = (page: Page) => page.elements('button').flatMap(({ attrs }) => attrs.filter(({ name }) => name === 'data-copies'));
const valueWith = (page: Page, prefix: string) => copied(page).find(({ value }) => value.startsWith(prefix))!.value;

describe('The keys of a merchant', () => {
  it('are created with a secret that is shown once, in the response to the form, and works at once', async () => {
    const page = await open('developers');
    const response = await submitOnly(page, 'developers/keys');

    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const shown = new Page(page.url, response);
    const secret = valueWith(shown, 'ft_sandbox_secret_');
    const apiKey = valueWith(shown, 'ft_sandbox_key_');
    expect((await clientOf(service.publicUrl, { ...merchant, apiKey, secret }).get('/carts')).status).toBe(200);
    expect(valueWith(shown, 'export ')).toBe(`export KEY=${apiKey}\nexport SECRET=${secret}`);
    // Names of buttons are read aloud.
    const names = shown.elements('button').map(({ attrs }) => attrs.find(({ name }) => name === 'aria-label')?.value ?? '');
    expect(names).toContain('Copy the secret');
    expect(names.join('\n')).not.toContain(secret);
    expect(await everythingStored(database)).not.toContain(secret);
    expect(service.logged.join('')).not.toContain(secret);
    const list = await open('developers');
    expect(list.text).toContain(apiKey);
    expect(list.text).not.toContain(secret);
    const [event] = await listSecurityEvents(database.query, { kind: 'key-created', limit: 1 });
    expect(event).toMatchObject({ actor: `user:${user.id}`, merchantId: merchant.merchantId });
  });

  it('are not created again when the page with the secret is reloaded', async () => {
    const page = await open('developers');
    expect((await submitOnly(page, 'developers/keys')).status).toBe(200);
    const before = await listKeys(database.query, merchant.merchantId);

    const again = await submitOnly(page, 'developers/keys');

    expect(again.status).toBe(409);
    expect(again.text).not.toContain('ft_sandbox_secret_');
    expect(await listKeys(database.query, merchant.merchantId)).toEqual(before);
  });

  it('are not shown with a secret that is lost, if the service has stopped before its response', async () => {
    const { merchantId } = await service.createMerchant();
    const request = { merchantId, key: 'form', fingerprint: 'f' };
    const create = async (realClock: Clock) => {
      const run = await once(database, realClock, request);
      if ('status' in run) throw new Error('Expected a run');
      return addKeyPair(run.database, 'sandbox', merchantId, realClock.now());
    };
    const { apiKey } = await create(systemClock);

    const later = { now: () => plusMs(systemClock.now(), 60_000) };
    await expect(create(later)).rejects.toMatchObject({ code: 'changed-meanwhile' });

    expect((await listKeys(database.query, merchantId)).at(-1)!.apiKey).toBe(apiKey);
    expect(await listKeys(database.query, merchantId)).toHaveLength(2);
  });

  it('are retired one by one, except the last one', async () => {
    const retire = (page: Page) => page.links.filter((link) => link.includes('/developers/keys/'));
    for (let links = retire(await open('developers')); links.length > 0; links = retire(await open('developers'))) {
      const page = await browser.open(links.find((link) => !link.endsWith(merchant.apiKey))!);
      const list = await browser.submit(page, new URL(page.url).pathname);
      expect(list.text).toContain('The key was retired. Requests with it are rejected from now on.');
    }
    expect((await merchant.get('/carts')).status).toBe(200);
    const last = await open(`developers/keys/${merchant.apiKey}`);
    const rejected = await browser.submit(last, new URL(last.url).pathname);
    expect([rejected.status, rejected.texts('div', { class: 'error-summary' })]).toEqual([
      400,
      ['This is the last active key. Create another one first.'],
    ]);
    expect((await merchant.get('/carts')).status).toBe(200);
    const [event] = await listSecurityEvents(database.query, { kind: 'key-retired', limit: 1 });
    expect(event).toMatchObject({ actor: `user:${user.id}` });
  });
});

it('Origins are added and removed, and the one of the store stays', async () => {
  for (const origin of ['shop', 'https://user:password@shop.example']) {
    const invalid = await submitOnly(await open('developers'), 'developers/origins', { origin });
    expect(invalid.status).toBe(422);
    expect(invalid.text).toContain('Enter an address that begins with https://');
  }

  const added = await browser.submit(await open('developers'), 'developers/origins', { origin: 'https://www.shop.example/path' });
  expect(added.text).toContain('The origins were changed.');
  const all = ['https://shop.example', 'https://www.shop.example'];
  expect(await originsOf(database.query, merchant.merchantId)).toEqual(all);
  const [event] = await listSecurityEvents(database.query, { kind: 'merchant-changed', limit: 1 });
  expect(event).toMatchObject({ actor: `user:${user.id}` });

  const ofStore = await submitOnly(added, 'developers/origins/remove', { origin: all[0]! });
  expect([ofStore.status, ofStore.text.includes('This origin is not registered, or it is the address of the store.')]).toEqual([
    400,
    true,
  ]);
  await browser.submit(added, 'developers/origins/remove');
  expect(await originsOf(database.query, merchant.merchantId)).toEqual(all.slice(0, 1));
});

describe('A webhook', () => {
  const signatureOf = ({ headers }: Received) =>
    Object.fromEntries(['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]));

  it('is added with its secret, shows a failed delivery with its attempts, and receives it again', async () => {
    let code = 500;
    const receiver = await startReceiver((response) => status(receiver.received.length === 1 ? 204 : code)(response));
    const page = await open('developers/webhooks');
    const invalid = await submitOnly(page, 'developers/webhooks', { url: 'shop' });
    expect(invalid.status).toBe(422);
    expect(invalid.text).toContain('Enter an https URL on the public internet');
    const fields = { ...filledForm(page, 'developers/webhooks').fields, url: receiver.url, 'transaction.created': 'yes' };
    const added = await browser.request(at('developers/webhooks'), post(fields));
    expect(added.headers.get('cache-control')).toBe('no-store');
    const secret = valueWith(new Page(page.url, added), 'whsec_');
    const again = await browser.request(at('developers/webhooks'), post(fields));
    expect(again.status).toBe(409);
    expect((await merchant.get('/webhooks')).body.webhooks).toHaveLength(1);

    await until(() => receiver.received.length === 1);
    expect(JSON.parse(receiver.received[0]!.body).type).toBe('webhook.test');
    const transactionId = await completeCheckout(merchant, { orderRef: 'A-1042' });
    await until(() => receiver.received.length === 2);
    const [, first] = receiver.received;
    expect(new Webhook(secret).verify(first!.body, signatureOf(first!))).toMatchObject({ type: 'transaction.created' });
    const list = await open('developers/webhooks');
    const link = list.links.find((each) => each.includes('/developers/webhooks/'))!;
    const failing = await until(async () => {
      const shown = await browser.open(link);
      return shown.texts('li').some((text) => text.includes('500')) && shown;
    });
    expect(failing.text).not.toContain(secret);
    expect(failing.texts('span', { class: 'waiting' })).toEqual(['Failing']);
    // The color of a failing webhook differs from that of a delivery that waits.
    expect(failing.texts('span', { class: 'neutral' })).toEqual(['Pending']);
    const notDelivered = 'Not delivered, last 7 days';
    const overview = await open('developers/webhooks');
    expect(overview.texts('h2')).toEqual(expect.arrayContaining(['Deliveries, last 28 days', notDelivered]));
    // The test and the failing event, on the last day.
    expect(overview.texts('p', { class: 'reading' })).toEqual([
      expect.stringMatching(/: Delivered 1, Not delivered yet 1, Failed 0$/),
    ]);
    expect(overview.texts('td').some((text) => text.includes('500'))).toBe(true);
    for (const shown of [overview, failing]) {
      expect(shown.texts('th', { role: 'columnheader' })).toEqual(expect.arrayContaining(['Type', 'Order', 'Created']));
      expect(shown.texts('code')).toContain('transaction.created');
      expect(shown.texts('a')).toContain('A-1042');
      expect(shown.links).toContain(new URL(at(`orders/${transactionId}`), service.publicUrl).href);
    }

    code = 204;
    const sent = await browser.submit(failing, '/redeliver');
    expect(sent.text).toContain('The event is on its way again. Reload this page to see the response.');
    await until(() => receiver.received.length === 3);
    expect(receiver.received[2]!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    await until(async () => (await browser.open(link)).texts('span', { class: 'badge' }).includes('Delivered'));
    expect((await open('developers/webhooks')).texts('h2')).not.toContain(notDelivered);
    await browser.submit(await browser.open(link), '/test');
    await until(() => receiver.received.length === 4);
    expect(JSON.parse(receiver.received[3]!.body).type).toBe('webhook.test');
  });

  it('is rejected beyond the limit, and without deliveries while it is disabled, with the reason', async () => {
    const other = await service.createMerchant();
    const { browser: visitor } = await signIn(service, other, 'developer');
    const webhooks = `/console/${other.merchantId}/developers/webhooks`;
    const errorsOf = (page: Page) => [page.status, ...page.texts('div', { class: 'error-summary' })];
    let page = await visitor.open(webhooks);
    for (let count = 0; count < 10; count += 1) {
      const { id } = (await other.post('/webhooks', { url: `https://shop.example/${count}` })).body;
      page = await visitor.open(`${webhooks}/${id}`);
    }
    const url = { url: 'https://shop.example/events' };
    expect(errorsOf(await visitor.submit(await visitor.open(webhooks), webhooks, url))).toEqual([
      400,
      'No more webhooks are possible. Remove one first.',
    ]);
    await database.write((tx) =>
      tx.updateTable('webhooks').set({ disabledAt: clock.now() }).where('merchantId', '=', other.merchantId).execute(),
    );
    expect(errorsOf(await visitor.submit(page, '/test'))).toEqual([400, 'The webhook is disabled. Enable it first.']);
  });

  it('has another secret after a rotation, which a reload of its page does not repeat, and is deleted', async () => {
    const { body } = await merchant.post('/webhooks', { url: 'https://shop.example/' });
    const page = await open(`developers/webhooks/${body.id}`);
    const rotated = await submitOnly(page, '/secret');
    expect(valueWith(new Page(page.url, rotated), 'whsec_')).not.toBe(body.secret);
    const reloaded = await submitOnly(page, '/secret');
    expect(reloaded.status).toBe(409);
    expect(reloaded.text).not.toContain('whsec_');

    const removed = await browser.submit(await open(`developers/webhooks/${body.id}`), '/remove');
    expect(removed.text).toContain('The webhook was deleted.');
    expect((await open(`developers/webhooks/${body.id}`)).status).toBe(404);
    for (const kind of ['webhook-secret-created', 'webhook-deleted'] as const) {
      const [event] = await listSecurityEvents(database.query, { kind, limit: 1 });
      expect(event).toMatchObject({ actor: `user:${user.id}` });
    }
  });
});

describe('Requests', () => {
  it('are listed the newest first in pages, and found by their id with the meaning of an error', async () => {
    const other = await service.createMerchant();
    const { browser: visitor } = await signIn(service, other, 'developer');
    const path = `/console/${other.merchantId}/developers/requests`;
    expect((await visitor.open(path)).text).toContain('There is no request here.');
    for (let count = 0; count < 51; count += 1) await createCart(other);
    const rejected = await other.post('/carts/unknown/expire');
    const id = rejected.headers.get('x-request-id')!;

    const page = await until(async () => {
      const shown = await visitor.open(path);
      return shown.text.includes(id) && shown;
    });
    const rows = (shown: Page) => shown.links.filter((link) => /\/developers\/requests\/[\da-f-]{36}$/.test(link));
    expect(rows(page)).toHaveLength(50);
    expect(rows(page)[0]).toContain(id);
    const next = page.links.find((link) => link.includes('after='))!;
    expect(page.text).toContain('Of rejected ones, at most 20 a minute are listed and counted for each error.');
    expect(page.texts('p', { class: 'reading' })).toEqual([
      expect.stringMatching(/: Succeeded 51, Rejected \(4xx\) 1, Failed \(5xx\) 0$/),
    ]);
    // The figures are on the first page of all requests.
    for (const [address, count] of [
      [next, 2],
      [`${path}?show=rejected`, 1],
    ] as const) {
      const shown = await visitor.open(address);
      expect([rows(shown).length, shown.texts('h2')]).toEqual([count, []]);
    }

    const found = await visitor.open(`${path}?id=${id}`);
    expect(found.heading).toBe('POST /carts/unknown/expire');
    for (const text of ['404', 'cart-not-found', 'The cart does not exist', other.apiKey.slice(-8)]) {
      expect(found.text).toContain(text);
    }
    const unknown = await visitor.open(`${path}?id=abc`);
    expect(unknown.text).toContain('Enter an id such as 01937f3a-5c1e-7b2a-9d4e-2f6a8b1c3d5e');
    expect((await open(`developers/requests/${id}`)).status).toBe(404);
  });
});

it('The button is shown with the chosen attributes and its code, which uses an active key', async () => {
  const query = new URLSearchParams({
    amount: '450',
    theme: 'dark',
    language: 'es',
    cartUrl: 'https://shop.example/pay?a=1&b=2',
  });
  const page = await open(`developers/button?${query.toString()}`);
  const expected = { 'api-key': merchant.apiKey, amount: '45000', theme: 'dark', lang: 'es', 'cart-url': query.get('cartUrl')! };
  for (const [name, value] of Object.entries(expected)) expect(page.attribute('financing-button', name)).toBe(value);
  const [code] = page.texts('pre');
  expect(code).toContain(`src="${service.publicUrl}/widget/v1/financing-button.js"`);
  expect(code).toContain('cart-url="https://shop.example/pay?a=1&amp;b=2" theme="dark" lang="es"></financing-button>');

  // The choice of no attribute names what the button does then.
  expect(page.texts('option', { value: '' })).toEqual([
    'As the page (default)',
    'As the page (default)',
    'The same tab (default)',
    'Both (default)',
  ]);

  const invalid = await open('developers/button?amount=x&cartUrl=javascript:alert(1)&mode="><script>');
  expect(invalid.texts('p', { class: 'error' })).toEqual([
    'Enter a price such as 1,299.00',
    'Enter an address that begins with https://',
  ]);
  expect(invalid.attribute('financing-button', 'cart-url')).toBe('');
  expect(invalid.attribute('financing-button', 'mode')).toBeUndefined();
});

it('The clock of the sandbox is moved, and its messages, test buyers and failed webhooks are listed', async () => {
  const { id } = await createCart(merchant);
  await merchant.post(`/carts/${id}/email`, { email: 'ada@example.com', name: 'Ada' });
  const page = await open('developers/sandbox');
  expect(page.texts('td')).toContain('ada@example.com');
  for (const { taxIdLast4 } of testBuyers) expect(page.texts('td')).toContain(taxIdLast4);

  for (const outside of ['0000-01-01T00:00', '9999-12-31T23:59']) {
    expect((await submitOnly(page, 'developers/sandbox/clock', { now: outside })).status).toBe(422);
  }
  const invalid = await submitOnly(page, 'developers/sandbox/clock', { now: 'tomorrow' });
  expect(invalid.status).toBe(422);
  const moved = await browser.submit(page, 'developers/sandbox/clock', { now: '2030-01-02T03:04' });
  expect(moved.text).toContain('The clock was moved, for all merchants of this sandbox.');
  expect(clock.now()).toMatch(/^2030-01-02T03:0[45]/);

  // Webhooks have the real time, which is now years before that of the sandbox.
  await database.write((tx) =>
    tx.updateTable('outbox').set({ deliveredAt: null, lastFailure: '500' }).where('channel', '=', 'webhook').execute(),
  );
  expect((await open('developers/webhooks')).texts('h2')).toContain('Not delivered, last 7 days');
});

it('An e-mail of the sandbox is shown as HTML beside its text, from an address whose policy allows its styles and no scripts', async () => {
  const { id } = await createCart(merchant);
  await merchant.post(`/carts/${id}/email`, { email: 'ada@example.com', name: 'Ada' });
  await merchant.post(`/carts/${id}/text`, { phone: '5550100111' });
  const list = await open('developers/sandbox');
  const [text, email] = list.links.filter((link) => link.includes('/sandbox/messages/'));
  const page = await browser.open(email!);
  const [message] = (await merchant.get('/sandbox/messages')).body.messages.filter(
    ({ channel }: { channel: string }) => channel === 'email',
  );
  expect(page.headings).toEqual([message.subject]);
  expect(page.texts('pre')[0]!.replaceAll(/\s+/g, ' ')).toBe(message.text.replaceAll(/\s+/g, ' ').trim());
  const source = page.attribute('iframe', 'src')!;
  expect(new URL(source, page.url).href).toBe(`${email}/html`);

  const policyOf = async (path: string) => (await browser.request(path)).headers.get('content-security-policy')!;
  expect(await policyOf(email!)).toContain("; frame-src 'self'");
  expect(await policyOf(list.url)).not.toContain('frame-src');
  const document = await browser.request(source);
  expect(document.text).toContain('<style>');
  expect(document.headers.get('content-security-policy')).toBe(
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'",
  );
  expect(document.headers.get('x-frame-options')).toBe('SAMEORIGIN');

  expect((await browser.open(text!)).elements('iframe')).toEqual([]);
  expect((await browser.open(`${text}/html`)).status).toBe(404);
});

it('A live service has no page and no form that only a sandbox has, and no tab that leads to one', async () => {
  const ofShop = await createDatabase();
  const { publicUrl } = await startApp(ofShop, {});
  const live = await startApp(ofShop, { transport: { mode: 'live', trustProxy: true } });
  const shop = { name: 'Acme', storeUrl: 'https://shop.example', origins: [] };
  const { tenantId, merchantId } = await createMerchant(ofShop, 'live', shop, systemClock.now());
  const visitor = await signIn({ publicUrl, database: ofShop }, { tenantId, merchantId });
  const cookie = visitor.browser.cookie('fairterm-console');
  const headers = { 'x-forwarded-proto': 'https', cookie: `fairterm-console=${cookie}` };
  const home = `/console/${merchantId}`;

  expect((await fetch(`${live.publicUrl}${home}/developers/sandbox`, { headers })).status).toBe(404);
  const tabs = await (await fetch(`${live.publicUrl}${home}/developers`, { headers })).text();
  expect(tabs).toContain(`href="${home}/developers/webhooks"`);
  expect(tabs).not.toContain(`${home}/developers/sandbox`);

  const formKey = await getServiceKey(ofShop.query);
  for (const path of ['developers/sandbox/clock', 'money/settle']) {
    const identity = ['console', cookie, `${home}/${path}`];
    const fields = { formToken: issueToken(formKey, identity, systemClock.now()), now: '2030-01-02T03:04' };
    expect((await fetch(`${live.publicUrl}${home}/${path}`, post(fields, headers))).status).toBe(404);
  }
});
