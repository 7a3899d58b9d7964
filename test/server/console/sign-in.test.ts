import { ReadableStream } from 'node:stream/web';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { actions, screens } from '../../../server/console/screens.ts';
import { listKeys } from '../../../server/merchants/keys.ts';
import { recipientOf } from '../../../server/messages/addresses.ts';
import { type Clock, plusMs, systemClock } from '../../../server/base/time.ts';
import { newId } from '../../../server/base/ids.ts';
import { changeRole, inviteUser, removeUser } from '../../../server/console/users/users.ts';
import { startApp } from '../../support/app.ts';
import { testOperator } from '../../support/checkout.ts';
import { ConsoleBrowser, filledForm, post, signIn } from '../../support/console.ts';
import { createDatabase, describeOnEveryEngine } from '../../support/databases.ts';
import { Page } from '../../support/page.ts';
import { fetchResponse } from '../../support/service.ts';
import { storedDeliveries } from '../../support/stored.ts';
import { until } from '../../support/time.ts';

const MINUTE_MS = 60_000;
const limits = { idleMinutes: 30, sessionHours: 12, signInsPerEmail: 2, signInsPerAddress: 0 };

describeOnEveryEngine('The console', async (engine) => {
  const database = await createDatabase(engine);
  let offsetMs = 0;
  const realClock: Clock = { now: () => plusMs(systemClock.now(), offsetMs) };
  const { publicUrl, merchantId } = await startApp(database, { realClock, consoleLimits: limits });
  const served = { publicUrl, database };
  const { tenantId } = await database.query.selectFrom('merchants').select('tenantId').executeTakeFirstOrThrow();
  const scope = { tenantId, merchantId };
  const home = `/console/${merchantId}`;

  /** Returns the latest link that was e-mailed to an address, which is sent after the response. */
  const linkTo = (email: string, count: number) =>
    until(async () => {
      const sent = (await storedDeliveries(database)).filter(({ url }) => recipientOf(url) === email);
      return sent.length === count && /(\/console\/link\/[^"\\\s]+)/.exec(sent.at(-1)!.body)![1];
    });

  it('is entered by an invitation, which leads to the passkeys, and only once', async () => {
    const { browser, user } = await signIn(served, scope);
    const page = await browser.open('/console');
    expect(page).toMatchObject({ url: publicUrl + home, heading: 'Home', faults: [] });
    expect(page.texts('summary')).toContain(user.name);
    const link = await linkTo(user.email, 1);
    expect(await new ConsoleBrowser(publicUrl).open(link)).toMatchObject({ status: 410, heading: 'This link no longer works' });
  });

  it('is entered at another page by an invitation whose address names it, which is never that of another site', async () => {
    const invited = { ...scope, name: 'Bo', role: 'viewer' } as const;
    const mail = { publicUrl, operator: testOperator, handling: 'recorded' } as const;
    for (const [to, url] of [
      [home, home],
      ['https://evil.example/', '/console'],
    ]) {
      const user = { ...invited, email: `bo-${newId()}@shop.example` };
      const { path } = await inviteUser(database, user, undefined, mail, realClock.now());
      const browser = new ConsoleBrowser(publicUrl);
      const opened = await browser.open(`${path}?to=${encodeURIComponent(to!)}`);
      const entered = await browser.submit(opened, path);
      expect([to, new URL(entered.url).pathname.startsWith(url!), entered.heading]).toEqual([to, true, 'Home']);
    }
  });

  it('is entered by an e-mailed link in the browser that asked for it, and continues at the page that was opened', async () => {
    const { user } = await signIn(served, scope);
    const browser = new ConsoleBrowser(publicUrl);
    const asked = await browser.open(`${home}/settings/team?q=Jane`);
    expect(asked).toMatchObject({ language: 'en', heading: 'Sign in to the console', faults: [] });
    const invalid = await browser.submit(asked, '/console/sign-in', { email: 'ada' });
    expect(invalid).toMatchObject({ status: 422, language: 'en' });
    expect(invalid.texts('p', { class: 'error' })).toEqual(['Enter your e-mail address, such as name@example.com']);
    const sent = await browser.submit(invalid, '/console/sign-in', { email: user.email });
    expect(sent.heading).toBe('Check your e-mail');

    const link = await linkTo(user.email, 2);
    // Without what was searched for.
    expect(link).not.toContain('Jane');
    const elsewhere = await new ConsoleBrowser(publicUrl).open(link);
    expect(elsewhere).toMatchObject({ status: 403, heading: 'Open the link in the other browser' });
    const opened = await browser.open(link);
    expect(opened.headings).toEqual(['Sign in']);
    const before = await browser.open(link);
    const team = await browser.submit(opened, link.split('?')[0]!);
    expect(team).toMatchObject({ url: `${publicUrl}${home}/settings/team`, status: 200, heading: 'Team' });
    // The token of the browser was renewed, so that forms from before are not accepted.
    expect((await browser.submit(before, link.split('?')[0]!)).status).toBe(403);
  });

  it('responds in the same way to an address without a user, and to one that was removed', async () => {
    const { user, browser } = await signIn(served, scope);
    await removeUser(database, user.id, undefined, systemClock.now());
    expect((await browser.open(home)).heading).toBe('Sign in to the console');
    const count = (await storedDeliveries(database)).length;
    const pages = [];
    for (const email of [user.email, 'unknown@acme.example']) {
      const fresh = new ConsoleBrowser(publicUrl);
      const { action, fields } = filledForm(await fresh.open('/console/sign-in'), '/console/sign-in');
      const { status, headers } = await fresh.request(action, post({ ...fields, email }));
      pages.push({ status, location: headers.get('location'), cookie: headers.get('set-cookie') });
    }
    expect(pages[0]).toEqual({ status: 303, location: '/console/sign-in/sent', cookie: null });
    expect(pages[1]).toEqual(pages[0]);
    // A link to a user, which is sent after theirs.
    const { user: last } = await signIn(served, scope);
    const browserOfLast = new ConsoleBrowser(publicUrl);
    await browserOfLast.submit(await browserOfLast.open('/console/sign-in'), '/console/sign-in', { email: last.email });
    await linkTo(last.email, 2);
    expect(await storedDeliveries(database)).toHaveLength(count + 2);
  });

  it('keeps links for a browser with which the person has signed in before, and for no other person or browser', async () => {
    const { browser, user } = await signIn(served, scope);
    await browser.submit(await browser.open(home), '/console/sign-out');
    const ask = async (asking: ConsoleBrowser, email = user.email) =>
      (await asking.submit(await asking.open('/console/sign-in'), '/console/sign-in', { email })).status;
    const stranger = new ConsoleBrowser(publicUrl);
    expect([await ask(stranger), await ask(stranger), await ask(stranger)]).toEqual([200, 200, 429]);
    expect([await ask(browser), await ask(browser, ` ${user.email.toUpperCase()}`), await ask(browser)]).toEqual([200, 200, 429]);
    // The cookie is for this person, and cannot be made.
    const other = (await signIn(served, scope)).user.email;
    expect([await ask(stranger, other), await ask(stranger, other), await ask(browser, other)]).toEqual([200, 200, 429]);
    const forger = new ConsoleBrowser(publicUrl);
    const [id = '', ...token] = browser.cookie('fairterm-device').split('.');
    expect([id.length, token.length]).toEqual([22, 2]);
    const { fields } = filledForm(await forger.open('/console/sign-in'), '/console/sign-in');
    for (const cookie of [`A${id.slice(1)}.${token.join('.')}`, `${id}.${token[0]}.${'A'.repeat(43)}`, id]) {
      const headers = { cookie: `${forger.cookieHeader}; fairterm-device=${cookie}` };
      const forged = await fetchResponse(publicUrl + '/console/sign-in', post({ ...fields, email: user.email }, headers));
      expect(forged.status).toBe(429);
    }
  });

  it('asks for another proof for sensitive changes, 10 minutes after the sign-in, and returns to the page', async () => {
    const { browser, user } = await signIn(served, scope);
    const team = await browser.open(`${home}/settings/team`);
    offsetMs = 11 * MINUTE_MS;
    try {
      const typed = { email: 'new@acme.example', name: 'Grace Hopper', limit: '100', role: 'support' };
      const again = await browser.submit(team, '/settings/team', typed);
      expect(again).toMatchObject({ heading: 'Confirm that it is you', faults: [] });
      expect(new URL(again.url).searchParams.get('to')).toBe(`${home}/settings/team`);
      expect(again.values).toEqual({});
      // A signed-in browser is not limited by what others request for the address.
      for (let links = 0; links < 3; links += 1) await browser.submit(again, '/console/sign-in');
      const link = await linkTo(user.email, 4);
      const back = await browser.submit(await browser.open(link), link.split('?')[0]!);
      expect(back.url).toBe(`${publicUrl}${home}/settings/team`);
      // What was typed is shown once.
      expect(back.values).toMatchObject(typed);
      expect((await browser.open(`${home}/settings/team`)).values).toMatchObject({ email: '' });
      const invited = await browser.submit(back, '/settings/team', typed);
      expect(invited).toMatchObject({ status: 200, heading: 'Invitation' });
    } finally {
      offsetMs = 0;
    }
  });

  it('shows what was typed before the session ended to the same person, and not to the next one in the same browser', async () => {
    const typed = { email: 'new@acme.example', name: 'Grace Hopper' };
    const typeAndSignInAs = async (isSame: boolean) => {
      const { browser, user } = await signIn(served, scope);
      const team = await browser.open(`${home}/settings/team`);
      offsetMs = 31 * MINUTE_MS;
      await browser.submit(team, '/settings/team', typed);
      const cookie = browser.cookie('fairterm-typed');
      expect(cookie).not.toBe('');
      expect(
        cookie
          .split('.')
          .map((part) => Buffer.from(part, 'base64url').toString())
          .join(''),
      ).not.toContain('Hopper');
      const { email } = isSame ? user : (await signIn(served, scope)).user;
      await browser.submit(await browser.open('/console/sign-in'), '/console/sign-in', { email });
      const link = await linkTo(email, 2);
      await browser.submit(await browser.open(link), link);
      const shown = await browser.open(`${home}/settings/team`);
      return { values: shown.values, cookie: browser.cookie('fairterm-typed') };
    };
    try {
      expect(await typeAndSignInAs(true)).toMatchObject({ values: typed, cookie: '' });
      offsetMs = 0;
      expect(await typeAndSignInAs(false)).toMatchObject({ values: { email: '', name: '' }, cookie: '' });
    } finally {
      offsetMs = 0;
    }
  });

  it('shows what was typed in a form from before a sign-in in another tab, but not what another site has sent', async () => {
    const { browser } = await signIn(served, scope);
    const { action, fields } = filledForm(await browser.open(`${home}/settings/team`), '/settings/team');
    const typed = { ...fields, formToken: 'x', email: 'new@acme.example' };
    const send = (headers: Record<string, string>) => browser.open(action, post({ ...typed, role: 'viewer' }, headers));
    expect(await send({})).toMatchObject({ status: 403, values: { email: 'new@acme.example' } });
    expect(await send({ origin: 'https://evil.example' })).toMatchObject({ status: 403, values: { email: '' } });
    // Nor does a form without a valid token leave anything for the page after the sign-in.
    const signedOut = new ConsoleBrowser(publicUrl);
    await signedOut.open(action, post(typed));
    expect(signedOut.cookie('fairterm-typed')).toBe('');
  });

  /** Returns the form that creates a key. */
  const keyForm = async (browser: ConsoleBrowser) => filledForm(await browser.open(`${home}/developers`), '/developers/keys');
  const keyCount = async () => (await listKeys(database.query, merchantId)).length;

  it('changes nothing for a user who was removed, or has another role, since the form began to be sent', async () => {
    const now = systemClock.now();
    const ends = [
      (id: string) => removeUser(database, id, undefined, now),
      (id: string) => changeRole(database, id, { role: 'viewer' }, undefined, now),
    ];
    const before = await keyCount();
    for (const end of ends) {
      const { browser, user } = await signIn(served, scope);
      const { action, fields } = await keyForm(browser);
      const chunks = async function* () {
        const body = Buffer.from(new URLSearchParams(fields).toString());
        yield body.subarray(0, 10);
        await wait(200);
        await end(user.id);
        yield body.subarray(10);
      };
      const init = { ...post({}), body: ReadableStream.from(chunks()), duplex: 'half' };
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const { status, headers: received } = await browser.request(action, { ...init, headers } as RequestInit);
      expect([status, received.get('location')]).toEqual([303, expect.stringMatching(/^\/console\/sign-in\?to=/)]);
    }
    expect(await keyCount()).toBe(before);
  });

  it.runIf(engine === 'sqlite')('changes nothing for a user who was removed while the form waited to be saved', async () => {
    const { browser, user } = await signIn(served, scope);
    const { action, fields } = await keyForm(browser);
    const before = await keyCount();
    const sent = await database.write(async (tx) => {
      const response = browser.request(action, post(fields));
      await wait(200);
      await removeUser({ ...database, write: (work) => work(tx) }, user.id, undefined, systemClock.now());
      return { response };
    });
    const { status, headers } = await sent.response;
    expect([status, headers.get('location')]).toEqual([303, '/console/sign-in']);
    expect(await keyCount()).toBe(before);
  });

  it('applies a form once, however often it is submitted', async () => {
    const { browser } = await signIn(served, scope, 'admin');
    const { user } = await signIn(served, scope, 'viewer');
    const change = async (page: Page, role: string) => {
      const { action, fields } = filledForm(page, user.id);
      return browser.request(action, post({ ...fields, role, limit: '' }));
    };
    const page = await browser.open(`${home}/settings/team/${user.id}`);
    const events = async () =>
      (await database.query.selectFrom('security_events').select('id').where('kind', '=', 'user-changed').execute()).length;
    const before = await events();
    const first = await Promise.all([change(page, 'finance'), change(page, 'finance')]);
    expect(first.map(({ status }) => status)).toContain(303);
    const again = await change(page, 'finance');
    expect([again.status, again.headers.get('location')]).toEqual([303, `${home}/settings/team?done=settings.changed`]);
    expect(await events()).toBe(before + 1);
    const other = new Page(page.url, await change(page, 'admin'));
    expect(other.texts('p')).toContain(
      'This form was submitted already, with other values. Check what was changed, and submit it again.',
    );
    expect(await events()).toBe(before + 1);
  });

  it('confirms what an action has done once, and nothing that a link claims', async () => {
    const { browser } = await signIn(served, scope, 'admin');
    const { user } = await signIn(served, scope, 'viewer');
    const address = `${home}/settings/team?done=settings.changed`;
    const confirmed = async () => (await browser.open(address)).texts('p', { class: 'done' });
    expect(await confirmed()).toEqual([]);
    const done = await browser.submit(await browser.open(`${home}/settings/team/${user.id}`), user.id, { role: 'finance' });
    expect([new URL(done.url).search, done.texts('p', { class: 'done' })]).toEqual([
      '?done=settings.changed',
      ['The role was changed. The person has to sign in again.'],
    ]);
    expect(await confirmed()).toEqual([]);
  });

  it('ends a session when the user signs out, and after 30 minutes without a request', async () => {
    const { browser } = await signIn(served, scope);
    const page = await browser.open(home);
    expect((await browser.submit(page, '/console/sign-out')).heading).toBe('Sign in to the console');
    expect((await browser.open(home)).heading).toBe('Sign in to the console');
    const other = await signIn(served, scope);
    offsetMs = 30 * MINUTE_MS;
    const later = await other.browser.open(home).finally(() => (offsetMs = 0));
    expect(later.heading).toBe('Sign in to the console');
  });

  it('responds to addresses, searches and passkeys with a NUL without a fault', async () => {
    const { browser } = await signIn(served, scope, 'admin');
    for (const [path, status] of [
      ['orders?q=a%00b', 200],
      ['orders?q=%00', 200],
      ['orders?to=9999-12-31', 200],
      ['settings/team/%00', 404],
    ] as const) {
      expect([path, (await browser.request(`${home}/${path}`)).status]).toEqual([path, status]);
    }
    for (const { path } of [...screens, ...actions]) {
      const address = `${home}/${path.replaceAll(/:\w+/g, 'a%00b')}`;
      const statuses = [
        (await browser.request(address)).status,
        (await browser.request(address, post({ formToken: 'x' }))).status,
      ];
      expect([path, statuses.filter((status) => status >= 500)]).toEqual([path, []]);
    }
    const signedOut = new ConsoleBrowser(publicUrl);
    const page = await signedOut.open('/console/sign-in');
    const data = { clientDataJSON: 'e30', authenticatorData: '', signature: '' };
    const credential = { id: 'a\u0000b', rawId: 'a', type: 'public-key', response: data, clientExtensionResults: {} };
    const rejected = await signedOut.submit(page, '/console/passkey', { credential: JSON.stringify(credential) });
    expect(rejected.status).toBe(422);
  });

  it('sets cookies that scripts cannot read, and pages that no other site can frame or learn from', async () => {
    const { headers, text } = await new ConsoleBrowser(publicUrl).request('/console/sign-in');
    expect(headers.get('set-cookie')).toMatch(/^fairterm-console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*form-action 'self'; frame-ancestors 'none'/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('content-encoding')).toBe('gzip');
    const linked = await new ConsoleBrowser(publicUrl).request('/console/sign-in', {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(linked.headers.get('content-encoding')).toBeNull();
    expect(tokensIn(text).filter((token) => tokensIn(linked.text).includes(token))).toEqual([]);
  });

  it.each([
    '//evil.example',
    'https://evil.example/console',
    '/\\evil.example',
    '/c/code',
    'javascript:alert(1)',
    '/console/../c/x',
  ])('continues at the home page instead of %s', async (to) => {
    const { browser } = await signIn(served, scope);
    const page = await browser.open(`/console/sign-in?${new URLSearchParams({ to }).toString()}`);
    expect(page.url).toBe(publicUrl + home);
  });
});

const tokensIn = (html: string) => Array.from(html.matchAll(/name="formToken" value="([^"]+)"/g), ([, token]) => token);
