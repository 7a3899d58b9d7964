import { acceptedContact, type ContactInput, type Transaction } from '@fairterm/client';
import { Injectable } from '@nestjs/common';
import {
  ActiveOrderService,
  ConfigService,
  isGraphQlErrorResult,
  Order,
  OrderService,
  PaymentMethodService,
} from '@vendure/core';
import { type RequestContext, totalCoveredByPayments, TransactionalConnection, UserInputError } from '@vendure/core';
import { CALLBACK_ROUTE, ensure, fairterm, HANDLER_CODE, options, rowLock, SIGNED } from './service.ts';

/** Relations of an order that are read with it. */
const RELATIONS: ('customer' | 'payments')[] = ['customer', 'payments'];

/** The checkout at Fairterm, which a buyer completes before the payment is added to the order. */
@Injectable()
export class Checkout {
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly activeOrders: ActiveOrderService,
    private readonly config: ConfigService,
    private readonly connection: TransactionalConnection,
    private readonly methods: PaymentMethodService,
    private readonly orders: OrderService,
  ) {}

  /** Returns the URL to which the storefront redirects the buyer of the active order. */
  async start(outerCtx: RequestContext): Promise<string> {
    const active = await this.activeOrders.getActiveOrder(outerCtx, undefined);
    if (!active) throw new UserInputError('There is no active order');
    return this.#exclusively(outerCtx, active.code, async (ctx) => {
      // The buyer may have signed already, and the callback may be late.
      const order = await this.#confirm(ctx, active.code);
      if (order?.active) return this.#createCart(ctx, order);
      return `${options.completeUrl}?${new URLSearchParams({ orderRef: active.code })}`;
    });
  }

  /**
   * Pays an order by the purchase that the buyer has signed, and cancels other purchases with its reference. Returns the order, or undefined
   * if the channel has none with this code.
   */
  confirm(outerCtx: RequestContext, code: string) {
    return this.#exclusively(outerCtx, code, (ctx) => this.#confirm(ctx, code));
  }

  /** Runs work for an order in a database transaction, after earlier work for it. */
  #exclusively<T>(outerCtx: RequestContext, code: string, work: (ctx: RequestContext) => Promise<T>): Promise<T> {
    const lock = rowLock(this.connection);
    const run = () =>
      this.connection.withTransaction(outerCtx, async (ctx) => {
        await this.connection.getRepository(ctx, Order).findOne({ where: { code }, loadEagerRelations: false, ...lock });
        return work(ctx);
      });
    if (lock) return run();
    // On SQLite, TypeORM does not isolate the transactions of a process.
    const result = this.#last.then(run, run);
    this.#last = result;
    return result;
  }

  async #confirm(ctx: RequestContext, code: string) {
    const order = await this.orders.findOneByCode(ctx, code, RELATIONS);
    if (!order) return undefined;
    const unused: Transaction[] = [];
    for await (const transaction of fairterm.transactions.list({ orderRef: code }))
      if (/PENDING|AUTHORIZED/.test(transaction.status) && !isPaidBy(order, transaction)) unused.push(transaction);

    const signed = unused.filter(({ adjustedTotal }) => adjustedTotal === unpaidCents(order));
    // The answer of an earlier authorization may have been lost. Otherwise, the first purchase pays.
    const transaction = signed.find(({ status }) => status === 'AUTHORIZED') ?? signed.at(-1);
    const method = await this.#methodIn(ctx);
    if (order.active && transaction && method && !(await this.#arrangePayment(ctx, order)))
      await this.orders.addPaymentToOrder(ctx, order.id, { method, metadata: { [SIGNED]: transaction } });

    const confirmed = (await this.orders.findOneByCode(ctx, code, RELATIONS))!;
    for (const { serviceTransactionId: id } of unused.filter((candidate) => !isPaidBy(confirmed, candidate))) {
      await ensure(id, 'CANCELED', () => fairterm.transactions.cancel(id));
      const note = `Fairterm: the transaction ${id} was canceled, because it does not pay this order`;
      await this.orders.addNoteToOrder(ctx, { id: order.id, note, isPublic: false });
    }
    return confirmed;
  }

  async #createCart(ctx: RequestContext, order: Order): Promise<string> {
    const failure = await this.#arrangePayment(ctx, order);
    if (failure) throw new UserInputError(failure);
    if (order.currencyCode !== 'USD') throw new UserInputError(`Expected the currency USD, but received ${order.currencyCode}`);
    if (!(await this.#methodIn(ctx))) throw new UserInputError('No enabled payment method has the handler fairterm');

    // The amount may have changed, and the buyer may have several pages.
    for await (const { id } of fairterm.carts.list({ orderRef: order.code, status: 'open' })) await fairterm.carts.expire(id);
    const channel = new URLSearchParams({ [this.config.apiOptions.channelTokenKey]: ctx.channel.token });
    const cart = {
      orderRef: order.code,
      customTotal: unpaidCents(order),
      billingContact: contactOf(order, order.billingAddress),
      shippingContact: contactOf(order, order.shippingAddress),
      callbackUrl: `${options.vendureUrl}/${CALLBACK_ROUTE}?${channel}`,
      completeUrl: options.completeUrl,
      errorUrl: options.errorUrl,
    };
    return (await fairterm.carts.create({ options: cart })).url;
  }

  /** Brings an order into the state in which it can be paid. Returns the reason if that is not possible. */
  async #arrangePayment(ctx: RequestContext, { id, state }: Order): Promise<string | undefined> {
    if (state === 'ArrangingPayment') return undefined;
    const result = await this.orders.transitionToState(ctx, id, 'ArrangingPayment');
    return isGraphQlErrorResult(result) ? result.transitionError : undefined;
  }

  /** Returns the code of the enabled payment method in the channel with the handler of this plug-in. */
  async #methodIn(ctx: RequestContext): Promise<string | undefined> {
    const methods = await this.methods.getActivePaymentMethods(ctx);
    return methods.find(({ handler }) => handler.code === HANDLER_CODE)?.code;
  }
}

const isPaidBy = ({ payments }: Order, { serviceTransactionId: id }: Transaction): boolean =>
  payments.some(({ transactionId }) => transactionId === id);

/** Returns what other payments leave of the total. */
const unpaidCents = (order: Order): number => order.totalWithTax - totalCoveredByPayments(order);

/** Returns the contact of an address in the US. */
function contactOf({ customer }: Order, address: Order['billingAddress']): ContactInput | undefined {
  if (address.countryCode !== 'US') return undefined;
  return acceptedContact({
    ...address,
    address: address.streetLine1,
    address2: address.streetLine2,
    state: address.province,
    zip: address.postalCode,
    email: customer?.emailAddress,
    phone: address.phoneNumber || customer?.phoneNumber,
  });
}
