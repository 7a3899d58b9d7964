import type { Config } from '../config.ts';
import type { CardGateway } from './gateway.ts';
import { sandboxGateway } from './sandbox-gateway.ts';

/**
 * Who charges cards: what the configuration names, or the sandbox's test cards; undefined in a live service without, which sells
 * nothing that a card would pay a part of.
 *
 * @param onFault - Told of what the operator should look at: a key that is refused, an answer that says nothing.
 */
export async function cardGatewayOf(
  { mode, cardStripeKey }: Pick<Config, 'mode' | 'cardStripeKey'>,
  onFault: (thrown: unknown) => void,
): Promise<CardGateway | undefined> {
  if (cardStripeKey !== undefined) {
    // Its library is large, and most services need none of it.
    const { createStripeGateway } = await import('./stripe-gateway.ts');
    return createStripeGateway({ key: cardStripeKey, onFault });
  }
  return mode === 'sandbox' ? sandboxGateway : undefined;
}
