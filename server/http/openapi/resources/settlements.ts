import * as wire from '../../../../shared/wire/settlement.ts';
import { createResource, describing } from '../operation.ts';
import { exampleIds } from './carts.ts';

const settlementExample = {
  id: '019b0b5c-4d02-7c13-a5f7-0b6c8d9e1f20',
  day: '2026-03-04',
  currency: 'USD',
  lineCount: 2,
  gross: 97_500,
  fee: 2_858,
  net: 94_642,
  carried: 0,
  payout: 94_642,
  balance: 0,
  bankReference: null,
  paidOn: null,
  createdAt: '2026-03-05T11:10:00.000000Z',
};

const lineOf = (type: wire.SettlementLineType, revision: number, gross: number, fee: number, at: string) => ({
  id: `${exampleIds.transaction}.${revision}.${type}`,
  type,
  transactionId: exampleIds.transaction,
  orderRef: 'ORDER-1',
  merchantOrderId: 'ORDER-1',
  gross,
  fee,
  net: gross - fee,
  cardReference: '',
  day: '2026-03-04',
  at,
});

const lines = [
  lineOf('settled', 3, 147_500, 4_308, '2026-03-04T16:20:00.000000Z'),
  lineOf('refunded', 4, -50_000, -1_450, '2026-03-04T18:05:00.000000Z'),
];

const fields = {
  id: 'Id of the settlement.',
  day: 'The day, in the time zone of the financing program.',
  currency: 'ISO 4217 code of all amounts.',
  lineCount: 'Number of lines.',
  gross: 'Sum of the financed amounts that were settled, less those that were refunded, in cents.',
  fee: 'Sum of the fees, in cents.',
  net: '`gross` less `fee`, in cents.',
  carried: 'Negative balance that the settlement before has left, in cents; 0 without one.',
  payout: 'What the lender pays, in cents: `carried` and `net` together, at least 0.',
  balance: 'Negative balance that is left to the next settlement, in cents; 0 without one.',
  bankReference:
    "Reference of the bank transfer, as the lender's payout file states it; null before that, and without a payout. The payouts of a reference add up to its transfer.",
  paidOn: 'Day of the bank transfer; null without a bank reference.',
  createdAt: 'Time of creation. A settlement does not change afterwards, except for its bank reference.',
};

const describe = describing(wire);

const schemas = [
  describe('Settlement', 'What the lender pays to you for the purchases of a day in one currency.', fields),
  describe('SettlementWithLines', 'A settlement with a page of its lines.', {
    ...fields,
    lines: 'The lines by purchase, in the order of the checkouts, and within a purchase in the order of its changes.',
  }),
  describe('SettlementList', 'A page of settlements.', { settlements: 'The settlements, newest first.' }),
  describe('SettlementLine', 'What a settlement or a refund of a transaction adds to the payout.', {
    id: 'Id of the line, and position for `after`.',
    type: 'Type of the line.',
    transactionId: 'Id of the transaction.',
    orderRef: '`orderRef` of the cart, or empty.',
    merchantOrderId: 'Your order id, or empty.',
    gross: 'Financed amount in cents; negative for a refund.',
    fee: 'Fee in cents; negative for a refund, which returns it.',
    net: '`gross` less `fee`, in cents.',
    cardReference: "The card gateway's reference of the card portion; empty on lines of the loan.",
    day: 'Day of the change, in the time zone of the financing program. A change that missed the settlement of its day is in a later one.',
    at: 'Time of the change.',
  }),
  describe(
    'SettlementLineType',
    '`settled` and `refunded` are the financed portion. `settled-by-card` and `refunded-to-card` are the card portion, which the card gateway pays: their amounts are 0.',
  ),
];

/** Settlements and their lines in the OpenAPI document, with their schemas. Merchants authenticate with a key pair. */
export const settlements = createResource('Settlements', 'key-pair', schemas, {
  listSettlements: {
    call: 'GET /settlements',
    summary: 'List settlements',
    description:
      'Lists your settlements, newest first. The header `link` has the URL of the next page. With `Accept: text/csv`, the response is CSV with the same fields. Unknown parameters are rejected.',
    query: {
      struct: wire.SettlementQuery,
      descriptions: {
        'day[gte]': 'First day.',
        'day[lt]': 'The day after the last one.',
        limit: 'Number of settlements.',
        after: 'Id of the last settlement of the previous page.',
      },
      example: { 'day[gte]': '2026-03-01', 'day[lt]': '2026-04-01' },
    },
    returns: {
      description: 'The settlements.',
      body: wire.SettlementList,
      headers: ['link'],
      example: { settlements: [settlementExample] },
      csv: 'id,day,currency,lineCount,gross,fee,net,carried,payout,balance,bankReference,paidOn,createdAt\r\n',
    },
  },
  getSettlement: {
    call: 'GET /settlements/{settlementId}',
    summary: 'Retrieve a settlement',
    description:
      'Returns a settlement with a page of its lines. The header `link` has the URL of the next page. With `Accept: text/csv` or `.csv` at the end of the path, the response is CSV with all lines, and with rows of the types `carried` and `balance` for balances that are not 0, so that `net` adds up to the payout. Texts that a spreadsheet would run as a formula begin with an apostrophe. Unknown parameters are rejected.',
    query: {
      struct: wire.SettlementLinesQuery,
      descriptions: { limit: 'Number of lines.', after: 'Id of the last line of the previous page.' },
      example: { limit: 1_000 },
    },
    returns: {
      description: 'The settlement.',
      body: wire.SettlementWithLines,
      headers: ['link'],
      example: { ...settlementExample, lines },
      csv: 'settlementId,bankReference,id,type,transactionId,orderRef,merchantOrderId,currency,gross,fee,net,cardReference,day,at\r\n',
    },
  },
});
