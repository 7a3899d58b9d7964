import { dateIn } from '../../base/time.ts';
import { inLanguage } from '../../../shared/languages/index.ts';
import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/languages/texts.ts';
import { isIntact, signedAgreement } from '../../agreements/agreement.ts';
import { planFigures } from '../../agreements/email.ts';
import { paymentChart } from '../../agreements/payment-chart.ts';
import { loanBlock, loanPartiesOf } from '../../purchases/transactions/loan-block.ts';
import { lastDayOf } from '../../lending/applications/expiry.ts';
import { isDecided } from '../../lending/applications/lifecycle.ts';
import { statusCodes } from '../../../shared/wire/status-codes.ts';
import type { Html } from '../../http/pages/html.ts';
import { type Block, blocksHtml } from '../../messages/buyer-email.ts';
import type { MessageHandling } from '../../messages/outbox.ts';
import { recipientOf } from '../../messages/addresses.ts';
import { contactLink, phoneLink, withPhones } from '../../http/pages/phones.ts';
import { supportContacts } from '../../merchants/brand.ts';
import { codeField, errorSummary, type FormState, labeledValue, printButton } from '../../http/pages/elements.ts';
import { leadPage, messagePage, type PageContent } from '../../http/pages/page.ts';
import type { Texts } from '../../base/texts.ts';
import { actionBlock, noticeBlocks, noticeOf, reasonBlocks, rightsBlocks } from '../decision/adverse-action.ts';
import { closedBlocks, incompleteBlocks, neededAction } from '../decision/decision-email.ts';
import { scoreDisclosureBlocks } from '../decision/score-disclosure.ts';
import { storedDecision } from '../decision/stored-decision.ts';
import type { CompletedSession, LinkSession, Session, StartedSession } from '../session/session.ts';
import { completed } from '../signing/complete.ts';
import { hasCode } from '../signing/one-time-code.ts';
import { postForm } from '../web/forms.ts';
import { payAnotherWay, returnTo } from '../web/notify-opener.ts';
import { orderContents } from '../web/order-summary.ts';
import type { View } from '../web/urls.ts';

/** The end of a purchase, complete in every mode: where the shop's own page is not shown, it is the only one. */
export function alreadyCompleted(session: CompletedSession, handling: MessageHandling, view: View, form: FormState): PageContent {
  const { t } = view;
  const { title, lead } = t.completed;
  const { redirectUrl } = completed(session, session.transactionId);
  const { loan } = session;
  const changed = changedLoan(session, t);
  const isVoid = loan?.state === 'void';
  const isAsSigned = !loan || loan.state === 'signed';
  // A loan that has ended has an empty list. Without a list, the payments of the agreement are due, or are not known.
  const isPayable = loan?.payments?.length !== 0;
  const completion = html`<p class="lead">${fill(lead, { merchant: session.merchant.name })}</p>
    ${changed ? html`<section class="notice">${blocksHtml([changed])}</section>` : nothing}`;
  const end = changed?.paragraphs?.map((paragraph) => html`<p class="lead">${paragraph}</p>`);
  return {
    title: isVoid && changed ? changed.heading : title,
    content: html`${isVoid ? end : completion}
      ${returnTo(session, redirectUrl, view)}
      <section class="copy" aria-labelledby="order-heading">
        <h2 id="order-heading">${t.order.heading}</h2>
        ${orderContents(t, session, isAsSigned)}
      </section>
      ${loan?.payments ? nothing : signedPlan(session, t)} ${isPayable ? howToPay(session, t) : nothing} ${copyOf(session, handling, form, view)} ${questions(session, t, isPayable)}`,
  };
}

/** The state of a loan that has changed since the signature. */
function changedLoan({ application, loan }: CompletedSession, t: Texts) {
  const agreement = signedAgreement(application);
  return agreement && loan && loanBlock(loan, loanPartiesOf(agreement.disclosure, t), t);
}

