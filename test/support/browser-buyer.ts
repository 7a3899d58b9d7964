import type { Frame, Page } from 'playwright-core';
import { typed } from './buyer.ts';
import { until } from './until.ts';

/** Where a buyer is, as the last part of the address says: `details`; empty at an end. */
export function stepOf(page: Page | Frame): string {
  return /\/c\/[^/?#]+(?:\/[\w-]{22})?\/?([^/?#]*)/.exec(page.url())?.[1] ?? 'elsewhere';
}

/**
 * Types whatever the form of this step asks for, and sends it. Resolves once another page is there, or nothing is any more: after
 * the last step a window may close itself, and the page around a frame may go on.
 */
export async function fillAndSend(page: Page | Frame, over: Record<string, string> = {}): Promise<void> {
  await fillAndPress(page, over);
  await until(async () => isGone(page) || (await isAnotherDocument(page)), 20_000);
  await page.waitForLoadState().catch((thrown: unknown) => {
    if (!isGone(page)) throw thrown;
  });
}

/** Whether the page has been left since a form was sent. While it is being left, there is nothing to ask. */
const isAnotherDocument = (page: Page | Frame): Promise<boolean> =>
  page.evaluate(() => !('sent' in document.documentElement.dataset)).catch(() => false);

const isGone = (page: Page | Frame): boolean => ('isClosed' in page ? page.isClosed() : page.isDetached());

/** All of it in one call: to have Playwright fill in one field after the other costs more than everything else about a purchase. */
async function fillAndPress(page: Page | Frame, over: Record<string, string>): Promise<void> {
  await page.evaluate(
    ([values, step]) => {
      const form = document.querySelector<HTMLFormElement>(`main form[action*="/${step}"]`)!;
      for (const [name, value] of values) {
        const fields = [...form.querySelectorAll<HTMLInputElement>(`[name="${name}"]:not([type=hidden])`)];
        if (!fields[0]?.checkVisibility()) continue;
        const field = fields[0].type === 'radio' ? fields.find((choice) => choice.value === value)! : fields[0];
        if (field.type === 'radio' || field.type === 'checkbox') {
          if (!field.checked) field.click();
          continue;
        }
        field.value = value;
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      }
      const button = form.querySelector<HTMLElement>('button[type=submit]')!;
      button.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { x, y, width, height } = button.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      if (!button.contains(hit)) throw new Error(`The button of ${location.href} is behind ${hit?.outerHTML.slice(0, 200)}`);
      document.documentElement.dataset['sent'] = '';
      button.click();
    },
    [Object.entries({ ...typed, ...over }), stepOf(page)] as const,
  );
}

/** Takes a checkout from its link to its end, in a page, a window or a frame that is at its first step. */
export async function buy(page: Page | Frame, over: Record<string, string> = {}): Promise<void> {
  while (['details', 'apply', 'plans', 'card', 'agreement'].includes(stepOf(page)) && !isGone(page))
    await fillAndSend(page, over);
}
