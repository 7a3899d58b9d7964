import { CallbackError, Fairterm, FairtermError, type FairtermOptions, type Transaction, verifyCallback } from '@fairterm/client';
import type * as Medusa from '@medusajs/framework/types';
import { AbstractPaymentProvider, MathBN, MedusaError } from '@medusajs/framework/utils';
import { centsOf, contactOf, type SessionData, sessionDataOf } from './session.ts';

/** The `options` of the provider in `medusa-config`, with those of the client. */
export interface ProviderOptions extends FairtermOptions, Record<string, unknown> {
  /** Callback secrets, `whsec_…`: two during a rotation. */
  callbackSecrets: string[];
  /** Route of Medusa that receives callbacks: `https://api.shop.example/hooks/payment/fairterm_fairterm`. */
  callbackUrl: string;
  /** Page of the storefront that completes the cart after a purchase. */
  completeUrl: string;
  /** Page of the storefront where the buyer can select another payment method. */
  errorUrl: string;
}

const OPTIONS = ['serviceUrl', 'apiKey', 'secret', 'callbackSecrets', 'callbackUrl', 'completeUrl', 'errorUrl'];

/** Timeout of calls for which a buyer waits. */
const BUYER_TIMEOUT_MS = 10_000;

/** Callbacks may wait in Medusa's queue. A repeated callback changes nothing, so an old one is accepted. */
const CALLBACK_TOLERANCE_MS = 86_400_000;

/** Payments by financing. A payment session has one open cart at Fairterm, and is paid by the transaction of that cart only. */
export class FairtermPaymentProvider extends AbstractPaymentProvider<ProviderOptions> {
  static override identifier = 'fairterm';

  readonly #fairterm: Fairterm;
  readonly #logger: Medusa.Logger;

  /** @throws MedusaError if an option is missing, usually because an environment variable is not set. */
  static override validateOptions(options: Record<string, string | string[] | undefined>): void {
    const missing = OPTIONS.filter((name) => String(options[name] ?? '') === '');
    if (missing.length === 0) return;
    throw new MedusaError(MedusaError.Types.INVALID_DATA, `Expected the options ${missing.join(', ')} of the provider fairterm`);
  }

  constructor(container: { logger: Medusa.Logger }, options: ProviderOptions) {
    super(container, options);
    this.#fairterm = new Fairterm(options);
    this.#logger = container.logger;
  }

  /** Creates a cart. The storefront redirects the buyer to the `url` in the data of the session. */
  async initiatePayment(input: Medusa.InitiatePaymentInput): Promise<Medusa.InitiatePaymentOutput> {
    const { callbackUrl, completeUrl, errorUrl } = this.config;
    const session_id = String(input.data?.['session_id']);
    const amount_cents = centsOf(input.amount, input.currency_code);
    const billingContact = contactOf(input.context?.customer);
    const options = { orderRef: session_id, customTotal: amount_cents, billingContact, callbackUrl, completeUrl, errorUrl };
    const { id, url } = await this.#fairterm.carts.create({ options }, { signal: AbortSignal.timeout(BUYER_TIMEOUT_MS) });
    return { id, data: { session_id, cart_id: id, url, amount_cents } satisfies SessionData };
  }

  /** Replaces the cart if the amount has changed, because a cart cannot be changed. */
  async updatePayment(input: Medusa.UpdatePaymentInput): Promise<Medusa.UpdatePaymentOutput> {
    const data = sessionDataOf(input.data);
    if (centsOf(input.amount, input.currency_code) === data.amount_cents) return { data };
    await this.#close(data.cart_id);
    return { data: { ...data, ...(await this.initiatePayment(input)).data } };
  }

  /** Closes the cart of a session that the buyer has left, for example for another payment method. */
  async deletePayment({ data }: Medusa.DeletePaymentInput): Promise<Medusa.DeletePaymentOutput> {
    // A session that could not be stored has no cart.
    if (data?.['cart_id']) await this.#close(sessionDataOf(data).cart_id);
    return {};
  }

