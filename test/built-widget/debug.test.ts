/** Misconfigured shop pages, each with one mistake, and the messages that the `debug` attribute shows to developers. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/browser.ts';
import { startWidgetShop, type ShopPage, type WidgetShop } from './shop.ts';

let shop: WidgetShop;
let page: Page;
beforeAll(async () => {
  shop = await startWidgetShop();
  ({ page } = await shop.openPage());
});

const debugButton = (attributes: Record<string, string | number | undefined> = {}) => shop.button({ debug: '', ...attributes });
const script = () => `<script type="module" src="${shop.service.publicUrl}/widget/v1/financing-button.js"></script>`;

const cases: [description: string, given: () => ShopPage, expected: RegExp[]][] = [
  ['a correct page', () => ({ body: `<p>$500.00</p>${debugButton()}` }), []],
  ['a correct page with a strict Content Security Policy', () => ({ body: debugButton(), headers: strictPolicy() }), []],
  [
    'a page without the style sheet that reserves space',
    () => ({ head: script(), body: debugButton() }),
    [/Put <link rel="stylesheet"/],
  ],
  ['a missing API key', () => ({ body: debugButton({ 'api-key': undefined }) }), [/Set api-key/]],
  [
    'an unknown API key',
    () => ({ body: debugButton({ 'api-key': 'ft_sandbox_key_none' }) }),
    [/The service responds 401: .*API key/],
  ],
  ['a missing amount', () => ({ body: debugButton({ amount: undefined }) }), [/Set amount to an integer in cents.* It is null/]],
  [
    'an amount in dollars',
    () => ({ body: debugButton({ amount: '500.00' }) }),
    [/Set amount to an integer in cents.* It is "500\.00"/],
  ],
  ['a button without a cart', () => ({ body: debugButton({ 'cart-url': undefined }) }), [/Set cart-url or items/]],
  [
    'a different price next to the button',
    () => ({ body: `<div><del>$999.00</del> <b>$549.00</b></div>${debugButton()}` }),
    [/The amount is \$500\.00, but .* \$999\.00, \$549\.00/],
  ],
  [
    'an invalid language tag and a different price',
    () => ({
      head: `<script>document.documentElement.lang = 'no such tag'</script>${shop.head}`,
      body: `<b>$549.00</b>${debugButton()}`,
    }),
    [/the page shows \$549\.00/],
  ],
  [
    'the same price and another price next to the button',
    () => ({ body: `<div><del>$999.00</del> <b>$500.00</b></div>${debugButton()}` }),
    [],
  ],
  [
    'an amount below the minimum',
    () => ({ body: debugButton({ amount: 4_999 }) }),
    [/\$49\.99 cannot be financed\. .* \$50\.00 to \$30,000\.00/],
  ],
  ['an unknown program', () => ({ body: debugButton({ program: 'summer' }) }), [/There is no program with the id summer/]],
  [
    'a page that includes the script twice',
    () => ({ head: shop.head + script(), body: debugButton() }),
    [/The script is included 2 times/],
  ],
  [
    'a service URL that is not a Fairterm service',
    () => ({ body: debugButton({ service: shop.url }) }),
    [/There is no response|responds, but not with|The service responds/],
  ],
  [
    'a Content Security Policy that blocks the service',
    () => ({ body: debugButton(), headers: policy(`script-src ${shop.service.publicUrl}; connect-src 'self'`) }),
    [/There is no response/, /Add .* to connect-src/],
  ],
  [
    'a Content Security Policy that blocks the frame of the checkout',
    () => ({ body: debugButton({ mode: 'modal' }), headers: policy("frame-src 'self'") }),
    [/to frame-src/],
  ],
  [
    'an opener policy that blocks messages from popups',
    () => ({ body: debugButton({ mode: 'popup' }), headers: { 'cross-origin-opener-policy': 'same-origin' } }),
    [/same-origin-allow-popups/],
  ],
];

const policy = (directives: string) => ({ 'content-security-policy': directives });
const strictPolicy = () => {
  const service = shop.service.publicUrl;
  const trusted = "require-trusted-types-for 'script'; trusted-types lit-html";
  return policy(
    `default-src 'none'; script-src ${service}; style-src ${service}; connect-src ${service} ${shop.url}; ${trusted}`,
  );
};

describe('The debug panel', () => {
  it.each(cases)('shows the messages for %s', async (_description, given, expected) => {
    await page.goto(shop.createPage(given()));

    const panel = page.locator('financing-button aside');
    await panel.locator('strong').waitFor();
    const messages = await panel.locator('li').allTextContents();

    expect(messages).toHaveLength(expected.length);
    expected.forEach((pattern, index) => expect(messages[index]).toMatch(pattern));
  });

  it('shows that the origin of the shop is not registered', async () => {
    await page.goto(shop.createPage({ body: debugButton() }).replace('127.0.0.1', 'shop.localhost'));

    await expect
      .poll(() => page.locator('financing-button aside li').allTextContents(), { timeout: 10_000 })
      .toEqual([expect.stringMatching(/does not allow http:\/\/shop\.localhost:\d+ to read its programs. Register this origin/)]);
  });

  it('has no axe violations, and disappears when the element is moved without the attribute', async () => {
    const { page: tab, problems } = await shop.openPage();
    await tab.goto(shop.createPage({ body: `<main><h1>Chair</h1>${debugButton({ amount: 4_999 })}</main>` }));
    await tab.locator('financing-button aside li').waitFor();

    await expectAccessible(tab);
    await tab.locator('financing-button').evaluate((element) => {
      element.removeAttribute('debug');
      const { parentElement } = element;
      element.remove();
      parentElement!.append(element);
    });
    await tab.locator('financing-button aside').waitFor({ state: 'detached' });
    expect(problems()).toEqual([]);
  });
});
