import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { escapeHtml, renderHtml } from '../../../../server/http/pages/html.ts';
import { guideList, guidesIn, loadGuides } from '../../../../server/http/openapi/docs/guides.ts';
import { renderMarkdown } from '../../../../server/http/openapi/docs/markdown.ts';
import { openPage, shiftsOf, startBrowser } from '../../../support/browser.ts';
import { codeBlock, readGuide } from '../../../support/docs.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

const [service, browser] = await Promise.all([startService(), startBrowser()]);

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
    const guides =
      'first-hour merchant-api recipes code-samples sandbox webhooks client button platform-api programs lenders installation operations security architecture images/checkout-light.png'.split(
        ' ',
      );
    for (const name of guides) {
      expect([...pages.keys()]).toContain(`/docs/${name}`);
    }
  });

  it('show the code and the tables of the Markdown', async () => {
    const page = await open('/docs/merchant-api');
    expect(await page.title()).toBe('Merchant API: Fairterm');
    const listings = await page.$$eval('pre code', (all) => all.map((code) => code.textContent));
    expect(listings).toContain(
      codeBlock('server/docs/merchant-api.md', 'transaction-calls')
        .trimEnd()
        .replaceAll('http://localhost:4000', service.publicUrl),
    );
    const rows = readGuide('server/docs/merchant-api.md').match(/^\|(?!---)/gm)!;
    expect(await page.locator('main tr').count()).toBe(rows.length);
  });

  it('use the address of this service in their samples', async () => {
    for (const path of guidesIn('sandbox').map(({ href }) => href)) {
      const { text } = await fetchResponse(service.publicUrl + path);
      expect([path, text.match(/http:\/\/localhost:4000|pay\.example|financing\.example/g)]).toEqual([path, null]);
    }
    expect((await fetchResponse(`${service.publicUrl}/docs/merchant-api`)).text).toContain(`${service.publicUrl}/aslowas`);
  });

  it('include the recipes with all of their files except pictures', async () => {
    const page = await open('/docs/recipes');
    await page.getByRole('link', { name: 'html/' }).click();
    const headings = await page.$$eval('main h2', (all) => all.map(({ textContent }) => textContent));
    expect(headings).toEqual(['package.json', 'product.html', 'product.js']);
    const [, listing] = await page.$$eval('pre code', (all) => all.map(({ textContent }) => textContent));
    expect(listing).toBe(readGuide('widget/recipes/html/product.html').replaceAll('http://localhost:4000', service.publicUrl));
    expect((await fetchResponse(`${service.publicUrl}/docs/recipes/next`)).text).toContain('app/financing/callback/route.ts');
    const { text } = await fetchResponse(`${service.publicUrl}/docs/recipes/woocommerce`);
    expect([text.includes('id="fairterm.php"'), text.includes('id="settings.png"')]).toEqual([true, false]);
  });

  it('omit the sandbox and the pages of operators in live mode', () => {
    const guides = loadGuides('live', escapeHtml);
    const operators = ['installation', 'operations', 'settings', 'monitoring', 'backup', 'scale', 'security', 'asvs'];
    const hidden = ['first-hour', 'sandbox', ...operators, 'architecture'];
    expect(guides.map(({ href }) => href)).toEqual(
      guidesIn('sandbox')
        .map(({ href }) => href)
        .filter((href) => !hidden.includes(href.replace('/docs/', ''))),
    );
    for (const { html } of guides)
      expect(html).not.toMatch(/href="\/docs\/(sandbox|installation|operations|security|first-hour)/);
    const list = renderHtml(guideList({ stylesheet: '', script: '', version: '', color: escapeHtml }, 'live', guides));
    expect(list).toContain('Integrate with the sandbox first');
  });

  it('include images, which are served without content encoding', async () => {
    const headers = { 'accept-encoding': 'br' };
    const picture = await fetch(`${service.publicUrl}/docs/images/checkout-light.png`, { headers });
    expect([picture.headers.get('content-type'), picture.headers.get('content-encoding')]).toEqual(['image/png', null]);
    const page = await fetch(`${service.publicUrl}/docs`, { headers });
    expect(page.headers.get('content-encoding')).toBe('br');
  });

  it('have a picture or a diagram each, which fits the page, and is also a list', async () => {
    const page = await open('/docs/webhooks', { viewport: { width: 390, height: 800 } });
    for (const { href } of guidesIn('sandbox')) {
      await page.goto(service.publicUrl + href);
      const pictures = page.locator('main').locator('img, .sequence svg, pre[aria-label=Text]');
      expect([href, await pictures.count()]).not.toEqual([href, 0]);
      expect([href, await shiftsOf(page)]).toEqual([href, []]);
      const widths = await page.$$eval('.sequence svg', (all) => all.map((svg) => svg.getBoundingClientRect().width));
      expect([href, widths.filter((width) => width > 350)]).toEqual([href, []]);
      expect(await page.locator('.sequence li').count()).toBe(await page.locator('.sequence g').count());
    }
  });

  it('highlight the guide in the table of contents, with its sections', async () => {
    const page = await open('/docs/webhooks');
    const current = page.locator('nav [aria-current=page]');
    expect(await current.textContent()).toBe('Callbacks and webhooks');
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
    expect(await page.$eval(':focus', ({ textContent }) => textContent)).toBe('Your first hour');
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

describe('The search', () => {
  it.each([
    ['partial refund', 'Partial cancels and refunds'],
    ['test SSN', 'Test buyers'],
    ['chargeback', 'Chargebacks'],
    ['docker', 'Docker'],
    ['refunds partialy', 'Partial cancels and refunds'],
  ])('finds "%s", without JavaScript', async (query, section) => {
    const page = await open('/docs/guides', { javaScriptEnabled: false });
    await page.getByRole('searchbox').fill(query);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/search?q=*');
    const first = page.locator('main li a').first();
    expect(await first.textContent()).toContain(section);
    expect(await page.getByRole('searchbox').inputValue()).toBe(query);
    await first.click();
    expect(await page.getByRole('heading', { name: section }).first().isVisible()).toBe(true);
  });

  it.each([
    ['without a query', '', 'Enter words'],
    ['with unknown words', '?q=xyzzyplugh', '0 results for “xyzzyplugh”'],
    ['with HTML', '?q=%3Cscript%3Ealert(1)%3C/script%3E', 'for “&lt;script&gt;alert(1)&lt;/script&gt;”'],
    ['with several queries', '?q=refund&q=cancel', 'for “refund,cancel”'],
  ])('responds %s', async (_case, query, text) => {
    const response = await fetchResponse(`${service.publicUrl}/docs/search${query}`);
    expect([response.status, response.text]).toEqual([200, expect.stringContaining(text)]);
  });

  it('reads only the beginning of a long query, and returns at most 20 results', async () => {
    const { text } = await fetchResponse(`${service.publicUrl}/docs/search?q=${'a '.repeat(2_000)}refund`);
    expect(text).not.toContain('refund”');
    const { text: many } = await fetchResponse(`${service.publicUrl}/docs/search?q=the`);
    expect([many.match(/<li>/g)!.length, many.includes('The best 20 results')]).toEqual([20, true]);
  });
});

describe('renderMarkdown', () => {
  const render = (markdown: string) =>
    renderMarkdown(markdown, (href) => (href === 'known.md' ? '/docs/known' : undefined), escapeHtml);

  it('shows HTML as text and omits comments', () => {
    const { html } = render('# A\n\n<script>alert(1)</script>\n\nText <b onclick="x">bold</b>\n\n<!-- comment -->\n');
    expect(html).not.toMatch(/<script|<b |comment/);
    expect(html).toContain('&lt;script&gt;');
  });

  it('shows the image of a picture in two colors', () => {
    const { html } = render(
      '# A\n\n<picture>\n  <source srcset="dark.png">\n  <img src="known.md" alt="A and B" width="1">\n</picture>\n',
    );
    expect(html).toContain('<img src="/docs/known" alt="A and B">');
    expect(html).not.toContain('picture');
  });

  it('turns links to files that are not served into text', () => {
    const { html } = render('# A\n\n[Known](known.md) and [unknown](../../unknown.ts).\n');
    expect(html).toContain('<p><a href="/docs/known">Known</a> and unknown.</p>');
  });

  it('returns the headings, the texts of their sections, and the languages of samples that exist in several languages', () => {
    const { headings, sectionTexts, languages } = render(
      '# A `b`\n\nOne [two](x) & `three`.\n\n## Next\n\n```py s\nx\n```\n\n```sh s\ny\n```\n\n```php t\nz\n```\n',
    );
    expect(headings).toEqual([
      { level: 1, id: 'a-b', title: 'A b' },
      { level: 2, id: 'next', title: 'Next' },
    ]);
    expect(sectionTexts).toEqual(['One two & three.', 'Python x curl y z']);
    expect(languages).toEqual(['sh', 'py']);
  });
});
