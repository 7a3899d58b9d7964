import { assert, expect, fixture, html, oneEvent } from '@open-wc/testing';
import { freshKey, renderButton, renderSettledButton, linkOf, partOf, textOf, until } from './support.ts';

describe('a financing button for $500.00', () => {
  it('shows the lowest monthly payment and its terms', async () => {
    const element = await renderSettledButton();

    assert.equal(textOf(element, 'estimate'), 'As low as $23.07/month');
    assert.match(textOf(element, 'disclosure'), /^Example: a \$500\.00 purchase over 24 months at 9\.99% APR/);
    assert.isAbove(partOf(element, 'disclosure')!.offsetHeight, 50);
    assert.include(element.quote, { monthly: 2_307, termLength: 24, apr: 0.0999, minApr: 0.0599, maxApr: 0.2999 });
  });

  it('updates the estimate when the amount changes', async () => {
    const element = await renderSettledButton();

    element.amount = 74_000;
    await element.updateComplete;

    assert.equal(textOf(element, 'estimate'), 'As low as $34.14/month');
    assert.include(textOf(element, 'disclosure'), 'a $740.00 purchase');
  });

  it('quotes the program that its attribute names', async () => {
    const element = await renderSettledButton({ program: 'short' });

    assert.include(element.quote, { termLength: 6, apr: 0.0599 });
  });

  it('shows the range of amounts and no button if the amount cannot be financed', async () => {
    const element = await renderSettledButton({ amount: '4999' });

    assert.equal(element.matches(':state(unavailable)'), true);
    assert.equal(textOf(element, 'estimate'), '');
    assert.match(textOf(element, 'disclosure'), /^Financing is offered for purchases from \$50\.00 to \$30,000\.00/);
    assert.equal(getComputedStyle(linkOf(element)!).visibility, 'hidden');
  });

  const invalidAmounts = [undefined, '', ' 5000', '5000 ', ...'0 -1 NaN 12.99 9007199254740992 1e3 $500 0x1388 05000'.split(' ')];
  invalidAmounts.forEach((amount) => {
    it(`shows no estimate for the amount ${JSON.stringify(amount)}, and still links to the cart`, async () => {
      const element = await renderButton({ amount });

      assert.equal(element.quote, undefined);
      assert.equal(textOf(element, 'estimate') + textOf(element, 'disclosure'), '');
      assert.equal(linkOf(element)!.pathname, '/checkout/c_1');
      assert.equal(element.matches(':state(idle)'), true);
    });
  });

  it('accepts the amount as a number or a string, because frameworks set either', async () => {
    const element = await renderSettledButton();

    for (const amount of [74_000, '74000']) {
      element.amount = amount;
      await element.updateComplete;
      assert.equal(element.quote!.monthly, 3_414);
    }
    element.amount = 740.5;
    await element.updateComplete;
    assert.equal(element.quote, undefined);
  });
});

