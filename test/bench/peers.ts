/** Comparable widgets from npm, downloaded as published, with stubs for their vendors' servers. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A package could not be downloaded. */
export class Unavailable extends Error {}

/**
 * @typedef {object} Peer
 * @property {string} name
 * @property {string} head markup for the head of the page; `/entry.js` is the script that is served late
 * @property {(amountCents: number) => string} tile markup of the widget for one product
 * @property {() => boolean} isDone run in the page; true when every tile shows its content
 * @property {(url: URL) => {type: string, body: string | Buffer, isCacheable?: boolean} | undefined} respond
 *   response to a request of the page; `isCacheable` lets the browser cache it
 * @property {string} stubbed the stubbed parts, for the printed report
 */

/**
 * @param {string} folder - Where packages are unpacked.
 * @param {string} origin - Replaces the origins of the vendors' servers.
 * @returns {Promise<Peer[]>}
 */
export async function fetchPeers(folder: string, origin: string) {
  return [await payPal(folder, origin), await googlePay(folder, origin)];
}

async function payPal(folder: string, origin: string) {
  const name = '@paypal/messaging-components@1.83.0';
  const root = await fetchPackage(
    folder,
    name,
    'sha512-SlCcnTFF5L/ueqtiuRmf6e09rTT8EGk1KLtmLS73sTg+tpJBNSvjXwadcR2LZje9P9+pcNSM/EIXGKwk8lZptg==',
  );
  const bundles = `${root}/dist/bizcomponents/js`;
  const library = (await readFile(`${bundles}/messaging.js`, 'utf8')).replaceAll('https://www.paypal.com', origin);
  const message = await readFile(`${bundles}/smart-credit-message.js`);
  const { renderMessage } = createRequire(import.meta.url)(`${bundles}/renderMessage.js`);
  // The scripts of a page and of its frames identify each other by this uid.
  const frame = ({ searchParams }: URL, scripts = '') => ({
    type: 'text/html',
    body: `<!doctype html><meta name="viewport" content="width=device-width, initial-scale=1"><body><script src="/entry.js" data-uid-auto="${searchParams.get('scriptUID')}"></script>${scripts}`,
  });
  const script = (body: string | Buffer) => ({ type: 'text/javascript', body, isCacheable: true });
  const responses: Record<string, (url: URL) => object> = {
    '/entry.js': () => script(library),
    '/message.js': () => script(message),
    '/credit-presentment/experiments/local': (url: URL) =>
      frame(url, '<script>xprops.onReady({ treatmentsHash: "none" })</script>'),
    '/credit-presentment/smart/modal': (url: URL) => frame(url),
    '/credit-presentment/smart/message': (url: URL) => {
      const { searchParams } = url;
      const props = JSON.stringify(messageOf(renderMessage, Number(searchParams.get('amount')), searchParams.get('style')));
      return frame(
        url,
        `<script src="/message.js"></script><script>crc.setupMessage(${props.replaceAll('<', '\\u003c')})</script>`,
      );
    },
    '/credit-presentment/glog': () => ({ type: 'application/json', body: '{}' }),
  };
  return {
    name,
    head: `<script async src="${origin}/entry.js" data-pp-account="client-id:bench"></script>`,
    tile: (amountCents: number) =>
      `<div data-pp-message data-pp-amount="${amountCents / 100}" data-pp-style-layout="text"></div>`,
    isDone: () =>
      [...document.querySelectorAll('[data-pp-message]')].every((tile) => (tile.querySelector('iframe')?.clientHeight ?? 0) > 0),
    respond: (url: URL) => responses[url.pathname]?.(url),
    stubbed: "PayPal's responses: messages rendered by the package's own server renderer; no experiments, an empty modal, no log",
  };
}

