import { describe, expect, it } from 'vitest';
import type { Json } from '../../../support/conformance.ts';
import { expectAccessible, openPage, shiftsOf, startBrowser } from '../../../support/browser.ts';
import { ensureCommand, requestsOfReference } from '../../../support/docs.ts';
import { createMigratedDatabaseUrl } from '../../../support/databases.ts';
import { buildProject, startReachableProcess } from '../../../support/process.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

const [service, browser] = await Promise.all([startService(), startBrowser()]);
const document = (await fetchResponse(`${service.publicUrl}/openapi.json`)).body;
const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.values<Json>(item).map((operation) => ({ ...operation, path })),
);
const open = async (path: string, options = {}) => {
  const { page, problems } = await openPage(browser, options);
  await page.goto(service.publicUrl + path);
  return { page, problems };
};
const pageOf = (tag: string) => `/docs/api/${tag.toLowerCase().replaceAll(' ', '-')}`;

describe('The API reference', () => {
  it('has a page for each resource, with its operations, and lists all of them at /docs', async () => {
    const { page } = await open('/docs');
    const listed = await page.$$eval('.links li[id]', (items) =>
      items.map((item) => [item.id, item.querySelector('a')!.getAttribute('href')!]),
    );
    const expected = operations.map(({ operationId, tags }) => [operationId, `${pageOf(tags[0])}#${operationId}`]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(expected));
    expect(listed).toHaveLength(expected.length);

    for (const { name } of document.tags) {
      await page.goto(service.publicUrl + pageOf(name));
      const ids = await page.$$eval('[id]', (elements) => elements.map(({ id }) => id));
      expect(ids.length).toBe(new Set(ids).size);
      const text = await page.textContent('main');
      for (const { operationId, summary, path } of operations.filter(({ tags }) => tags.includes(name))) {
        expect(ids).toContain(operationId);
        expect(text).toContain(summary);
        expect(text).toContain(path);
      }
      expect(text).not.toMatch(/undefined|\[object|NaN/);
    }
  });

  it('has pages with the schemas, the payloads, and the rules of errors, versions and retries', async () => {
    const { page } = await open('/docs/api/schemas');
    const ids = await page.$$eval('article', (all) => all.map(({ id }) => id));
    expect(ids).toEqual(Object.keys(document.components.schemas).map((name) => `schema-${name}`));
    // Paragraphs of a description are separate elements.
    const { description } = document.components.schemas.StatusCode;
    const paragraphs = await page.$$eval('#schema-StatusCode > p:not(.type)', (elements) =>
      elements.map(({ textContent }) => textContent),
    );
    expect(paragraphs).toEqual(description.replaceAll('`', '').split('\n\n'));
    await page.goto(`${service.publicUrl}/docs/api/rules`);
    const headings = await page.$$eval('main h2', (all) => all.map(({ textContent }) => textContent));
    expect(headings).toEqual(['Errors', 'Versions', 'Retries', 'Headers of responses']);
    await page.goto(`${service.publicUrl}/docs/api/payloads`);
    expect(await page.textContent('main')).toContain('webhook-signature');
  });

  it('has an anchor for every field of every operation and schema', async () => {
    const { page } = await open('/docs/api/carts#createCart-options-callbackUrl');
    expect(await page.$eval(':target dt', ({ textContent }) => textContent)).toContain('callbackUrl');
    const entries = await page.$$eval('.entries > div[id]', (all) =>
      all.filter(({ id }) => document.querySelector(`a[href="#${CSS.escape(id)}"]`) === null).map(({ outerHTML }) => outerHTML),
    );
    expect(entries).toEqual([]);
  });

  it('shows the first screen as a purchase in five calls with a diagram, which is also a list', async () => {
    const { page } = await open('/docs', { viewport: { width: 1280, height: 900 } });
    const bottomOf = (selector: string) =>
      page.$eval(selector, (element) => element.getBoundingClientRect().bottom <= innerHeight && element.children.length);
    expect(await bottomOf('.steps')).toBe(5);
    expect(await page.getByRole('img', { name: 'A purchase' }).isVisible()).toBe(true);
    const titles = await page.$$eval('.sequence g title', (all) => all.map(({ textContent }) => textContent));
    await page.getByText('A purchase, as a list').click();
    const items = await page.$$eval('.sequence li', (all) => all.map((item) => item.textContent.split(': ')[1]));
    expect(items).toEqual(titles);
    expect(items).toContain('1 create a cart');
  });

  it('shows a call of every operation in four languages, with the version, and one response', async () => {
    const { page } = await open('/docs/api/carts');
    expect(await page.textContent('#getCart [data-language=sh] code')).toBe(
      `curl \\\n  -u $KEY:$SECRET \\\n  -H 'fairterm-version: 2' \\\n  ${service.publicUrl}/carts/$CART`,
    );
    for (const { name } of document.tags) {
      await page.goto(service.publicUrl + pageOf(name));
      const samples = await page.$$eval('article', (articles) =>
        articles.map((article) =>
          [...article.querySelectorAll('details[open] .sample')].map((sample) => sample.getAttribute('data-language')),
        ),
      );
      for (const languages of samples) expect(languages).toEqual(['sh', 'ts', 'py', 'php']);
      const withKeyPair = await page.$$eval('.sample code', (all) =>
        all.map(({ textContent }) => textContent).filter((code) => /-u \$KEY|Basic /.test(code)),
      );
      // Those of the platform API have no version.
      const withVersion = withKeyPair.filter((code) => !/\/(oauth|api)\//.test(code));
      for (const code of withVersion) expect(code).toMatch(/fairterm-version'?[:,] '?2/);
    }
  });

  it('keeps requests and responses beside the text from 1,100 px on, and below it on narrower screens', async () => {
    for (const [width, isBeside] of [
      [1100, true],
      [1099, false],
      [390, false],
    ] as const) {
      const { page } = await open('/docs/api/carts', { viewport: { width, height: 900 } });
      const boxes = await page.$$eval('#createCart > div', (all) => all.map((column) => column.getBoundingClientRect().left));
      expect([width, boxes[1]! > boxes[0]!]).toEqual([width, isBeside]);
      await page.goto(`${service.publicUrl}/docs/code-samples`);
      const lefts = await page.$$eval('#quote-a-price, #quote-a-price + .sample', (all) =>
        all.map((element) => element.getBoundingClientRect().left),
      );
      expect([width, lefts[1]! > lefts[0]!]).toEqual([width, isBeside]);
    }
  });

  it('can be used with only the keyboard', async () => {
    const { page } = await open('/docs/api/carts');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.$eval(':focus', (focused) => focused.closest('main') !== null)).toBe(true);
    const closed = page.locator('main details:not([open])').first();
    const before = await page.locator('details[open]').count();
    await closed.locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('details[open]').count()).toBe(before + 1);
  });
});

