import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Html } from '../../http/html.ts';
import type { Outlet } from '../../notifications/outbox.ts';
import type { CompletedSession } from '../session/session.ts';
import { isIntact, type PaymentAgreement, signedAgreement } from '../signing/agreement.ts';
import { completed } from '../signing/complete.ts';
import { loanTerms } from '../signing/loan-terms.ts';
import type { Texts } from '../texts/index.ts';
import { returnTo } from '../web/notify-opener.ts';
import type { View } from '../web/way.ts';
import type { Outcome } from '../web/error-pages.ts';

export function alreadyCompleted(session: CompletedSession, outlet: Outlet, view: View): Outcome {
  const { t } = view;
  const { title, lead, part } = t.completed;
  const { application, program, parts } = session;
  const { cardCents } = parts;
  const rest = { rest: t.money(cardCents, program.currency), card: application.card_label };
  const { redirectUrl } = completed(session, session.transactionId);
  return {
    title,
    content: html`<p class="lead">${fill(lead, { merchant: session.merchant.name })} ${cardCents > 0 ? fill(part, rest) : nothing}</p>
      ${returnTo(session, redirectUrl, view)} ${copyOf(session, outlet, t)}`,
  };
}

/** Links to the signed agreement in a new tab, since it cannot be framed. The client script does not close a popup with an unsent copy. */
function copyOf(session: CompletedSession, outlet: Outlet, t: Texts): Html | typeof nothing {
  const agreement = signedAgreement(session.application);
  if (!agreement) return nothing;
  const { signedName, signedAt, documentHash } = agreement;
  // Agreements from before there were documents are shown on this page.
  const documentCode = documentHash && session.documentCode;
  const { copy, signed } = t.completed;
  const { open, keepNow, sent } = t.copy;
  const signedBy = fill(signed, { name: signedName, date: t.date(signedAt.slice(0, 10)) });
  return html`<section class="copy" aria-labelledby="copy-heading" data-unsent="${outlet === 'refused' ? '' : nothing}">
    <h2 id="copy-heading">${copy}</h2>
    ${
      !documentCode
        ? wholeCopy(agreement, signedBy, t)
        : html`<p>${signedBy} ${outlet === 'sent' ? sent : keepNow}</p>
            <p class="actions">
              <a class="button quiet" href="${`/a/${documentCode}`}" target="_blank" rel="noopener noreferrer">${open}</a>
            </p>`
    }
  </section>`;
}

/** The stored disclosure, if it is the signed one. */
function wholeCopy(agreement: PaymentAgreement, signedBy: string, t: Texts): Html {
  const { keep, notIntact } = t.completed;
  if (isIntact(agreement))
    return html`<p>${signedBy} ${keep}</p>
    ${loanTerms(agreement.disclosure, t)}`;
  return html`<p>${signedBy} ${fill(notIntact, { lender: agreement.disclosure.creditor.name })}</p>`;
}
