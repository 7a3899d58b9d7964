import { isObject, propertyOf } from '../objects.ts';
import { array, enums, type Infer, is, literal, number, object, string, type Struct } from 'superstruct';
import { coerce, deriveStruct, discriminatedByType, listOf, nullable, optional, boundedInteger } from './structs.ts';
import { annotate } from './annotations.ts';
import { listQuery } from './query.ts';
import {
  nullAsAbsent,
  emptyAsAbsent,
  formatted,
  CalendarDate,
  Cents,
  line,
  PositiveCents,
  preprocess,
  text,
  ItemUrl,
  Timestamp,
  Uuid,
  withLineLimit,
} from './fields.ts';

/** Statuses of a transaction. Every transaction starts as PENDING. */
export const TransactionStatus = enums(['PENDING', 'AUTHORIZED', 'SETTLED', 'CANCELED', 'REFUNDED', 'EXPIRED']);
export type TransactionStatus = Infer<typeof TransactionStatus>;

/** A contact of a transaction. Every field is present; unknown values are empty strings. */
export const TransactionContact = object({
  fullName: string(),
  address: string(),
  address2: string(),
  city: string(),
  state: string(),
  zip: string(),
  email: string(),
  phone: string(),
});
export type TransactionContact = Infer<typeof TransactionContact>;

export const Product = object({ name: string(), sku: string(), imageUrl: string(), detailUrl: string() });

export const LineItem = object({ id: string(), sku: string(), price: Cents, quantity: boundedInteger(1), product: Product });
export type LineItem = Infer<typeof LineItem>;

export const TransactionDiscount = object({ amount: Cents, description: string() });

/** A payment of a loan that is not due yet. */
export const RemainingPayment = object({ dueDate: CalendarDate, amount: PositiveCents });

/** The loan after cancellations, refunds and a later start of interest. Amounts are in cents. */
export const CurrentFinancing = object({
  /** The amount financed less cancellations and refunds. Payments of the buyer do not change it. */
  amount: Cents,
  /** The highest of the payments; 0 without any. */
  monthly: Cents,
  totalOfPayments: Cents,
  /** Empty if nothing is owed. */
  payments: array(RemainingPayment),
  /** `service`: calculated on the assumption that each payment that was due has been made. */
  calculatedBy: enums(['lender', 'service']),
});
export type CurrentFinancing = Infer<typeof CurrentFinancing>;

/** The signed loan. Amounts are in cents, the APR is a fraction: `0.0999`. */
const signedFinancing = {
  amount: Cents,
  termLength: boundedInteger(1),
  termInterval: string(),
  monthly: Cents,
  apr: number(),
  firstPaymentDue: CalendarDate,
  /** The lender's own number of the loan; null if it has none. */
  loanNumber: nullable(string()),
};
export const Financing = object({
  ...signedFinancing,
  /** The loan after changes; null while it is as signed. */
  current: nullable(CurrentFinancing),
});
export type Financing = Infer<typeof Financing>;
export type SignedFinancing = Omit<Financing, 'current'>;

/**
 * State of the card portion: `pending` before the authorization, or while the outcome of a new hold is unknown; `declined` if the last hold
 * was; `held` until the gateway has captured or released the hold, or `expired` if it ends before; `capture-failed` if the capture failed
 * and is not retried; `refunded` when all of it was; `none` if the purchase ended without an authorization.
 */
export const CardPortionState = enums([
  'none',
  'pending',
  'held',
  'expired',
  'captured',
  'capture-failed',
  'declined',
  'released',
  'refunded',
]);
export type CardPortionState = Infer<typeof CardPortionState>;

/** The part of a purchase that a card pays. */
export const CardPortion = object({
  /** Amount remaining after cancellations and refunds, which reduce the loan first. */
  amount: Cents,
  state: CardPortionState,
  /** Time at which the hold ends unless it is captured before, or has ended; null without a hold, or if the time is not known. */
  holdExpiresAt: nullable(Timestamp),
});
export type CardPortion = Infer<typeof CardPortion>;

