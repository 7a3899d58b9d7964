/** The pages with the terms of a loan that has fees, a down payment and a longer first period, in a real browser. */
import { describe, expect, it } from 'vitest';
import { importProgram } from '../../server/lending/programs/import.ts';
import { elaborate } from '../shared/disclosure/create-disclosure.ts';
import { chair, createCart, reachAgreement, sessionUrl, submit } from '../support/checkout.ts';
import { expectAccessible, openPage, startBrowser } from '../support/browser.ts';
import { createOffer, createProgram } from '../support/programs.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();
const offers = [
  createOffer({ id: 'free', termLength: 6, tierAprBps: { A: 0 } }),
  createOffer({ id: 'year', termLength: 12, tierAprBps: { A: 1_799 } }),
];
const fees: unknown[] = [];
const program = createProgram({ version: 2, ...elaborate, offers, fees });
await importProgram(service.database, program, [merchant.merchantId], { asDefault: true }, service.clock.now());
const items = [{ ...chair, price: 124_800 }];
const openUrl = sessionUrl(await reachAgreement((await createCart(merchant, { items })).url, { state: 'CA' }));
const signed = await reachAgreement((await createCart(merchant, { items })).url, { state: 'CA' });
const signedUrl = sessionUrl(signed);
await submit(signed);
const browser = await startBrowser();

describe('A loan with a fee, a down payment and a longer first period', () => {
  describe.each([
    { colorScheme: 'light', width: 1_200 },
    { colorScheme: 'dark', width: 360 },
  ] as const)('in the color scheme $colorScheme at $width px', ({ colorScheme, width }) => {
    it.each(['plans', 'agreement', 'copy'])('is accessible and fits the screen: %s', async (step) => {
      const { page, problems } = await openPage(browser, { colorScheme, viewport: { width, height: 844 } });
      await page.goto(step === 'copy' ? signedUrl : `${openUrl}/${step}`);
      await page.locator('details').evaluateAll((all) => all.forEach((one) => one.setAttribute('open', '')));

      await expectAccessible(page);
      const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(tooWide).toBe(0);
      expect(problems).toEqual([]);
    });
  });

  it('shows the annual percentage rate and the finance charge larger than every other figure', async () => {
    const { page } = await openPage(browser);
    await page.goto(`${openUrl}/agreement`);
    const sizes = await page
      .locator('.tila dd strong')
      .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));

    expect(sizes).toHaveLength(4);
    expect(Math.min(...sizes.slice(0, 2))).toBeGreaterThan(Math.max(...sizes.slice(2)));
  });
});
