import type { ModuleContext } from '../lazy-modules.ts';
import { formatMinorUnits } from '../../shared/money.ts';
import type { ProgramDocument, RateSheet } from '../../shared/programs/rate-sheet.ts';
import { scriptUrl, serviceUrl, toCents } from '../attributes.ts';
import type { FinancingButton } from '../financing-button.ts';
import { localeOf, parsePrice } from '../price.ts';
import { policyProblems } from './policy.ts';

/** Delay of the checks after the last event, because prices are often rendered by scripts. */
const CHECK_DELAY_MS = 500;

const EVENTS = ['financing-quote', 'financing-error'] as const;

/**
 * Shows a panel with problems of the integration for the page's developer. Repeats the checks after each event of the element.
 *
 * @returns A function that removes the panel.
 */
export function start({ element }: ModuleContext): () => void {
  const panel = createPanel();
  let timer: ReturnType<typeof setTimeout>;
  const check = async (): Promise<void> => {
    panel.replaceChildren(...contentOf(await findProblems(element)));
  };
  const checkLater = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), CHECK_DELAY_MS);
  };
  element.shadowRoot!.append(panel);
  for (const type of EVENTS) element.addEventListener(type, checkLater);
  checkLater();
  return () => {
    clearTimeout(timer);
    for (const type of EVENTS) element.removeEventListener(type, checkLater);
    panel.remove();
  };
}

/** Creates an empty panel in a corner of the page. */
function createPanel(): HTMLElement {
  const panel = document.createElement('aside');
  panel.ariaLabel = 'Financing button: problems';
  // Set by script, because a strict Content Security Policy blocks styles in markup.
  panel.style.cssText =
    'all: initial; position: fixed; inset: auto 12px 12px auto; z-index: 2147483647; box-sizing: border-box; inline-size: min(26rem, 100% - 24px);' +
    'max-block-size: 50vh; overflow: auto; padding: 12px 16px; border: 2px solid; border-radius: 10px; background: Canvas; color: CanvasText;' +
    'font: 13px/1.5 system-ui; color-scheme: light dark;';
  return panel;
}

function contentOf(problems: readonly string[]): HTMLElement[] {
  const title = document.createElement('strong');
  title.textContent = problems.length
    ? `Financing button: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`
    : 'Financing button: no problems';
  const list = document.createElement('ul');
  list.style.cssText = 'margin: 6px 0 0; padding-inline-start: 18px';
  list.append(...problems.map((textContent) => Object.assign(document.createElement('li'), { textContent })));
  return [title, list];
}

/** Number of ancestors that are searched for the price, to find that of the product and not others of the page. */
const MAX_ANCESTORS = 4;

/** Returns the problems of an element on its page. Requests the page once more, to read its headers. */
async function findProblems(element: FinancingButton): Promise<string[]> {
  const base = serviceUrl(element.service);
  const [headers, connection] = await Promise.all([
    pageHeaders(),
    base && element.apiKey ? loadPrograms(base, element.apiKey) : undefined,
  ]);
  const { programs, problems = [] } = connection ?? {};
  const sheet = programs?.programs.find(({ id }) => id === (element.program || programs.defaultProgramId));
  return [
    ...attributeProblems(element),
    ...(base ? [] : [`Set service to an http or https URL. It is ${element.service}.`]),
    ...pageProblems(element),
    ...problems,
    ...(programs && !sheet ? [`There is no program with the id ${element.program}.`] : []),
    ...(base ? headerProblems(element, base, headers) : []),
    ...(sheet ? amountProblems(element, sheet) : []),
  ];
}

function attributeProblems(element: FinancingButton): string[] {
  const { apiKey, amount, cartUrl, items, customTotal, show } = element;
  return [
    !apiKey && 'Set api-key to the public key of your key pair. Nothing is requested without it.',
    !toCents(amount) &&
      !element.hasAttribute('amount-from') &&
      `Set amount to an integer in cents, 129900 for $1,299.00. It is ${JSON.stringify(amount ?? null)}.`,
    !cartUrl &&
      !items &&
      !customTotal &&
      show !== 'estimate' &&
      'Set cart-url or items to show a button, or show="estimate" to hide it.',
  ].filter(isProblem);
}

function pageProblems(element: FinancingButton): string[] {
  const isReserved = getComputedStyle(element).getPropertyValue('--financing-reserve');
  const scripts = [...document.scripts].filter(({ src }) => /\/financing-button(\.iife)?\.js/.test(src));
  const reserveUrl = new URL('reserve.css', scriptUrl).href;
  return [
    !isReserved &&
      `Put <link rel="stylesheet" href="${reserveUrl}"> into the <head>: without it, the layout shifts when the script loads.`,
    scripts.length > 1 && `The script is included ${scripts.length} times. Only the first one is used: ${scripts[0]!.src}`,
  ].filter(isProblem);
}

