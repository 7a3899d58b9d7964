import { randomInt } from 'node:crypto';
import type { Discount, ShippingOption } from 'fairterm/client';
import type { Bag } from './bag.ts';
import { bagTotalCents, discountsFor, shippingOptions } from './totals.ts';

/**
 * - `placed`: the buyer was sent to the checkout; nothing is paid.
 * - `confirmed`: the financing is authorized; the goods may leave.
 * - `suspicious`: the transaction is not what was ordered; a person has to look.
 * - `declined`: the card for the part that is not financed was declined.
 */
export type OrderStatus = 'placed' | 'confirmed' | 'suspicious' | 'declined';

/** What was ordered, at the prices of that moment, and what became of it. */
export interface Order {
  /** The order number. Long enough that nobody guesses one and reads somebody else's thank-you page. */
  readonly orderRef: string;
  readonly bag: Bag;
  readonly discounts: readonly Discount[];
  readonly shippingOptions: readonly ShippingOption[];
  /** What the buyer owes before delivery, in cents. */
  readonly totalCents: number;
  status: OrderStatus;
  transactionId?: string;
  /** The delivery that the buyer chose at the checkout. */
  delivery?: ShippingOption | undefined;
  callbackAt?: Date;
  /** What the shop's server saw, oldest first. */
  readonly events: { at: Date; text: string }[];
}

const KEPT_ORDERS = 200;
const KEPT_EVENTS = 30;

/** The shop's orders, the newest 200. In memory, because this is a demonstration: a real shop has a database. */
export class OrderBook {
  readonly #orders = new Map<string, Order>();

  place(bag: Bag): Order {
    const orderRef = newOrderRef();
    const terms = { bag, discounts: discountsFor(bag), shippingOptions, totalCents: bagTotalCents(bag) };
    const order: Order = { orderRef, ...terms, status: 'placed', events: [] };
    this.#orders.set(orderRef, order);
    for (const oldest of [...this.#orders.keys()].slice(0, -KEPT_ORDERS)) this.#orders.delete(oldest);
    return order;
  }

  find(orderRef: string): Order | undefined {
    return this.#orders.get(orderRef);
  }

  newestFirst(): Order[] {
    return [...this.#orders.values()].toReversed();
  }
}

/** Writes down what happened to an order, for the back office. The newest 30 lines stay, so that repeats cannot fill the memory. */
export function note({ events }: Order, text: string): void {
  events.push({ at: new Date(), text });
  events.splice(0, events.length - KEPT_EVENTS);
}

/** What the transaction has to be worth if the buyer chose `delivery`, in cents. */
export function expectedTotalCents(order: Order, delivery?: ShippingOption): number {
  return order.totalCents + (delivery?.cost ?? 0);
}

function newOrderRef(): string {
  // Without the letters and digits that people mistake for one another on the telephone.
  const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
  const five = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `AT-${five()}-${five()}`;
}
