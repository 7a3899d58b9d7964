import { statusCodes } from '../../applications/lifecycle.ts';
import { type NamedSchema, objectSchema, type Operation, type Resource, valueSchema } from '../operation.ts';
import { cartOfChairs, exampleIds } from './carts.ts';
import { ApplicationQuery } from '../../../shared/wire/application-query.ts';
import {
  AgreementDisclosure,
  Application,
  ApplicationList,
  ApplicationStatus,
  DisclosedPayment,
  Offer,
  PaymentAgreement,
} from '../../../shared/wire/application.ts';
import { StatusCode } from '../../../shared/wire/fields.ts';
import {
  Order,
  OrderItem,
  PickupInformation,
  Money,
  PersonName,
  PlatformAddress,
  PlatformContact,
} from '../../../shared/wire/order.ts';
import { PlatformError } from '../../../shared/wire/errors.ts';

const usd = (value: number) => ({ currency: 'USD', value });

const ada = {
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

const offer = (id: string, termLength: number, apr: number, monthly: number, financeCharge: number) => ({
  id,
  programID: programId,
  termLength,
  termInterval: 'Month',
  apr,
  monthly: usd(monthly),
  amountFinanced: usd(147_500),
  totalOfPayments: usd(147_500 + financeCharge),
  financeCharge: usd(financeCharge),
});

const chosen = offer('standard-24', 24, 0.0999, 6_806, 15_835);

/** The second of each of the 24 months from April 2026 on. */
const dueDates = Array.from({ length: 24 }, (_, at) => new Date(Date.UTC(2026, 3 + at, 2)).toISOString().slice(0, 10));

const agreement = {
  id: '019b0b5c-30c4-7e02-b5d9-7a1f4c2e8b60',
  offer: chosen,
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
};

/** A page with the purchase of `cartOfChairs`. */
export const applicationList = {
  applications: [
    {
      id: '019b0b5c-2f10-7a43-9a6e-51c4de0b7f02',
      buyerID: exampleIds.buyer,
      tenantID: '019b0b5c-1a07-7a2c-8f11-64f0a2c9d7e8',
      merchantID: exampleIds.merchant,
      programID: programId,
      cartID: exampleIds.cart,
      status: 'CHECKOUT_COMPLETED',
      statusCode: '610000',
      billingContact: ada,
      shippingContact: ada,
      order: {
        subTotal: usd(150_000),
        totalDiscounts: usd(5_000),
        totalShipping: usd(2_500),
        totalTax: usd(0),
        totalPrice: usd(147_500),
        items: [
          {
            name: 'Chair',
            sku: 'CHAIR-1',
            quantity: 2,
            unitPrice: usd(75_000),
            unitTax: usd(0),
            imageUrl: 'https://shop.example/chair.jpg',
            detailUrl: 'https://shop.example/chair',
          },
        ],
      },
      offers: [chosen, offer('standard-12', 12, 0.0799, 12_830, 6_461), offer('standard-6', 6, 0.0599, 25_015, 2_587)],
      paymentAgreements: [agreement],
      metadata: cartOfChairs.options.metadata,
      createdAt: '2026-03-02T15:01:52.118000Z',
      updatedAt: '2026-03-02T15:04:07.472000Z',
      expiresAt: '2026-03-09T15:01:52.118000Z',
    },
  ],
};

type Codes = typeof statusCodes;

/** When an application has each of its codes. */
const meanings: { readonly [Status in keyof Codes]: Readonly<Record<keyof Codes[Status], string>> } = {
  STARTED: {
    plain: 'the buyer has given a name and an address, and not yet applied for credit',
    'lender-asked': 'the lender is asked, and has not answered',
  },
  APPROVED: {
    plain: 'all of it is lent, and the buyer chooses a plan',
    'for-a-part': 'a part is lent, a card pays the rest, and the buyer chooses a plan',
  },
  DENIED: {
    plain: 'for a reason that is not told',
    'credit-history': 'for the credit history',
    income: 'for the income',
    debt: 'for the debts',
    identity: 'since who applied could not be confirmed',
    withdrawn: 'by the lender, after the buyer had signed',
  },
  INELIGIBLE: {
    plain: 'the lender does not lend for this purchase',
    'no-plan-in-state': "no plan is sold in the buyer's state, who may name another",
  },
  NEEDS_ACTION: {
    'unfreeze-credit-file': 'the buyer must unfreeze their credit file, and apply again',
    'confirm-identity': 'the buyer must confirm who they are, and apply again',
    'correct-details': 'the buyer must correct their details, and apply again',
  },
  ATTEMPTED_PREPARE_CHECKOUT: { plain: 'a plan is chosen, and the card for the rest is not named' },
  CHECKOUT_PREPARED: { plain: 'everything is chosen, and the buyer reads the agreement' },
  ATTEMPTED_CHECKOUT: { plain: 'the agreement is signed, and the lender has not answered' },
  CHECKOUT_COMPLETED: { plain: 'the purchase is made, and there is a transaction' },
  CHECKOUT_EXTENDED: { plain: 'prepared as before, and the buyer keeps the approval for longer' },
  CANCELLED: {
    'by-buyer': 'by the buyer',
    'by-merchant': 'by the merchant, who ended the link of the cart',
    'started-again': 'because the checkout was started again, with another application',
  },
  EXPIRED: { undecided: 'before the lender had decided', 'approval-over': 'after the lender had approved' },
};

/** Every code there is, a paragraph for each status. */
export function statusCodeWords(): string {
  const statuses = Object.entries<Record<string, string>>(statusCodes).map(([status, codes]) => {
    const said = meanings[status as keyof Codes] as Readonly<Record<string, string>>;
    return `\`${status}\`: ${Object.entries(codes)
      .map(([because, code]) => `\`${code}\` ${said[because]}`)
      .join('; ')}.`;
  });
  const first =
    'The status of an application, and why it has it. The first two digits are those of the status. More codes may come with a newer service.';
  const merchants =
    'With a token that has a `MerchantID` or a `ProgramID`, `300100` to `300400` are `300000`, and `400100` to `400300` are `400000`.';
  return [first, ...statuses, merchants].join('\n\n');
}

/** What is said of each parameter of `GET /api/application`. */
export const queryDescriptions: { [Name in keyof ApplicationQuery]-?: string } = {
  'buyerID.eq': 'Of this buyer alone.',
  'merchantID.eq': 'Of this merchant alone. With a token of a merchant, it can be that merchant only.',
  'status.eq': 'In this status alone.',
  'statusCode.eq': 'With one of these status codes: give the parameter once for each.',
  'statusCode.ne': 'With none of these status codes: give the parameter once for each.',
  'showExpired.eq': 'Whether those are listed, too, that have expired. Left out, they are.',
  'normalizedAddressHash.eq': 'Of buyers who live at this address: a SHA-256 in 64 hexadecimal digits.',
  'metadata.eq': "Whether each application shows its cart's metadata. Left out, none does.",
  'updatedAt.gte': 'Changed on this day or later, in UTC.',
  'updatedAt.lte': 'Changed on this day or earlier, in UTC.',
  'lastTimestamp.eq':
    'Goes on after the page before: `createdAt` or `updatedAt` of its last application, whichever it is sorted by. Comes with `lastID.eq`.',
  'lastID.eq': 'Goes on after the page before: `id` of its last application. Comes with `lastTimestamp.eq`.',
  sort: 'What the list is sorted by, and in which direction. Applications of the same moment are sorted by their ids.',
  limit: 'How many applications a page has at most.',
  offset: 'How many applications are passed over. The further down, the longer it takes; a keyset takes as long on every page.',
};

const schemas: readonly NamedSchema[] = [
  objectSchema(ApplicationList, 'ApplicationList', 'A page of applications.', {
    applications: 'In the order that was asked for; empty where nothing matches.',
  }),
  objectSchema(Application, 'Application', "A buyer's application for financing.", {
    id: 'Names the application.',
    buyerID: 'Names the buyer.',
    tenantID: 'Names the tenant the merchant belongs to.',
    merchantID: 'Names the merchant.',
    programID: 'Names the financing program.',
    paymentMethodID: 'Names the card that pays what is not lent; absent without a card.',
    locationID: 'Names the shop it was made in; absent for what was made online.',
    cartID: 'Names the cart, the `id` of the merchant API; absent without a cart.',
    status: 'How far it has come.',
    statusCode: 'How far it has come, and why.',
    billingContact: 'The contact who pays; absent until it is known.',
    shippingContact: 'The contact who receives the order; absent until it is known.',
    order: 'What the buyer wants to purchase.',
    offers: 'What the buyer may choose from, or chose from.',
    paymentAgreements: 'What the buyer signed.',
    metadata: 'What the merchant said of the cart. There when `metadata.eq` is true.',
    createdAt: 'When it began.',
    updatedAt: 'When it last changed.',
    expiresAt: 'When it ends, or ended, unless the purchase was made before.',
  }),
  valueSchema(ApplicationStatus, 'ApplicationStatus', "The states of a buyer's application for financing."),
  valueSchema(StatusCode, 'StatusCode', statusCodeWords()),
  objectSchema(Order, 'Order', 'What a buyer wants to purchase.', {
    subTotal: 'The sum of the articles, each times its quantity.',
    totalDiscounts: 'What is taken off.',
    totalShipping: 'What shipping costs.',
    totalTax: 'The tax: with articles, the sum of their taxes, each times its quantity.',
    totalPrice: '`subTotal + totalShipping + totalTax - totalDiscounts`, more than 0.',
    items: 'The articles; empty for an order that was priced as a whole.',
    discountCode: 'What the buyer typed for a discount.',
    pickupInformation: 'Who fetches the order, and where.',
  }),
  objectSchema(OrderItem, 'OrderItem', 'An article of an order.', {
    name: 'What the buyer reads.',
    sku: "The merchant's own number of the article.",
    quantity: 'How many pieces.',
    unitPrice: 'The price of one.',
    unitTax: 'The tax on one.',
    imageUrl: 'A picture of it.',
    detailUrl: 'The page of it.',
  }),
  objectSchema(PickupInformation, 'PickupInformation', 'Who fetches an order, and where.', {
    name: 'Who.',
    address: 'Where.',
    phone: 'A phone with its country code, `+12025550123`.',
  }),
  objectSchema(PlatformContact, 'PlatformContact', 'A person, as the platform API names one.', {
    name: 'What the person is called.',
    phone: 'With its country code, `+12025550123`.',
    address: 'Where the person lives, or is sent something.',
    email: 'An e-mail address.',
  }),
  objectSchema(PersonName, 'PersonName', 'What a person is called.', {
    givenName: 'First name.',
    familyName: 'Last name.',
    additionalName: 'Further names.',
  }),
  objectSchema(PlatformAddress, 'PlatformAddress', 'A place, as the platform API names one.', {
    address1: 'Street and number.',
    address2: 'What else leads there: a flat, a floor.',
    locality: 'City.',
    postalCode: 'ZIP code.',
    region: 'ISO 3166-2, `US-CA`.',
    country: 'ISO 3166-1 alpha-2, `US`.',
  }),
  objectSchema(Money, 'Money', 'An amount.', {
    currency: 'ISO 4217, `USD`.',
    value: 'In the minor unit of the currency: cents.',
  }),
  objectSchema(Offer, 'Offer', 'A plan that a buyer may choose, or has chosen.', {
    id: 'Names the offer within its application.',
    programID: 'Names the financing program.',
    termLength: 'Number of payments.',
    termInterval: 'Unit of the term: `Month`.',
    apr: 'APR as a fraction: 0.0999 is 9.99 %.',
    monthly: 'What is paid each month, but for the last, which may differ by cents.',
    amountFinanced: 'What is lent.',
    totalOfPayments: 'The sum of all payments.',
    financeCharge: 'What the loan costs.',
  }),
  objectSchema(PaymentAgreement, 'PaymentAgreement', 'What a buyer signed.', {
    id: 'Names the agreement.',
    offer: 'The plan that was chosen.',
    consentedAt: 'When it was signed.',
    disclosureHash: 'SHA-256 of what was disclosed before the signature, hexadecimal.',
    documentHash: 'SHA-256 of the page that the buyer keeps, hexadecimal.',
    disclosure: 'The figures that were disclosed before the signature.',
  }),
  objectSchema(AgreementDisclosure, 'AgreementDisclosure', 'The figures that the law has shown before a signature.', {
    creditor: 'Who lends.',
    date: 'The day of the figures.',
    apr: 'APR as a fraction: 0.0999 is 9.99 %.',
    financeCharge: 'What the loan costs.',
    amountFinanced: 'What is lent.',
    totalOfPayments: 'The sum of all payments.',
    dueToday: 'What is not lent, and paid at once.',
    payments: 'Every payment, the first one first.',
    prepaymentPenalty: 'Whether paying early costs anything.',
  }),
  objectSchema(DisclosedPayment, 'DisclosedPayment', 'A payment that was disclosed.', {
    dueDate: 'The day it is due.',
    amount: 'What is paid.',
  }),
  objectSchema(PlatformError, 'PlatformError', 'Error response of the platform API.', {
    message: 'For an engineer: the path, what was expected, what was received.',
    reason: 'Error code; its meaning never changes.',
    domain: 'Whose reasons these are: always `platform.fairterm`.',
    metadata: 'More of it where there is more: `parameter`, `claim`, `expected`, `received`.',
  }),
];

const operations: readonly Operation[] = [
  {
    id: 'listApplications',
    method: 'get',
    path: '/api/application',
    tag: 'Applications',
    summary: 'List applications',
    description:
      "What the token's claims let be seen: the applications of its `TenantID`, and of those only the ones of its `MerchantID`, `ProgramID` and `BuyerID`, where it has them. Nothing that matches is an empty list. A parameter that is not listed here is refused.\n\nThe header `link` has the address of the next page, by keyset: it takes as long on the last page as on the first, and what is added meanwhile moves nothing. An `offset` is counted off row by row: the deeper, the longer it takes. Sorted by `createdAt`, each application is listed once. Sorted by `updatedAt.asc`, what changes while one reads comes again further on; by `updatedAt.desc` it would be missed.\n\nA token with a `MerchantID` or a `ProgramID` shows no reason of a denial, and nothing that a bureau holds against a buyer: the status codes `3001xx` to `3004xx` are `300000` there, and `4001xx` to `4003xx` are `400000`.",
    caller: 'platform',
    wording: 'platform',
    query: {
      struct: ApplicationQuery,
      words: queryDescriptions,
      example: { 'status.eq': 'CHECKOUT_COMPLETED', 'updatedAt.gte': '2026-01-01', 'metadata.eq': true, limit: 50 },
    },
    answers: {
      200: {
        description: 'A page of applications.',
        body: ApplicationList,
        headers: ['cache-control', 'link'],
        example: applicationList,
      },
    },
    refusals: ['invalid-parameter', 'merchant-conflict'],
  },
];

export const applications: Resource = { operations, schemas };
