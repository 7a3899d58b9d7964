/** `npm run screenshots -- test/screenshots/console.ts`: takes the pictures of server/docs/console.md in light and dark mode. */
import { test } from 'vitest';
import { openPage, startBrowser } from '../support/browser.ts';
import { startConsoleShop } from '../support/console-shop.ts';

test('Takes the pictures of server/docs/console.md', { timeout: 300_000 }, async () => {
  const { home, ids, invite } = await startConsoleShop();
  const pages: [name: string, path: string, height: number][] = [
    ['home', '', 850],
    ['orders', '/orders', 660],
    ['refund', `/orders/${ids.order}/refund?line=CHAIR-1`, 1_040],
    ['team', '/settings/team', 660],
  ];
  const browser = await startBrowser();
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage(browser, { colorScheme, locale: 'en-US' });
    await page.goto((await invite(`ada-${colorScheme}@alder-and-tone.example`)).address);
    await page.locator('main button').click();
    for (const [name, path, height] of pages) {
      await page.setViewportSize({ width: 1_200, height });
      await page.goto(home + path);
      await page.screenshot({ path: `server/docs/images/console-${name}-${colorScheme}.png` });
    }
  }
});
