import * as wire from '../../../../shared/wire/application.ts';
import * as order from '../../../../shared/wire/order.ts';
import { StatusCode } from '../../../../shared/wire/fields.ts';
import { PlatformError } from '../../../../shared/wire/errors.ts';
import { statusCodes } from '../../../../shared/wire/status-codes.ts';
import { keysOf } from '../../../../shared/objects.ts';
import { createResource, describing } from '../operation.ts';
import { cartOfChairs, chair, exampleIds } from './carts.ts';

const usd = (value: number) => ({ currency: 'USD', value });

const exampleContact = {
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  phone: '+15550100100',
  address: {
    address1: '12 Analytical Way',
    locality: 'Springfield',
    postalCode: '62701',
    region: 'US-IL',
    country: 'US',
  },
  email: 'ada@example.com',
};

const programId = '019b0b5c-1a08-7b90-a3d2-90b1c7e6f405';

const applicationId = '019b0b5c-2f10-7a43-9a6e-51c4de0b7f02';

/** @param id - Version 5: of the application and the plan. @param productId - Version 5: of the program and the plan. */
const offer = (id: string, productId: string, termLength: number, apr: number, monthly: number, financeCharge: number) => ({
  id,
  planID: `standard-${termLength}`,
  programID: programId,
  termLength,
  termInterval: 'Month' as const,
  apr,
  monthly: usd(monthly),
  amountFinanced: usd(147_500),
  totalOfPayments: usd(147_500 + financeCharge),
  financeCharge: usd(financeCharge),
  capacity: usd(147_500),
  paymentProduct: { id: productId, type: 'INSTALLMENTS' as const },
});

const offers = [
  offer('2a86b243-5423-5472-ab22-be73da1994a0', '9362df64-09c9-5be4-879c-4e52fde0357d', 24, 0.0999, 6_806, 15_835),
  offer('f73fd8c4-0008-5077-9fda-8ec5aab81342', '8f3c7464-2e60-559b-8405-012c31dc5f22', 12, 0.0799, 12_830, 6_461),
  offer('610c8280-f53b-5efc-a99e-4473f716c3ff', '7df3c9af-8e88-527e-96a8-e3713991e0b0', 6, 0.0599, 25_015, 2_587),
] as const;
const [chosen] = offers;

/** The second day of 24 months, from April 2026. */
const dueDates = Array.from({ length: 24 }, (_, at) => new Date(Date.UTC(2026, 3 + at, 2)).toISOString().slice(0, 10));

const agreement = {
  id: '019b0b5c-30c4-7e02-b5d9-7a1f4c2e8b60',
  offer: chosen,
  paymentProductID: chosen.paymentProduct.id,
  paymentAmount: chosen.monthly,
  status: 'COMPLETED',
  terms: { amount: chosen.amountFinanced, interval: 'MONTHLY', length: chosen.termLength, rate: chosen.apr },
  consentedAt: '2026-03-02T15:04:07.472000Z',
  disclosureHash: '371dcfff7c5dde017286c2d9870e359b84120448c7bb26fb04f91eda91f2639d',
  documentHash: 'fbc4135802b89b1570d4416dc7cb53d09b73a957c73a9ad540280b562e723c8f',
  disclosure: {
    creditor: 'Fairterm Lending',
    date: '2026-03-02',
    apr: 0.0999,
    financeCharge: usd(15_835),
    amountFinanced: usd(147_500),
    totalOfPayments: usd(163_335),
    dueToday: usd(0),
    payments: dueDates.map((dueDate, at) => ({ dueDate, amount: usd(at === 23 ? 6_797 : 6_806) })),
    prepaymentPenalty: false,
  },
  createdAt: '2026-03-02T15:04:07.472000Z',
  updatedAt: '2026-03-02T15:04:07.472000Z',
};

