/** Every screen and action of the console × roles, foreign ids, and forged and repeated forms. It reads `screens.ts`, so that new ones are covered. */
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addDays, dateIn } from '../../../shared/dates.ts';
import { createCart } from '../../../server/purchases/carts/carts.ts';
import { getServiceKey } from '../../../server/checkout/session/store.ts';
import { actions, screens } from '../../../server/console/screens.ts';
import type { ScreenAction } from '../../../server/console/web/screen.ts';
import { newId, newToken } from '../../../server/base/ids.ts';
import { saveRequests } from '../../../server/merchants/requests/store.ts';
import { addKeyPair } from '../../../server/merchants/keys.ts';
import { changeMerchant, createMerchant } from '../../../server/merchants/merchants.ts';
import { requireMerchant } from '../../../server/merchants/store.ts';
import { issueToken } from '../../../server/http/pages/form.ts';
import { requestRefund } from '../../../server/console/approvals/requests.ts';
import { findPendingRequest } from '../../../server/console/approvals/store.ts';
import { addSettlement } from '../../../server/purchases/settlements/store.ts';
import { type Clock, plusDays, plusMs, systemClock } from '../../../server/base/time.ts';
import { getTransaction } from '../../../server/purchases/transactions/store.ts';
import { isPermitted, ROLES } from '../../../server/console/users/roles.ts';
import { addPasskey, type User, type UserScope } from '../../../server/console/users/store.ts';
import { enqueueMessage } from '../../../server/messages/outbox.ts';
import { createWebhook } from '../../../server/messages/webhooks/webhooks.ts';
import { startApp } from '../../support/app.ts';
import { type ConsoleBrowser, post, signIn } from '../../support/console.ts';
import { createDatabase } from '../../support/databases.ts';
import { createBuyer, transactions } from '../../support/purchases.ts';

const database = await createDatabase();
let offsetMs = 0;
const realClock: Clock = { now: () => plusMs(systemClock.now(), offsetMs) };
const { publicUrl } = await startApp(database, { realClock });
const served = { publicUrl, database };
const formKey = await getServiceKey(database.query);
const shop = { name: 'Acme', storeUrl: 'https://shop.example', origins: [] };
const own = await createMerchant(database, 'sandbox', shop, systemClock.now());
const sibling = await createMerchant(database, 'sandbox', { ...shop, tenantId: own.tenantId }, systemClock.now());
const foreign = await createMerchant(database, 'sandbox', shop, systemClock.now());
const merchants = [own, sibling, foreign];

let settledDays = 0;