function headerProblems(element: FinancingButton, base: string, headers: Headers | undefined): string[] {
  const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy" i]')];
  const policies = [...(headers?.get('content-security-policy')?.split(',') ?? []), ...metas.map(({ content }) => content)];
  const needs = {
    service: new URL(base).origin,
    script: new URL(scriptUrl).origin,
    page: location.origin,
    isFramed: element.mode === 'modal',
  };
  const openerPolicy = headers?.get('cross-origin-opener-policy') ?? '';
  const isOpenerCut = openerPolicy.startsWith('same-origin') && !openerPolicy.startsWith('same-origin-allow-popups');
  return [
    ...policies.flatMap((policy) => policyProblems(policy, needs)),
    ...(element.mode === 'popup' && isOpenerCut
      ? [
          'Set Cross-Origin-Opener-Policy to same-origin-allow-popups. With same-origin, the checkout window cannot report to this page.',
        ]
      : []),
  ];
}

/** Checks that the page shows the same price, and that the amount can be financed. */
function amountProblems(element: FinancingButton, { currency, amount: limits }: RateSheet): string[] {
  const cents = toCents(element.amount);
  const locale = localeOf(document.documentElement.lang);
  const money = (minorUnits: number): string => formatMinorUnits(minorUnits, currency, 'en-US');
  const prices = cents ? visiblePrices(element, locale, currency) : [];
  const isShown = !prices.length || prices.some(({ amount }) => amount === cents);
  return [
    !isShown && `The amount is ${money(cents)}, but the page shows ${prices.map(({ text }) => text).join(', ')} near the button.`,
    element.quote?.monthly === 0 &&
      `${money(cents)} cannot be financed. The program allows ${money(limits.minCents)} to ${money(limits.maxCents)}; its offers may allow less.`,
  ].filter(isProblem);
}

/** Returns the headers of this page, or undefined if it cannot be requested again. */
async function pageHeaders(): Promise<Headers | undefined> {
  const response = await fetch(location.href, { method: 'HEAD', signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  return response?.headers;
}

interface Connection {
  programs?: ProgramDocument;
  problems: string[];
}

/** Requests the programs as the element does, from the browser's cache if possible, and determines why that fails. */
async function loadPrograms(base: string, apiKey: string): Promise<Connection> {
  const url = `${base}/storefront/programs?key=${encodeURIComponent(apiKey)}`;
  const request = (mode: RequestMode): Promise<Response | undefined> =>
    fetch(url, { mode, credentials: 'omit', signal: AbortSignal.timeout(10_000) }).catch(() => undefined);

  const response = await request('cors');
  if (response?.ok) {
    const programs: ProgramDocument | undefined = await response.json().catch(() => undefined);
    return programs?.programs
      ? { programs, problems: [] }
      : { problems: [`${base} responds, but not with financing programs. Check the URL of the service.`] };
  }
  if (response) {
    const { description }: { description?: string } = await response.json().catch(() => ({}));
    return { problems: [`The service responds ${response.status}: ${description ?? 'no description'}`] };
  }
  // An opaque response shows that the service is reachable although the page cannot read it.
  const isReachable = await request('no-cors');
  return {
    problems: [
      isReachable
        ? `The service does not allow ${location.origin} to read its programs. Register this origin for your merchant, and check the API key.`
        : `There is no response from ${base}. Check the URL, that the service is running, and the Content-Security-Policy of this page.`,
    ],
  };
}

/** Returns the prices that are shown near an element, in minor units of the currency, with their texts. */
function visiblePrices(element: Element, locale: string, currency: RateSheet['currency']): { amount: number; text: string }[] {
  let box = element.parentElement;
  for (let depth = 0; box && depth < MAX_ANCESTORS; depth++, box = box.parentElement) {
    const prices = [...visibleTexts(box, element)]
      // A number without a currency could be a year or a quantity.
      .filter((text) => /\p{Sc}|\b[A-Z]{3}\b/u.test(text) && /\d/.test(text))
      .map((text) => ({ text, amount: parsePrice(text, locale, currency) }));
    if (prices.length) return prices;
  }
  return [];
}

function* visibleTexts(box: Element, excluded: Element): Generator<string> {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const text = node.textContent!.trim();
    if (text && text.length < 40 && !excluded.contains(node) && node.parentElement?.checkVisibility()) yield text;
  }
}

const isProblem = (problem: string | false): problem is string => !!problem;
