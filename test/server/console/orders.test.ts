/** Orders in the console: people find one, refund a line, settle, cancel and ship, as themselves. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { revokeDocumentLink } from '../../../server/agreements/document-link.ts';
import { changeRefundApproval } from '../../../server/merchants/merchants.ts';
import { requireMerchant } from '../../../server/merchants/store.ts';
import { listSecurityEvents } from '../../../server/merchants/security-events.ts';
import { texts } from '../../../server/base/texts.ts';
import { NO_CONTACT, toTransactionContact } from '../../../server/base/contact.ts';
import { type Instant, plusDays, plusMs } from '../../../server/base/time.ts';
import { auditTransactions } from '../../../server/purchases/transactions/audit.ts';
import { listEntries } from '../../../server/purchases/transactions/store.ts';
import { ROLES } from '../../../server/console/users/roles.ts';
import { chair, completeCheckout, completeCheckoutAndAct } from '../../support/checkout.ts';
import { type ConsoleBrowser, filledForm, loseResponse, post, signIn } from '../../support/console.ts';
import { startReceiver, status as respondWith } from '../../support/http.ts';
import { type Page, textOf } from '../../support/page.ts';
import type { CurrentFinancing } from '../../../shared/wire/transaction.ts';
import { createBuyer } from '../../support/purchases.ts';
import { startService } from '../../support/service.ts';
import { storedApplication, storedDeliveries } from '../../support/stored.ts';
import { until } from '../../support/time.ts';

const service = await startService();
const { database } = service;
const merchant = await service.createMerchant();
const { merchantId } = merchant;
const finance = await signIn(service, merchant, 'finance');
const support = await signIn(service, merchant, 'support');
const viewer = await signIn(service, merchant, 'viewer');
const at = (path: string) => `/console/${merchantId}/${path}`;

const lamp = { name: 'Lamp', sku: 'LAMP-1', price: 20_000, quantity: 3, imageUrl: '', detailUrl: '' };
const cart = { items: [chair, lamp], tax: 11_000 };
const settle = [{ type: 'authorize', merchantOrderId: 'WEB-7' }, { type: 'settle' }] as const;

/** Returns the link of a page with this text. */
function linkOf(page: Page, text: string, index = 0): string {
  const link = page.elements('a').filter((each) => textOf(each) === text)[index];
  const href = link?.attrs.find(({ name }) => name === 'href')?.value;
  if (href === undefined) throw new Error(`Expected a link "${text}" on ${page.url}, but found ${page.texts('a').join(', ')}`);
  return href;
}

/** Returns the form of a page that downloads a file. */
function formOf(page: Page) {
  return page.forms.find(({ action }) => new URL(action).pathname.endsWith('.csv'));
}

/** Submits the form of a page that downloads a file. */
function download(browser: ConsoleBrowser, page: Page) {
  return browser.download(formOf(page)!);
}

it('refunds a line in four clicks from the home page, with the amount of the preview, and records who and why', async () => {
  const { id } = await completeCheckoutAndAct(merchant, settle, { ...cart, orderRef: 'SHOP-7' });
  const home = await finance.browser.open(at('').slice(0, -1));
  const list = await finance.browser.open(linkOf(home, 'Orders'));
  const order = await finance.browser.open(linkOf(list, 'WEB-7'));
  const confirm = await finance.browser.open(linkOf(order, 'Refund', 2));
  // The second line: three lamps of $200.00 with their share of $110.00 tax on $1,350.00.
  expect(confirm.texts('dd')[0]).toBe('$648.89');
  expect(confirm.texts('button').at(-1)).toBe('Refund $648.89');
  const done = await finance.browser.submit(confirm, `orders/${id}/refund`, { reason: 'damaged', reference: 'RMA-1' });
  expect(done.status).toBe(200);
  expect(done.texts('p', { class: 'done' })).toEqual(['The refund was recorded.']);
  expect(done.text).toContain('$648.89 · 3 × LAMP-1 · Damaged · RMA-1 · by Ada Lovelace');

  const { adjustments } = (await merchant.get(`/transactions/${id}/adjustments`)).body;
  const actor = `user:${finance.user.id}`;
  expect(adjustments).toMatchObject([{ type: 'refund', amount: 64_889, reason: 'damaged', reference: 'RMA-1', actor }]);
  expect((await merchant.get(`/transactions/${id}`)).body).toMatchObject({ status: 'SETTLED', adjustedTotal: 81_111 });
  expect(done.text).toContain('$811.11');
  for await (const differences of auditTransactions(database.query)) expect(differences).toEqual([]);
});

it('shows the payments as signed with their interest, and after a refund those that are due now', async () => {
  const { id } = await completeCheckoutAndAct(merchant, settle, cart);
  const { financing } = (await merchant.get(`/transactions/${id}`)).body;
  const signed = await viewer.browser.open(at(`orders/${id}`));
  expect(signed.texts('figcaption')[0]).toContain(`All ${financing.termLength} payments`);
  expect(signed.texts('th').slice(-5)).toEqual(['Due', 'Payment', 'Interest', 'Principal', 'Balance']);
  expect(signed.texts('title').slice(1)).toHaveLength(financing.termLength);

  await merchant.post(`/transactions/actions/${id}`, { type: 'refund', amount: 20_000 });
  const { payments }: CurrentFinancing = (await merchant.get(`/transactions/${id}`)).body.financing.current;
  const changed = await viewer.browser.open(at(`orders/${id}`));
  expect(changed.texts('th').slice(-2)).toEqual(['Due', 'Payment']);
  const money = (cents: number) => texts.en.money(cents, 'USD');
  const rows = payments.flatMap(({ dueDate, amount }) => [texts.en.date(dueDate), money(amount)]);
  expect(changed.texts('td').slice(-rows.length)).toEqual(rows);

  await merchant.post(`/transactions/actions/${id}`, { type: 'refund' });
  expect((await viewer.browser.open(at(`orders/${id}`))).texts('figure')).toEqual([]);
});