/** The ids of objects of a merchant, by the path of the screens that show one. `user` is the one who looks. */
const objects: Record<string, (scope: UserScope, user: User) => Promise<string>> = {
  'orders/:id': ({ merchantId }) => createOrder(merchantId!),
  'links/:id': async ({ merchantId }) => {
    const merchant = await requireMerchant(database.query, merchantId!);
    const options = { customTotal: 75_000, disableEditShipping: false, requireShippingContact: false };
    const callbacks = { mode: 'sandbox', allowLoopback: true, allowedHosts: [] } as const;
    return (await createCart(database, merchant, { options }, systemClock.now(), { callbacks })).cart.id;
  },
  'money/:id': async ({ merchantId }) => {
    const account = { merchantId: merchantId!, currency: 'USD', carriedCents: 0, bankReference: null, paidOn: null };
    const day = addDays('2026-01-01', settledDays++);
    const added = { id: newId(), day, createdAt: systemClock.now(), ...account };
    return (await database.write((tx) => addSettlement(tx, added))).id;
  },
  'settings/team/:id': async (scope) => (await signIn(served, scope, 'viewer')).user.id,
  'settings/passkeys/:id': async (scope, user) => {
    const owner = scope.merchantId === user.merchantId ? user : (await signIn(served, scope)).user;
    const passkey = { id: `passkey-${crypto.randomUUID()}`, userId: owner.id, counter: 0, name: 'Laptop', publicKey: 'AA' };
    const now = systemClock.now();
    await database.write((tx) => addPasskey(tx, { ...passkey, challengedAt: now, createdAt: now }));
    return passkey.id;
  },
  'developers/keys/:id': async ({ merchantId }) => (await addKeyPair(database, 'sandbox', merchantId!, systemClock.now())).apiKey,
  'developers/webhooks/:id': async ({ merchantId }) => {
    // The limits of a merchant are lower than the number of tests.
    await database.write(async (tx) => {
      await tx.deleteFrom('webhooks').execute();
      await tx.deleteFrom('limited_attempts').execute();
    });
    const rules = { mode: 'sandbox', allowLoopback: true, allowedHosts: [] } as const;
    const request = { database, merchantId: merchantId!, actor: 'console', now: systemClock.now() } as const;
    return createWebhook(request, { url: 'https://shop.example/events', types: undefined }, rules);
  },
  'developers/sandbox/messages/:id': async ({ merchantId }) => {
    const content = {
      name: 'Ada',
      subject: 'Your cart',
      text: 'Open it.',
      html: '<!doctype html><html lang="en"><head><title>Your cart</title></head><body>Open it.</body></html>',
    };
    const id = newId();
    const to = { merchantId: merchantId!, cartId: newId(), channel: 'email', to: 'ada@example.com' } as const;
    const message = { id, ...to, content, handling: 'recorded', createdAt: systemClock.now() } as const;
    await database.write((tx) => enqueueMessage(tx, message));
    return id;
  },
  'developers/requests/:id': async ({ merchantId }) => {
    const row = { id: newId(), keyId: 'aB3_x9Zq', method: 'POST', path: '/carts', status: 200, code: null } as const;
    await database.write((tx) => saveRequests(tx, [{ ...row, merchantId: merchantId! }]));
    return row.id;
  },
};

/** Returns the id of an object of a merchant for a screen or action; empty if its path has none. */
async function objectOf({ path }: { path: string }, scope: UserScope, user: User): Promise<string> {
  const [screen] = Object.keys(objects).filter((each) => path === each || path.startsWith(`${each}/`));
  if (path.includes(':') && !screen) throw new Error(`Expected an object of ${path} in "objects"`);
  return screen ? objects[screen]!(scope, user) : '';
}

const addressWith = ({ path }: { path: string }, at: string, id: string): string =>
  `/console/${at}${path && `/${path}`}`.replace(':id', id).replace(':kind', 'cancel');

/** Returns the address of a screen or action with an object of a merchant. */
async function addressOf(shown: { path: string }, at: string, scope: UserScope, user: User): Promise<string> {
  return addressWith(shown, at, await objectOf(shown, scope, user));
}

/** Returns the addresses of a screen or action that no user of `own` may see: of other merchants, and with their objects. */
async function foreignAddressesOf(shown: { path: string }): Promise<{ elsewhere: string[]; withForeignObject: string[] }> {
  const elsewhere = [];
  for (const at of [foreign.merchantId, sibling.merchantId, crypto.randomUUID(), 'x']) {
    elsewhere.push(await addressOf(shown, at, own, admin.user));
  }
  const withForeignObject = [];
  for (const scope of shown.path.includes(':') ? [foreign, sibling] : []) {
    withForeignObject.push(await addressOf(shown, own.merchantId, scope, admin.user));
  }
  return { elsewhere, withForeignObject };
}

/** Returns a valid form of an action without any value. @param id - Of the submission. */
function formFor(browser: ConsoleBrowser, address: string, id = 'A'.repeat(22)): Record<string, string> {
  const identity = ['console', browser.cookie('fairterm-console'), address];
  return { formToken: issueToken(formKey, identity, realClock.now(), id) };
}

/** Tables that record sessions, attempts and submissions, and no effect of a form. */
const UNRELATED = new Set(['user_sessions', 'limited_attempts', 'idempotency_keys', 'idempotency_writes']);

/** Returns the rows of all tables that a form could change, as one hash for each table. */
async function rows(): Promise<Record<string, string>> {
  const tables = (await database.query.introspection.getTables()).map(({ name }) => name).filter((name) => !UNRELATED.has(name));
  const found: Record<string, string> = {};
  for (const name of tables) {
    const all = await database.query
      .selectFrom(name as 'users')
      .selectAll()
      .execute();
    found[name] = `${all.length} rows, ${hash('sha256', JSON.stringify(all))}`;
  }
  return found;
}

