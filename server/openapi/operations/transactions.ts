import { ActionRequest, OrderIdRequest, ShipmentRequest, Transaction } from '../../../shared/wire/transaction.ts';
import { transactionAnswer } from '../examples/transactions.ts';
import type { Operation } from './operation.ts';

const tag = 'Transactions';
const caller = 'merchant';
const parameters = ['transactionId'] as const;
const asItIs = { 200: { description: 'The transaction as it is then.', body: Transaction, example: transactionAnswer } };

export const transactionOperations: readonly Operation[] = [
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
    summary: 'Set your order id',
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
    summary: 'Authorize, settle, cancel or refund',
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
    summary: 'Set how it is shipped',
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
