import { withLocalOrigins } from '../../merchants/origins.ts';
import type { Mode } from '../../mode.ts';
import type { Display } from './display.ts';
import { completeUrlOf, errorUrlOf } from './redirects.ts';
import type { Session } from '../session/session.ts';
import { originInPolicy, shownItems } from './shown-items.ts';

/** What a browser may do with any answer to a buyer: keep nothing, tell nobody, and use none of the device's abilities. */
export function privateHeaders(display: Display): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    // A window that was opened with `display=popup` must see who opened it, to say how it ended.
    'cross-origin-opener-policy': display === 'popup' ? 'unsafe-none' : 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
  };
}

/** The abilities that browsers know and grant pages unasked, or for the asking. */
const PERMISSIONS = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'xr-spatial-tracking',
]
  .map((ability) => `${ability}=()`)
  .join(', ');

/**
 * What a page may load, where it may be framed and where its forms may lead.
 *
 * @param session  - The checkout it shows; without one, it has no script and nobody frames it.
 * @param leadsOut - Whether a form of it leads to a page of another service, wherever that is.
 */
export function policyHeaders(
  session: Session | undefined,
  display: Display,
  mode: Mode,
  leadsOut = false,
): Record<string, string> {
  const framers = session ? framersOf(session, mode) : [];
  const images = session ? shownItems(session.purchase.options).imageOrigins : [];
  const policy = [
    "default-src 'none'",
    ...(session ? ["script-src 'self'"] : []),
    // Where the script asks whether the lender has answered.
    ...(session?.reached === 'waiting' ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    ['img-src', 'data:', ...images].join(' '),
    ['form-action', "'self'", ...(leadsOut ? ['https:'] : session ? beyond(session, display) : [])].join(' '),
    ['frame-ancestors', ...(framers.length > 0 ? framers : ["'none'"])].join(' '),
    "base-uri 'none'",
  ].join('; ');
  return { 'content-security-policy': policy, ...(framers.length === 0 && { 'x-frame-options': 'DENY' }) };
}

/**
 * Where the forms of a page lead outside. Browsers hold every hop of the way a form leads against `form-action`: any form may lead to the
 * shop's `errorUrl`, and signing to its `completeUrl`. Their origins are named, and https in general, since shops redirect further. In a
 * frame or a window no form leads outside.
 */
function beyond(session: Session, display: Display): string[] {
  if (display !== 'page') return [];
  const addresses = [errorUrlOf(session), ...(session.reached === 'agreement' ? [completeUrlOf(session)] : [])];
  return ['https:', ...new Set(addresses.flatMap((address) => originInPolicy(address) ?? []))];
}

/** A policy has no way to name an IPv6 address. */
function framersOf({ merchant }: Session, mode: Mode): string[] {
  return withLocalOrigins(merchant.origins, mode).filter((origin) => !origin.includes('['));
}
