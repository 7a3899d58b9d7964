import { assert } from '@open-wc/testing';
import type { FinancingButton } from '../../widget/index.ts';
import { widget, widgetDetails } from '../../shared/languages/en/widget.ts';
import { translations } from '../../widget/language.ts';
import { freshKey, partOf, STANDARD, until } from './support.ts';

const TAGS = ['en', 'en-CA', 'es-ES', ...Object.keys(translations)];
/** A font of average width, and an especially wide one. */
const FONTS = ['Liberation Sans', 'DejaVu Sans'];
/** Attributes of a button with a large estimate: six payments of $1,254.97. */
const LARGE_AMOUNT = 'program="short" amount="740000"';

/** Creates a shop page in a language, in an iframe of `width` pixels. */
async function openShopPage(
  lang: string,
  attributes: string,
  font = FONTS[0],
  width = 240,
  head = '',
): Promise<{ shop: Document; element: FinancingButton }> {
  const frame = document.createElement('iframe');
  frame.width = String(width);
  frame.height = '900';
  frame.style.border = '0';
  frame.srcdoc = `<!doctype html><html lang="${lang}">${head}<link rel="stylesheet" href="/widget/reserve.css">
    <style>body{margin:0;font:16px ${font}}</style>
    <financing-button service="${STANDARD}" api-key="${freshKey()}" cart-url="/c" ${attributes}></financing-button><hr>`;
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  const shop = frame.contentDocument!;
  return { shop, element: shop.querySelector('financing-button')! };
}

async function loadWidget(shop: Document): Promise<void> {
  const script = shop.createElement('script');
  script.type = 'module';
  script.src = '/widget/index.ts';
  shop.body.append(script);
  await new Promise((resolve) => script.addEventListener('load', resolve, { once: true }));
  const element = shop.querySelector('financing-button')!;
  await until(() => element.matches(':state(quoted)') && !element.shadowRoot!.querySelector('.loading'), 'no estimate');
}

/** Returns elements that overflow the page or themselves horizontally. */
function overflowingElements(element: FinancingButton): string[] {
  const root = element.shadowRoot!;
  const right = element.ownerDocument.documentElement.clientWidth;
  const texts = [...root.querySelectorAll<HTMLElement>('p, a, button, h2, h3, label, input, table, caption, th, td, dt, dd')];
  return texts
    .filter((text) => {
      const range = text.ownerDocument.createRange();
      range.selectNodeContents(text);
      const { left, right: end } = range.getBoundingClientRect();
      return left < -0.5 || end > right + 0.5 || text.scrollWidth > text.clientWidth + 1;
    })
    .map((text) => `${text.localName}: ${text.textContent}`);
}

/** English texts with the length and the accents of other languages. */
const pseudo = (texts: Record<string, string>): string =>
  encodeURIComponent(JSON.stringify(Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, lengthened(text)]))));

function lengthened(text: string): string {
  const accents = new Map([...'AÅEÉOÖPÞaàeêgğiïnñoøuüyý'.matchAll(/(.)(.)/gu)].map(([, plain, accented]) => [plain!, accented!]));
  const words = text
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? part : part.replace(/[A-Za-z]/g, (at) => accents.get(at) ?? at)));
  return `${words.join('')}${' ñøğüm'.repeat(9).slice(0, Math.ceil(text.replace(/\{\w+\}/, '').length * 0.4))}`.trim();
}

async function openDetails(element: FinancingButton): Promise<void> {
  element.showDetails();
  await until(() => element.shadowRoot!.querySelector('dialog')?.open, 'no details');
}

afterEach(() => {
  document.querySelector('iframe')?.remove();
});

describe('at 240 pixels', () => {
  for (const font of FONTS) {
    for (const lang of TAGS) {
      it(`nothing overflows in ${lang} with the font ${font}`, async () => {
        const { shop, element } = await openShopPage(lang, LARGE_AMOUNT, font);
        await loadWidget(shop);

        assert.match(partOf(element, 'estimate')!.textContent, /254.97/);
        assert.deepEqual(overflowingElements(element), []);
        await openDetails(element);
        assert.equal(shop.documentElement.scrollWidth, 240);
      });
    }
  }

  it('nothing overflows in a language whose words are 40 percent longer', async () => {
    const module = `data:text/javascript,export const widget = ${pseudo(widget)}, widgetDetails = ${pseudo(widgetDetails)}`;
    const imports = { [`${location.origin}/shared/languages/es/widget.ts`]: module };
    const importMap = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
    const { shop, element } = await openShopPage('es', LARGE_AMOUNT, FONTS[0], 240, importMap);
    await loadWidget(shop);

    assert.match(partOf(element, 'button')!.textContent, /Þàý/);
    assert.deepEqual(overflowingElements(element), []);
    await openDetails(element);
    assert.equal(shop.documentElement.scrollWidth, 240);
  });

  it('the button is at least 44 pixels high and the text at least 12 pixels', async () => {
    const { shop, element } = await openShopPage('en', LARGE_AMOUNT);
    await loadWidget(shop);
    assert.isAtLeast(element.shadowRoot!.querySelector('a')!.getBoundingClientRect().height, 44);
    assert.isAtLeast(Number.parseFloat(getComputedStyle(partOf(element, 'disclosure')!).fontSize), 12);
  });
});

describe('at 1000 pixels', () => {
  it('the disclosure is below the button and as wide', async () => {
    const { shop, element } = await openShopPage('en', LARGE_AMOUNT, FONTS[0], 1_000);
    await loadWidget(shop);
    const button = element.shadowRoot!.querySelector('a')!.getBoundingClientRect();
    const disclosure = partOf(element, 'disclosure')!.getBoundingClientRect();
    assert.isAbove(disclosure.top, button.bottom);
    assert.deepEqual([disclosure.left, disclosure.width], [button.left, button.width]);
  });
});

describe('at 320 pixels', () => {
  for (const lang of TAGS) {
    it(`the details fit in ${lang}`, async () => {
      const { shop, element } = await openShopPage(lang, LARGE_AMOUNT, FONTS[0], 320);
      await loadWidget(shop);

      await openDetails(element);

      assert.deepEqual(overflowingElements(element), []);
    });
  }
});