/** A page with the application for `cartOfChairs`. */
export const applicationList = {
  applications: [
    {
      id: applicationId,
      buyerID: exampleIds.buyer,
      tenantID: '019b0b5c-1a07-7a2c-8f11-64f0a2c9d7e8',
      merchantID: exampleIds.merchant,
      programID: programId,
      cartID: exampleIds.cart,
      orderRef: 'ORDER-1',
      transactionID: exampleIds.transaction,
      status: 'CHECKOUT_COMPLETED',
      statusCode: '610000',
      billingContact: exampleContact,
      shippingContact: exampleContact,
      order: {
        subTotal: usd(150_000),
        totalDiscounts: usd(5_000),
        totalShipping: usd(2_500),
        totalTax: usd(0),
        totalPrice: usd(147_500),
        items: [
          { ...chair, quantity: 2, unitPrice: usd(75_000), unitTax: usd(0), shippingCost: usd(0), itemUrl: chair.detailUrl },
        ],
      },
      offers,
      paymentAgreements: [agreement],
      metadata: cartOfChairs.options.metadata,
      createdAt: '2026-03-02T15:01:52.118000Z',
      updatedAt: '2026-03-02T15:04:07.472000Z',
      expiresAt: '2026-03-09T15:01:52.118000Z',
    },
  ],
};

type Codes = typeof statusCodes;

/** Descriptions of each status code. */
const statusCodeMeanings: { readonly [Status in keyof Codes]: Readonly<Record<keyof Codes[Status], string>> } = {
  STARTED: {
    plain: 'the buyer has entered a name and an address, but not applied for credit',
    'decision-pending': 'the lender has received the application and not responded',
    incomplete: 'the lender needs an action of the buyer, who is entering their details again',
  },
  APPROVED: {
    plain: 'approved for the full amount, and the buyer chooses a plan',
    partial: 'approved for a part, a card pays the remainder, and the buyer chooses a plan',
    'order-closed': 'approved for the full amount after the cart had ended, so that it cannot be used',
    'order-closed-partial': 'approved for a part after the cart had ended, so that it cannot be used',
  },
  DENIED: {
    plain: 'without a disclosed reason',
    income: 'because of the income',
    debt: 'because of existing debt',
    identity: 'because the identity could not be verified',
    withdrawn: 'by the lender after the buyer signed',
  },
  INELIGIBLE: {
    law: 'the law does not allow the lender to finance this purchase',
    'not-offered': 'the lender makes no such loan to anyone',
    'no-plan-in-state': "no plan is available in the buyer's state, and the buyer may enter another address",
  },
  NEEDS_ACTION: {
    'unfreeze-credit-file': 'the buyer must unfreeze their credit file and apply again',
    'confirm-identity': 'the buyer must verify their identity and apply again',
    'correct-details': 'the buyer must correct their details and apply again',
  },
  ATTEMPTED_PREPARE_CHECKOUT: { plain: 'a plan is chosen, but no card for the remainder' },
  CHECKOUT_PREPARED: { plain: 'the buyer has made all choices and reads the agreement' },
  ATTEMPTED_CHECKOUT: { plain: 'the agreement is signed, and the lender has not responded' },
  CHECKOUT_COMPLETED: { plain: 'the checkout is completed, and there is a transaction' },
  CHECKOUT_EXTENDED: { plain: 'prepared, and the buyer has extended the approval' },
  CANCELLED: {
    'by-buyer': 'by the buyer',
    'by-merchant': 'by the merchant, who expired the cart',
    restarted: 'because the checkout was restarted with another application',
  },
  EXPIRED: {
    'not-submitted': 'before the buyer applied for credit',
    'approval-expired': 'after the approval ended',
    incomplete: 'because the buyer did not complete the application',
  },
};

