import type { CheckoutTexts } from '../../../../shared/languages/en/checkout.ts';
import { propertyOf } from '../../../../shared/objects.ts';
import { applicationStatusAfter } from '../../../lending/applications/lifecycle.ts';
import { saveApplication } from '../../../lending/applications/store.ts';
import type { CardOnFile, CardPortion } from '../../../purchases/cards/gateway.ts';
import type { Database } from '../../../db/database.ts';
import { ServiceError } from '../../../base/errors.ts';
import { newId } from '../../../base/ids.ts';
import { emptyForm } from '../../../http/pages/elements.ts';
import { type Instant, WRITE_TIME } from '../../../base/time.ts';
import type { CheckoutDeps } from '../../session/deps.ts';
import { lockSessionIf, type ShownApplication } from '../../session/load.ts';
import type { Session, StartedSession } from '../../session/session.ts';
import { canSign, isApproved } from '../../session/state.ts';
import { type CheckoutUrls, createUrls } from '../../web/urls.ts';
import { invalid, type Step, type Submitted } from '../step.ts';
import { issueReturnToken } from './return-address.ts';
import { cardPage } from './template.ts';

/** The card that pays what is not financed. */
export const cardStep: Step = {
  name: 'card',
  title: (t) => t.card.title,
  appliesTo: ({ portions }) => portions.cardCents > 0,
  isOpen: canChooseCard,
  isDone: canSign,
  form: emptyForm,
  template: (session: StartedSession, form, view, _now, { cards }) => cardPage(session, form, view, cards?.testCards),
  submit: async (deps, session, body, now, urls) => {
    const result = await startCardEntry(deps, session, propertyOf(body, 'card'), urls, now);
    if (typeof result === 'object') return result;
    return result === 'none'
      ? invalid({ values: {}, errors: { card: ({ messages }) => messages.card } })
      : submittedAfter(result);
  },
  resume: async (deps, session, entry, now, urls) => submittedAfter(await finishCardEntry(deps, session, entry, urls, now)),
  redirectsOffSite: ({ cards }) => !cards?.testCards,
};

function submittedAfter(result: CardResult): Submitted {
  if (result === 'saved') return 'next';
  const isCanceled = result === 'none';
  const form = {
    ...emptyForm(),
    formError: ({ card: t }: CheckoutTexts) => (isCanceled ? t.noCardEntered : t.unavailable),
  };
  return { retry: form, status: isCanceled ? 200 : 503 };
}

/** `none`: the buyer entered no card, or canceled. `unavailable`: the gateway does not respond. */
export type CardResult = 'saved' | 'none' | 'unavailable';

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
    const { application } = await lockSessionIf(tx, shown, canChooseCard, now);
    const { status } = application;
    await saveApplication(tx, application, {
      ...(status === 'CHECKOUT_EXTENDED'
        ? applicationStatusAfter('prepareAgain', status)
        : applicationStatusAfter('prepare', status)),
      cardReference: card.reference,
      cardLabel: card.label,
      cardReturnHash: '',
      paymentMethodId,
      updatedAt: WRITE_TIME,
    });
  });
}

/**
 * Saves the test card that was selected on our page, or returns the URL of the gateway's page for a card.
 *
 * @throws ServiceError `cart-closed`
 */
async function startCardEntry(
  deps: Pick<CheckoutDeps, 'database' | 'cards' | 'mail' | 'codeKey'>,
  session: StartedSession,
  picked: unknown,
  urls: CheckoutUrls,
  now: Instant,
): Promise<CardResult | { externalUrl: string }> {
  const { cards } = deps;
  if (!cards) return 'unavailable';
  if (cards.testCards) return finishCardEntry(deps, session, picked, urls, now);
  const token = await issueReturnToken(deps, session.application, urls.secret ?? '', canChooseCard, now);
  // A gateway's page cannot be framed: from a frame it opens in a new tab, and returns to that tab.
  const display = urls.display === 'frame' ? 'page' : urls.display;
  const back = createUrls({ ...urls, display }).toLink(`card-return/${token}`);
  return unlessUnavailable(async () => ({
    externalUrl: (await cards.startEntry(cardPortionOf(session, urls), deps.mail.publicUrl + back)).url,
  }));
}

/**
 * Saves the card that was entered on the gateway's page, or the test card that was picked.
 *
 * @param entry - Sent by the gateway's page: unknown input.
 * @throws ServiceError `cart-closed`
 */
function finishCardEntry(
  { database, cards }: Pick<CheckoutDeps, 'database' | 'cards'>,
  session: StartedSession,
  entry: unknown,
  urls: CheckoutUrls,
  now: Instant,
): Promise<CardResult> {
  return unlessUnavailable(async () => {
    const card =
      typeof entry === 'string' && entry !== '' ? await cards?.finishEntry(cardPortionOf(session, urls), entry) : undefined;
    if (!card) return 'none';
    await saveCard(database, session.application, card, now);
    return 'saved';
  });
}

function cardPortionOf({ application, portions, program }: StartedSession, { lang }: CheckoutUrls): CardPortion {
  return { applicationId: application.id, amountCents: portions.cardCents, currency: program.currency, language: lang };
}

async function unlessUnavailable<T>(work: () => Promise<T>): Promise<T | 'unavailable'> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === 'card-unavailable') return 'unavailable';
    throw thrown;
  }
}
