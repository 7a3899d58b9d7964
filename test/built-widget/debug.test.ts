/** Misconfigured shop pages, each with one mistake, and the messages that `debug` shows to their engineer. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../support/browser.ts';
import { givenWidgetShop, type ShopPage, type WidgetShop } from './shop.ts';

let shop: WidgetShop;
let page: Page;
beforeAll(async () => {
  shop = await givenWidgetShop();
  ({ page } = await shop.openPage());
});

const debugged = (attributes: Record<string, string | number | undefined> = {}) => shop.button({ debug: '', ...attributes });
const script = () => `<script type="module" src="${shop.service.publicUrl}/widget/v1/financing-button.js"></script>`;

const broken: [what: string, given: () => ShopPage, expected: RegExp[]][] = [
  ['nothing wrong', () => ({ body: `<p>$500.00</p>${debugged()}` }), []],
  ['nothing wrong, and a strict policy', () => ({ body: debugged(), headers: strictPolicy() }), []],
  ['no style sheet that keeps the space', () => ({ head: script(), body: debugged() }), [/Put <link rel="stylesheet"/]],
  ['no key', () => ({ body: debugged({ 'api-key': undefined }) }), [/Set api-key/]],
  ['an unknown key', () => ({ body: debugged({ 'api-key': 'ft_sandbox_key_none' }) }), [/The service responds 401: .*API key/]],
  ['no amount', () => ({ body: debugged({ amount: undefined }) }), [/Set amount to an integer in cents.* It is null/]],
  [
    'dollars for cents',
    () => ({ body: debugged({ amount: '500.00' }) }),
    [/Set amount to an integer in cents.* It is "500\.00"/],
  ],
  ['nowhere to go', () => ({ body: debugged({ 'cart-url': undefined }) }), [/Set cart-url or items/]],
  [
    'a different price next to the button',
    () => ({ body: `<div><del>$999.00</del> <b>$549.00</b></div>${debugged()}` }),
    [/The amount is \$500\.00, but .* \$999\.00, \$549\.00/],
  ],
  [
    'an invalid language tag and a different price',
    () => ({
      head: `<script>document.documentElement.lang = 'no such tag'</script>${shop.head}`,
      body: `<b>$549.00</b>${debugged()}`,
    }),
    [/the page shows \$549\.00/],
  ],
  ['the same price among others', () => ({ body: `<div><del>$999.00</del> <b>$500.00</b></div>${debugged()}` }), []],
  [
    'an amount too small',
    () => ({ body: debugged({ amount: 4_999 }) }),
    [/\$49\.99 cannot be financed\. .* \$50\.00 to \$30,000\.00/],
  ],
  ['a program that is not there', () => ({ body: debugged({ program: 'summer' }) }), [/There is no program with the id summer/]],
  ['the script twice', () => ({ head: shop.head + script(), body: debugged() }), [/The script is included 2 times/]],
  [
    'a service URL that is not a Fairterm service',
    () => ({ body: debugged({ service: shop.url }) }),
    [/There is no response|responds, but not with|The service responds/],
  ],
  [
    'a policy that blocks the service',
    () => ({ body: debugged(), headers: policy(`script-src ${shop.service.publicUrl}; connect-src 'self'`) }),
    [/There is no response/, /Add .* to connect-src/],
  ],
  [
    'a policy without frames, and a checkout on the page',
    () => ({ body: debugged({ mode: 'modal' }), headers: policy("frame-src 'self'") }),
    [/to frame-src/],
  ],
  [
    'an opener policy that blocks messages from popups',
    () => ({ body: debugged({ mode: 'popup' }), headers: { 'cross-origin-opener-policy': 'same-origin' } }),
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
  it.each(broken)('shows %s', async (_what, given, expected) => {
    await page.goto(shop.givenPage(given()));

    const panel = page.locator('financing-button aside');
    await panel.locator('strong').waitFor();
    const messages = await panel.locator('li').allTextContents();

    expect(messages).toHaveLength(expected.length);
    expected.forEach((sentence, at) => expect(messages[at]).toMatch(sentence));
  });

  it('shows an unregistered shop origin', async () => {
    const address = shop.givenPage({ body: debugged() }).replace('127.0.0.1', 'shop.localhost');
    await page.goto(address);

    await expect
      .poll(() => page.locator('financing-button aside li').allTextContents(), { timeout: 10_000 })
      .toEqual([expect.stringMatching(/does not allow http:\/\/shop\.localhost:\d+ to read its programs. Register this origin/)]);
  });

  it('passes axe and is removed with its element', async () => {
    const { page: tab, problems } = await shop.openPage();
    await tab.goto(shop.givenPage({ body: `<main><h1>Chair</h1>${debugged({ amount: 4_999 })}</main>` }));
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
