import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { catalogue } from '../../demo/catalogue.ts';
import { givenCheckedOutOrder, givenShop } from './given-shop.ts';
import { apiKey, secret } from './stand-in-service.ts';

describe('the catalogue', () => {
  it('links to every product, and every product shows its price and its estimate', async () => {
    const { buyer } = await givenShop();
    const { html } = await buyer.get('/');

    for (const { slug, priceCents } of catalogue) {
      expect(html).toContain(`href="/products/${slug}"`);
      const product = await buyer.get(`/products/${slug}`);
      expect(product.html).toContain(`<financing-button api-key="${apiKey}" amount="${priceCents}">`);
      expect((await buyer.get(`/assets/${slug}.svg`)).status).toBe(200);
    }
  });

  it('brings the widget in two lines from the service', async () => {
    const { buyer, service } = await givenShop();

    const { html } = await buyer.get('/products/turntable');

    expect(html).toContain(`<link rel="stylesheet" href="${service.url}/widget/v1/reserve.css" />`);
    expect(html).toContain(`<script type="module" src="${service.url}/widget/v1/financing-button.js"></script>`);
  });
});

describe('a page', () => {
  test.each(['/products/yacht', '/products/%E0', '/nothing', '/assets/../shop.ts', '/assets/%2e%2e%2fshop.ts'])(
    'at %s is not found, kindly',
    async (path) => {
      const { buyer } = await givenShop();

      const { status, html } = await buyer.get(path);

      expect(status).toBe(404);
      expect(html).toContain('We do not have that');
    },
  );

  it('may load its own files and the service’s, and no other origin’s', async () => {
    const { buyer, service } = await givenShop();

    const { headers } = await buyer.get('/bag');

    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src ${service.url}; style-src 'self' ${service.url}; connect-src ${service.url}; ` +
        `frame-src 'self' ${service.url}; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });

  it('is never cached, and a picture is, and asked for again costs no bytes', async () => {
    const { buyer, shopUrl } = await givenShop();
    const picture = await buyer.get('/assets/turntable.svg');

    // Named, because fetch would add no-cache of its own.
    const headers = { 'if-none-match': picture.headers.get('etag')!, 'cache-control': 'max-age=0' };
    const again = await fetch(`${shopUrl}/assets/turntable.svg`, { headers });

    expect((await buyer.get('/bag')).headers.get('cache-control')).toBe('no-store');
    expect(picture.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(again.status).toBe(304);
  });

  it('has its whole looks in one file', async () => {
    const { buyer } = await givenShop();
    const { html, headers } = await buyer.get('/assets/shop.css');
    expect(headers.get('content-type')).toBe('text/css; charset=utf-8');
    const parts = readdirSync('demo/styles').map((name) => readFileSync(`demo/styles/${name}`, 'utf8'));
    expect(parts.filter((part) => !html.includes(part))).toEqual([]);
    expect(html).toHaveLength(parts.join('').length);
  });

  it('never contains the secret, and neither do the headers, the log and the errors', async () => {
    const { report, buyer, service, log, transactionId, orderRef, thankYou } = await givenCheckedOutOrder();
    const paths = [
      '/',
      '/products/turntable',
      '/bag',
      '/checkout/financing',
      thankYou,
      '/financing/declined',
      '/orders',
      '/nothing',
    ];
    const seen: string[] = [];
    const look = async () => {
      for (const path of paths) {
        const { html, headers } = await buyer.get(path);
        seen.push(html, JSON.stringify([...headers]));
      }
      seen.push(await (await report(transactionId, orderRef)).text());
    };

    await look();
    await buyer.add('turntable');
    service.outage = 'Down for maintenance';
    await look();
    await service.stop();
    await look();

    const encoded = Buffer.from(`${apiKey}:${secret}`).toString('base64');
    const everything = [...seen, ...log].join('\n');
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(encoded);
  });
});

describe('the back office', () => {
  it('shows what the server saw of an order, in order', async () => {
    const { report, buyer, transactionId, orderRef } = await givenCheckedOutOrder();
    await report(transactionId, orderRef);

    const { html } = await buyer.get('/orders');

    const story = [
      'Asked for a cart of $1,299',
      'Sent the buyer',
      `Callback for transaction ${transactionId}`,
      'PENDING, $1,299',
      'Authorized it',
    ];
    const positions = story.map((text) => html.indexOf(text));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
  });

  it('keeps the newest 200 orders', async () => {
    const { buyer, service } = await givenShop();
    await buyer.add('headphones');
    for (let count = 0; count < 201; count++) await buyer.get('/checkout/financing');

    const { html } = await buyer.get('/orders');

    expect(html.match(/<article/g)).toHaveLength(200);
    expect(html).not.toContain(service.carts[0]!.orderRef);
    expect(html).toContain(service.carts[200]!.orderRef);
  });
});
