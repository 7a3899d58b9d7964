import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/languages/texts.ts';
import type { Html } from '../../http/pages/html.ts';
import { errorUrlOf } from '../session/redirects.ts';
import type { Session } from '../session/session.ts';
import { endsWithPage, hasFailed } from '../session/state.ts';
import type { Texts } from '../../base/texts.ts';
import type { Display } from './headers.ts';
import type { View } from './urls.ts';

/** Sent with `postMessage` to the shop's page that shows the checkout in a frame or a popup. A hint only: the shop's server reads the transaction from the merchant API. */
export type OpenerMessage =
  | { source: 'fairterm'; type: 'completed'; transactionId: string; orderRef: string }
  | { source: 'fairterm'; type: 'not-completed'; orderRef: string; errorUrl?: string };

/**
 * Returns the message that a page sends when it is shown, or undefined while the checkout continues.
 *
 * @param isFailure - Whether the page ends a checkout whose state does not show it, because the service failed.
 */
export function openerMessage(session: Session, isFailure = false): OpenerMessage | undefined {
  const { orderRef = '' } = session.purchase.options;
  if (session.state === 'completed') {
    return { source: 'fairterm', type: 'completed', transactionId: session.transactionId, orderRef };
  }
  if (hasFailed(session)) return leavingMessage(session);
  // Without errorUrl, because the buyer reads the page before they leave.
  return isFailure || endsWithPage(session) ? { source: 'fairterm', type: 'not-completed', orderRef } : undefined;
}

/** Message that the buyer leaves without a purchase: the shop's page goes to `errorUrl`. */
export function leavingMessage(session: Session): OpenerMessage {
  const { orderRef = '' } = session.purchase.options;
  return { source: 'fairterm', type: 'not-completed', orderRef, errorUrl: errorUrlOf(session) };
}

/** Seconds after which a page leads to the shop by itself. WCAG 2.2.1 requires at least 20 seconds to stop that. */
export const LEAVES_AFTER_SECONDS = 30;

/** A page that may lead to the shop by itself. */
export interface Departure {
  session?: Session | undefined;
  /** True for a failure after the buyer submitted a form: the page states the reason, and then leads to the shop. */
  isLeaving?: boolean | undefined;
}

/** Returns true for a page that leads to the shop by itself, because the buyer has not chosen to stay. */
export function leadsToShop<Page extends Departure>(
  page: Page,
  { isStaying }: Pick<View['urls'], 'isStaying'>,
): page is Page & { session: Session } {
  return page.session !== undefined && page.isLeaving === true && !isStaying;
}

/**
 * Returns the announcement of a page that leads to the shop by itself, with the links to go now or to stay.
 *
 * @param path - That of the page; the current step for a page that responds to a form.
 */
export function announcement(session: Session, path: string, view: View): Html {
  const { t, urls } = view;
  const { lead, now, stay } = t.leaving;
  const values = { merchant: session.merchant.name, seconds: String(LEAVES_AFTER_SECONDS) };
  const message = urls.display === 'page' ? undefined : leavingMessage(session);
  const go = anchor(errorUrlOf(session), now, urls.display, message);
  // Without its script, a page in a frame or a popup only has the links.
  return html`<p class="${urls.display === 'page' ? nothing : 'scripted'}">${fill(lead, values)}</p>
    <p class="actions">${go} <a href="${urls.staying().to(path)}">${stay}</a></p>`;
}

/** The link back to the shop when the purchase is not financed. */
export function payAnotherWay(session: Session, view: View): Html {
  return failureLink(session, view, 'payAnotherWay');
}

/** The link of a page that leads to the shop by itself, for a buyer who stays. */
export function linkOfStaying(session: Session, view: View, label: keyof Texts['shopLinks']): Html | typeof nothing {
  return view.urls.isStaying ? failureLink(session, view, label) : nothing;
}

/** The link back to the shop from a checkout without a purchase. */
export function failureLink(session: Session, view: View, label: keyof Texts['shopLinks']): Html {
  const { merchant } = session;
  return externalLink(
    errorUrlOf(session),
    fill(view.t.shopLinks[label], { merchant: merchant.name }),
    view,
    leavingMessage(session),
  );
}

/** A link to the shop. */
export function returnTo({ merchant }: Session, url: string, view: View): Html {
  return externalLink(url, fill(view.t.shopLinks.return, { merchant: merchant.name }), view);
}

/** A link out of the checkout, below the text. A popup closes instead of following it, and its message has the address for the shop's page. */
function externalLink(url: string, label: string, { urls: { display } }: View, message?: OpenerMessage): Html {
  return html`<p class="actions">${anchor(url, label, display, display === 'popup' ? message : undefined)}</p>`;
}

/**
 * A link that leaves the frame; a popup is closed instead by the client script.
 *
 * @param message - Sent to the shop's page by the client script, which follows the link only if the page does not react.
 */
function anchor(url: string, label: string, display: Display, message: OpenerMessage | undefined): Html {
  const target = display === 'frame' ? '_top' : nothing;
  const closes = display === 'popup' ? '' : nothing;
  const json = message ? JSON.stringify(message) : nothing;
  return html`<a class="button" href="${url}" target="${target}" data-closes="${closes}" data-message="${json}">${label}</a>`;
}