/** The signed plan with its first payment. An agreement that does not match its hash is not shown. */
function signedPlan({ application, program, portions }: CompletedSession, t: Texts): Html | typeof nothing {
  const agreement = signedAgreement(application);
  if (!agreement || !isIntact(agreement)) return nothing;
  const { disclosure } = agreement;
  const [first] = disclosure.payments;
  const card = portions.cardCents > 0 ? { amountCents: portions.cardCents, label: application.cardLabel } : undefined;
  const values = {
    amount: t.money(first!.paymentCents, disclosure.currency),
    date: t.date(first!.dueOn),
    lender: program.lender.name,
  };
  return html`<section class="copy" aria-labelledby="plan-heading">
    <h2 id="plan-heading">${t.completed.plan}</h2>
    <p>${fill(t.completed.firstPayment, values)}</p>
    <dl class="totals signed-plan">
      ${planFigures(agreement, card, t).map(([label, value]) => labeledValue(label, value))}
    </dl>
    ${paymentChart(disclosure.payments, disclosure.currency, t)}
  </section>`;
}

/** The contacts for questions about the loan and about the order, which can be returned while something is owed. */
function questions({ program, merchant }: CompletedSession, t: Texts, isPayable: boolean): Html {
  const { questions: heading, loanContact, returns } = t.completed;
  const { name: lender, address, phone } = program.lender;
  const support = supportContacts(merchant);
  return html`<section class="copy" aria-labelledby="questions-heading">
    <h2 id="questions-heading">${heading}</h2>
    <p>${loanContact} ${[lender, address].filter(Boolean).join(', ')}${phone ? html`, ${phoneLink(phone)}` : nothing}.</p>
    ${isPayable ? html`<p>${fill(returns, { merchant: merchant.name })}</p>` : nothing}
    ${support.length > 0 ? html`<p>${merchant.name}${support.map((contact) => html`, ${contactLink(contact)}`)}</p>` : nothing}
  </section>`;
}

/** The ways to make the payments of the signed agreement. */
function howToPay({ application }: CompletedSession, t: Texts): Html | typeof nothing {
  const servicing = signedAgreement(application)?.disclosure.servicing;
  if (!servicing) return nothing;
  return html`<section class="copy" aria-labelledby="pay-heading">
    <h2 id="pay-heading">${t.servicing.heading}</h2>
    <p>${withPhones(fill(t.servicing.how, servicing))}</p>
    <p class="actions">
      <a class="button quiet" href="${servicing.payUrl}" target="_blank" rel="noopener noreferrer">${t.servicing.payOnline}</a>
    </p>
  </section>`;
}

/**
 * The way to the signed agreement: a code that is sent to the buyer, since others may have the address of this page. Without an e-mail
 * sender it is a link. Both open a new tab, since the agreement cannot be framed. The client script does not close a popup with an
 * unsent copy.
 */
function copyOf(session: CompletedSession, handling: MessageHandling, form: FormState, view: View): Html | typeof nothing {
  const { t } = view;
  const agreement = signedAgreement(session.application);
  if (!agreement) return nothing;
  const { signedName, signedAt, documentCode, hasPdf } = agreement;
  const { copy, signed } = t.completed;
  const { open, keepNow } = t.copy;
  const signedBy = fill(signed, { name: signedName, date: t.date(dateIn(signedAt, session.program.timeZone)) });
  return html`<section class="copy" aria-labelledby="copy-heading" data-unsent="${handling === 'unavailable' ? '' : nothing}">
    <h2 id="copy-heading">${copy}</h2>
    ${
      handling === 'unavailable'
        ? html`<p>${signedBy} ${keepNow}</p>
            <p class="actions">
              <a class="button quiet" href="${`/a/${documentCode}`}" target="_blank" rel="noopener noreferrer">${open}</a>
              ${hasPdf ? html`<a href="${`/a/${documentCode}/agreement.pdf`}" target="_blank" rel="noopener noreferrer">${t.copy.openPdf}</a>` : nothing}
            </p>`
        : html`<p>${signedBy} ${t.copy.sent}</p>
            ${copyByCode(session, form, view)}`
    }
  </section>`;
}

