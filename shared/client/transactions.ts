import { type Adjustment, AdjustmentList, Transaction, TransactionList } from '../wire/transaction.ts';
import type { ReadOptions, WriteOptions } from './options.ts';
import { itemsOf, type List, type PageOptions } from './pages.ts';
import type {
  AdjustmentRequest,
  AuthorizeRequest,
  OrderIdRequest,
  ShipmentRequest,
  TransactionFilters,
} from './request-types.ts';
import type { Send } from './send.ts';

const transactionList: List<TransactionList, Transaction> = {
  name: 'transactions.list',
  path: ['transactions'],
  response: TransactionList,
  itemsIn: ({ transactions }) => transactions,
  idOf: ({ serviceTransactionId }) => serviceTransactionId,
};

/** Each method that changes a transaction returns it in its new state. @see server/docs/merchant-api.md, "Transactions". */
export class Transactions {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** @throws FairtermError `transaction-not-found`: the transaction does not exist, or belongs to another merchant. */
  retrieve(transactionId: string, options?: ReadOptions): Promise<Transaction> {
    const path = ['transactions', transactionId];
    return this.#send({ name: 'transactions.retrieve', method: 'GET', path, response: Transaction }, options);
  }

  /**
   * Iterates over your transactions, the newest first. Transactions that are created meanwhile are not among them.
   *
   * @example
   * for await (const transaction of fairterm.transactions.list({ orderRef: 'ORDER-1' })) console.log(transaction.status);
   */
  list(filters: TransactionFilters = {}, options: PageOptions = {}): AsyncGenerator<Transaction, void, undefined> {
    return itemsOf(this.#send, transactionList, filters, options);
  }

  /** Returns the cancels and refunds of a transaction, the earliest first. @throws FairtermError `transaction-not-found` */
  async adjustments(transactionId: string, options?: ReadOptions): Promise<Adjustment[]> {
    const path = ['transactions', transactionId, 'adjustments'];
    const operation = { name: 'transactions.adjustments', method: 'GET', path, response: AdjustmentList } as const;
    return (await this.#send(operation, options)).adjustments;
  }

  /** Sets your own order id. An empty one removes it. */
  setOrderId(transactionId: string, request: OrderIdRequest, options?: WriteOptions): Promise<Transaction> {
    const path = ['transactions', transactionId];
    return this.#send({ name: 'transactions.setOrderId', method: 'PUT', path, body: request, response: Transaction }, options);
  }

  /**
   * Authorizes a PENDING transaction. Compare its `total` with your order first, or send the total of your order as `amount`: the
   * service rejects any other than the remaining amount.
   *
   * @throws FairtermError with `isCardDecline` if the card that pays the remainder was declined.
   */
  async authorize(transactionId: string, request: AuthorizeRequest = {}, options?: WriteOptions): Promise<Transaction> {
    requirePositiveAmount(request);
    return this.#act('authorize', transactionId, request, options);
  }

  /** Settles an AUTHORIZED transaction after the order was fulfilled, which initiates the payment. */
  settle(transactionId: string, options?: WriteOptions): Promise<Transaction> {
    return this.#act('settle', transactionId, {}, options);
  }

  /** Cancels a transaction that is not settled: the whole remaining amount, an `amount` in cents, or `lineItems`. */
  async cancel(transactionId: string, request: AdjustmentRequest = {}, options?: WriteOptions): Promise<Transaction> {
    return this.#act('cancel', transactionId, requirePositive(request), options);
  }

  /** Refunds a SETTLED transaction: the whole remaining amount, an `amount` in cents, or `lineItems`. */
  async refund(transactionId: string, request: AdjustmentRequest = {}, options?: WriteOptions): Promise<Transaction> {
    return this.#act('refund', transactionId, requirePositive(request), options);
  }

  /** Sets the carrier and the tracking number. Omitted fields do not change. */
  ship(transactionId: string, request: ShipmentRequest, options?: WriteOptions): Promise<Transaction> {
    const path = ['transactions', transactionId, 'shipment'];
    return this.#send({ name: 'transactions.ship', method: 'POST', path, body: request, response: Transaction }, options);
  }

  #act(type: string, transactionId: string, request: object, options?: WriteOptions): Promise<Transaction> {
    const path = ['transactions', 'actions', transactionId];
    const body = { ...request, type };
    return this.#send({ name: `transactions.${type}`, method: 'POST', path, body, response: Transaction }, options);
  }
}

/**
 * Rejects an `amount` below 1 and empty `lineItems`. The service treats some of them as the whole remaining amount, but in a client
 * they are more likely the result of a mistake.
 */
function requirePositive(request: AdjustmentRequest): AdjustmentRequest {
  requirePositiveAmount(request);
  if ('lineItems' in request && !request.lineItems?.length) {
    throw new RangeError('lineItems: expected at least one, but received none; omit them for the whole remaining amount');
  }
  return request;
}

function requirePositiveAmount(request: { readonly amount?: number | undefined }): void {
  const { amount } = request;
  if ('amount' in request && !(amount !== undefined && amount > 0)) {
    throw new RangeError(`amount: expected at least 1 cent, but received ${amount}; omit it for the whole remaining amount`);
  }
}
