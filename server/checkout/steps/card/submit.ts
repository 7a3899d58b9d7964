import type { CardPart } from '../../../cards/gateway.ts';
import { ServiceError } from '../../../errors.ts';
import type { Instant } from '../../../time.ts';
import type { CheckoutMeans } from '../../deps.ts';
import { noteCard } from '../plan/submit.ts';
import type { StartedSession } from '../../session/session.ts';
import { type Way, wayAlong } from '../../web/way.ts';

/** What came of asking for the card: it is noted; there is none, as they named none or turned back; or the gateway could not be asked. */
export type Taken = 'noted' | 'none' | 'unavailable';

/**
 * Takes the test card that was picked on our page, or leads to the page of the gateway where a card is entered.
 *
 * @throws ServiceError `cart-closed`
 */
export async function askForCard(
  means: Pick<CheckoutMeans, 'database' | 'cards' | 'mail'>,
  session: StartedSession,
  picked: unknown,
  way: Way,
  now: Instant,
): Promise<Taken | { leaveFor: string }> {
  const { cards } = means;
  if (!cards) return 'unavailable';
  if (cards.testCards) return takeCard(means, session, picked, way, now);
  // A gateway's page does not let itself be framed: from a frame it is opened in a tab of its own, and so is where it leads back to.
  const back = wayAlong({ ...way, display: way.display === 'frame' ? 'page' : way.display }).to('card/return');
  return whileAvailable(async () => ({
    leaveFor: (await cards.begin(cardPartOf(session, way), means.mail.publicUrl + back)).url,
  }));
}

/**
 * Takes the card that was entered.
 *
 * @param entry - What the gateway's page came back with, or the test card that was picked: anything.
 * @throws ServiceError `cart-closed`
 */
export function takeCard(
  { database, cards }: Pick<CheckoutMeans, 'database' | 'cards'>,
  session: StartedSession,
  entry: unknown,
  way: Way,
  now: Instant,
): Promise<Taken> {
  return whileAvailable(async () => {
    const card = typeof entry === 'string' && entry !== '' ? await cards?.finish(cardPartOf(session, way), entry) : undefined;
    if (!card) return 'none';
    await noteCard(database, session.application, card, now);
    return 'noted';
  });
}

function cardPartOf({ application, parts, program }: StartedSession, { lang }: Way): CardPart {
  return { applicationId: application.id, amountCents: parts.cardCents, currency: program.currency, language: lang };
}

async function whileAvailable<T>(work: () => Promise<T>): Promise<T | 'unavailable'> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.refusal === 'card-unavailable') return 'unavailable';
    throw thrown;
  }
}
