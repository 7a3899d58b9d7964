import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Html } from '../../http/html.ts';
import { errorUrlOf } from '../redirects.ts';
import type { Session } from '../session.ts';
import type { View } from './view.ts';

/** The way back to a shop where financing has come to nothing. */
export function payAnotherWay(session: Session, view: View): Html {
  return onward(errorUrlOf(session), fill(view.t.onward.payAnotherWay, { merchant: session.merchant.name }), view);
}

/** The way on to a shop. */
export function returnTo({ merchant }: Session, url: string, view: View): Html {
  return onward(url, fill(view.t.onward.return, { merchant: merchant.name }), view);
}

/** A link out of the checkout: out of the frame, where it is in one; a window that the shop opened may be closed instead. */
function onward(url: string, label: string, { way: { display } }: View): Html {
  return html`<p class="actions">
    <a class="button" href="${url}" target="${display === 'frame' ? '_top' : nothing}" data-closes="${display === 'popup' ? '' : nothing}"
      >${label}</a
    >
  </p>`;
}
