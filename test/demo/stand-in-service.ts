import { Router } from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { create, define, enums, type Infer, object, optional, string } from 'superstruct';
import type { CartOptions, Transaction } from 'fairterm/client';
import { listening } from './listening.ts';
import { cartAnswer, transactionAnswer } from './stand-in-answers.ts';

export const apiKey = 'ft_sandbox_key_demo';
export const secret = 'ft_sandbox_secret_4d0c';

/** What the shop says of each cart. */
type ShopCart = { readonly [Name in keyof CartOptions]-?: NonNullable<CartOptions[Name]> };

const CartRequest = object({ options: define<ShopCart>('options', (value) => typeof value === 'object') });
const Action = object({ type: enums(['authorize', 'cancel']), merchantOrderId: optional(string()) });

/**
 * A financing service for the shop to talk to, over real HTTP: the four merchant calls it makes, and what a test wants to
 * know or to go wrong. It keeps what the interface says of them and nothing more.
 */
export class StandInService {
  /** What every cart was asked for, oldest first. */
  readonly carts: ShopCart[] = [];
  /** `METHOD path` of every call, oldest first. */
  readonly calls: string[] = [];
  readonly transactions = new Map<string, Transaction>();
  /** Bodies of the actions, oldest first. */
  readonly actions: Infer<typeof Action>[] = [];
  /** While set, every call is refused with this description. */
  outage: string | undefined;
  /** While set, authorizing fails with this description. */
  cardDecline: string | undefined;
  /** Awaited by every read of a transaction before it is answered. */
  gate: Promise<void> = Promise.resolve();

  url = '';
  stop: () => Promise<void> = () => Promise.resolve();

  static async start(): Promise<StandInService> {
    const service = new StandInService();
    const app = new Koa();
    app.use(bodyParser());
    app.use(service.#guard());
    app.use(service.#routes().routes());
    const answer = app.callback();
    return Object.assign(service, await listening((request, response) => void answer(request, response)));
  }

  /** What a buyer does on the hosted pages: the latest cart becomes a pending transaction. Its total can be made wrong. */
  completeCheckout({ delivery = 'standard', total }: { delivery?: string; total?: number } = {}): string {
    const { items, discounts, shippingOptions } = this.carts.at(-1)!;
    const due =
      items.reduce((sum, { price, quantity }) => sum + price * quantity, 0) -
      discounts.reduce((sum, { amount }) => sum + amount, 0) +
      (shippingOptions.find(({ typeId }) => typeId === delivery)?.cost ?? 0);
    const transaction = transactionAnswer(total ?? due, delivery);
    this.transactions.set(transaction.serviceTransactionId, transaction);
    return transaction.serviceTransactionId;
  }

  #guard(): Koa.Middleware {
    const expected = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
    return async (ctx, next) => {
      this.calls.push(`${ctx.method} ${ctx.path}`);
      if (ctx.get('authorization') !== expected) return refuse(ctx, 401, 'Unknown key pair');
      if (this.outage) return refuse(ctx, 500, this.outage);
      await next();
    };
  }

  #routes(): Router {
    const router = new Router();

    router.post('/carts', (ctx) => {
      const { options } = create(ctx.request.body, CartRequest);
      this.carts.push(options);
      ctx.body = cartAnswer(`${this.url}/checkout/${this.carts.length}`, options);
    });

    router.get('/transactions/:id', async (ctx) => {
      await this.gate;
      const transaction = this.transactions.get(ctx.params.id!);
      if (!transaction) return refuse(ctx, 500, 'Transaction ID was invalid');
      ctx.body = transaction;
    });

    router.post('/transactions/actions/:id', (ctx) => {
      const action = create(ctx.request.body, Action);
      this.actions.push(action);
      const transaction = this.transactions.get(ctx.params.id!);
      if (transaction?.status !== 'PENDING') return refuse(ctx, 500, 'Only a pending transaction can be authorized');
      if (action.type === 'cancel') transaction.status = 'CANCELED';
      else if (this.cardDecline) return refuse(ctx, 500, this.cardDecline);
      else Object.assign(transaction, { status: 'AUTHORIZED', merchantOrderId: action.merchantOrderId ?? '' });
      ctx.body = transaction;
    });

    return router;
  }
}

function refuse(ctx: Koa.Context, status: number, description: string): void {
  ctx.status = status;
  ctx.body = { description, error: true, type: 'INTERNAL_ERROR' };
}
