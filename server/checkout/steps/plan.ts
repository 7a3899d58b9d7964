import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill, counted } from '../../../shared/languages/texts.ts';
import { propertyOf } from '../../../shared/objects.ts';
import { aprFraction } from '../../../shared/as-low-as.ts';
import { dueDates } from '../../../shared/dates.ts';
import type { DisclosedFee } from '../../../shared/disclosure/loan-disclosure.ts';
import { disclosureTexts } from '../../../shared/languages/index.ts';
import { installmentsOf, isAdvertised, type Plan, plansFor } from '../../../shared/plans.ts';
import { planPictures } from '../../agreements/payment-chart.ts';
import { legend } from '../../http/pages/chart.ts';
import { applicationStatusAfter } from '../../lending/applications/lifecycle.ts';
import { type Application, saveApplication } from '../../lending/applications/store.ts';
import { rateSheetOf } from '../../lending/programs/programs.ts';
import type { Database } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { emptyForm, errorSummary, type FormState } from '../../http/pages/elements.ts';
import { type Instant, DATABASE_NOW, dateIn } from '../../base/time.ts';
import type { Html } from '../../http/pages/html.ts';
import { blocksHtml } from '../../messages/buyer-email.ts';
import type { Texts } from '../../base/texts.ts';
import { lockShownSession, type ShownApplication } from '../session/load.ts';
import type { StartedSession, Session } from '../session/session.ts';
import { isApproved } from '../session/state.ts';
import { actionBlock, noticeOf, offerBlocks, reasonBlocks, rightsBlocks } from '../decision/adverse-action.ts';
import { scoreDisclosureBlocks } from '../decision/score-disclosure.ts';
import { storedDecision } from '../decision/stored-decision.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { postForm } from '../web/forms.ts';
import type { View } from '../web/urls.ts';
import { restByCard } from '../session/portions.ts';
import { invalid, type Step, approvalEnd } from './step.ts';

/** The plans that the buyer is approved for. */
export const planStep: Step = {
  name: 'plans',
  title: (t, session) => {
    const { portions, program } = session;
    const total = t.money(portions.financedCents, program.currency);
    const remainder = t.money(portions.cardCents, program.currency);
    return fill(isCounteroffer(session) ? t.plans.titlePart : t.plans.title, { total, remainder });
  },
  appliesTo: () => true,
  isOpen: isApproved,
  isDone: ({ application }) => application?.status !== 'APPROVED',
  form: emptyForm,
  template: plansPage,
  submit: async ({ database }, { plans, application }: StartedSession, body, now) => {
    const offerId = propertyOf(body, 'offerId');
    const chosen = plans.find((offered) => offered.offerId === offerId);
    if (!chosen) return invalid({ values: {}, errors: { offerId: ({ messages }) => messages.offer } });
    await choosePlan(database, application, chosen.offerId, now);
    return 'next';
  },
};

/**
 * Saves the chosen plan. Until the agreement is signed another plan may be chosen.
 *
 * @returns The application.
 * @throws ServiceError `cart-closed`, or `invalid-request` - the buyer was not approved for such an offer.
 */
export function choosePlan(database: Database, shown: ShownApplication, offerId: string, now: Instant): Promise<Application> {
  return database.write(async (tx) => {
    const { plans, application, portions } = await lockShownSession(tx, shown, now, isApproved);
    if (!plans.some((plan) => plan.offerId === offerId)) {
      throw new ServiceError('invalid-request', 'Expected one of the plans the buyer was approved for.');
    }
    const isReady = portions.cardCents === 0 || application.cardReference !== '';
    return saveApplication(tx, application, {
      ...statusAfterChoice(application, isReady),
      offerId,
      updatedAt: DATABASE_NOW,
    });
  });
}

/** Returns the status after a plan was chosen. @param isReady - False if a card must be entered before the agreement. */
function statusAfterChoice({ status }: Application, isReady: boolean) {
  if (status === 'CHECKOUT_EXTENDED') return applicationStatusAfter('prepareAgain', status);
  return isReady ? applicationStatusAfter('prepare', status) : applicationStatusAfter('attemptPrepare', status);
}

/** The plans that the buyer is approved for, and the charges that they have in common. */
function plansPage(
  session: StartedSession,
  form: FormState,
  view: View,
  now: Instant,
  deps: Pick<CheckoutDeps, 'approvals'>,
): Html {
  const { t, urls } = view;
  const { program, application, portions } = session;
  const plans = advertisedFirst(session);
  const error = form.errors['offerId']?.(t);
  const typedId = plans.find(({ offerId }) => offerId === form.values['offerId'])?.offerId;
  const chosen = typedId ?? application.offerId;
  const payments = plans.map((plan) => installmentsOf(session.pricing.sheet, plan));
  const pictureOf = planPictures(payments);
  const [firstDueOn] = dueDates(dateIn(now, program.timeZone), program.schedule.firstPaymentAfter, 1);
  return html`<p class="lead">${portions.cardCents > 0 ? paidByCard(t, session) : t.plans.lead}</p>
    ${errorSummary(t, form)}
    ${postForm(
      urls,
      'plans',
      html`<fieldset class="plans ${plans.length % 3 === 0 ? 'in-threes' : ''}" aria-label="${t.plans.legend}" aria-describedby="${error ? 'offerId-error' : nothing}">
          ${error ? html`<p class="error" id="offerId-error">${error}</p>` : nothing}
          ${plans.map((plan, index) =>
            choice(t, plan, session, {
              isFirst: index === 0,
              isChosen: plan.offerId === chosen,
              picture: pictureOf(payments[index]!),
            }),
          )}
        </fieldset>
        <p class="hint legend">${t.plans.pictures} ${legend([{ kind: 'bars', series: [t.loan.interest, t.loan.principal] }])}</p>
        <p>${fill(t.plans.firstDue, { date: t.date(firstDueOn!) })} ${charges(t, plans[0], program.currency)}</p>
        <button type="submit">${t.plans.submit}</button>`,
    )}
    ${isCounteroffer(session) ? counteroffer(t, session) : approvalEnd(session, view, now, deps)} ${scoreDisclosure(t, session)}`;
}