describe('the button in the element', () => {
  it('is a link to the cart', async () => {
    const element = await renderButton({ 'cart-url': 'https://pay.example/c/3Jq' });

    assert.equal(linkOf(element)!.href, 'https://pay.example/c/3Jq');
    assert.equal(linkOf(element)!.textContent.trim(), 'Pay over time');
  });

  it('resolves relative URLs against the page', async () => {
    const element = await renderButton({ 'cart-url': '/checkout/financing' });

    assert.equal(linkOf(element)!.href, new URL('/checkout/financing', document.baseURI).href);
  });

  it('is not rendered without a cart [PAGE-6]', async () => {
    const element = await renderSettledButton({ 'cart-url': undefined });

    assert.equal(linkOf(element), null);
    assert.equal(textOf(element, 'estimate'), 'As low as $23.07/month');
  });

  it('is disabled without an API key', async () => {
    const element = await renderButton({ 'api-key': undefined });

    const button = partOf(element, 'button');
    assert.equal((button as HTMLButtonElement).disabled, true);
    assert.equal(linkOf(element), null);
    await expect(element).to.be.accessible();

    element.apiKey = freshKey();
    await element.updateComplete;
    assert.equal(linkOf(element)!.pathname, '/checkout/c_1');
  });

  ['javascript:alert(1)', ' JavaScript:alert(1)', 'data:text/html,x', 'http://', 'blob:https://x/1'].forEach((cartUrl) => {
    it(`does not link to ${cartUrl}`, async () => {
      const element = await renderButton();

      element.cartUrl = cartUrl;
      const { detail } = await oneEvent(element, 'financing-error');

      assert.equal(linkOf(element), null);
      assert.include(detail, { code: 'cart-url' });
    });
  });

  it('shows the label of the page', async () => {
    const element = await renderButton({}, 'Finance this bicycle');

    const [text] = linkOf(element)!.querySelector('slot')!.assignedNodes();
    assert.equal(text!.textContent, 'Finance this bicycle');
  });

  it('dispatches an event when it is clicked, which the page can cancel [PAGE-7]', async () => {
    const element = await renderButton();
    const starts: Event[] = [];
    document.addEventListener('financing-start', (start) => starts.push(start), { once: true });
    element.addEventListener('financing-start', (start) => start.preventDefault(), { once: true });

    const click = new MouseEvent('click', { bubbles: true, cancelable: true, composed: true });
    linkOf(element)!.dispatchEvent(click);

    assert.equal(click.defaultPrevented, true);
    assert.lengthOf(starts, 1);
  });

  it('opens the cart if the page does not cancel the event', async () => {
    const element = await renderButton({ 'cart-url': '#cart' });

    linkOf(element)!.click();

    assert.equal(location.hash, '#cart');
    history.replaceState(null, '', location.pathname + location.search);
  });
});

describe('the events of the element', () => {
  it('report every new estimate, across shadow roots', async () => {
    const element = await renderSettledButton();

    element.amount = 74_000;
    const quoted = await oneEvent(document, 'financing-quote');

    assert.include(quoted, { bubbles: true, composed: true, detail: element.quote });
    assert.equal(element.quote!.amount, '$34.14');
  });

  it('report an amount that no offer covers, with a monthly payment of 0', async () => {
    const element = await renderSettledButton();

    element.amount = 3_000_001;
    const { detail } = await oneEvent(element, 'financing-quote');

    assert.include(detail, { monthly: 0, amount: '' });
  });

  it('report why an amount is invalid', async () => {
    const element = await renderButton();

    element.setAttribute('amount', '12.99');
    const { detail } = await oneEvent(element, 'financing-error');

    assert.include(detail, { code: 'amount', message: 'Unusable amount: 12.99' });
  });

  it('report an unknown program', async () => {
    const element = await renderSettledButton();

    element.program = 'no-such-program';
    const { detail } = await oneEvent(element, 'financing-error');

    assert.include(detail, { code: 'program' });
    assert.equal(element.matches(':state(failed)'), true);
  });
});

describe('the properties of the element', () => {
  it('exist before they are set, so that frameworks do not render them as attributes', () => {
    const names =
      'items discounts shippingOptions tax customTotal shippingContact billingContact orderRef completeUrl errorUrl callbackUrl disableEditShipping';
    const element = document.createElement('financing-button');
    const missing = names.split(' ').filter((name) => !(name in element));
    assert.deepEqual(missing, []);
  });
});

describe('A price on the page', () => {
  for (const price of ['120000', '¥120,000']) {
    it(`is parsed in the currency of the program: ${price} as yen`, async () => {
      await fixture(html`<p id="price">${price}</p>`);
      const element = await renderButton({ service: '/test/widget/fixtures/yen', amount: undefined, 'amount-from': '#price' });
      await until(() => textOf(element, 'disclosure'), 'no disclosure');
      assert.include(textOf(element, 'disclosure'), '¥120,000');
    });
  }
});
