import { ServiceError } from '../errors.ts';
import { plusDays } from '../time.ts';
import { CardFailure, type CardGateway, type CardOnFile } from './gateway.ts';

/** A test card of the sandbox and its behavior. */
export interface TestCard extends CardOnFile {
  meaning: string;
  /** Result of an authorization. */
  onAuthorize: 'authorized' | 'declined' | 'unreachable';
  /** True if the first attempt to capture fails. */
  failsFirstCapture?: boolean;
}

/** The sandbox's test cards. Any other reference is declined. */
export const testCards: readonly TestCard[] = [
  { reference: 'tok_visa', label: 'Visa 4242', onAuthorize: 'authorized', meaning: 'authorized' },
  { reference: 'tok_mastercard', label: 'Mastercard 4444', onAuthorize: 'authorized', meaning: 'authorized' },
  { reference: 'tok_declined', label: 'Visa 0002', onAuthorize: 'declined', meaning: 'declined on authorization' },
  {
    reference: 'tok_insufficient_funds',
    label: 'Visa 9995',
    onAuthorize: 'declined',
    meaning: 'declined on authorization for insufficient funds',
  },
  {
    reference: 'tok_unreachable',
    label: 'Visa 0119',
    onAuthorize: 'unreachable',
    meaning: 'the gateway cannot be reached on authorization',
  },
  {
    reference: 'tok_capture_fails_once',
    label: 'Visa 0341',
    onAuthorize: 'authorized',
    failsFirstCapture: true,
    meaning: 'authorized; the first capture fails, the second succeeds 5 seconds later',
  },
];

/** Usual duration of a hold, see decisions/0019-cards.md. */
const HOLD_DAYS = 7;

/** A stateless gateway for the sandbox with the behavior of `testCards`. It charges no card. */
export const sandboxGateway: CardGateway = {
  testCards,

  startEntry: async () => {
    throw new ServiceError('card-unavailable', 'Test cards are picked in the checkout.');
  },

  finishEntry: async (_portion, entry) => {
    const card = cardOf(entry);
    return card ? { reference: card.reference, label: card.label } : null;
  },

  authorize: async (reference, _amountCents, now) => {
    const { onAuthorize } = cardOf(reference) ?? { onAuthorize: 'declined' as const };
    if (onAuthorize === 'authorized') return { outcome: onAuthorize, expiresAt: plusDays(now, HOLD_DAYS) };
    if (onAuthorize === 'declined') return { outcome: onAuthorize };
    throw new ServiceError(
      'card-unavailable',
      'The card gateway could not be reached to authorize the credit card portion of this purchase; please retry.',
    );
  },

  capture: async (reference, _amountCents, attempt) => {
    if (attempt === 1 && cardOf(reference)?.failsFirstCapture) throw new CardFailure('This test card fails the first attempt');
  },
  release: async () => undefined,
  refund: async () => undefined,
};

function cardOf(reference: string): TestCard | undefined {
  return testCards.find((card) => card.reference === reference);
}
