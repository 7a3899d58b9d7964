import type { Frame, Page } from 'playwright-core';
import { typed } from './buyer.ts';

/** Where a buyer is, as the last part of the address says: `details`; empty at an end. */
export function stepOf(page: Page | Frame): string {
  return /\/c\/[^/?#]+\/?([^/?#]*)/.exec(page.url())?.[1] ?? 'elsewhere';
}

/** Types whatever the form of this step asks for, and sends it. Resolves once another page is there. */
export async function fillAndSend(page: Page | Frame, over: Record<string, string> = {}): Promise<void> {
  const before = page.url();
  await fill(page, over);
  await page.locator(`main form[action*="/${stepOf(page)}"] button[type=submit]`).click();
  await page.waitForURL((url) => url.href !== before);
}

async function fill(page: Page | Frame, over: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries({ ...typed, ...over })) {
    const field = page.locator(`main form [name="${name}"]:not([type=hidden])`).first();
    if ((await field.count()) === 0 || !(await field.isVisible())) continue;
    const kind = await field.evaluate((element) => `${element.tagName} ${(element as { type?: string }).type}`);
    if (kind.startsWith('SELECT')) await field.selectOption(value);
    else if (kind === 'INPUT radio') await page.locator(`main form [name="${name}"][value="${value}"]`).check();
    else if (kind === 'INPUT checkbox') await field.check();
    else await field.fill(value);
  }
}

/** Takes a checkout from its link to its end, in a page, a window or a frame that is at its first step. */
export async function buy(page: Page | Frame, over: Record<string, string> = {}): Promise<void> {
  while (['details', 'apply', 'plans', 'card', 'agreement'].includes(stepOf(page))) await fillAndSend(page, over);
}
