import { pricesIn } from './json-ld.ts';
import type { ModuleContext } from './lazy-modules.ts';
import { localeOf, parsePrice } from './price.ts';

/** Cents, at most `MAX_CENTS`, or with the noise of a floating-point number: `113609.99999999999`. */
const CENTS = /^\d{0,11}(\.(0{6}|9{6})\d*)?$/;

/**
 * Observes the price in the first element that `amount-from` selects: in the root of the button, or else in the document. The element may
 * be added, changed, replaced or removed later.
 *
 * The price is the first of these that exists:
 *
 * 1. `data-amount-cents`: an integer in minor units of the currency
 * 2. JSON-LD in a script: the prices that anyone pays for one unit
 * 3. the `content` attribute, as in microdata. Like JSON-LD and number fields, it has a decimal point in every language.
 * 4. the `value` of a field or another element. A script that sets it must dispatch `input` or `change`.
 * 5. the visible text without struck-through prices (`<del>`, `<s>`), or the text of an `<ins>` if there is one
 *
 * A text is in the language of the button's parent, because the button may have another `lang`. `setPagePrice` is called immediately
 * and after every change.
 *
 * @returns A function that stops observing.
 */
export function start({ element: button, terms, setPagePrice }: ModuleContext): () => void {
  const { lang } = button.parentElement?.closest<HTMLElement>('[lang]') ?? document.documentElement;
  const locale = localeOf(lang);
  // The button starts this module when it has both.
  const selector = button.amountFrom!;
  const { currency } = terms()!.sheet;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the root of a connected element
  const root = button.getRootNode() as Document | ShadowRoot;
  const listening = new AbortController();
  let last: string | undefined;

  const check = () => {
    let text = selector;
    let format: string | undefined;
    try {
      const element = root.querySelector<HTMLElement>(selector) ?? document.querySelector<HTMLElement>(selector);
      [text, format] = element ? read(element, locale) : ['', locale];
    } catch {
      // The selector or the JSON-LD is invalid.
    }
    const key = format + text;
    // Every change of the page reads the text. Only a changed text is parsed, because that is slower.
    if (last === key) return;
    last = key;
    const cents = CENTS.test(text) ? Math.round(+text) : 'number';
    setPagePrice(format ? parsePrice(text, format, currency) : format === '' ? cents : 'invalid', text);
  };

  const observer = new MutationObserver(check);
  for (const target of [root, document]) {
    observer.observe(target, { childList: true, attributes: true, subtree: true, characterData: true });
    for (const type of ['change', 'input']) target.addEventListener(type, check, listening);
  }
  check();

  return () => {
    listening.abort();
    observer.disconnect();
  };
}

/** Returns the text of a price, and the language of its format; empty for cents. */
function read(element: HTMLElement, locale: string): [text: string, format: string] {
  const {
    dataset: { amountCents },
    localName,
    textContent,
    type,
    value,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- properties of other elements are undefined
  } = element as HTMLInputElement;
  if (amountCents !== undefined) return [amountCents, ''];
  const data = localName === 'script' ? pricesIn(JSON.parse(textContent)) : element.getAttribute('content');
  if (data !== null) return [data, 'en'];
  return [value || visibleText(element.querySelector('ins') ?? element), type === 'number' ? 'en' : locale];
}

/** Returns the text of an element that is rendered, or all of its text if the element itself is not: a price in a closed tab. */
function visibleText(element: Element): string {
  const isShown = isRendered(element);
  const textIn = (parent: Node): string =>
    [...parent.childNodes]
      .map((node) => {
        if (node instanceof Text) return node.data;
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- other nodes have no `matches`, and no children
        const child = node as Element;
        const isSkipped = child.matches?.('[aria-hidden=true],script,s,del,[hidden],style') || (isShown && !isRendered(child));
        return isSkipped ? '' : textIn(child);
      })
      .join('|');
  // Numbers and words of different elements are different: `12<sup>99</sup>`. Those with a separator between them are not: `12<sup>.99</sup>`.
  return textIn(element).replace(/(?<=[\s.,])\|+|(?<!\|)\|+(?=[\s.,])/g, '');
}

/** Elements without a box of their own may have rendered children. Browsers before 2024 cannot check. */
function isRendered(element: Element): boolean {
  // oxlint-disable-next-line typescript/no-unnecessary-boolean-literal-compare -- undefined in older browsers
  return element.checkVisibility?.() !== false || getComputedStyle(element).display === 'contents';
}
