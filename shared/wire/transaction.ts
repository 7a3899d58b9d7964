import {
  array,
  dynamic,
  enums,
  type Infer,
  integer,
  literal,
  max,
  min,
  nullable,
  object,
  string,
  type Struct,
} from 'superstruct';
import { absentable, blankable, Cents, line, text } from './fields.ts';

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

const Product = object({ name: string(), sku: string(), imageUrl: string(), detailUrl: string() });

export const LineItem = object({ id: string(), sku: string(), price: Cents, quantity: min(integer(), 1), product: Product });
export type LineItem = Infer<typeof LineItem>;

/** A financed purchase as the merchant API answers it. Amounts are cents. */
export const Transaction = object({
  serviceTransactionId: string(),
  status: TransactionStatus,
  createdAt: string(),
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
  discounts: array(object({ amount: Cents, description: string() })),
  billingContact: TransactionContact,
  shippingContact: TransactionContact,
});
export type Transaction = Infer<typeof Transaction>;

/** One line a merchant associates with a transaction while authorizing it. */
const AuthorizedLine = object({
  price: Cents,
  quantity: max(min(integer(), 1), 10_000),
  sku: blankable(text(200)),
  product: object({ name: text(500), sku: text(200), imageUrl: text(2_000), detailUrl: text(2_000) }),
});
export type AuthorizedLine = Infer<typeof AuthorizedLine>;

const bodies = {
  authorize: object({
    type: literal('authorize'),
    lineItems: absentable(array(AuthorizedLine)),
    merchantOrderId: absentable(line(200)),
  }),
};
type ActionName = keyof typeof bodies;

/**
 * Body of `POST /transactions/actions/:tx-id`; `type` decides which fields belong.
 *
 * Written with `dynamic`, not `union`, so that a mistake is reported at its own path ("At path: lineItems.0 -- …").
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the branches differ in what Struct's second parameter says
export const ActionRequest: Struct<ActionRequest, null> = dynamic((body): Struct<any> => {
  const name = (body as { type?: string } | null)?.type;
  const known = typeof name === 'string' && Object.hasOwn(bodies, name);
  return known ? bodies[name as ActionName] : object({ type: enums(Object.keys(bodies)) });
});
export type ActionRequest = { [Name in ActionName]: Infer<(typeof bodies)[Name]> }[ActionName];
