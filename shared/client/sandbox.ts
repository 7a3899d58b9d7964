import { CheckoutResponse, ClockResponse, MessagesResponse } from '../wire/sandbox.ts';
import { SettlementList, type SettlementsResponse } from '../wire/settlement.ts';
import type { ReadOptions, WriteOptions } from './options.ts';
import type { CheckoutRequest, ClockRequest } from './request-types.ts';
import type { Send } from './send.ts';

/** Operations for automated tests. Only the sandbox supports them. */
export class Sandbox {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Completes the checkout of a cart with a test buyer.
   *
   * @throws FairtermError `not-approved` if the checkout ends without a purchase.
   */
  checkout(request: CheckoutRequest, options?: WriteOptions): Promise<CheckoutResponse> {
    const path = ['sandbox', 'checkouts'];
    return this.#send({ name: 'sandbox.checkout', method: 'POST', path, body: request, response: CheckoutResponse }, options);
  }

  /** Sets the clock of the sandbox, for all merchants in it. */
  clock(request: ClockRequest, options?: WriteOptions): Promise<ClockResponse> {
    const path = ['sandbox', 'clock'];
    return this.#send({ name: 'sandbox.clock', method: 'POST', path, body: request, response: ClockResponse }, options);
  }

  /** Settles the purchases of the merchant through the current day (UTC), and returns the new settlements. A day is settled once. */
  settle(options?: WriteOptions): Promise<SettlementsResponse> {
    const path = ['sandbox', 'settlements'];
    return this.#send({ name: 'sandbox.settle', method: 'POST', path, response: SettlementList }, options);
  }

  /** Returns the e-mails and text messages that were stored instead of sent, latest first. */
  messages(options?: ReadOptions): Promise<MessagesResponse> {
    const path = ['sandbox', 'messages'];
    return this.#send({ name: 'sandbox.messages', method: 'GET', path, response: MessagesResponse }, options);
  }
}
