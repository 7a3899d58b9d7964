import { assert, fixture, html } from '@open-wc/testing';
import { givenButton, partOf, settled, textOf, until } from './support.ts';

const YEN = '/test/widget/fixtures/yen';

describe('A price of the page, in a currency that is not the dollar', () => {
  for (const written of ['120000', '¥120,000']) {
    it(`is read in that currency: ${written}`, async () => {
      await fixture(html`<p id="price">${written}</p>`);
      const element = await givenButton({ service: YEN, amount: undefined, 'amount-from': '#price' });
      await until(() => textOf(element, 'disclosure'), 'no disclosure');
      assert.include(textOf(element, 'disclosure'), '¥120,000');
    });
  }
});

describe('An offer', () => {
  const offerOf = (quote: object) =>
    JSON.stringify({
      amountCents: 50_000,
      on: new Date().toISOString().slice(0, 10),
      currency: { code: 'USD', digits: 2 },
      language: 'en',
      quote,
    });

  it('is not shown for another program', async () => {
    const element = await givenButton();
    await settled(element);
    element.offer = offerOf({ ...element.quote, monthly: 12_345 });
    await element.updateComplete;
    element.program = 'short';
    await element.updateComplete;
    await settled(element);
    assert.notInclude(partOf(element, 'estimate')!.textContent, '123.45');
  });
});
