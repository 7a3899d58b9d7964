/** The console in a real browser: passkeys with a virtual authenticator, and the look and accessibility of all pages. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { screens } from '../../server/console/screens.ts';
import { systemClock } from '../../server/time.ts';
import { texts } from '../../server/texts.ts';
import { inviteUser } from '../../server/users/users.ts';
import { COLOR_RULES, expectAccessible, openPage, startBrowser } from '../support/browser.ts';
import { completeCheckoutAndAct, testOperator } from '../support/checkout.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();
const browser = await startBrowser();
const own = texts.en.console;
const home = `${service.publicUrl}/console/${merchant.merchantId}`;

/** Invites a person. Returns the address of the invitation. */
async function invite(email: string): Promise<string> {
  const { tenantId, merchantId } = merchant;
  const invited = { tenantId, merchantId, role: 'admin', email, name: 'Ada Lovelace' } as const;
  const mail = { publicUrl: service.publicUrl, operator: testOperator, handling: 'recorded' } as const;
  return service.publicUrl + (await inviteUser(service.database, invited, undefined, mail, 'en', systemClock.now())).path;
}

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
  await page.goto(await invite('ada@acme.example'));
  await page.getByRole('button', { name: own.signIn.invitation.button }).click();
  await page.getByLabel(own.settings.passkeys.name).fill('Work laptop');
  await page.getByRole('button', { name: own.settings.passkeys.add }).click();
  await page.getByText(own.settings.done.passkeyAdded).waitFor();
  expect(await page.getByRole('table').innerText()).toContain('Work laptop');
  expect(await authenticator.credentials()).toHaveLength(1);

  await page.locator('.user summary').click();
  await page.getByRole('button', { name: own.layout.signOut }).click();
  await page.goto(`${home}/settings/team`);
  const signIn = page.getByRole('button', { name: own.signIn.withPasskey });

  // A passkey that the person does not confirm changes nothing.
  await authenticator.confirm(false);
  await signIn.click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').innerText()).toBe(own.signIn.passkeyFailed);
  await expectAccessible(page, 'after a passkey that failed');

  await authenticator.confirm(true);
  await signIn.click();
  await page.waitForURL(`${home}/settings/team`);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(own.settings.team.title);

  await page.goto(`${home}/settings/passkeys`);
  await page.getByRole('link', { name: own.settings.passkeys.change }).click();
  await page.getByRole('button', { name: own.settings.passkeys.remove }).click();
  await page.getByText(own.settings.done.passkeyRemoved).waitFor();
  await page.locator('.user summary').click();
  await page.getByRole('button', { name: own.layout.signOut }).click();
  await page.getByRole('button', { name: own.signIn.withPasskey }).click();
  await page.getByText(own.signIn.passkeyFailed).waitFor();
  expect(problems.filter((problem) => !problem.includes('422'))).toEqual([]);
});

it('All pages are accessible in light, dark and forced colors, and fit on a phone', async () => {
  const { page, problems } = await openPage(browser, { locale: 'en-US' });
  await page.goto(`${service.publicUrl}/console/sign-in`);
  await expectLooks(page);
  await page.goto(await invite('grace@acme.example'));
  await expectLooks(page);
  await page.getByRole('button', { name: own.signIn.invitation.button }).click();
  const paths = screens.map(({ path }) => path).filter((path) => !path.includes(':') && !path.endsWith('.csv'));
  for (const path of paths) {
    await page.goto(`${home}${path && `/${path}`}`);
    await expectLooks(page);
  }
  await page.goto(`${home}/settings/team`);
  await page.getByRole('link', { name: own.settings.team.change }).last().click();
  await expectLooks(page);
  const { id } = await completeCheckoutAndAct(merchant, [{ type: 'authorize' }, { type: 'settle' }]);
  for (const path of ['', '/refund', '/refund?quantity-0=2', '/cancel']) {
    await page.goto(`${home}/orders/${id}${path}`);
    await expectLooks(page);
  }
  await page.goto(`${home}/unknown`);
  await expectLooks(page);
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
});

async function expectLooks(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1_280, height: 900 });
  await expectAccessible(page, 'in light colors');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, 'in dark colors', { only: COLOR_RULES });
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  await expectAccessible(page, 'in forced colors', { only: COLOR_RULES });
  await page.emulateMedia({ forcedColors: 'none' });
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page, 'on a phone');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `width of ${page.url()}`).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1_280, height: 900 });
}

it('The keyboard reaches the content first with the link that skips the navigation', async () => {
  const { page } = await openPage(browser, { locale: 'es-US' });
  await page.goto(await invite('marie@acme.example'));
  await page.getByRole('button', { name: texts.es.console.signIn.invitation.button }).click();
  await page.goto(home);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
});
