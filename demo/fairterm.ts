import { create, integer, string, type, type Infer, type Struct } from 'superstruct';

/** One line of a cart. `price` is that of one, in cents. */
export interface CartItem {
  name: string;
  sku: string;
  price: number;
  quantity: number;
  imageUrl: string;
  detailUrl: string;
}

/** What is taken off a cart; `amount` in cents, above 0. */
export interface Discount {
  amount: number;
  description: string;
}

/** A way of delivery. `type` is shown to the buyer, `typeId` comes back with the transaction, `cost` is in cents. */
export interface ShippingOption {
  type: string;
  typeId: string;
  cost: number;
}

/** What a checkout is to be opened for, and where the service reports how it went. */
export interface CartOptions {
  orderRef: string;
  callbackUrl: string;
  completeUrl: string;
  errorUrl: string;
  items: CartItem[];
  discounts: Discount[];
  shippingOptions: readonly ShippingOption[];
}

const Cart = type({ id: string(), url: string() });
const Transaction = type({
  serviceTransactionId: string(),
  status: string(),
  /** In cents, delivery included. */
  total: integer(),
  /** `typeId` of the delivery that the buyer chose. */
  shippingMethodCode: string(),
  /** The order that the transaction was authorized for; empty before. */
  merchantOrderId: string(),
});
export type Cart = Infer<typeof Cart>;
export type Transaction = Infer<typeof Transaction>;

/** The service said no, or could not be asked. The message is the service's own description, for the shop's log. */
export class FairtermError extends Error {
  override readonly name = 'FairtermError';

  /** Whether the buyer's bank declined the card that pays the part which is not financed. */
  get isCardDecline(): boolean {
    return this.message.includes('credit card portion');
  }
}

export interface FairtermOptions {
  /** Where the service is, for example `https://financing.example`. */
  serviceUrl: string;
  apiKey: string;
  secret: string;
  /** How long one call may take; 5 seconds by default. */
  timeoutMs?: number;
}

/** The four calls this shop makes. Every refusal and every failure is a {@link FairtermError}. */
export class Fairterm {
  readonly #options: FairtermOptions;

  constructor(options: FairtermOptions) {
    this.#options = options;
  }

  /** Opens a checkout; the buyer goes to the cart's `url`. */
  createCart(options: CartOptions): Promise<Cart> {
    return this.#call('POST', '/carts', Cart, { options });
  }

  getTransaction(id: string): Promise<Transaction> {
    return this.#call('GET', `/transactions/${encodeURIComponent(id)}`, Transaction);
  }

  /** Accepts a pending transaction as payment for the order `merchantOrderId`. Only the first call succeeds. */
  authorize(id: string, merchantOrderId: string): Promise<Transaction> {
    return this.#act(id, { type: 'authorize', merchantOrderId });
  }

  /** Gives up a transaction that is not settled. */
  cancel(id: string): Promise<Transaction> {
    return this.#act(id, { type: 'cancel' });
  }

  #act(id: string, action: object): Promise<Transaction> {
    return this.#call('POST', `/transactions/actions/${encodeURIComponent(id)}`, Transaction, action);
  }

  async #call<T>(method: string, path: string, answer: Struct<T>, body?: object): Promise<T> {
    const { serviceUrl, apiKey, secret, timeoutMs = 5_000 } = this.#options;
    const headers = {
      authorization: `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
    };
    const init: RequestInit = { method, headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) };
    if (body) init.body = JSON.stringify(body);
    try {
      const response = await fetch(new URL(path, serviceUrl), init);
      const json: unknown = await response.json();
      if (!response.ok) throw new FairtermError(describe(json) ?? `Answered ${response.status}`);
      return create(json, answer);
    } catch (cause) {
      if (cause instanceof FairtermError) throw cause;
      throw new FairtermError(`${method} ${path} brought no usable answer: ${String(cause)}`, { cause });
    }
  }
}

function describe(json: unknown): string | undefined {
  if (typeof json !== 'object' || json === null || !('description' in json)) return undefined;
  return typeof json.description === 'string' ? json.description : undefined;
}