/** Returns the plans, first the one that the button advertised for the order if it is among them. */
function advertisedFirst({ plans, program, purchase, pricing }: StartedSession): Plan[] {
  // As on the page of the shop, where the buyer's state is not known.
  const sheet = rateSheetOf(program);
  const advertised = plansFor(sheet, purchase.totals.totalCents, pricing.pricedOn).find((plan) => isAdvertised(sheet, plan));
  const first = plans.filter(({ offerId, tierId }) => offerId === advertised?.offerId && tierId === advertised.tierId);
  return [...first, ...plans.filter((plan) => !first.includes(plan))];
}

/** The amount that is paid by card if less than the order is financed. */
function paidByCard(t: Texts, { portions, program: { currency } }: StartedSession): string {
  return `${restByCard(portions, currency, t)} ${t.plans.cardLater}`;
}

/**
 * The credit score disclosure, which every approved buyer receives before the agreement, apart from everything else: 12 CFR 1022.74(e)(2)
 * and (3). See decisions/0050.
 */
function scoreDisclosure(t: Texts, { application, program }: StartedSession): Html | typeof nothing {
  const { score } = storedDecision(application);
  if (!score) return nothing;
  const blocks = scoreDisclosureBlocks(score, program.lender.name, t);
  return html`<section class="score-disclosure notice copy" aria-label="${blocks[0]!.heading}">${blocksHtml(blocks)}</section>`;
}

/** Returns true if less was approved than requested. A card may also pay only the down payment. */
function isCounteroffer({ portions: { cardCents, downPaymentCents } }: Pick<Session, 'portions'>): boolean {
  return cardCents > downPaymentCents;
}

/** The notice of a counteroffer. The plans above are its terms. */
function counteroffer(t: Texts, session: StartedSession): Html {
  const notice = noticeOf(session, session.application);
  const accept = offerBlocks(notice, t).at(-1)!;
  const { heading } = t.adverseAction;
  const blocks = [{ heading, ...actionBlock(notice, t) }, ...reasonBlocks(notice, t), accept, ...rightsBlocks(notice, t)];
  return html`<section class="notice copy" aria-label="${heading}">${blocksHtml(blocks)}</section>`;
}

/** Explains why the payments repay more than the approved amount: the fees, which are the same for all plans. */
function charges(t: Texts, plan: Plan | undefined, currency: string): string {
  if (!plan || plan.financing.fees.length === 0) return '';
  const { amountFinancedCents, principalCents, fees } = plan.financing;
  const financed = t.money(amountFinancedCents, currency);
  const principal = t.money(principalCents, currency);
  return fill(t.plans.repaysWith, { financed, principal, charges: feesInWords(t, fees, currency) });
}

function choice(
  t: Texts,
  plan: Plan,
  { pricing: { sheet }, program }: Session,
  { isFirst, isChosen, picture }: { isFirst: boolean; isChosen: boolean; picture: Html },
): Html {
  const { offerId, termLength, aprBps, financeChargeCents, financing, schedule } = plan;
  const { levelPaymentCents, firstPaymentCents, totalOfPaymentsCents } = schedule;
  const money = (cents: number) => t.money(cents, program.currency);
  const apr = t.apr(aprFraction(aprBps));
  const isFree = financeChargeCents === 0;
  const { downPaymentCents } = financing;
  const term =
    downPaymentCents > 0
      ? fill(counted(t.plans.afterDown, termLength), { downPayment: money(downPaymentCents) })
      : counted(t.plans.term, termLength);
  const promo = sheet.offers.find(({ id }) => id === offerId)?.promo;
  return html`<label class="plan">
    <input type="radio" name="offerId" id="${isFirst ? 'offerId' : nothing}" value="${offerId}" required ?checked=${isChosen} />
    <span class="monthly"><strong>${money(levelPaymentCents)}</strong> ${t.plans.aMonth}</span>
    <span class="term">${term}</span>
    ${
      isFree || promo
        ? html`<span class="promo">
            ${isFree ? html`<strong class="badge">${fill(t.plans.badge, { apr })}</strong> ` : nothing}${
              promo ? promo.text[t.language] : t.plans.noFinanceCharge
            }
          </span>`
        : nothing
    }
    ${picture}
    <span class="figures">
      ${figure(t.plans.apr, apr)} ${figure(t.tila.financeCharge, money(financeChargeCents))}
      ${figure(t.tila.totalOfPayments, money(totalOfPaymentsCents))}
      ${firstPaymentCents === levelPaymentCents ? nothing : figure(t.plans.firstPayment, money(firstPaymentCents))}
    </span>
  </label>`;
}

function figure(label: string, value: string): Html {
  return html`<span>${label} <strong>${value}</strong></span>`;
}

/** Returns the fees in words: `an origination fee of $22.46 and an application fee of $15.00`. */
function feesInWords(t: Texts, fees: readonly Pick<DisclosedFee, 'kind' | 'cents'>[], currency: string): string {
  const { feeKinds } = disclosureTexts[t.language];
  return t.list(fees.map(({ kind, cents }) => fill(t.loan.aFee, { kind: feeKinds[kind], amount: t.money(cents, currency) })));
}
