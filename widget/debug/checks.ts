import type { RateSheet } from '../../shared/programs/rate-sheet.ts';
import { formatMinorUnits } from '../../shared/money.ts';
import { toCents } from '../attributes.ts';
import type { FinancingButton } from '../financing-button.ts';
import { localeOf } from '../locale.ts';
import { serviceUrl } from '../programs.ts';
import { script } from '../script.ts';
import { connect } from './connection.ts';
import type { Finding } from './finding.ts';
import { policyFindings } from './policy.ts';
import { visiblePrices } from './visible-price.ts';

/** Everything there is to say about an element on its page. The page is asked for once more, to read its headers. */
export async function findingsOf(element: FinancingButton): Promise<Finding[]> {
  const base = serviceUrl(element.service);
  const [headers, connection] = await Promise.all([
    pageHeaders(),
    base && element.apiKey ? connect(base, element.apiKey) : undefined,
  ]);
  const { programs, findings: connectionFindings = [] } = connection ?? {};
  const sheet = programs?.programs.find(({ id }) => id === (element.program || programs.defaultProgramId));
  return [
    ...settings(element),
    ...(base ? [] : [finding('service-unreachable', `Set service to an http or https address. It is ${element.service}.`)]),
    ...pageFindings(element),
    ...connectionFindings,
    ...(programs && !sheet ? [finding('programs', `There is no program ${element.program}.`)] : []),
    ...(base ? policies(element, base, headers) : []),
    ...(sheet ? price(element, sheet) : []),
  ];
}

/** What the page says to the element. */
function settings(element: FinancingButton): Finding[] {
  const { apiKey, amount, cartUrl, items, customTotal, show } = element;
  const isFollowing = element.hasAttribute('amount-from');
  return [
    !apiKey && finding('api-key', 'Set api-key to the API key of your key pair: without it, nothing is fetched.'),
    !toCents(amount) &&
      !isFollowing &&
      finding('amount', `Set amount to whole cents, 129900 for $1,299.00. It is ${JSON.stringify(amount ?? null)}.`),
    !cartUrl &&
      !items &&
      !customTotal &&
      show !== 'estimate' &&
      finding('checkout', 'Set cart-url, or items: without them there is no button. Or set show="estimate".'),
  ].filter(isFinding);
}

/** What is missing around the element. */
function pageFindings(element: FinancingButton): Finding[] {
  const isReserved = getComputedStyle(element).getPropertyValue('--financing-reserve');
  const scripts = [...document.scripts].filter(({ src }) => /\/financing-button(\.iife)?\.js/.test(src));
  const reserveUrl = new URL('reserve.css', script).href;
  return [
    !isReserved &&
      finding(
        'reservation',
        `Put <link rel="stylesheet" href="${reserveUrl}"> into the <head>: without it, the page moves when the script arrives.`,
      ),
    scripts.length > 1 &&
      finding('script-twice', `The script is there ${scripts.length} times. The first counts: ${scripts[0]!.src}`),
  ].filter(isFinding);
}

function policies(element: FinancingButton, base: string, headers: Headers | undefined): Finding[] {
  const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy" i]')];
  const written = [...(headers?.get('content-security-policy')?.split(',') ?? []), ...metas.map(({ content }) => content)];
  const needs = {
    service: new URL(base).origin,
    script: new URL(script).origin,
    page: location.origin,
    isFramed: element.mode === 'modal',
  };
  return [
    ...written.flatMap((policy) => policyFindings(policy, needs)),
    ...(element.mode === 'popup' &&
    headers?.get('cross-origin-opener-policy')?.startsWith('same-origin') === true &&
    !headers.get('cross-origin-opener-policy')?.startsWith('same-origin-allow-popups')
      ? [
          finding(
            'popup-policy',
            'Set Cross-Origin-Opener-Policy to same-origin-allow-popups: with same-origin, this page hears nothing of the window.',
          ),
        ]
      : []),
  ];
}

/** Whether buyers see two prices, and whether the amount can be financed. */
function price(element: FinancingButton, { currency, amount: limits }: RateSheet): Finding[] {
  const cents = toCents(element.amount);
  const locale = localeOf(document.documentElement.lang);
  const money = (minorUnits: number): string => formatMinorUnits(minorUnits, currency, 'en-US');
  const seen = cents ? visiblePrices(element, locale, currency) : [];
  const isSeen = !seen.length || seen.some(({ amount }) => amount === cents);
  return [
    !isSeen &&
      finding(
        'visible-price',
        `The amount is ${money(cents)}, but near the button the page says ${seen.map(({ written }) => written).join(', ')}.`,
      ),
    element.quote?.monthly === 0 &&
      finding(
        'unavailable',
        `${money(cents)} cannot be financed: the program is for ${money(limits.minCents)} to ${money(limits.maxCents)}, less where its offers say so.`,
      ),
  ].filter(isFinding);
}

/** Those of the page this stands on; undefined where it cannot be asked for again. */
async function pageHeaders(): Promise<Headers | undefined> {
  const answer = await fetch(location.href, { method: 'HEAD', signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  return answer?.headers;
}

const finding = (code: Finding['code'], says: string): Finding => ({ code, says });
const isFinding = (claimed: Finding | false): claimed is Finding => !!claimed;
