import type { Parties, PaymentAgreement } from './agreement.ts';

/** The part of a purchase that a card pays. */
export interface CardShare {
  cents: number;
  /** What the buyer knows the card by, such as `Visa 4242`. */
  label: string;
}

/** All that the buyer's copy of an agreement says. */
export interface SignedFacts {
  agreement: Omit<PaymentAgreement, 'documentHash'>;
  parties: Parties;
  /** The merchant's own reference; empty when there is none. */
  orderRef: string;
  totalCents: number;
  card: CardShare | undefined;
  /** The sentences beside the boxes that were ticked, as they read. */
  consents: readonly string[];
  /** Whether it was signed in a sandbox, where no loan is real. */
  isSandbox: boolean;
}
