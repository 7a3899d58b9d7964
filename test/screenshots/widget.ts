/**
 * `npm run screenshots`: takes screenshots of the financing button in every state and appearance, and of its details. SCREENSHOTS is
 * the output folder.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { startWidgetShop } from '../built-widget/shop.ts';
import { galleryPage, appearances, visitGallery, widthOf } from '../built-widget/gallery.ts';

const folder = join(process.env['SCREENSHOTS'] ?? join('data', 'screenshots'), 'widget');
const chosen = appearances.filter(({ name }) => new RegExp(process.env['ONLY'] ?? '').test(name));

test('Takes screenshots of the financing button', { timeout: 600_000 }, async () => {
  mkdirSync(folder, { recursive: true });
  const shop = await startWidgetShop();
  for (const appearance of chosen) {
    const { page } = await shop.openPage({ viewport: { width: widthOf(appearance), height: 700 }, ...appearance.options });
    const take = (part: string, fullPage: boolean) =>
      page.screenshot({ path: join(folder, `${appearance.name.replaceAll(/\W+/g, '-')}${part}.png`), fullPage });
    await visitGallery(page, galleryPage(shop, appearance), appearance);
    await take('', true);
    if (!appearance.print) {
      for (const at of [0, 2]) {
        await page.evaluate((which) => document.querySelectorAll('financing-button')[which]!.showDetails(), at);
        await page.locator('dialog[open]').waitFor();
        await take(`.details-${at}`, false);
        await page.locator('dialog').evaluate((dialog) => (dialog as HTMLDialogElement).close());
        await page.locator('dialog').waitFor({ state: 'detached' });
      }
    }
    await page.context().close();
  }
});
