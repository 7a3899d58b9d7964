import { formatMinorUnits } from '../../shared/money.ts';
import type { ProgramDocument, RateSheet } from '../../shared/programs/rate-sheet.ts';
import { scriptUrl, serviceUrl, toCents } from '../attributes.ts';
import type { FinancingButton } from '../financing-button.ts';
import { localeOf, parsePrice } from '../price.ts';
import { policyProblems } from './policy.ts';

/** Ancestors of the element that are searched for its price: the box of a product, not the whole page. */
const MAX_ANCESTORS = 4;

/** Returns the problems of an element on its page. Requests the page once more, to read its headers. */
export async function findProblems(element: FinancingButton): Promise<string[]> {
  const base = serviceUrl(element.service);
  const [headers, connection] = await Promise.all([
    pageHeaders(),
    base && element.apiKey ? loadPrograms(base, element.apiKey) : undefined,
  ]);
  const { programs, problems = [] } = connection ?? {};
  const sheet = programs?.programs.find(({ id }) => id === (element.program || programs.defaultProgramId));
  return [
    ...attributeProblems(element),
    ...(base ? [] : [`Set service to an http or https address. It is ${element.service}.`]),
    ...pageProblems(element),
    ...problems,
    ...(programs && !sheet ? [`There is no program ${element.program}.`] : []),
    ...(base ? headerProblems(element, base, headers) : []),
    ...(sheet ? amountProblems(element, sheet) : []),
  ];
}

function attributeProblems(element: FinancingButton): string[] {
  const { apiKey, amount, cartUrl, items, customTotal, show } = element;
  return [
    !apiKey && 'Set api-key to the API key of your key pair: without it, nothing is fetched.',
    !toCents(amount) &&
      !element.hasAttribute('amount-from') &&
      `Set amount to whole cents, 129900 for $1,299.00. It is ${JSON.stringify(amount ?? null)}.`,
    !cartUrl &&
      !items &&
      !customTotal &&
      show !== 'estimate' &&
      'Set cart-url, or items: without them there is no button. Or set show="estimate".',
  ].filter(isProblem);
}

function pageProblems(element: FinancingButton): string[] {
  const isReserved = getComputedStyle(element).getPropertyValue('--financing-reserve');
  const scripts = [...document.scripts].filter(({ src }) => /\/financing-button(\.iife)?\.js/.test(src));
  const reserveUrl = new URL('reserve.css', scriptUrl).href;
  return [
    !isReserved &&
      `Put <link rel="stylesheet" href="${reserveUrl}"> into the <head>: without it, the page moves when the script arrives.`,
    scripts.length > 1 && `The script is there ${scripts.length} times. The first counts: ${scripts[0]!.src}`,
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
          'Set Cross-Origin-Opener-Policy to same-origin-allow-popups: with same-origin, this page gets no messages of the window.',
        ]
      : []),
  ];
}

/** Whether buyers see two prices, and whether the amount can be financed. */
function amountProblems(element: FinancingButton, { currency, amount: limits }: RateSheet): string[] {
  const cents = toCents(element.amount);
  const locale = localeOf(document.documentElement.lang);
  const money = (minorUnits: number): string => formatMinorUnits(minorUnits, currency, 'en-US');
  const prices = cents ? visiblePrices(element, locale, currency) : [];
  const isShown = !prices.length || prices.some(({ amount }) => amount === cents);
  return [
    !isShown && `The amount is ${money(cents)}, but near the button the page says ${prices.map(({ text }) => text).join(', ')}.`,
    element.quote?.monthly === 0 &&
      `${money(cents)} cannot be financed: the program is for ${money(limits.minCents)} to ${money(limits.maxCents)}, less where its offers say so.`,
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

/** Requests the programs as the element does, from the browser's cache if possible, and finds out why that fails. */
async function loadPrograms(base: string, apiKey: string): Promise<Connection> {
  const url = `${base}/storefront/programs?key=${encodeURIComponent(apiKey)}`;
  const request = (mode: RequestMode): Promise<Response | undefined> =>
    fetch(url, { mode, credentials: 'omit', signal: AbortSignal.timeout(10_000) }).catch(() => undefined);

  const response = await request('cors');
  if (response?.ok) {
    const programs: ProgramDocument | undefined = await response.json().catch(() => undefined);
    return programs?.programs
      ? { programs, problems: [] }
      : { problems: [`${base} answers, but not with financing programs. Is it the address of the service?`] };
  }
  if (response) {
    const { description }: { description?: string } = await response.json().catch(() => ({}));
    return { problems: [`The service answers ${response.status}: ${description ?? 'no reason given'}`] };
  }
  // A page that may not read a response can still detect that there is one.
  const isReachable = await request('no-cors');
  return {
    problems: [
      isReachable
        ? `The service does not let ${location.origin} read its programs: register this origin with your merchant, and check that the API key is one of the service's.`
        : `Nothing answers at ${base}. Is the address right, the service running, and the policy of this page open to it?`,
    ],
  };
}

/** The prices shown near an element, in minor units of the currency, each with its text. */
function visiblePrices(element: Element, locale: string, currency: RateSheet['currency']): { amount: number; text: string }[] {
  let box = element.parentElement;
  for (let depth = 0; box && depth < MAX_ANCESTORS; depth++, box = box.parentElement) {
    const prices = [...visibleTexts(box, element)]
      // Without a currency it could be anything: a year, a number of pieces.
      .filter((text) => /\p{Sc}|\b[A-Z]{3}\b/u.test(text) && /\d/.test(text))
      .map((text) => ({ text, amount: parsePrice(text, locale, currency) }));
    if (prices.length) return prices;
  }
  return [];
}

function* visibleTexts(box: Element, except: Element): Generator<string> {
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const text = node.textContent!.trim();
    if (text && text.length < 40 && !except.contains(node) && node.parentElement?.checkVisibility()) yield text;
  }
}

const isProblem = (claimed: string | false): claimed is string => !!claimed;
