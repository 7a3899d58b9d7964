import { boolean, type Infer, object, string } from 'superstruct';
import { MAX_CENTS } from '../money.ts';
import { AsLowAs } from './as-low-as.ts';
import { boundedMapOf, listOf, ruled, whole } from './bricks.ts';
import { OptionalContact } from './contact.ts';
import {
  absentable,
  blankable,
  CalendarDate,
  Cents,
  Flag,
  line,
  OwnUuid,
  PositiveCents,
  text,
  textOrNull,
  WebUrl,
} from './fields.ts';

/**
 * An article in the cart. `price` is in cents and for one; `quantity` multiplies it.
 *
 * The addresses and the sku may be empty strings, and the addresses null: production clients send those for articles without a page.
 */
export const CartItem = ruled(
  object({
    name: blankable(text(500)),
    sku: text(200),
    price: Cents,
    quantity: whole(1, 10_000),
    imageUrl: textOrNull(2_000),
    detailUrl: textOrNull(2_000),
  }),
  'line-amount',
  ({ price, quantity }) =>
    price * quantity <= MAX_CENTS ||
    `Expected price times quantity to be at most ${MAX_CENTS} cents, but received ${price} times ${quantity}`,
);
export type CartItem = Infer<typeof CartItem>;

/** One way to ship that the buyer may pick. `cost` is in cents; a single entry is picked beforehand. */
export const ShippingOption = object({ type: text(200, 1), typeId: line(200, 1), cost: Cents });
export type ShippingOption = Infer<typeof ShippingOption>;

/** What the buyer picks from; the pick is known by its `typeId`, so no two are the same. */
const ShippingOptions = ruled(listOf(ShippingOption, 50), 'distinct', (options) => {
  const typeIds = options.map(({ typeId }) => typeId);
  const twice = typeIds.find((typeId, index) => typeIds.indexOf(typeId) !== index);
  return twice === undefined || `Expected every \`typeId\` once, but received "${twice}" twice`;
});

export const Discount = object({ amount: PositiveCents, description: text(500, 1) });
export type Discount = Infer<typeof Discount>;

/** What a merchant notes on a purchase for its own systems, by names of its own. */
export const Metadata = boundedMapOf(text(500), { name: line(40, 1), most: 50 });
export type Metadata = Infer<typeof Metadata>;

/**
 * What a merchant may ask of a cart. Amounts are cents.
 *
 * Priced by `items`, or by a `customTotal` that already includes shipping, tax and discounts and wins over all other
 * costs. Left-out addresses fall back to the merchant's store.
 */
export const CartOptions = ruled(
  object({
    orderRef: blankable(line(200)),
    callbackUrl: blankable(WebUrl),
    completeUrl: blankable(WebUrl),
    errorUrl: blankable(WebUrl),
    createdBy: blankable(text(200)),
    cartName: blankable(text(200)),
    financingProgramId: blankable(text(64)),
    items: absentable(listOf(CartItem, 500)),
    discounts: absentable(listOf(Discount, 100)),
    shippingOptions: absentable(ShippingOptions),
    shippingContact: OptionalContact,
    billingContact: OptionalContact,
    disableEditShipping: Flag,
    requireShippingContact: Flag,
    customTotal: absentable(PositiveCents),
    tax: absentable(Cents),
    metadata: absentable(Metadata),
    buyerId: blankable(OwnUuid),
  }),
  'priced',
  ({ items, customTotal }) =>
    customTotal !== undefined || (items?.length ?? 0) > 0 || 'Expected `items` or `customTotal`, but received neither',
);
export type CartOptions = Infer<typeof CartOptions>;

/**
 * Body of `POST /carts`. `expiration` is the last day on which the link works; left out, the cart lives for
 * seven days. `createdBy` and `cartName` are taken here as well as in `options`, since clients send them in either place.
 */
export const CreateCartRequest = object({
  expiration: blankable(CalendarDate),
  createdBy: blankable(text(200)),
  cartName: blankable(text(200)),
  options: CartOptions,
});
export type CreateCartRequest = Infer<typeof CreateCartRequest>;

/** A cart as the merchant API answers it, with what was accepted of its options. */
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
});
export type Cart = Infer<typeof Cart>;
