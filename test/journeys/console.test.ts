/** The console in a real browser: passkeys with a virtual authenticator, and the look and accessibility of all pages. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { screens } from '../../server/console/screens.ts';
import { plusMs, systemClock } from '../../server/base/time.ts';
import { passkeysOf } from '../../server/console/users/store.ts';
import { inviteUser } from '../../server/console/users/users.ts';
import type { Screen } from '../../server/console/web/screen.ts';
import { COLOR_RULES, expectAccessible, openPage, shiftsOf, startBrowser } from '../support/browser.ts';
import { startApp } from '../support/app.ts';
import { chair, completeCheckout, completeCheckoutAndAct, testOperator } from '../support/checkout.ts';
import { startConsoleShop } from '../support/console-shop.ts';
import { createDatabase } from '../support/databases.ts';

const shop = await startConsoleShop();
const { service, merchant } = shop;
const browser = await startBrowser();

/** Gives a page an authenticator that confirms every request, as with a fingerprint. */
async function addAuthenticator(page: Page) {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const;
  const authenticator = { ...options, isUserVerified: true, automaticPresenceSimulation: true };
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', { options: authenticator });
  return {
    confirm: (isUserVerified: boolean) => devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () => (await devTools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  };
}

it('An invited person adds a passkey, signs out, and signs in with it', async () => {
  const { page, problems } = await openPage(browser, { locale: 'en-US' });
  const authenticator = await addAuthenticator(page);
  await page.goto((await shop.invite('ada@acme.example', { hasPasskey: false })).address);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.getByLabel('Name').fill('Work laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('The passkey was added. You can sign in with it from now on.').waitFor();
  expect(await page.getByRole('table').innerText()).toContain('Work laptop');
  expect(await authenticator.credentials()).toHaveLength(1);

  await page.locator('.user summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(`${shop.home}/settings/team`);
  const signIn = page.getByRole('button', { name: 'Sign in with a passkey' });

  // A passkey that the person does not confirm changes nothing.
  await authenticator.confirm(false);
  await signIn.click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').innerText()).toBe('The passkey was not accepted. Try again, or use an e-mailed link.');
  await expectAccessible(page, 'after a passkey that failed');

  await authenticator.confirm(true);
  await signIn.click();
  await page.waitForURL(`${shop.home}/settings/team`);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Team');

  await page.goto(`${shop.home}/settings/passkeys`);
  await page.getByRole('link', { name: 'Change' }).click();
  await page.getByRole('button', { name: 'Remove the passkey' }).click();
  await page.getByText('The passkey was removed.').waitFor();
  await page.locator('.user summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('The passkey was not accepted. Try again, or use an e-mailed link.').waitFor();
  expect(problems.filter((problem) => !problem.includes('422'))).toEqual([]);
});

it('A passkey is created only if it can be saved: with a new challenge, and after a recent sign-in', async () => {
  const database = await createDatabase();
  let offsetMs = 0;
  const { publicUrl, merchantId } = await startApp(database, { realClock: { now: () => plusMs(systemClock.now(), offsetMs) } });
  const { tenantId } = await database.query.selectFrom('merchants').select('tenantId').executeTakeFirstOrThrow();
  const invited = { tenantId, merchantId, role: 'viewer', email: 'ada@acme.example', name: 'Ada' } as const;
  const mail = { publicUrl, operator: testOperator, handling: 'recorded' } as const;
  const { path, user } = await inviteUser(database, invited, undefined, mail, systemClock.now());
  const { page, problems } = await openPage(browser, { locale: 'en-US' });
  const authenticator = await addAuthenticator(page);
  await page.goto(publicUrl + path);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  const add = async (name: string) => {
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
  };
  const stored = async () => (await passkeysOf(database.query, user.id)).map(({ name }) => name);

  await page.waitForURL(/\/settings\/passkeys$/);
  offsetMs = 6 * 60_000;
  await add('Work laptop');
  await page.getByText('The passkey was added. You can sign in with it from now on.').waitFor();
  expect(await stored()).toEqual(['Work laptop']);

  offsetMs = 11 * 60_000;
  await add('Phone');
  await page.waitForURL(/\/console\/sign-in\?/);
  expect(await authenticator.credentials()).toHaveLength(1);

  // The challenge of the page to sign in is a new one, too.
  offsetMs = 17 * 60_000;
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(/\/settings\/passkeys$/);
  expect(await stored()).toEqual(['Work laptop']);
  expect(problems).toEqual([]);
});

it('All pages are accessible in all colors, fit on a phone, do not move while they load, and have few bytes', async () => {
  const { page, problems } = await openPage(browser, { locale: 'en-US' });
  const { address, passkeyId } = await shop.invite('grace@acme.example');
  await expectQuality(page, `${service.publicUrl}/console/sign-in`);
  await expectQuality(page, address);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  for (const screen of screens) {
    for (const path of pathsOf(screen, passkeyId))
      await expectQuality(page, `${shop.home}${path && path.replace(/^(?!\?)/, '/')}`);
  }
  await expectQuality(page, `${shop.home}/unknown`);
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
});

it('Orders with one reference, their list and Home are accessible in all colors, and fit on a phone', async () => {
  const { page, problems } = await openPage(browser, { locale: 'en-US' });
  const seller = await service.createMerchant();
  const options = { items: [chair], orderRef: 'WEB-2026-000117' };
  await completeCheckoutAndAct(seller, [{ type: 'authorize' }], options);
  await completeCheckout(seller, options);
  const marked = await completeCheckout(seller, options);
  const { tenantId, merchantId } = seller;
  const mail = { publicUrl: service.publicUrl, operator: testOperator, handling: 'recorded' } as const;
  const invited = { tenantId, merchantId, role: 'support', email: 'twice@acme.example', name: 'Ada Lovelace' } as const;
  const { path } = await inviteUser(service.database, invited, undefined, mail, systemClock.now());
  await page.goto(service.publicUrl + path);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  const home = `${service.publicUrl}/console/${merchantId}`;
  for (const address of [home, `${home}/orders?view=same-reference`, `${home}/orders/${marked}`])
    await expectQuality(page, address);
  await page.getByRole('button', { name: 'Not a duplicate' }).click();
  await expectAccessible(page, 'after it was dismissed');
  expect(problems).toEqual([]);
});

/** Returns the paths of a screen, with the objects of the shop. */
function pathsOf({ path }: Screen, passkeyId: string): string[] {
  if (path === '') return ['', '?range=7d'];
  if (!path.includes(':')) return [path];
  const { order, longOrder, link, settlement, webhook, request, message, member } = shop.ids;
  const paths: Record<string, string[]> = {
    'orders/:id': [order, longOrder],
    'orders/:id/approval': [`${longOrder}/approval`],
    'orders/:id/:kind': [`${order}/refund`, `${longOrder}/refund?all=yes`, `${order}/refund?quantity-0=99`, `${order}/cancel`],
    'links/:id': [link],
    'money/:id': [settlement],
    'developers/keys/:id': [merchant.apiKey],
    'developers/webhooks/:id': [webhook],
    'developers/requests/:id': [request],
    'developers/sandbox/messages/:id': [message],
    // An e-mail, which the page before shows in a frame.
    'developers/sandbox/messages/:id/html': [],
    'settings/team/:id': [member],
    'settings/passkeys/:id': [passkeyId],
  };
  if (!paths[path]) throw new Error(`Expected paths of ${path} in "pathsOf"`);
  return paths[path].map((rest) => path.replace(/:.*/, rest));
}

/** As sent, which is compressed. */
const MAX_BYTES = 8_192;

/** Asserts the quality of a page on a wide screen and on a phone. */
async function expectQuality(page: Page, url: string): Promise<void> {
  const open = async () => {
    const response = await page.goto(url);
    const { responseBodySize: sentBytes } = await response!.request().sizes();
    expect(sentBytes, `bytes of ${url}`).toBeLessThan(MAX_BYTES);
    expect(await shiftsOf(page), `layout shifts of ${url}`).toEqual([]);
  };
  await page.setViewportSize({ width: 1_280, height: 900 });
  await open();
  await expectAccessible(page, 'in light colors');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'in dark colors', { only: COLOR_RULES });
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  await expectAccessible(page, 'in forced colors', { only: COLOR_RULES });
  await page.emulateMedia({ forcedColors: 'none' });
  await page.setViewportSize({ width: 390, height: 844 });
  await open();
  await expectAccessible(page, 'on a phone');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `width of ${page.url()}`).toBeLessThanOrEqual(390);
  // Phones enlarge the page at the focus of a field with smaller text.
  const sizes = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea')].map(
      (field) => `${field.outerHTML.slice(0, 80)} ${getComputedStyle(field).fontSize}`,
    ),
  );
  expect(
    sizes.filter((size) => !size.endsWith(' 16px')),
    `text of the fields of ${page.url()}`,
  ).toEqual([]);
}

