import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../../server/openapi/docs/markdown.ts';
import { openPage, startBrowser } from '../../support/browser.ts';
import { codeBlock, readGuide } from '../../support/docs.ts';
import { fetchResponse, startService, type TestService } from '../../support/service.ts';

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), startBrowser()]);
});

const open = async (path: string, options = {}): Promise<Page> => {
  const { page } = await openPage(browser, options);
  await page.goto(service.publicUrl + path);
  return page;
};

describe('The guides at /docs', () => {
  it('show every guide, without broken links, anchors or images', async () => {
    const pages = new Map<string, string>();
    const broken: string[] = [];
    const pending = ['/docs/guides'];
    while (pending.length > 0) {
      const path = pending.pop()!;
      if (pages.has(path)) continue;
      const { status, text, headers } = await fetchResponse(service.publicUrl + path);
      const isPage = headers.get('content-type')!.startsWith('text/html');
      pages.set(path, isPage ? text : '');
      if (status !== 200) broken.push(path);
      if (!isPage) continue;
      const urls = [...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url!.split('#')[0]!);
      pending.push(...urls.filter((url) => url.startsWith('/docs')));
    }
    for (const [path, text] of pages) {
      for (const [, page, anchor] of text.matchAll(/href="(\/docs[^"#]*)?#([^"]+)"/g)) {
        if (!pages.get(page ?? path)!.includes(`id="${anchor}"`)) broken.push(`${page ?? path}#${anchor} on ${path}`);
      }
      // Relative links must have been rewritten to absolute paths.
      expect([path, text.match(/(?:href|src)="(?!\/|#|https?:|data:)[^"]*"/)]).toEqual([path, null]);
    }
    expect(broken).toEqual([]);
    const guides = ['merchant-api', 'code-samples', 'sandbox', 'webhooks', 'client', 'button', 'platform-api', 'programs'];
    for (const name of [...guides, 'lenders', 'operations', 'security', 'architecture', 'images/checkout-light.png']) {
      expect([...pages.keys()]).toContain(`/docs/${name}`);
    }
  });

  it('show the code and the tables of the Markdown', async () => {
    const page = await open('/docs/merchant-api');
    expect(await page.title()).toBe('Merchant API: Fairterm');
    const listings = await page.$$eval('pre code', (all) => all.map((code) => code.textContent));
    expect(listings).toContain(codeBlock('server/docs/merchant-api.md', 'transaction-calls').trimEnd());
    const rows = readGuide('server/docs/merchant-api.md').match(/^\|(?!---)/gm)!;
    expect(await page.locator('main tr').count()).toBe(rows.length);
  });

  it('include images, which are served without content encoding', async () => {
    const headers = { 'accept-encoding': 'br' };
    const picture = await fetch(`${service.publicUrl}/docs/images/checkout-light.png`, { headers });
    expect([picture.headers.get('content-type'), picture.headers.get('content-encoding')]).toEqual(['image/png', null]);
    const page = await fetch(`${service.publicUrl}/docs`, { headers });
    expect(page.headers.get('content-encoding')).toBe('br');
  });

  it('highlight the guide in the table of contents, with its sections', async () => {
    const page = await open('/docs/webhooks');
    const current = page.locator('nav [aria-current=page]');
    expect(await current.textContent()).toBe('Webhooks');
    await page.getByRole('link', { name: 'Inspect deliveries' }).first().click();
    expect(await page.$eval(':target', ({ textContent }) => textContent)).toBe('Inspect deliveries');
  });

  it('have the table of contents below the text on narrow screens, with a link to it', async () => {
    const page = await open('/docs/webhooks', { viewport: { width: 390, height: 800 } });
    const link = page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Sandbox' });
    const isInView = () => link.evaluate((element) => element.getBoundingClientRect().top < innerHeight);
    expect(await isInView()).toBe(false);
    await page.getByRole('link', { name: 'Contents' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(isInView).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.$eval(':focus', ({ textContent }) => textContent)).toBe('Merchant API');
  });

  it('show the samples in the language that the reader chooses, without JavaScript', async () => {
    const page = await open('/docs/code-samples', { javaScriptEnabled: false });
    const visible = async () => {
      const samples = await page.locator('.sample').all();
      const shown = [];
      for (const sample of samples) if (await sample.isVisible()) shown.push(await sample.getAttribute('data-language'));
      return [...new Set(shown)];
    };
    expect(await visible()).toEqual(['sh']);
    await page.getByRole('radio', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('radio', { name: 'Python' }).isChecked()).toBe(true);
    expect(await visible()).toEqual(['py']);
  });
});

describe('renderMarkdown', () => {
  const render = (markdown: string) => renderMarkdown(markdown, (href) => (href === 'known.md' ? '/docs/known' : undefined));

  it('shows HTML as text and omits comments', () => {
    const { html } = render('# A\n\n<script>alert(1)</script>\n\nText <b onclick="x">bold</b>\n\n<!-- comment -->\n');
    expect(html).not.toMatch(/<script|<b |comment/);
    expect(html).toContain('&lt;script&gt;');
  });

  it('turns links to files that are not served into text', () => {
    const { html } = render('# A\n\n[Known](known.md) and [unknown](../unknown.ts).\n');
    expect(html).toContain('<p><a href="/docs/known">Known</a> and unknown.</p>');
  });

  it('returns the headings, the summary, and the languages of samples that exist in several languages', () => {
    const { headings, summary, languages } = render(
      '# A `b`\n\nOne [two](x) & `three`.\n\n## Next\n\n```py s\nx\n```\n\n```sh s\ny\n```\n\n```php t\nz\n```\n',
    );
    expect(headings).toEqual([
      { level: 1, id: 'a-b', title: 'A b' },
      { level: 2, id: 'next', title: 'Next' },
    ]);
    expect(summary).toBe('One two & three.');
    expect(languages).toEqual(['sh', 'py']);
  });
});
