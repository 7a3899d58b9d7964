/** `npm run screenshots`: takes screenshots of the pages of the demo shop. SCREENSHOTS is the output folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { buy, openPage, startBrowser } from '../support/browser.ts';
import { startService } from '../support/service.ts';
import { startShop } from '../support/shop.ts';

const folder = join(process.env['SCREENSHOTS'] ?? join('data', 'screenshots'), 'demo');

test('Takes screenshots of the demo shop', { timeout: 300_000 }, async () => {
  mkdirSync(folder, { recursive: true });
  const { shopUrl } = await startShop(await startService());
  const browser = await startBrowser();
  for (const width of [1280, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await openPage(browser, { viewport: { width, height: 844 }, colorScheme });
      const take = async (name: string) => {
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: join(folder, `${name}.${width}.${colorScheme}.png`), fullPage: true });
      };
      await page.goto(shopUrl);
      await page.locator('.tile.listed').last().waitFor();
      await take('catalog');
      await page.goto(`${shopUrl}/products/amplifier`);
      await page.locator('financing-button [part=disclosure]').waitFor();
      await take('product');
      await page.goto(`${shopUrl}/bag`);
      await take('empty-bag');
      await page.goto(`${shopUrl}/products/amplifier`);
      await page.getByRole('button', { name: 'Add to bag' }).click();
      await page.locator('financing-button [part=disclosure]').waitFor();
      await take('bag');
      await page.goto(`${shopUrl}/checkout/card`);
      await take('card');
      await page.goto(`${shopUrl}/checkout/financing`);
      await buy(page, { shippingTypeId: 'standard', taxIdLast4: '1101' });
      await page.locator('[data-status=confirmed]').waitFor();
      await take('thank-you');
      await page.goto(`${shopUrl}/financing/declined`);
      await take('declined');
    }
  }
});
