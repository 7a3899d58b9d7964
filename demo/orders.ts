import { randomInt } from 'node:crypto';
import type { Discount, ShippingOption } from 'fairterm/client';
import type { Bag } from './bag.ts';
import { bagTotalCents, discountsFor, shippingOptions } from './totals.ts';

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
  readonly bag: Bag;
  readonly discounts: readonly Discount[];
  readonly shippingOptions: readonly ShippingOption[];
  /** The total without delivery, in cents. */
  readonly totalCents: number;
  status: OrderStatus;
  transactionId?: string;
  /** The delivery that the buyer selected in the checkout. */
  delivery?: ShippingOption | undefined;
  callbackAt?: Date;
  /** Log of the order, oldest first. */
  readonly events: { at: Date; text: string }[];
}

const MAX_ORDERS = 200;
const MAX_EVENTS = 30;

/** The newest 200 orders, in memory because this is a demo. A real shop uses a database. */
export class OrderBook {
  readonly #orders = new Map<string, Order>();

  place(bag: Bag): Order {
    const orderRef = newOrderRef();
    const terms = { bag, discounts: discountsFor(bag), shippingOptions, totalCents: bagTotalCents(bag) };
    const order: Order = { orderRef, ...terms, status: 'placed', events: [] };
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

/** Adds an entry to the log of an order, which keeps the newest 30 entries. */
export function logEvent({ events }: Order, text: string): void {
  events.push({ at: new Date(), text });
  events.splice(0, events.length - MAX_EVENTS);
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
