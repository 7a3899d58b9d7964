import { expect, it } from 'vitest';
import { listKeys } from '../../../server/merchants/keys.ts';
import { findMerchant, originsOf } from '../../../server/merchants/store.ts';
import { recipientOf } from '../../../server/messages/addresses.ts';
import { messageIn } from '../../../server/messages/outbox.ts';
import { findDelivery } from '../../../server/messages/store.ts';
import type { MessageLimits } from '../../../server/base/config/config.ts';
import { changeApprovalSum } from '../../../server/console/approvals/approval-sum.ts';
import { addSecurityEvents, listSecurityEvents, newSecurityEvent } from '../../../server/merchants/security-events.ts';
import { systemClock } from '../../../server/base/time.ts';
import type { User } from '../../../server/console/users/store.ts';
import { createCart, open, testOperator } from '../../support/checkout.ts';
import { filledForm, loseResponse, post, signIn, type Visitor } from '../../support/console.ts';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { PICTURES } from '../../support/pictures.ts';
import type { Page } from '../../support/page.ts';
import { fetchResponse, startService } from '../../support/service.ts';

/** Returns limits of the messages to one recipient. */
const messageLimits = (perRecipient: number): MessageLimits => ({
  email: { perRecipient, perMerchant: 0 },
  text: { perRecipient, perMerchant: 0 },
});

