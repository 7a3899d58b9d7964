import {
  ActionRequest,
  actionRequests,
  AuthorizedLine,
  AuthorizedProduct,
  LineCount,
  LineItem,
  OrderIdRequest,
  Product,
  ShipmentRequest,
  Transaction,
  TransactionContact,
  TransactionDiscount,
  TransactionStatus,
} from '../../../shared/wire/transaction.ts';
import { object, value, type Worded } from './words.ts';

const amount =
  'Cents: how much. Left out or 0, and without `lineItems`, it is everything that is left; null is rejected. At most what is left, else `amount-too-large`.';
const lineItems =
  'How many pieces of which articles. Beside an `amount`, which is then what moves, they are recorded. At most what is left, else `quantity-too-large`.';

export const transactionWords: readonly Worded[] = [
  value(
    TransactionStatus,
    'TransactionStatus',
    'PENDING after checkout; AUTHORIZED by the merchant, SETTLED when fulfilled. CANCELED or REFUNDED once nothing is left, EXPIRED when it waited too long.',
  ),
  object(Transaction, 'Transaction', 'A financed purchase. Amounts are cents.', {
    serviceTransactionId: 'Names the transaction in all calls.',
    status: 'Where it stands.',
    createdAt: 'When the buyer signed.',
    merchantOrderId: 'Your order id, or empty.',
    total: 'Cents: what was financed at checkout.',
    adjustedTotal: 'Cents: what is left of it after cancellations and refunds.',
    totalTax: 'Cents of tax; null when the cart said nothing of tax.',
    shippingCost: 'Cents.',
    shippingMethodCode: 'The `typeId` of the shipping option that was picked, or empty.',
    shippingMethodName: 'What the buyer read of it, or empty.',
    trackingNumber: "The carrier's number, or empty.",
    carrierName: 'The carrier, or empty.',
    lineItems: 'The articles; none for a cart with a `customTotal` alone.',
    discounts: 'What was taken off.',
    billingContact: 'Who pays.',
    shippingContact: 'Where it is sent.',
  }),
  object(TransactionContact, 'TransactionContact', 'A person on a transaction. What is unknown is empty.', {
    fullName: 'The whole name.',
    address: 'Street and number.',
    address2: 'Apartment, suite, unit.',
    city: 'City.',
    state: 'US state or DC, by its two letters.',
    zip: 'US zip of five digits.',
    email: 'E-mail address.',
    phone: 'US phone number of ten digits.',
  }),
  object(LineItem, 'LineItem', 'An article of the purchase.', {
    id: 'Names the line.',
    sku: 'Your number of the article, or empty.',
    price: 'Cents, for one.',
    quantity: 'How many.',
    product: 'What it is.',
  }),
  object(Product, 'Product', 'What an article is.', {
    name: 'What the buyer read.',
    sku: 'Your number of the article, or empty.',
    imageUrl: 'Address of a picture, or empty.',
    detailUrl: 'Address of its page, or empty.',
  }),
  object(TransactionDiscount, 'TransactionDiscount', 'What was taken off.', {
    amount: 'Cents.',
    description: 'What the buyer read.',
  }),
  value(ActionRequest, 'ActionRequest', 'What to do; `type` decides which other fields belong. What is not named is ignored.'),
  object(
    actionRequests.authorize,
    'AuthorizeRequest',
    'Accept the purchase. From PENDING only. Payment is guaranteed once the order is fulfilled.',
    {
      type: 'The action.',
      lineItems: 'Lines to associate; they replace those of the cart.',
      merchantOrderId: 'Your order id, to find the transaction by in your books. Left out, null or empty, nothing changes.',
    },
  ),
  object(actionRequests.settle, 'SettleRequest', 'The order is fulfilled; pay what is left. From AUTHORIZED only.', {
    type: 'The action.',
  }),
  object(actionRequests.cancel, 'CancelRequest', 'Give up the purchase or a part of it, before it is settled.', {
    type: 'The action.',
    amount,
    lineItems,
  }),
  object(actionRequests.refund, 'RefundRequest', 'Give back the purchase or a part of it, after it is settled.', {
    type: 'The action.',
    amount,
    lineItems,
  }),
  object(
    AuthorizedLine,
    'AuthorizedLine',
    'An article to associate with a transaction. Its price times its quantity is at most 99999999999 cents.',
    {
      price: 'Cents, for one.',
      quantity: 'How many.',
      sku: "Your number of the article. Left out, the product's.",
      product: 'What it is.',
    },
  ),
  object(AuthorizedProduct, 'AuthorizedProduct', 'What an article is.', {
    name: 'What it is called.',
    sku: 'Your number of the article. May be empty.',
    imageUrl: 'Address of a picture. May be empty or null.',
    detailUrl: 'Address of its page. May be empty or null.',
  }),
  object(LineCount, 'LineCount', 'So many pieces of an article, whichever lines they are in.', {
    sku: 'Your number of the article.',
    quantity: 'How many pieces.',
  }),
  object(OrderIdRequest, 'OrderIdRequest', 'Your order id.', {
    merchantOrderId: 'Left out or null, nothing changes; an empty one takes the id away.',
  }),
  object(ShipmentRequest, 'ShipmentRequest', 'How the order travels. What is left out stays as it is.', {
    trackingNumber: "The carrier's number.",
    carrierName: 'The carrier.',
  }),
];
