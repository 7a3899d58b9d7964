/**
 * `npm run screenshots`: takes screenshots of every checkout page and e-mail, and stores the PDFs of signed agreements, for reviewing
 * changes of the design. It also prints what buyers have to scroll and fill in. SCREENSHOTS is the output folder. ONLY is a regular expression that selects
 * pages by their name.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { test } from 'vitest';
import { changeMerchant } from '../../server/merchants/merchants.ts';
import { systemClock } from '../../server/base/time.ts';
import { checkoutPages, type CheckoutShop, inSpanish, startCheckoutShop, visitPlace } from '../support/checkout-pages.ts';
import { startBrowser, openPage } from '../support/browser.ts';
import { open, submit } from '../support/checkout.ts';
import { contactsOfCart, measureCheckout, measurePage, PHONE, printedMeasures, sumOf } from '../support/page-measures.ts';
import { storedDeliveries } from '../support/stored.ts';

const folder = process.env['SCREENSHOTS'] ?? join('data', 'screenshots');
const selected = checkoutPages.filter(({ name }) => new RegExp(process.env['ONLY'] ?? '').test(name));
const fileNamed = (name: string, extension: string) => join(folder, `${name.replaceAll(/[^\p{L}\d.]+/gu, '-')}.${extension}`);

test('Takes screenshots of the checkout pages and e-mails', { timeout: 1_800_000 }, async () => {
  mkdirSync(folder, { recursive: true });
  const shop = await startCheckoutShop();
  const browser = await startBrowser();
  await addBrand(shop, browser);
  const places = [];
  // One after the other, because some pages move the clock of the service.
  for (const { name, reach, isDocument } of selected) {
    const place = await reach(shop);
    places.push({ name, place });
    if (isDocument) await savePdf(name, place.url);
  }
  const emails = await sentEmails(shop);
  const measures = [];
  for (const width of [390, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await openPage(browser, { viewport: { width, height: 844 }, colorScheme });
      for (const { name, place } of places) {
        for (const [lang, variant] of Object.entries({ en: place, es: inSpanish(place) })) {
          await visitPlace(page, variant);
          if (width === PHONE.width && colorScheme === 'light' && lang === 'en') measures.push(await measurePage(page, name));
          await page.screenshot({ path: fileNamed(`${name}.${width}.${colorScheme}.${lang}`, 'png'), fullPage: true });
        }
      }
      await page.context().close();
      await takeEmails(shop, emails, { viewport: { width, height: 844 }, colorScheme }, browser);
    }
  }
  console.log(printedMeasures(measures));
  const { page: phone } = await openPage(browser, { viewport: PHONE });
  const carts = { 'without contacts': {}, 'with contacts': contactsOfCart };
  for (const [name, options] of Object.entries(carts)) {
    const url = (await shop.app.createCart(options)).url;
    const checkout = await measureCheckout(phone, url);
    const before = checkout.slice(0, -1);
    console.log(
      `A cart ${name}: ${sumOf(checkout, 'inputs')} inputs and ${sumOf(checkout, 'taps')} buttons to the signature; ` +
        `${sumOf(before, 'inputs')} inputs and ${sumOf(before, 'screens').toFixed(1)} phone screens before the agreement\n${printedMeasures(checkout)}`,
    );
  }
});

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="220" height="56" viewBox="0 0 220 56" style="display: block">
  <path d="M4 50 26 6l22 44H36L26 28 16 50z" fill="#b3431e"/>
  <text x="58" y="38" font-family="Georgia, serif" font-size="30" fill="#2b1a12">Acme Goods</text>
</svg>`;

/** Gives the merchant a logo, an accent color and contacts. */
async function addBrand({ app, database }: CheckoutShop, browser: Browser): Promise<void> {
  const { page } = await openPage(browser, { deviceScaleFactor: 2 });
  await page.setContent(LOGO);
  const logo = await page.locator('svg').screenshot({ omitBackground: true });
  await page.context().close();
  const support = ['help@acme.example', '1-800-555-0111', 'https://acme.example/help'];
  await changeMerchant(database, 'sandbox', app.merchantId, { logo, accent: '#b3431e', support }, systemClock.now());
}

async function savePdf(name: string, copyUrl: string): Promise<void> {
  const response = await fetch(`${copyUrl}/agreement.pdf`);
  writeFileSync(fileNamed(name, 'pdf'), new Uint8Array(await response.arrayBuffer()));
}

async function takeEmails(
  { app }: CheckoutShop,
  emails: Map<string, string>,
  options: { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' },
  browser: Browser,
): Promise<void> {
  const { page } = await openPage(browser, { ...options, bypassCSP: true });
  // A page of the service, because the browser lets no other page load the logo from a loopback address.
  await page.goto(`${app.publicUrl}/healthz`);
  for (const [name, html] of emails) {
    await page.setContent(html);
    const path = fileNamed(`email.${name}.${options.viewport.width}.${options.colorScheme}`, 'png');
    await page.screenshot({ path, fullPage: true });
  }
  await page.context().close();
}

/** Returns the HTML of one e-mail of each kind and language, with its first words as its name. */
async function sentEmails(shop: CheckoutShop): Promise<Map<string, string>> {
  // The pages were reached in English.
  for (const taxIdLast4 of ['1001', '1101', '2001', '4001', '5002']) {
    let page = await open(inSpanish({ url: await shop.link() }).url);
    for (let step = 0; step < 2; step++) page = await submit(page, { shippingTypeId: 'ground', taxIdLast4 });
  }
  const bodies = (await storedDeliveries(shop.database)).flatMap(({ channel, body }) => (channel === 'email' ? [body] : []));
  return new Map(
    bodies.map((body) => {
      const { subject, html } = JSON.parse(body) as { subject: string; html: string };
      const [, , , ...words] = html
        .slice(html.indexOf('<body'))
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\d/g, '')
        .trim()
        .split(/\s+/);
      return [`${subject}.${words.slice(0, 16).join(' ')}`, html];
    }),
  );
}
