/**
 * `npm run screenshots`: takes the picture of the settings of the WooCommerce plug-in, on a page of the stand-in of WooCommerce. Needs PHP-FPM and
 * nginx. Only this: `npm run screenshots -- test/screenshots/woocommerce.ts`.
 */
import { test } from 'vitest';
import { startWordPress } from '../nightly/woocommerce/shop.ts';
import { listen } from '../support/http.ts';
import { onCleanup } from '../support/cleanup.ts';
import { startBrowser } from '../support/browser.ts';
import { startService } from '../support/service.ts';

test('Takes the picture of the settings of the WooCommerce plug-in', { timeout: 60_000 }, async () => {
  const service = await startService();
  const { apiKey, secret } = await service.createMerchant({ name: 'Shop', storeUrl: 'https://shop.example/', origins: [] });
  const shop = await listen();
  onCleanup(shop.stop);
  const callbackSecret = `whsec_${Buffer.alloc(32).toString('base64')}`;
  const { serve } = await startWordPress(shop.url, {});
  shop.server.on('request', (incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { method = 'GET' } = incoming;
      const init = method === 'POST' ? { method, body: Buffer.concat(chunks), headers: { 'content-type': FORM } } : {};
      const response = await serve(new Request(new URL(incoming.url!, shop.url), init));
      outgoing.writeHead(response.status, { 'content-type': 'text/html; charset=utf-8' });
      outgoing.end(await response.text());
    })();
  });
  const context = await (await startBrowser()).newContext({ viewport: { width: 760, height: 480 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(`${shop.url}/wp-admin/settings`);
  await page.getByLabel('Service address').fill(service.publicUrl);
  await page.getByLabel('API key').fill(apiKey);
  await page.getByLabel('Secret', { exact: true }).fill(secret);
  await page.getByLabel('Callback secret').fill(callbackSecret);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText('Connected: ').waitFor();
  await page.screenshot({ path: 'widget/recipes/woocommerce/settings.png', fullPage: true, scale: 'css' });
  await context.close();
});

const FORM = 'application/x-www-form-urlencoded';