describe('The script of the documentation', () => {
  it('copies a listing without the label of its button, and moves nothing when it adds the buttons', async () => {
    const { page, problems } = await open('/docs/api/carts');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    expect(await shiftsOf(page)).toEqual([]);
    const listing = page.locator('#getCart [data-language=sh] pre');
    await listing.getByRole('button', { name: 'Copy' }).click();
    await listing.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await listing.locator('code').textContent());
    expect(problems).toEqual([]);
  });

  it('keeps the language of the samples for other pages, which it selects before they are shown', async () => {
    const { page, problems } = await open('/docs/code-samples');
    await page.getByRole('radio', { name: 'Python' }).check();
    for (const path of ['/docs/api/carts', '/docs/code-samples']) {
      await page.goto(service.publicUrl + path);
      expect(await page.getByRole('radio', { name: 'Python' }).isChecked()).toBe(true);
      expect(await page.locator('.sample:visible').first().getAttribute('data-language')).toBe('py');
      expect(await shiftsOf(page)).toEqual([]);
    }
    expect(problems).toEqual([]);
  });

  it('works in a browser that allows no storage', async () => {
    const { page } = await openPage(browser);
    await page.addInitScript(() =>
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('The user denied permission', 'SecurityError');
        },
      }),
    );
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(`${service.publicUrl}/docs/code-samples`);
    await page.getByRole('radio', { name: 'PHP' }).check();
    expect(await page.locator('.sample:visible').first().getAttribute('data-language')).toBe('php');
    expect(errors).toEqual([]);
  });

  it('shows the button above lines that do not wrap, where it stays when they scroll', async () => {
    const { page } = await open('/docs/recipes/html', { viewport: { width: 390, height: 900 } });
    const listing = page.locator('h2#product\\.html + pre');
    const positions = () =>
      listing.evaluate((pre) => {
        const [code, button] = [...pre.children].map((child) => child.getBoundingClientRect());
        return { isAbove: button!.bottom <= code!.top, right: button!.right };
      });
    const before = await positions();
    expect(before.isAbove).toBe(true);
    const scrolled = await listing.locator('code').evaluate((code) => {
      code.scrollLeft = 50;
      return code.scrollLeft;
    });
    expect(scrolled).toBe(50);
    expect(await positions()).toEqual(before);
  });

  it('focuses the search field with the key /, which can be typed there', async () => {
    const { page } = await open('/docs/guides');
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox');
    expect(await search.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('/');
    expect(await search.inputValue()).toBe('/');
  });

  it('has at most 1 kB, and may not connect to any server', async () => {
    const { headers, text } = await fetchResponse(`${service.publicUrl}/docs`);
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('content-security-policy')).not.toMatch(/connect-src|unsafe/);
    const script = await fetchResponse(service.publicUrl + /src="(\/docs\/docs\.js\?v=[^"]+)"/.exec(text)![1]!);
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000');
    const sent = await fetch(`${service.publicUrl}/docs/docs.js`, { headers: { 'accept-encoding': 'br' } });
    expect(Number(sent.headers.get('content-length'))).toBeLessThanOrEqual(1_000);
  });
});

