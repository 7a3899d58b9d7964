import type { Struct } from 'superstruct';
import { Cart } from '../wire/cart.ts';
import { SharedCart } from '../wire/sharing.ts';
import type { CreateCartRequest, EmailCartRequest, TextCartRequest } from './requests.ts';
import type { ReadOptions, Send, WriteOptions } from './send.ts';

// The struct lets the options through as they are; what stands in them is what the cart was created with.
const CartAnswer = Cart as unknown as Struct<Cart>;

/** @see Interface, "Merchant API: carts". A cart cannot be changed: create another. */
export class Carts {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Creates a cart; the buyer goes to its `url`. */
  create(request: CreateCartRequest, options?: WriteOptions): Promise<Cart> {
    return this.#send({ name: 'carts.create', method: 'POST', path: ['carts'], body: request, answer: CartAnswer }, options);
  }

  /** @throws FairtermError `cart-not-found` */
  retrieve(cartId: string, options?: ReadOptions): Promise<Cart> {
    return this.#send({ name: 'carts.retrieve', method: 'GET', path: ['carts', cartId], answer: CartAnswer }, options);
  }

  /** Makes the link useless. Doing so again changes nothing. */
  expire(cartId: string, options?: WriteOptions): Promise<void> {
    return this.#send({ name: 'carts.expire', method: 'POST', path: ['carts', cartId, 'expire'] }, options);
  }

  /** Sends the link to a customer by e-mail. The sandbox stores the e-mail instead, see `sandbox.messages`. */
  email(cartId: string, request: EmailCartRequest, options?: WriteOptions): Promise<SharedCart> {
    const path = ['carts', cartId, 'email'];
    return this.#send({ name: 'carts.email', method: 'POST', path, body: request, answer: SharedCart }, options);
  }

  /** Sends the link to a customer by text message. The sandbox keeps it instead, see `sandbox.messages`. */
  text(cartId: string, request: TextCartRequest, options?: WriteOptions): Promise<SharedCart> {
    const path = ['carts', cartId, 'text'];
    return this.#send({ name: 'carts.text', method: 'POST', path, body: request, answer: SharedCart }, options);
  }
}