it('shows the attempts of the callback and of webhooks, and the state of the application in words', async () => {
  const { url } = await startReceiver((response, body) => respondWith(body.includes('webhook.test') ? 204 : 500)(response));
  const { id: webhook } = (await merchant.post('/webhooks', { url })).body;
  const id = await completeCheckout(merchant, { ...cart, callbackUrl: url });
  await until(async () => {
    const page = await viewer.browser.open(at(`orders/${id}`));
    expect(page.texts('dd')).toContain('Completed');
    expect(page.text).not.toContain('CHECKOUT_COMPLETED');
    return (
      /Callback <small>Waiting, [1-9] attempts?, 500/.test(page.text) &&
      /Webhook transaction\.created <small>[A-Z][a-z]+, [1-9] attempt/.test(page.text)
    );
  });
  await merchant.call('DELETE', `/webhooks/${webhook}`);
});

it('shows that another purchase has the reference, on both orders, and counts the later one on Home until a person dismisses it', async () => {
  const shop = await service.createMerchant();
  const { browser } = await signIn(service, shop, 'support');
  const onlooker = await signIn(service, shop, 'viewer');
  const root = `/console/${shop.merchantId}`;
  const first = await completeCheckout(shop, { ...cart, orderRef: 'TWICE-1' });
  const alone = await browser.open(`${root}/orders/${first}`);
  expect(alone.text).not.toContain('Another purchase has this reference');
  expect((await browser.open(root)).text).not.toContain('Same reference');

  const second = await completeCheckout(shop, { ...cart, orderRef: 'TWICE-1' });
  for (const [id, other] of [
    [first, second],
    [second, first],
  ]) {
    const page = await browser.open(`${root}/orders/${id}`);
    expect(page.text).toContain('Another purchase has this reference');
    expect(page.links.some((address) => address.endsWith(`/orders/${other}`))).toBe(true);
  }
  const home = await browser.open(root);
  const list = await browser.open(home.links.find((address) => address.includes('view=same-reference'))!);
  expect(list.links.filter((address) => /\/orders\/[0-9a-f-]{36}$/.test(address)).map((address) => address.slice(-36))).toEqual([
    second,
  ]);
  const seen = await onlooker.browser.open(`${root}/orders/${second}`);
  expect(seen.texts('button')).not.toContain('Not a duplicate');

  const path = `orders/${second}/same-reference`;
  const dismissed = await browser.submit(await browser.open(`${root}/orders/${second}`), path);
  expect(dismissed.texts('p', { class: 'done' })).toEqual(['The order is no longer among those with the same reference.']);
  expect(dismissed.text).toContain('Another purchase has this reference');
  expect(dismissed.texts('button')).not.toContain('Not a duplicate');
  expect((await browser.open(root)).text).not.toContain('Same reference');

  await shop.post(`/transactions/actions/${first}`, { type: 'cancel' });
  expect((await browser.open(`${root}/orders/${second}`)).text).not.toContain('Another purchase has this reference');
  for await (const differences of auditTransactions(database.query)) expect(differences).toEqual([]);
});

it('shows both of two purchases that were signed at once, and not one that is past its lifetime', async () => {
  const shop = await service.createMerchant();
  const { browser } = await signIn(service, shop, 'viewer');
  const page = (id: string) => browser.open(`/console/${shop.merchantId}/orders/${id}`);
  const options = { ...cart, orderRef: 'AT-ONCE-1' };
  const [one, other] = await Promise.all([completeCheckout(shop, options), completeCheckout(shop, options)]);
  const change = (ids: string[], values: { orderRefSharedAt?: null; statusSince?: Instant }) =>
    database.write((tx) =>
      tx
        .updateTable('transactions')
        .set(values)
        .where('id', 'in', ids)
        .execute()
        .then(() => undefined),
    );
  // As if neither had seen the other.
  await change([one, other], { orderRefSharedAt: null });
  expect((await page(one)).links.some((address) => address.endsWith(`/orders/${other}`))).toBe(true);
  expect((await page(other)).links.some((address) => address.endsWith(`/orders/${one}`))).toBe(true);

  await change([one], { statusSince: plusDays(service.clock.now(), -8) });
  expect((await page(other)).text).not.toContain('Another purchase has this reference');
});

