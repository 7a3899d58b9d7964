import { describe, expect, it } from 'vitest';
import { buy, openPage, startBrowser } from '../../support/browser.ts';
import { open, type Page, reachAgreement, reachDecision, sessionUrl, submit } from '../../support/checkout.ts';
import { createDatabase } from '../../support/databases.ts';
import { startApp } from '../../support/app.ts';

describe('A service without a mail server', () => {
  const startCheckout = async () => {
    const database = await createDatabase();
    const app = await startApp(database, { messageHandlings: { email: 'unavailable', text: 'unavailable' } });
    const emails = () => database.query.selectFrom('outbox').selectAll().execute();
    return { cart: await app.createCart({ orderRef: 'ORDER-7' }), emails };
  };

  it('completes a checkout, and shows the link to the agreement before the link to the shop', async () => {
    const { cart, emails } = await startCheckout();
    const agreement = await reachAgreement(cart.url);

    for (const page of [await submit(agreement), await submit(agreement), await open(sessionUrl(agreement))] as Page[]) {
      expect(page).toMatchObject({ status: 200, step: 'completed' });
      expect(page.text).toContain('Open it, and print or save it now.');
      expect(page.text).toMatch(/href="https:\/\/shop\.example\/\?transactionId=[\w-]+&amp;orderRef=ORDER-7"/);
      expect(await open(new URL(/href="(\/a\/[\w-]{22})"/.exec(page.text)![1]!, page.url).href)).toMatchObject({
        status: 200,
        heading: 'Loan agreement',
      });
    }
    expect(await emails()).toEqual([]);
  });

  it.each([
    ['offers', { firstName: 'Ada' }, true],
    ['does not offer', { firstName: '伟' }, false],
  ])('%s the PDF of an agreement of %o', async (_case, buyer, isOffered) => {
    const { cart } = await startCheckout();
    const { text } = await submit(await reachAgreement(cart.url, buyer));
    expect(text).toContain('Open your agreement');
    expect(text.includes('/agreement.pdf')).toBe(isOffered);
  });

  it('closes the popup only when the buyer returns to the shop', async () => {
    const { cart } = await startCheckout();
    const { page } = await openPage(await startBrowser());
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate((url) => void window.open(url), `${cart.url}?display=popup`),
    ]);
    await popup.locator('main[data-step="details"]').waitFor();
    await buy(popup);
    const [copy] = await Promise.all([
      popup.waitForEvent('popup'),
      popup.getByRole('link', { name: 'Open your agreement' }).click(),
    ]);
    expect(await copy.locator('h1').textContent()).toBe('Loan agreement');
    const closed = popup.waitForEvent('close');
    // The popup may close before Playwright releases the mouse button.
    await popup
      .getByRole('link', { name: 'Return to' })
      .click()
      .catch(() => undefined);
    await closed;
  });

  it('shows a denied buyer the reasons, and does not state that an e-mail was sent', async () => {
    const { cart, emails } = await startCheckout();
    const page = await reachDecision(cart.url, { taxIdLast4: '2003' });
    expect(page.text).toContain('Excessive obligations in relation to income.');
    expect((await open(sessionUrl(page))).text).not.toContain('by email');
    expect(await emails()).toEqual([]);
  });
});
