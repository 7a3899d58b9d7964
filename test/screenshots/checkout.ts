/**
 * `npm run screenshots`: takes screenshots of every checkout page, for reviewing changes of the design. SCREENSHOTS is the output
 * folder. ONLY selects pages whose name contains it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { checkoutPages, startCheckoutShop, inSpanish, visitPlace } from '../support/checkout-pages.ts';
import { startBrowser, openPage } from '../support/browser.ts';

const folder = process.env['SCREENSHOTS'] ?? join('data', 'screenshots');
const selected = checkoutPages.filter(({ name }) => name.includes(process.env['ONLY'] ?? ''));

test('Takes screenshots of the checkout pages', { timeout: 1_800_000 }, async () => {
  mkdirSync(folder, { recursive: true });
  const shop = await startCheckoutShop();
  const browser = await startBrowser();
  const places = [];
  // One after the other, because some pages move the clock of the service.
  for (const { name, reach } of selected) places.push({ name, place: await reach(shop) });
  for (const width of [390, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await openPage(browser, { viewport: { width, height: 844 }, colorScheme });
      for (const { name, place } of places) {
        for (const [lang, variant] of Object.entries({ en: place, es: inSpanish(place) })) {
          await visitPlace(page, variant);
          const file = `${name.replaceAll(' ', '-')}.${width}.${colorScheme}.${lang}.png`;
          await page.screenshot({ path: join(folder, file), fullPage: true });
        }
      }
      await page.context().close();
    }
  }
});
