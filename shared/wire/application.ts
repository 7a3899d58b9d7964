import { array, boolean, enums, type Infer, number, object, string } from 'superstruct';
import { optional, whole } from './bricks.ts';
import { Metadata } from './cart.ts';
import { CalendarDate, StatusCode, Timestamp, Uuid } from './fields.ts';
import { Order } from './order.ts';
import { PlatformContact } from './platform-contact.ts';
import { Money } from './platform-money.ts';

/** The states of a buyer's application for financing. */
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

/** A plan the buyer may choose, or has chosen. `apr` is a fraction, `0.0999`. */
export const Offer = object({
  id: string(),
  programID: Uuid,
  /** Number of payments, one each `termInterval`. */
  termLength: whole(1),
  termInterval: enums(['Month']),
  apr: number(),
  monthly: Money,
  amountFinanced: Money,
  totalOfPayments: Money,
  financeCharge: Money,
});
export type Offer = Infer<typeof Offer>;

/** A payment that was disclosed, with the day it is due. */
export const DisclosedPayment = object({ dueDate: CalendarDate, amount: Money });
export type DisclosedPayment = Infer<typeof DisclosedPayment>;

/** The figures that the law has shown before a signature. `apr` is a fraction. */
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

/** What the buyer signed. */
export const PaymentAgreement = object({
  id: Uuid,
  offer: Offer,
  consentedAt: Timestamp,
  /** SHA-256 of what was disclosed before the signature, and of the page the buyer keeps, hexadecimal. */
  disclosureHash: string(),
  documentHash: optional(string()),
  disclosure: AgreementDisclosure,
});
export type PaymentAgreement = Infer<typeof PaymentAgreement>;

/** A buyer's application for financing, as the platform API answers it. */
export const Application = object({
  id: Uuid,
  buyerID: Uuid,
  tenantID: Uuid,
  merchantID: Uuid,
  programID: Uuid,
  /** Not there while there is none. */
  paymentMethodID: optional(Uuid),
  locationID: optional(Uuid),
  cartID: optional(Uuid),
  status: ApplicationStatus,
  statusCode: StatusCode,
  billingContact: optional(PlatformContact),
  shippingContact: optional(PlatformContact),
  order: Order,
  offers: array(Offer),
  paymentAgreements: array(PaymentAgreement),
  /** What the merchant said of the cart; there when it is asked for. */
  metadata: optional(Metadata),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
});
export type Application = Infer<typeof Application>;

/** Answer of `GET /api/application`. Nothing that matches is an empty list. */
export const ApplicationList = object({ applications: array(Application) });
export type ApplicationList = Infer<typeof ApplicationList>;
