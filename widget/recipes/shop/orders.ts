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
  /** ISO 4217 code of the price. */
  readonly currency: string;
  status: OrderStatus;
  transactionId?: string;
  /** For the people of the shop. */
  readonly notes: string[];
}

/** A placeholder for your database. */
export class Orders {
  readonly #orders = new Map<string, Order>();
  readonly #changes = new Map<string, Promise<void>>();

  place(sku: string, totalCents: number, currency: string): Order {
    const order: Order = { orderRef: crypto.randomUUID(), sku, totalCents, currency, status: 'placed', notes: [] };
    this.#orders.set(order.orderRef, order);
    return order;
  }

  find(orderRef: string): Order | undefined {
    return this.#orders.get(orderRef);
  }

  /** Changes an order after other changes of it have ended. In a database: within a transaction that locks its row. */
  change(order: Order, change: () => Promise<void>): Promise<void> {
    const changed = (this.#changes.get(order.orderRef) ?? Promise.resolve()).then(change);
    this.#changes.set(
      order.orderRef,
      changed.catch(() => undefined),
    );
    return changed;
  }
}
