import { domainToASCII } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createCart } from '../../../../server/purchases/carts/carts.ts';
import { isOnOrigin, requireCallbackUrl } from '../../../../server/purchases/carts/redirect-urls.ts';
import { requireMerchant, originsOf } from '../../../../server/merchants/store.ts';
import type { Mode } from '../../../../server/base/mode.ts';
import { startBrowser } from '../../../support/browser.ts';
import { chair } from '../../../support/checkout.ts';
import { samples } from '../../../support/random.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

const origins = ['https://shop.example', 'https://m.shop.example:8443', 'https://xn--bcher-kva.example', 'http://localhost:4001'];

describe('A URL', () => {
  it.each([
    'https://shop.example',
    'https://shop.example/',
    'https://shop.example/thanks?order=7#top',
    'https://shop.example?order=7',
    'https://shop.example#top',
    'https://shop.example:443/',
    'HTTPS://Shop.Example/',
    'https://m.shop.example:8443/a/../b',
    'https://bücher.example/danke',
    'https://BÜCHER.example/',
    'https://xn--bcher-kva.example/',
    'http://localhost:4001/thank-you',
    'https://shop.example/@evil.example',
    'https://shop.example/?next=https://evil.example',
    'https://shop.example/%0d%0aset-cookie:a=b',
  ])('is within the origins of a merchant: %j', (url) => expect(isOnOrigin(url, origins)).toBe(true));

  it.each([
    ['another host', 'https://evil.example/'],
    ['plain HTTP of a host registered for HTTPS', 'http://shop.example/'],
    ['another port', 'https://shop.example:8443/'],
    ['a missing port', 'https://m.shop.example/'],
    ['a parent domain', 'https://example/'],
    ['a subdomain', 'https://evil.shop.example/'],
    ['a longer host', 'https://shop.example.evil.example/'],
    ['a host with the same ending', 'https://evilshop.example/'],
    ['a trailing dot', 'https://shop.example./'],
    ['the host as user name', 'https://shop.example@evil.example/'],
    ['the host as password', 'https://a:shop.example@evil.example/'],
    ['a user name', 'https://evil@shop.example/'],
    ['an empty user name', 'https://@shop.example/'],
    ['an empty user name and password', 'https://:@shop.example/'],
    ['a javascript: URL', 'javascript:alert(1)'],
    ['a javascript: URL with the host', 'javascript://shop.example/%0aalert(1)'],
    ['a data: URL', 'data:text/html,https://shop.example/'],
    ['a blob: URL', 'blob:https://shop.example/019a0000'],
    ['a file: URL', 'file://shop.example/'],
    ['a filesystem: URL', 'filesystem:https://shop.example/temporary/'],
    ['a view-source: URL', 'view-source:https://shop.example/'],
    ['no scheme', '//shop.example/'],
    ['no scheme, and backslashes', '\\\\shop.example/'],
    ['a path', '/thanks'],
    ['an empty string', ''],
    ['a backslash before the user', 'https://evil.example\\@shop.example/'],
    ['a backslash after the host', 'https://shop.example\\@evil.example/'],
    ['a backslash in the path', 'https://shop.example/\\evil.example'],
    ['a tab in the host', 'https://shop.example\t.evil.example/'],
    ['a line feed in the scheme', 'https\n://shop.example/'],
    ['a line break and a header', 'https://shop.example/\r\nset-cookie: a=b'],
    ['a leading space', ' https://shop.example/'],
    ['a NUL', 'https://shop.example/\0'],
    ['a right-to-left mark', 'https://shop.example/\u202e'],
    ['a zero-width space', 'https://shop\u200b.example/'],
    ['a full-width dot in a longer host', 'https://shop.example\uff0eevil.example/'],
    ['lookalike letters', 'https://ѕhop.example/'],
    ['half of a surrogate pair', 'https://shop.example/\ud800'],
    ['an IP address as one number', 'http://2130706433:4001/'],
    ['another name of this machine', 'http://127.0.0.1:4001/'],
  ])('is not within the origins of a merchant with %s: %j', (_title, url) => expect(isOnOrigin(url, origins)).toBe(false));

  it('is not within the origins of a merchant without origins', () =>
    expect(isOnOrigin('https://shop.example/', [])).toBe(false));
});