describeOnEveryEngine('The settings', async (engine) => {
  const service = await startService(engine);
  const { query } = service.database;
  const merchant = await service.createMerchant();
  const address = `/console/${merchant.merchantId}/settings`;
  const admin = await signIn(service, merchant);

  /** Submits the form of the store as a browser does if there is a file. */
  async function save(values: Record<string, string>, logo?: Buffer) {
    const { browser } = admin;
    const page = await browser.open(address);
    const body = new FormData();
    const form = page.formFor('/settings')!;
    for (const { name, value, type, isSubmitted } of form.fields) {
      if (isSubmitted && type !== 'file') body.set(name, values[name] ?? value);
    }
    if (values['removeLogo']) body.set('removeLogo', values['removeLogo']);
    body.set('logo', new Blob(logo ? [new Uint8Array(logo)] : []), logo ? 'logo.png' : '');
    return browser.open(form.action, { method: 'POST', body });
  }

  it('change the store as buyers see it, and register the origin of its address', async () => {
    const change = {
      name: 'Alder & Tone',
      storeUrl: 'https://alder.example/shop',
      accent: '#aa3300',
      supportEmail: 'help@alder.example',
      supportPhone: '1-800-555-0100',
      supportUrl: '',
      postalAddress: 'PO Box 7, Springfield, IL 62701',
    };
    const saved = await save(change, PICTURES.png);
    expect(saved).toMatchObject({ status: 200, url: `${service.publicUrl}${address}?done=settings.saved`, faults: [] });
    expect(saved.texts('p', { class: 'done' })).toEqual(['The settings were saved. Buyers see them from now on.']);
    expect(await findMerchant(query, merchant.merchantId)).toMatchObject({ ...change, supportUrl: null });
    expect(await originsOf(query, merchant.merchantId)).toEqual(['https://alder.example', 'https://shop.example']);
    const preview = await admin.browser.open(`${address}/preview`);
    const logo = preview.attribute('img', 'src', { alt: 'Alder & Tone' })!;
    expect(await fetchResponse(service.publicUrl + logo)).toMatchObject({ status: 200 });
    for (const page of [saved, preview]) {
      expect(page.elements('link', { href: '/brand/accent/aa3300.css' })).toHaveLength(1);
    }

    await save({ accent: '', supportPhone: '', removeLogo: 'yes', postalAddress: '' });
    expect(await findMerchant(query, merchant.merchantId)).toMatchObject({
      name: 'Alder & Tone',
      accent: null,
      logo: null,
      supportEmail: 'help@alder.example',
      supportPhone: null,
      postalAddress: '',
    });
  });

  it('show what is invalid at its field, and save nothing then', async () => {
    const before = await findMerchant(query, merchant.merchantId);
    const invalid = {
      name: '',
      storeUrl: 'https://user:password@shop.example',
      accent: 'red',
      supportEmail: 'x',
      supportPhone: 'x',
      supportUrl: 'http://x.example',
      postalAddress: 'Springfield',
    };
    const page = await save(invalid);
    expect(page).toMatchObject({ status: 422, values: expect.objectContaining(invalid), faults: [] });
    expect(page.texts('p', { class: 'error' })).toEqual([
      'Enter a name of at most 200 characters',
      'Enter an address that begins with https://',
      'Enter a color of six digits, such as #0b5d4e, or nothing',
      'Enter an e-mail address, such as help@example.com, or nothing',
      'Enter a phone number, such as 1-800-555-0100, or nothing',
      'Enter an address that begins with https://, or nothing',
      'Enter an address such as 12 Elm Street, Springfield, IL 62701, or nothing',
    ]);
    const logo = 'Choose a complete PNG, JPEG or WebP picture of at most 64 KB and 4 million pixels';
    const withText = await save({}, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    expect(withText.texts('p', { class: 'error' })).toEqual([logo]);
    const large = await save({}, Buffer.concat([PICTURES.png, Buffer.alloc(65_536)]));
    expect(large.texts('p', { class: 'error' })).toEqual([logo]);
    expect((await save({}, Buffer.alloc(100_000))).status).toBe(413);
    expect(await findMerchant(query, merchant.merchantId)).toEqual(before);
  });

  it('show the link of an invitation in a sandbox only if it created the user', async () => {
    const { browser } = admin;
    const team = `${address}/team`;
    const invite = async (email: string) =>
      browser.submit(await browser.open(team), '/settings/team', { email, name: '', role: 'viewer', limit: '' });
    const first = await invite('grace@acme.example');
    expect(first.text).toMatch(/\/console\/link\/[\w-]{43}/);
    const { user } = await signIn(service, merchant, 'finance');
    for (const email of ['grace@acme.example', user.email]) {
      const again = await invite(email);
      expect(again.texts('p', { class: 'done' })).toEqual([
        'This person already has an account. It has the role that you chose now, and a sign-in link was e-mailed to them.',
      ]);
      expect(again.text).not.toContain('/console/link/');
    }
    // A crash after the first commit of a submission: the repeated one has the stored user, and another link.
    const page = await browser.open(team);
    const { action, fields } = filledForm(page, '/settings/team');
    const body = { ...fields, email: 'hopper@acme.example', name: '', role: 'viewer', limit: '' };
    expect((await browser.open(action, post(body))).text).toContain('/console/link/');
    await loseResponse(service.database, fields);
    const repeated = await browser.open(action, post(body));
    expect(repeated.texts('p', { class: 'done' })).toEqual([
      'This person already has an account. It has the role that you chose now, and a sign-in link was e-mailed to them.',
    ]);
    expect(repeated.text).not.toContain('/console/link/');
  });

  it('show why a passkey that was created too late, and an invitation of oneself, are rejected', async () => {
    const { browser, user } = await signIn(service, merchant, 'admin');
    const errorsOf = (page: Page) => page.texts('div', { class: 'error-summary' });
    const passkeys = await browser.open(`${address}/passkeys`);
    const late = await browser.submit(passkeys, '/settings/passkeys', { name: 'Laptop', credential: '{}' });
    expect(errorsOf(late)).toEqual(['The passkey could not be verified, or was created too late. Add it again.']);
    const invited = { email: user.email, name: '', role: 'viewer', limit: '' };
    const self = await browser.submit(await browser.open(`${address}/team`), '/settings/team', invited);
    expect(errorsOf(self)).toEqual(['You cannot invite, change or remove yourself.']);
  });

  it('name the character that the name of an invited person must not contain', async () => {
    const { browser } = admin;
    const invited = { email: 'joan@acme.example', name: 'Joan 4 Clarke', role: 'viewer', limit: '' };
    const page = await browser.submit(await browser.open(`${address}/team`), '/settings/team', invited);
    expect(page.texts('p', { class: 'error' })).toEqual(['Enter the name of a person, without “4”']);
  });

  it('confirm that a person is removed when the form is repeated after a crash', async () => {
    const { browser } = admin;
    const { user } = await signIn(service, merchant, 'viewer');
    const page = await browser.open(`${address}/team/${user.id}`);
    const { action, fields } = filledForm(page, '/remove');
    for (const _response of ['lost', 'received']) {
      const removed = await browser.open(action, post(fields));
      expect(removed.texts('p', { class: 'done' })).toEqual(['The person was removed and signed out.']);
      await loseResponse(service.database, fields);
    }
  });

  it('tell the other administrators by e-mail that fewer refunds need an approval, and show every change of the sum', async () => {
    const { database, publicUrl } = service;
    const shop = await service.createMerchant({ name: 'Approvals' });
    const by = await signIn(service, shop);
    const colleague = await signIn(service, shop);
    const ofTenant = await signIn(service, { ...shop, merchantId: null });
    await signIn(service, shop, 'finance');
    const path = `/console/${shop.merchantId}/settings`;
    const setSum = async ({ browser }: Visitor, refundApproval: string) => {
      const page = await browser.open(path);
      const saved = await browser.submit(page, '/settings/approval', { refundApproval });
      expect(saved.values['refundApproval']).toBe(refundApproval && `${refundApproval}.00`);
    };
    const emails = async () => {
      const ids = await query.selectFrom('outbox').select('id').where('merchantId', '=', shop.merchantId).orderBy('id').execute();
      const deliveries = await Promise.all(ids.map(({ id }) => findDelivery(query, id)));
      const sent = deliveries.map((delivery) => ({ to: recipientOf(delivery!.url), ...messageIn(delivery!.body) }));
      return sent.filter(({ subject }) => subject?.includes('second approval'));
    };
    await setSum(by, '500');
    await setSum(by, '400');
    expect(await emails()).toEqual([]);
    await setSum(by, '600');
    const others = [colleague.user.email, ofTenant.user.email].toSorted();
    const raised = await emails();
    expect(raised.map(({ to }) => to).toSorted()).toEqual(others);
    expect(raised[0]!.text).toContain(
      'may refund of an order of Approvals before another person must approve: from $400.00 to $600.00.',
    );
    expect(raised[0]!.text).toContain(`${publicUrl}${path}`);
    await setSum(ofTenant, '');
    await setSum(ofTenant, '500');
    const off = (await emails()).slice(2);
    expect(off.map(({ to }) => to).toSorted()).toEqual([by.user.email, colleague.user.email].toSorted());
    expect(off[0]!.text).toContain('has switched off the second approval of refunds of Approvals');

    const { text } = await colleague.browser.open(`${path}/security`);
    for (const change of [
      'Switched off before, above $500.00 now',
      'Above $500.00 before, above $400.00 now',
      'Above $400.00 before, above $600.00 now',
      'Above $600.00 before, switched off now',
    ]) {
      expect(text).toContain(change);
    }
    // Not if they cannot be told.
    const { user } = by;
    const mail = { publicUrl, operator: testOperator, handling: 'recorded' } as const;
    const limited = { database, mode: 'sandbox', mail, messageLimits: messageLimits(1) } as const;
    const raise = changeApprovalSum(limited, shop.merchantId, null, user, systemClock.now());
    await expect(raise).rejects.toMatchObject({ code: 'rate-limited' });
    expect(await findMerchant(query, shop.merchantId)).toMatchObject({ refundApprovalCents: 50_000 });
  });

  it('compare the sum of refunds with the one that a concurrent change has saved', async () => {
    const { database, publicUrl } = service;
    const shop = await service.createMerchant();
    const people = [(await signIn(service, shop)).user, (await signIn(service, shop)).user];
    const mail = { publicUrl, operator: testOperator, handling: 'recorded' } as const;
    const deps = { database, mode: 'sandbox', mail, messageLimits: messageLimits(0) } as const;
    const saveSum = (cents: number | null, user: User) =>
      changeApprovalSum(deps, shop.merchantId, cents, user, systemClock.now());
    const countEmails = async () => (await query.selectFrom('outbox').select('id').execute()).length;
    for (let round = 0; round < 5; round += 1) {
      await saveSum(10_000, people[0]!);
      const before = await countEmails();
      await Promise.all([saveSum(20_000, people[0]!), saveSum(30_000, people[1]!)]);
      const events = await listSecurityEvents(query, { merchantId: shop.merchantId, kind: 'refund-approval-changed', limit: 2 });
      const raises = events.filter(({ details }) => Number(details['after']) > Number(details['before']));
      expect(events.map(({ details }) => details['before'])).toContain('10000');
      expect((await countEmails()) - before).toBe(raises.length);
    }
  });

  it('name the keys that a person has created when the person is removed, and lead to the page that retires each', async () => {
    const shop = await service.createMerchant();
    const administrator = await signIn(service, shop);
    const path = `/console/${shop.merchantId}`;
    const developer = await signIn(service, shop, 'developer');
    const created: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      await developer.browser.submit(await developer.browser.open(`${path}/developers`), '/developers/keys');
      const keys = (await listKeys(query, shop.merchantId)).map(({ apiKey }) => apiKey);
      created.push(...keys.filter((key) => key !== shop.apiKey && !created.includes(key)));
    }
    const person = `${path}/settings/team/${developer.user.id}`;
    const shown = await administrator.browser.open(person);
    expect(shown.faults).toEqual([]);
    const links = (page: Page) =>
      page.links.filter((link) => link.includes('/developers/keys/')).map((link) => link.split('/').at(-1));
    expect(links(shown)).toEqual(created);
    expect(shown.texts('code')).toEqual(created);
    const key = await administrator.browser.open(`${path}/developers/keys/${created[0]}`);
    await administrator.browser.submit(key, `/developers/keys/${created[0]}`);
    expect(links(await administrator.browser.open(person))).toEqual([created[1]]);
    await administrator.browser.submit(await administrator.browser.open(person), '/remove');
    const { retiredAt } = (await listKeys(query, shop.merchantId)).find(({ apiKey }) => apiKey === created[1])!;
    expect(retiredAt).toBeNull();
    const other = await signIn(service, shop, 'developer');
    expect(links(await administrator.browser.open(`${path}/settings/team/${other.user.id}`))).toEqual([]);
  });

  it('keep what someone else has changed since the form was opened', async () => {
    const { browser } = admin;
    await save({ name: 'Before', accent: '#aa3300', supportEmail: 'help@alder.example', supportPhone: '1-800-555-0100' });
    const opened = await browser.open(address);
    await save({ name: 'After', accent: '', supportPhone: '1-800-555-0199' });
    const form = opened.formFor('/settings')!;
    const body = new FormData();
    for (const { name, value, type, isSubmitted } of form.fields) if (isSubmitted && type !== 'file') body.set(name, value);
    body.set('supportEmail', '');
    body.set('storeUrl', 'https://later.example/');
    expect((await browser.open(form.action, { method: 'POST', body })).status).toBe(200);
    expect(await findMerchant(query, merchant.merchantId)).toMatchObject({
      name: 'After',
      accent: null,
      supportPhone: '1-800-555-0199',
      supportEmail: null,
      storeUrl: 'https://later.example/',
    });
  });

  /** Posts a form with a file. It is no valid one, so that reading it is an error. */
  const postUnreadable = (browser: Visitor['browser'], path: string) =>
    browser.request(path, { method: 'POST', body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=x' } });

  it('read a form with a file only for the action that has one, from people who may submit it', async () => {
    const viewer = await signIn(service, merchant, 'viewer');
    const foreign = await service.createMerchant();
    const cases = [
      [admin, address, 400],
      [viewer, address, 403],
      [admin, `${address}/team`, 403],
      [admin, `/console/${foreign.merchantId}/settings`, 404],
      [admin, `${address}/unknown`, 404],
      [admin, '/console/sign-out', 403],
    ] as const;
    for (const [{ browser }, path, status] of cases)
      expect([path, (await postUnreadable(browser, path)).status]).toEqual([path, status]);
  });

  it('accept one file and 30 fields', async () => {
    const { browser } = admin;
    const { action, fields } = (await browser.open(address)).formFor('/settings')!;
    const sent = fields.filter(({ isSubmitted, type }) => isSubmitted && type !== 'file');
    const send = (files: number, parts: number) => {
      const body = new FormData();
      for (const { name, value } of sent) body.append(name, value);
      for (let count = 0; count < files; count += 1) body.append('logo', new Blob([]), 'x.png');
      for (let count = sent.length + files; count < parts; count += 1) body.append('other', '');
      return browser.request(action, { method: 'POST', body });
    };
    expect((await send(1, 30)).status).toBe(303);
    expect(await send(1, 31)).toMatchObject({ status: 400 });
    expect(await send(2, 30)).toMatchObject({ status: 400 });
  });

  it('are only shown to people who may not change them', async () => {
    const { browser } = await signIn(service, merchant, 'viewer');
    const page = await browser.open(address);
    expect(page.forms.map(({ action }) => new URL(action).pathname)).toEqual(['/console/sign-out']);
  });

  it('list the events of users of all merchants to such users only, and those of another merchant to neither', async () => {
    const shop = await service.createMerchant();
    const sibling = await service.createMerchant({ tenantId: shop.tenantId });
    const ofTenant = await signIn(service, { tenantId: shop.tenantId, merchantId: null });
    const ofShop = await signIn(service, shop);
    const ofSibling = await signIn(service, sibling);
    const shown = async ({ browser }: Visitor) => {
      const page = await browser.open(`/console/${shop.merchantId}/settings/security`);
      expect([page.status, page.faults]).toEqual([200, []]);
      return page.texts('td', { 'data-label': 'Event' });
    };
    const signIns = ['Signed in', 'Invited a person'];
    const created = ['Created a callback secret', 'Created a key', 'Created the merchant'];
    expect(await shown(ofShop)).toEqual([...signIns, ...created]);
    expect(await shown(ofTenant)).toEqual([...signIns, ...signIns, ...created]);
    expect((await ofSibling.browser.open(`/console/${shop.merchantId}/settings/security`)).status).toBe(404);
  });

  it('list who signed in and who changed what, with names, 50 to a page', async () => {
    const other = await service.createMerchant();
    const { browser, user } = await signIn(service, other);
    const first = await browser.open(`/console/${other.merchantId}/settings/security`);
    expect(first.elements('tbody')).toHaveLength(1);
    expect(first.texts('td', { 'data-label': 'By' })[0]).toBe(user.name);
    expect(first.text).not.toContain(merchant.merchantId);
    const event = { kind: 'user-signed-in', actor: `user:${user.id}`, merchantId: other.merchantId, details: {} } as const;
    const events = Array.from({ length: 46 }, () => newSecurityEvent(event, systemClock.now()));
    await service.database.write((tx) => addSecurityEvents(tx, ...events));
    const full = await browser.open(`/console/${other.merchantId}/settings/security`);
    const next = full.elements('a', { rel: 'next' });
    expect(next).toHaveLength(1);
    const last = await browser.open(full.attribute('a', 'href', { rel: 'next' })!);
    expect(last.texts('td', { 'data-label': 'Event' })).toEqual(['Created the merchant']);
    expect((await browser.open(`/console/${other.merchantId}/settings/security?after=x`)).status).toBe(200);
  });
});

it('The store has a preview of its checkout with sample data in a frame, which only pages of the service may frame', async () => {
  const service = await startService();
  const merchant = await service.createMerchant({ name: 'Alder & Tone' });
  const { browser } = await signIn(service, merchant, 'viewer');
  const settings = await browser.open(`/console/${merchant.merchantId}/settings`);
  const source = settings.attribute('iframe', 'src')!;
  expect(settings.headers.get('content-security-policy')).toContain("; frame-src 'self'");
  const team = await browser.request(`/console/${merchant.merchantId}/settings/team`);
  expect(team.headers.get('content-security-policy')).not.toContain('frame-src');

  const preview = await browser.open(source);
  expect(preview.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  );
  expect(preview.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  // The parts of a page of the checkout: merchant, steps, form and order, without a script.
  const cart = await createCart(merchant);
  const real = await open(cart.url);
  for (const shown of [preview, real]) {
    expect(shown.texts('p', { class: 'merchant' })).toEqual(['Alder & Tone']);
    expect(shown.elements('ol', { class: 'progress' })).toHaveLength(1);
    expect(shown.elements('input', { name: 'firstName' })).toHaveLength(1);
  }
  expect(preview.headings).toEqual(real.headings);
  expect(preview.text).toContain('Sample product');
  expect(preview.elements('script')).toEqual([]);
  expect(real.headers.get('content-security-policy')).not.toContain("frame-ancestors 'self'");
  // Alone, it is shown in other languages, too.
  const other = (page: Page) => browser.open(new URL(page.attribute('a', 'href', { class: 'language' })!, page.url).href);
  const spanish = await other(preview);
  expect([spanish.status, spanish.language]).toEqual([200, 'es']);
  expect((await other(spanish)).headings).toEqual(preview.headings);
  // Nothing was stored.
  expect((await merchant.get('/carts')).body.carts).toHaveLength(1);
});
