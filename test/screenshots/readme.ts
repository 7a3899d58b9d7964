/**
 * `npm run screenshots`: takes the pictures of README.md in light and dark mode: the bag of the demo shop, the plans, and the agreement
 * on a phone. Only these: `npm run screenshots -- test/screenshots/readme.ts`.
 */
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { fillAndSend, startBrowser, stepOf } from '../support/browser.ts';
import { npmStart } from '../support/process.ts';

const FOLDER = 'server/docs/images';
const HEIGHT = 760;
const WIDTH = 600;
const PHONE_WIDTH = 390;
const GAP = 24;

test('Takes the pictures of README.md', { timeout: 180_000 }, async () => {
  mkdirSync(FOLDER, { recursive: true });
  const { withPorts, stop } = await npmStart();
  const browser = await startBrowser();
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: { width: WIDTH, height: HEIGHT }, colorScheme, deviceScaleFactor: 2 });
      const page = await context.newPage();
      await page.goto(withPorts('http://localhost:4001/products/turntable'));
      await page.getByRole('button', { name: 'Add to bag' }).click();
      await page.locator('financing-button [part=estimate] strong').waitFor();
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
      const bag = await page.screenshot();
      await page.goto(withPorts('http://localhost:4001/checkout/financing?buyer=ada'));
      await fillUntil(page, 'plans');
      const plans = await page.screenshot();
      await fillUntil(page, 'agreement');
      await page.setViewportSize({ width: PHONE_WIDTH, height: HEIGHT });
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
      const agreement = await page.screenshot();

      const pictures = await context.newPage();
      await pictures.setViewportSize({ width: 2 * (WIDTH + GAP) + PHONE_WIDTH, height: HEIGHT });
      const images = [bag, plans, agreement].map(
        (png) => `<img src="data:image/png;base64,${png.toString('base64')}" height="${HEIGHT}">`,
      );
      await pictures.setContent(`<body style="margin:0;display:flex;gap:${GAP}px;background:transparent">${images.join('')}`);
      await pictures.locator('img').last().waitFor();
      await pictures.screenshot({ path: `${FOLDER}/checkout-${colorScheme}.png`, omitBackground: true, scale: 'css' });
      await context.close();
    }
  } finally {
    await stop();
  }
});

/** Submits the forms of the checkout up to a step. */
async function fillUntil(page: Page, step: string): Promise<void> {
  await page.locator('main form').first().waitFor();
  while (stepOf(page) !== step) await fillAndSend(page, { shippingTypeId: 'standard' });
}