  /** Authorizes the transaction that the buyer has signed. */
  async authorizePayment(input: Medusa.AuthorizePaymentInput): Promise<Medusa.AuthorizePaymentOutput> {
    const data = sessionDataOf(input.data);
    const order = { merchantOrderId: data.session_id };
    let transaction = await this.#transactionOf(data);
    if (!transaction) return { data, status: 'pending' };
    const id = transaction.serviceTransactionId;

    if (transaction.status === 'PENDING') {
      const request = { ...order, amount: data.amount_cents };
      try {
        transaction = await this.#ensure(id, 'AUTHORIZED', () => this.#fairterm.transactions.authorize(id, request));
      } catch (error) {
        if (!(error instanceof FairtermError && error.isCardDecline)) throw error;
        await this.#cancel(id);
        return { data, status: 'error' };
      }
    }
    const status = STATUSES[transaction.status];
    // A person may have authorized it in the console, and canceled or refunded a part.
    if (status === 'canceled' || transaction.adjustedTotal !== data.amount_cents) return { data, status: 'canceled' };
    if (transaction.merchantOrderId !== data.session_id) await this.#fairterm.transactions.setOrderId(id, order);
    await this.#cancelOthers(data.session_id);
    return { data: { ...data, transaction_id: id, refunds: 0 }, status };
  }

