import { array, boolean, enums, type Infer, object, string } from 'superstruct';
import { AsLowAs } from './as-low-as.ts';
import { boundedMapOf, listOf, optional, refine, boundedInteger } from './structs.ts';
import { OptionalContact } from './contact.ts';
import { listQuery } from './query.ts';
import {
  nullAsAbsent,
  emptyAsAbsent,
  CalendarDate,
  Cents,
  Flag,
  ItemUrl,
  line,
  StandardUuid,
  PositiveCents,
  text,
  WebUrl,
  withLineLimit,
} from './fields.ts';
import { Email, Phone } from './contact-fields.ts';

/**
 * A line item of a cart. `price` is the unit price in cents.
 *
 * The URLs and the sku may be empty strings, and the URLs null: production clients send these for items without a page.
 */
export const CartItem = withLineLimit(
  object({
    name: emptyAsAbsent(text(500)),
    sku: text(200),
    price: Cents,
    quantity: boundedInteger(1, 10_000),
    imageUrl: ItemUrl,
    detailUrl: ItemUrl,
  }),
);
export type CartItem = Infer<typeof CartItem>;

/** A shipping option. `cost` is in cents. A single option is preselected. */
export const ShippingOption = object({ type: text(200, 1), typeId: line(200, 1), cost: Cents });
export type ShippingOption = Infer<typeof ShippingOption>;

/** The selected option is identified by its `typeId`, which must be unique. */
const ShippingOptions = refine(listOf(ShippingOption, 50), 'distinct', (options) => {
  const typeIds = options.map(({ typeId }) => typeId);
  const duplicate = typeIds.find((typeId, index) => typeIds.indexOf(typeId) !== index);
  return duplicate === undefined || `Expected every \`typeId\` once, but received "${duplicate}" twice`;
});

export const Discount = object({ amount: PositiveCents, description: text(500, 1) });
export type Discount = Infer<typeof Discount>;

/** String key–value pairs that a merchant attaches to a purchase. */
export const Metadata = boundedMapOf(text(500), { name: line(40, 1), maxNames: 50 });

/**
 * Options of a cart. Amounts are in cents.
 *
 * Priced by `items`, or by a `customTotal` that already includes shipping, tax and discounts and overrides all other amounts.
 * The buyer returns to `completeUrl` after a purchase, which `callbackUrl` is notified of, and otherwise to `errorUrl`. Both default to the
 * merchant's store. `disableEditShipping`: the buyer cannot change the shipping address; `requireShippingContact`: the buyer must enter one;
 * `buyerId`: the merchant's UUID of the buyer.
 */
export const CartOptions = refine(
  object({
    orderRef: emptyAsAbsent(line(200)),
    callbackUrl: emptyAsAbsent(WebUrl),
    completeUrl: emptyAsAbsent(WebUrl),
    errorUrl: emptyAsAbsent(WebUrl),
    createdBy: emptyAsAbsent(text(200)),
    cartName: emptyAsAbsent(text(200)),
    financingProgramId: emptyAsAbsent(text(64)),
    items: nullAsAbsent(listOf(CartItem, 500)),
    discounts: nullAsAbsent(listOf(Discount, 100)),
    shippingOptions: nullAsAbsent(ShippingOptions),
    shippingContact: OptionalContact,
    billingContact: OptionalContact,
    disableEditShipping: Flag,
    requireShippingContact: Flag,
    customTotal: nullAsAbsent(PositiveCents),
    tax: nullAsAbsent(Cents),
    metadata: nullAsAbsent(Metadata),
    buyerId: emptyAsAbsent(StandardUuid),
  }),
  'priced',
  ({ items, customTotal }) =>
    customTotal !== undefined || (items?.length ?? 0) > 0 || 'Expected `items` or `customTotal`, but received neither',
);
export type CartOptions = Infer<typeof CartOptions>;

/**
 * Request body of `POST /carts`. `expiration` is the last day on which the link works; the default is seven days. `createdBy`
 * and `cartName` are accepted here as well as in `options`, because clients send them in either place.
 */
export const CreateCartRequest = object({
  expiration: emptyAsAbsent(CalendarDate),
  createdBy: emptyAsAbsent(text(200)),
  cartName: emptyAsAbsent(text(200)),
  options: CartOptions,
});
export type CreateCartRequest = Infer<typeof CreateCartRequest>;

/** Statuses of a cart. A buyer may start an `ended` one again while its link works. */
export const CartStatus = enums(['open', 'in-progress', 'completed', 'expired', 'ended']);
export type CartStatus = Infer<typeof CartStatus>;

/**
 * The reason for which a cart has ended or expired. `amount-out-of-range`: no plan is offered for its amount; `unavailable`: no plan is offered
 * now; `not-completed`: every other end, also a denial, whose reason is only for the buyer.
 */
export const CartEndReason = enums([
  'canceled-by-buyer',
  'canceled-by-merchant',
  'amount-out-of-range',
  'unavailable',
  'not-completed',
]);
export type CartEndReason = Infer<typeof CartEndReason>;

/** A cart as returned by the merchant API, with its accepted options. */
export const Cart = object({
  id: string(),
  merchantId: string(),
  cartName: string(),
  expiration: CalendarDate,
  url: string(),
  createdBy: string(),
  isCustomTotal: boolean(),
  options: CartOptions,
  asLowAs: AsLowAs,
  status: CartStatus,
  /** Only if the status is `ended` or `expired`. */
  reason: optional(CartEndReason),
});
export type Cart = Infer<typeof Cart>;

/** A page of carts, the newest first. */
export const CartList = object({ carts: array(Cart) });
export type CartList = Infer<typeof CartList>;

/** Query of `GET /carts`. */
export const CartQuery = object({ orderRef: optional(line(200, 1)), status: optional(CartStatus), ...listQuery });
export type CartQuery = Infer<typeof CartQuery>;

/** Request body of `POST /carts/:cartId/email`: the recipient of the cart link. */
export const EmailCartRequest = object({ email: Email, name: line(200, 1) });
export type EmailCartRequest = Infer<typeof EmailCartRequest>;

/** Request body of `POST /carts/:cartId/text`: the phone number that receives the cart link. */
export const TextCartRequest = object({ phone: Phone });
export type TextCartRequest = Infer<typeof TextCartRequest>;

/** Confirms that the message is queued for delivery. */
export const SharedCart = object({ message: string() });
export type SharedCart = Infer<typeof SharedCart>;

/**
 * Body of the POST request to a cart's `callbackUrl` after a successful checkout.
 *
 * @see server/docs/webhooks.md.
 */
export const Callback = object({ transactionId: string(), orderRef: string() });
export type Callback = Infer<typeof Callback>;