it('e-mails the buyer the agreement again, to their own address, at most three times a day, and not after its link was revoked', async () => {
  const id = await completeCheckout(merchant, cart);
  const { cartId, billingContact } = (await merchant.get(`/transactions/${id}`)).body;
  const page = await support.browser.open(at(`orders/${id}`));
  const fresh = () => support.browser.open(at(`orders/${id}`));
  const submit = async (shown = fresh()) => support.browser.submit(await shown, `orders/${id}/agreement`);
  for (let count = 0; count < 3; count += 1) {
    expect((await submit()).texts('p', { class: 'done' })).toEqual(['The sandbox recorded the message and did not send it.']);
  }
  const limited = await submit();
  expect([limited.status, limited.texts('div', { class: 'error-summary' })]).toEqual([
    429,
    ['This was done too often. Wait, and try again.'],
  ]);
  const sent = (await storedDeliveries(database)).filter((row) => row.cartId === cartId && row.notice === 'agreement');
  expect(new Set(sent.map(({ url }) => url))).toEqual(new Set([`mailto:${encodeURIComponent(billingContact.email)}`]));
  const [first, ...copies] = sent.map(({ body }) => JSON.parse(body));
  expect(copies).toEqual([first, first, first]);
  const events = await listSecurityEvents(database.query, { kind: 'agreement-sent', merchantId, limit: 10 });
  expect(events.map(({ actor, details }) => [actor, details])).toEqual(
    [1, 2, 3].map(() => [`user:${support.user.id}`, { transactionId: id }]),
  );

  const { id: applicationId } = await storedApplication(database, cartId);
  await revokeDocumentLink(database, applicationId, service.clock.now());
  expect((await fresh()).forms.filter(({ action }) => action.endsWith('/agreement'))).toEqual([]);
  expect((await submit(Promise.resolve(page))).status).toBe(409);
  const seen = await viewer.browser.open(at(`orders/${await completeCheckout(merchant, cart)}`));
  expect(seen.forms.filter(({ action }) => action.endsWith('/agreement'))).toEqual([]);
});

it.each([
  [
    'was canceled',
    [{ type: 'authorize' }, { type: 'cancel' }],
    [
      'Your order was canceled. There is no loan, and you owe nothing.',
      'The agreement that you signed with Fairterm Lending is void.',
    ],
    ['Amount financed', 'Payments:', 'First payment due', 'How to pay'],
  ],
  [
    'was refunded in part',
    [...settle, { type: 'refund', amount: 40_000 }],
    ['Acme Goods refunded $400.00 of what Fairterm Lending lent you.', 'Next payment due:', 'Total of payments:', 'How to pay'],
    ['Amount financed', 'First payment due'],
  ],
] as const)('e-mails the agreement of an order that %s with the current state of its loan', async (_, actions, stated, gone) => {
  const id = await completeCheckout(merchant, cart);
  for (const action of actions) await merchant.post(`/transactions/actions/${id}`, action);
  const page = await support.browser.open(at(`orders/${id}`));
  expect((await support.browser.submit(page, `orders/${id}/agreement`)).status).toBe(200);
  const { messages } = (await merchant.get('/sandbox/messages')).body;
  const copy = messages.find(({ subject }: { subject: string }) => subject.startsWith('Your agreement with'));
  expect(copy.text).toContain('/agreement.pdf');
  for (const text of stated) expect(copy.text).toContain(text);
  for (const text of gone) expect(copy.text).not.toContain(text);
  const { current } = (await merchant.get(`/transactions/${id}`)).body.financing;
  const [first] = current.payments;
  if (first) expect(copy.text).toContain(`of $${(first.amount / 100).toFixed(2)}`);
});

it('names the time zone of all times once, formats phone numbers, and shows equal addresses once', async () => {
  const buyer = await createBuyer(database, service.clock.now());
  const { tenantId } = await requireMerchant(database.query, buyer.merchantId);
  const { browser } = await signIn(service, { tenantId, merchantId: buyer.merchantId }, 'viewer');
  const open = (path: string) => browser.open(`/console/${buyer.merchantId}/${path}`);
  const contact = toTransactionContact({ ...NO_CONTACT, firstName: 'Ada', lastName: 'Lovelace', phone: '5550100100' });
  const order = async (shippingContact: typeof contact) => {
    const id = await buyer.createPurchase({ billingContact: contact, shippingContact, createdAt: '2020-02-29T17:30:00.000000Z' });
    return open(`orders/${id}`);
  };
  const same = await order(contact);
  expect(same.texts('p', { class: 'zone' })).toEqual(['Times in Coordinated Universal Time']);
  for (const without of ['settings', 'settings/preview']) expect((await open(without)).texts('p', { class: 'zone' })).toEqual([]);
  // Times of other years than the current one have it.
  expect(same.texts('time').map((time) => time.replace(/\s/g, ' '))).toContain('Feb 29, 2020, 5:30 PM');
  expect(same.text).toContain('(555) 010-0100');
  const labels = (page: Page) => page.texts('dt').filter((text) => /Billing|Delivery/.test(text));
  expect(labels(same)).toEqual(['Billing and delivery']);
  expect(labels(await order({ ...contact, fullName: 'Grace Hopper' }))).toEqual(['Billing', 'Delivery']);

  const recent = await open(`orders/${await buyer.createPurchase({ createdAt: service.clock.now() })}`);
  expect(recent.texts('time')[0]).toMatch(/^[A-Z][a-z]{2}\s\d+,\s\d+:\d\d\s[AP]M$/);
});

