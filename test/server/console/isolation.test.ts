/** Every screen and action of the console × roles, foreign ids and forged forms. It reads `screens.ts`, so that new ones are covered. */
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../shared/dates.ts';
import { createCart } from '../../../server/carts/carts.ts';
import { getFormKey } from '../../../server/checkout/session/store.ts';
import { actions, screens } from '../../../server/console/screens.ts';
import type { Action } from '../../../server/console/web/screen.ts';
import { newId } from '../../../server/ids.ts';
import { addRequest } from '../../../server/merchant-requests/store.ts';
import { addKeyPair } from '../../../server/merchants/keys.ts';
import { createMerchant } from '../../../server/merchants/merchants.ts';
import { requireMerchant } from '../../../server/merchants/store.ts';
import { issueToken } from '../../../server/pages/form-token.ts';
import { addSettlement } from '../../../server/settlements/store.ts';
import { type Clock, plusMs, systemClock } from '../../../server/time.ts';
import { isPermitted, ROLES } from '../../../server/users/roles.ts';
import { addPasskey, type User, type UserScope } from '../../../server/users/store.ts';
import { createWebhook } from '../../../server/webhooks/webhooks.ts';
import { startApp } from '../../support/app.ts';
import { type ConsoleBrowser, post, signIn } from '../../support/console.ts';
import { createDatabase } from '../../support/databases.ts';
import { createBuyer } from '../../support/purchases.ts';

const database = await createDatabase();
let offsetMs = 0;
const realClock: Clock = { now: () => plusMs(systemClock.now(), offsetMs) };
const { publicUrl } = await startApp(database, { realClock });
const served = { publicUrl, database };
const formKey = await getFormKey(database.query);
const shop = { name: 'Acme', storeUrl: 'https://shop.example', origins: [] };
const own = await createMerchant(database, 'sandbox', shop, systemClock.now());
const sibling = await createMerchant(database, 'sandbox', { ...shop, tenantId: own.tenantId }, systemClock.now());
const foreign = await createMerchant(database, 'sandbox', shop, systemClock.now());

let settledDays = 0;

/** The ids of objects of a merchant, by the path of the screens that show one. `user` is the one who looks. */
const objects: Record<string, (scope: UserScope, user: User) => Promise<string>> = {
  'orders/:id': async ({ merchantId }) => (await createBuyer(database, systemClock.now(), merchantId!)).createPurchase(),
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
    // The limit of a merchant is lower than the number of tests.
    await database.write((tx) => tx.deleteFrom('webhooks').execute());
    const rules = { mode: 'sandbox', allowLoopback: true, allowedHosts: [] } as const;
    const request = { database, merchantId: merchantId!, actor: 'console', now: systemClock.now() } as const;
    return createWebhook(request, { url: 'https://shop.example/events', types: undefined }, rules);
  },
  'developers/requests/:id': async ({ merchantId }) => {
    const row = { id: newId(), keyId: 'aB3_x9Zq', method: 'POST', path: '/carts', status: 200, code: null } as const;
    await database.write((tx) => addRequest(tx, { ...row, merchantId: merchantId! }));
    return row.id;
  },
};

/** Returns the address of a screen or action with an object of a merchant. */
async function addressOf({ path }: { path: string }, at: string, scope: UserScope, user: User): Promise<string> {
  const [screen] = Object.keys(objects).filter((each) => path === each || path.startsWith(`${each}/`));
  if (path.includes(':') && !screen) throw new Error(`Expected an object of ${path} in "objects"`);
  const id = screen ? await objects[screen]!(scope, user) : '';
  return `/console/${at}${path && `/${path}`}`.replace(':id', id).replace(':kind', 'cancel');
}

/** Returns a valid form of an action without any value. */
function formFor(browser: ConsoleBrowser, address: string): Record<string, string> {
  const id = 'A'.repeat(22);
  const identity = ['console', browser.cookie('fairterm-console'), id, address];
  return { formToken: `${id}.${issueToken(formKey, identity, realClock.now())}` };
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

  it('is not found for other merchants, for unknown ones, and with an object of another merchant', async () => {
    for (const at of [foreign.merchantId, sibling.merchantId, crypto.randomUUID(), 'x']) {
      const page = await admin.browser.open(await addressOf(screen, at, own, admin.user));
      expect(page.status).toBe(404);
      expect(page.text).not.toContain(own.merchantId);
    }
    if (!screen.path.includes(':')) return;
    for (const scope of [foreign, sibling]) {
      const page = await admin.browser.open(await addressOf(screen, own.merchantId, scope, admin.user));
      expect(page.status).toBe(404);
    }
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

  it('changes nothing of other merchants, and no object of one', async () => {
    const addresses = [];
    for (const at of [foreign.merchantId, sibling.merchantId]) addresses.push(await addressOf(action, at, own, admin.user));
    if (action.path.includes(':')) {
      for (const scope of [foreign, sibling]) addresses.push(await addressOf(action, own.merchantId, scope, admin.user));
    }
    const before = await rows();
    for (const address of addresses) {
      expect((await submit(admin, address, formFor(admin.browser, address))).status).toBe(404);
    }
    expect(await rows()).toEqual(before);
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
  const needsProof = ({ path, permission }: Action) =>
    /\/keys|secret/.test(path) || ['refund', 'administer'].includes(permission);
  expect(actions.filter((action) => needsProof(action) && !action.isSensitive).map(({ path }) => path)).toEqual([]);
});
