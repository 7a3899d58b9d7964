/** `npm run screenshots -- test/screenshots/console.ts`: takes the pictures of server/docs/console.md in light and dark mode. */
import { test } from 'vitest';
import { systemClock } from '../../server/time.ts';
import type { Role } from '../../server/users/roles.ts';
import { inviteUser } from '../../server/users/users.ts';
import { openPage, startBrowser } from '../support/browser.ts';
import { testOperator } from '../support/checkout.ts';
import { startService } from '../support/service.ts';

const people: [name: string, email: string, role: Role][] = [
  ['Ada Lovelace', 'ada@alder-and-tone.example', 'admin'],
  ['Grace Hopper', 'grace@alder-and-tone.example', 'finance'],
  ['Katherine Johnson', 'katherine@alder-and-tone.example', 'support'],
  ['Mary Jackson', 'mary@alder-and-tone.example', 'developer'],
];

test('Takes the pictures of server/docs/console.md', { timeout: 180_000 }, async () => {
  const { publicUrl, database, createMerchant } = await startService();
  const { tenantId, merchantId } = await createMerchant({ name: 'Alder & Tone' });
  const mail = { publicUrl, operator: testOperator, handling: 'recorded' } as const;
  const invite = async ([name, email, role]: (typeof people)[number]) =>
    inviteUser(database, { tenantId, merchantId, role, email, name }, undefined, mail, 'en', systemClock.now());
  for (const person of people) await invite(person);
  const browser = await startBrowser();
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage(browser, { viewport: { width: 1_000, height: 640 }, colorScheme, deviceScaleFactor: 2 });
    await page.goto(publicUrl + (await invite(people[0]!)).path);
    await page.locator('main button').click();
    await page.goto(`${publicUrl}/console/${merchantId}/settings/team`);
    await page.screenshot({ path: `server/docs/images/console-${colorScheme}.png`, scale: 'css' });
  }
});
