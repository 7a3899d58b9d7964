import { type NamedSchema, objectSchema, type Operation, type Resource, valueSchema } from '../operation.ts';
import { exampleIds } from './carts.ts';
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

const buyer = {
  fullName: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '5550100100',
  address: '12 Analytical Way',
  address2: '',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
};

/** What is answered once the purchase of `cartOfChairs` is authorized. */
export const transactionAnswer = {
  serviceTransactionId: exampleIds.transaction,
  status: 'AUTHORIZED',
  createdAt: '2026-03-02T15:04:07.472000Z',
  merchantOrderId: 'ORDER-1',
  total: 147500,
  adjustedTotal: 147500,
  totalTax: null,
  shippingCost: 2500,
  shippingMethodCode: 'standard',
  shippingMethodName: 'Standard, 3 to 5 days',
  trackingNumber: '',
  carrierName: '',
  lineItems: [
    {
      id: '1',
      sku: 'CHAIR-1',
      price: 75000,
      quantity: 2,
      product: {
        name: 'Chair',
        sku: 'CHAIR-1',
        imageUrl: 'https://shop.example/chair.jpg',
        detailUrl: 'https://shop.example/chair',
      },
    },
  ],
  discounts: [{ amount: 5000, description: 'Spring sale' }],
  billingContact: buyer,
  shippingContact: buyer,
};

const amount =
  'Cents: how much. Left out or 0, and without `lineItems`, it is everything that is left; null is rejected. At most what is left, else `amount-too-large`.';
const lineItems =
  'How many pieces of which articles. Beside an `amount`, which is then what moves, they are recorded. At most what is left, else `quantity-too-large`.';

