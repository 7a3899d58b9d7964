import type { Language } from '../../shared/disclosure/texts.ts';

/** A card as the gateway knows it. Its number is known to the gateway alone. */
export interface CardOnFile {
  /** What the gateway is asked to charge by: a token, never a card number. */
  reference: string;
  /** What the buyer knows it by, such as `Visa 4242`. */
  label: string;
}

/** The part of a purchase that is paid by card. */
export interface CardPart {
  applicationId: string;
  amountCents: number;
  /** ISO 4217 */
  currency: string;
  language: Language;
}

/**
 * How a buyer names a card: on a page of the gateway's own, where they are sent and come back from; or, in the sandbox, by
 * picking one of the documented test cards on ours.
 */
export type CardEntry = { kind: 'page'; url: string; entryId: string } | { kind: 'test-cards'; cards: readonly CardOnFile[] };

/** Who charges cards. Only tokens pass here. */
export interface CardGateway {
  /**
   * Begins to ask for a card. `returnUrl` is where the gateway's own page sends the buyer back to.
   *
   * @throws ServiceError `card-unavailable`
   */
  begin(part: CardPart, returnUrl: string): Promise<CardEntry>;
  /**
   * What the buyer entered: the card, or null while there is none. `entry` is the `entryId` of the gateway's page, or the
   * reference of the test card that was picked.
   *
   * @throws ServiceError `card-unavailable`
   */
  finish(part: CardPart, entry: string): Promise<CardOnFile | null>;
  /**
   * Holds the amount on the card. Asked again for the same reference after it succeeded, it answers the same and holds nothing more.
   *
   * @throws ServiceError `card-unavailable` - nobody knows whether it is held; ask again.
   */
  authorize(reference: string, amountCents: number, currency: string): Promise<'authorized' | 'declined'>;
  /** Takes at most what is held. Repeated, takes it once. @throws when it must be tried again. */
  capture(reference: string, amountCents: number): Promise<void>;
  /** Gives up whatever is held; nothing, when nothing is. @throws when it must be tried again. */
  release(reference: string): Promise<void>;
  /** Gives back what was captured, once for each `refundId`. @throws when it must be tried again. */
  refund(reference: string, amountCents: number, refundId: string): Promise<void>;
}
