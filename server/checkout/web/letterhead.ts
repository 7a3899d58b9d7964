import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { buyerOf } from '../../applications/contact.ts';
import type { Html } from '../../http/html.ts';
import { phoneLink } from '../../notifications/phones.ts';
import type { Session } from '../session/session.ts';
import type { Texts } from '../../texts.ts';
import { fill } from '../../../shared/languages/texts.ts';

/** The lender, with its logo, at the top of a page. */
export function letterhead(t: Texts, { program: { lender } }: Session): Html {
  const { name, logo } = lender;
  return html`<p class="attribution">
    ${logo ? html`<img src="${logo}" alt="" height="28" />` : nothing}<span dir="auto">${fill(t.layout.byLender, { lender: name })}</span>
  </p>`;
}

/** Whom to call, the lender's license in the buyer's state, and its privacy notice, at the end of a page. */
export function lenderFooter(t: Texts, { program: { lender }, application }: Session): Html {
  const { name, phone, licenses, privacyNotice } = lender;
  const license = application ? licenses[buyerOf(application).state] : undefined;
  return html`${phone ? html`<p>${fill(t.layout.help, { lender: name })} ${phoneLink(phone)}</p>` : nothing}
  ${license ? html`<p>${name}, ${[license.type, license.number].filter(Boolean).join(' ')}</p>` : nothing}
  ${privacyNotice ? html`<p><a href="${privacyNotice.url}" target="_blank" rel="noopener noreferrer">${fill(t.layout.privacyNotice, { lender: name })}</a></p>` : nothing}`;
}
