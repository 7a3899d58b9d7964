import { array, enums, type Infer, literal, object, string, Struct } from 'superstruct';
import { MAX_CENTS } from '../money.ts';
import { chosenByType, listOf, nullable, optional, ruled, whole } from './bricks.ts';
import { absentable, blankable, Cents, line, replacing, text, textOrNull, Timestamp } from './fields.ts';

/** The six states a transaction can be in. Every transaction starts PENDING. */
export const TransactionStatus = enums(['PENDING', 'AUTHORIZED', 'SETTLED', 'CANCELED', 'REFUNDED', 'EXPIRED']);
export type TransactionStatus = Infer<typeof TransactionStatus>;

/** A person on a transaction. Every field is there; what is unknown is an empty string. */
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

export const LineItem = object({ id: string(), sku: string(), price: Cents, quantity: whole(1), product: Product });
export type LineItem = Infer<typeof LineItem>;

export const TransactionDiscount = object({ amount: Cents, description: string() });

/** A financed purchase as the merchant API answers it. Amounts are cents. */
export const Transaction = object({
  serviceTransactionId: string(),
  status: TransactionStatus,
  createdAt: Timestamp,
  merchantOrderId: string(),
  /** What was financed at checkout. */
  total: Cents,
  /** What is left of it after cancellations and refunds. */
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
});
export type Transaction = Infer<typeof Transaction>;

/** As many lines as a cart may have, each of as many pieces. */
const MAX_LINES = 500;
const MAX_PIECES = 10_000;

export const AuthorizedProduct = object({
  name: text(500),
  sku: text(200),
  imageUrl: textOrNull(2_000),
  detailUrl: textOrNull(2_000),
});

/** One line a merchant associates with a transaction while authorizing it. */
export const AuthorizedLine = ruled(
  object({
    price: Cents,
    quantity: whole(1, MAX_PIECES),
    sku: blankable(text(200)),
    product: AuthorizedProduct,
  }),
  'line-amount',
  ({ price, quantity }) =>
    price * quantity <= MAX_CENTS ||
    `Expected price times quantity to be at most ${MAX_CENTS} cents, but received ${price} times ${quantity}`,
);
export type AuthorizedLine = Infer<typeof AuthorizedLine>;

/** So many pieces of an article, whichever lines they are in. Clients that send back lines as they read them name the sku in `product`. */
export const LineCount = replacing(object({ sku: text(200), quantity: whole(1, MAX_LINES * MAX_PIECES) }), (value) => {
  const { sku, product } = (value ?? {}) as { sku?: unknown; product?: { sku?: unknown } | null };
  return (sku ?? undefined) === undefined && typeof product?.sku === 'string'
    ? { ...(value as object), sku: product.sku }
    : value;
});
export type LineCount = Infer<typeof LineCount>;

/**
 * How much to cancel or refund. Neither, which is also `amount` 0 and no lines in the list, means everything that is left.
 *
 * An `amount` of null is rejected: JSON writes NaN as null, so a shop whose calculation failed would move everything.
 */
const adjustment = {
  amount: optional(Cents),
  lineItems: absentable(listOf(LineCount, MAX_LINES)),
};
const Adjustment = object(adjustment);
export type AdjustmentRequest = Infer<typeof Adjustment>;

/**
 * `struct`, for which a request that says nothing of how much, and something that reads like it, is a mistake: a misspelt `amount`
 * would move everything. The first such field is named. Any other unknown field is passed over as everywhere.
 *
 * @see decisions/0010-adjustments.md
 */
function unlessMisspelt<T, Schema>(struct: Struct<T, Schema>): Struct<T, Schema> {
  const { type, schema, entries, refiner } = struct;
  return new Struct({
    type,
    schema,
    entries,
    refiner,
    // What is to be refused stays as it came: `mask` would take the unknown field away.
    coercer: (value, context) => (strayIn(value) === undefined ? struct.coercer(value, context) : value),
    validator: (value, context) => {
      const stray = strayIn(value);
      if (stray === undefined) return struct.validator(value, context);
      const message = 'Expected `amount`, `lineItems` or neither, but received what reads like one of them';
      return [{ ...context, type, value, key: stray, path: [stray], refinement: undefined, message }];
    },
  });
}

/** `amout`, `Amount`, `amt`, `refund_amount`, `amountCents`, `line_items`, `items`, `total`, `cents`, `quantity`, `sku`. */
const LIKE_HOW_MUCH = /^am|amount|item|line|total|cents|quantit|qty|sku/i;

function strayIn(value: unknown): string | undefined {
  const { amount, lineItems } = (value ?? {}) as { amount?: unknown; lineItems?: unknown };
  // 0 and an empty list say no more than nothing does.
  const isSaid = Boolean(amount) || (Array.isArray(lineItems) && lineItems.length > 0);
  if (isSaid || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.keys(value)
    .find((field) => !(field in adjustment) && LIKE_HOW_MUCH.test(field))
    ?.slice(0, 60);
}

/** Body of `POST /transactions/actions/:tx-id`, by the action that its `type` names. */
export const actionRequests = {
  authorize: object({
    type: literal('authorize'),
    lineItems: absentable(listOf(AuthorizedLine, MAX_LINES)),
    merchantOrderId: blankable(line(200)),
  }),
  settle: object({ type: literal('settle') }),
  cancel: unlessMisspelt(object({ type: literal('cancel'), ...adjustment })),
  refund: unlessMisspelt(object({ type: literal('refund'), ...adjustment })),
};
type ActionName = keyof typeof actionRequests;

export const ActionRequest: Struct<ActionRequest, null> = chosenByType<ActionRequest>(actionRequests);
export type ActionRequest = { [Name in ActionName]: Infer<(typeof actionRequests)[Name]> }[ActionName];

/** Body of `PUT /transactions/:tx-id`. Left out, nothing changes; an empty string takes the id away. */
export const OrderIdRequest = object({ merchantOrderId: absentable(line(200)) });
export type OrderIdRequest = Infer<typeof OrderIdRequest>;

/** Body of `POST /transactions/:tx-id/shipment`. What is left out stays as it is. */
export const ShipmentRequest = object({ trackingNumber: absentable(line(200)), carrierName: absentable(line(200)) });
export type ShipmentRequest = Infer<typeof ShipmentRequest>;
