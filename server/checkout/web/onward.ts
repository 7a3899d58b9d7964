import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Html } from '../../http/html.ts';
import { errorUrlOf } from './redirects.ts';
import type { Session } from '../session/session.ts';
import { leavingMessage, type ShopMessage } from './notify-opener.ts';
import type { View } from './view.ts';

/** The way back to a shop where financing has come to nothing. */
export function payAnotherWay(session: Session, view: View): Html {
  return leaveFor(session, view, view.t.onward.payAnotherWay);
}

/** The way back from a checkout that is over. */
export function returnAfterFailure(session: Session, view: View): Html {
  return leaveFor(session, view, view.t.onward.return);
}

function leaveFor(session: Session, view: View, label: string): Html {
  return onward(errorUrlOf(session), fill(label, { merchant: session.merchant.name }), view, leavingMessage(session));
}

/** The way on to a shop. */
export function returnTo({ merchant }: Session, url: string, view: View): Html {
  return onward(url, fill(view.t.onward.return, { merchant: merchant.name }), view);
}

/**
 * A link out of the checkout: out of the frame, where it is in one; a window that the shop opened may be closed instead.
 *
 * @param message - Sent to the shop's page before the window closes.
 */
function onward(url: string, label: string, { way: { display } }: View, message?: ShopMessage): Html {
  const isPopup = display === 'popup';
  const json = isPopup && message ? JSON.stringify(message) : nothing;
  return html`<p class="actions">
    <a class="button" href="${url}" target="${display === 'frame' ? '_top' : nothing}" data-closes="${isPopup ? '' : nothing}" data-message="${json}"
      >${label}</a
    >
  </p>`;
}
