/** A shop with a button on its page, on another site than the service, in a browser that blocks what third parties store. */
import type { Browser, Frame, Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { stepOf } from './browser-buyer.ts';
import { givenChromium } from './chromium.ts';
import { givenCart } from './given.ts';
import { givenService, type TestMerchant, type TestService } from './service.ts';
import { type ButtonOnPage, givenShopPage, givenShopSite, type ShopPage, type ShopSite } from './shop-page.ts';
import { until } from './until.ts';

export interface ButtonShop {
  merchant(): TestMerchant;
  /** Opens the page of the shop with a button on it. */
  givenButton(on: ButtonOnPage): Promise<ShopPage>;
  /** The origin of the shop's pages. */
  shopUrl(): string;
  /** The link of a new cart of one chair. */
  givenCartUrl(options?: Partial<CartOptions>): Promise<string>;
  /** How many carts there are. */
  cartCount(): Promise<number>;
}

/** One for all tests of a file. */
export function givenButtonShop(): ButtonShop {
  let service: TestService;
  let shop: ShopSite;
  let merchant: TestMerchant;
  let browser: Browser;
  beforeAll(async () => {
    service = await givenService();
    shop = await givenShopSite(service);
    merchant = await service.givenMerchant({ origins: [shop.url], storeUrl: `${shop.url}/thank-you` });
    shop.merchant = merchant;
    browser = await givenChromium('--test-third-party-cookie-phaseout');
  });
  return {
    merchant: () => merchant,
    givenButton: (on) => givenShopPage(browser, shop, on),
    shopUrl: () => shop.url,
    givenCartUrl: async (options) => (await givenCart(merchant, { orderRef: 'ORDER 7', ...options })).url,
    cartCount: async () => {
      const carts = service.database.query.selectFrom('carts').select(({ fn }) => fn.countAll().as('count'));
      return Number((await carts.executeTakeFirstOrThrow()).count);
    },
  };
}

/** The ways a checkout opens. */
export const modes = ['redirect', 'popup', 'modal'] as const;

/** The frame of a dialog, once its checkout is there. */
export const frameOf = (page: Page): Promise<Frame> => until(() => page.frames().find((frame) => stepOf(frame) === 'details'));

/** Presses, and answers the window that opens. */
export const pressForWindow = async ({ page, press }: ShopPage): Promise<Page> =>
  (await Promise.all([page.waitForEvent('popup'), press()]))[0];

/** Where each mode shows its checkout, once it is there. */
export const openAs = {
  redirect: async ({ page, press }: ShopPage) => {
    await press();
    await page.waitForURL('**/details?**');
    return page;
  },
  popup: async (shopPage: ShopPage) => {
    const popup = await pressForWindow(shopPage);
    await popup.waitForURL('**/details?**display=popup**');
    return popup;
  },
  modal: async ({ page, press }: ShopPage) => {
    await press();
    return frameOf(page);
  },
};

/** Keeps requests for carts from being answered until they are let through. */
export async function holdCarts(page: Page): Promise<{ letThrough(): Promise<void>; asked(): number }> {
  let asked = 0;
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route('**/storefront/carts', async (route) => {
    asked++;
    await opened;
    await route.continue().catch(() => undefined);
  });
  return {
    asked: () => asked,
    letThrough: async () => {
      const answered = page.waitForResponse('**/storefront/carts');
      open();
      await answered;
    },
  };
}
