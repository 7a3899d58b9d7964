/** Clients of the merchant and platform APIs; published as `@fairterm/client`. */
export { Fairterm } from './fairterm.ts';
export { FairtermPlatform, type FairtermPlatformOptions } from './fairterm-platform.ts';
export type { FairtermOptions, KeyPair, ReadOptions, Runtime, ServiceOptions, WriteOptions } from './options.ts';
export type { Carts } from './carts.ts';
export type { Transactions } from './transactions.ts';
export type { EventFilters, EventListOptions, Events } from './events.ts';
export type { Webhooks } from './webhooks.ts';
export type {
  SettlementFilters,
  SettlementLinesPage,
  SettlementPage,
  SettlementPageOptions,
  Settlements,
} from './settlements.ts';
export type { Sandbox } from './sandbox.ts';

export type {
  AllOptions,
  ApplicationFilters,
  ApplicationPage,
  Applications,
  Keyset,
  ListOptions,
  RetrieveOptions,
} from './applications.ts';
export type { CreatedAt, PageOptions } from './pages.ts';
export type { TokenSource } from './tokens.ts';

export { FairtermError, FairtermPlatformError, UnknownOutcomeError } from './errors.ts';
export type { ErrorCode, KnownErrorCode, KnownPlatformReason, PlatformReason } from './errors.ts';
export {
  type Callback,
  CallbackError,
  type CallbackErrorCode,
  type CallbackHeaders,
  type SignedCallback,
  verifyCallback,
  verifyWebhook,
} from './callback.ts';

export { acceptedContact } from './contact.ts';
export { type NormalizableAddress, normalizedAddressHash } from '../normalized-address.ts';

export type {
  AdjustmentRequest,
  AsLowAsRequest,
  AuthorizedLine,
  AuthorizeRequest,
  CartFilters,
  CartItem,
  CartOptions,
  CheckoutRequest,
  ClockRequest,
  ContactInput,
  CreateCartRequest,
  CreateWebhookRequest,
  Discount,
  EmailCartRequest,
  LineCount,
  OrderIdRequest,
  ReplayRequest,
  ShipmentRequest,
  ShippingOption,
  TextCartRequest,
  TransactionFilters,
} from './request-types.ts';

export type {
  AgreementDisclosure,
  AgreementStatus,
  AgreementTerms,
  Application,
  ApplicationSort,
  ApplicationStatus,
  DisclosedPayment,
  Offer,
  PaymentAgreement,
  PaymentProduct,
} from '../wire/application.ts';
export type { Money, Order, OrderItem, PersonName, PickupInformation, PlatformAddress, PlatformContact } from '../wire/order.ts';

export type { AsLowAs, AsLowAsResponse } from '../wire/as-low-as.ts';
export type { Cart, SharedCart } from '../wire/cart.ts';
export type { Event, EventData, EventType } from '../wire/event.ts';
export type { TestEvent, Webhook, WebhookDelivery, WebhookWithSecret } from '../wire/webhook.ts';
export type { CheckoutResponse, ClockResponse, MessagesResponse, SandboxMessage } from '../wire/sandbox.ts';
export type {
  Settlement,
  SettlementLine,
  SettlementLineType,
  SettlementsResponse,
  SettlementWithLines,
} from '../wire/settlement.ts';
export type { AdjustedLine, Adjustment, AdjustmentReason } from '../wire/transaction.ts';
export type { LineItem, Transaction, TransactionContact, TransactionStatus } from '../wire/transaction.ts';
