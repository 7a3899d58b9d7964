/**
 * - `placed`: the buyer was sent to the checkout. Not paid.
 * - `paid`: the financing is authorized. The order can be shipped.
 * - `rejected`: the transaction does not match the order, or the card for the remainder was declined. Another one can still pay it.
 */
export type OrderStatus = 'placed' | 'paid' | 'rejected';

export interface Order {
  /** Must be unguessable, because it is the only access control of the thank-you page. */
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
