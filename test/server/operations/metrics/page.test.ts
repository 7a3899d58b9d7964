import { expect, it } from 'vitest';
import { newId } from '../../../../server/base/ids.ts';
import { addException } from '../../../../server/lending/exceptions/store.ts';
import { getTransaction } from '../../../../server/purchases/transactions/store.ts';
import { expectAccessible, openPage, startBrowser } from '../../../support/browser.ts';
import { completeCheckout } from '../../../support/checkout.ts';
import { startService } from '../../../support/service.ts';

const metrics = { host: '127.0.0.1', port: 0 };

it('The page of the metrics shows the status to people, in light and dark and on a phone, and loads itself again', async () => {
  const service = await startService(undefined, { metrics });
  const { database, clock } = service;
  const merchant = await service.createMerchant();
  const id = await completeCheckout(merchant);
  const { applicationId } = await getTransaction(database.query, merchant.merchantId, id);
  const raised = {
    id: newId(),
    applicationId,
    merchantId: merchant.merchantId,
    kind: 'undecided',
    raisedAt: clock.now(),
  } as const;
  await database.write((tx) => addException(tx, raised));

  const { headers } = await fetch(service.metricsUrl!);
  expect(headers.get('refresh')).toBe('30');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'; /);
  const { page, problems } = await openPage(await startBrowser());
  await page.goto(service.metricsUrl!);
  expect(await page.locator('h1').textContent()).toBe('Something needs attention');
  expect(await page.locator('li').allTextContents()).toEqual(['Exceptions of kind undecided to resolve: 1.']);
  expect(await page.locator('dt', { hasText: 'Programs sold' }).locator('+ dd').textContent()).toBe('1');
  expect(await page.locator('main').textContent()).not.toMatch(/@|Acme|Lovelace/);
  expect(await page.locator('form, button, script, input, a').count()).toBe(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await expectAccessible(page, `${colorScheme}, ${width}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
  }
  expect(problems).toEqual([]);
});
