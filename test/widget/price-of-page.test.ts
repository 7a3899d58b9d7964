import { assert, fixture, html } from '@open-wc/testing';
import { givenButton, partOf, settled, textOf, until } from './support.ts';

const YEN = '/test/widget/fixtures/yen';

describe('A price on the page', () => {
  for (const price of ['120000', '¥120,000']) {
    it(`is parsed in the currency of the program: ${price} as yen`, async () => {
      await fixture(html`<p id="price">${price}</p>`);
      const element = await givenButton({ service: YEN, amount: undefined, 'amount-from': '#price' });
      await until(() => textOf(element, 'disclosure'), 'no disclosure');
      assert.include(textOf(element, 'disclosure'), '¥120,000');
    });
  }
});

describe('An offer that was set for one program', () => {
  const offerOf = (quote: object) =>
    JSON.stringify({
      amountCents: 50_000,
      on: new Date().toISOString().slice(0, 10),
      currency: { code: 'USD', digits: 2 },
      language: 'en',
      quote,
    });

  it('is not shown after the program changes', async () => {
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
