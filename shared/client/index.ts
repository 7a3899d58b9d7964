/** What a merchant's server needs to sell with Fairterm; published as `fairterm/client`. */
export { Fairterm } from './fairterm.ts';
export type { FairtermOptions, ReadOptions, WriteOptions } from './send.ts';
export type { Platform } from './platform.ts';
export type { Carts } from './carts.ts';
export type { Transactions } from './transactions.ts';
export type { Sandbox } from './sandbox.ts';
export type { FragmentOptions, Widget } from './widget.ts';

export { FairtermError, NoAnswerError } from './errors.ts';
export type { KnownRefusalCode, RefusalCode } from './refusal-codes.ts';
export {
  type Callback,
  CallbackError,
  type CallbackFault,
  type CallbackHeaders,
  type SignedCallback,
  verifyCallback,
} from './callback.ts';

export { type NormalizableAddress, normalizedAddressHash } from '../normalized-address.ts';

export type {
  AdjustmentRequest,
  AsLowAsRequest,
  AuthorizedLine,
  AuthorizeRequest,
  CartItem,
  CartOptions,
  CheckoutRequest,
  ClockRequest,
  ContactInput,
  CreateCartRequest,
  Discount,
  EmailCartRequest,
  FragmentRequest,
  LineCount,
  OrderIdRequest,
  ShipmentRequest,
  ShippingOption,
  TextCartRequest,
} from './requests.ts';

export type { AsLowAs, AsLowAsResponse } from '../wire/as-low-as.ts';
export type { Cart } from '../wire/cart.ts';
export type { CheckoutResponse, ClockResponse, MessagesResponse, SandboxMessage } from '../wire/sandbox.ts';
export type { SharedCart } from '../wire/sharing.ts';
export type { LineItem, Transaction, TransactionContact, TransactionStatus } from '../wire/transaction.ts';
