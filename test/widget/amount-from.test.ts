import { assert, fixture, html, nextFrame } from '@open-wc/testing';
import { start } from '../../widget/amount-from.ts';
import type { PriceReason } from '../../widget/events.ts';
import type { ModuleContext } from '../../widget/lazy-modules.ts';

const USD = { code: 'USD', digits: 2 };
const KWD = { code: 'KWD', digits: 3 };

/** Every MutationObserver created by these tests, and the nodes it observes. */
const observers: Set<Node>[] = [];
const Native = globalThis.MutationObserver;

class Counted extends Native {
  readonly #nodes = new Set<Node>();

  constructor(callback: MutationCallback) {
    super(callback);
    observers.push(this.#nodes);
  }

  override observe(node: Node, options: MutationObserverInit): void {
    this.#nodes.add(node);
    super.observe(node, options);
  }

  override disconnect(): void {
    this.#nodes.clear();
    super.disconnect();
  }
}

describe('An amount from the page', () => {
  const stops: (() => void)[] = [];
  let container: HTMLElement;

  before(() => (globalThis.MutationObserver = Counted));
  after(() => (globalThis.MutationObserver = Native));
  beforeEach(async () => (container = await fixture(html`<div></div>`)));
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
    assert.equal(observedNodes(), 0, 'observed without watchers');
  });

  const observedNodes = () => observers.reduce((sum, nodes) => sum + nodes.size, 0);

