import * as wire from '../../../../shared/wire/transaction.ts';
import { createResource, describing } from '../operation.ts';
import { ada, chair, contactFields, exampleIds, listDescriptions } from './carts.ts';

const { firstName, lastName, ...contact } = ada;
const buyer = { fullName: `${firstName} ${lastName}`, ...contact, address2: '', phone: '5550100100' };

/** The transaction of `cartOfChairs` after its authorization. */
const transactionExample = {
  serviceTransactionId: exampleIds.transaction,
  cartId: exampleIds.cart,
  status: 'AUTHORIZED',
  createdAt: '2026-03-02T15:04:07.472000Z',
  orderRef: 'ORDER-1',
  merchantOrderId: 'ORDER-1',
  total: 147500,
  adjustedTotal: 147500,
  totalTax: null,
  shippingCost: 2500,
  shippingMethodCode: 'standard',
  shippingMethodName: 'Standard, 3 to 5 days',
  trackingNumber: '',
  carrierName: '',
  lineItems: [{ id: '1', sku: chair.sku, price: 75_000, quantity: 2, product: chair }],
  discounts: [{ amount: 5000, description: 'Spring sale' }],
  billingContact: buyer,
  shippingContact: buyer,
  financing: {
    amount: 147500,
    termLength: 24,
    termInterval: 'Month',
    monthly: 6806,
    apr: 0.0999,
    firstPaymentDue: '2026-04-02',
    loanNumber: null,
    current: null,
  },
  card: null,
};

const wholeAmount =
  'The remaining amount in cents, as a check. Any other amount is rejected with `amount-mismatch`. If it is absent or null, nothing is checked.';
const amountOf = (absent: string) =>
  `Amount in cents. If it is ${absent} and there are no \`lineItems\`, the whole remaining amount. Null is rejected. An amount above the remaining amount is rejected with \`amount-too-large\`.`;
const lineItems =
  'Quantities by SKU. With an `amount` too, the amount is moved and the quantities are recorded. A quantity above the remaining quantity is rejected with `quantity-too-large`.';

const adjustmentFields = {
  reference: 'Your reference of the cancel or refund, such as the number of a return.',
  reason: `Your reason, for your records: ${Object.keys(wire.AdjustmentReason.schema)
    .map((reason) => `\`${reason}\``)
    .join(', ')}. Any other text counts as \`other\`. It has no effect.`,
};

const adjustmentExample = {
  id: '019b0b60-7d12-7a34-b1f2-5a0c9d3e4f21',
  type: 'cancel',
  amount: 72_500,
  lines: [{ sku: chair.sku, quantity: 1, amount: 72_500 }],
  reference: 'RMA-1',
  reason: 'out-of-stock',
  createdAt: '2026-03-03T09:12:44.018000Z',
  actor: 'key:aB3_x9Zq',
};

const queryDescriptions: { [Name in keyof wire.TransactionQuery]-?: string } = {
  orderRef: 'Only transactions with this `orderRef`.',
  merchantOrderId: 'Only transactions with this `merchantOrderId`.',
  cartId: 'Only the transaction of this cart.',
  status:
    'Only transactions with this status. A transaction that has just expired is found as EXPIRED when the service has recorded it, a few minutes later at most.',
  ...listDescriptions('transactions'),
};

const { authorize, settle, cancel, refund } = wire.actionRequests;
const describe = describing({
  ...wire,
  AuthorizeRequest: authorize,
  SettleRequest: settle,
  CancelRequest: cancel,
  RefundRequest: refund,
});

