import { acceptedContact, CallbackError, type ContactInput, type Transaction, verifyCallback } from '@fairterm/client';
import { BadRequestException, Body, Controller, Headers, HttpCode, NotFoundException, Post } from '@nestjs/common';
import { Mutation, Resolver } from '@nestjs/graphql';
import { ActiveOrderService, Allow, ConfigService, Ctx, isGraphQlErrorResult, Order, OrderService } from '@vendure/core';
import { PaymentMethodService, Permission, RequestContext, totalCoveredByPayments } from '@vendure/core';
import { TransactionalConnection, UserInputError } from '@vendure/core';
import { ensure, fairterm, fairtermHandler, options, rowLock, SIGNED } from './handler.ts';

/** Path that receives callbacks. */
export const CALLBACK_ROUTE = 'fairterm/callback';

/** The end of the last work for an order on SQLite. NestJS has an instance of `Checkout` for the mutation and another one for callbacks. */
let last: Promise<unknown> = Promise.resolve();

/** The mutation that starts a checkout at Fairterm, and the callback after it. The buyer completes it before the order is paid. */
@Resolver()
@Controller(CALLBACK_ROUTE)
export class Checkout {
  constructor(
    private readonly activeOrders: ActiveOrderService,
    private readonly config: ConfigService,
    private readonly connection: TransactionalConnection,
    private readonly methods: PaymentMethodService,
    private readonly orders: OrderService,
  ) {}

  /** Returns the URL to which the storefront redirects the buyer of the active order. */
  @Mutation()
  @Allow(Permission.Owner)
  async startFairtermCheckout(@Ctx() outerCtx: RequestContext): Promise<string> {
    const active = await this.activeOrders.getActiveOrder(outerCtx, undefined);
    if (!active) throw new UserInputError('There is no active order');
    // The buyer may have signed already, and the callback may be late.
    return this.#confirm(outerCtx, active.code, async (ctx, order) => {
      if (order?.active) return this.#createCart(ctx, order);
      const url = new URL(options.completeUrl);
      url.searchParams.set('orderRef', active.code);
      return url.href;
    });
  }

  /** Receives a callback. The service repeats it for three days until the response is 2xx. */
  @Post()
  @HttpCode(204)
  async confirmOrder(@Ctx() outerCtx: RequestContext, @Body() body: Uint8Array, @Headers() headers: Record<string, string>) {
    const { orderRef } = await verifyCallback({ body, headers, secrets: options.callbackSecrets }).catch((error: unknown) => {
      throw error instanceof CallbackError ? new BadRequestException(error.message) : error;
    });
    const isFound = await this.#confirm(outerCtx, orderRef, async (_ctx, order) => order !== undefined);
    if (!isFound) throw new NotFoundException('Order not found');
  }

  /** Pays an order as `#pay` does and runs work for it, in one database transaction and after earlier work for it. */
  #confirm<T>(outerCtx: RequestContext, code: string, work: (ctx: RequestContext, order?: Order) => Promise<T>): Promise<T> {
    const lock = rowLock(this.connection);
    const run = () =>
      this.connection.withTransaction(outerCtx, async (ctx) => {
        await this.connection.getRepository(ctx, Order).findOne({ where: { code }, loadEagerRelations: false, ...lock });
        return work(ctx, await this.#pay(ctx, code));
      });
    if (lock) return run();
    // On SQLite, TypeORM does not isolate the transactions of a process.
    const result = last.then(run, run);
    last = result;
    return result;
  }

  /**
   * Pays an order by the purchase that the buyer has signed, and cancels other purchases with its reference. Returns the order, or
   * undefined if the channel has none with this code.
   */
  async #pay(ctx: RequestContext, code: string) {
    const findOrder = () => this.orders.findOneByCode(ctx, code, ['customer', 'payments']);
    const order = await findOrder();
    if (!order) return undefined;
    const unused: Transaction[] = [];
    for await (const transaction of fairterm.transactions.list({ orderRef: code }))
      if (/PENDING|AUTHORIZED/.test(transaction.status) && !isPaidBy(order, transaction)) unused.push(transaction);

    const signed = unused.filter(({ adjustedTotal }) => adjustedTotal === unpaidCents(order));
    // The answer of an earlier authorization may have been lost. Otherwise, the first purchase pays.
    const transaction = signed.find(({ status }) => status === 'AUTHORIZED') ?? signed.at(-1);
    const method = await this.#methodIn(ctx);
    if (order.active && transaction && method) {
      // The buyer may have returned to the cart. An order that cannot be paid is not changed by either call.
      await this.orders.transitionToState(ctx, order.id, 'ArrangingPayment');
      await this.orders.addPaymentToOrder(ctx, order.id, { method, metadata: { [SIGNED]: transaction } });
    }

    const confirmed = (await findOrder())!;
    for (const { serviceTransactionId: id } of unused.filter((candidate) => !isPaidBy(confirmed, candidate))) {
      await ensure(id, 'CANCELED', () => fairterm.transactions.cancel(id));
      const note = `Fairterm: the transaction ${id} was canceled, because it does not pay this order`;
      await this.orders.addNoteToOrder(ctx, { id: order.id, note, isPublic: false });
    }
    return confirmed;
  }

  /** Brings an order into the state in which it can be paid, and returns the URL of a new cart for it. */
  async #createCart(ctx: RequestContext, order: Order): Promise<string> {
    const arranged = await this.orders.transitionToState(ctx, order.id, 'ArrangingPayment');
    if (isGraphQlErrorResult(arranged) && order.state !== 'ArrangingPayment') throw new UserInputError(arranged.transitionError);
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

  /** Returns the code of the enabled payment method in the channel with the handler of this plug-in. */
  async #methodIn(ctx: RequestContext): Promise<string | undefined> {
    const methods = await this.methods.getActivePaymentMethods(ctx);
    return methods.find(({ handler }) => handler.code === fairtermHandler.code)?.code;
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