describe('The samples of the API reference', () => {
  it.each(['ts', 'py'] as const)('send the same requests in %s as with curl', async (language) => {
    if (language === 'py') ensureCommand('python3');
    const [expected, requests] = await Promise.all([requestsOfReference('sh'), requestsOfReference(language)]);
    expect(expected.length).toBeGreaterThan(operations.length);
    expect(requests).toEqual(expected);
    const secrets = expected.filter(({ body }) => JSON.stringify(body).includes('secret'));
    expect(secrets.length).toBeGreaterThan(0);
    for (const { body } of secrets) expect(JSON.stringify(body)).toContain('"secret-1"');
  });

  it('are colored in a build, with addresses as tokens, and every page has at most 40 kB', async () => {
    await buildProject();
    const built = await startReachableProcess(await createMigratedDatabaseUrl());
    const paths = new Set(['/docs', '/docs/guides']);
    for (const path of paths) {
      const page = await (await fetch(built.url + path)).text();
      for (const [, href] of page.matchAll(/href="(\/docs(?:\/(?!images|docs|search)[^"#]*)?)[#"]/g)) paths.add(href!);
      const sent = await fetch(built.url + path, { headers: { 'accept-encoding': 'br' } });
      expect([path, sent.headers.get('content-encoding')]).toEqual([path, 'br']);
      expect([path, Number(sent.headers.get('content-length')) <= 40_000]).toEqual([path, true]);
    }
    expect(paths.size).toBeGreaterThan(35);
    const { page } = await openPage(browser);
    await page.goto(`${built.url}/docs/api/transactions`);
    for (const language of ['sh', 'ts', 'py', 'php']) {
      const code = page.locator(`#actOnTransaction details[open] [data-language=${language}] code`);
      expect(await code.locator('.hljs-link').first().textContent()).toMatch(/^http:\/\/[\w.]+:\d+$/);
      expect(await code.locator('.hljs-string').count()).toBeGreaterThan(0);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.getByRole('radio', { name: 'TypeScript' }).check();
      await expectAccessible(page, colorScheme);
    }
  });
});