/** Describes every status code, one paragraph for each status. */
function describeStatusCodes(): string {
  const statuses = keysOf(statusCodes).map((status) => {
    const meanings: Readonly<Record<string, string>> = statusCodeMeanings[status];
    return `\`${status}\`: ${Object.entries<string>(statusCodes[status])
      .map(([reason, code]) => `\`${code}\` ${meanings[reason]}`)
      .join('; ')}.`;
  });
  const introduction =
    'The status of an application and its reason. The first two digits identify the status. Later versions of the service may add codes.';
  const restricted =
    'The reasons of denials and the findings of credit bureaus are hidden: instead of `300200` to `300400` you receive `300000`, and `400000` instead of `400100` to `400300`.';
  return [introduction, ...statuses, restricted].join('\n\n');
}

/** Descriptions of the parameters of `GET /api/application`. */
const queryDescriptions: { [Name in keyof wire.ApplicationQuery]-?: string } = {
  'buyerID.eq': 'Only applications of this buyer.',
  'merchantID.eq': 'Only applications of this merchant. It must equal the `MerchantID` of the token, if there is one.',
  'status.eq': 'Only applications with this status.',
  'statusCode.eq': 'Only applications with one of these status codes. Repeat the parameter for each code, at most 100 times.',
  'statusCode.ne': 'Only applications with none of these status codes. Repeat the parameter for each code, at most 100 times.',
  'showExpired.eq': 'Includes expired applications. Default: `true`.',
  'normalizedAddressHash.eq': 'Only applications of buyers at this address: a hexadecimal SHA-256 of the normalized address.',
  'metadata.eq': 'Includes the metadata of the cart. Default: `false`.',
  'updatedAt.gte': 'Only applications that were updated on this day (UTC) or at this time, or later.',
  'updatedAt.lte': 'Only applications that were updated on this day (UTC) or at this time, or earlier.',
  'lastTimestamp.eq':
    'Keyset pagination: an RFC 3339 timestamp, `createdAt` or `updatedAt`, depending on `sort`, of the last application of the previous page. Requires `lastID.eq`.',
  'lastID.eq': 'Keyset pagination: `id` of the last application of the previous page. Requires `lastTimestamp.eq`.',
  sort: 'Sort order. Applications with the same timestamp are sorted by id.',
  limit: 'Maximum number of applications on a page.',
  offset: 'Number of applications to skip. Large offsets are slow; keyset pagination is equally fast on every page.',
};

const describe = describing({ ...wire, ...order, StatusCode, PlatformError });

const schemas = [
  describe('ApplicationList', 'A page of applications.', {
    applications: 'Applications in the requested order. Empty if no application matches.',
  }),
  describe('Application', "A buyer's application for financing.", {
    id: 'Id of the application.',
    buyerID: 'Id of the buyer.',
    tenantID: 'Id of the tenant of the merchant.',
    merchantID: 'Id of the merchant.',
    programID: 'Id of the financing program.',
    paymentMethodID: 'Id of the card that pays the remainder. Absent without a card.',
    locationID: 'Id of the store in which the application was made. Absent for online applications.',
    cartID: 'Id of the cart in the merchant API. Absent without a cart.',
    orderRef: '`orderRef` of the cart. Absent without one.',
    transactionID: 'Id of the transaction in the merchant API. Absent until the purchase is completed.',
    status: 'Status of the application.',
    statusCode: 'Status of the application and its reason.',
    billingContact: 'Buyer and billing address. Absent until the purchase is completed.',
    shippingContact: 'Recipient and shipping address. Absent until the purchase is completed.',
    order: 'The order that the buyer wants to finance.',
    offers: 'Offers that the buyer can choose from or chose from.',
    paymentAgreements: 'Agreements that the buyer signed.',
    metadata: 'Metadata of the cart. Present if `metadata.eq` is true.',
    createdAt: 'Time of creation.',
    updatedAt: 'Time of the last change.',
    expiresAt:
      'Time at which the application expires unless the checkout is completed. Its status is `EXPIRED` from then on; `updatedAt` follows within seconds.',
  }),
  describe('ApplicationStatus', "Status of a buyer's application for financing."),
  describe('StatusCode', describeStatusCodes()),
  describe('Order', 'The order of an application.', {
    subTotal: 'Sum of the items: unit price times quantity.',
    totalDiscounts: 'Sum of the discounts.',
    totalShipping: 'Shipping cost. With a custom total, at most what it leaves after tax.',
    totalTax: 'Tax. With items, the sum of unit tax times quantity. With a custom total, at most that and the discounts.',
    totalPrice: '`subTotal + totalShipping + totalTax - totalDiscounts`, greater than 0.',
    items: 'Line items. Empty for an order with a custom total.',
    discountCode: 'Discount code that the buyer entered.',
    pickupInformation: 'The person who picks up the order, and the address.',
  }),
  describe('OrderItem', 'A line item of an order.', {
    name: 'Name shown to the buyer.',
    sku: 'Stock keeping unit of the merchant.',
    quantity: 'Number of units.',
    unitPrice: 'Price per unit.',
    unitTax: 'Tax per unit.',
    shippingCost: 'Always 0, for clients that require it: shipping belongs to the order.',
    imageUrl: 'URL of a picture.',
    detailUrl: 'URL of the product page.',
    itemUrl: 'Equal to `detailUrl`, for clients that require it.',
  }),
  describe('PickupInformation', 'The person who picks up an order, and the address.', {
    name: 'Name of the person who picks up the order.',
    address: 'Address at which the order is picked up.',
    phone: 'Phone number with its country code, `+12025550123`.',
  }),
  describe('PlatformContact', 'A contact in the platform API.', {
    name: 'Name of the person.',
    phone: 'Phone number with its country code, `+12025550123`.',
    address: 'Postal address.',
    email: 'Email address.',
  }),
  describe('PersonName', 'Name of a person.', {
    givenName: 'Given name.',
    familyName: 'Family name. Empty for a person with a single name.',
    additionalName: 'Additional names.',
  }),
  describe('PlatformAddress', 'A postal address in the platform API.', {
    address1: 'Street and number.',
    address2: 'Apartment, suite or unit.',
    locality: 'City.',
    postalCode: 'ZIP code.',
    region: 'ISO 3166-2 code, `US-CA`. `AA`, `AE` or `AP` for a military address, which has none.',
    country: 'ISO 3166-1 alpha-2 code, `US`.',
  }),
  describe('Money', 'An amount of money.', {
    currency: 'ISO 4217 code, `USD`.',
    value: 'Amount in the minor unit of the currency: cents.',
  }),
  describe('Offer', 'A plan that the buyer can choose or has chosen.', {
    id: 'Id of the offer: a UUID, version 5, of the application and the plan.',
    planID: 'Id of the plan in the program, unique within the application.',
    programID: 'Id of the financing program.',
    termLength: 'Number of payments.',
    termInterval: 'Unit of the term: `Month`.',
    apr: 'APR as a fraction: 0.0999 is 9.99 %.',
    monthly: 'Monthly payment. The last payment may differ by cents.',
    amountFinanced: 'Amount financed.',
    totalOfPayments: 'Sum of all payments.',
    financeCharge: 'Cost of the loan.',
    capacity: "Amount that this offer finances, equal to `amountFinanced`. It is not the lender's limit for the buyer.",
    paymentProduct: 'The plan as a product of the program, the same for all applications.',
  }),
  describe('PaymentProduct', 'A plan of a program.', {
    id: 'Id of the product: a UUID, version 5, of the program and the plan.',
    type: '`INSTALLMENTS`: a loan that is repaid in installments.',
  }),
  describe('PaymentAgreement', 'An agreement that the buyer signed.', {
    id: 'Id of the agreement.',
    offer: 'The chosen offer.',
    paymentProductID: 'Id of the payment product of the offer.',
    paymentAmount: 'Level monthly payment. The first or the last payment may differ, see `disclosure`.',
    status: 'Status of the agreement.',
    terms: 'Terms of the loan.',
    consentedAt: 'Time of the signature.',
    disclosureHash: 'Hexadecimal SHA-256 of the disclosure before the signature.',
    documentHash: 'Hexadecimal SHA-256 of the signed document.',
    disclosure: 'Figures that were disclosed before the signature.',
    createdAt: 'Time of the signature, equal to `consentedAt`.',
    updatedAt: 'Time of the last change of the application.',
  }),
  describe(
    'AgreementStatus',
    'Status of an agreement: `PENDING` after the signature, `COMPLETED` when the lender has accepted it, `CANCELLED` if the lender has withdrawn. Changes of the purchase do not change it.',
  ),
  describe('AgreementTerms', 'Terms of a loan, as signed.', {
    amount: 'Amount financed.',
    interval: 'Interval of the payments: `MONTHLY`.',
    length: 'Number of payments.',
    rate: 'Annual rate as a fraction, that of the offer: 0.0999 is 9.99 %.',
  }),
  describe('AgreementDisclosure', 'Figures that were disclosed before the signature, as the law requires.', {
    creditor: 'Name of the lender.',
    date: 'Date of the disclosure.',
    apr: 'APR as a fraction: 0.0999 is 9.99 %.',
    financeCharge: 'Cost of the loan.',
    amountFinanced: 'Amount financed.',
    totalOfPayments: 'Sum of all payments.',
    dueToday: 'Down payment. It is paid by card: held when the purchase is authorized, and charged when it is settled.',
    payments: 'Payments in the order of their due dates.',
    prepaymentPenalty: 'True if there is a charge for paying early.',
  }),
  describe('DisclosedPayment', 'A scheduled payment.', {
    dueDate: 'Due date.',
    amount: 'Amount of the payment.',
  }),
  describe('PlatformError', 'Error response of the platform API.', {
    message: 'Message for developers: the path, the expected and the received value.',
    reason: 'Error code. Its meaning never changes.',
    domain: 'Namespace of `reason`: `platform.fairterm`.',
    metadata: 'Details, if any: `parameter`, `claim`, `expected` and `received`.',
  }),
];

/** Lists of applications in the OpenAPI document, with their schemas. Platforms authenticate with a bearer token. */
export const applications = createResource('Applications', 'bearer-token', schemas, {
  getApplication: {
    call: 'GET /api/application/{applicationId}',
    summary: 'Retrieve an application',
    description: 'Returns an application of the scope of the token, as the list does. Unknown parameters are rejected.',
    errorStyle: 'platform',
    query: {
      struct: wire.OneApplicationQuery,
      descriptions: { 'metadata.eq': queryDescriptions['metadata.eq'] },
      example: { 'metadata.eq': true },
    },
    returns: { description: 'The application.', body: wire.Application, example: applicationList.applications[0] },
  },
  listApplications: {
    call: 'GET /api/application',
    summary: 'List applications',
    description:
      'Lists the applications of the `TenantID` of the token. The claims `MerchantID`, `ProgramID` and `BuyerID` restrict the list further. If no application matches, the list is empty. Unknown parameters are rejected.\n\nThe header `link` has the URL of the next page with keyset pagination, which is equally fast on every page and unaffected by new applications. Large values of `offset` are slow. Sorted by `createdAt`, the pages contain each application once. An application that changes while you read the pages appears again on a later page if they are sorted by `updatedAt.asc`, and can be missed if they are sorted by `updatedAt.desc`.\n\nTo follow the list, sort it in ascending order and repeat the request with the timestamp and id of the last application you received: no application is skipped, because such a page ends before the oldest change that is still being saved. In a sandbox whose clock was moved back, start again without them.\n\nThe reasons of denials and the findings of credit bureaus are hidden: the status codes `300200` to `300400` are `300000`, and `400100` to `400300` are `400000`.',
    errorStyle: 'platform',
    query: {
      struct: wire.ApplicationQuery,
      descriptions: queryDescriptions,
      example: { 'status.eq': 'CHECKOUT_COMPLETED', 'updatedAt.gte': '2026-01-01', 'metadata.eq': true, limit: 50 },
    },
    returns: {
      description: 'A page of applications.',
      body: wire.ApplicationList,
      headers: ['cache-control', 'link'],
      example: applicationList,
    },
  },
});