it('On a phone without scripts, all sections are visible, an order takes two lines, and no badge is cut', async () => {
  const { page } = await openPage(browser, { locale: 'en-US', javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await page.goto((await shop.invite('phone@acme.example')).address);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${shop.home}/orders`);
    const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
    expect(await sections.allTextContents()).toEqual(['Home', 'Orders', 'Links', 'Money', 'Developers', 'Settings']);
    for (const section of await sections.all()) {
      const { x, y, width: size, height } = (await section.boundingBox())!;
      expect([x >= 0, x + size <= width, y + height <= 844], `${await section.textContent()} at ${width} px`).toEqual([
        true,
        true,
        true,
      ]);
      expect(await section.locator('svg[aria-hidden=true]').count()).toBe(1);
    }
    // The wrapped text of a badge would be cut into two boxes.
    for (const badge of await page.locator('.badge').all()) {
      const { x, width: size, height } = (await badge.boundingBox())!;
      expect([x >= 0, x + size <= width, height < 28], `${await badge.textContent()} at ${width} px`).toEqual([true, true, true]);
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expectStepsOnOneLine(page);
  await page.goto(`${shop.home}/orders`);
  for (const row of await page.locator('tbody tr').all()) {
    // Two lines of 21 px with a space around each.
    expect((await row.boundingBox())!.height, `height of ${await row.textContent()}`).toBeLessThan(70);
    expect(await row.locator('td').nth(1).isVisible()).toBe(true);
  }
  await page.getByRole('navigation', { name: 'Sections' }).getByText('Settings').click();
  await page.waitForURL(/\/settings$/);
});

async function expectStepsOnOneLine(page: Page) {
  await page.goto(`${shop.home}?range=7d`);
  for (const row of await page.locator('.funnel tbody tr').all()) expect((await row.boundingBox())!.height).toBeLessThan(40);
  // Its longest bar is large enough to compare the others with it.
  expect((await page.locator('.funnel svg').first().boundingBox())!.width).toBeGreaterThan(30);
}

it('The values of the scale of a chart are next to their lines', async () => {
  const { page } = await openPage(browser, { locale: 'en-US' });
  await page.goto((await shop.invite('scale@acme.example')).address);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.goto(shop.home);
  const middles = await page
    .locator('.plots')
    .first()
    .evaluate((plots) => {
      const picture = plots.querySelector('.picture')!.getBoundingClientRect();
      const ticks = [...plots.querySelectorAll('.ticks text')].map((tick) => tick.getBoundingClientRect());
      const of = ({ top, height }: DOMRect) => Math.round(top + height / 2 - picture.top);
      return [of(ticks.at(-1)!), of(ticks[0]!) - Math.round(picture.height)];
    });
  for (const difference of middles) expect(Math.abs(difference)).toBeLessThanOrEqual(2);
});

it('A line is refunded with the keyboard alone, in four clicks from the home page', async () => {
  const { page, problems } = await openPage(browser, { locale: 'en-US' });
  await page.goto((await shop.invite('katherine@acme.example')).address);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.goto(shop.home);
  const { order } = shop.ids;
  const pressed = [
    'nav a[href$="/orders"]',
    `a[href$="/orders/${order}"]`,
    'a[href*="line=LAMP"]',
    'main form[method=post] button',
  ];
  for (const selector of pressed) await pressEnterOn(page, selector);
  expect(await page.getByRole('status').innerText()).toBe('The refund was recorded.');
  expect(problems).toEqual([]);
});

/** Moves the focus with the keyboard to the first of these elements, and presses Enter. */
async function pressEnterOn(page: Page, selector: string): Promise<void> {
  const isFocused = () => page.evaluate((wanted) => document.activeElement?.matches(wanted), selector);
  for (let moves = 0; !(await isFocused()); moves++) {
    if (moves === 100) throw new Error(`Expected the focus on ${selector} of ${page.url()}`);
    await page.keyboard.press('Tab');
  }
  const loaded = page.waitForEvent('load');
  await page.keyboard.press('Enter');
  await loaded;
}

it('The preview of the button and its code follow what is typed', async () => {
  const { page, problems } = await openPage(browser, { locale: 'en-US' });
  await page.goto((await shop.invite('mary@acme.example')).address);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.goto(`${shop.home}/developers/button`);
  await page.getByLabel('Price').fill('750');
  await page.getByLabel('Colors').selectOption('dark');
  const shown = page.locator('.preview.dark financing-button[amount="75000"][theme="dark"]');
  await shown.waitFor();
  await expect.poll(() => page.locator('pre').innerText()).toContain('amount="75000"');
  expect(await page.locator('[data-copies]').getAttribute('data-copies')).toBe(await page.locator('pre').innerText());
  expect(new URL(page.url()).search).toBe('');
  expect(problems).toEqual([]);
});

it('The fields of the button begin and end on the same lines in each row', async () => {
  const { page } = await openPage(browser, { locale: 'en-US', viewport: { width: 1_280, height: 900 } });
  await page.goto((await shop.invite('annie@acme.example')).address);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.goto(`${shop.home}/developers/button`);
  const rows = await page.evaluate(() => {
    const tops: Record<string, number[]> = {};
    for (const field of document.querySelectorAll('.configurator .field')) {
      const top = (part: string) => Math.round(field.querySelector(part)!.getBoundingClientRect().top);
      (tops[top('label')] ??= []).push(top('input, select'));
    }
    return Object.values(tops);
  });
  expect(rows.some((row) => row.length > 1)).toBe(true);
  for (const row of rows) expect(new Set(row).size).toBe(1);
  expect(await page.getByRole('button', { name: 'Update the preview' }).isVisible()).toBe(false);
});

it('The accent color is picked beside its field, and the picker follows what is typed', async () => {
  const { page, problems } = await openPage(browser, { locale: 'en-US' });
  await page.goto((await shop.invite('joan@acme.example')).address);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.goto(`${shop.home}/settings`);
  const [field, picker] = [page.getByLabel('Accent color (optional)'), page.getByLabel('Pick the accent color')];
  await picker.fill('#8a1538');
  expect(await field.inputValue()).toBe('#8a1538');
  await field.fill('#0B5D4');
  expect(await picker.inputValue()).toBe('#8a1538');
  await field.fill('#0B5D4E');
  expect(await picker.inputValue()).toBe('#0b5d4e');
  const [left, right] = [(await field.boundingBox())!, (await picker.boundingBox())!];
  expect(Math.abs(left.y + left.height / 2 - right.y - right.height / 2)).toBeLessThan(3);
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('The settings were saved.').waitFor();
  expect(await field.inputValue()).toBe('#0b5d4e');
  expect(problems).toEqual([]);
});

it('The Enter key in a field of a new link creates it', async () => {
  const { page } = await openPage(browser, { locale: 'en-US' });
  await page.goto((await shop.invite('enter@alder-and-tone.example')).address);
  await page.locator('main button').click();
  await page.goto(`${shop.home}/links/new`);
  await page.locator('[name=price0]').fill('1,299.00');
  await page.locator('[name=name0]').fill('Turntable');
  await page.locator('[name=name0]').press('Enter');
  await page.waitForURL(/\/links\/[\w-]{36}/);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Turntable');
});

it('The search of links is one line on a wide screen', async () => {
  const { page } = await openPage(browser, { locale: 'en-US', viewport: { width: 1_280, height: 800 } });
  await page.goto((await shop.invite('search@alder-and-tone.example')).address);
  await page.locator('main button').click();
  await page.goto(`${shop.home}/links`);
  const controls = await page.locator('.filters > *').all();
  const centers = await Promise.all(
    controls.map(async (control) => {
      const { y, height } = (await control.boundingBox())!;
      return Math.round(y + height / 2);
    }),
  );
  expect(centers).toHaveLength(3);
  expect(Math.max(...centers) - Math.min(...centers)).toBeLessThan(2);
});

it('An e-mail of the sandbox has its own look in its frame, beside its text', async () => {
  const { page, problems } = await openPage(browser, { locale: 'en-US', viewport: { width: 1_280, height: 900 } });
  await page.goto((await shop.invite('barbara@acme.example')).address);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.goto(`${shop.home}/developers/sandbox`);
  await page.locator('a[href*="/sandbox/messages/"]').first().click();
  const button = page.frameLocator('iframe').locator('a.button');
  await button.waitFor();
  const [text, frame] = [(await page.locator('main pre').boundingBox())!, (await page.locator('iframe').boundingBox())!];
  expect(text.x + text.width).toBeLessThanOrEqual(frame.x);
  expect(problems).toEqual([]);
  await page.getByRole('link', { name: 'Open the e-mail alone' }).click();
  expect(await page.locator('a.button').evaluate((link) => getComputedStyle(link).borderRadius)).toBe('10px');
});

it('The keyboard reaches the content first with the link that skips the navigation', async () => {
  const { page } = await openPage(browser, { locale: 'es-US' });
  await page.goto((await shop.invite('marie@acme.example')).address);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.goto(shop.home);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
});

it('A file is downloaded from the same page as often as its button is pressed', async () => {
  const { page, problems } = await openPage(browser, { locale: 'en-US' });
  await page.goto((await shop.invite('annie@acme.example')).address);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.goto(`${shop.home}/money`);
  await page.getByRole('button', { name: 'Show the statement' }).click();
  for (const _time of ['first', 'again']) {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'All lines as CSV' }).click();
    const file = readFileSync(await (await downloading).path(), 'utf8');
    expect(file.trim().split('\r\n').length).toBeGreaterThan(1);
  }
  expect(problems).toEqual([]);
});
