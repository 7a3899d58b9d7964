import { Transaction } from '../wire/transaction.ts';
import type { AdjustmentRequest, AuthorizeRequest, OrderIdRequest, ShipmentRequest } from './requests.ts';
import type { ReadOptions, Send, WriteOptions } from './send.ts';

/** Every call answers the transaction as it is afterwards. @see Interface, "Merchant API: transactions". */
export class Transactions {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** @throws FairtermError `Transaction ID was invalid`, without a code: the transaction does not exist, or belongs to another merchant. */
  retrieve(transactionId: string, options?: ReadOptions): Promise<Transaction> {
    const path = ['transactions', transactionId];
    return this.#send({ name: 'transactions.retrieve', method: 'GET', path, answer: Transaction }, options);
  }

  /** Sets your own id of the order; an empty one takes it away. */
  setOrderId(transactionId: string, request: OrderIdRequest, options?: WriteOptions): Promise<Transaction> {
    const path = ['transactions', transactionId];
    return this.#send({ name: 'transactions.setOrderId', method: 'PUT', path, body: request, answer: Transaction }, options);
  }

  /**
   * Accepts a PENDING transaction as payment. Compare its `total` with your order's before.
   *
   * @throws FairtermError with `isCardDecline`: the card for the part that is not financed was declined.
   */
  authorize(transactionId: string, request: AuthorizeRequest = {}, options?: WriteOptions): Promise<Transaction> {
    return this.#act('authorize', transactionId, request, options);
  }

  /** Asks for the payment of an AUTHORIZED transaction; the order is fulfilled. */
  settle(transactionId: string, options?: WriteOptions): Promise<Transaction> {
    return this.#act('settle', transactionId, {}, options);
  }

  /** Gives up what is not settled: all that is left, an `amount` in cents, or `lineItems`. */
  async cancel(transactionId: string, request: AdjustmentRequest = {}, options?: WriteOptions): Promise<Transaction> {
    return this.#act('cancel', transactionId, meant(request), options);
  }

  /** Pays back what is settled: all that is left, an `amount` in cents, or `lineItems`. */
  async refund(transactionId: string, request: AdjustmentRequest = {}, options?: WriteOptions): Promise<Transaction> {
    return this.#act('refund', transactionId, meant(request), options);
  }

  /** Says how the order travels. What is left out stays as it is. */
  ship(transactionId: string, request: ShipmentRequest, options?: WriteOptions): Promise<Transaction> {
    const path = ['transactions', transactionId, 'shipment'];
    return this.#send({ name: 'transactions.ship', method: 'POST', path, body: request, answer: Transaction }, options);
  }

  #act(type: string, transactionId: string, request: object, options?: WriteOptions): Promise<Transaction> {
    const path = ['transactions', 'actions', transactionId];
    const body = { ...request, type };
    return this.#send({ name: `transactions.${type}`, method: 'POST', path, body, answer: Transaction }, options);
  }
}

/**
 * Rejects an `amount` that is not positive and an empty list. The service takes 0 and an empty list for "everything that is left", but a
 * caller that computed one of these meant nothing, or made a mistake.
 */
function meant(request: AdjustmentRequest): AdjustmentRequest {
  const { amount, lineItems } = request;
  const isNothing = 'amount' in request && !(amount !== undefined && amount > 0);
  if (isNothing) throw new RangeError('Expected amount to be at least 1 cent; leave it out to move everything that is left');
  if ('lineItems' in request && !lineItems?.length) {
    throw new RangeError('Expected lineItems to name something; leave it out to move everything that is left');
  }
  return request;
}
