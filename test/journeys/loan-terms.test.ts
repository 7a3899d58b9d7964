/** The agreement of a loan that has fees, a down payment and a longer first period, in a real browser. */
import { expect, it } from 'vitest';
import { elaborate } from '../shared/disclosure/create-disclosure.ts';
import { createCart, reachAgreement } from '../support/checkout.ts';
import { openPage, startBrowser } from '../support/browser.ts';
import { createProgram } from '../support/programs.ts';
import { startService } from '../support/service.ts';

it('The agreement shows the annual percentage rate and the finance charge larger than every other figure', async () => {
  const service = await startService();
  const merchant = await service.createMerchant({ program: createProgram({ ...elaborate, fees: [] }) });
  const { page } = await openPage(await startBrowser());
  await page.goto((await reachAgreement((await createCart(merchant)).url, { state: 'CA' })).url);
  const sizes = await page
    .locator('.tila dd strong')
    .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));

  expect(sizes).toHaveLength(4);
  expect(Math.min(...sizes.slice(0, 2))).toBeGreaterThan(Math.max(...sizes.slice(2)));
});
