/**
 * - `placed`: the buyer was sent to the checkout; nothing is paid.
 * - `paid`: the financing is authorized; the goods may leave.
 * - `refused`: what was signed is not what was ordered, or the card for a part of it was declined.
 */
export type OrderStatus = 'placed' | 'paid' | 'refused';

export interface Order {
  /** Nobody may guess it: whoever knows it sees the order on the thank-you page. */
  readonly orderRef: string;
  readonly sku: string;
  /** What it cost when it was ordered. */
  readonly totalCents: number;
  status: OrderStatus;
  transactionId?: string;
}

/** It stands for your database. */
export class Orders {
  readonly #orders = new Map<string, Order>();

  place(sku: string, totalCents: number): Order {
    const order: Order = { orderRef: crypto.randomUUID(), sku, totalCents, status: 'placed' };
    this.#orders.set(order.orderRef, order);
    return order;
  }

  find(orderRef: string): Order | undefined {
    return this.#orders.get(orderRef);
  }
}
