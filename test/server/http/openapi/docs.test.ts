import { describe, expect, it } from 'vitest';
import type { Json } from '../../../support/conformance.ts';
import { startBrowser, openPage } from '../../../support/browser.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

const [service, browser] = await Promise.all([startService(), startBrowser()]);
const document = (await fetchResponse(`${service.publicUrl}/openapi.json`)).body;
const url = `${service.publicUrl}/docs`;

describe('GET /docs', () => {
  it('contains all operations and schemas of the OpenAPI document, and has no broken links', async () => {
    const { page } = await openPage(browser);
    await page.goto(url);
    const ids = await page.$$eval('[id]', (elements) => elements.map(({ id }) => id));
    const operations = Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));
    const expected = [
      ...operations.map(({ operationId }) => operationId),
      ...Object.keys(document.components.schemas).map((name) => `schema-${name}`),
    ];
    expect(expected.filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.length).toBe(new Set(ids).size);

    const targets = await page.$$eval('a[href^="#"]', (links) => links.map((link) => link.getAttribute('href')!.slice(1)));
    expect(targets.length).toBeGreaterThan(100);
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
    const text = await page.textContent('main');
    for (const [path, item] of Object.entries<Json>(document.paths)) {
      for (const { summary } of Object.values<Json>(item)) expect(text).toContain(summary);
      expect(text).toContain(path);
    }
    expect(text).not.toMatch(/undefined|\[object|NaN/);
    // Paragraphs of a description are separate elements.
    const { description } = document.components.schemas.StatusCode;
    const paragraphs = await page.$$eval('#schema-StatusCode > p:not(.type)', (elements) =>
      elements.map(({ textContent }) => textContent),
    );
    expect(paragraphs).toEqual(description.replaceAll('`', '').split('\n\n'));
  });

  it('has an anchor for every field of every operation and schema', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${url}#createCart-options-callbackUrl`);
    expect(await page.$eval(':target dt', ({ textContent }) => textContent)).toContain('callbackUrl');
    const entries = await page.$$eval('.entries > div[id]', (all) =>
      all.filter(({ id }) => document.querySelector(`a[href="#${CSS.escape(id)}"]`) === null).map(({ outerHTML }) => outerHTML),
    );
    expect(entries).toEqual([]);
  });

  it('shows an example of every operation as a curl command', async () => {
    const { page } = await openPage(browser);
    await page.goto(url);
    expect(await page.textContent('#getCart pre')).toBe(`curl -u $KEY:$SECRET ${service.publicUrl}/carts/$CART`);
    const operations = Object.values<Json>(document.paths).flatMap((item) => Object.values<Json>(item));
    const examples = await page.$$eval('article:has(.call) details[open] pre', (all) => all.map((pre) => pre.textContent));
    expect(examples).toHaveLength(operations.length);
    for (const example of examples) expect(example).toMatch(/^curl /);
  });

  it('can be used with only the keyboard', async () => {
    const { page } = await openPage(browser);
    await page.goto(url);
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
