import { expect, it } from 'vitest';
import { newToken } from '../../../../server/base/ids.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { recipientOf } from '../../../../server/messages/addresses.ts';
import { findDelivery } from '../../../../server/messages/store.ts';
import { listSecurityEvents } from '../../../../server/merchants/security-events.ts';
import { type Instant, plusDays, plusMs } from '../../../../server/base/time.ts';
import { canRefund, ROLES, refundLimitOf } from '../../../../server/console/users/roles.ts';
import { findSignedIn, isRecent, signOut } from '../../../../server/console/users/sessions.ts';
import { countSignIn, readLink, sendSignInLinks, signInWithLink } from '../../../../server/console/users/sign-in.ts';
import { findUser, listUsers, type User, usersOfEmail } from '../../../../server/console/users/store.ts';
import { changeRole, inviteUser, removeUser } from '../../../../server/console/users/users.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { testConfig } from '../../../support/data-keys.ts';

const now: Instant = '2026-11-21T09:30:00.000000Z';
const MINUTE_MS = 60_000;
const limits = { idleMinutes: 30, sessionHours: 12 };
const mail = { publicUrl: 'https://pay.example', operator: testConfig.operator!, handling: 'recorded' as const };
const newBrowser = () => newToken(32);

it.each([
  ['viewer', null, false, false],
  ['support', 5_000, true, false],
  ['finance', null, true, true],
  ['developer', null, false, false],
  ['admin', null, true, true],
] as const)('A user with the role %s refunds up to its limit', (role, refundLimitCents, small, large) => {
  expect(canRefund({ role, refundLimitCents }, 5_000)).toBe(small);
  expect(canRefund({ role, refundLimitCents }, 5_001)).toBe(large);
});

