import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { propertyOf } from '../../../shared/objects.ts';
import { fill } from '../../../shared/languages/texts.ts';
import { applicationStatusAfter } from '../../lending/applications/lifecycle.ts';
import { saveApplication } from '../../lending/applications/store.ts';
import type { CardOnFile, CardPortion } from '../../purchases/cards/gateway.ts';
import type { Database } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { emptyForm, choiceField, errorSummary, type FormState } from '../../http/pages/elements.ts';
import { type Instant, DATABASE_NOW } from '../../base/time.ts';
import type { Html } from '../../http/pages/html.ts';
import type { Texts } from '../../base/texts.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { lockShownSession, type ShownApplication } from '../session/load.ts';
import type { Session, StartedSession } from '../session/session.ts';
import { canSign, isApproved } from '../session/state.ts';
import { type CheckoutUrls, createUrls, type View } from '../web/urls.ts';
import { postForm } from '../web/forms.ts';
import { includedDownPayment } from '../session/portions.ts';
import { invalid, type Step, type Submitted } from './step.ts';
import { issueReturnToken } from './card-return.ts';

/** The card that pays what is not financed. */
export const cardStep: Step = {
  name: 'card',
  title: (t) => t.card.title,
  appliesTo: ({ portions }) => portions.cardCents > 0,
  isOpen: canChooseCard,
  isDone: canSign,
  form: emptyForm,
  template: (session: StartedSession, form, view, _now, { cards }) => cardPage(session, form, view, cards?.testCards),
  submit: async (deps, session: StartedSession, body, now, urls) => {
    const { cards, mail } = deps;
    if (!cards) return shownAgain(503, 'unavailable');
    if (cards.testCards) {
      const none = invalid({ values: {}, errors: { card: ({ messages }) => messages.card } });
      return finishCardEntry(deps, session, propertyOf(body, 'card'), none, urls, now);
    }
    const token = await issueReturnToken(deps, session.application, urls.secret ?? '', canChooseCard, now);
    // A gateway's page cannot be framed: from a frame it opens in a new tab, and returns to that tab.
    const display = urls.display === 'frame' ? 'page' : urls.display;
    const back = createUrls({ ...urls, display }).toLink(`card-return/${token}`);
    return unlessUnavailable(async () => {
      const { url } = await cards.startEntry(cardPortionOf(session, urls), mail.publicUrl + back);
      return { externalUrl: url };
    });
  },
  resume: (deps, session, entry, now, urls) => finishCardEntry(deps, session, entry, shownAgain(200, 'noCardEntered'), urls, now),
  redirectsOffSite: ({ cards }) => !cards?.testCards,
};

function shownAgain(status: 200 | 503, text: 'noCardEntered' | 'unavailable'): Submitted {
  return { retry: { ...emptyForm(), formError: ({ card }) => card[text] }, status };
}

/** Returns true after a plan was chosen for a purchase with a card portion. */
function canChooseCard(session: Session): boolean {
  return isApproved(session) && session.application!.status !== 'APPROVED' && session.portions.cardCents > 0;
}

/**
 * Saves the card that pays what is not financed. Until the agreement is signed another card may be saved.
 *
 * @throws ServiceError `cart-closed`
 */
export async function saveCard(database: Database, shown: ShownApplication, card: CardOnFile, now: Instant): Promise<void> {
  const paymentMethodId = newId();
  await database.write(async (tx) => {
    const { application } = await lockShownSession(tx, shown, now, canChooseCard);
    const { status } = application;
    await saveApplication(tx, application, {
      ...(status === 'CHECKOUT_EXTENDED'
        ? applicationStatusAfter('prepareAgain', status)
        : applicationStatusAfter('prepare', status)),
      cardReference: card.reference,
      cardLabel: card.label,
      cardReturnHash: '',
      paymentMethodId,
      updatedAt: DATABASE_NOW,
    });
  });
}

/**
 * Saves the card that was entered on the gateway's page, or the test card that was picked.
 *
 * @param entry - Sent by the gateway's page: unknown input.
 * @param none  - The result if no card was entered.
 * @throws ServiceError `cart-closed`
 */
function finishCardEntry(
  { database, cards }: CheckoutDeps,
  session: StartedSession,
  entry: unknown,
  none: Submitted,
  urls: CheckoutUrls,
  now: Instant,
): Promise<Submitted> {
  return unlessUnavailable(async () => {
    const card =
      typeof entry === 'string' && entry !== '' ? await cards?.finishEntry(cardPortionOf(session, urls), entry) : undefined;
    if (!card) return none;
    await saveCard(database, session.application, card, now);
    return 'next';
  });
}

function cardPortionOf({ application, portions, program }: StartedSession, { lang }: CheckoutUrls): CardPortion {
  return { applicationId: application.id, amountCents: portions.cardCents, currency: program.currency, language: lang };
}

/** Shows the form again if the gateway does not respond. */
async function unlessUnavailable(work: () => Promise<Submitted>): Promise<Submitted> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === 'card-unavailable') return shownAgain(503, 'unavailable');
    throw thrown;
  }
}

/**
 * The card that pays what is not financed.
 *
 * @param testCards - The cards to pick from; undefined if a card is entered on the gateway's page.
 */
function cardPage(
  { portions, program, merchant, application }: StartedSession,
  form: FormState,
  { t, urls }: View,
  testCards: readonly CardOnFile[] | undefined,
): Html {
  const money = (cents: number) => t.money(cents, program.currency);
  const values = {
    lender: program.lender.name,
    merchant: merchant.name,
    financed: money(portions.financedCents),
    remainder: money(portions.cardCents),
  };
  const known = application.cardLabel;
  const isFramed = urls.display === 'frame';
  return html`<p class="lead">${fill(t.card.lead, values)} ${includedDownPayment(portions, program.currency, t)}</p>
    <p>${fill(t.card.whenCharged, values)}</p>
    ${form.formError ? html`<p class="note" role="status">${form.formError(t)}</p>` : nothing} ${errorSummary(t, form)}
    ${
      known
        ? html`<p class="note">${fill(t.card.chosen, { card: known })} <a href="${urls.to('agreement')}">${t.card.keep}</a></p>`
        : nothing
    }
    ${postForm(
      urls,
      'card',
      testCards
        ? html`${testCardChoice(t, testCards, application.cardReference)} <button type="submit">${t.card.submit}</button>`
        : html`<p>${t.card.enterOnProviderPage}${isFramed ? ` ${t.card.newTab}` : nothing}</p>
            <button type="submit" formtarget="${isFramed ? '_blank' : nothing}">${t.card.enter}</button>`,
    )}
    ${!testCards && isFramed ? html`<p class="actions"><a href="${urls.to()}">${t.card.entered}</a></p>` : nothing}`;
}

/** The choice of a test card. @param saved - Reference of the saved card; empty without one. */
function testCardChoice(t: Texts, testCards: readonly CardOnFile[], saved: string): Html {
  const picked = testCards.find(({ reference }) => reference === saved) ?? testCards[0];
  const form = { ...emptyForm(), values: { card: picked?.reference ?? '' } };
  const choices = testCards.map(({ reference, label }) => ({
    value: reference,
    label: html`<span>${label} <code>${reference}</code></span>`,
  }));
  return choiceField(t, form, 'card', t.card.testCards, choices);
}
