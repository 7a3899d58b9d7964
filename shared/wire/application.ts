import { array, boolean, enums, type Infer, number, object, string } from 'superstruct';
import { boundedInteger, defaulted, listOf, optional } from './structs.ts';
import { Metadata } from './cart.ts';
import { CalendarDate, Sha256, StatusCode, Timestamp, Uuid } from './fields.ts';
import { Order, Money, PlatformContact } from './order.ts';
import { BooleanInQuery, DateOrTimestamp, integerInQuery, queryParameter, TimestampInQuery } from './query.ts';

/**
 * Statuses of a financing application: `ATTEMPTED_PREPARE_CHECKOUT` when a plan is chosen, but not yet the card for the rest; `CHECKOUT_PREPARED`
 * when all choices are made; `CHECKOUT_EXTENDED` when the buyer has then extended the approval; `ATTEMPTED_CHECKOUT` when the agreement is signed,
 * and `CHECKOUT_COMPLETED` when the lender has accepted it.
 */
export const ApplicationStatus = enums([
  'STARTED',
  'APPROVED',
  'DENIED',
  'INELIGIBLE',
  'NEEDS_ACTION',
  'ATTEMPTED_PREPARE_CHECKOUT',
  'CHECKOUT_PREPARED',
  'ATTEMPTED_CHECKOUT',
  'CHECKOUT_COMPLETED',
  'CHECKOUT_EXTENDED',
  'CANCELLED',
  'EXPIRED',
]);
export type ApplicationStatus = Infer<typeof ApplicationStatus>;

/** The product that pays for the purchase: a plan of a program. */
export const PaymentProduct = object({ id: Uuid, type: enums(['INSTALLMENTS']) });
export type PaymentProduct = Infer<typeof PaymentProduct>;

/** A plan offered to the buyer or chosen by the buyer. `apr` is a fraction: `0.0999`. */
export const Offer = object({
  id: Uuid,
  planID: string(),
  programID: Uuid,
  /** Number of payments, one per `termInterval`. */
  termLength: boundedInteger(1),
  termInterval: enums(['Month']),
  apr: number(),
  monthly: Money,
  amountFinanced: Money,
  totalOfPayments: Money,
  financeCharge: Money,
  /** The amount that this offer finances, not the lender's limit for the buyer. */
  capacity: Money,
  paymentProduct: PaymentProduct,
});
export type Offer = Infer<typeof Offer>;

export const DisclosedPayment = object({ dueDate: CalendarDate, amount: Money });
export type DisclosedPayment = Infer<typeof DisclosedPayment>;

/** The figures disclosed before the signature. `apr` is a fraction. */
export const AgreementDisclosure = object({
  creditor: string(),
  date: CalendarDate,
  apr: number(),
  financeCharge: Money,
  amountFinanced: Money,
  totalOfPayments: Money,
  dueToday: Money,
  payments: array(DisclosedPayment),
  prepaymentPenalty: boolean(),
});
export type AgreementDisclosure = Infer<typeof AgreementDisclosure>;

/** States of an agreement: signed, accepted by the lender, and withdrawn by the lender. */
export const AgreementStatus = enums(['PENDING', 'COMPLETED', 'CANCELLED']);
export type AgreementStatus = Infer<typeof AgreementStatus>;

/** The terms of an agreement. `rate` is a fraction: `0.0999`. */
export const AgreementTerms = object({
  amount: Money,
  interval: enums(['MONTHLY']),
  length: boundedInteger(1),
  rate: number(),
});
export type AgreementTerms = Infer<typeof AgreementTerms>;

/** The agreement the buyer signed. */
export const PaymentAgreement = object({
  id: Uuid,
  offer: Offer,
  paymentProductID: Uuid,
  /** The level payment. */
  paymentAmount: Money,
  status: AgreementStatus,
  terms: AgreementTerms,
  consentedAt: Timestamp,
  /** Hexadecimal SHA-256 of the disclosure before the signature, and of the page the buyer keeps. */
  disclosureHash: string(),
  documentHash: string(),
  disclosure: AgreementDisclosure,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type PaymentAgreement = Infer<typeof PaymentAgreement>;

/** A buyer's financing application, as returned by the platform API. */
export const Application = object({
  id: Uuid,
  buyerID: Uuid,
  /** A group of merchants, such as those of a platform. */
  tenantID: Uuid,
  merchantID: Uuid,
  programID: Uuid,
  /** Omitted until there is one. */
  paymentMethodID: optional(Uuid),
  locationID: optional(Uuid),
  cartID: optional(Uuid),
  /** The merchant's reference of the cart. Omitted if it has none. */
  orderRef: optional(string()),
  /** The transaction of the completed checkout. Omitted before it. */
  transactionID: optional(Uuid),
  status: ApplicationStatus,
  statusCode: StatusCode,
  billingContact: optional(PlatformContact),
  shippingContact: optional(PlatformContact),
  order: Order,
  offers: array(Offer),
  paymentAgreements: array(PaymentAgreement),
  /** The metadata of the cart. Included on request. */
  metadata: optional(Metadata),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
});
export type Application = Infer<typeof Application>;

/** Response of `GET /api/application`. The list is empty if nothing matches. */
export const ApplicationList = object({ applications: array(Application) });
export type ApplicationList = Infer<typeof ApplicationList>;

/** Sort orders of a list of applications: by creation or by last change. */
export const ApplicationSort = enums(['createdAt.asc', 'createdAt.desc', 'updatedAt.asc', 'updatedAt.desc']);
export type ApplicationSort = Infer<typeof ApplicationSort>;

/** A repeatable parameter. Koa parses a single value as a string, which is converted to an array. */
const StatusCodes = queryParameter(listOf(StatusCode, 100), (value) => (typeof value === 'string' ? [value] : value));

/**
 * Query of `GET /api/application`.
 *
 * @see server/docs/platform-api.md.
 */
export const ApplicationQuery = object({
  'buyerID.eq': optional(Uuid),
  'merchantID.eq': optional(Uuid),
  'status.eq': optional(ApplicationStatus),
  'statusCode.eq': optional(StatusCodes),
  'statusCode.ne': optional(StatusCodes),
  'showExpired.eq': optional(BooleanInQuery),
  'normalizedAddressHash.eq': optional(Sha256),
  'metadata.eq': optional(BooleanInQuery),
  'updatedAt.gte': optional(DateOrTimestamp),
  'updatedAt.lte': optional(DateOrTimestamp),
  /** The last application of the previous page: its `createdAt` or `updatedAt`, depending on `sort`, and its id. */
  'lastTimestamp.eq': optional(TimestampInQuery),
  'lastID.eq': optional(Uuid),
  sort: defaulted(ApplicationSort, 'createdAt.desc'),
  limit: defaulted(integerInQuery(1, 200), 10),
  offset: defaulted(integerInQuery(0, 999_999_999_999_999), 0),
});
export type ApplicationQuery = Infer<typeof ApplicationQuery>;

/** Query of `GET /api/application/:id`. */
export const OneApplicationQuery = object({ 'metadata.eq': optional(BooleanInQuery) });