/** Returns the content of a message's frame, rendered by the package's own server renderer. */
function messageOf(
  { render, validateStyle, getParentStyles }: { render: any; validateStyle: any; getParentStyles: any },
  amount: number,
  style: any,
) {
  const meta = { offerCountry: 'US', offerType: 'PLLT_SQ_GZ', messageType: 'PLLT_SQ_GZ' };
  const warnings: any[] = [];
  const warn = (warning: any) => warnings.push(warning);
  const valid = validateStyle(warn, JSON.parse(style), meta.offerCountry, meta.offerType);
  const texts = {
    meta,
    headline: [
      [`As low as $${(amount / 24).toFixed(2)}/mo.`, ['default', 'medium']],
      ['Pay over time.', ['xsmall']],
    ],
    subHeadline: [['', ['default']]],
    disclaimer: [['Learn more', ['default']]],
  };
  const trackingDetails = { clickUrl: '', impressionUrl: '', payload: {} };
  return {
    markup: render({ style: valid, amount }, texts, warn),
    parentStyles: getParentStyles(valid),
    warnings,
    meta: { ...meta, messageRequestId: 'bench', trackingDetails },
  };
}

async function googlePay(folder: string, origin: string) {
  const name = '@google-pay/button-element@4.1.0';
  const root = await fetchPackage(
    folder,
    name,
    'sha512-e2iBjSUV4cWXITeNpM95pjbSOewDcTG+Gp2UqJ31830UFze+rY1cVY90h7dlBdcvosewnB/DeK4Sriyxgyf8Vw==',
  );
  const element = (await readFile(`${root}/dist/index.umd.min.js`, 'utf8')).replaceAll('https://pay.google.com', origin);
  const stub = `google = { payments: { api: { PaymentsClient: class {
    createButton() { const button = document.createElement('button'); button.style.cssText = 'width:240px;height:40px'; button.textContent = 'Pay'; return button; }
    async isReadyToPay() { return { result: true }; }
    prefetchPaymentData() {}
  } } } }`;
  const scripts: Record<string, string> = { '/entry.js': element, '/gp/p/js/pay.js': stub };
  return {
    name,
    head: `<script async src="${origin}/entry.js"></script>`,
    tile: (amountCents: number) => {
      const request = {
        apiVersion: 2,
        apiVersionMinor: 0,
        allowedPaymentMethods: [{ type: 'CARD' }],
        merchantInfo: { merchantName: 'Shop' },
        transactionInfo: { totalPrice: (amountCents / 100).toFixed(2), totalPriceStatus: 'FINAL', currencyCode: 'USD' },
      };
      return `<google-pay-button environment="TEST"></google-pay-button><script>document.currentScript.previousElementSibling.paymentRequest = ${JSON.stringify(request)}</script>`;
    },
    isDone: () =>
      [...document.querySelectorAll('google-pay-button')].every((tile) => (tile.querySelector('button')?.clientHeight ?? 0) > 0),
    respond: ({ pathname }: { pathname: string }) =>
      scripts[pathname] && { type: 'text/javascript', body: scripts[pathname], isCacheable: true },
    stubbed:
      "Google's pay.js (not on npm), which renders the button and sends requests to Google: here a plain button. Shows no estimate",
  };
}

/** Downloads, verifies and unpacks a package. @returns {Promise<string>} its folder */
async function fetchPackage(folder: string, name: string, integrity: any) {
  const target = join(folder, name.replaceAll('/', '-'));
  await mkdir(target);
  let packed;
  try {
    const { stdout } = await run('npm', ['pack', name, '--json', '--pack-destination', target], {
      cwd: target,
      timeout: 120_000,
      shell: process.platform === 'win32',
    });
    [packed] = JSON.parse(stdout);
  } catch (error: any) {
    const [, reason = error.code] = /npm error code (\w+)/.exec(error.stderr ?? '') ?? [];
    throw new Unavailable(`${name} could not be downloaded from npm's registry (${reason})`, { cause: error });
  }
  const file = join(target, packed.filename.replace(/^@/, '').replaceAll('/', '-'));
  const received = `sha512-${createHash('sha512')
    .update(await readFile(file))
    .digest('base64')}`;
  if (received !== integrity) throw new Error(`Integrity of ${name}: expected ${integrity}, received ${received}`);
  await run('tar', ['-xzf', file, '-C', target]);
  return join(target, 'package');
}
