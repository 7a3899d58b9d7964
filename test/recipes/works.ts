import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { products } from '../../widget/recipes/shop/catalog.ts';
import { formatCents } from '../../widget/recipes/shop/catalog.ts';
import type { RecipeShop } from './given-shop.ts';

export const [product] = products;
export const [oak, walnut] = product.variants as [(typeof product.variants)[0], (typeof product.variants)[0]];

/** What the service says it costs by the month. */
export async function quoteOf({ merchant }: RecipeShop, cents: number) {
  return (await merchant.fairterm.asLowAs({ customTotal: cents })).asLowAs;
}

/** What the button says it costs by the month. */
export const estimateOf = (page: Page): Promise<string | null> => page.locator('financing-button [part=estimate]').textContent();

/** A page of a recipe does what a shop expects of it: price, variant, events, checkout. */
export async function expectRecipeToWork(page: Page, shop: RecipeShop): Promise<void> {
  const [ofOak, ofWalnut] = [await quoteOf(shop, oak.priceCents), await quoteOf(shop, walnut.priceCents)];
  await expect.poll(() => estimateOf(page)).toContain(`${ofOak.amount}/month`);
  await page.getByLabel('Wood').selectOption({ label: walnut.name });
  await expect.poll(() => estimateOf(page)).toContain(`${ofWalnut.amount}/month`);
  expect(await page.locator('main').textContent()).toContain(formatCents(walnut.priceCents));

  await page.locator('financing-button [part=button]').click();
  await page.waitForURL(`${shop.serviceUrl}/c/**`);
  expect(await page.locator('h1').textContent()).toBe('Your details');
  expect(await page.locator('body').textContent()).toContain(formatCents(walnut.priceCents));
  await expectTracked(shop, [
    { name: 'financing-quote', sku: oak.sku, monthlyCents: ofOak.monthly },
    { name: 'financing-quote', sku: walnut.sku, monthlyCents: ofWalnut.monthly },
    { name: 'financing-start', sku: walnut.sku },
  ]);
}

/** What pages told the shop's analytics since it was last looked at, in any order: one beacon may overtake another. */
export async function expectTracked({ tracked }: RecipeShop, expected: Record<string, unknown>[]): Promise<void> {
  await expect.poll(() => tracked.length).toBe(expected.length);
  expect(tracked.splice(0)).toEqual(expect.arrayContaining(expected));
}
