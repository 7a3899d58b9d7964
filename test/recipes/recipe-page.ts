import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { formatCents, products } from '../../widget/recipes/shop/catalog.ts';
import type { RecipeShop } from './recipe-shop.ts';

export const [product] = products;
export const [oak, walnut] = product.variants as [(typeof product.variants)[0], (typeof product.variants)[0]];

/** Returns the quote of the service for an amount. */
export async function quoteOf({ merchant }: RecipeShop, cents: number) {
  return (await merchant.fairterm.asLowAs({ customTotal: cents })).asLowAs;
}

/** Returns the estimate that the button shows. */
export const estimateOf = (page: Page): Promise<string | null> => page.locator('financing-button [part=estimate]').textContent();

/** Expects that the page of a recipe shows the estimate, updates it with the variant, reports events and opens the checkout. */
export async function expectRecipeToWork(page: Page, shop: RecipeShop): Promise<void> {
  const ofOak = await quoteOf(shop, oak.priceCents);
  const ofWalnut = await quoteOf(shop, walnut.priceCents);
  await expect.poll(() => estimateOf(page)).toContain(`${ofOak.amount}/month`);
  await page.getByLabel('Wood').selectOption({ label: walnut.name });
  await expect.poll(() => estimateOf(page)).toContain(`${ofWalnut.amount}/month`);
  expect(await page.locator('main').textContent()).toContain(formatCents(walnut.priceCents, 'USD'));

  await page.locator('financing-button [part=button]').click();
  await page.waitForURL(`${shop.serviceUrl}/c/**`);
  expect(await page.locator('h1').textContent()).toBe('Your details');
  expect(await page.locator('body').textContent()).toContain(formatCents(walnut.priceCents, 'USD'));
  await expectTracked(shop, [
    { name: 'financing-quote', sku: oak.sku, monthlyCents: ofOak.monthly },
    { name: 'financing-quote', sku: walnut.sku, monthlyCents: ofWalnut.monthly },
    { name: 'financing-start', sku: walnut.sku },
  ]);
}

/** Expects these analytics events since the last call, in any order, because beacons may arrive out of order. */
export async function expectTracked({ tracked }: RecipeShop, expected: Record<string, unknown>[]): Promise<void> {
  await expect.poll(() => tracked.length).toBe(expected.length);
  expect(tracked.splice(0)).toEqual(expect.arrayContaining(expected));
}
