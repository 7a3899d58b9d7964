import { html } from '@lit-labs/ssr';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Html } from '../../http/html.ts';
import { errorUrlOf, type Session } from '../session.ts';
import type { Texts } from '../texts/texts.ts';

/** The way back to a shop where financing has come to nothing. */
export function payAnotherWay(session: Session, t: Texts): Html {
  return onward(errorUrlOf(session), fill(t.onward.payAnotherWay, { merchant: session.merchant.name }));
}

/** The way on to a shop. */
export function returnTo({ merchant }: Session, url: string, t: Texts): Html {
  return onward(url, fill(t.onward.return, { merchant: merchant.name }));
}

function onward(url: string, label: string): Html {
  return html`<p class="actions"><a class="button" href="${url}">${label}</a></p>`;
}
