import type { Config } from '../../base/config/config.ts';
import type { CardGateway } from './gateway.ts';
import { sandboxGateway } from './sandbox-gateway.ts';

/**
 * Creates the configured card gateway, or the sandbox's test cards. Undefined in a live service without a gateway, which then offers
 * no purchases with a card portion.
 *
 * @param onFault - Receives errors that the operator should investigate, such as a rejected key or an invalid response.
 */
export async function createCardGateway(
  { mode, cardStripeKey }: Pick<Config, 'mode' | 'cardStripeKey'>,
  onFault: (thrown: unknown) => void,
): Promise<CardGateway | undefined> {
  if (cardStripeKey !== undefined) {
    // Loaded only where needed, because its library is large.
    const { createStripeGateway } = await import('./stripe-gateway.ts');
    const stripe = createStripeGateway({ key: cardStripeKey, onFault });
    return mode === 'sandbox' ? withTestCards(stripe) : stripe;
  }
  return mode === 'sandbox' ? sandboxGateway : undefined;
}

/** Adds the sandbox's test cards to a gateway, so that merchants' automated tests can pay with them. */
function withTestCards(gateway: CardGateway): CardGateway {
  const gatewayOf = (reference: string) => (reference.startsWith('tok_') ? sandboxGateway : gateway);
  return {
    ...gateway,
    authorize: (reference, ...rest) => gatewayOf(reference).authorize(reference, ...rest),
    renew: (reference, ...rest) => gatewayOf(reference).renew(reference, ...rest),
    capture: (reference, ...rest) => gatewayOf(reference).capture(reference, ...rest),
    release: (reference) => gatewayOf(reference).release(reference),
    refund: (reference, ...rest) => gatewayOf(reference).refund(reference, ...rest),
  };
}
