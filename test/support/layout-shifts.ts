/** What moves on a page while nobody touches it. */
import type { Page } from 'playwright-core';

/** Once what has changed is on the screen. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/**
 * How much each layout shift since the document began has moved: the parts of CLS. Those soon after a window was sized, which
 * the browser would excuse, count as well: nobody has touched anything.
 */
export async function shiftsOf(page: Page): Promise<number[]> {
  return page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const shifts: number[] = [];
        const keep = (entries: PerformanceEntryList) => {
          for (const entry of entries) shifts.push((entry as PerformanceEntry & { value: number }).value);
        };
        const observer = new PerformanceObserver((list) => keep(list.getEntries()));
        observer.observe({ type: 'layout-shift', buffered: true });
        // Entries that are there already come in a task of their own, before the next frame but one.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            keep(observer.takeRecords());
            resolve(shifts);
          }),
        );
      }),
  );
}
