/** The button on pages with a strict Content Security Policy. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { casesOf } from '../support/campaign.ts';
import { createCart } from '../support/checkout.ts';
import { waitForStates, startWidgetShop, type WidgetShop } from './shop.ts';

interface Violation {
  directive: string;
  blocked: string;
  sample: string;
}

describe('With a Content Security Policy', () => {
  let shop: WidgetShop;
  let strictPolicy: string;
  beforeAll(async () => {
    shop = await startWidgetShop();
    const sources = ['script-src', 'style-src', 'connect-src']
      .map((directive) => `${directive} ${shop.service.publicUrl}`)
      .join('; ');
    strictPolicy = `default-src 'none'; ${sources}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html; img-src 'self'`;
  });

  it.each(['financing-button.js', 'financing-button.iife.js'])(
    'that allows only the service and the Trusted Types policy lit-html, %s causes no violations in any state',
    async (script) => {
      const { page, problems } = await shop.openPage();
      const requested = new Set<string>();
      page.on('request', (request) => requested.add(new URL(request.url()).origin));
      await watchViolations(page);
      await page.goto(
        shop.createPage({
          head: headOf(shop, script),
          body: shop.button({}, '<a slot="fallback" href="/cart">Pay over time</a>') + shop.button({ show: 'button' }),
          headers: { 'content-security-policy': strictPolicy },
        }),
      );
      await waitForStates(page, 'quoted');

      await page.getByRole('button', { name: 'Learn more' }).click();
      await page.locator('input').fill('1299');
      await page.locator('dialog ul').waitFor();
      await page.keyboard.press('Escape');
      const changes: [property: string, value: unknown, expectedState: string][] = [
        ['theme', 'dark', 'quoted'],
        ['amount', 1, 'unavailable'],
        ['lang', 'es', 'unavailable'],
        ['program', 'none', 'failed'],
      ];
      for (const [property, value, expectedState] of changes) {
        await page.evaluate(
          ([name, to]) =>
            document.querySelectorAll('financing-button').forEach((button) => Object.assign(button, { [name]: to })),
          [property, value] as const,
        );
        await waitForStates(page, expectedState);
      }

      expect(await violationsOn(page)).toEqual([]);
      expect(problems()).toEqual([]);
      expect([...requested].toSorted()).toEqual([shop.service.publicUrl, shop.url].toSorted());
    },
  );

  const lazyModules: [
    file: string,
    waitUntilShown: (page: Page) => Promise<unknown>,
    attributes: Record<string, string | undefined>,
  ][] = [
    [
      'amount-from.js',
      (page) => page.getByText('Example: a $650.00 purchase').waitFor(),
      { amount: undefined, 'amount-from': '#price' },
    ],
    ['texts/es.js', (page) => page.getByRole('link', { name: 'Pagar a plazos' }).waitFor(), { lang: 'es' }],
    ['checkout.js', (page) => openAndCloseDialog(page), { mode: 'modal' }],
    ['checkout.js', (page) => openAndClosePopup(page), { mode: 'popup' }],
  ];
  it.each(lazyModules)(
    'that allows only the service, the lazy module %s causes no violations',
    async (file, waitUntilShown, attributes) => {
      for (const script of casesOf(['financing-button.js', 'financing-button.iife.js'], (name) => !name.includes('iife'))) {
        const { page, problems } = await shop.openPage();
        await watchViolations(page);
        const loaded = page.waitForResponse((response) => response.url().endsWith(`/${file}`));
        const { url: cart } = await createCart(shop.merchant);
        await page.goto(
          shop.createPage({
            head: headOf(shop, script),
            body: `<p id="price">$650.00</p>${shop.button({ 'cart-url': cart, ...attributes })}`,
            headers: {
              'content-security-policy': `${strictPolicy}; frame-src ${shop.service.publicUrl}`,
            },
          }),
        );
        expect((await loaded).ok()).toBe(true);
        await waitForStates(page, 'quoted');
        await waitUntilShown(page);
        expect(await violationsOn(page)).toEqual([]);
        expect(problems()).toEqual([]);
      }
    },
  );

  it('that only reports, the button creates one Trusted Types policy and causes no other report', async () => {
    const { page } = await shop.openPage();
    await watchViolations(page);
    const reportOnlyPolicy = `require-trusted-types-for 'script'; trusted-types 'none'`;
    await page.goto(
      shop.createPage({ body: shop.button(), headers: { 'content-security-policy-report-only': reportOnlyPolicy } }),
    );
    await waitForStates(page, 'quoted');
    await page.getByRole('button', { name: 'Learn more' }).click();
    await page.locator('dialog').waitFor();

    expect(await violationsOn(page)).toEqual([
      { directive: 'trusted-types', blocked: 'trusted-types-policy', sample: 'lit-html' },
    ]);
  });

  it('that allows no inline code, watchViolations records inline styles and scripts', async () => {
    const { page } = await shop.openPage();
    await watchViolations(page);
    const body = '<p style="color:red"></p><script>document.body.innerHTML = "<b>Bold</b>"</script>';
    await page.goto(shop.createPage({ head: headOf(shop), body, headers: { 'content-security-policy': strictPolicy } }));
    expect((await violationsOn(page)).map(({ directive }) => directive)).toEqual(['style-src-attr', 'script-src-elem']);
  });
});

async function openAndCloseDialog(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Pay over time' }).click();
  await page.frameLocator('iframe').locator('h1').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('iframe').waitFor({ state: 'detached' });
}

async function openAndClosePopup(page: Page): Promise<void> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Pay over time' }).click();
  await (await opened).locator('h1').waitFor();
  await (await opened).close();
}

const headOf = ({ service }: WidgetShop, script = 'financing-button.js'): string =>
  `<link rel="stylesheet" href="${service.publicUrl}/widget/v1/reserve.css">
  <script ${script.includes('iife') ? 'defer' : 'type="module"'} src="${service.publicUrl}/widget/v1/${script}"></script>`;

async function watchViolations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const violations: Violation[] = [];
    Object.assign(globalThis, { violations });
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
      violations.push({ directive: effectiveDirective, blocked: blockedURI, sample });
    });
  });
}

const violationsOn = (page: Page): Promise<Violation[]> => page.evaluate(() => Reflect.get(globalThis, 'violations'));
