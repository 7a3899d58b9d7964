/** Types of request bodies. Derived from the wire types, whose defaults are filled in. */
import type * as AsLowAs from '../wire/as-low-as.ts';
import type * as Cart from '../wire/cart.ts';
import type * as Contact from '../wire/contact.ts';
import type * as Sandbox from '../wire/sandbox.ts';
import type * as Transaction from '../wire/transaction.ts';
import type * as Webhook from '../wire/webhook.ts';
import type { CreatedAt } from './pages.ts';

/** Readonly version of `T`, so that readonly arrays and objects are accepted. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;

type Optional<T, Name extends keyof T> = Omit<T, Name> & Partial<Pick<T, Name>>;

/** Fields of `T` may be omitted, but not undefined. */
type Defined<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

export type CartItem = DeepReadonly<Cart.CartItem>;
export type Discount = DeepReadonly<Cart.Discount>;
export type ShippingOption = DeepReadonly<Cart.ShippingOption>;
export type ContactInput = DeepReadonly<Contact.ContactInput>;

/** The price is that of `items`, or `customTotal`, which takes precedence. Amounts are in cents. */
export type CartOptions = DeepReadonly<Optional<Cart.CartOptions, 'disableEditShipping' | 'requireShippingContact'>>;

/** `expiration` is the last day on which the link works, in every US time zone: `2026-03-31`. Default: 7 days. */
export type CreateCartRequest = DeepReadonly<Omit<Cart.CreateCartRequest, 'options'>> & { readonly options: CartOptions };

export type EmailCartRequest = DeepReadonly<Cart.EmailCartRequest>;
export type TextCartRequest = DeepReadonly<Cart.TextCartRequest>;

/** `customTotal` is in cents. `financingProgramId` defaults to the merchant's default program. */
export type AsLowAsRequest = DeepReadonly<AsLowAs.AsLowAsRequest>;

/** `amount` is a check: the service rejects any other than the remaining amount. */
export type AuthorizeRequest = DeepReadonly<
  Omit<Extract<Transaction.ActionRequest, { type: 'authorize' }>, 'type' | 'amount'> & { amount?: number }
>;
export type AuthorizedLine = DeepReadonly<Transaction.AuthorizedLine>;
export type LineCount = DeepReadonly<Transaction.LineCount>;

/** An `amount` in cents, `lineItems`, or both; neither means the whole remaining amount. `lineItems` without `amount` determine it. */
export type AdjustmentRequest = DeepReadonly<Defined<Transaction.AdjustmentRequest>>;

/** Filters of a list with the parameters of `Query`. A filter must not be empty. */
type Filters<Query> = {
  readonly [Name in Exclude<keyof Query, 'limit' | 'after' | `createdAt${string}`>]?: Exclude<Query[Name], undefined>;
} & { readonly createdAt?: CreatedAt };

export type CartFilters = Filters<Cart.CartQuery>;
export type TransactionFilters = Filters<Transaction.TransactionQuery>;

export type OrderIdRequest = DeepReadonly<Transaction.OrderIdRequest>;
export type ShipmentRequest = DeepReadonly<Transaction.ShipmentRequest>;

export type CreateWebhookRequest = DeepReadonly<Webhook.CreateWebhookRequest>;
export type ReplayRequest = DeepReadonly<Webhook.ReplayRequest>;

/** `outcome` defaults to `approved`. */
export type CheckoutRequest = DeepReadonly<Optional<Sandbox.CheckoutRequest, 'outcome'>>;
export type ClockRequest = DeepReadonly<Sandbox.ClockRequest>;
