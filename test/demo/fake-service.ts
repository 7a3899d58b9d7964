import { randomUUID } from 'node:crypto';
import { Router } from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { create, define, enums, type Infer, object, optional, string } from 'superstruct';
import type { Cart, CartOptions, Transaction } from '@fairterm/client';
import { listening } from './listening.ts';

export const apiKey = 'ft_sandbox_key_demo';
export const secret = 'ft_sandbox_secret_4d0c';

/** Cart options without optional fields, because the shop always sends those that this service reads. */
type ShopCart = { readonly [Name in keyof CartOptions]-?: NonNullable<CartOptions[Name]> };

const CartRequest = object({ options: define<ShopCart>('options', (value) => typeof value === 'object') });
const Action = object({ type: enums(['authorize', 'cancel']), merchantOrderId: optional(string()) });

/**
 * A fake of the financing service for tests of the shop, over real HTTP. It implements the merchant API calls that the shop makes,
 * records them, and returns errors on request.
 */
export class FakeService {
  /** Options of the created carts, oldest first. */
  readonly carts: ShopCart[] = [];
  /** `METHOD path` of every call, oldest first. */
  readonly calls: string[] = [];
  readonly transactions = new Map<string, Transaction>();
  /** Bodies of the actions, oldest first. */
  readonly actions: Infer<typeof Action>[] = [];
  /** While set, every call responds 500 with this description. */
  outage: string | undefined;
  /** While set, authorize responds 500 with this description. */
  cardDecline: string | undefined;
  /** Awaited before every response with a transaction. */
  gate: Promise<void> = Promise.resolve();

  url = '';
  stop: () => Promise<void> = () => Promise.resolve();

  static async start(): Promise<FakeService> {
    const service = new FakeService();
    const app = new Koa();
    app.use(bodyParser());
    app.use(service.#authenticate());
    app.use(service.#routes().routes());
    const handle = app.callback();
    return Object.assign(service, await listening((request, response) => void handle(request, response)));
  }

  /**
   * Completes the checkout of the latest cart and returns the id of its transaction.
   *
   * @param total - Overrides the total, in cents.
   */
  completeCheckout({ delivery = 'standard', total }: { delivery?: string; total?: number } = {}): string {
    const { orderRef, items, discounts, shippingOptions } = this.carts.at(-1)!;
    const calculatedTotal =
      items.reduce((sum, { price, quantity }) => sum + price * quantity, 0) -
      discounts.reduce((sum, { amount }) => sum + amount, 0) +
      (shippingOptions.find(({ typeId }) => typeId === delivery)?.cost ?? 0);
    const transaction = pendingTransaction(orderRef, total ?? calculatedTotal, delivery);
    this.transactions.set(transaction.serviceTransactionId, transaction);
    return transaction.serviceTransactionId;
  }

  #authenticate(): Koa.Middleware {
    const expected = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
    return async (ctx, next) => {
      this.calls.push(`${ctx.method} ${ctx.path}`);
      if (ctx.get('authorization') !== expected) return reject(ctx, 401, 'Unknown key pair');
      if (this.outage) return reject(ctx, 500, this.outage);
      await next();
    };
  }

  #routes(): Router {
    const router = new Router();

    router.post('/carts', (ctx) => {
      const { options } = create(ctx.request.body, CartRequest);
      this.carts.push(options);
      ctx.body = cartOf(`${this.url}/checkout/${this.carts.length}`, options);
    });

    router.get('/transactions/:id', async (ctx) => {
      await this.gate;
      const transaction = this.transactions.get(ctx.params.id!);
      if (!transaction) return reject(ctx, 500, 'Transaction ID was invalid');
      ctx.body = transaction;
    });

    router.post('/transactions/actions/:id', (ctx) => {
      const action = create(ctx.request.body, Action);
      this.actions.push(action);
      const transaction = this.transactions.get(ctx.params.id!);
      if (transaction?.status !== 'PENDING') return reject(ctx, 500, 'Only a pending transaction can be authorized');
      if (action.type === 'cancel') transaction.status = 'CANCELED';
      else if (this.cardDecline) return reject(ctx, 500, this.cardDecline);
      else Object.assign(transaction, { status: 'AUTHORIZED', merchantOrderId: action.merchantOrderId ?? '' });
      ctx.body = transaction;
    });

    return router;
  }
}

function reject(ctx: Koa.Context, status: number, description: string): void {
  ctx.status = status;
  ctx.body = { description, error: true, type: 'INTERNAL_ERROR' };
}

const emptyContact = { fullName: '', address: '', address2: '', city: '', state: '', zip: '', email: '', phone: '' };
const asLowAs = {
  monthly: 0,
  amount: '',
  termLength: 0,
  termInterval: 'Month',
  apr: 0,
  minApr: 0,
  maxApr: 0,
  asLowAsText: '',
};

/** Returns a cart in the format of the API. */
function cartOf(url: string, options: CartOptions): Omit<Cart, 'options'> & { options: CartOptions } {
  const fields = {
    merchantId: randomUUID(),
    cartName: '',
    createdBy: 'Merchant API',
    isCustomTotal: false,
    status: 'open' as const,
  };
  return { id: randomUUID(), url, expiration: '2030-01-01', ...fields, options, asLowAs };
}

/** Returns a PENDING transaction in the format of the API. `total` is in cents. */
function pendingTransaction(orderRef: string, total: number, shippingMethodCode: string): Transaction {
  return {
    serviceTransactionId: randomUUID(),
    cartId: randomUUID(),
    status: 'PENDING',
    createdAt: '2026-11-21T12:00:00.000000Z',
    orderRef,
    merchantOrderId: '',
    total,
    adjustedTotal: total,
    totalTax: null,
    shippingCost: 0,
    shippingMethodCode,
    shippingMethodName: '',
    trackingNumber: '',
    carrierName: '',
    lineItems: [],
    discounts: [],
    billingContact: emptyContact,
    shippingContact: emptyContact,
    financing: {
      amount: total,
      termLength: 24,
      termInterval: 'Month',
      monthly: Math.ceil(total / 24),
      apr: 0.0999,
      firstPaymentDue: '2026-12-21',
      loanNumber: null,
      current: null,
    },
    card: null,
  };
}
