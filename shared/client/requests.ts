/** Types of requests. Derived from the wire types, in which optional fields have their defaults. */
import type * as AsLowAs from '../wire/as-low-as.ts';
import type * as Cart from '../wire/cart.ts';
import type * as Contact from '../wire/contact.ts';
import type * as Fragment from '../wire/fragment.ts';
import type * as Sandbox from '../wire/sandbox.ts';
import type * as Sharing from '../wire/sharing.ts';
import type * as Transaction from '../wire/transaction.ts';

/** `T`, of which nothing is changed: lists and objects that cannot be are welcome too. */
export type Unchanged<T> = T extends readonly (infer Item)[]
  ? readonly Unchanged<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Unchanged<T[Name]> }
    : T;

type Optional<T, Name extends keyof T> = Omit<T, Name> & Partial<Pick<T, Name>>;

/** `T`, whose fields are there or not, but never there and undefined. */
type Definite<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

export type CartItem = Unchanged<Cart.CartItem>;
export type Discount = Unchanged<Cart.Discount>;
export type ShippingOption = Unchanged<Cart.ShippingOption>;
export type ContactInput = Unchanged<Contact.ContactInput>;

/** Priced by `items`, or by a `customTotal` that wins over all other costs. Amounts are cents. */
export type CartOptions = Unchanged<Optional<Cart.CartOptions, 'disableEditShipping' | 'requireShippingContact'>>;

/** `expiration` is the last day on which the link works, `2026-03-31`, through its end in every US time zone; left out, the cart lives for seven days. */
export type CreateCartRequest = Unchanged<Omit<Cart.CreateCartRequest, 'options'>> & { readonly options: CartOptions };

export type EmailCartRequest = Unchanged<Sharing.EmailCartRequest>;
export type TextCartRequest = Unchanged<Sharing.TextCartRequest>;

/** `customTotal` is in cents. Without a `financingProgramId` it is the merchant's default program. */
export type AsLowAsRequest = Unchanged<AsLowAs.AsLowAsRequest>;

/** A button for `amount` cents. `cartUrl` is where it leads, an address as in a link of the page, absolute or relative; `label` what it says instead of its own words. */
export type FragmentRequest = Unchanged<Omit<Fragment.FragmentQuery, 'key' | 'cart-url'>> & {
  readonly cartUrl?: string | undefined;
};

export type AuthorizeRequest = Unchanged<Omit<Extract<Transaction.ActionRequest, { type: 'authorize' }>, 'type'>>;
export type AuthorizedLine = Unchanged<Transaction.AuthorizedLine>;
export type LineCount = Unchanged<Transaction.LineCount>;

/** An `amount` in cents, `lineItems` to record or to take as the amount, or neither: everything that is left. */
export type AdjustmentRequest = Unchanged<Definite<Transaction.AdjustmentRequest>>;

export type OrderIdRequest = Unchanged<Transaction.OrderIdRequest>;
export type ShipmentRequest = Unchanged<Transaction.ShipmentRequest>;

/** `outcome` is `approved` when it is left out. */
export type CheckoutRequest = Unchanged<Optional<Sandbox.CheckoutRequest, 'outcome'>>;
export type ClockRequest = Unchanged<Sandbox.ClockRequest>;
