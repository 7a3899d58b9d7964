/** The scrolling and typing of a buyer on a phone, if the shop knows their contacts. */
import { expect, it } from 'vitest';
import { openPage, startBrowser } from '../../../support/browser.ts';
import { startApp } from '../../../support/app.ts';
import { createDatabase } from '../../../support/databases.ts';
import { contactsOfCart, measureCheckout, PHONE, printedMeasures, sumOf } from '../../../support/page-measures.ts';

it('A checkout of a cart with contacts has at most 9 inputs, and 8 phone screens before the agreement', async () => {
  const app = await startApp(await createDatabase(), {});
  const { page: tab } = await openPage(await startBrowser(), { viewport: PHONE });
  const { url } = await app.createCart(contactsOfCart);

  const measures = await measureCheckout(tab, url);

  const [details, application] = measures;
  const printed = printedMeasures(measures);
  expect(sumOf(measures, 'inputs'), `on a phone:\n${printed}`).toBeLessThanOrEqual(9);
  expect(sumOf(measures.slice(0, -1), 'screens'), `on a phone:\n${printed}`).toBeLessThanOrEqual(8);
  expect(details!.screens, `on a phone:\n${printed}`).toBeLessThanOrEqual(1.5);
  expect(application!.screens, `on a phone:\n${printed}`).toBeLessThanOrEqual(2.5);
  expect(Math.max(...measures.map(({ bytes }) => bytes)), `on a phone:\n${printed}`).toBeLessThan(40_000);
});

it('The statements of the application are complete in the text of a wide page, and begin there on a phone, in no frame', async () => {
  const app = await startApp(await createDatabase(), {});
  const { page: tab } = await openPage(await startBrowser(), { viewport: { width: 1_280, height: 800 } });
  await tab.goto((await app.createCart(contactsOfCart)).url);
  await tab.locator('main form button[type=submit]').click();
  const statements = tab.locator('.statement-text');
  await statements.first().waitFor();
  const measure = () =>
    statements.evaluateAll((all) =>
      all.map((one) => ({
        isComplete: one.scrollHeight <= one.clientHeight,
        border: getComputedStyle(one).borderWidth,
        hasLink: one.nextElementSibling!.checkVisibility(),
      })),
    );
  const complete = { isComplete: true, border: '0px', hasLink: false };
  const begun = { isComplete: false, border: '0px', hasLink: true };
  expect(await measure()).toEqual([complete, complete]);
  const widths = await tab
    .locator('input[name^=taxId], input[data-format=dollars]')
    .evaluateAll((all) => all.map(({ clientWidth }) => clientWidth));
  for (const width of widths) expect(width).toBeLessThanOrEqual(160);

  await tab.setViewportSize(PHONE);
  expect(await measure()).toEqual([begun, begun]);
  await tab.locator('.statement a').first().click();
  expect((await measure())[0]).toMatchObject({ isComplete: true });
});
