import type { RateSheet } from '../shared/programs/rate-sheet.ts';
import type { Core } from './core.ts';
import { emit, FinancingError } from './events.ts';
import { localeOf } from './locale.ts';
import { parsePrice } from './price.ts';

/** How a price is written: in cents, with a decimal point, as the page's language does it. */
type Source = 'cents' | 'data' | 'page' | 'none';

/**
 * Follows the price that `amount-from` names, in the language of what is around the element: that is the page's, and need not be
 * its own. A price that cannot be read is the error `amount-from`.
 */
export function start({ element, currency, take }: Core): () => void {
  const { amountFrom } = element;
  const lang = element.parentElement?.closest('[lang]')?.getAttribute('lang') ?? document.documentElement.lang;
  return watchAmount(element, amountFrom!, localeOf(lang), currency()!, (amount, written) => {
    take(amount || 0);
    if (Number.isNaN(amount)) emit(element, 'financing-error', new FinancingError('amount-from', written));
  });
}

const checks = new Set<() => void>();
let observer: MutationObserver | undefined;

/**
 * Follows the price that a page shows in the first element that matches `selector`: in the shadow root or document that
 * `host` is in, else in the document. The element may come later, change in any way, be replaced or go.
 *
 * Its price is the first of these that is there:
 *
 * 1. `data-amount-cents`: whole minor units of the currency
 * 2. in a script, JSON-LD: an `Offer`, or the `lowPrice` of an `AggregateOffer`, of whatever has them as `offers`, also below
 *    `hasVariant` and `@graph`
 * 3. `content`, as in microdata: with a decimal point in every language, as in JSON-LD and fields for numbers
 * 4. `value`, of a field or whatever else has one; a script that fills a field must dispatch `input` or `change`
 * 5. the text, without what is struck through (`<del>`, `<s>`) or hidden; that of an `<ins>` alone where there is one
 *
 * @param locale   - BCP 47 tag of the language around the price.
 * @param currency - Of the program. A price that names another one cannot be read.
 * @param onAmount - Called at once and after every change. `amount` is in minor units: 0 when there is none, NaN when
 *   `written` cannot be read or `selector` is none.
 * @returns Stops following.
 */
export function watchAmount(
  host: Element,
  selector: string,
  locale: string,
  currency: RateSheet['currency'],
  onAmount: (amount: number, written: string) => void,
): () => void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a connected element
  const root = host.getRootNode() as Document | ShadowRoot;
  const listening = new AbortController();
  let last: string | undefined;

  const check = () => {
    let amount = NaN;
    let written = selector;
    let source: Source = 'none';
    try {
      const element = root.querySelector<HTMLElement>(selector) ?? document.querySelector<HTMLElement>(selector);
      [written, source] = element ? read(element) : ['', source];
      // Reading is cheap, and done whenever anything changes in the page; what follows is not.
      if (last === source + written) return;
      // As many digits as `MAX_CENTS` has, which is all nines.
      if (source !== 'cents') amount = parsePrice(written, source === 'page' ? locale : 'en', currency);
      else if (/^\d{0,11}$/.test(written)) amount = +written;
    } catch {
      // A selector that is none, or JSON-LD that is no JSON.
    }
    if (last === source + written) return;
    last = source + written;
    onAmount(amount, written);
  };

  checks.add(check);
  observer ??= new MutationObserver(() => checks.forEach((each) => each()));
  for (const place of [root, document]) {
    observer.observe(place, { subtree: true, childList: true, characterData: true, attributes: true });
    for (const type of ['input', 'change']) place.addEventListener(type, check, listening);
  }
  check();

  return () => {
    listening.abort();
    checks.delete(check);
    if (!checks.size) observer!.disconnect();
  };
}

function read(element: HTMLElement): [written: string, source: Source] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what an element has not is undefined
  const { dataset, localName, textContent, type, value } = element as HTMLInputElement;
  const cents = dataset['amountCents'];
  if (cents !== undefined) return [cents, 'cents'];
  const data = localName === 'script' ? `${JSON.parse(textContent, offers)}` : element.getAttribute('content');
  if (data !== null) return [data, 'data'];
  return [value || textIn(element.querySelector('ins') ?? element), type === 'number' ? 'data' : 'page'];
}

/** What is looked at in JSON-LD. */
interface Thing extends Partial<Record<'offers' | 'hasVariant' | 'priceSpecification' | '@graph', unknown>> {
  lowPrice?: number | string;
  price?: number | string;
  priceCurrency?: string;
}

/** Makes of everything in JSON-LD, from the inside out, the prices that it says: texts in arrays in arrays. */
function offers(_key: string, value: unknown): unknown {
  if (Object(value) !== value || Array.isArray(value)) return value;
  const thing = value as Thing;
  const price = thing.lowPrice ?? thing.price;
  return price
    ? `${thing.priceCurrency} ${price}`
    : (thing.offers ?? thing.hasVariant ?? thing.priceSpecification ?? thing['@graph']);
}

/** What is to be read of an element; `|` where one ends and digits meet, as in `12<sup>99</sup>`, which is not 1299. */
function textIn(element: Node): string {
  return Array.from(element.childNodes, (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    return (node as Partial<Element>).matches?.('del,s,[hidden],[aria-hidden=true]') ? '' : textIn(node);
  })
    .join('|')
    .replace(/(?<![\d|])\|+|\|+(?![\d|])/g, '');
}
