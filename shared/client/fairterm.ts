import { AsLowAsResponse } from '../wire/as-low-as.ts';
import { Carts } from './carts.ts';
import type { AsLowAsRequest } from './requests.ts';
import { Sandbox } from './sandbox.ts';
import { createSend, type FairtermOptions, type ReadOptions, type Send } from './send.ts';
import { Transactions } from './transactions.ts';
import { Widget } from './widget.ts';

/**
 * The merchant API, for a merchant's server. Amounts are cents.
 *
 * Calls that fail on the way, or that the service asks to make later, are made again; one idempotency key for all attempts
 * of a call keeps what they do from happening twice (see decisions/0017).
 *
 * Every call but `widget.fragment`, which never does, rejects with
 * - `FairtermError`, if the service rejected the call;
 * - `NoAnswerError`, when it could not be reached, had a fault, or its answer could not be used: a writing call may have taken
 *   place, and is to be made again with the error's `idempotencyKey`;
 * - `TypeError` or `RangeError`, when what it was called with cannot be sent;
 * - the reason of its `signal`, when that was aborted.
 *
 * @example
 * const fairterm = new Fairterm({ serviceUrl: 'https://financing.example', apiKey, secret });
 * const { url } = await fairterm.carts.create({ options: { orderRef: 'ORDER-1', customTotal: 129_900 } });
 */
export class Fairterm {
  readonly carts: Carts;
  readonly transactions: Transactions;
  readonly sandbox: Sandbox;
  readonly widget: Widget;
  readonly #send: Send;

  /** @throws TypeError | RangeError - options that cannot be used. */
  constructor(options: FairtermOptions) {
    this.#send = createSend(options);
    this.carts = new Carts(this.#send);
    this.transactions = new Transactions(this.#send);
    this.sandbox = new Sandbox(this.#send);
    this.widget = new Widget(options);
  }

  /** The lowest monthly price for an amount, with the disclosure that must stand beside it. */
  asLowAs(request: AsLowAsRequest, options?: ReadOptions): Promise<AsLowAsResponse> {
    return this.#send({ name: 'asLowAs', method: 'POST', path: ['aslowas'], body: request, answer: AsLowAsResponse }, options);
  }
}
