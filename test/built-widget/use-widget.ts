import { expect } from 'vitest';
import type { WidgetShop } from './shop.ts';
import { waitForStates } from './shop.ts';

/** Uses every part of the widget on a page whose scripts have replaced built-in functions. @param script - Replaces them. */
export async function useWidgetWith(shop: WidgetShop, script: string) {
  const { page, problems } = await shop.openPage();
  const button = shop.button({ amount: undefined, 'amount-from': '#price', 'cart-url': undefined, mode: 'modal' });
  const head = `<script>${script.replaceAll('</script', '<\\/script')}</script>${shop.head}`;
  await page.goto(shop.createPage({ head, body: `<p id="price"><span>$650</span><small>.00</small></p>${button}` }));
  await page.evaluate(() => {
    document.querySelector('financing-button')!.items = [{ name: 'Lamp', sku: 'L', quantity: 1, unitPrice: 65_000 }] as never;
  });
  await waitForStates(page, 'quoted');
  expect(await page.evaluate(() => document.querySelector('financing-button')!.quote!.monthly)).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Learn more' }).click();
  await page.locator('dialog h2').waitFor();
  await page.locator('dialog').getByRole('button', { name: 'Close' }).click();
  const created = page.waitForResponse('**/storefront/carts');
  await page.locator('financing-button [part=button]').click();
  const response = await created;
  expect(response.request().postDataJSON()).toMatchObject({ options: { items: [{ sku: 'L' }] } });
  expect(problems()).toEqual([]);
}