it('carries the action as the API takes it in the form that confirms it, for the revision that was shown', async () => {
  const { id } = await completeCheckoutAndAct(merchant, settle, cart);
  const path = `orders/${id}/refund`;
  const page = await finance.browser.open(`${at(path)}?quantity-0=0&quantity-1=1`);
  const hidden = page.forms.flatMap(({ fields }) => fields).find(({ name }) => name === 'action')!;
  expect(JSON.parse(hidden.value)).toEqual({ type: 'refund', lineItems: [{ sku: lamp.sku, quantity: 1 }] });
  for (const action of ['', '[', '[1]', '{"type":"cancel"}', '{"type":"refund","amout":100}']) {
    const rejected = await finance.browser.submit(page, path, { action });
    expect([action, rejected.status]).toEqual([action, 422]);
  }
  await merchant.post(`/transactions/${id}/shipment`, { trackingNumber: 'T-1' });
  const changed = await finance.browser.submit(page, path);
  expect([changed.status, changed.texts('div', { class: 'error-summary' })[0]]).toEqual([
    409,
    expect.stringContaining('Someone else changed the same'),
  ]);
  // The page shows the new revision, and its form is valid.
  expect((await finance.browser.submit(changed, path)).texts('p', { class: 'done' })).toEqual(['The refund was recorded.']);
  expect((await merchant.get(`/transactions/${id}`)).body.adjustedTotal).toBe(146_000 - 21_630);
});

it('refunds any number of lines of an order with 500 long SKUs', async () => {
  const items = Array.from({ length: 500 }, (_, index) => ({
    ...lamp,
    sku: `${index}`.padStart(200, 'S'),
    price: 100,
    quantity: 1,
  }));
  const { id } = await completeCheckoutAndAct(merchant, settle, { items });
  const path = `orders/${id}/refund`;
  const chosen = Array.from({ length: 450 }, (_, index) => `quantity-${index}=1`).join('&');
  const page = await finance.browser.open(`${at(path)}?${chosen}`);
  expect((await finance.browser.submit(page, path)).texts('p', { class: 'done' })).toEqual(['The refund was recorded.']);
  expect((await merchant.get(`/transactions/${id}`)).body.adjustedTotal).toBe(5_000);
});

it('rejects quantities and amounts that are not possible, with a message, and calculates others', async () => {
  const { id } = await completeCheckoutAndAct(merchant, settle, cart);
  const open = (query: string) => finance.browser.open(`${at(`orders/${id}/refund`)}?${query}`);
  const buttonOf = (page: Page) => page.texts('button').filter((text) => text.startsWith('Refund '));
  expect(buttonOf(await open('all=yes'))).toEqual(['Refund $1,460.00']);
  // An address without a choice, such as after signing in again, does not stand for everything.
  expect(buttonOf(await open(''))).toEqual([]);
  expect(buttonOf(await open('amount=19.99'))).toEqual(['Refund $19.99']);
  for (const query of ['quantity-0=0&quantity-1=', 'quantity-1=4', 'quantity-1=x', 'amount=abc', 'amount=0', 'amount=2000']) {
    const page = await open(query);
    expect(page.status).toBe(200);
    expect(buttonOf(page)).toEqual([]);
    expect(page.faults).toEqual([]);
    expect(page.texts('div', { class: 'error-summary' }).length).toBe(1);
  }
  const form = await open('amount=19.99');
  const rejected = await finance.browser.submit(form, `orders/${id}/refund`, { reference: 'Ada Lovelace' });
  expect(rejected.status).toBe(422);
  expect(rejected.values['reference']).toBe('Ada Lovelace');
  expect((await merchant.get(`/transactions/${id}/adjustments`)).body.adjustments).toEqual([]);
});

it('stores nothing of a purchase whose form was rejected after a write', async () => {
  const { id: cartId } = (await merchant.post('/carts', { options: { items: [chair] } })).body;
  const { transactionId } = (await merchant.post('/sandbox/checkouts', { cartId, outcome: 'remainder-declined' })).body;
  const path = `orders/${transactionId}/authorize`;
  const rejected = await finance.browser.submit(await finance.browser.open(at(path)), path);
  expect(rejected.status).toBe(402);
  const stored = database.query.selectFrom('idempotency_keys').select('key').where('key', 'like', 'console-form %');
  const finished = database.query.selectFrom('idempotency_responses').select('key').where('key', 'like', 'console-form %');
  expect(await stored.orderBy('key').execute()).toEqual(await finished.orderBy('key').execute());
  const writes = await database.query.selectFrom('idempotency_writes').select('key').execute();
  const keys = (await finished.execute()).map(({ key }) => key);
  expect(writes.filter(({ key }) => key.startsWith('console-form') && !keys.includes(key))).toEqual([]);
});

it('shows the amounts of an order in its currency, whatever that of the default program is', async () => {
  const own = await service.createMerchant();
  const { browser } = await signIn(service, own, 'finance');
  const id = await completeCheckout(own, cart);
  await database.write((tx) =>
    tx.updateTable('applications').set({ currency: 'CAD' }).where('merchantId', '=', own.merchantId).execute(),
  );
  const expectCurrency = async (path: string) => {
    const page = await browser.open(`/console/${own.merchantId}/${path}`);
    const { status, text } = page;
    expect([path, status, text.includes('CA$1,460.00'), /(?<!CA)\$\d/.test(text)]).toEqual([path, 200, true, false]);
    return page;
  };
  await expectCurrency('orders');
  await expectCurrency(`orders/${id}/cancel?all=yes`);
  await own.fairterm.transactions.authorize(id);
  await own.fairterm.transactions.settle(id);
  await database.write((tx) => changeRefundApproval(tx, own.merchantId, 50_000, service.clock.now()));
  await browser.submit(await expectCurrency(`orders/${id}/refund?all=yes`), `orders/${id}/refund`);
  for (const path of [`orders/${id}`, 'orders/approvals', `orders/${id}/approval`]) await expectCurrency(path);
});

