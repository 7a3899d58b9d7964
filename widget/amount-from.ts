import type { RateSheet } from '../shared/programs/rate-sheet.ts';
import { emit, FinancingError } from './events.ts';
import type { ModuleContext } from './lazy-modules.ts';
import { localeOf, parsePrice } from './price.ts';

/** Format of a price: cents, with a decimal point, or in the format of the page's language. */
type Format = 'cents' | 'decimal' | 'page' | 'none';

/**
 * Observes the price that `amount-from` selects, and parses it in the language of the element's parent, because the element may have
 * another `lang`. Reports a price that cannot be parsed as the error `amount-from`.
 *
 * @returns A function that stops observing.
 */
export function start({ element, terms, setPageCents }: ModuleContext): () => void {
  const { amountFrom } = element;
  const lang = element.parentElement?.closest('[lang]')?.getAttribute('lang') ?? document.documentElement.lang;
  // The element starts this module when it has both.
  return watchAmount(element, amountFrom!, localeOf(lang), terms()!.sheet.currency, (amount, text) => {
    setPageCents(amount || 0);
    if (Number.isNaN(amount)) emit(element, 'financing-error', new FinancingError('amount-from', text));
  });
}

/** The checks of all elements, which share one observer. */
const checks = new Set<() => void>();
let observer: MutationObserver | undefined;

/**
 * Observes the price in the first element that matches `selector`: in the root of `host`, or else in the document. The element may
 * be added, changed, replaced or removed later.
 *
 * The price is the first of these that exists:
 *
 * 1. `data-amount-cents`: an integer in minor units of the currency
 * 2. JSON-LD in a script: an `Offer`, or the `lowPrice` of an `AggregateOffer`, in `offers` of any object, including objects in
 *    `hasVariant` and `@graph`
 * 3. the `content` attribute, as in microdata. Like JSON-LD and number fields, it has a decimal point in every language.
 * 4. the `value` of a field or another element. A script that sets it must dispatch `input` or `change`.
 * 5. the visible text without struck-through prices (`<del>`, `<s>`), or the text of an `<ins>` if there is one
 *
 * @param locale   - BCP 47 tag of the language around the price.
 * @param currency - Currency of the program. A price with another currency cannot be parsed.
 * @param onAmount - Called immediately and after every change. `amount` is in minor units: 0 if there is no price, NaN if `text`
 *   cannot be parsed or `selector` is invalid.
 * @returns A function that stops observing.
 */
export function watchAmount(
  host: Element,
  selector: string,
  locale: string,
  currency: RateSheet['currency'],
  onAmount: (amount: number, text: string) => void,
): () => void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the root of a connected element
  const root = host.getRootNode() as Document | ShadowRoot;
  const listening = new AbortController();
  let last: string | undefined;

  const check = () => {
    let amount = NaN;
    let text = selector;
    let format: Format = 'none';
    try {
      const element = root.querySelector<HTMLElement>(selector) ?? document.querySelector<HTMLElement>(selector);
      [text, format] = element ? read(element) : ['', format];
      // Every change of the page reads the text. Only a changed text is parsed, because that is slower.
      if (last === format + text) return;
      // `MAX_CENTS` consists of eleven nines.
      if (format !== 'cents') amount = parsePrice(text, format === 'page' ? locale : 'en', currency);
      else if (/^\d{0,11}$/.test(text)) amount = +text;
    } catch {
      // The selector or the JSON-LD is invalid.
    }
    if (last === format + text) return;
    last = format + text;
    onAmount(amount, text);
  };

  checks.add(check);
  observer ??= new MutationObserver(() => checks.forEach((run) => run()));
  for (const target of [root, document]) {
    observer.observe(target, { subtree: true, childList: true, characterData: true, attributes: true });
    for (const type of ['input', 'change']) target.addEventListener(type, check, listening);
  }
  check();

  return () => {
    listening.abort();
    checks.delete(check);
    if (!checks.size) observer!.disconnect();
  };
}

function read(element: HTMLElement): [text: string, format: Format] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- properties of other elements are undefined
  const { dataset, localName, textContent, type, value } = element as HTMLInputElement;
  const cents = dataset['amountCents'];
  if (cents !== undefined) return [cents, 'cents'];
  const data = localName === 'script' ? `${JSON.parse(textContent, offers)}` : element.getAttribute('content');
  if (data !== null) return [data, 'decimal'];
  return [value || textIn(element.querySelector('ins') ?? element), type === 'number' ? 'decimal' : 'page'];
}

/** The properties that are read from JSON-LD. */
interface Thing extends Partial<Record<'offers' | 'hasVariant' | 'priceSpecification' | '@graph', unknown>> {
  lowPrice?: number | string;
  price?: number | string;
  priceCurrency?: string;
}

/** Reviver of `JSON.parse` that reduces JSON-LD to its prices, as strings in nested arrays, which their text separates by commas. */
function offers(_key: string, value: unknown): unknown {
  if (Object(value) !== value || Array.isArray(value)) return value;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON-LD of the page: wrong types do not give a price
  const thing = value as Thing;
  const price = thing.lowPrice ?? thing.price;
  return price
    ? `${thing.priceCurrency} ${price}`
    : (thing.offers ?? thing.hasVariant ?? thing.priceSpecification ?? thing['@graph']);
}

/** Returns the visible text of an element, with `|` between digits of different elements, because `12<sup>99</sup>` is not 1299. */
function textIn(element: Node): string {
  return Array.from(element.childNodes, (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- other nodes have no `matches`
    return (node as Partial<Element>).matches?.('del,s,[hidden],[aria-hidden=true]') ? '' : textIn(node);
  })
    .join('|')
    .replace(/(?<![\d|])\|+|(?<!\|)\|+(?![\d|])/g, '');
}
