/** `npm run screenshots -- test/screenshots/console.ts`: takes the pictures of server/docs/console.md in light and dark mode. */
import { test } from 'vitest';
import { openPage, startBrowser } from '../support/browser.ts';
import { startConsoleShop } from '../support/console-shop.ts';

test('Takes the pictures of server/docs/console.md', { timeout: 300_000 }, async () => {
  const { home, ids, invite } = await startConsoleShop();
  const pages = {
    home: '',
    orders: '/orders',
    refund: `/orders/${ids.order}/refund?line=CHAIR-1`,
    team: '/settings/team',
  };
  const browser = await startBrowser();
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage(browser, { viewport: { width: 1_200, height: 700 }, colorScheme, locale: 'en-US' });
    await page.goto((await invite(`ada-${colorScheme}@alder-and-tone.example`)).address);
    await page.locator('main button').click();
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(home + path);
      await page.screenshot({ path: `server/docs/images/console-${name}-${colorScheme}.png` });
    }
  }
});
