import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { formatDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { financeableCents } from '../../../shared/plans.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';
import type { Html } from '../../http/html.ts';
import { statusCodes } from '../../applications/lifecycle.ts';
import { isIntact } from '../agreement.ts';
import { buyerOf } from '../../applications/contact.ts';
import { errorUrlOf, type Session, signedAgreement } from '../session.ts';
import { loanTerms } from './loan-terms.ts';

/** Pages beside the steps: nothing to fill in, one way on. */
export interface Outcome {
  title: string;
  content: Html;
}

export function declined(session: Session): Outcome {
  return {
    title: 'We cannot offer financing this time',
    content: html`<p class="lead">
        ${session.program.lender.name} did not approve this application. Nothing has been bought and nothing will be charged.
      </p>
      <p>
        You have the right to learn the lender's main reasons in writing, to a free copy of your credit report, and to dispute what is
        wrong in it. ${session.merchant.name} does not learn why.
      </p>
      ${onward(errorUrlOf(session), `Return to ${session.merchant.name} and pay another way`)}`,
  };
}

export function unavailable(session: Session): Outcome {
  const isOpen = session.reached === 'excluded';
  return {
    title: 'Financing is not available for this order',
    content: html`<p class="lead">${whyUnavailable(session)} Nothing has been bought, and no lender was asked.</p>
      ${isOpen ? html`<p><a href="${`/c/${session.cart.code}/details`}">Change your details</a></p>` : nothing}
      ${onward(errorUrlOf(session), `Return to ${session.merchant.name} and pay another way`)}`,
  };
}

/** Shown for an application that reached no lender. The next try may. */
export function noLender(session: Session): Outcome {
  return {
    title: 'Financing is not available right now',
    content: html`<p class="lead">
        We could not ask a lender about your application. It was not denied, nothing has been bought, and nothing will be charged.
      </p>
      <p><a href="${`/c/${session.cart.code}/apply`}">Try again later</a></p>
      ${onward(errorUrlOf(session), `Return to ${session.merchant.name} and pay another way`)}`,
  };
}

/** The lender was asked, and nobody knows what it said. */
export function waiting(session: Session): Outcome {
  const isSigned = session.application?.status === 'ATTEMPTED_CHECKOUT';
  return {
    title: isSigned ? 'We are finishing your purchase' : 'The lender is looking at your application',
    content: html`<p class="lead">
        ${
          isSigned
            ? `You have signed. ${session.program.lender.name} has not confirmed the agreement yet.`
            : `${session.program.lender.name} has not answered yet.`
        }
        You can wait here, or open this link again later.
      </p>
      <form method="post" action="${`/c/${session.cart.code}/check`}"><button type="submit">Check again</button></form>`,
  };
}

const NEEDED: Record<string, string> = {
  'unfreeze-credit-file': 'Your credit file is frozen. Please ask the credit bureau to lift the freeze, then apply again.',
  'confirm-identity': 'The lender could not confirm who you are. Please check what you entered, then apply again.',
  'correct-details': 'Some details do not match what the lender knows. Please check them, then apply again.',
};

/** The lender cannot decide before the buyer has done something. */
export function needsAction(session: Session): Outcome {
  const { status_code } = session.application!;
  const [action = ''] = Object.entries(statusCodes.NEEDS_ACTION).find(([, code]) => code === status_code) ?? [];
  return {
    title: 'We need something from you',
    content: html`<p class="lead">${NEEDED[action]}</p>
      <p class="actions">
        <a class="button" href="${`/c/${session.cart.code}/apply`}">Apply again</a>
        <a href="${`/c/${session.cart.code}/details`}">Change your details</a>
      </p>
      ${onward(errorUrlOf(session), `Return to ${session.merchant.name} and pay another way`)}`,
  };
}

/** Asks whether the buyer really wants to go. */
export function cancelling(session: Session): Outcome {
  return {
    title: 'Cancel your application?',
    content: html`<p class="lead">Nothing has been bought. You cannot take this application up again afterwards.</p>
      <form method="post"><button type="submit">Cancel my application</button></form>
      <p><a href="${`/c/${session.cart.code}`}">Go on with the checkout</a></p>`,
  };
}

export function cancelledByBuyer(session: Session): Outcome {
  return {
    title: 'You have cancelled your application',
    content: html`<p class="lead">Nothing has been bought and nothing will be charged.</p>
      ${onward(errorUrlOf(session), `Return to ${session.merchant.name}`)}`,
  };
}

function whyUnavailable({ application, program, sheet, pricedOn, totals }: Session): string {
  const total = formatMoney(totals.totalCents, program.currency);
  const state = application && US_STATES[buyerOf(application).state];
  if (state) return `${program.lender.name} offers no plan for an order of ${total} to residents of ${state}.`;
  const { minCents, maxCents } = financeableCents(sheet, pricedOn);
  if (totals.totalCents >= minCents && totals.totalCents <= maxCents) return `No plan is offered for an order of ${total}.`;
  if (minCents > maxCents) return 'No plan is offered today.';
  const [least, most] = [minCents, maxCents].map((cents) => formatMoney(cents, program.currency));
  return `Orders from ${least} to ${most} can be financed; this one comes to ${total}.`;
}

export function expired(session: Session): Outcome {
  return {
    title: 'This checkout link has expired',
    content: html`<p class="lead">Nothing has been bought. Please go back to the shop and start again.</p>
      ${onward(errorUrlOf(session), `Return to ${session.merchant.name}`)}`,
  };
}

export function alreadyCompleted(session: Session, redirectUrl: string): Outcome {
  return {
    title: 'This purchase is complete',
    content: html`<p class="lead">You have signed the agreement, and ${session.merchant.name} has your order.</p>
      ${onward(redirectUrl, `Return to ${session.merchant.name}`)} ${copyOf(session)}`,
  };
}

export const unknownLink: Outcome = {
  title: 'We do not know this checkout link',
  content: html`<p class="lead">It may be incomplete. Please open it again from the shop or from the message you received.</p>`,
};

export const unreadable: Outcome = {
  title: 'We could not read this form',
  content: html`<p class="lead">Please go back, and send it again.</p>`,
};

/** @param session - The checkout, when the fault has left it to be known. */
export function trouble(session: Session | undefined): Outcome {
  return {
    title: 'Something went wrong on our side',
    content: html`<p class="lead">
        Nothing has been charged. Please open the link again in a moment; you will continue where you were.
      </p>
      ${session ? onward(errorUrlOf(session), `Return to ${session.merchant.name} and pay another way`) : nothing}`,
  };
}

/** The agreement as it was signed, for the buyer to keep. What is stored is shown only while it proves to be what was signed. */
function copyOf(session: Session): Html | typeof nothing {
  const agreement = signedAgreement(session);
  if (!agreement) return nothing;
  const { disclosure, signedName, signedAt } = agreement;
  const signed = `Signed by ${signedName} on ${formatDate(signedAt.slice(0, 10))}.`;
  return html`<section class="copy" aria-labelledby="copy-heading">
    <h2 id="copy-heading">Your agreement</h2>
    ${
      isIntact(agreement)
        ? html`<p>${signed} Print or save this page to keep it.</p>
            ${loanTerms(disclosure)}`
        : html`<p>
            ${signed} The copy we keep is not the one you signed, so we do not show it. Please ask ${session.program.lender.name} for
            your agreement.
          </p>`
    }
  </section>`;
}

function onward(url: string, label: string): Html {
  return html`<p class="actions"><a class="button" href="${url}">${label}</a></p>`;
}