describe('Of 10,000 malicious URLs', () => {
  const parts = {
    before: '||| |\t|\u00a0|blob:|view-source:|javascript:|data:text/html,|url:|\0|//|\\'.split('|'),
    scheme: 'https:|https:|https:|http:|HtTpS:|https|ftp:|javascript:|ht\ntps:|https\t:|ws:|'.split('|'),
    slashes: '//|//|//|/||///|\\\\|/\\|\\/|////|/\t/|//\n|:///'.split('|'),
    user: '|||@|u@|u:p@|shop.example@|shop.example:443@|:@|%40|shop.example%40|shop.example\\@|a@b@'.split('|'),
    host: [
      ...'shop.example|shop.example|shop.example|SHOP.EXAMPLE|evil.example|evil.example|shop.example.evil.example'.split('|'),
      ...'evilshop.example|shop.example.|sh\top.example|shop\u3002example|shop.example\u3002evil.example'.split('|'),
      ...'shop.example\uff0fevil.example|shop.example\u2044evil.example|evil.example\uff03shop.example'.split('|'),
      ...'shop.example%2eevil.example|shop.example%00.evil.example|[::1]|127.1|ѕhop.example|bücher.example'.split('|'),
      'b\u00fc\u00adcher.example',
      'localhost',
      'm.shop.example',
    ],
    port: '|||:443|:80|:8443|:4001|:|:0443|:443:80|:99999|:४४३|:443@evil.example'.split('|'),
    rest: [
      ...'|/|/|?x|#x|\\|\\evil.example|@evil.example|/@evil.example|;@evil.example|&@evil.example#@shop.example'.split('|'),
      ...'\r\nlocation: https://evil.example|/..//evil.example|\u2028| .evil.example|\t.evil.example'.split('|'),
      '%09.evil.example',
      '.evil.example/',
    ],
  };
  const order = ['before', 'scheme', 'slashes', 'user', 'host', 'port', 'rest'] as const;
  // Most parts are the valid first one of their list, so that a single invalid part is not masked by others.
  const hostile = samples(10_000, 20, ({ fraction, integer }) =>
    order.map((part) => parts[part][fraction() < 0.6 ? 0 : integer(0, parts[part].length - 1)]!).join(''),
  );
  const accepted = hostile.filter((url) => isOnOrigin(url, origins));

  it('some are accepted, so that the following tests are meaningful', () => {
    expect(accepted.length).toBeGreaterThan(100);
    expect(accepted.length).toBeLessThan(1_500);
  });

  it('every accepted one has an origin of the merchant according to RFC 3986', () => {
    const hosts = new Map(origins.map((origin) => [origin, new URL(origin).host]));
    const outsideOrigins = accepted.filter((url) => {
      // The regular expression of RFC 3986, appendix B.
      const [, , scheme, , authority = ''] = /^(([^:/?#]+):)?(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?/.exec(url)!;
      const [, host = '', port = ''] = /^(.*?)(?::(\d*))?$/.exec(authority)!;
      const defaultPort = { http: '80', https: '443' }[scheme?.toLowerCase() ?? ''];
      const portSuffix = port === '' || Number(port) === Number(defaultPort) ? '' : `:${Number(port)}`;
      const origin = `${scheme?.toLowerCase()}://${domainToASCII(host)}${portSuffix}`;
      return !hosts.has(origin) || /[@\\\s]/.test(authority);
    });
    expect(outsideOrigins).toEqual([]);
  });

  it('no accepted one has another origin in a browser', async () => {
    const page = await (await startBrowser()).newPage();
    const browserOrigins = await page.evaluate(
      (urls) => urls.map((url) => (URL.canParse(url) ? new URL(url).origin : 'invalid')),
      accepted,
    );
    expect([...new Set(browserOrigins)].filter((origin) => !origins.includes(origin))).toEqual([]);
  });
});

const service = await startService();
const merchant = await service.createMerchant({ origins: ['https://m.shop.example'] });

describe('A cart created by a shop page', () => {
  const openFromPage = async (urls: Record<string, string>, mode: Mode = 'sandbox', callbackUrls: string[] = []) => {
    const row = await requireMerchant(service.database.query, merchant.merchantId);
    const registeredOrigins = await originsOf(service.database.query, row.id);
    const callbacks = { mode, allowLoopback: false, allowedHosts: [] } as const;
    const options = { items: [chair], disableEditShipping: false, requireShippingContact: false, ...urls };
    return createCart(service.database, row, { options }, service.clock.now(), {
      callbacks,
      page: { origins: registeredOrigins, callbackUrls },
    });
  };

  const registered = ['https://shop.example/callback?wc-api=fairterm', 'https://erp.example/'];

  it.each([
    'https://shop.example/callback?wc-api=fairterm',
    'https://SHOP.example:443/callback?wc-api=fairterm#top',
    'https://erp.example',
  ])('may contain the registered callback URL %s in live mode', async (callbackUrl) => {
    expect((await openFromPage({ callbackUrl }, 'live', registered)).cart.options).toMatchObject({ callbackUrl });
  });

  it.each([
    ['another path', 'https://shop.example/admin/delete?wc-api=fairterm'],
    ['another query', 'https://shop.example/callback?wc-api=other'],
    ['no query', 'https://shop.example/callback'],
    ['a longer path', 'https://erp.example/callback'],
    ['a user name', 'https://ada@erp.example/'],
    ['another port', 'https://erp.example:8443/'],
    ['another origin', 'https://evil.example/'],
  ])('is rejected in live mode if its callback URL has %s', async (_title, callbackUrl) => {
    await expect(openFromPage({ callbackUrl }, 'live', registered)).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('At path: options.callbackUrl -- '),
    });
  });

  it('may contain URLs of any origin if it was created by the merchant’s server', async () => {
    const response = await merchant.post('/carts', { options: { items: [chair], completeUrl: 'https://elsewhere.example/' } });
    expect(response).toMatchObject({ status: 200, body: { options: { completeUrl: 'https://elsewhere.example/' } } });
  });
});

describe('The callbackUrl of a cart', () => {
  const https = 'an https URL';
  const port = 'a URL with the port 80, 443, or one above 1023';
  const host = 'a URL with a host on the public internet';
  const rules = (mode: Mode) => ({ mode, allowLoopback: false, allowedHosts: ['10.0.0.7', '169.254.169.254'] });
  const check = (callbackUrl: string, mode: Mode) => () => requireCallbackUrl({ callbackUrl }, rules(mode));

  it.each<[string, Mode]>([
    ['https://shop.example/callback', 'live'],
    ['https://user:password@shop.example:8443/callback', 'live'],
    ['https://shop.example:1024/', 'live'],
    ['http://shop.example/', 'sandbox'],
    ['http://shop.example:443/', 'sandbox'],
    ['https://shop.example:80/', 'live'],
    ['https://93.184.216.34/', 'live'],
    ['https://[2606:4700::1111]/', 'live'],
    ['https://10.0.0.7/', 'live'],
  ])('may be %s in %s mode', (callbackUrl, mode) => expect(check(callbackUrl, mode)).not.toThrow());

  it.each<[string, Mode, string, string]>([
    ['http://shop.example/', 'live', https, 'http://shop.example'],
    ['http://10.0.0.7/', 'live', https, 'http://10.0.0.7'],
    ['https://user:password@shop.example:22/secret', 'live', port, 'https://shop.example:22'],
    ['https://shop.example:1023/', 'sandbox', port, 'https://shop.example:1023'],
    ['https://169.254.169.254/latest', 'live', host, 'https://169.254.169.254'],
    ['http://2852039166/', 'sandbox', host, 'http://169.254.169.254'],
    ['http://168.63.129.16/', 'sandbox', host, 'http://168.63.129.16'],
    ['http://[fd00:ec2::254]/', 'sandbox', host, 'http://[fd00:ec2::254]'],
    ['http://[::ffff:169.254.169.254]/', 'sandbox', host, 'http://[::ffff:a9fe:a9fe]'],
    ['https://10.0.0.8/', 'live', host, 'https://10.0.0.8'],
    ['http://127.0.0.1:8080/', 'sandbox', host, 'http://127.0.0.1:8080'],
  ])('may not be %s in %s mode', (callbackUrl, mode, expected, received) => {
    const message = `At path: options.callbackUrl -- Expected ${expected}, but received "${received}"`;
    expect(check(callbackUrl, mode)).toThrow(expect.objectContaining({ code: 'invalid-request', message }));
  });

  it('is checked in the merchant API and the storefront API', async () => {
    const origin = 'http://169.254.169.254';
    const owner = await service.createMerchant({ origins: [origin] });
    const options = { items: [chair], callbackUrl: 'http://169.254.169.254/latest/meta-data/' };
    const description = `At path: options.callbackUrl -- Expected ${host}, but received "http://169.254.169.254"`;
    const fromServer = await owner.post('/carts', { options });
    expect([fromServer.status, fromServer.body.description]).toEqual([400, description]);

    const fromPage = await fetchResponse(`${service.publicUrl}/storefront/carts`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ key: owner.apiKey, idempotencyKey: '01990000-0000-7000-8000-00000000000c', options }),
    });
    expect([fromPage.status, fromPage.body.description]).toEqual([400, description]);
  });
});