it('authorizes, ships, settles and cancels', async () => {
  const id = await completeCheckout(merchant, cart);
  const { browser } = support;
  const act = async (kind: string) => browser.submit(await browser.open(at(`orders/${id}/${kind}`)), `orders/${id}/${kind}`);
  const early = await browser.open(at(`orders/${id}/settle`));
  expect(early.texts('div', { class: 'error-summary' }).length).toBe(1);
  expect(early.forms.filter(({ action }) => action.endsWith('/settle'))).toEqual([]);
  expect((await act('authorize')).texts('p', { class: 'done' })).toEqual(['The order was authorized.']);
  const page = await browser.open(at(`orders/${id}`));
  const shipped = await browser.submit(page, `orders/${id}/shipment`, { carrierName: 'Parcel', trackingNumber: 'T-1' });
  expect(shipped.texts('code').some((text) => text.includes(`/transactions/${id}/shipment`) && text.includes('"T-1"'))).toBe(
    true,
  );
  expect(shipped.values).toMatchObject({ carrierName: 'Parcel', trackingNumber: 'T-1' });
  await act('settle');
  const other = await completeCheckout(merchant, cart);
  const canceled = await browser.submit(await browser.open(at(`orders/${other}/cancel?all=yes`)), `orders/${other}/cancel`, {
    reason: 'fraudulent',
  });
  expect(canceled.texts('p', { class: 'done' })).toEqual(['The cancellation was recorded.']);
  expect((await merchant.get(`/transactions/${other}`)).body).toMatchObject({ status: 'CANCELED', adjustedTotal: 0 });
  expect(shipped.texts('dt')).toContain('First payment');
  expect((await browser.open(at(`orders/${other}`))).texts('dt')).not.toContain('First payment');
  const journal = await listEntries(database.query, id);
  expect(journal.map(({ type, actor }) => [type, actor])).toEqual([
    ['created', 'buyer'],
    ...['authorized', 'shipped', 'settled'].map((type) => [type, `user:${support.user.id}`]),
  ]);
});

it('accepts tracking numbers and references that look like a card number, as the API does, but no card number as a carrier', async () => {
  const { id } = await completeCheckoutAndAct(merchant, settle, cart);
  const { browser } = support;
  const cardLike = '791234567890122';
  const submit = async (fields: Record<string, string>) =>
    browser.submit(await browser.open(at(`orders/${id}`)), `orders/${id}/shipment`, fields);
  expect((await submit({ trackingNumber: cardLike, carrierName: 'Parcel' })).values).toMatchObject({ trackingNumber: cardLike });
  const rejected = await submit({ trackingNumber: '', carrierName: cardLike });
  expect([rejected.status, rejected.texts('p', { class: 'error' })]).toEqual([422, ['Do not enter a card number here']]);
  await browser.submit(await browser.open(`${at(`orders/${id}/refund`)}?amount=1`), `orders/${id}/refund`, {
    reference: cardLike,
  });
  const { adjustments } = (await merchant.get(`/transactions/${id}/adjustments`)).body;
  expect(adjustments).toMatchObject([{ reference: cardLike }]);
});

it('limits the refunds of support, and shows viewers no action', async () => {
  const { id } = await completeCheckoutAndAct(merchant, settle, cart);
  const whole = await support.browser.open(at(`orders/${id}/refund?all=yes`));
  expect(whole.texts('div', { class: 'error-summary' })[0]).toContain('You can refund up to $500.00.');
  const within = await support.browser.open(`${at(`orders/${id}/refund`)}?amount=500`);
  const forge = { action: JSON.stringify({ type: 'refund', amount: 50_001 }) };
  expect((await support.browser.submit(within, `orders/${id}/refund`, forge)).status).toBe(422);
  expect((await support.browser.submit(within, `orders/${id}/refund`)).status).toBe(200);
  // The limit is for all refunds of a person together.
  const more = await support.browser.open(`${at(`orders/${id}/refund`)}?amount=1`);
  expect(more.texts('div', { class: 'error-summary' })[0]).toContain('You can refund up to $500.00.');
  expect((await merchant.get(`/transactions/${id}`)).body.adjustedTotal).toBe(96_000);
  const seen = await viewer.browser.open(at(`orders/${id}`));
  expect(seen.forms.filter(({ action }) => action.includes('/orders/'))).toEqual([]);
  expect(seen.buttonLinks.filter((link) => link.includes(`/orders/${id}/`))).toEqual([]);
});

