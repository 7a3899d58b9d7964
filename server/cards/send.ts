import type { CardOrder } from '../notifications/outbox.ts';
import type { Send } from '../notifications/outcome.ts';
import { CardFailure, type CardGateway } from './gateway.ts';

/** Has a gateway do what was promised: captures, releases and refunds. */
export function cardSend(gateway: CardGateway): Send {
  return async ({ id, body, attempts }) => {
    const order = JSON.parse(body) as CardOrder;
    try {
      await carryOut(gateway, order, id, attempts);
      return { statusCode: null, failure: '' };
    } catch (thrown) {
      if (!(thrown instanceof CardFailure)) throw thrown;
      return { statusCode: thrown.statusCode, failure: thrown.message, isFinal: thrown.isFinal };
    }
  };
}

function carryOut(gateway: CardGateway, order: CardOrder, id: string, attempt: number): Promise<void> {
  const { type, reference, amountCents } = order;
  if (type === 'capture') return gateway.capture(reference, amountCents, attempt);
  if (type === 'release') return gateway.release(reference);
  return gateway.refund(reference, amountCents, id);
}
