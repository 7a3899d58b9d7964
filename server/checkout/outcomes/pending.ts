import { html } from '@lit-labs/ssr';
import { fill } from '../../../shared/disclosure/texts.ts';
import { statusCodes } from '../../applications/lifecycle.ts';
import { NEEDED_ACTIONS } from '../../lenders/lender.ts';
import type { Session, StartedSession } from '../session/session.ts';
import { form } from '../web/elements.ts';
import { payAnotherWay, returnAfterFailure } from '../web/notify-opener.ts';
import type { View } from '../web/way.ts';
import type { Outcome } from '../web/error-pages.ts';

/** The page while the lender's decision, or its answer to the signature, is unknown. */
export function waiting({ application, program }: StartedSession, { t, way }: View): Outcome {
  const { title, lead, nothing } = application.status === 'ATTEMPTED_CHECKOUT' ? t.waitingSigned : t.waiting;
  const { byItself, byHand, again } = t.checking;
  return {
    title,
    content: html`<p class="lead">${fill(lead, { lender: program.lender.name })}</p>
      <p>${nothing} <span class="scripted">${byItself}</span><span class="unscripted">${byHand}</span></p>
      ${form(way, 'check', html`<button type="submit">${again}</button>`, { polls: true })}`,
  };
}

/** The page of an application that needs an action of the buyer before the lender can decide. */
export function needsAction(session: StartedSession, view: View): Outcome {
  const { t, way } = view;
  const { status_code } = session.application;
  const action = NEEDED_ACTIONS.find((each) => statusCodes.NEEDS_ACTION[each] === status_code)!;
  const { title, lead, notDenied, applyAgain, changeDetails } = t.needsAction;
  const { what, how } = t.needsAction.actions[action];
  const lender = session.program.lender.name;
  return {
    title,
    content: html`<p class="lead">${fill(lead, { lender })} ${fill(what, { lender })}</p>
      <p>${how}</p>
      <p>${notDenied}</p>
      <p class="actions">
        <a class="button" href="${way.to('apply')}">${applyAgain}</a>
        <a href="${way.to('details')}">${changeDetails}</a>
      </p>
      ${payAnotherWay(session, view)}`,
  };
}

/** Confirmation before an application is canceled. */
export function cancelling({ program }: Session, { t, way }: View): Outcome {
  const { title, lead, submit, back } = t.cancelling;
  return {
    title,
    content: html`<p class="lead">${fill(lead, { lender: program.lender.name })}</p>
      ${form(
        way,
        'cancel',
        html`<div class="actions">
          <a class="button" href="${way.to()}">${back}</a>
          <button type="submit" class="quiet">${submit}</button>
        </div>`,
      )}`,
  };
}

export function cancelledByBuyer(session: Session, view: View): Outcome {
  const { title, lead } = view.t.cancelled;
  return {
    title,
    content: html`<p class="lead">${lead}</p>
      ${returnAfterFailure(session, view)}`,
  };
}