const schemas = [
  describe(
    'TransactionStatus',
    'PENDING after the checkout, AUTHORIZED by the merchant, SETTLED after fulfillment. CANCELED or REFUNDED when nothing remains. EXPIRED if it was not authorized or settled in time.',
  ),
  describe('Transaction', 'A financed purchase. Amounts are in cents.', {
    serviceTransactionId: 'Id of the transaction.',
    cartId: 'Id of the cart that the buyer checked out.',
    status: 'Status of the transaction.',
    createdAt: 'Time at which the buyer signed the agreement.',
    orderRef: '`orderRef` of the cart, or empty. Compare it and `total` with your order before you authorize.',
    merchantOrderId: 'Your order id, or empty.',
    total:
      'Total of the purchase at checkout, in cents: the parts that the loan and a card pay. `financing` has the amount financed.',
    financing: 'The loan as signed.',
    card: 'The part that a card pays in addition to the loan; null if the loan pays everything.',
    adjustedTotal: 'Amount that remains after cancellations and refunds, in cents.',
    totalTax: 'Tax in cents, or null if the cart has none.',
    shippingCost: 'Shipping cost in cents.',
    shippingMethodCode: '`typeId` of the chosen shipping option, or empty.',
    shippingMethodName: 'Name of the chosen shipping option, or empty.',
    trackingNumber: 'Tracking number of the carrier, or empty.',
    carrierName: 'Name of the carrier, or empty.',
    lineItems: 'Line items. Empty for a cart with only a `customTotal`.',
    discounts: 'Discounts.',
    billingContact: 'Buyer and billing address.',
    shippingContact: 'Recipient and shipping address.',
  }),
  describe('TransactionList', 'A page of transactions.', {
    transactions: 'Transactions, the newest first. Empty if no transaction matches.',
  }),
  describe(
    'AdjustmentReason',
    'Reason of a cancel or refund: `requested-by-customer` before the delivery, `returned`, `damaged`, `out-of-stock`, `undeliverable`, `price-adjustment`, `duplicate` order, `fraudulent` order, or `other`.',
  ),
  describe('Adjustment', 'A cancel or refund of a transaction. Amounts are in cents.', {
    id: 'Id of the cancel or refund.',
    type: '`cancel` before the settlement, `refund` after it.',
    amount: 'Canceled or refunded amount. What exceeds the amounts of the lines is shipping, or was requested by `amount`.',
    lines: 'Quantities that were canceled or refunded, with their values.',
    reference: 'Your `reference` of the request, or empty.',
    reason: 'Your `reason` of the request; null without one.',
    createdAt: 'Time of the cancel or refund.',
    actor:
      'Origin of the request: `key:` and the last characters of your API key, or `user:` and the id of a person in the console.',
  }),
  describe('AdjustedLine', 'A canceled or refunded quantity of a SKU.', {
    sku: 'Your stock keeping unit.',
    quantity: 'Number of units.',
    amount:
      'Value of these units in cents, with their share of discounts and tax. If the amount of the adjustment is less than the values of its lines, their share of it.',
  }),
  describe('AdjustmentList', 'The cancels and refunds of a transaction.', {
    adjustments: 'Cancels and refunds, the earliest first. Empty before the first one.',
  }),
  describe('Financing', 'The loan as signed, which cancellations and refunds do not change. The units are those of `asLowAs`.', {
    amount: 'Amount financed in cents, with financed fees.',
    termLength: 'Number of payments.',
    termInterval: 'Unit of the term: `Month`.',
    monthly: 'Monthly payment in cents.',
    apr: 'Annual percentage rate as a fraction, such as 0.0999.',
    firstPaymentDue: 'Day on which the first payment is due.',
    loanNumber: "The lender's own number of the loan; null if it has none.",
    current:
      'The loan after cancellations, refunds, the expiry of the transaction, and a settlement on a later day than the signature. Null while it is as signed.',
  }),
  describe(
    'CurrentFinancing',
    'The loan after changes. Before the settlement, the loan is smaller; a later refund is a credit to its principal. A loan that was never made has no payments.',
    {
      amount: 'Amount financed less cancellations and refunds, in cents. Payments of the buyer are not subtracted.',
      monthly: 'The level payment in cents: the most frequent amount, or else the first payment. 0 without payments.',
      totalOfPayments: 'Sum of the payments, in cents.',
      payments: 'The payments that remain. Empty if nothing is owed.',
      calculatedBy:
        '`lender`, or `service` if the lender has stated no payments that can be right: each payment that was due at the last change then counts as made.',
    },
  ),
  describe('RemainingPayment', 'A payment of a loan that remains.', {
    dueDate: 'Day on which it is due.',
    amount: 'Amount in cents.',
  }),
  describe(
    'CardPortion',
    'The part of a purchase that a card pays: the amount that the lender did not approve, and a down payment.',
    {
      amount:
        'Amount in cents that remains after cancellations and refunds, which reduce the loan first. Cancellations after a declined hold of a settlement reduce it first.',
      state:
        'State of the card portion: `pending` before the transaction is authorized, and while the outcome of a new hold is unknown; `declined` if the last hold was; `held` until the gateway has captured or released the hold, which follows the settlement or the end of the transaction; `expired` if the hold has ended before, so that a settlement places a new one; `captured`, `released`, and `refunded` when all of it was; `capture-failed` if the card could not be charged after the settlement and is not charged again automatically; `none` if the transaction ended without an authorization.',
      holdExpiresAt:
        'Time at which the hold ends unless it is captured before, or has ended. Null without a hold, or if the card gateway does not report it.',
    },
  ),
  describe('TransactionContact', 'A contact of a transaction. Unknown values are empty strings.', {
    ...contactFields,
    zip: 'US ZIP code of five digits.',
    phone: 'US phone number of ten digits.',
  }),
  describe('LineItem', 'A line item of a transaction.', {
    id: 'Id of the line item.',
    sku: 'Your stock keeping unit, or empty.',
    price: 'Unit price in cents.',
    quantity: 'Number of units.',
    product: 'The product.',
  }),
  describe('Product', 'The product of a line item.', {
    name: 'Name shown to the buyer.',
    sku: 'Your stock keeping unit, or empty.',
    imageUrl: 'URL of a picture, or empty.',
    detailUrl: 'URL of the product page, or empty.',
  }),
  describe('TransactionDiscount', 'A discount of a transaction.', {
    amount: 'Amount in cents.',
    description: 'Name shown to the buyer.',
  }),
  describe(
    'ActionRequest',
    'An action. `type` determines which other fields apply. Unknown fields are ignored, except that a cancel or refund of everything is rejected if an unknown field has a name such as `amout` or `items`, or holds a number or a list.',
  ),
  describe('AuthorizeRequest', 'Authorizes a PENDING transaction. Payment is guaranteed when the order is fulfilled.', {
    type: 'Type of the action.',
    lineItems: 'Line items that replace those of the cart.',
    merchantOrderId: 'Your order id, for reconciliation. If it is absent, null or empty, the id is unchanged.',
    amount: wholeAmount,
  }),
  describe('SettleRequest', 'Settles an AUTHORIZED transaction after the order is fulfilled: pays the remaining amount.', {
    type: 'Type of the action.',
    amount: wholeAmount,
  }),
  describe('CancelRequest', 'Cancels all or a part of a transaction before it is settled.', {
    type: 'Type of the action.',
    amount: amountOf('absent'),
    lineItems,
    ...adjustmentFields,
  }),
  describe('RefundRequest', 'Refunds all or a part of a SETTLED transaction.', {
    type: 'Type of the action.',
    amount: amountOf('absent or 0'),
    lineItems,
    ...adjustmentFields,
  }),
  describe('AuthorizedLine', 'A line item to associate with a transaction. Price times quantity is at most 99999999999 cents.', {
    price: 'Unit price in cents.',
    quantity: 'Number of units.',
    sku: 'Your stock keeping unit. Default: that of the product.',
    product: 'The product.',
  }),
  describe('AuthorizedProduct', 'The product of a line item.', {
    name: 'Name of the product.',
    sku: 'Your stock keeping unit. May be empty.',
    imageUrl:
      'URL of a picture. May be empty, null or relative. URLs of other schemes than http and https are stored as empty strings.',
    detailUrl: 'URL of the product page, with the same rules as `imageUrl`.',
  }),
  describe('LineCount', 'A quantity of a SKU, across all line items.', {
    sku: 'Your stock keeping unit.',
    quantity: 'Number of units.',
  }),
  describe('OrderIdRequest', 'An order id to set.', {
    merchantOrderId: 'Your order id. If it is absent or null, the id is unchanged. An empty string removes it.',
  }),
  describe('ShipmentRequest', 'Shipment of the order. Absent fields are unchanged.', {
    trackingNumber: 'Tracking number of the carrier.',
    carrierName: 'Name of the carrier.',
  }),
];

