/** Quotes that the widget calculates in a real browser, compared with the quotes of the service. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { importProgram } from '../../server/lending/programs/import.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { AsLowAs } from '../../shared/wire/as-low-as.ts';
import { startBrowser, openPage } from '../support/browser.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createFee, createOffer, createProgram } from '../support/programs.ts';
import { samples } from '../support/random.ts';
import { startService } from '../support/service.ts';

const holiday: Record<string, unknown> = JSON.parse(readFileSync('demo/programs/holiday.json', 'utf8'));
const promo = { kind: 'zero-apr', from: '2026-11-20', to: '2026-12-02' };

/** Programs that together have every kind of rule that a quote depends on. */
const programs: Record<string, Program> = {
  holiday: createProgram(holiday),
  fees: createProgram({
    id: 'fees',
    fees: [createFee({ amountBps: 150, minCents: 300, maxCents: 9_000 }), createFee({ id: 'b', flatCents: 50 })],
    caps: { maxAprBps: 9_999, maprCapBps: null },
  }),
  odd: createProgram({
    id: 'odd',
    schedule: { firstPaymentAfter: { months: 2, days: 11 }, oddDaysInterest: '365' },
    rounding: { payment: 'ceil' },
  }),
  promotion: createProgram({
    id: 'promotion',
    offers: [createOffer(), createOffer({ id: 'promo', tierAprBps: { A: 0 }, promo })],
  }),
  eastern: createProgram({
    id: 'eastern',
    timeZone: 'America/New_York',
    offers: [createOffer(), createOffer({ id: 'promo', tierAprBps: { A: 0 }, promo })],
  }),
  yen: createProgram({ id: 'yen', currency: 'JPY', states: { excluded: ['IA', 'WV'] } }),
};

const service = await startService();
const shopUrl = await openShopPage();
const merchant = await service.createMerchant({ origins: [shopUrl] });
for (const program of Object.values(programs)) {
  await importProgram(service.database, program, [merchant.merchantId], { asDefault: false }, service.clock.now());
}
const { page } = await openPage(await startBrowser());
await page.goto(shopUrl);
await page.addScriptTag({ type: 'module', url: `${service.publicUrl}/widget/v1/financing-button.js` });
await page.waitForFunction(() => customElements.get('financing-button') !== undefined);

describe('The quote of the widget', () => {
  const setTime = async (now: string) => {
    await page.clock.setFixedTime(now);
    await merchant.post('/sandbox/clock', { now });
  };

  it.each(['standard', ...Object.keys(programs)])('equals the quote of the service byte for byte: %s', async (program) => {
    await setTime('2026-11-30T23:59:00Z');
    const amounts = [
      1,
      4_999,
      5_000,
      3_000_000,
      99_999_999_999,
      ...samples(55, 91, (random) => random.magnitude(5_000, 3_000_000)),
    ];

    const quoted = await quotesOf(page, merchant.apiKey, program, amounts);

    for (const [index, customTotal] of amounts.entries()) {
      const { body } = await merchant.post('/aslowas', { customTotal, financingProgramId: program });
      expect(body).toMatchObject({ financingProgramId: program, asLowAs: { monthly: expect.any(Number) } });
      expect(JSON.stringify(quoted[index]), `${customTotal}`).toBe(JSON.stringify(body.asLowAs));
    }
  });

  it.each([
    ['eastern', '2026-11-20T04:59:00Z', 0.0999],
    ['eastern', '2026-11-20T05:00:00Z', 0],
    ['eastern', '2026-12-03T01:00:00Z', 0],
    ['eastern', '2026-12-03T05:00:00Z', 0.0999],
  ])('includes a promotion at the same time as the quote of the service: %s at %s', async (program, now, apr) => {
    await setTime(now);

    const [quoted] = await quotesOf(page, merchant.apiKey, program, [60_000]);

    const { body } = await merchant.post('/aslowas', { customTotal: 60_000, financingProgramId: program });
    expect(quoted).toEqual(body.asLowAs);
    expect(quoted!.apr).toBe(apr);
  });
});

/** Returns the quotes that one element calculates for the given amounts. */
function quotesOf(tab: Page, apiKey: string, program: string, amounts: number[]): Promise<AsLowAs[]> {
  return tab.evaluate(
    async ([key, programId, cents]) => {
      const element = Object.assign(document.createElement('financing-button'), { apiKey: key, program: programId });
      Object.assign(element, { amount: cents[0] });
      const first = new Promise((resolve) => element.addEventListener('financing-quote', resolve, { once: true }));
      document.body.append(element);
      await first;
      const quotes: AsLowAs[] = [];
      for (const amount of cents) {
        Object.assign(element, { amount });
        const button = element as HTMLElement & { updateComplete: Promise<boolean>; quote: AsLowAs };
        await button.updateComplete;
        quotes.push(button.quote);
      }
      element.remove();
      return quotes;
    },
    [apiKey, program, amounts] as const,
  );
}

/** Serves an empty page of a shop and returns its origin. */
async function openShopPage(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Shop</title><body>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onCleanup(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