it('makes a refund above the sum of the merchant when another person approves it, and shows both', async () => {
  const own = await service.createMerchant();
  const admin = await signIn(service, own, 'admin');
  const clerk = await signIn(service, own, 'finance');
  const path = (rest: string) => `/console/${own.merchantId}/${rest}`;
  const settings = await admin.browser.open(path('settings'));
  const invalid = await admin.browser.submit(settings, 'settings/approval', { refundApproval: 'x' });
  expect([invalid.status, invalid.texts('p', { class: 'error' }).length]).toEqual([422, 1]);
  const saved = await admin.browser.submit(settings, 'settings/approval', { refundApproval: '500' });
  expect(saved.values).toMatchObject({ refundApproval: '500.00' });

  const { id } = await completeCheckoutAndAct(own, settle, cart);
  const change = (query: string) => clerk.browser.open(`${path(`orders/${id}/refund`)}?${query}`);
  expect((await change('amount=500')).texts('button').at(-1)).toBe('Refund $500.00');
  const confirm = await change('amount=600');
  expect(confirm.texts('button').at(-1)).toBe('Request the refund of $600.00');
  const requested = await clerk.browser.submit(confirm, `orders/${id}/refund`, { reason: 'damaged' });
  expect(requested.texts('p', { class: 'done' })).toEqual(['The refund waits for the approval of another person.']);
  expect((await own.get(`/transactions/${id}`)).body.adjustedTotal).toBe(146_000);
  expect((await change('amount=1')).texts('div', { class: 'error-summary' })[0]).toContain('waits for approval');

  const ownView = await clerk.browser.open(linkOf(requested, 'Show the request'));
  expect(ownView.formFor('/approval')).toBeUndefined();
  const home = await admin.browser.open(path('').slice(0, -1));
  const list = await admin.browser.open(home.links.find((address) => address.endsWith('/orders/approvals'))!);
  const shown = await admin.browser.open(linkOf(list, '$600.00'));
  expect(shown.texts('button')).toEqual(expect.arrayContaining(['Approve the refund of $600.00', 'Reject']));
  const forged = await clerk.browser.submit(ownView, `orders/${id}/approval/reject`, { request: crypto.randomUUID() });
  expect(forged.status).toBe(409);
  const approved = await admin.browser.submit(shown, `orders/${id}/approval`);
  expect(approved.texts('p', { class: 'done' })).toEqual(['The refund was recorded.']);
  expect(approved.text).toContain('$600.00 · Damaged · by Ada Lovelace · approved by Ada Lovelace');
  expect((await own.get(`/transactions/${id}`)).body.adjustedTotal).toBe(86_000);
  const { adjustments } = (await own.get(`/transactions/${id}/adjustments`)).body;
  expect(adjustments).toMatchObject([{ amount: 60_000, actor: `user:${clerk.user.id}`, reason: 'damaged' }]);
  // The key of the shop needs no approval, and its refund ends a request.
  await clerk.browser.submit(await change('amount=550'), `orders/${id}/refund`);
  const waiting = await admin.browser.open(path(`orders/${id}/approval`));
  await own.fairterm.transactions.refund(id, { amount: 70_000 });
  const late = await admin.browser.submit(waiting, `orders/${id}/approval`);
  expect([late.status, late.formFor('/approval')]).toEqual([409, undefined]);
  expect(late.text).toContain('The order was changed since the refund was requested');
  const rejected = await admin.browser.submit(late, `orders/${id}/approval/reject`);
  expect(rejected.texts('p', { class: 'done' })).toEqual(['The refund was rejected.']);
  expect((await own.get(`/transactions/${id}`)).body.adjustedTotal).toBe(16_000);
});

/** Two units of $1,000.00 and $500.00. */
const twoUnits = [
  { ...chair, sku: 'A', price: 100_000 },
  { ...chair, sku: 'B', price: 50_000 },
];

/** Returns the labels and values of a page. */
const facts = (page: Page) => page.texts('dt').map((label, index) => [label, page.texts('dd')[index]]);

it('previews, requests and approves a refund of the last units without what an earlier refund kept', async () => {
  const own = await service.createMerchant();
  const admin = await signIn(service, own, 'admin');
  const clerk = await signIn(service, own, 'finance');
  const kept = { type: 'refund', amount: 80_000, lineItems: [{ sku: 'A', quantity: 1 }] };
  const { id } = await completeCheckoutAndAct(own, [...settle, kept], { items: twoUnits });
  const open = (path: string) => clerk.browser.open(`/console/${own.merchantId}/orders/${id}/${path}`);
  const expected = [
    ['To refund', '$500.00'],
    ['Kept by earlier refunds', '$200.00'],
    ['Remaining afterwards', '$200.00'],
    ['Status afterwards', 'Settled'],
  ];
  expect(facts(await open('refund?all=yes'))).toEqual(expect.arrayContaining(expected));
  expect(facts(await open('refund?amount=100')).map(([label]) => label)).not.toContain('Kept by earlier refunds');
  await database.write((tx) => changeRefundApproval(tx, own.merchantId, 10_000, service.clock.now()));
  await clerk.browser.submit(await open('refund?all=yes'), `orders/${id}/refund`);
  const approval = await admin.browser.open(`/console/${own.merchantId}/orders/${id}/approval`);
  expect(facts(approval)).toEqual(expect.arrayContaining(expected));
  expect(approval.texts('button')).toContain('Approve the refund of $500.00');
  await admin.browser.submit(approval, `orders/${id}/approval`);
  expect(await own.fairterm.transactions.retrieve(id)).toMatchObject({ status: 'SETTLED', adjustedTotal: 20_000 });
});