describeOnEveryEngine('Users', async (engine) => {
  const database = await createDatabase(engine);
  const { query } = database;
  const shop = { name: 'Acme', storeUrl: 'https://shop.example', origins: [] };
  const own = await createMerchant(database, 'sandbox', shop, now);
  const sibling = await createMerchant(database, 'sandbox', { ...shop, tenantId: own.tenantId }, now);
  const foreign = await createMerchant(database, 'sandbox', shop, now);
  let people = 0;

  /** Invites a new person. */
  async function invite(change: Partial<Parameters<typeof inviteUser>[1]> = {}, by?: User) {
    const scope = { tenantId: own.tenantId, merchantId: own.merchantId };
    const invited = {
      ...scope,
      email: `person-${++people}@acme.example`,
      name: 'Ada Lovelace',
      role: 'viewer' as const,
      ...change,
    };
    const { user, path } = await inviteUser(database, invited, by, mail, now);
    return { user, token: path.split('/').at(-1)! };
  }

  /** Signs in with a link in a new browser. Returns the token of the browser. */
  async function signIn(token: string, at = now, before?: string): Promise<string> {
    const after = newBrowser();
    expect(await signInWithLink(database, token, { before, after }, limits, at)).toMatchObject({ status: 'usable' });
    return after;
  }

  const userOf = async (browser: string, at = now) => (await findSignedIn(database, browser, limits, at))?.user.id;

  /** Returns the paths of the links that were e-mailed to an address, the latest first. */
  async function mailedTo(email: string): Promise<string[]> {
    const rows = await query.selectFrom('outbox').select('id').orderBy('id', 'desc').execute();
    const deliveries = await Promise.all(rows.map(({ id }) => findDelivery(query, id)));
    const sent = deliveries.filter((delivery) => delivery && recipientOf(delivery.url) === email);
    return sent.map((delivery) => /https:\/\/pay\.example(\/\S+)/.exec(JSON.parse(delivery!.body).text)![1]!);
  }

  it('sign in once with an invitation, within 7 days, in any browser', async () => {
    const { user, token } = await invite({ role: 'admin' });
    expect(await readLink(query, token, undefined, plusDays(now, 7))).toEqual({ status: 'expired' });
    const browser = await signIn(token, plusMs(plusDays(now, 7), -1));
    expect(await userOf(browser, plusDays(now, 7))).toBe(user.id);
    expect(await signInWithLink(database, token, { before: undefined, after: newBrowser() }, limits, now)).toEqual({
      status: 'expired',
    });
    expect(await mailedTo(user.email)).toEqual([`/console/link/${token}`]);
  });

  it('use a link to sign in only once, also if two requests use it at the same time', async () => {
    const { token } = await invite();
    const use = () => signInWithLink(database, token, { before: undefined, after: newBrowser() }, limits, now);
    const states = await Promise.all([use(), use()]);
    expect(states.map(({ status }) => status).toSorted()).toEqual(['expired', 'usable']);
  });

  it('sign in with an e-mailed link only in the browser that asked for it, within 15 minutes', async () => {
    const { user } = await invite();
    const browserToken = newBrowser();
    const request = { email: user.email.toUpperCase(), browserToken, query: '?to=orders' };
    await sendSignInLinks(database, request, mail, now);
    const [path] = await mailedTo(user.email);
    const [, token] = /^\/console\/link\/([\w-]{43})\?to=orders$/.exec(path!)!;
    expect(await readLink(query, token!, newBrowser(), now)).toEqual({ status: 'other-browser' });
    expect(await readLink(query, token!, undefined, now)).toEqual({ status: 'other-browser' });
    expect(await readLink(query, token!, browserToken, plusMs(now, 15 * MINUTE_MS))).toEqual({ status: 'expired' });
    const after = await signIn(token!, now, browserToken);
    expect([await userOf(after), await userOf(browserToken)]).toEqual([user.id, undefined]);
  });

  it('are signed out after 30 minutes without a request, and after 12 hours', async () => {
    const browser = await signIn((await invite()).token);
    expect(await userOf(browser, plusMs(now, 30 * MINUTE_MS))).toBeUndefined();
    let at = now;
    for (let minutes = 0; minutes < 12 * 60; minutes += 29) {
      at = plusMs(now, minutes * MINUTE_MS);
      expect(await userOf(browser, at)).toBeDefined();
    }
    expect(await userOf(browser, plusMs(now, 12 * 60 * MINUTE_MS))).toBeUndefined();
  });

  it.each([1, 2, 30])('stay signed in with a request a second before %s idle minutes have passed', async (idleMinutes) => {
    const browser = await signIn((await invite()).token);
    const idleMs = idleMinutes * MINUTE_MS;
    const seenAt = (at: Instant) => findSignedIn(database, browser, { ...limits, idleMinutes }, at);
    // Also if the request before was shortly after the sign-in.
    let at = plusMs(now, idleMs / 60);
    expect(await seenAt(at)).toBeDefined();
    for (let request = 0; request < 5; request += 1) {
      at = plusMs(at, idleMs - 1_000);
      expect(await seenAt(at)).toBeDefined();
    }
    expect(await seenAt(plusMs(at, idleMs))).toBeUndefined();
  });

  it('keep the limit of their refunds when they are invited again, unless the invitation states another', async () => {
    const { user } = await invite({ role: 'support', refundLimitCents: 10_000 });
    const again = async (change: Parameters<typeof invite>[0]) => (await invite({ email: user.email, ...change })).user;
    expect(await again({ role: 'support' })).toMatchObject({ id: user.id, refundLimitCents: 10_000 });
    expect(await again({ role: 'support', refundLimitCents: 20_000 })).toMatchObject({ refundLimitCents: 20_000 });
    const other = await again({ role: 'finance' });
    expect([canRefund(other, 50_000), refundLimitOf(other)]).toEqual([true, null]);
    expect(await again({ role: 'support' })).toMatchObject({ refundLimitCents: 20_000 });
    for (const role of ['viewer', 'support'] as const) await changeRole(database, user.id, { role }, undefined, now);
    expect(await findUser(query, user.id)).toMatchObject({ role: 'support', refundLimitCents: 20_000 });
    expect((await invite({ role: 'support' })).user).toMatchObject({ refundLimitCents: 50_000 });
  });

  it('have proved who they are recently for 10 minutes after they signed in', async () => {
    const signedIn = await findSignedIn(database, await signIn((await invite()).token), limits, now);
    const after = (minutes: number) => isRecent(signedIn!, plusMs(now, minutes * MINUTE_MS));
    expect([after(9.9), after(10)]).toEqual([true, false]);
  });

  it('are signed out in one browser, and in all of them when their role changes or they are removed', async () => {
    const { user, token } = await invite();
    const browser = await signIn(token);
    await signOut(database, (await findSignedIn(database, browser, limits, now))!, browser, now);
    expect(await userOf(browser)).toBeUndefined();

    const again = await signIn((await invite({ email: user.email })).token);
    const unused = await invite({ email: user.email });
    expect(await userOf(again)).toBeUndefined();
    const third = await signIn((await invite({ email: user.email })).token);
    expect(await readLink(query, unused.token, undefined, now)).toEqual({ status: 'expired' });
    await changeRole(database, user.id, { role: 'support' }, undefined, now);
    expect([await userOf(third), (await findUser(query, user.id))?.refundLimitCents]).toEqual([undefined, 50_000]);

    const last = await invite({ email: user.email, role: 'finance' });
    const fourth = await signIn(last.token);
    await removeUser(database, user.id, undefined, now);
    expect([last.user.id, await userOf(fourth)]).toEqual([user.id, undefined]);
    expect(await listUsers(query, user)).not.toContainEqual(expect.objectContaining({ id: user.id }));
    await expect(removeUser(database, user.id, undefined, now)).rejects.toMatchObject({ code: 'invalid-request' });

    // The e-mail address is deleted. The name remains for the history of orders.
    expect(await findUser(query, user.id)).toMatchObject({ name: 'Ada Lovelace', email: '', emailHash: '0'.repeat(64) });
    expect(await usersOfEmail(query, user.email)).toEqual([]);
    await removeUser(database, (await invite()).user.id, undefined, now);

    const events = await listSecurityEvents(query, { limit: 1_000 });
    const kinds = events.filter(({ details }) => details['userId'] === user.id).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(
      new Set(['user-invited', 'user-signed-in', 'user-signed-out', 'user-changed', 'user-removed']),
    );
    expect(JSON.stringify(events)).not.toContain(user.email);
  });

  it('are managed only by administrators of their merchant or of all merchants of their tenant', async () => {
    const target = (await invite()).user;
    const admin = (await invite({ role: 'admin' })).user;
    const tenantAdmin = (await invite({ role: 'admin', merchantId: null })).user;
    const siblingAdmin = (await invite({ role: 'admin', merchantId: sibling.merchantId })).user;
    const foreignScope = { tenantId: foreign.tenantId, merchantId: foreign.merchantId };
    const foreignAdmin = (await invite({ role: 'admin', ...foreignScope })).user;
    const others = await Promise.all(ROLES.filter((role) => role !== 'admin').map((role) => invite({ role })));
    const rejection = { code: 'invalid-request' };
    for (const by of [siblingAdmin, foreignAdmin, target, ...others.map(({ user }) => user)]) {
      await expect(changeRole(database, target.id, { role: 'finance' }, by, now)).rejects.toMatchObject(rejection);
      await expect(removeUser(database, target.id, by, now)).rejects.toMatchObject(rejection);
      await expect(invite({}, by)).rejects.toMatchObject(rejection);
    }
    await expect(removeUser(database, tenantAdmin.id, admin, now)).rejects.toMatchObject(rejection);
    await expect(invite({ merchantId: null }, admin)).rejects.toMatchObject(rejection);
    await expect(removeUser(database, admin.id, admin, now)).rejects.toMatchObject(rejection);
    await expect(invite({ email: admin.email }, admin)).rejects.toMatchObject(rejection);
    for (const by of [admin, tenantAdmin]) {
      expect(await changeRole(database, target.id, { role: 'finance' }, by, now)).toMatchObject({ role: 'finance' });
    }
    expect(await removeUser(database, admin.id, tenantAdmin, now)).toMatchObject({ removedAt: now });
    const seen = await listUsers(query, { tenantId: own.tenantId, merchantId: sibling.merchantId });
    expect(seen.map(({ id }) => id).toSorted()).toEqual([tenantAdmin.id, siblingAdmin.id].toSorted());
  });

  it('are not invited, changed or removed with another account of theirs, however their address is written', async () => {
    const email = 'grace.hopper@gmail.com';
    const tenantAdmin = (await invite({ role: 'admin', merchantId: null, email })).user;
    const account = (await invite({ role: 'finance', email: 'Grace.Hopper@gmail.com' })).user;
    const rejection = { code: 'invalid-request', reason: 'own-account' };
    for (const spelling of [email, ' GRACE.hopper@gmail.com', 'gracehopper+2@googlemail.com']) {
      for (const merchantId of [null, spelling.includes('+') ? sibling.merchantId : account.merchantId]) {
        await expect(invite({ merchantId, email: spelling, role: 'finance' }, tenantAdmin)).rejects.toMatchObject(rejection);
      }
    }
    await expect(changeRole(database, account.id, { role: 'admin' }, tenantAdmin, now)).rejects.toMatchObject(rejection);
    await expect(removeUser(database, account.id, tenantAdmin, now)).rejects.toMatchObject(rejection);
    const colleague = (await invite({ role: 'admin' })).user;
    expect(await changeRole(database, account.id, { role: 'viewer' }, colleague, now)).toMatchObject({ role: 'viewer' });
  });

  it('are invited by administrators five times a day at most, at all merchants and with all spellings together', async () => {
    const inviters: User[] = [];
    for (const merchantId of [own.merchantId, sibling.merchantId])
      inviters.push((await invite({ role: 'admin', merchantId })).user);
    const email = (number: number) => `stranger+${number}@elsewhere.example`;
    const inviteAt = (number: number, at = now) =>
      inviteUser(
        database,
        { tenantId: own.tenantId, merchantId: inviters[number % 2]!.merchantId, email: email(number), name: '', role: 'viewer' },
        inviters[number % 2],
        mail,
        at,
      );
    const results = await Promise.allSettled(Array.from({ length: 12 }, (_, number) => inviteAt(number)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'rate-limited' });
    }
    // A rejected invitation adds no user. An operator, who is trusted, has no limit.
    const added = await Promise.all(results.map((_, number) => usersOfEmail(query, email(number))));
    expect(added.flat()).toHaveLength(5);
    await invite({ email: email(0) });
    await inviteAt(20, plusDays(now, 1));
  });

  it('are invited 50 times a day at most by the administrators of a merchant', async () => {
    const { tenantId, merchantId } = await createMerchant(database, 'sandbox', shop, now);
    const { user: admin } = await invite({ tenantId, merchantId, role: 'admin' });
    for (let count = 0; count < 50; count += 1) await invite({ tenantId, merchantId }, admin);
    await expect(invite({ tenantId, merchantId }, admin)).rejects.toMatchObject({ code: 'rate-limited' });
    await invite({}, (await invite({ role: 'admin' })).user);
  });

  it('are not managed by an administrator who was removed, or has another role, since their request began', async () => {
    const { user } = await invite();
    const { user: removed } = await invite({ role: 'admin' });
    const { user: demoted } = await invite({ role: 'admin' });
    await removeUser(database, removed.id, undefined, now);
    await changeRole(database, demoted.id, { role: 'finance' }, undefined, now);
    const rejection = { code: 'invalid-request' };
    for (const by of [removed, demoted]) {
      await expect(invite({}, by)).rejects.toMatchObject(rejection);
      await expect(invite({ email: user.email, role: 'admin' }, by)).rejects.toMatchObject(rejection);
      await expect(changeRole(database, user.id, { role: 'admin' }, by, now)).rejects.toMatchObject(rejection);
      await expect(removeUser(database, user.id, by, now)).rejects.toMatchObject(rejection);
    }
    expect(await findUser(query, user.id)).toMatchObject({ role: 'viewer', removedAt: null });
  });

  it('leave an administrator when two of them remove each other at the same time', async () => {
    const { user: one } = await invite({ role: 'admin' });
    const { user: other } = await invite({ role: 'admin' });
    const results = await Promise.allSettled([
      removeUser(database, one.id, other, now),
      removeUser(database, other.id, one, now),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('are invited and sign in whatever the number of their accounts in other tenants', async () => {
    const email = 'agency@acme.example';
    for (let count = 0; count < 6; count += 1) {
      const { tenantId } = await createMerchant(database, 'sandbox', shop, now);
      await invite({ tenantId, merchantId: null, email });
    }
    const { user } = await invite({ email });
    expect((await invite({ email, role: 'support' })).user).toMatchObject({ id: user.id, role: 'support' });
  });

  it('are not accepted if their row or their session was changed in the database', async () => {
    const { user, token } = await invite();
    const browser = await signIn(token);
    await database.write((tx) =>
      tx
        .updateTable('user_sessions')
        .set({ endsAt: plusDays(now, 9) })
        .where('userId', '=', user.id)
        .execute(),
    );
    expect(await userOf(browser)).toBeUndefined();
    await database.write((tx) => tx.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).execute());
    await expect(findUser(query, user.id)).rejects.toThrow();
  });

  it('wait after too many requests for a link, by network, and by e-mail address and network', async () => {
    const allowed = { signInsPerEmail: 2, signInsPerAddress: 3 };
    const count = (network: string, email: string, at = now) =>
      countSignIn(database, { networks: [network], email, session: undefined }, allowed, at);
    const email = 'someone@acme.example';
    expect(await count('192.0.2.2', email)).toBe(0);
    expect(await count('192.0.2.2', 'Someone@acme.example ')).toBe(0);
    expect(await count('192.0.2.2', email, plusMs(now, 600_000))).toBe(3_000);
    // A stranger cannot use up the links of a person in another network, but the inbox has a limit.
    const others = [3, 3, 4, 4, 5, 5].map((last) => count(`192.0.2.${last}`, email, plusMs(now, 600_000)));
    expect(await Promise.all(others)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await count('192.0.2.6', email, plusMs(now, 600_000))).toBe(3_000);
    expect(await count('192.0.2.2', email, plusMs(now, 3_600_001))).toBe(0);
    for (const each of ['a@acme.example', 'b@acme.example', 'c@acme.example']) expect(await count('192.0.2.1', each)).toBe(0);
    expect(await count('192.0.2.1', 'd@acme.example')).toBe(3_600);
  });

  it('get links in a browser with which they have signed in before, however many strangers have asked for', async () => {
    const allowed = { signInsPerEmail: 2, signInsPerAddress: 8 };
    const email = 'locked-out@acme.example';
    const count = (network: string, known?: string) =>
      countSignIn(database, { networks: [network], email, session: undefined, device: known }, allowed, now);
    for (let links = 0; links < 8; links += 1) expect(await count(`203.0.113.${links}`)).toBe(0);
    expect(await count('203.0.113.9')).toBe(3_600);
    const device = newToken(16);
    const results = await Promise.all([1, 2, 3].map(() => count('203.0.113.9', device)));
    expect(results.toSorted((a, b) => a - b)).toEqual([0, 0, 3_600]);
    expect(await count('203.0.113.9', newToken(16))).toBe(0);
  });

  it('prove again who they are however many links others have asked for, in each session up to a limit', async () => {
    const allowed = { signInsPerEmail: 2, signInsPerAddress: 1 };
    const email = 'colleague@acme.example';
    const count = (session?: string) => countSignIn(database, { networks: ['198.51.100.9'], email, session }, allowed, now);
    expect([await count(), await count()]).toEqual([0, 3_600]);
    const session = newBrowser();
    for (let links = 0; links < 8; links += 1) expect(await count(session)).toBe(0);
    expect([await count(session), await count(newBrowser())]).toEqual([3_600, 0]);
  });
});
