import { describe, expect, it } from 'vitest';
import { copyOf, createCart, open, reachAgreement, sessionUrl, submit } from '../../support/checkout.ts';
import { openPage, startBrowser } from '../../support/browser.ts';
import { startService } from '../../support/service.ts';

const service = await startService();
const cart = await createCart(await service.createMerchant());
const agreement = await reachAgreement(cart.url);
await submit(agreement);
const copyUrl = await copyOf(await open(sessionUrl(agreement)), service.database);
const browser = await startBrowser();

describe('The copy of an agreement', () => {
  it('is printed completely, in black on white, without the notes for the screen', async () => {
    const { page } = await openPage(browser, { colorScheme: 'dark' });
    await page.goto(copyUrl);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const printed = await page.evaluate(() => ({
      text: document.body.innerText,
      color: getComputedStyle(document.body).color,
      background: getComputedStyle(document.body).backgroundColor,
    }));
    expect(printed).toMatchObject({ color: 'rgb(0, 0, 0)', background: 'rgba(0, 0, 0, 0)' });
    expect(printed.text).not.toContain('This is your copy');
    for (const part of ['Truth in Lending disclosure', 'All 24 payments', 'Signed electronically by Ada Lovelace']) {
      expect(printed.text).toContain(part);
    }
    expect(printed.text.match(/\$34\.6\d/g)!.length).toBeGreaterThanOrEqual(24);
    const pdf = await page.pdf({ format: 'Letter' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const pages = pdf.toString('latin1').match(/\/Type \/Page\b/g)!.length;
    expect(pages).toBeGreaterThan(1);
    expect(pages).toBeLessThanOrEqual(6);
  });
});
