import { assert } from '@open-wc/testing';
import type { FinancingButton } from '../../widget/index.ts';
import { freshKey, STANDARD, until } from './support.ts';

/** Creates a shop page in a frame, because the element is already registered in the test page. */
async function openShopPage(width: number, attributes: string): Promise<{ shop: Document; element: FinancingButton }> {
  const frame = document.createElement('iframe');
  frame.width = String(width);
  frame.height = '600';
  frame.style.border = '0';
  frame.srcdoc = `<!doctype html><link rel="stylesheet" href="/widget/reserve.css"><style>body{margin:0}</style>
    <financing-button service="${STANDARD}" ${attributes}>Pay <b>over time</b></financing-button><hr>`;
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  const shop = frame.contentDocument!;
  return { shop, element: shop.querySelector('financing-button')! };
}

function loadWidget(shop: Document): Promise<unknown> {
  const script = shop.createElement('script');
  script.type = 'module';
  script.src = '/widget/index.ts';
  shop.body.append(script);
  return new Promise((resolve) => script.addEventListener('load', resolve, { once: true }));
}

const heightOf = (element: HTMLElement): number => element.getBoundingClientRect().height;

describe('the height of the element does not change', () => {
  afterEach(() => {
    document.querySelector('iframe')?.remove();
  });

  [240, 360, 480, 700, 1_000].forEach((width) => {
    it(`at a width of ${width} pixels, when the script runs and when the amount changes`, async () => {
      const { shop, element } = await openShopPage(width, `api-key="${freshKey()}" amount="50000" cart-url="/c"`);
      const before = heightOf(element);
      assert.isAbove(before, 100);

      await loadWidget(shop);
      await until(() => element.matches(':state(quoted)'), 'not quoted');
      assert.equal(heightOf(element), before);

      for (const amount of [5_000, 4_999, 0, 129_900, 2_999_999, 3_000_001]) {
        element.amount = amount;
        await element.updateComplete;
        assert.equal(heightOf(element), before, String(amount));
      }
    });
  });

  it('when the service fails', async () => {
    const { shop, element } = await openShopPage(360, `api-key="k" amount="50000" cart-url="/c" service="ftp://x"`);
    element.setAttribute('service', '/test/widget/fixtures/garbage');
    const before = heightOf(element);

    await loadWidget(shop);
    await until(() => element.matches(':state(failed)'), 'not failed');

    assert.equal(heightOf(element), before);
  });

  it('when the script runs, without a cart', async () => {
    const { shop, element } = await openShopPage(360, `api-key="${freshKey()}" amount="50000"`);
    const before = heightOf(element);

    await loadWidget(shop);
    await until(() => element.matches(':state(quoted)'), 'not quoted');

    assert.equal(heightOf(element), before);
  });
});

describe('at a width of 1000 pixels', () => {
  it('the disclosure is below the button and as wide', async () => {
    const { shop, element } = await openShopPage(1_000, `api-key="${freshKey()}" amount="50000" cart-url="/c"`);
    await loadWidget(shop);
    await until(() => element.matches(':state(quoted)'), 'not quoted');

    const button = element.shadowRoot!.querySelector('a')!.getBoundingClientRect();
    const disclosure = element.shadowRoot!.querySelector("[part='disclosure']")!.getBoundingClientRect();
    assert.isAbove(disclosure.top, button.bottom);
    assert.equal(disclosure.left, button.left);
    assert.equal(disclosure.width, button.width);
  });
});

describe('at a width of 240 pixels', () => {
  it('nothing overflows, the button is at least 44 pixels high and the text at least 12 pixels', async () => {
    const { shop, element } = await openShopPage(240, `api-key="${freshKey()}" amount="50000" cart-url="/c"`);
    await loadWidget(shop);
    await until(() => element.matches(':state(quoted)'), 'not quoted');

    assert.equal(shop.documentElement.scrollWidth, 240);
    assert.isAtLeast(heightOf(element.shadowRoot!.querySelector('a')!), 44);
    const disclosure = getComputedStyle(element.shadowRoot!.querySelector("[part='disclosure']")!);
    assert.isAtLeast(Number.parseFloat(disclosure.fontSize), 12);
  });
});