/** A financed purchase as returned by the merchant API. Amounts are in cents. */
export const Transaction = object({
  serviceTransactionId: string(),
  cartId: string(),
  status: TransactionStatus,
  createdAt: Timestamp,
  /** The reference in the options of its cart, or empty. */
  orderRef: string(),
  merchantOrderId: string(),
  /** Total of the purchase: the financed amount and the card portion. */
  total: Cents,
  /** Amount remaining after cancellations and refunds. */
  adjustedTotal: Cents,
  totalTax: nullable(Cents),
  shippingCost: Cents,
  shippingMethodCode: string(),
  shippingMethodName: string(),
  trackingNumber: string(),
  carrierName: string(),
  lineItems: array(LineItem),
  discounts: array(TransactionDiscount),
  billingContact: TransactionContact,
  shippingContact: TransactionContact,
  /** The loan as signed. Never null; the type is nullable, as in clients that merchants have generated from it. */
  financing: nullable(Financing),
  /** Null if all of the purchase is financed. */
  card: nullable(CardPortion),
});
export type Transaction = Infer<typeof Transaction>;

/** A merchant's reference of a cancel or refund. The journal keeps it permanently, so it cannot be a name or an e-mail address. */
export const AdjustmentReference = formatted(
  'adjustment-reference',
  'a reference of 1 to 100 letters, digits and the characters . _ : / # -',
  /^[A-Za-z0-9._:/#-]{1,100}$/,
);

/** The reasons of a cancel or refund. */
export const AdjustmentReason = enums([
  'requested-by-customer',
  'returned',
  'damaged',
  'out-of-stock',
  'undeliverable',
  'price-adjustment',
  'duplicate',
  'fraudulent',
  'other',
]);
export type AdjustmentReason = Infer<typeof AdjustmentReason>;

/** A reason in a request. Clients have always sent texts of their own, which count as `other`. */
const RequestedReason = annotate(
  preprocess(AdjustmentReason, (value) => (typeof value === 'string' && !is(value, AdjustmentReason) ? 'other' : value)),
  { kind: 'value', accepted: { type: 'string' } },
);

/** A page of transactions, the newest first. */
export const TransactionList = object({ transactions: array(Transaction) });
export type TransactionList = Infer<typeof TransactionList>;

/** A canceled or refunded quantity of a sku, and its value in cents. */
export const AdjustedLine = object({ sku: string(), quantity: boundedInteger(1), amount: Cents });
export type AdjustedLine = Infer<typeof AdjustedLine>;

/** A cancel or refund. Amounts are in cents. */
export const Adjustment = object({
  id: Uuid,
  type: enums(['cancel', 'refund']),
  /** The canceled or refunded amount: that of the lines, of shipping, and of a request by amount. */
  amount: Cents,
  lines: array(AdjustedLine),
  /** Empty without one. */
  reference: string(),
  reason: nullable(AdjustmentReason),
  createdAt: Timestamp,
  /** The origin of the request: `key:` and the last characters of the API key, or `user:` and the id of a user of the console. */
  actor: string(),
});
export type Adjustment = Infer<typeof Adjustment>;

/** The cancels and refunds of a transaction, the earliest first. */
export const AdjustmentList = object({ adjustments: array(Adjustment) });
export type AdjustmentList = Infer<typeof AdjustmentList>;

/** The same limits as for the items of a cart. */
const MAX_LINES = 500;
const MAX_QUANTITY = 10_000;

export const AuthorizedProduct = object({
  name: text(500),
  sku: text(200),
  imageUrl: ItemUrl,
  detailUrl: ItemUrl,
});

/** A line item that a merchant adds to a transaction when authorizing it. */
export const AuthorizedLine = withLineLimit(
  object({
    price: Cents,
    quantity: boundedInteger(1, MAX_QUANTITY),
    sku: emptyAsAbsent(text(200)),
    product: AuthorizedProduct,
  }),
);
export type AuthorizedLine = Infer<typeof AuthorizedLine>;

/** A quantity of a sku, across all line items. Clients that send back line items as received have the sku in `product`. */
export const LineCount = preprocess(
  object({ sku: text(200), quantity: boundedInteger(1, MAX_LINES * MAX_QUANTITY) }),
  (value) => {
    if (!isObject(value) || (value['sku'] ?? undefined) !== undefined) return value;
    const sku = propertyOf(value['product'], 'sku');
    return typeof sku === 'string' ? { ...value, sku } : value;
  },
);
export type LineCount = Infer<typeof LineCount>;

/**
 * The amount to cancel or refund. If both fields are omitted, everything that remains. In a refund, 0 counts as omitted; an empty
 * list always does.
 *
 * An `amount` of null is rejected: JSON encodes NaN as null, so a failed calculation of a shop would otherwise refund
 * everything.
 */
const adjusted = {
  lineItems: nullAsAbsent(listOf(LineCount, MAX_LINES)),
  reference: emptyAsAbsent(AdjustmentReference),
  reason: emptyAsAbsent(RequestedReason),
};
const Cancel = object({ type: literal('cancel'), amount: optional(PositiveCents), ...adjusted });
const Refund = object({ type: literal('refund'), amount: optional(Cents), ...adjusted });
export type AdjustmentRequest = Omit<Infer<typeof Refund>, 'type'>;

/**
 * Rejects a request without an amount or line items that contains a field with a similar name, or any other number or list: a
 * misspelled `amount` would otherwise cancel or refund everything. Reports the first such field. Other unknown fields are ignored,
 * as in all requests.
 *
 * @see server/decisions/0010-adjustments.md
 */
function rejectMisspelled<T, Schema>(struct: Struct<T, Schema>): Struct<T, Schema> {
  return deriveStruct(struct, {
    // Keep an invalid value unchanged: `mask` would remove the unknown field.
    coercer: (value, context) => (findMisspelledField(value) === undefined ? struct.coercer(value, context) : value),
    validator: (value, context) => {
      const misspelled = findMisspelledField(value);
      if (misspelled === undefined) return struct.validator(value, context);
      const message =
        'Expected `amount`, `lineItems` or neither, but received a field with a similar name, or with a number or a list';
      return [{ ...context, type: struct.type, value, key: misspelled, path: [misspelled], refinement: undefined, message }];
    },
  });
}

/** Names of fields that are rejected with any value: `amout`, `Amount`, `amt`, `refund_amount`, `amountCents`, `line_items`, `items`, `total`, `cents`, `quantity`, `sku`. */
const ADJUSTMENT_LIKE = /^am|amount|item|line|total|cents|quantit|qty|sku/i;

function findMisspelledField(value: unknown): string | undefined {
  const { amount, lineItems } = (value ?? {}) as { amount?: unknown; lineItems?: unknown };
  // An empty list, and in a refund 0, are equivalent to omitted fields.
  const isSpecified = Boolean(amount) || (Array.isArray(lineItems) && lineItems.length > 0);
  if (isSpecified || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const isMisspelled = ([field, content]: [string, unknown]) =>
    !Object.hasOwn(Refund.schema, field) &&
    (ADJUSTMENT_LIKE.test(field) || typeof content === 'number' || Array.isArray(content));
  return Object.entries(value).find(isMisspelled)?.[0].slice(0, 60);
}

/**
 * Request body of `POST /transactions/actions/:tx-id`, by the `type` of the action. The `amount` of an authorization or settlement is
 * not a choice: it must be the remaining amount.
 */
export const actionRequests = {
  authorize: object({
    type: literal('authorize'),
    lineItems: nullAsAbsent(listOf(AuthorizedLine, MAX_LINES)),
    merchantOrderId: emptyAsAbsent(line(200)),
    amount: nullAsAbsent(PositiveCents),
  }),
  settle: object({ type: literal('settle'), amount: nullAsAbsent(PositiveCents) }),
  cancel: rejectMisspelled(Cancel),
  refund: rejectMisspelled(Refund),
};
type ActionName = keyof typeof actionRequests;

export const ActionRequest: Struct<ActionRequest, null> = discriminatedByType<ActionRequest>(actionRequests);
export type ActionRequest = { [Name in ActionName]: Infer<(typeof actionRequests)[Name]> }[ActionName];

/** Request body of `PUT /transactions/:tx-id`. An omitted id stays unchanged; an empty string removes it. */
export const OrderIdRequest = object({ merchantOrderId: nullAsAbsent(line(200)) });
export type OrderIdRequest = Infer<typeof OrderIdRequest>;

/**
 * A tracking number or the name of a carrier as text, or as an integer. Rejected are larger integers than JavaScript can represent, because
 * their last digits are lost, and 0, which typed clients send for an unset number.
 */
const LineOrInteger = coerce(line(200), boundedInteger(1, Number.MAX_SAFE_INTEGER), String);

/** Request body of `POST /transactions/:tx-id/shipment`. Omitted fields stay unchanged. */
export const ShipmentRequest = object({ trackingNumber: nullAsAbsent(LineOrInteger), carrierName: nullAsAbsent(LineOrInteger) });
export type ShipmentRequest = Infer<typeof ShipmentRequest>;

/** Query of `GET /transactions`. */
export const TransactionQuery = object({
  orderRef: optional(line(200, 1)),
  merchantOrderId: optional(line(200, 1)),
  cartId: optional(Uuid),
  status: optional(TransactionStatus),
  ...listQuery,
});
export type TransactionQuery = Infer<typeof TransactionQuery>;