it('previews that the last units return nothing if earlier refunds kept all that remains', async () => {
  const own = await service.createMerchant();
  const { browser } = await signIn(service, own, 'admin');
  const kept = { type: 'refund', amount: 10_000, lineItems: [{ sku: 'A', quantity: 1 }] };
  const { id } = await completeCheckoutAndAct(own, [...settle, { type: 'refund', amount: 90_000 }, kept], { items: twoUnits });
  const earlier = (await storedDeliveries(database)).map((row) => row.id);
  const page = await browser.open(`/console/${own.merchantId}/orders/${id}/refund?all=yes`);
  expect(facts(page)).toEqual(
    expect.arrayContaining([
      ['To refund', '$0.00'],
      ['Kept by earlier refunds', '$500.00'],
      ['Remaining afterwards', '$500.00'],
    ]),
  );
  await browser.submit(page, `orders/${id}/refund`, { reason: 'returned' });
  // The lender is notified of the returned unit, and the buyer of nothing.
  const sent = (await storedDeliveries(database)).filter((row) => !earlier.includes(row.id));
  expect(sent.map(({ channel }) => channel)).toEqual(['lender']);
});

it('repeats a refund, a request and an approval after a crash without an error and without another effect', async () => {
  const own = await service.createMerchant();
  const [admin, clerk] = [await signIn(service, own, 'admin'), await signIn(service, own, 'finance')];
  const address = (path: string) => `/console/${own.merchantId}/${path}`;
  /** Submits a form twice. The first response is lost in a crash, after the database transaction of the action. */
  const submitTwice = async (browser: ConsoleBrowser, page: Page, path: string) => {
    const { action, fields } = filledForm(page, path);
    const first = await browser.open(action, post({ ...fields, reason: 'damaged' }));
    await loseResponse(database, fields);
    const repeated = await browser.open(action, post({ ...fields, reason: 'damaged' }));
    expect([repeated.status, repeated.texts('p', { class: 'done' })]).toEqual([200, first.texts('p', { class: 'done' })]);
    expect(repeated.texts('p', { class: 'done' }).length).toBe(1);
  };
  const refundedOf = async (id: string) =>
    (await own.get(`/transactions/${id}/adjustments`)).body.adjustments.map(({ amount }: { amount: number }) => amount);

  for (const query of ['all=yes', `line=${chair.sku}`, 'amount=100']) {
    const { id } = await completeCheckoutAndAct(own, settle, cart);
    await submitTwice(clerk.browser, await clerk.browser.open(address(`orders/${id}/refund?${query}`)), `orders/${id}/refund`);
    expect(await refundedOf(id)).toHaveLength(1);
  }
  const authorized = await completeCheckoutAndAct(own, [{ type: 'authorize' }], cart);
  await submitTwice(clerk.browser, await clerk.browser.open(address(`orders/${authorized.id}/cancel?all=yes`)), '/cancel');

  await database.write((tx) => changeRefundApproval(tx, own.merchantId, 50_000, service.clock.now()));
  const { id } = await completeCheckoutAndAct(own, settle, cart);
  await submitTwice(clerk.browser, await clerk.browser.open(address(`orders/${id}/refund?all=yes`)), `orders/${id}/refund`);
  await submitTwice(admin.browser, await admin.browser.open(address(`orders/${id}/approval`)), '/approval');
  expect(await refundedOf(id)).toEqual([146_000]);
});

it('lists views, finds orders by what a buyer says, pages through them and exports what is shown', async () => {
  const own = await service.createMerchant();
  const { browser } = await signIn(service, own, 'finance');
  const ids: string[] = [];
  for (let number = 0; number < 27; number += 1) ids.push(await completeCheckout(own, { orderRef: `R-${number}` }));
  await own.fairterm.transactions.authorize(ids[3]!);
  const { billingContact } = await own.fairterm.transactions.retrieve(ids[0]!);
  const open = (query: string) => browser.open(`/console/${own.merchantId}/orders?${query}`);
  const shown = (page: Page) => page.texts('a').filter((text) => text.startsWith('R-'));

  const first = await open('');
  expect(first.faults).toEqual([]);
  expect(shown(first)).toEqual(Array.from({ length: 25 }, (_, index) => `R-${26 - index}`));
  const second = await browser.open(linkOf(first, 'Next page'));
  expect(shown(second)).toEqual(['R-1', 'R-0']);
  expect(shown(await open('view=ship'))).toEqual(['R-3']);
  expect(shown(await open(`view=ship&q=${encodeURIComponent(billingContact.fullName.toUpperCase())}`))).toEqual(['R-3']);
  expect(shown(await open('q=R-12'))).toEqual(['R-12']);
  expect(shown(await open('from=2099-01-01'))).toEqual([]);
  expect(shown(await open('view=expiring'))).toEqual([]);
  await own.post('/sandbox/clock', { now: plusMs(service.clock.now(), 5 * 86_400_000) });
  expect(shown(await open('view=expiring')).length).toBe(25);
  await own.post('/sandbox/clock', { now: new Date().toISOString() });

  const file = await download(browser, await open('view=ship'));
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const [header, row, end] = file.text.split('\r\n');
  expect(header).toMatch(/^\ufefftransactionId,createdAt,orderRef/);
  expect(row).toContain(`${ids[3]},`);
  expect(row).toContain(',AUTHORIZED,75000,75000,');
  expect(end).toBe('');
  const all = await download(browser, first);
  expect(all.text.split('\r\n').length).toBe(29);
});

