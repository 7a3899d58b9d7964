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
