/**
 * Walks through the demo shop on a phone as a buyer whose contacts the shop knows, from the bag to the signature, at the speed of a person: 250 words a
 * minute for the headings and labels up to the button that continues, 200 ms for each key, and a second for each tap. Prints the time of each page,
 * measured with a clock, and the part of it that a person takes. The rest is the machine's.
 */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage, shownBy, startBrowser } from '../support/browser.ts';
import { PHONE } from '../support/page-measures.ts';
import { startService } from '../support/service.ts';
import { startShop } from '../support/shop.ts';

const KEY_MS = 200;
const TAP_MS = 1_000;
const WORD_MS = 60_000 / 250;
const GOAL_SECONDS = 120;

test('A buyer on a phone, whose contacts are known, signs in under two minutes', { timeout: 600_000 }, async () => {
  const { shopUrl } = await startShop(await startService());
  const { page } = await openPage(await startBrowser(), { viewport: PHONE, hasTouch: true });
  await page.goto(`${shopUrl}/products/turntable`);
  await page.locator('form button').first().click();
  await page.goto(`${shopUrl}/bag?buyer=ada`);
  const lines: string[] = [];
  const walkedFrom = performance.now();
  for (const [name, act] of Object.entries(pages)) {
    const startedAt = performance.now();
    const personBefore = personMs;
    await expect.poll(() => (name === 'bag' ? page.url() : shownBy(page)), { timeout: 60_000 }).toContain(name);
    const words = await wordsOf(page);
    await pause(page, words * WORD_MS);
    await act(page);
    lines.push(
      `${seconds(performance.now() - startedAt)} s, of a person ${seconds(personMs - personBefore)} s  ${name} (${words} words)`,
    );
  }
  await page.waitForURL(`${shopUrl}/thank-you**`);
  lines.push(`${seconds(performance.now() - walkedFrom)} s, of a person ${seconds(personMs)} s  in all`);
  console.log(lines.join('\n'));
  // Without the time of the machine, which may be busy.
  expect(personMs / 1_000).toBeLessThan(GOAL_SECONDS);
});

/** The time that a person has taken. */
let personMs = 0;

const seconds = (ms: number): string => (ms / 1_000).toFixed(1).padStart(6);

async function pause(page: Page, ms: number): Promise<void> {
  personMs += ms;
  await page.waitForTimeout(ms);
}

const pages: Record<string, (page: Page) => Promise<void>> = {
  bag: (page) => tap(page, page.locator('financing-button[cart-url]')),
  details: async (page) => {
    await tap(page, page.locator('[name=shippingTypeId]').first());
    await send(page);
  },
  apply: async (page) => {
    await type(page, 'dateOfBirth', '12101990');
    await type(page, 'taxIdLast4', '1001');
    await type(page, 'annualIncome', '84000');
    await tap(page, page.locator('#consent'));
    await tap(page, page.locator('#electronic'));
    await send(page);
  },
  plans: async (page) => {
    await tap(page, page.locator('[name=offerId]').first());
    await send(page);
  },
  agreement: async (page) => {
    await tap(page, page.locator('main #electronic'));
    await tap(page, page.locator('#agree'));
    await type(page, 'signedName', 'Ada Lovelace');
    await send(page);
  },
};

async function tap(page: Page, target: Locator): Promise<void> {
  await pause(page, TAP_MS);
  await target.click();
}

async function type(page: Page, name: string, text: string): Promise<void> {
  await tap(page, page.locator(`#${name}`));
  for (const key of text) {
    await pause(page, KEY_MS);
    await page.keyboard.press(key === ' ' ? 'Space' : key);
  }
}

const send = (page: Page): Promise<void> => tap(page, page.locator('main form button[type=submit]').last());

/** Returns the number of words of the visible headings and labels up to the last button. */
async function wordsOf(page: Page): Promise<number> {
  return page.$$eval(':is(main, .bag) :is(h1, h2, .lead, legend, label, summary, button, .monthly, .term)', (elements) => {
    const end = elements.findLastIndex((element) => element.matches('button[type=submit]'));
    const texts = elements.slice(0, end < 0 ? undefined : end + 1).flatMap((element) => {
      const isPart = element.parentElement?.closest('label') !== null;
      return element.checkVisibility() && !isPart ? [element.textContent ?? ''] : [];
    });
    return texts.join(' ').split(/\s+/).filter(Boolean).length;
  });
}
