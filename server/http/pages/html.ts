import { type html, renderThunked } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import { gzipSync } from 'node:zlib';
import type { Context } from '../context.ts';

/** A server-only template. Escapes every value for its position. */
export type Html = ReturnType<typeof html>;

/** Renders a template to text. */
export function renderHtml(page: Html): string {
  // Removes lit's markers. Values cannot contain one, because they are escaped.
  return collectResultSync(renderThunked(page)).replaceAll('<?>', '').trim();
}

/** Returns text as HTML, for what is no template. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Saves nearly as much as the default level for a third of its time. */
const GZIP_LEVEL = 4;

/**
 * Responds with a dynamic page, compressed if the browser supports it. Set the type of the response first.
 *
 * An attack on compressed secrets (BREACH) does not apply: the attacker would have to know the page's URL, which is the secret.
 */
export function sendCompressed(ctx: Context, page: string): void {
  ctx.vary('accept-encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    ctx.body = page;
    return;
  }
  ctx.body = gzipSync(page, { level: GZIP_LEVEL });
  ctx.set('content-encoding', 'gzip');
}

/** Redirects with 303, so that the browser opens the address with GET. */
export function seeOther(ctx: Context, address: string): void {
  ctx.status = 303;
  ctx.set('location', address);
  ctx.body = '';
}

/** Device features that browsers grant pages. */
const FEATURES = [
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
];

/** Returns the value of `permissions-policy` that denies a page all device features. @param allowed - Exceptions. */
export function deniedFeatures(...allowed: readonly string[]): string {
  return FEATURES.filter((feature) => !allowed.includes(feature))
    .map((feature) => `${feature}=()`)
    .join(', ');
}