const schemas: readonly NamedSchema[] = [
  valueSchema(
    TransactionStatus,
    'TransactionStatus',
    'PENDING after checkout; AUTHORIZED by the merchant, SETTLED when fulfilled. CANCELED or REFUNDED once nothing is left, EXPIRED when it waited too long.',
  ),
  objectSchema(Transaction, 'Transaction', 'A financed purchase. Amounts are cents.', {
    serviceTransactionId: 'Id of the transaction.',
    status: 'Status of the transaction.',
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
  objectSchema(TransactionContact, 'TransactionContact', 'A person on a transaction. Unknown fields are empty.', {
    fullName: 'The whole name.',
    address: 'Street and number.',
    address2: 'Apartment, suite, unit.',
    city: 'City.',
    state: 'US state or DC, by its two letters.',
    zip: 'US zip of five digits.',
    email: 'E-mail address.',
    phone: 'US phone number of ten digits.',
  }),
  objectSchema(LineItem, 'LineItem', 'An article of the purchase.', {
    id: 'Id of the line.',
    sku: 'Your number of the article, or empty.',
    price: 'Cents, for one.',
    quantity: 'How many.',
    product: 'What it is.',
  }),
  objectSchema(Product, 'Product', 'What an article is.', {
    name: 'What the buyer read.',
    sku: 'Your number of the article, or empty.',
    imageUrl: 'Address of a picture, or empty.',
    detailUrl: 'Address of its page, or empty.',
  }),
  objectSchema(TransactionDiscount, 'TransactionDiscount', 'What was taken off.', {
    amount: 'Cents.',
    description: 'What the buyer read.',
  }),
  valueSchema(ActionRequest, 'ActionRequest', 'An action; `type` decides which other fields apply. Unknown fields are ignored.'),
  objectSchema(
    actionRequests.authorize,
    'AuthorizeRequest',
    'Accept the purchase. From PENDING only. Payment is guaranteed once the order is fulfilled.',
    {
      type: 'The action.',
      lineItems: 'Lines to associate; they replace those of the cart.',
      merchantOrderId: 'Your order id, to find the transaction by in your books. Left out, null or empty, nothing changes.',
    },
  ),
  objectSchema(actionRequests.settle, 'SettleRequest', 'The order is fulfilled; pay what is left. From AUTHORIZED only.', {
    type: 'The action.',
  }),
  objectSchema(actionRequests.cancel, 'CancelRequest', 'Give up the purchase or a part of it, before it is settled.', {
    type: 'The action.',
    amount,
    lineItems,
  }),
  objectSchema(actionRequests.refund, 'RefundRequest', 'Give back the purchase or a part of it, after it is settled.', {
    type: 'The action.',
    amount,
    lineItems,
  }),
  objectSchema(
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
  objectSchema(AuthorizedProduct, 'AuthorizedProduct', 'What an article is.', {
    name: 'What it is called.',
    sku: 'Your number of the article. May be empty.',
    imageUrl: 'Address of a picture. May be empty or null.',
    detailUrl: 'Address of its page. May be empty or null.',
  }),
  objectSchema(LineCount, 'LineCount', 'So many pieces of an article, whichever lines they are in.', {
    sku: 'Your number of the article.',
    quantity: 'How many pieces.',
  }),
  objectSchema(OrderIdRequest, 'OrderIdRequest', 'Your order id.', {
    merchantOrderId: 'Left out or null, nothing changes; an empty one takes the id away.',
  }),
  objectSchema(ShipmentRequest, 'ShipmentRequest', 'How the order is shipped. Absent fields keep their values.', {
    trackingNumber: "The carrier's number.",
    carrierName: 'The carrier.',
  }),
];

const tag = 'Transactions';
const caller = 'merchant';
const parameters = ['transactionId'] as const;
const asItIs = { 200: { description: 'The updated transaction.', body: Transaction, example: transactionAnswer } };

const operations: readonly Operation[] = [
  {
    id: 'getTransaction',
    method: 'get',
    path: '/transactions/{transactionId}',
    tag,
    summary: 'Retrieve a transaction',
    description: 'Compare its `total` with the total of your order before you authorize it.',
    caller,
    parameters,
    answers: asItIs,
    refusals: ['transaction-not-found'],
  },
  {
    id: 'setOrderId',
    method: 'put',
    path: '/transactions/{transactionId}',
    tag,
    summary: 'Update order id',
    caller,
    parameters,
    request: { body: OrderIdRequest, examples: { order: { summary: 'Your order id', value: { merchantOrderId: 'ORDER-1' } } } },
    answers: asItIs,
    refusals: ['transaction-not-found', 'changed-meanwhile'],
  },
  {
    id: 'actOnTransaction',
    method: 'post',
    path: '/transactions/actions/{transactionId}',
    tag,
    summary: 'Authorize, settle, cancel or refund a transaction',
    description:
      'Authorize from PENDING, settle from AUTHORIZED once the order is fulfilled. Until it is settled cancel, afterwards refund: everything that is left, an `amount`, or `lineItems`. A partial one lowers `adjustedTotal` and keeps the status. What a card pays of the purchase is held, captured, released and refunded with it.',
    caller,
    parameters,
    request: {
      body: ActionRequest,
      examples: {
        authorize: { summary: 'Authorize', value: { type: 'authorize', merchantOrderId: 'ORDER-1' } },
        cancelLines: {
          summary: 'Cancel one of the chairs',
          value: { type: 'cancel', lineItems: [{ sku: 'CHAIR-1', quantity: 1 }] },
        },
        settle: { summary: 'Settle', value: { type: 'settle' } },
        refundAmount: { summary: 'Refund $25.00', value: { type: 'refund', amount: 2_500 } },
        refundAll: { summary: 'Refund what is left', value: { type: 'refund' } },
      },
    },
    answers: asItIs,
    refusals: [
      'transaction-not-found',
      'wrong-state',
      'amount-too-large',
      'quantity-too-large',
      'line-items-in-use',
      'card-declined',
      'card-unavailable',
      'changed-meanwhile',
    ],
  },
  {
    id: 'setShipment',
    method: 'post',
    path: '/transactions/{transactionId}/shipment',
    tag,
    summary: 'Update shipment',
    caller,
    parameters,
    request: {
      body: ShipmentRequest,
      examples: { carrier: { summary: 'A parcel', value: { carrierName: 'UPS', trackingNumber: '1Z999AA10123456784' } } },
    },
    answers: asItIs,
    refusals: ['transaction-not-found', 'wrong-state', 'changed-meanwhile'],
  },
];

export const transactions: Resource = { operations, schemas };
