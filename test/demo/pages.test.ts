import { describe, expect, it, test } from 'vitest';
import { catalog } from '../../demo/catalog.ts';
import { startShopWithPurchase, startShop } from './shop.ts';
import { apiKey, secret } from './fake-service.ts';

describe('The catalog', () => {
  it('links to every product, whose page has a button for its price', async () => {
    const { buyer } = await startShop();
    const { html } = await buyer.get('/');

    for (const { slug, priceCents } of catalog) {
      expect(html).toContain(`href="/products/${slug}"`);
      const product = await buyer.get(`/products/${slug}`);
      expect(product.html).toContain(`<financing-button api-key="${apiKey}" amount="${priceCents}">`);
      expect((await buyer.get(`/assets/${slug}.svg`)).status).toBe(200);
    }
  });
});

describe('A page', () => {
  test.each(['/products/yacht', '/products/%E0', '/nothing', '/assets/../shop.ts', '/assets/%2e%2e%2fshop.ts'])(
    'at %s responds 404 with a page',
    async (path) => {
      const { buyer } = await startShop();

      const { status, html } = await buyer.get(path);

      expect(status).toBe(404);
      expect(html).toContain('We do not have that');
    },
  );

  it('allows only files of the shop and the service in its Content Security Policy', async () => {
    const { buyer, service } = await startShop();

    const { headers } = await buyer.get('/bag');

    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self' ${service.url}; style-src 'self' ${service.url}; connect-src ${service.url}; ` +
        `frame-src 'self' ${service.url}; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });

  it('is not stored by caches, unlike pictures, which are revalidated', async () => {
    const { buyer, shopUrl } = await startShop();
    const picture = await buyer.get('/assets/turntable.svg');

    // Without an explicit cache-control, fetch adds no-cache.
    const headers = { 'if-none-match': picture.headers.get('etag')!, 'cache-control': 'max-age=0' };
    const again = await fetch(`${shopUrl}/assets/turntable.svg`, { headers });

    expect((await buyer.get('/bag')).headers.get('cache-control')).toBe('no-store');
    expect(picture.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(again.status).toBe(304);
  });

  it('does not contain the secret, like headers, logs and callback responses', async () => {
    const { sendCallback, buyer, service, log, transactionId, orderRef, thankYou } = await startShopWithPurchase();
    const paths = ['/', '/products/turntable', '/bag', '/checkout/financing', thankYou, '/financing/declined', '/nothing'];
    const outputs: string[] = [];
    const record = async () => {
      for (const path of paths) {
        const { html, headers } = await buyer.get(path);
        outputs.push(html, JSON.stringify([...headers]));
      }
      outputs.push(await (await sendCallback(transactionId, orderRef)).text());
    };

    await record();
    await buyer.add('turntable');
    service.outage = 'Down for maintenance';
    await record();
    await service.stop();
    await record();

    const encoded = Buffer.from(`${apiKey}:${secret}`).toString('base64');
    const everything = [...outputs, ...log].join('\n');
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(encoded);
  });
});

describe('The shop', () => {
  it('keeps the newest 200 orders', async () => {
    const { buyer } = await startShop();
    await buyer.add('headphones');
    const thankYous: string[] = [];
    for (let count = 0; count < 201; count++) {
      thankYous.push((await buyer.post('/checkout/card', { delivery: 'standard' })).location);
    }

    expect((await buyer.get(thankYous[0]!)).status).toBe(404);
    expect((await buyer.get(thankYous[1]!)).status).toBe(200);
    expect((await buyer.get(thankYous[200]!)).status).toBe(200);
  });
});
