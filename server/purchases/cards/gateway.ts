import type { Language } from '../../../shared/languages/index.ts';
import { type CardOperation, cardOperationIn } from '../../messages/outbox.ts';
import type { Send } from '../../messages/attempt.ts';
import type { Instant } from '../../base/time.ts';

/** A card stored at the gateway. Only the gateway has its number. */
export interface CardOnFile {
  /** Token that identifies the card to the gateway, never a card number. */
  reference: string;
  /** Label shown to the buyer, such as `Visa 4242`. */
  label: string;
}

/** The portion of a purchase that is paid by card. */
export interface CardPortion {
  applicationId: string;
  amountCents: number;
  /** ISO 4217 */
  currency: string;
  language: Language;
}

/** A page hosted by the gateway, where a buyer enters a card and is then redirected back. */
export interface CardEntry {
  url: string;
  entryId: string;
}

/** The result of an authorization. */
export interface CardHold {
  outcome: 'authorized' | 'declined';
  /** Time at which the card network ends the hold, if the gateway reports it. */
  expiresAt?: Instant | undefined;
}

/**
 * Charges cards. Handles only tokens. Call it outside of database transactions, because a call may take seconds.
 *
 * A reference is authorized once, then captured or released, and refunded after it was captured. All calls but `renew` are idempotent.
 */
export interface CardGateway {
  /** The company that receives the cards, as pages name it; undefined if it only has test cards. */
  company?: string;
  /** Test cards to choose from in the sandbox's checkout; undefined if cards are entered on a page hosted by the gateway. */
  testCards?: readonly CardOnFile[];
  /**
   * Starts the entry of a card on the gateway's page.
   *
   * @param returnUrl - URL to which the gateway's page redirects the buyer, with the query parameter `entry` if a card was entered.
   * @throws ServiceError `card-unavailable`
   */
  startEntry(portion: CardPortion, returnUrl: string): Promise<CardEntry>;
  /**
   * Returns the card that the buyer entered; null if there is no card yet, or if the entry belongs to another purchase. Places no hold.
   *
   * @param entry - The `entryId` of the gateway's page, or the reference of the selected test card.
   * @throws ServiceError `card-unavailable`
   */
  finishEntry(portion: CardPortion, entry: string): Promise<CardOnFile | null>;
  /**
   * Places a hold on the card, in the currency passed to `startEntry`. A call after a success places no second hold; a call after a
   * decline tries the same card again. A released reference is always declined, so that a late request cannot place a hold that is
   * never released.
   *
   * @param now - From which the sandbox calculates the end of the hold.
   * @throws ServiceError `card-unavailable` - unknown outcome; retry.
   */
  authorize(reference: string, amountCents: number, now: Instant): Promise<CardHold>;
  /**
   * Returns a new reference for the same card, for a hold in place of one that has expired or was declined. Places no hold.
   *
   * @throws ServiceError `card-unavailable`
   */
  renew(reference: string, amountCents: number): Promise<string>;
  /**
   * Captures at most the amount on hold and releases the rest. A repeated call captures nothing more.
   *
   * @param attempt - 1 for the first attempt.
   * @throws CardFailure
   */
  capture(reference: string, amountCents: number, attempt: number): Promise<void>;
  /** Releases the hold permanently; does nothing if there is no hold. @throws CardFailure */
  release(reference: string): Promise<void>;
  /** Refunds a captured amount, once for each `refundId`. @throws CardFailure */
  refund(reference: string, amountCents: number, refundId: string): Promise<void>;
  /** Closes its connections. */
  close?(): void;
}

/** A capture, release or refund that failed or has an unknown outcome. A retry may succeed, unless `isPermanent`. */
export class CardFailure extends Error {
  override readonly name = 'CardFailure';
  /** True if a retry cannot succeed. */
  readonly isPermanent: boolean;
  /** HTTP status of the gateway's response; null without a response. */
  readonly statusCode: number | null;

  /** @param message - Text for the operator, without personal data and without free text from the gateway. */
  constructor(message: string, details: Partial<Pick<CardFailure, 'isPermanent' | 'statusCode'>> & ErrorOptions = {}) {
    const { isPermanent = false, statusCode = null, cause } = details;
    super(message, { cause });
    this.isPermanent = isPermanent;
    this.statusCode = statusCode;
  }
}

/** Executes enqueued captures, releases and refunds. */
export function cardSender(gateway: CardGateway): Send {
  return async ({ id, body, attempts }) => {
    const operation = cardOperationIn(body);
    try {
      await execute(gateway, operation, id, attempts);
      return { statusCode: null, failure: '' };
    } catch (thrown) {
      if (!(thrown instanceof CardFailure)) throw thrown;
      return { statusCode: thrown.statusCode, failure: thrown.message, isPermanent: thrown.isPermanent };
    }
  };
}

function execute(gateway: CardGateway, operation: CardOperation, id: string, attempt: number): Promise<void> {
  const { type, reference, amountCents } = operation;
  if (type === 'capture') return gateway.capture(reference, amountCents, attempt);
  if (type === 'release') return gateway.release(reference);
  return gateway.refund(reference, amountCents, id);
}