/** The form that sends a code by e-mail, and then the form that opens the signed agreement with it. */
function copyByCode({ application }: CompletedSession, form: FormState, { t, urls }: View): Html {
  const { byCode, open } = t.copy;
  const isSent = hasCode(application, 'copy');
  const enter = html`${errorSummary(t, form)}
  ${postForm(
    urls,
    'copy',
    html`${codeField(t, form, 'copyCode')}
      <div class="actions"><button type="submit" formtarget="_blank">${open}</button></div>`,
  )}`;
  return html`<p>${fill(byCode, { email: maskedEmail(application.billingContact.email) })}</p>
    ${isSent ? enter : nothing}
    ${postForm(urls, 'copy-code', html`<button type="submit" class="quiet">${isSent ? t.code.sendAgain : t.code.send}</button>`)}`;
}

/**
 * The page of a notice that an e-mail links to: the form that sends a code to the same address, and then the one that opens the notice with
 * it. It states nothing about the decision.
 *
 * @param url - The address that the notice was sent to, as a URI.
 */
export function noticeCode(url: string, isSent: boolean, form: FormState, view: View): PageContent {
  const { t } = view;
  const { title, lead, submit } = t.notice;
  const text = { title, lead: fill(lead, { email: maskedEmail(recipientOf(url)) }) };
  return messagePage('notice', text, codeForms({ field: 'noticeCode', submit, isSent }, form, view));
}

/** The page on which a buyer withdraws the consent to electronic documents, with a code that is sent to the address of the application. */
export function consentWithdrawal({ application, program }: StartedSession, form: FormState, view: View): PageContent {
  const { t } = view;
  const { title, lead, effect, submit, done } = t.consentWithdrawal;
  const { consentWithdrawnAt, billingContact } = application;
  const values = { lender: program.lender.name, email: maskedEmail(billingContact.email) };
  if (consentWithdrawnAt !== null) {
    const date = t.date(dateIn(consentWithdrawnAt, program.timeZone));
    return messagePage('consent-withdrawn', { title: done.title, lead: fill(done.lead, { ...values, date }) });
  }
  const isSent = hasCode(application, 'consent');
  const forms = codeForms({ field: 'consentCode', submit, isSent, path: 'consent' }, form, view);
  return messagePage('consent', { title, lead: fill(effect, values) }, html`<p>${fill(lead, values)}</p> ${forms}`);
}

/** The form that sends a code by e-mail, and then the one that uses it. `path` is that of both at the link. */
function codeForms(
  { field, submit, isSent, path = '' }: { field: string; submit: string; isSent: boolean; path?: string },
  form: FormState,
  { t, urls }: View,
): Html {
  const enter = html`${errorSummary(t, form)}
    <form method="post" action="${urls.to(path)}" novalidate>
      ${codeField(t, form, field)}
      <div class="actions"><button type="submit">${submit}</button></div>
    </form>`;
  return html`${isSent ? enter : nothing}
    <form method="post" action="${urls.to(path === '' ? 'code' : `${path}/code`)}">
      <button type="submit" class="${isSent ? 'quiet' : nothing}">${isSent ? t.code.sendAgain : t.code.send}</button>
    </form>`;
}

/** `a•••@example.com`: enough for the buyer to know which mailbox to open. */
function maskedEmail(email: string): string {
  return email.replace(/^(.)[^@]*/u, '$1•••');
}

