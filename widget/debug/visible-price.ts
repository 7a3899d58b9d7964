import { parsePrice } from '../price.ts';

/** How far up from the element its price is looked for: the box of a product, not the whole page. */
const MOST_BOXES = 4;

/** The prices that stand near an element, in minor units of the currency, each with what was written. */
export function visiblePrices(
  element: Element,
  locale: string,
  currency: { code: string; digits: number },
): { amount: number; written: string }[] {
  let box = element.parentElement;
  for (let boxes = 0; box && boxes < MOST_BOXES; boxes++, box = box.parentElement) {
    const prices = [...textsIn(box, element)]
      // A price has a currency beside it, or it could be anything: a year, a number of pieces.
      .filter((written) => /\p{Sc}|\b[A-Z]{3}\b/u.test(written) && /\d/.test(written))
      .map((written) => ({ written, amount: parsePrice(written, locale, currency) }));
    if (prices.length) return prices;
  }
  return [];
}

function* textsIn(box: Element, except: Element): Generator<string> {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: text } = walker;
    const written = text.textContent!.trim();
    if (written && written.length < 40 && !except.contains(text) && text.parentElement?.checkVisibility()) yield written;
  }
}
