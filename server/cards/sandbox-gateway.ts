import type { CardGateway, CardOnFile } from './gateway.ts';

/** The sandbox's test cards. */
export const testCards: readonly CardOnFile[] = [
  { reference: 'tok_visa', label: 'Visa 4242' },
  { reference: 'tok_declined', label: 'Visa 0002' },
];

/** Charges nobody: what a test card does is told by its token. */
export const sandboxGateway: CardGateway = {
  begin: () => Promise.resolve({ kind: 'test-cards', cards: testCards }),
  finish: (_part, entry) => Promise.resolve(testCards.find(({ reference }) => reference === entry) ?? null),
  authorize: (reference) => Promise.resolve(reference === 'tok_declined' ? 'declined' : 'authorized'),
  capture: () => Promise.resolve(),
  release: () => Promise.resolve(),
  refund: () => Promise.resolve(),
};