/** The page of a denial, with its reasons. Only the browser of the buyer who applied can open it. */
export function declined(session: StartedSession, handling: MessageHandling, view: View): PageContent {
  const { t } = view;
  const notice = noticeOf(session, session.application);
  const { keep, sent } = t.adverseAction;
  // Without an e-mail, the page states that it is the buyer's only copy of the reasons.
  const isSent = handling === 'sent' && session.application.consentWithdrawnAt === null;
  const copies = isSent ? [sent] : notice.reasons.length > 0 ? [keep] : [];
  return denialPage(
    session,
    notice.action.kind === 'withdrawn' ? t.withdrawn : t.declined,
    view,
    [...reasonBlocks(notice, t), ...copies.map((text) => ({ paragraphs: [text] }))],
    [actionBlock(notice, t), ...rightsBlocks(notice, t)],
  );
}

/** The page of an approval whose cart has ended: what the e-mail states, with the credit score disclosure. */
export function closed(session: StartedSession, view: View): PageContent {
  const { t } = view;
  const { application, program } = session;
  const { score } = storedDecision(application);
  // A counteroffer that cannot be accepted any more is an adverse action: 12 CFR 1002.2(c)(1)(i).
  const isPart = application.statusCode === statusCodes.APPROVED['order-closed-partial'];
  const notice = isPart ? noticeBlocks(noticeOf(session, application), t) : closedBlocks(session, application, t);
  return {
    title: isPart ? t.orderClosed.titlePart : t.orderClosed.title,
    content: html`<div class="notice">${blocksHtml(notice)}</div>
      ${payAnotherWay(session, view)}
      ${score ? html`<section class="notice copy">${blocksHtml(scoreDisclosureBlocks(score, program.lender.name, t))}</section>` : nothing}
      ${printButton(t.layout.print)}`,
  };
}

/** The reasons, then the link to the shop, then the rest of the notice. */
function denialPage(
  session: StartedSession,
  { title, lead }: Texts['declined'],
  view: View,
  why: readonly Block[],
  notice: readonly Block[],
): PageContent {
  const { t } = view;
  return leadPage(
    { title, lead: fill(lead, { lender: session.program.lender.name }) },
    html`${why.length > 0 ? html`<div class="notice">${blocksHtml(why)}</div>` : nothing} ${payAnotherWay(session, view)}
      <section class="notice copy" aria-label="${t.adverseAction.heading}">${blocksHtml(notice)}</section>
      ${printButton(t.layout.print)}`,
  );
}

/** The page while the lender's decision, or its response to the signature, is unknown. */
export function waiting(session: StartedSession, handling: MessageHandling, { t, urls }: View): PageContent {
  const { application, program, merchant } = session;
  const isSigned = application.status === 'ATTEMPTED_CHECKOUT';
  const { title, lead, nothing: reassurance, steps } = isSigned ? t.waitingSigned : t.waiting;
  const lender = program.lender.name;
  const { automatic, manual, again, byEmail } = t.checking;
  const sentences = [
    ...(isSigned || session.isCartOpen ? [] : [fill(t.orderClosed.undecided, { lender, merchant: merchant.name })]),
    ...(isSigned ? [] : decisionTimes({ application, program }, t)),
    ...(handling === 'sent' ? [fill(byEmail, { email: application.billingContact.email })] : []),
  ];
  return messagePage(
    isSigned ? 'waiting-signed' : 'waiting',
    { title, lead: fill(lead, { lender }) },
    html`<ol class="stages" aria-label="${t.layout.steps}">
        ${steps.map(
          (step, index) =>
            html`<li class="${['done', 'current', ''][index]!}" aria-current="${index === 1 ? 'step' : nothing}">${fill(step, { lender, merchant: merchant.name })}</li>`,
        )}
      </ol>
      ${sentences.length > 0 ? html`<p>${sentences.join(' ')}</p>` : nothing}
      <p>${reassurance} <span class="scripted">${automatic}</span><span class="unscripted">${manual}</span></p>
      ${postForm(urls, 'check', html`<button type="submit">${again}</button>`, { isPolled: true })}`,
  );
}

