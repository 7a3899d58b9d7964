import { ServiceError } from '../../base/errors.ts';
import { plusDays } from '../../base/time.ts';
import { CardFailure, type CardGateway, type CardOnFile } from './gateway.ts';

/** A test card of the sandbox and its behavior. */
export interface TestCard extends CardOnFile {
  meaning: string;
  /** Result of an authorization. */
  onAuthorize: 'authorized' | 'declined' | 'unreachable';
  /** Result of a hold in place of an expired one, if it differs. */
  onRenewal?: 'declined';
  /** The attempts to capture that fail: the first one, or all, permanently. */
  failsToCapture?: 'once' | 'always';
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
    failsToCapture: 'once',
    meaning: 'authorized; the first capture fails, the second succeeds 5 seconds later',
  },
  {
    reference: 'tok_capture_fails',
    label: 'Visa 0358',
    onAuthorize: 'authorized',
    failsToCapture: 'always',
    meaning: 'authorized; every capture fails',
  },
  {
    reference: 'tok_renewal_declined',
    label: 'Visa 0366',
    onAuthorize: 'authorized',
    onRenewal: 'declined',
    meaning: 'authorized; declined by a settlement after the hold has expired',
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
    const card = testCards.find((one) => one.reference === entry);
    return card ? { reference: card.reference, label: card.label } : null;
  },

  authorize: async (reference, _amountCents, now) => {
    const card = cardOf(reference);
    const isRenewed = reference.includes(RENEWAL);
    const onAuthorize = (isRenewed ? card?.onRenewal : undefined) ?? card?.onAuthorize ?? 'declined';
    if (onAuthorize === 'authorized') return { outcome: onAuthorize, expiresAt: plusDays(now, HOLD_DAYS) };
    if (onAuthorize === 'declined') return { outcome: onAuthorize };
    throw new ServiceError(
      'card-unavailable',
      'The card gateway could not be reached to authorize the credit card portion of this purchase; please retry.',
    );
  },

  renew: async (reference) => {
    const [card, number = 1] = reference.split(RENEWAL);
    return `${card}${RENEWAL}${Number(number) + 1}`;
  },

  capture: async (reference, _amountCents, attempt) => {
    const fails = cardOf(reference)?.failsToCapture;
    if (fails === 'always') throw new CardFailure('This test card fails every attempt', { isPermanent: true });
    if (fails === 'once' && attempt === 1) throw new CardFailure('This test card fails the first attempt');
  },
  release: async () => undefined,
  refund: async () => undefined,
};

/** Separates the token of a card and the number of its reference: `tok_visa~2`. */
const RENEWAL = '~';

function cardOf(reference: string): TestCard | undefined {
  const [token] = reference.split(RENEWAL);
  return testCards.find((card) => card.reference === token);
}
