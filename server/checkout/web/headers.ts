import { withLocalOrigins } from '../../merchants/merchants.ts';
import type { Mode } from '../../base/mode.ts';
import { deniedFeatures } from '../../http/pages/html.ts';
import { completeUrlOf, errorUrlOf } from '../session/redirects.ts';
import type { Session } from '../session/session.ts';
import { canSign } from '../session/state.ts';
import { originInPolicy, shownItems } from './order-summary.ts';

/** The displays of pages: in their own tab, in a frame of the merchant's page, or in a popup that it opened. */
const DISPLAYS = ['page', 'frame', 'popup'] as const;
export type Display = (typeof DISPLAYS)[number];

/**
 * Returns how a request is displayed. The browser's header has precedence over the address, which a buyer may have copied.
 *
 * @param requested - Parameter `display` of the URL: unknown input.
 * @param destination - `Sec-Fetch-Dest`. Old browsers do not send it.
 */
export function displayOf(requested: unknown, destination: string | undefined): Display {
  if (destination !== undefined && FRAMES.has(destination)) return 'frame';
  if (requested === 'popup') return 'popup';
  return requested === 'frame' && destination !== 'document' ? 'frame' : 'page';
}

const FRAMES = new Set(['iframe', 'frame', 'embed', 'object']);

/** Returns the headers of every response to a buyer: no referrer, no device features. */
export function privateHeaders(display: Display): Record<string, string> {
  return {
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    // A popup needs its opener to post messages to it.
    'cross-origin-opener-policy': display === 'popup' ? 'unsafe-none' : 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': deniedFeatures(),
  };
}

/**
 * Returns the headers that restrict what a page loads, where it can be framed and where its forms redirect.
 *
 * @param session - The checkout it shows. A page without one has no script and cannot be framed.
 * @param redirectsOffSite - Whether a form redirects to a page of another service, on any https origin.
 */
export function policyHeaders(
  session: Session | undefined,
  display: Display,
  mode: Mode,
  redirectsOffSite = false,
): Record<string, string> {
  const framers = session ? framersOf(session, mode) : [];
  const images = session ? shownItems(session.purchase.options).imageOrigins : [];
  const policy = [
    "default-src 'none'",
    ...(session ? ["script-src 'self'"] : []),
    // The client script polls while the lender decides.
    ...(session?.state === 'waiting' ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    ['img-src', 'data:', ...(session?.merchant.logo ? ["'self'"] : []), ...images].join(' '),
    ['form-action', "'self'", ...(redirectsOffSite ? ['https:'] : session ? formTargets(session, display) : [])].join(' '),
    ['frame-ancestors', ...(framers.length > 0 ? framers : ["'none'"])].join(' '),
    "base-uri 'none'",
  ].join('; ');
  return { 'content-security-policy': policy, ...(framers.length === 0 && { 'x-frame-options': 'DENY' }) };
}

/**
 * Returns the sources of `form-action` outside this service. Browsers check every redirect of a form: any form may redirect to the shop's
 * `errorUrl`, and the signature, also a late response of the lender to it, to its `completeUrl`, from where shops redirect further. In a
 * frame or a popup no form redirects outside.
 */
function formTargets(session: Session, display: Display): string[] {
  if (display !== 'page') return [];
  const addresses = [errorUrlOf(session), ...(canSign(session) || session.state === 'waiting' ? [completeUrlOf(session)] : [])];
  return ['https:', ...new Set(addresses.flatMap((address) => originInPolicy(address) ?? []))];
}

/** A content security policy cannot contain IPv6 addresses. */
function framersOf({ merchant }: Session, mode: Mode): string[] {
  return withLocalOrigins(merchant.origins, mode).filter((origin) => !origin.includes('['));
}
