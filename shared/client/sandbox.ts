import { CheckoutResponse, ClockResponse, MessagesResponse } from '../wire/sandbox.ts';
import type { CheckoutRequest, ClockRequest } from './requests.ts';
import type { ReadOptions, Send, WriteOptions } from './send.ts';

/** For your own automated tests. A live service has none of it. */
export class Sandbox {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * A test buyer takes the cart through the checkout.
   *
   * @throws FairtermError `not-approved`: it ended without a purchase.
   */
  checkout(request: CheckoutRequest, options?: WriteOptions): Promise<CheckoutResponse> {
    const path = ['sandbox', 'checkouts'];
    return this.#send({ name: 'sandbox.checkout', method: 'POST', path, body: request, answer: CheckoutResponse }, options);
  }

  /** Moves the sandbox's clock, for everybody in it. */
  clock(request: ClockRequest, options?: WriteOptions): Promise<ClockResponse> {
    const path = ['sandbox', 'clock'];
    return this.#send({ name: 'sandbox.clock', method: 'POST', path, body: request, answer: ClockResponse }, options);
  }

  /** Your e-mails and text messages that were stored instead of sent, the latest first. */
  messages(options?: ReadOptions): Promise<MessagesResponse> {
    const path = ['sandbox', 'messages'];
    return this.#send({ name: 'sandbox.messages', method: 'GET', path, answer: MessagesResponse }, options);
  }
}