  /** Settles the whole transaction. Medusa calls it for each captured part, without an amount: later calls change nothing. */
  async capturePayment(input: Medusa.CapturePaymentInput): Promise<Medusa.CapturePaymentOutput> {
    const data = sessionDataOf(input.data);
    const { transaction_id: id = '' } = data;
    await explained(() => this.#ensure(id, 'SETTLED', () => this.#fairterm.transactions.settle(id)));
    return { data };
  }

  /**
   * Refunds an amount. Medusa forgets a refund that failed, and repeats it with another id. A refund whose answer was lost is found by its
   * number, which only a recorded refund increments.
   */
  async refundPayment(input: Medusa.RefundPaymentInput): Promise<Medusa.RefundPaymentOutput> {
    const data = sessionDataOf(input.data);
    const id = data.transaction_id ?? '';
    const amount = centsOf(input.amount);
    const refunds = (data.refunds ?? 0) + 1;
    const reference = `medusa:refund:${refunds}`;
    const adjustments = await this.#fairterm.transactions.adjustments(id);
    const lost = adjustments.find((adjustment) => adjustment.reference === reference);
    if (!lost) await explained(() => this.#fairterm.transactions.refund(id, { amount, reference }));
    else if (lost.amount !== amount) {
      const message = `A refund of $${(lost.amount / 100).toFixed(2)} was made, but its answer was lost. Refund this amount first.`;
      throw new MedusaError(MedusaError.Types.NOT_ALLOWED, message);
    }
    return { data: { ...data, refunds } };
  }

  /** Cancels the purchase, or refunds what is left of it after the settlement. */
  async cancelPayment(input: Medusa.CancelPaymentInput): Promise<Medusa.CancelPaymentOutput> {
    const data = sessionDataOf(input.data);
    const transaction = await this.#transactionOf(data);
    const id = transaction?.serviceTransactionId;
    if (!id) await this.#close(data.cart_id);
    else if (isOpen(transaction)) await this.#cancel(id);
    else if (transaction.status === 'SETTLED') await this.#ensure(id, 'REFUNDED', () => this.#fairterm.transactions.refund(id));
    return { data };
  }

  async retrievePayment(input: Medusa.RetrievePaymentInput): Promise<Medusa.RetrievePaymentOutput> {
    return this.getPaymentStatus(input);
  }

  async getPaymentStatus(input: Medusa.GetPaymentStatusInput): Promise<Medusa.GetPaymentStatusOutput> {
    const data = sessionDataOf(input.data);
    const transaction = await this.#transactionOf(data);
    return { data, status: STATUSES[transaction?.status ?? 'PENDING'] };
  }

  /** Verifies a callback. Medusa then completes the cart of the session, which calls `authorizePayment`. */
  async getWebhookActionAndData(payload: Medusa.ProviderWebhookPayload['payload']): Promise<Medusa.WebhookActionResult> {
    const ignored = { action: 'not_supported' } as const;
    const { rawData: body } = payload;
    const headers = payload.headers as Record<string, string>;
    const secrets = this.config.callbackSecrets;
    try {
      const { transactionId } = await verifyCallback({ body, headers, secrets, toleranceMs: CALLBACK_TOLERANCE_MS });
      const transaction = await this.#fairterm.transactions.retrieve(transactionId);
      const { orderRef, total } = transaction;
      // For an unknown session, Medusa would complete any cart. The purchase of a deleted session is canceled.
      if (!orderRef.startsWith('payses_') || !isOpen(transaction)) return ignored;
      const canceled = await this.#cancelOthers(orderRef);
      if (canceled.includes(transactionId)) return ignored;
      return { action: 'authorized', data: { session_id: orderRef, amount: MathBN.div(total, 100) } };
    } catch (error) {
      if (!(error instanceof CallbackError || error instanceof FairtermError)) throw error;
      this.#logger.warn(`A callback of Fairterm was ignored: ${error.message}`);
      return ignored;
    }
  }

  /** Returns the transaction of a cart, which has at most one. */
  async #transactionOf({ cart_id }: SessionData): Promise<Transaction | undefined> {
    for await (const transaction of this.#fairterm.transactions.list({ cartId: cart_id })) return transaction;
    return undefined;
  }

  /** Cancels other purchases of a session that is paid, and returns their ids. The one that pays has the order id that `authorizePayment` sets. */
  async #cancelOthers(sessionId: string): Promise<string[]> {
    const others: string[] = [];
    let paidBy: string | undefined;
    for await (const transaction of this.#fairterm.transactions.list({ orderRef: sessionId })) {
      const { serviceTransactionId: id, status, merchantOrderId } = transaction;
      if (merchantOrderId === sessionId && status !== 'CANCELED' && status !== 'EXPIRED') paidBy = id;
      else if (isOpen(transaction)) others.push(id);
    }
    if (!paidBy) return [];
    for (const id of others) {
      await this.#cancel(id);
      this.#logger.warn(`The transaction ${id} was canceled, because ${paidBy} pays the payment session ${sessionId}`);
    }
    return others;
  }

  /**
   * Expires a cart. If the buyer has signed before, cancels the purchase.
   *
   * @throws MedusaError if the purchase is authorized: an order may be paid by it, and a storefront can delete payment sessions.
   */
  async #close(cartId: string): Promise<void> {
    await this.#fairterm.carts.expire(cartId, { signal: AbortSignal.timeout(BUYER_TIMEOUT_MS) });
    for await (const { status, serviceTransactionId: id } of this.#fairterm.transactions.list({ cartId })) {
      if (status === 'PENDING') await this.#cancel(id);
      if (status !== 'AUTHORIZED' && status !== 'SETTLED') continue;
      throw new MedusaError(MedusaError.Types.NOT_ALLOWED, 'The purchase is authorized: complete the cart or cancel the order');
    }
  }

  #cancel(id: string): Promise<Transaction> {
    return this.#ensure(id, 'CANCELED', () => this.#fairterm.transactions.cancel(id));
  }

  /** Changes a transaction. Ignores an error if it has the status: the answer was lost, or another request was faster. */
  async #ensure(id: string, status: Transaction['status'], change: () => Promise<Transaction>): Promise<Transaction> {
    try {
      return await change();
    } catch (error) {
      const transaction = await this.#fairterm.transactions.retrieve(id).catch(() => undefined);
      if (transaction?.status !== status) throw error;
      return transaction;
    }
  }
}

const isOpen = ({ status }: Transaction): boolean => status === 'PENDING' || status === 'AUTHORIZED';

const STATUSES = {
  PENDING: 'pending',
  AUTHORIZED: 'authorized',
  SETTLED: 'captured',
  REFUNDED: 'captured',
  CANCELED: 'canceled',
  EXPIRED: 'canceled',
} as const satisfies Record<Transaction['status'], Medusa.PaymentSessionStatus>;

/** Shows the reason of a rejection in Medusa's admin, which has a general message for other errors. */
async function explained<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof FairtermError)) throw error;
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, error.description);
  }
}