  /** Watches the amount and records the reported values in order. */
  function watch(selector: string, { host = container, locale = 'en', currency = USD } = {}) {
    const reported: [price: number | PriceReason, text: string][] = [];
    if (host.parentElement) host.parentElement.lang = locale;
    const context = {
      element: Object.assign(host, { amountFrom: selector }),
      terms: () => ({ sheet: { currency } }),
      setPagePrice: (...report: (typeof reported)[number]) => reported.push(report),
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what this module uses of its context
    const stop = start(context as unknown as ModuleContext);
    stops.push(stop);
    return { reported, stop, amounts: () => reported.map(([price]) => (typeof price === 'number' ? price : NaN)) };
  }

  const ld = (thing: unknown) => `<script id="x" type="application/ld+json">${JSON.stringify(thing)}</script>`;
  const offer = { '@type': 'Offer', price: '1299.00', priceCurrency: 'USD' };

  /** Markup, and the expected amount in cents; NaN if it cannot be parsed. */
  const pages: [description: string, markup: string, amount: number, locale?: string][] = [
    ['a text', '<p id="x">$1,299.00</p>', 129_900],
    ['a text in the format of the page', '<p id="x">1.299 €</p>', NaN, 'de'],
    ['a price in spans', '<p id="x"><span>$</span><span>1,299</span><span>.</span><span>00</span></p>', 129_900],
    ['decimals in a separate element', '<p id="x">$1,299<small>.50</small></p>', 129_950],
    ['a text with comments', '<p id="x">$<!-- -->1,<!-- 5 -->299</p>', 129_900],
    ['cents in a <sup> element', '<p id="x">$12<sup>99</sup></p>', NaN],
    ['cents in an adjacent span, which may be superscript', '<p id="x"><span>$12</span><!-- --><span>99</span></p>', NaN],
    ['WooCommerce', '<p id="x"><del>$<bdi>15.00</bdi></del> <ins>$<bdi>12.00</bdi></ins></p>', 1_200],
    [
      'WooCommerce with words for screen readers',
      '<p id="x"><del aria-hidden="true">$15.00</del><span>Original price was: $15.00.</span><ins aria-hidden="true">$12.00</ins><span>Current price is: $12.00.</span></p>',
      1_200,
    ],
    [
      'Shopify',
      '<div id="x"><div><span>Regular price</span> <span>$12.00</span></div><div><span>Regular price</span> <s>$15.00</s> <span>Sale price</span> <span>$12.00</span></div></div>',
      1_200,
    ],
    ['a hidden old price', '<p id="x"><b hidden>$15</b> $12 <i aria-hidden="true">$15</i></p>', 1_200],
    ['a style sheet and a script in the price', '<p id="x"><style>.a1{top:2px}</style>$12<script>var a = 3</script></p>', 1_200],
    ['an old price that is not rendered', '<p id="x"><b style="display: none">$15</b> $12</p>', 1_200],
    ['a price without a box', '<p id="x">$1,<b style="display: contents">299</b></p>', 129_900],
    ['a price in a closed tab', '<div style="display: none"><p id="x">$<b>12</b><style>a{top:1px}</style></p></div>', 1_200],
    ['a label in another element', '<p id="x"><span>Price</span><span>$12</span><span>In stock</span></p>', 1_200],
    ['a country in another element', '<p id="x"><span>AU</span><span>$12</span></p>', NaN],
    ['a currency in another element', '<p id="x"><span>12</span><span>kr</span></p>', NaN],
    ['a period in another element', '<p id="x"><b>$129.99</b>\n<i>/</i><i>mo</i></p>', NaN],
    ['a period in an adjacent element', '<p id="x"><b>$129.99</b><i>monthly</i></p>', NaN],
    ['a price that is itself hidden', '<p id="x" hidden>$12</p>', 1_200],
    ['two prices', '<p id="x">$12 $15</p>', NaN],
    ['the first of several elements', '<p id="x">$12</p><p id="x">$15</p>', 1_200],
    ['an empty element', '<p id="x"> </p>', 0],
    ['a text without digits', '<p id="x">Sold out</p>', 0],
    ['escaped markup', '<p id="x">&lt;$12&gt;</p>', 1_200],
    ['a missing element', '<p>$12</p>', 0],
    ['data-amount-cents', '<p id="x" data-amount-cents="129900">$5</p>', 129_900],
    ['empty data-amount-cents', '<p id="x" data-amount-cents="">$5</p>', 0],
    ['cents with a thousands separator', '<p id="x" data-amount-cents="1,299">$5</p>', NaN],
    ['negative cents', '<p id="x" data-amount-cents="-5">$5</p>', NaN],
    ['cents beyond the safe integers', '<p id="x" data-amount-cents="9007199254740992"></p>', NaN],
    ['the largest amount in cents', '<p id="x" data-amount-cents="99999999999"></p>', 99_999_999_999],
    ['one cent more', '<p id="x" data-amount-cents="100000000000"></p>', NaN],
    ['zero cents', '<p id="x" data-amount-cents="0">$5</p>', 0],
    ['cents with the noise of a floating-point number', '<p id="x" data-amount-cents="113609.99999999999"></p>', 113_610],
    ['dollars instead of cents', '<p id="x" data-amount-cents="12.00"></p>', NaN],
    ['cents with decimals', '<p id="x" data-amount-cents="1299.5">$5</p>', NaN],
    ['a meta element', '<meta id="x" itemprop="price" content="1299.00">', 129_900, 'de'],
    ['the content of microdata', '<span id="x" itemprop="price" content="1299.5">from 9</span>', 129_950],
    ['a content with three decimals, which could be a thousands separator', '<meta id="x" content="10.369">', NaN, 'de'],
    ['a field', '<input id="x" value="1.299,00">', 129_900],
    ['a number field', '<input id="x" type="number" step="any" value="10.369">', NaN, 'de'],
    ['a hidden field', '<input id="x" type="hidden" value="12.99">', 1_299],
    ['an empty field', '<input id="x">', 0],
    ['a select element', '<select id="x"><option>Size</option><option selected value="12.50">Big</option></select>', 1_250],
    ['a data element', '<data id="x" value="12.50">Twelve</data>', 1_250],
    ['a list item', '<ul><li id="x">$12</li></ul>', 1_200],
    ['a template', '<template id="x">$12</template>', 0],
    ['an Offer', ld(offer), 129_900, 'de'],
    ['a Product', ld({ '@type': 'Product', sku: '77', offers: offer }), 129_900],
    ['a price that is a number', ld({ offers: { ...offer, price: 1299.9 } }), 129_990],
    ['an offer without a currency', ld({ offers: { price: 1299 } }), 129_900],
    ['a list of offers', ld({ offers: [offer, null, { ...offer, price: 1299 }] }), 129_900],
    ['a list of objects', ld([{ '@type': 'Organization', foundingDate: '1999' }, null, { offers: offer }]), 129_900],
    [
      'a graph',
      ld({
        '@graph': [
          { '@type': 'WebSite', name: '7' },
          { '@type': 'Product', offers: [offer] },
        ],
      }),
      129_900,
    ],
    [
      'an AggregateOffer',
      ld({ offers: { lowPrice: '12.00', highPrice: '15.00', priceCurrency: 'USD', offers: [offer] } }),
      1_200,
    ],
    ['a ProductGroup', ld({ '@type': 'ProductGroup', hasVariant: [{ offers: offer }, { offers: offer }] }), 129_900],
    ['variants with different prices', ld({ hasVariant: [{ offers: offer }, { offers: { ...offer, price: 12 } }] }), NaN],
    ['a priceSpecification', ld({ offers: [{ priceSpecification: [{ price: '12.00', priceCurrency: 'USD' }] }] }), 1_200],
    ['a product with similar products', ld({ offers: offer, isSimilarTo: [{ offers: { ...offer, price: 5 } }] }), 129_900],
    ['another currency', ld({ offers: { ...offer, priceCurrency: 'EUR' } }), NaN],
    ['a price in words', ld({ offers: { ...offer, price: 'on request' } }), 0],
    [
      'a sale',
      ld({ offers: { ...offer, priceSpecification: [{ price: 1499, priceType: 'https://schema.org/ListPrice' }] } }),
      129_900,
    ],
    [
      'a sale with types only',
      ld({
        offers: {
          priceCurrency: 'USD',
          priceSpecification: [
            { price: 69, priceType: 'https://schema.org/SalePrice' },
            { price: '89.00', priceType: 'https://schema.org/ListPrice' },
          ],
        },
      }),
      6_900,
    ],
    ['a list price only', ld({ offers: { price: 89, priceType: 'ListPrice' } }), NaN],
    ['a price without a type and a suggested one', ld({ offers: [{ price: 69 }, { price: 89, priceType: 'MSRP' }] }), 6_900],
    [
      'a price specification in another currency than its offer',
      ld({ offers: { priceCurrency: 'EUR', priceSpecification: { price: 5 } } }),
      NaN,
    ],
    ['a price in a main entity', ld({ '@type': 'ItemPage', mainEntity: { '@type': 'Product', offers: offer } }), 129_900],
    ['a main entity that is a URL', ld({ mainEntity: 'https://shop.example/p/12' }), 0],
    ['a price with the noise of a floating-point number', ld({ offers: { ...offer, price: 59.97000000000001 } }), 5_997],
    [
      'a subscription whose offer repeats the price',
      ld({ offers: { price: '9.99', priceSpecification: { price: 9.99, billingDuration: 'P1M' } } }),
      NaN,
    ],
    [
      'a lowest price that is recurring',
      ld({ offers: { lowPrice: 9, offers: [{ price: 9, eligibleDuration: { value: 1, unitCode: 'MON' } }] } }),
      NaN,
    ],
    ['installments next to the price', ld({ offers: [offer, { price: 50, billingDuration: 24, billingIncrement: 1 }] }), 129_900],
    [
      'the price of one unit and of ten',
      ld({
        offers: [
          { ...offer, eligibleQuantity: { minValue: 1, maxValue: 9 } },
          { price: 999, eligibleQuantity: { minValue: 10 } },
        ],
      }),
      129_900,
    ],
    [
      'a charge for the delivery',
      ld({ offers: { ...offer, priceSpecification: { '@type': 'DeliveryChargeSpecification', price: 5 } } }),
      129_900,
    ],
    [
      'a price with its components',
      ld({ offers: { price: 1299, priceSpecification: { price: 1299, priceComponent: [{ price: 1000 }, { price: 299 }] } } }),
      129_900,
    ],
    ['conditions that are null', ld({ offers: { ...offer, eligibleQuantity: null, priceType: null } }), 129_900],
    ...[
      { eligibleCustomerType: 'https://schema.org/Business' },
      { validForMemberTier: { name: 'Gold' } },
      { eligibleTransactionVolume: { minPrice: 500 } },
      { eligibleQuantity: { minValue: 12 } },
      { referenceQuantity: { value: 1, unitCode: 'KGM' } },
      { unitCode: 'LBR' },
      { unitText: 'lb' },
      { leaseLength: 'P3Y' },
      { businessFunction: 'http://purl.org/goodrelations/v1#LeaseOut' },
      { billingDuration: 'P1M' },
      { priceComponentType: 'https://schema.org/Downpayment' },
    ].flatMap((condition): [string, string, number][] => {
      const [name] = Object.keys(condition);
      return [
        [`a price with ${name} next to another`, ld({ offers: [offer, { price: 12, ...condition }] }), 129_900],
        [`only a price with ${name}`, ld({ offers: { price: 12, ...condition } }), NaN],
      ];
    }),
    [
      'an offer to end users',
      ld({ offers: { ...offer, eligibleCustomerType: 'http://purl.org/goodrelations/v1#Enduser' } }),
      129_900,
    ],
    ['an offer to sell', ld({ offers: { ...offer, businessFunction: 'http://purl.org/goodrelations/v1#Sell' } }), 129_900],
    ['an object without an offer', ld({ '@type': 'Organization', foundingDate: '1999' }), 0],
    ['a graph without an offer', ld({ '@graph': [{ '@type': 'Organization', foundingDate: '1999' }] }), 0],
    ['null', ld(null), 0],
    ['a number', ld(7), 0],
    ['invalid JSON', '<script id="x" type="application/ld+json">{"price": 12,}</script>', NaN],
  ];

  for (const [description, markup, amount, locale = 'en'] of pages) {
    it(`is ${amount} if read from ${description}`, () => {
      container.innerHTML = markup;
      assert.deepEqual(watch('#x', { locale }).amounts(), [amount]);
    });
  }

  it('is in the minor unit of the currency', () => {
    container.innerHTML = '<p id="x">KWD 1.299</p><p id="cents" data-amount-cents="1299"></p>';
    assert.deepEqual(watch('#x', { currency: KWD }).amounts(), [1_299]);
    assert.deepEqual(watch('#cents', { currency: KWD }).amounts(), [1_299]);
  });

  const refusals: [reason: PriceReason, markup: string, text: string][] = [
    ['several', '<p id="x">$12 or $15</p>', '$12 or $15'],
    ['currency', '<p id="x">A$12</p>', 'A$12'],
    ['rate', '<p id="x"><span>$129.99</span> <span> / month</span></p>', '$129.99  / month'],
    ['number', '<p id="x">-$12</p>', '-$12'],
    ['number', '<p id="x" data-amount-cents="12.50"></p>', '12.50'],
    ['invalid', '<script id="x" type="application/ld+json">{"price": 12,}</script>', '#x'],
    ['rate', ld({ offers: { price: 9, billingDuration: 'P1M' } }), ' 9 / billingDuration'],
  ];
  for (const [reason, markup, text] of refusals) {
    it(`is refused with the text ${JSON.stringify(text)} and the reason ${reason}, once`, async () => {
      container.innerHTML = markup;
      const { reported } = watch('#x');
      container.append('more');
      await nextFrame();
      assert.deepEqual(reported, [[reason, text]]);
    });
  }

  for (const selector of ['###', '', 'p:nope(', '<b>', 'x'.repeat(9) + '[']) {
    it(`is refused if the selector is ${JSON.stringify(selector)}, and is reported once`, async () => {
      const { reported } = watch(selector);
      container.innerHTML = '<p>$12</p>';
      await nextFrame();
      assert.deepEqual(reported, [['invalid', selector]]);
    });
  }

  const changes: [description: string, markup: string, change: () => unknown, amounts: number[]][] = [
    ['the text', '<p id="x">$12</p>', () => (container.querySelector('p')!.firstChild!.nodeValue = '$15'), [1_200, 1_500]],
    ['the child elements', '<p id="x">$12</p>', () => (container.querySelector('p')!.innerHTML = '<b>$15</b>'), [1_200, 1_500]],
    [
      'an attribute that hides a part of the text',
      '<p id="x">$12 <b>$15</b></p>',
      () => container.querySelector('b')!.toggleAttribute('hidden'),
      [NaN, 1_200],
    ],
    [
      'data-amount-cents',
      '<p id="x" data-amount-cents="5"></p>',
      () => (container.querySelector('p')!.dataset['amountCents'] = '6'),
      [5, 6],
    ],
    [
      'the unit, by removing data-amount-cents',
      '<p id="x" data-amount-cents="5">5</p>',
      () => container.querySelector('p')!.removeAttribute('data-amount-cents'),
      [5, 500],
    ],
    [
      'the content attribute',
      '<meta id="x" content="5">',
      () => container.querySelector('meta')!.setAttribute('content', '6'),
      [500, 600],
    ],
    [
      'the initial value of a field',
      '<input id="x" value="5">',
      () => container.querySelector('input')!.setAttribute('value', '6'),
      [500, 600],
    ],
    [
      'which element matches',
      '<p id="x">$12</p><p>$15</p>',
      () => container.querySelectorAll('p').forEach((p) => (p.id = p.id ? '' : 'x')),
      [1_200, 1_500],
    ],
    [
      'the element itself, by replacing it',
      '<p id="x">$12</p>',
      () => container.firstElementChild!.replaceWith(Object.assign(document.createElement('b'), { id: 'x', textContent: '$15' })),
      [1_200, 1_500],
    ],
    ['the page, by adding the element', '', () => (container.innerHTML = '<p id="x">$15</p>'), [0, 1_500]],
    ['the page, by removing the element', '<p id="x">$12</p>', () => (container.innerHTML = ''), [1_200, 0]],
    [
      'the JSON-LD',
      ld(offer),
      () => (container.firstElementChild!.textContent = JSON.stringify({ ...offer, price: 12 })),
      [129_900, 1_200],
    ],
    ['text next to the element', '<p id="x">$12</p>', () => container.append('$15'), [1_200]],
    ['the markup of the same text', '<p id="x">$12</p>', () => (container.querySelector('p')!.innerHTML = '<b>$12</b>'), [1_200]],
  ];

  for (const [description, markup, change, amounts] of changes) {
    it(`is ${amounts.join(', then ')} if the page changes ${description}`, async () => {
      container.innerHTML = markup;
      const watcher = watch('#x');
      change();
      await nextFrame();
      assert.deepEqual(watcher.amounts(), amounts);
    });
  }

  it('is reported once for many synchronous changes, before the next paint', async () => {
    container.innerHTML = '<p id="x">$1</p>';
    const watcher = watch('#x');
    for (let dollars = 2; dollars <= 100; dollars++) container.querySelector('p')!.textContent = `$${dollars}`;
    await Promise.resolve();
    assert.deepEqual(watcher.amounts(), [100, 10_000]);
  });

  for (const type of ['input', 'change']) {
    it(`is updated when a field that a script has filled dispatches ${type}`, () => {
      container.innerHTML = '<input id="x" value="5">';
      const watcher = watch('#x');
      const field = container.querySelector('input')!;
      field.value = '6';
      field.dispatchEvent(new Event(type, { bubbles: true }));
      assert.deepEqual(watcher.amounts(), [500, 600]);
    });
  }

  describe('next to an element in a shadow root', () => {
    let root: ShadowRoot;
    let host: HTMLElement;

    beforeEach(() => {
      root = container.attachShadow({ mode: 'closed' });
      root.innerHTML = '<input id="inside" value="5"><b></b>';
      host = root.querySelector('b')!;
    });

    it('is found and observed in that shadow root', async () => {
      const watcher = watch('#inside', { host });
      const field = root.querySelector('input')!;
      field.value = '6';
      field.dispatchEvent(new Event('change', { bubbles: true }));
      field.setAttribute('data-amount-cents', '7');
      await nextFrame();
      assert.deepEqual(watcher.amounts(), [500, 600, 7]);
    });

    it('is found and observed in the document if the shadow root has no such element', async () => {
      const outside = await fixture<HTMLElement>(html`<p id="outside">$12</p>`);
      const watcher = watch('#outside', { host });
      outside.textContent = '$15';
      await nextFrame();
      assert.deepEqual(watcher.amounts(), [1_200, 1_500]);
    });

    it('is not observed after watching stops', async () => {
      let queries = 0;
      const originalQuery = root.querySelector.bind(root);
      root.querySelector = (selector: string) => (queries++, originalQuery(selector));
      const { stop } = watch('#inside', { host });
      watch('#other');
      stop();
      stop();
      assert.deepEqual(queries, 1);
      root.querySelector('input')!.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
      root.append('more');
      await nextFrame();
      assert.deepEqual(queries, 2);
    });
  });

  it('is observed until its own watcher has stopped', async () => {
    for (let round = 0; round < 3; round++) {
      const watchers = Array.from({ length: 24 }, (_, index) => watch(`#x${index}`));
      assert.equal(observedNodes(), 24);

      for (const { stop } of watchers.slice(1)) stop();
      assert.equal(observedNodes(), 1);
      container.innerHTML = `<p id="x0">$12</p><p id="x1">$15</p>`;
      await nextFrame();
      assert.deepEqual(watchers[0]!.amounts(), [0, 1_200]);
      assert.deepEqual(watchers[1]!.amounts(), [0]);

      watchers[0]!.stop();
      assert.equal(observedNodes(), 0);
      container.innerHTML = '';
      await nextFrame();
      assert.deepEqual(watchers[0]!.amounts(), [0, 1_200]);
    }
  });

  it('is read without constructing the custom elements in the price again', async () => {
    let constructed = 0;
    customElements.define(
      'x-price-part',
      class extends HTMLElement {
        constructor() {
          super();
          constructed++;
        }
      },
    );
    container.innerHTML = '<p id="x">$<x-price-part>12</x-price-part></p>';
    const watcher = watch('#x');
    container.querySelector('p')!.append('.50');
    await nextFrame();
    assert.deepEqual(watcher.amounts(), [1_200, 1_250]);
    assert.equal(constructed, 1);
  });
});