const updated = { description: 'The updated transaction.', body: wire.Transaction, example: transactionExample };

/** Transactions and their actions in the OpenAPI document, with their schemas. Merchants authenticate with a key pair. */
export const transactions = createResource('Transactions', 'key-pair', schemas, {
  listTransactions: {
    call: 'GET /transactions',
    summary: 'List transactions',
    description:
      'Lists your transactions, the newest first. Find the transaction of an order by its `orderRef`, also if the callback was lost. The header `link` has the URL of the next page, which is equally fast on every page. Unknown and repeated parameters are rejected.',
    query: { struct: wire.TransactionQuery, descriptions: queryDescriptions, example: { orderRef: 'ORDER-1', limit: 50 } },
    returns: {
      description: 'A page of transactions.',
      body: wire.TransactionList,
      headers: ['link'],
      example: { transactions: [transactionExample] },
    },
  },
  listAdjustments: {
    call: 'GET /transactions/{transactionId}/adjustments',
    summary: 'List cancels and refunds',
    description: 'Lists the cancels and refunds of a transaction, the earliest first, so that you can book each of them.',
    returns: {
      description: 'The cancels and refunds.',
      body: wire.AdjustmentList,
      example: { adjustments: [adjustmentExample] },
    },
  },
  getTransaction: {
    call: 'GET /transactions/{transactionId}',
    summary: 'Retrieve a transaction',
    description: 'Compare its `total` with the total of your order before you authorize it.',
    returns: { description: 'The transaction.', body: wire.Transaction, example: transactionExample },
  },
  setOrderId: {
    call: 'PUT /transactions/{transactionId}',
    summary: 'Update order id',
    description: 'Sets your order id on the transaction in any status, for reconciliation.',
    request: {
      body: wire.OrderIdRequest,
      examples: { order: { summary: 'Your order id', value: { merchantOrderId: 'ORDER-1' } } },
    },
    returns: updated,
    errors: ['changed-meanwhile'],
  },
  actOnTransaction: {
    call: 'POST /transactions/actions/{transactionId}',
    summary: 'Authorize, settle, cancel or refund a transaction',
    description:
      'Authorize a PENDING transaction, and settle it when the order is fulfilled. Cancel before settlement and refund afterwards: the whole remaining amount, an `amount` or `lineItems`. A partial cancel or refund lowers `adjustedTotal` and keeps the status. After one by `amount`, `lineItems` with all remaining units cancel or refund what remains, even if that is less than their value: `adjustedTotal` of the response is the result. A refund with both fields keeps what `amount` leaves of the value of the line items: the last units do not return it, a later `amount` returns it first, and a refund without both fields returns everything. If a card pays the remainder of the purchase, the card is authorized, captured, released and refunded with the transaction. A settlement after the end of the hold places a new one first. If it is declined, the response is `card-declined` and the transaction stays AUTHORIZED: cancel the card portion by `amount`, and settle the loan.',
    request: {
      body: wire.ActionRequest,
      examples: {
        authorize: { summary: 'Authorize', value: { type: 'authorize', merchantOrderId: 'ORDER-1' } },
        cancelLines: {
          summary: 'Cancel one of the chairs',
          value: { type: 'cancel', lineItems: [{ sku: 'CHAIR-1', quantity: 1 }], reference: 'RMA-1', reason: 'out-of-stock' },
        },
        settle: { summary: 'Settle', value: { type: 'settle' } },
        refundAmount: { summary: 'Refund $25.00', value: { type: 'refund', amount: 2_500 } },
        refundAll: { summary: 'Refund the remaining amount', value: { type: 'refund' } },
      },
    },
    returns: updated,
    errors: [
      'wrong-state',
      'amount-mismatch',
      'amount-too-large',
      'quantity-too-large',
      'line-items-in-use',
      'card-declined',
      'card-unavailable',
      'changed-meanwhile',
    ],
  },
  setShipment: {
    call: 'POST /transactions/{transactionId}/shipment',
    summary: 'Update shipment',
    description: 'Sets the tracking number and the carrier of the order, in any status except CANCELED and EXPIRED.',
    request: {
      body: wire.ShipmentRequest,
      examples: { carrier: { summary: 'A parcel', value: { carrierName: 'UPS', trackingNumber: '1Z999AA10123456784' } } },
    },
    returns: updated,
    errors: ['wrong-state', 'changed-meanwhile'],
  },
});
