import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Html } from '../../http/html.ts';
import { errorUrlOf } from '../redirects.ts';
import type { Session } from '../session.ts';
import { leavingWord, type WordToShop } from '../word-to-shop.ts';
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
  return onward(errorUrlOf(session), fill(label, { merchant: session.merchant.name }), view, leavingWord(session));
}

/** The way on to a shop. */
export function returnTo({ merchant }: Session, url: string, view: View): Html {
  return onward(url, fill(view.t.onward.return, { merchant: merchant.name }), view);
}

/**
 * A link out of the checkout: out of the frame, where it is in one; a window that the shop opened may be closed instead.
 *
 * @param word - What the shop's page is told before the window closes.
 */
function onward(url: string, label: string, { way: { display } }: View, word?: WordToShop): Html {
  const isPopup = display === 'popup';
  return html`<p class="actions">
    <a
      class="button"
      href="${url}"
      target="${display === 'frame' ? '_top' : nothing}"
      data-closes="${isPopup ? '' : nothing}"
      data-word="${isPopup && word ? JSON.stringify(word) : nothing}"
      >${label}</a
    >
  </p>`;
}
