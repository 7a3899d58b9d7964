/** Shops whose server responds with the page to the address of the button, as those of single-page applications do, instead of 404. */
import { expect, it } from 'vitest';
import { startWidgetShop } from './shop.ts';

const shop = await startWidgetShop();

/** Opens a page whose button leads to the page itself, and presses it. */
async function pressOn(attributes: Record<string, string> = {}) {
  const { page } = await shop.openPage();
  await page.addInitScript(() => {
    const errors: string[] = [];
    Object.assign(globalThis, { errors });
    addEventListener('financing-error', ({ detail }) => errors.push(`${detail.code}: ${detail.message}`));
  });
  await page.goto(shop.createPage({ body: shop.button({ 'cart-url': '?sku=OAK', ...attributes }) }));
  const errors = () => page.evaluate(() => Reflect.get(globalThis, 'errors') as string[]);
  await page.locator('financing-button a').waitFor();
  const before = await errors();
  await page.locator('financing-button a').click();
  await page.waitForURL(/sku=OAK$/);
  return { page, errors, before };
}

const message = 'Unusable cart-url: ?sku=OAK is this page';

it('The button reports a route that the shop does not have, whatever the product, and shows that in the sandbox', async () => {
  const { page, errors, before } = await pressOn();
  expect(before).toEqual([]);
  await expect.poll(errors).toEqual([`cart-url: ${message}`]);
  expect(await page.getByText(message).isVisible()).toBe(true);
  await page.goto(page.url().replace('OAK', 'WALNUT'));
  await expect.poll(errors).toEqual([`cart-url: ${message}`]);
});

it('The button of a live shop reports such a route to the page only', async () => {
  const { page, errors } = await pressOn({ 'api-key': 'ft_live_key_abc' });
  await expect.poll(errors).toContain(`cart-url: ${message}`);
  expect(await page.getByText(message).count()).toBe(0);
});

it('The button does not report a link to its page with another parameter, or to a part of it', async () => {
  const { page } = await shop.openPage();
  const addresses = ['?finance=1', '#cart', '/cart'];
  await page.goto(shop.createPage({ body: addresses.map((address) => shop.button({ 'cart-url': address })).join('') }));
  await expect.poll(() => page.locator('financing-button a').count()).toBe(addresses.length);
  expect(await page.getByText('Unusable').count()).toBe(0);
});