/**
 * The time that decisions take, if the lender states it, and the end of an application that the lender has not decided. A signed application
 * does not expire.
 */
function decisionTimes({ application, program }: Pick<StartedSession, 'application' | 'program'>, t: Texts): string[] {
  const { expected, end } = t.waiting;
  const { name: lender, decisionTime } = program.lender;
  return [
    ...(decisionTime ? [fill(expected, { lender, time: inLanguage(decisionTime, t.language) })] : []),
    ...(isDecided(application) ? [] : [fill(end, { date: t.date(lastDayOf(application, program)) })]),
  ];
}

/** The page of an application that needs an action of the buyer before the lender can decide. */
export function needsAction(session: StartedSession, view: View): PageContent {
  const { t, urls } = view;
  const { actions, applyAgain, changeDetails } = t.needsAction;
  const [what, ...how] = incompleteBlocks(session, session.application, t);
  return {
    title: actions[neededAction(session.application)].title,
    content: html`<p class="lead">${what!.paragraphs}</p>
      ${blocksHtml(how)}
      <p class="actions">
        <a class="button" href="${urls.to('apply')}">${applyAgain}</a>
        <a href="${urls.to('details')}">${changeDetails}</a>
      </p>
      ${payAnotherWay(session, view)}`,
  };
}

/** Confirmation before an application is canceled. */
export function cancelling({ program }: Session, { t, urls }: View): PageContent {
  const { title, lead, submit, back } = t.canceling;
  const choice = html`<div class="actions">
    <a class="button" href="${urls.to()}">${back}</a>
    <button type="submit" class="quiet">${submit}</button>
  </div>`;
  return leadPage({ title, lead: fill(lead, { lender: program.lender.name }) }, postForm(urls, 'cancel', choice));
}

/** The page that a cart's link shows to everyone while an application is not signed, in any state. */
export function inProgress(session: LinkSession, view: View): PageContent {
  const { t, urls } = view;
  const { title, lead, continueElsewhere, startAgain, submit } = t.inProgress;
  return leadPage(
    { title, lead: fill(lead, { merchant: session.merchant.name }) },
    html`<p>${continueElsewhere}</p>
      <p>${startAgain}</p>
      <p class="actions"><a class="button" href="${urls.toLink('restart')}">${submit}</a></p>
      ${payAnotherWay(session, view)}`,
  );
}

/**
 * The page of a link to continue an application, without data of the buyer. Its form carries the secret under which the checkout continues
 * in this browser (`renewsSecret`).
 *
 * @param path - Where its form is posted.
 */
export function continuing({ program, merchant }: Session, path: string, { t, urls }: View): PageContent {
  const { title, lead, submit } = t.continueLink;
  const form = postForm(urls, path, html`<button type="submit">${submit}</button>`, { renewsSecret: true });
  return messagePage('continue', { title, lead: fill(lead, { merchant: merchant.name, lender: program.lender.name }) }, form);
}

/** The link of a signed or completed checkout. It shows nothing about the buyer and offers no restart. */
export function signedOrBought(session: LinkSession, view: View): PageContent {
  const { t } = view;
  const { title, lead, copy } = session.state === 'signed' ? t.signedElsewhere : t.boughtElsewhere;
  return leadPage(
    { title, lead: fill(lead, { merchant: session.merchant.name }) },
    html`<p>${copy}</p>
      ${returnTo(session, session.merchant.storeUrl, view)}`,
  );
}

/** Shown to the browser whose application was replaced by another one. */
export function startedAgain(session: StartedSession, view: View): PageContent {
  const { t, urls } = view;
  const { title, lead, nothingShown, again } = t.startedAgain;
  return leadPage(
    { title, lead },
    html`<p>${nothingShown}</p>
      <p class="actions"><a class="button" href="${urls.toLink()}">${again}</a></p>
      ${payAnotherWay(session, view)}`,
  );
}
