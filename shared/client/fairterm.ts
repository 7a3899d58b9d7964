import { AsLowAsResponse } from '../wire/as-low-as.ts';
import { Carts } from './carts.ts';
import { Events } from './events.ts';
import type { FairtermOptions, ReadOptions } from './options.ts';
import type { AsLowAsRequest } from './request-types.ts';
import { Sandbox } from './sandbox.ts';
import { createSend, type Send } from './send.ts';
import { Settlements } from './settlements.ts';
import { Transactions } from './transactions.ts';
import { Webhooks } from './webhooks.ts';

/**
 * Client of the merchant API, for a merchant's server. Amounts are in cents.
 *
 * Failed calls are retried where that may help. All attempts of a call have the same idempotency key, so that it has at most one
 * effect (server/decisions/0017).
 *
 * Methods reject with the following errors:
 * - `FairtermError` if the service rejects the call
 * - `UnknownOutcomeError` if the outcome is unknown. Repeat a write with the error's `idempotencyKey`.
 * - `TypeError` or `RangeError` if an argument is invalid
 * - the reason of the `signal` if it is aborted
 *
 * @example
 * const fairterm = new Fairterm({ serviceUrl: 'https://financing.example', apiKey, secret });
 * const { url } = await fairterm.carts.create({ options: { orderRef: 'ORDER-1', customTotal: 129_900 } });
 */
export class Fairterm {
  readonly carts: Carts;
  readonly transactions: Transactions;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly settlements: Settlements;
  readonly sandbox: Sandbox;
  readonly #send: Send;

  /** @throws TypeError | RangeError if an option is invalid. */
  constructor(options: FairtermOptions) {
    this.#send = createSend(options);
    this.carts = new Carts(this.#send);
    this.transactions = new Transactions(this.#send);
    this.events = new Events(this.#send);
    this.webhooks = new Webhooks(this.#send);
    this.settlements = new Settlements(this.#send);
    this.sandbox = new Sandbox(this.#send);
  }

  /** Returns the lowest monthly payment for an amount, and the disclosure that must be shown with it. */
  asLowAs(request: AsLowAsRequest, options?: ReadOptions): Promise<AsLowAsResponse> {
    return this.#send({ name: 'asLowAs', method: 'POST', path: ['aslowas'], body: request, response: AsLowAsResponse }, options);
  }
}