it('exports orders only with a form, and only for the roles that may', async () => {
  const own = await service.createMerchant();
  const { createPurchase } = await createBuyer(database, service.clock.now(), own.merchantId);
  await createPurchase();
  const exported = async () =>
    (await listSecurityEvents(database.query, { merchantId: own.merchantId, kind: 'orders-exported', limit: 10 })).length;
  const path = `/console/${own.merchantId}/orders`;
  const shown = await Promise.all(
    ROLES.map(async (role) => {
      const { browser } = await signIn(service, own, role);
      return [role, formOf(await browser.open(path)) !== undefined];
    }),
  );
  expect(Object.fromEntries(shown)).toEqual({ viewer: false, support: false, finance: true, developer: false, admin: true });
  const { browser } = await signIn(service, own, 'finance');
  expect((await browser.request(`${path}.csv`)).status).toBe(404);
  expect((await browser.request(`${path}.csv`, post({}))).status).toBe(403);
  expect(await exported()).toBe(0);
  const page = await browser.open(path);
  for (const count of [1, 2]) {
    expect((await download(browser, page)).headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await exported()).toBe(count);
  }
});

it('limits the files of all users of a tenant together', async () => {
  const own = await service.createMerchant();
  const sibling = await service.createMerchant({ tenantId: own.tenantId });
  const visit = async ({ merchantId: id, tenantId: tenant }: Pick<typeof own, 'tenantId' | 'merchantId'>) => {
    await (await createBuyer(database, service.clock.now(), id)).createPurchase();
    const { browser } = await signIn(service, { tenantId: tenant, merchantId: id }, 'finance');
    const page = await browser.open(`/console/${id}/orders`);
    return () => download(browser, page);
  };
  const visitors = [await visit(own), await visit(sibling)] as const;
  const other = await visit(await service.createMerchant());
  let count = 0;
  let response = await visitors[0]();
  // One more is allowed every minute.
  while (response.status === 200 && count < 70) response = await visitors[++count % 2]!();
  expect([response.status, response.text]).toEqual([429, expect.stringContaining('This was done too often.')]);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(count).toBeGreaterThanOrEqual(60);
  expect((await other()).status).toBe(200);
});

it('records who exports orders, makes one file at a time for each tenant and a few for all, and names one that is cut', async () => {
  const own = await service.createMerchant();
  const { createPurchase } = await createBuyer(database, service.clock.now(), own.merchantId);
  const { browser, user } = await signIn(service, own, 'finance');
  await createPurchase({ orderRef: '=1+1' });
  const page = await browser.open(`/console/${own.merchantId}/orders`);
  const file = await download(browser, page);
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="orders.csv"');
  expect(file.text.split('\r\n')[1]).toMatch(/^[\da-f-]{36},[^,]+,"'=1\+1",,PENDING,5000,5000,USD,/);
  const [event] = await listSecurityEvents(database.query, { merchantId: own.merchantId, limit: 1 });
  expect(event).toMatchObject({ kind: 'orders-exported', actor: `user:${user.id}`, details: { rows: '1' } });

  /** Requests files while none can be completed, and returns the responses: first the one that was rejected. */
  const requestAtOnce = async (visitors: readonly (readonly [ConsoleBrowser, Page])[]) => {
    const finished: Awaited<ReturnType<typeof download>>[] = [];
    let requests: Promise<unknown>[] = [];
    await database.write(async (tx) => {
      if (database.engine === 'postgres') await sql`lock table security_events in exclusive mode`.execute(tx);
      requests = visitors.map(async ([each, shown]) => finished.push(await download(each, shown)));
      await until(() => Promise.resolve(finished.length === 1));
    });
    await Promise.all(requests);
    return finished;
  };
  const visit = async (merchantOfUser: Pick<typeof own, 'tenantId' | 'merchantId'>) => {
    const visitor = (await signIn(service, merchantOfUser, 'finance')).browser;
    return [visitor, await visitor.open(`/console/${merchantOfUser.merchantId}/orders`)] as const;
  };
  const [tooMany, completed] = await requestAtOnce([[browser, page], await visit(own)]);
  expect([tooMany?.status, tooMany?.headers.get('retry-after'), completed?.status]).toEqual([429, '5', 200]);
  expect(tooMany?.text).toContain('This was done too often.');
  const others = [];
  for (let count = 0; count < 3; count += 1) {
    const other = await service.createMerchant();
    await (await createBuyer(database, service.clock.now(), other.merchantId)).createPurchase();
    others.push(await visit(other));
  }
  const statuses = (await requestAtOnce([[browser, page], ...others])).map(({ status }) => status);
  expect(statuses).toEqual([429, 200, 200, 200]);

  await database.write(async (tx) => {
    for (let count = 0; count < 5_000; count += 1) await createPurchase({}, (work) => work(tx));
  });
  const cut = await download(browser, page);
  expect(cut.headers.get('content-disposition')).toBe('attachment; filename="orders-first-5000.csv"');
  expect(cut.text.split('\r\n').length).toBe(5_002);
});