/** Settles an order, of which another person then requests a refund. Returns the id of the request. */
async function requestRefundOf(merchantId: string, id: string): Promise<string> {
  const now = systemClock.now();
  const clerk = await signIn(
    served,
    merchants.find((each) => each.merchantId === merchantId)!,
    'finance',
  );
  const deps = { database, transactions };
  for (const type of ['authorize', 'settle'] as const)
    await transactions.act({ database, actor: 'key:test' }, { merchantId, id }, { type }, now);
  const { revision } = await getTransaction(database.query, merchantId, id);
  const refund = { type: 'refund', amount: 100, lineItems: undefined, reference: undefined, reason: 'damaged' } as const;
  await requestRefund(deps, clerk.user, { merchantId, id, revision }, refund, now);
  return (await findPendingRequest(database.query, id, now))!.id;
}

const createOrder = async (merchantId: string) => (await createBuyer(database, systemClock.now(), merchantId)).createPurchase();
const requestIn = async (merchantId: string) => requestRefundOf(merchantId, await createOrder(merchantId));

/** Authorizes an order. Returns the id of its event. */
async function eventIn(merchantId: string): Promise<string> {
  const id = await createOrder(merchantId);
  await transactions.act({ database, actor: 'key:test' }, { merchantId, id }, { type: 'authorize' }, systemClock.now());
  const events = database.query.selectFrom('events').select('id').where('merchantId', '=', merchantId);
  return (await events.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()).id;
}

/** The values of a valid form, by the path of its action. They may need an object in another state. */
const validValues: Record<string, (id: string) => Promise<Record<string, string>> | Record<string, string>> = {
  'orders/:id/shipment': () => ({ carrierName: 'Parcel', trackingNumber: 'T-1' }),
  'orders/:id/approval': async (id) => ({ request: await requestRefundOf(own.merchantId, id) }),
  'orders/:id/approval/reject': async (id) => ({ request: await requestRefundOf(own.merchantId, id) }),
  'orders/:id/:kind': () => ({ action: '{"type":"cancel","amount":100}', revision: '1', reason: 'damaged' }),
  settings: () => ({ name: 'Alder', storeUrl: shop.storeUrl }),
  'settings/approval': () => ({ refundApproval: '900' }),
  'links/new': () => ({ name0: 'Chair', price0: '100', lastDay: dateIn(plusDays(systemClock.now(), 7), 'UTC') }),
  'links/:id/email': () => ({ email: 'ada@example.com', name: 'Ada' }),
  'links/:id/text': () => ({ phone: '(555) 010-0100' }),
  'settings/team': () => ({ email: `${newToken(8)}@acme.example`, role: 'viewer' }),
  'settings/team/:id': () => ({ role: 'finance' }),
  'settings/passkeys/:id': () => ({ name: 'Phone' }),
  'developers/origins': () => ({ origin: 'https://www.shop.example' }),
  'developers/origins/remove': async () => {
    const origin = 'https://old.shop.example';
    await changeMerchant(database, 'sandbox', own.merchantId, { addOrigins: [origin] }, systemClock.now());
    return { origin };
  },
  'developers/webhooks': () => ({ url: 'https://shop.example/hooks' }),
  'developers/webhooks/:id/redeliver': async () => ({ event: await eventIn(own.merchantId) }),
  'developers/sandbox/clock': () => ({ now: systemClock.now().slice(0, 16) }),
};

/** Forms that need more than values: a signed agreement, and an authenticator. */
const NOT_POSSIBLE = ['orders/:id/agreement', 'settings/passkeys'];

/** The ids in hidden fields, by the path of the action: those of other objects, which it must not accept. */
const hiddenIds: Record<string, Record<string, () => Promise<string[]>>> = {
  'orders/:id/approval': { request: () => Promise.all(merchants.map(({ merchantId }) => requestIn(merchantId))) },
  'orders/:id/approval/reject': { request: () => Promise.all(merchants.map(({ merchantId }) => requestIn(merchantId))) },
  'developers/webhooks/:id/redeliver': {
    event: () => Promise.all([sibling, foreign].map(({ merchantId }) => eventIn(merchantId))),
  },
};

