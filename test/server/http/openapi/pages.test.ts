/** Pages about the service: the home page and the documentation. */
import { describe, expect, it } from 'vitest';
import type { Mode } from '../../../../server/base/mode.ts';
import { homePage } from '../../../../server/http/openapi/routes.ts';
import { escapeHtml, renderHtml } from '../../../../server/http/pages/html.ts';
import { COLOR_RULES, expectAccessible, startBrowser, openPage } from '../../../support/browser.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

const service = await startService();
const browser = await startBrowser();
const wide = await openPage(browser, { colorScheme: 'light', viewport: { width: 1280, height: 800 } });
const narrow = await openPage(browser, { colorScheme: 'dark', viewport: { width: 390, height: 800 } });

const paths =
  '/ /docs /docs/api/carts /docs/api/rules /docs/api/payloads /docs/guides /docs/merchant-api /docs/code-samples /docs/button /docs/first-hour /docs/recipes/html'.split(
    ' ',
  );

describe.each(paths)('GET %s', (path) => {
  it.each<[colors: string, tab: typeof wide, check: { only?: string[] }]>([
    ['light and 1280 px wide', wide, {}],
    // The other rules do not depend on the colors and the width.
    ['dark and 390 px wide', narrow, { only: [...COLOR_RULES, 'target-size'] }],
  ])(
    'is accessible and fits its viewport, %s',
    async (_colors, { page, problems }, check) => {
      await page.goto(service.publicUrl + path);
      await expectAccessible(page, '', check);
      expect(problems).toEqual([]);
      const overflowPx = await page.$eval('html', ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect(overflowPx).toBe(0);
    },
    // The accessibility check of the long API reference is slow.
    60_000,
  );

  it('loads nothing from other hosts, and cannot be framed', async () => {
    const { headers, text } = await fetchResponse(service.publicUrl + path);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(text).not.toMatch(/<script>| style=/);
    const loaded = [...text.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="(?!data:|#)([^"]*)"/g)].map(([, url]) => url!);
    expect(loaded.filter((url) => !url.startsWith('/'))).toEqual([]);
  });

  it('responds 304 to a conditional request, and its stylesheet may be cached for a year', async () => {
    const { headers, text } = await fetchResponse(service.publicUrl + path);
    const conditional = { 'if-none-match': headers.get('etag')!, 'cache-control': 'max-age=0' };
    const again = await fetchResponse(service.publicUrl + path, { headers: conditional });
    expect([again.status, again.text]).toEqual([304, '']);
    const stylesheet = await fetchResponse(service.publicUrl + /href="(\/docs\/docs\.css\?v=[^"]+)"/.exec(text)![1]!);
    expect([stylesheet.status, stylesheet.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000']);
  });
});

describe('The home page', () => {
  const inMode = (mode: Mode) =>
    renderHtml(
      homePage({ mode, publicUrl: 'https://pay.example' }, { stylesheet: '', script: '', version: '', color: escapeHtml }),
    );

  it('states whether purchases are real', () => {
    expect(inMode('sandbox')).toContain('no real loan is made');
    expect(inMode('live')).toContain('a signed agreement is a loan');
    expect(inMode('live')).not.toMatch(/sandbox/i);
  });

  it('shows the script tag for a page with the button', async () => {
    const { text } = await fetchResponse(`${service.publicUrl}/`);
    const urls = [...text.matchAll(/(?:src|href)=&quot;(http[^&]*)&quot;/g)].map(([, url]) => url!);
    expect(urls).toHaveLength(2);
    for (const url of urls) {
      expect(url.startsWith(`${service.publicUrl}/widget/v1/`)).toBe(true);
      expect((await fetchResponse(url)).status).toBe(200);
    }
  });
});
