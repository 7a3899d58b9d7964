import type { Language } from '../../shared/languages.ts';

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

/** The least that can be paid by card: gateways refuse less, in US cents. */
export const LEAST_CARD_CENTS = 50;

/** A page of a gateway's own, where a buyer enters a card and comes back from. */
export interface CardEntry {
  url: string;
  entryId: string;
}

/**
 * Who charges cards. Only tokens pass here. Asked outside any database transaction, since it may take seconds.
 *
 * A reference is held once, then captured or released, and refunded after it was captured. Every call may be repeated.
 */
export interface CardGateway {
  /** The cards that a sandbox's buyer picks from on our page; left out where a card is entered on a page of the gateway's own. */
  testCards?: readonly CardOnFile[];
  /**
   * Begins to ask for a card on the gateway's page.
   *
   * @param returnUrl - Where the gateway's own page sends the buyer back to: with the query parameter `entry` once there is a
   *   card, without it when they turned back.
   * @throws ServiceError `card-unavailable`
   */
  begin(part: CardPart, returnUrl: string): Promise<CardEntry>;
  /**
   * What the buyer entered: the card, or null while there is none, and for an entry that is not of this part. Holds nothing yet.
   *
   * @param entry - The `entryId` of the gateway's page, or the reference of the test card that was picked.
   * @throws ServiceError `card-unavailable`
   */
  finish(part: CardPart, entry: string): Promise<CardOnFile | null>;
  /**
   * Holds the amount on the card, in the currency the card was asked for in. Asked again after it succeeded, it holds nothing more;
   * after a decline, it tries the same card anew. What was released is declined for good: an answer on its way can hold nothing that
   * nobody would give up again.
   *
   * @throws ServiceError `card-unavailable` - nobody knows whether it is held; ask again.
   */
  authorize(reference: string, amountCents: number): Promise<'authorized' | 'declined'>;
  /**
   * Takes at most what is held, and gives up the rest. Repeated, takes it once.
   *
   * @param attempt - 1 for the first time it is asked.
   * @throws CardFailure
   */
  capture(reference: string, amountCents: number, attempt: number): Promise<void>;
  /** Gives up whatever is held, for good; nothing, when nothing is. @throws CardFailure */
  release(reference: string): Promise<void>;
  /** Gives back what was captured, once for each `refundId`. @throws CardFailure */
  refund(reference: string, amountCents: number, refundId: string): Promise<void>;
}

/** A capture, release or refund that did not take place, or of which nobody knows. Asked again it may, unless `isFinal`. */
export class CardFailure extends Error {
  override readonly name = 'CardFailure';
  /** No later attempt could end otherwise. */
  readonly isFinal: boolean;
  /** HTTP status of the gateway's answer; null when none came. */
  readonly statusCode: number | null;

  /** @param message - In our words, for the operator: nothing of the buyer, and nothing a gateway wrote freely. */
  constructor(message: string, { isFinal = false, statusCode = null, cause }: CardFailureDetails = {}) {
    super(message, { cause });
    this.isFinal = isFinal;
    this.statusCode = statusCode;
  }
}

export interface CardFailureDetails {
  isFinal?: boolean;
  statusCode?: number | null;
  cause?: unknown;
}