const visitors = new Map(await Promise.all(ROLES.map(async (role) => [role, await signIn(served, own, role)] as const)));
const admin = visitors.get('admin')!;
const tenantAdmin = await signIn(served, { tenantId: own.tenantId, merchantId: null });

describe.each(screens.map((screen) => [screen.path || 'home', screen] as const))('The screen %s', (_path, screen) => {
  it.each(ROLES)('is shown to the role %s only if its permissions include it', async (role) => {
    const { browser, user } = visitors.get(role)!;
    const page = await browser.open(await addressOf(screen, own.merchantId, own, user));
    expect(page.status).toBe(isPermitted(role, screen.permission) ? 200 : 403);
    if (page.headers.get('content-type')?.startsWith('text/html')) expect(page.faults).toEqual([]);
    expect(page.text.length).toBeLessThan(40_960);
  });

  it('is not found by any role for other merchants, for unknown ones, and with an object of another merchant', async () => {
    const { elsewhere, withForeignObject } = await foreignAddressesOf(screen);
    for (const [role, { browser }] of visitors) {
      const pages = await Promise.all(elsewhere.map((address) => browser.open(address)));
      expect([role, ...pages.map(({ status }) => status)]).toEqual([role, 404, 404, 404, 404]);
      expect(pages.filter(({ text }) => text.includes(own.merchantId))).toEqual([]);
      for (const address of withForeignObject) {
        expect([role, (await browser.open(address)).status]).toEqual([role, isPermitted(role, screen.permission) ? 404 : 403]);
      }
    }
  });

  it.runIf(screen.isSensitive)('is not shown without a recent sign-in', async () => {
    const address = await addressOf(screen, own.merchantId, own, admin.user);
    offsetMs = 11 * 60_000;
    const { status, headers } = await admin.browser.request(address).finally(() => (offsetMs = 0));
    expect([status, headers.get('location')]).toEqual([303, expect.stringMatching(/^\/console\/sign-in\?to=/)]);
  });

  it('is shown for each merchant of the tenant to a user with access to all, and not for those of other tenants', async () => {
    const { browser, user } = tenantAdmin;
    const statuses = [];
    for (const scope of [own, sibling, foreign]) {
      const isOwn = screen.path === 'settings/passkeys/:id';
      statuses.push((await browser.open(await addressOf(screen, scope.merchantId, isOwn ? user : scope, user))).status);
    }
    expect(statuses).toEqual([200, 200, 404]);
  });

  it('leads to the sign-in page without a session', async () => {
    const address = await addressOf(screen, own.merchantId, own, admin.user);
    const response = await fetch(publicUrl + address, { redirect: 'manual' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/console/sign-in?${new URLSearchParams({ to: address }).toString()}`);
  });
});

describe.each(actions.map((action) => [action.path, action] as const))('The form %s', (_path, action) => {
  const submit = async ({ browser }: typeof admin, address: string, fields: Record<string, string>, headers = {}) =>
    browser.request(address, post(fields, headers));

  it('changes nothing without its token, or with one that is forged, of another session or path, too old, or sent by another site', async () => {
    const address = await addressOf(action, own.merchantId, own, admin.user);
    const { formToken } = formFor(admin.browser, address) as { formToken: string };
    const before = await rows();
    const invalid: [fields: Record<string, string>, headers?: Record<string, string>][] = [
      [{}],
      [{ formToken: '' }],
      [{ formToken: formToken.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')) }],
      [{ formToken: formToken.replace(/^./, 'B') }],
      [formFor(tenantAdmin.browser, address)],
      [formFor(admin.browser, `${address}/x`)],
      [formFor(admin.browser, '/console/sign-out')],
      [{ formToken }, { 'sec-fetch-site': 'cross-site' }],
      [{ formToken }, { 'sec-fetch-site': 'same-site' }],
      [{ formToken }, { origin: 'https://evil.example' }],
    ];
    for (const [fields, headers] of invalid) {
      expect((await submit(admin, address, fields, headers)).status, `with ${JSON.stringify([fields, headers])}`).toBe(403);
    }
    offsetMs = 25 * 3_600_000;
    const old = formFor(admin.browser, address);
    offsetMs = 0;
    expect((await submit(admin, address, old)).status).toBe(422);
    expect((await fetch(publicUrl + address, { ...post({ formToken }), redirect: 'manual' })).status).toBe(303);
    expect(await rows()).toEqual(before);
  });

  it.each(ROLES.filter((role) => !isPermitted(role, action.permission)))('changes nothing for the role %s', async (role) => {
    const visitor = visitors.get(role)!;
    const address = await addressOf(action, own.merchantId, own, visitor.user);
    const before = await rows();
    expect((await submit(visitor, address, formFor(visitor.browser, address))).status).toBe(403);
    expect(await rows()).toEqual(before);
  });

  it('changes nothing of other merchants, and no object of one, whatever the role', async () => {
    const { elsewhere, withForeignObject } = await foreignAddressesOf(action);
    const before = await rows();
    for (const [role, visitor] of visitors) {
      const statusOf = async (address: string) => (await submit(visitor, address, formFor(visitor.browser, address))).status;
      for (const address of elsewhere) expect([role, await statusOf(address)]).toEqual([role, 404]);
      for (const address of withForeignObject) {
        expect([role, await statusOf(address)]).toEqual([role, isPermitted(role, action.permission) ? 404 : 403]);
      }
    }
    expect(await rows()).toEqual(before);
  });

  it('has its effect once if the same form is submitted twice', async () => {
    const id = await objectOf(action, own, admin.user);
    const address = addressWith(action, own.merchantId, id);
    const form = { ...formFor(admin.browser, address, newToken(16)), ...(await validValues[action.path]?.(id)) };
    const first = await submit(admin, address, form);
    const after = await rows();
    const again = await submit(admin, address, form);
    // A page with a secret is not shown again. A form that was rejected is validated again. A file is downloaded, and recorded, again.
    const isFile = first.headers.has('content-disposition');
    const expected = first.status === 200 && !isFile ? 409 : first.status;
    expect([again.status, again.headers.get('location')]).toEqual([expected, first.headers.get('location')]);
    const recorded = isFile ? { security_events: expect.any(String) } : {};
    expect(await rows()).toEqual({ ...after, ...recorded });
    expect(first.status >= 400).toBe(NOT_POSSIBLE.includes(action.path));
  });

  const foreignIds = Object.entries(hiddenIds[action.path] ?? {});
  it.each(foreignIds)('changes nothing with a hidden %s of another object', async (name, idsOf) => {
    for (const [role, visitor] of visitors) {
      if (!isPermitted(role, action.permission)) continue;
      const id = await objectOf(action, own, visitor.user);
      const address = addressWith(action, own.merchantId, id);
      const values = await validValues[action.path]?.(id);
      const foreignValues = await idsOf();
      const before = await rows();
      for (const value of [...foreignValues, crypto.randomUUID(), 'x']) {
        const form = { ...formFor(visitor.browser, address, newToken(16)), ...values, [name]: value };
        expect([404, 409]).toContain((await submit(visitor, address, form)).status);
      }
      expect(await rows()).toEqual(before);
    }
  });

  it.runIf(action.isSensitive)('changes nothing without a recent sign-in, and leads to the page to sign in again', async () => {
    const address = await addressOf(action, own.merchantId, own, admin.user);
    const before = await rows();
    offsetMs = 11 * 60_000;
    try {
      const { status, headers } = await submit(admin, address, formFor(admin.browser, address));
      expect([status, headers.get('location')]).toEqual([303, expect.stringMatching(/^\/console\/sign-in\?to=/)]);
    } finally {
      offsetMs = 0;
    }
    expect(await rows()).toEqual(before);
  });
});

it('Forms of money, keys, settings and people need a recent sign-in', () => {
  const needsProof = ({ path, permission }: ScreenAction) =>
    /\/keys|secret/.test(path) || ['refund', 'administer'].includes(permission);
  expect(actions.filter((action) => needsProof(action) && !action.isSensitive).map(({ path }) => path)).toEqual([]);
});
