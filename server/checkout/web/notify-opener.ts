import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/languages/texts.ts';
import type { Html } from '../../http/html.ts';
import { errorUrlOf } from '../session/redirects.ts';
import type { Session } from '../session/session.ts';
import { endsWithPage, hasFailed } from '../session/state.ts';
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
function leavingMessage(session: Session): OpenerMessage {
  const { orderRef = '' } = session.purchase.options;
  return { source: 'fairterm', type: 'not-completed', orderRef, errorUrl: errorUrlOf(session) };
}

/** The link back to the shop when the purchase is not financed. */
export function payAnotherWay(session: Session, view: View): Html {
  return failureLink(session, view, view.t.shopLinks.payAnotherWay);
}

/** The link back from a checkout that has ended. */
export function returnAfterFailure(session: Session, view: View): Html {
  return failureLink(session, view, view.t.shopLinks.return);
}

function failureLink(session: Session, view: View, label: string): Html {
  return externalLink(errorUrlOf(session), fill(label, { merchant: session.merchant.name }), view, leavingMessage(session));
}

/** A link to the shop. */
export function returnTo({ merchant }: Session, url: string, view: View): Html {
  return externalLink(url, fill(view.t.shopLinks.return, { merchant: merchant.name }), view);
}

/**
 * A link out of the checkout. It leaves the frame; a popup is closed instead by the client script.
 *
 * @param message - Sent to the shop's page before the popup closes.
 */
function externalLink(url: string, label: string, { urls: { display } }: View, message?: OpenerMessage): Html {
  const isPopup = display === 'popup';
  const json = isPopup && message ? JSON.stringify(message) : nothing;
  return html`<p class="actions">
    <a class="button" href="${url}" target="${display === 'frame' ? '_top' : nothing}" data-closes="${isPopup ? '' : nothing}" data-message="${json}"
      >${label}</a
    >
  </p>`;
}
