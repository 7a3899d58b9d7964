import { Cart, CartList, SharedCart } from '../wire/cart.ts';
import type { ReadOptions, WriteOptions } from './options.ts';
import { itemsOf, type List, type PageOptions } from './pages.ts';
import type { CartFilters, CreateCartRequest, EmailCartRequest, TextCartRequest } from './request-types.ts';
import type { Send } from './send.ts';

const cartList: List<CartList, Cart> = {
  name: 'carts.list',
  path: ['carts'],
  response: CartList,
  itemsIn: ({ carts }) => carts,
  idOf: ({ id }) => id,
};

/** @see server/docs/merchant-api.md, "Create a cart". A cart cannot be changed; create a new one instead. */
export class Carts {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Creates a cart. Send the buyer to its `url`. */
  create(request: CreateCartRequest, options?: WriteOptions): Promise<Cart> {
    return this.#send({ name: 'carts.create', method: 'POST', path: ['carts'], body: request, response: Cart }, options);
  }

  /** @throws FairtermError `cart-not-found` */
  retrieve(cartId: string, options?: ReadOptions): Promise<Cart> {
    return this.#send({ name: 'carts.retrieve', method: 'GET', path: ['carts', cartId], response: Cart }, options);
  }

  /**
   * Iterates over your carts, the newest first. Carts that are created meanwhile are not among them.
   *
   * @example
   * for await (const { url } of fairterm.carts.list({ status: 'open' })) console.log(url);
   */
  list(filters: CartFilters = {}, options: PageOptions = {}): AsyncGenerator<Cart, void, undefined> {
    return itemsOf(this.#send, cartList, filters, options);
  }

  /** Expires the checkout link. Succeeds if the cart is expired already. */
  expire(cartId: string, options?: WriteOptions): Promise<void> {
    return this.#send({ name: 'carts.expire', method: 'POST', path: ['carts', cartId, 'expire'] }, options);
  }

  /** Sends the link to a customer by e-mail. The sandbox stores the e-mail instead, see `sandbox.messages`. */
  email(cartId: string, request: EmailCartRequest, options?: WriteOptions): Promise<SharedCart> {
    const path = ['carts', cartId, 'email'];
    return this.#send({ name: 'carts.email', method: 'POST', path, body: request, response: SharedCart }, options);
  }

  /** Sends the link to a customer by text message. The sandbox stores the message instead, see `sandbox.messages`. */
  text(cartId: string, request: TextCartRequest, options?: WriteOptions): Promise<SharedCart> {
    const path = ['carts', cartId, 'text'];
    return this.#send({ name: 'carts.text', method: 'POST', path, body: request, response: SharedCart }, options);
  }
}
