/** `npm run screenshots`: takes the pictures of README.md, which show the demo shop and the checkout in light and dark mode. */
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { fillAndSend, startBrowser, stepOf } from '../support/browser.ts';
import { npmStart } from '../support/process.ts';

const FOLDER = 'server/docs/images';
const VIEWPORT = { width: 600, height: 760 };

test('Takes the pictures of README.md', { timeout: 180_000 }, async () => {
  mkdirSync(FOLDER, { recursive: true });
  const { withPorts, stop } = await npmStart();
  const browser = await startBrowser();
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: VIEWPORT, colorScheme, deviceScaleFactor: 2 });
      const page = await context.newPage();
      await page.goto(withPorts('http://localhost:4001/products/turntable'));
      await page.locator('financing-button [part=estimate]').waitFor();
      await page.locator('.product h1').evaluate((heading) => heading.scrollIntoView({ block: 'center', behavior: 'instant' }));
      const shop = await page.screenshot();
      await openPlans(page);
      const plans = await page.screenshot();
      const pictures = await context.newPage();
      await pictures.setViewportSize({ width: 2 * VIEWPORT.width + 24, height: VIEWPORT.height });
      const images = [shop, plans].map(
        (png) => `<img src="data:image/png;base64,${png.toString('base64')}" width="${VIEWPORT.width}">`,
      );
      await pictures.setContent(`<body style="margin:0;display:flex;gap:24px;background:transparent">${images.join('')}`);
      await pictures.locator('img').last().waitFor();
      await pictures.screenshot({ path: `${FOLDER}/checkout-${colorScheme}.png`, omitBackground: true, scale: 'css' });
      await context.close();
    }
  } finally {
    await stop();
  }
});

/** Adds the turntable to the bag and submits the forms of the checkout up to the plans. */
async function openPlans(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add to bag' }).click();
  await page.locator('financing-button').getByRole('link').click();
  await page.locator('main form').waitFor();
  while (stepOf(page) !== 'plans') await fillAndSend(page, { shippingTypeId: 'standard' });
}
