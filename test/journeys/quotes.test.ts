/** Quotes that the widget calculates in a real browser, compared with the quotes of the service. */
import { expect, it } from 'vitest';
import { openPage, startBrowser } from '../support/browser.ts';
import { onCleanup } from '../support/cleanup.ts';
import { listen } from '../support/http.ts';
import { createOffer, createProgram } from '../support/programs.ts';
import { startService } from '../support/service.ts';

const promo = { kind: 'zero-apr', from: '2026-11-20', to: '2026-12-02' };
const offers = [createOffer(), createOffer({ id: 'promo', tierAprBps: { A: 0 }, promo })];

const service = await startService();
const shop = await listen((_request, response) =>
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title><body>'),
);
onCleanup(shop.stop);
const program = createProgram({ id: 'eastern', timeZone: 'America/New_York', offers });
const merchant = await service.createMerchant({ origins: [shop.url], program });
const { page } = await openPage(await startBrowser());
await page.goto(shop.url);
await page.addScriptTag({ type: 'module', url: `${service.publicUrl}/widget/v1/financing-button.js` });
await page.waitForFunction(() => customElements.get('financing-button') !== undefined);

it.each([
  ['2026-11-20T04:59:00Z', 0.0999],
  ['2026-11-20T05:00:00Z', 0],
  ['2026-12-03T01:00:00Z', 0],
  ['2026-12-03T05:00:00Z', 0.0999],
])(
  'The quote of the widget includes a promotion in the time zone of its program, as that of the service: at %s',
  async (now, apr) => {
    await page.clock.setFixedTime(now);
    await merchant.post('/sandbox/clock', { now });

    const quoted = await page.evaluate(async (apiKey) => {
      const button = Object.assign(document.createElement('financing-button'), { apiKey, amount: 60_000 });
      const first = new Promise((resolve) => button.addEventListener('financing-quote', resolve, { once: true }));
      document.body.append(button);
      await first;
      button.remove();
      return button.quote;
    }, merchant.apiKey);

    const { body } = await merchant.post('/aslowas', { customTotal: 60_000 });
    expect(quoted).toEqual(body.asLowAs);
    expect(quoted!.apr).toBe(apr);
  },
);
