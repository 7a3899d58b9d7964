import { randomInt } from 'node:crypto';
import type { Discount, ShippingOption, Transaction } from '@fairterm/client';
import { type Bag, bagTotalCents, discountsFor, shippingOptions } from './bag.ts';

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
  readonly bag: Bag;
  readonly discounts: readonly Discount[];
  readonly shippingOptions: readonly ShippingOption[];
  /** The total without delivery, in cents. */
  readonly totalCents: number;
  status: OrderStatus;
  transactionId?: string;
  /** The transaction in the last response of the service. */
  transaction?: Transaction;
  /** The delivery that the buyer selected in the checkout. */
  delivery?: ShippingOption | undefined;
}

const MAX_ORDERS = 200;

/** The newest 200 orders, in memory because this is a demo. A real shop uses a database. */
export class OrderBook {
  readonly #orders = new Map<string, Order>();

  place(bag: Bag, payment: Order['payment']): Order {
    const terms = { bag, discounts: discountsFor(bag), shippingOptions, totalCents: bagTotalCents(bag) };
    const order: Order = { orderRef: newOrderRef(), payment, ...terms, status: 'placed' };
    this.#orders.set(order.orderRef, order);
    for (const oldest of [...this.#orders.keys()].slice(0, -MAX_ORDERS)) this.#orders.delete(oldest);
    return order;
  }

  find(orderRef: string): Order | undefined {
    return this.#orders.get(orderRef);
  }
}

/** Returns the total that the transaction must have with this delivery, in cents. */
export function expectedTotalCents(order: Order, delivery?: ShippingOption): number {
  return order.totalCents + (delivery?.cost ?? 0);
}

function newOrderRef(): string {
  // Omits letters and digits that look or sound alike.
  const characters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
  const group = () => Array.from({ length: 5 }, () => characters[randomInt(characters.length)]).join('');
  return `AT-${group()}-${group()}`;
}
