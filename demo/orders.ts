import { randomInt } from 'node:crypto';
import type { Discount, LineCount, ShippingOption, Transaction } from '@fairterm/client';
import type { Bag } from './bag.ts';
import type { LogEntry } from './order-log.ts';
import { bagTotalCents, discountsFor, type PaidBy, shippingOptions } from './totals.ts';

/**
 * - `placed`: the buyer was redirected to the checkout, and nothing is authorized.
 * - `confirmed`: the transaction is authorized, and the goods can be shipped.
 * - `suspicious`: the last transaction does not match the order and has to be reviewed by hand.
 * - `declined`: the card for the remainder was declined.
 *
 * Only `confirmed` is final.
 */
export type OrderStatus = 'placed' | 'confirmed' | 'suspicious' | 'declined';

/** An order with the prices of the time when it was placed. */
export interface Order {
  /** The order number. It is unguessable, because it gives access to the thank-you page. */
  readonly orderRef: string;
  readonly payment: 'financing' | 'card';
  readonly placedAt: Date;
  readonly bag: Bag;
  readonly discounts: readonly Discount[];
  readonly shippingOptions: readonly ShippingOption[];
  /** The total without delivery, in cents. */
  readonly totalCents: number;
  status: OrderStatus;
  transactionId?: string;
  /** The transaction in the last response of the service that changed it. */
  transaction?: Pick<Transaction, 'status' | keyof PaidBy>;
  /** The delivery that the buyer selected in the checkout. */
  delivery?: ShippingOption | undefined;
  /** Canceled and refunded items by the idempotency key of the request, so that a repeated request counts once. */
  readonly returns: Map<string, readonly LineCount[]>;
  /** Idempotency key of an action whose outcome is unknown. The next action has the same key, so that it is done once. */
  pendingKey?: string | undefined;
  /** Oldest first. */
  readonly log: LogEntry[];
}

const MAX_ORDERS = 200;

/** The newest 200 orders, in memory because this is a demo. A real shop uses a database. */
export class OrderBook {
  readonly #orders = new Map<string, Order>();

  place(bag: Bag, payment: Order['payment']): Order {
    const orderRef = newOrderRef();
    const terms = { bag, discounts: discountsFor(bag), shippingOptions, totalCents: bagTotalCents(bag) };
    const order: Order = { orderRef, payment, placedAt: new Date(), ...terms, status: 'placed', returns: new Map(), log: [] };
    this.#orders.set(orderRef, order);
    for (const oldest of [...this.#orders.keys()].slice(0, -MAX_ORDERS)) this.#orders.delete(oldest);
    return order;
  }

  find(orderRef: string): Order | undefined {
    return this.#orders.get(orderRef);
  }

  newestFirst(): Order[] {
    return [...this.#orders.values()].toReversed();
  }
}

/** Returns the total that the transaction must have with this delivery, in cents. */
export function expectedTotalCents(order: Order, delivery?: ShippingOption): number {
  return order.totalCents + (delivery?.cost ?? 0);
}

/** Returns the items that are neither canceled nor refunded. */
export function remainingItems({ bag, returns }: Order): LineCount[] {
  const returned = [...returns.values()].flat();
  return bag.map(({ product: { sku }, quantity }) => ({
    sku,
    quantity: returned.reduce((rest, line) => (line.sku === sku ? rest - line.quantity : rest), quantity),
  }));
}

function newOrderRef(): string {
  // Omits letters and digits that look or sound alike.
  const characters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
  const group = () => Array.from({ length: 5 }, () => characters[randomInt(characters.length)]).join('');
  return `AT-${group()}-${group()}`;
}
