/**
 * - `placed`: the buyer was sent to the checkout; nothing is paid.
 * - `paid`: the financing is authorized; the goods may leave.
 * - `refused`: the signed agreement does not match the order, or the card for a part of it was declined.
 */
export type OrderStatus = 'placed' | 'paid' | 'refused';

export interface Order {
  /** Must be unguessable: the thank-you page shows the order to anyone who has it. */
  readonly orderRef: string;
  readonly sku: string;
  /** Price when it was ordered. */
  readonly totalCents: number;
  status: OrderStatus;
  transactionId?: string;
}

/** A placeholder for your database. */
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
