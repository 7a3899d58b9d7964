import {
  AgreementDisclosure,
  Application,
  ApplicationList,
  ApplicationStatus,
  DisclosedPayment,
  Offer,
  PaymentAgreement,
} from '../../../shared/wire/application.ts';
import type { ApplicationQuery } from '../../../shared/wire/application-query.ts';
import { StatusCode } from '../../../shared/wire/fields.ts';
import { Order, OrderItem, PickupInformation } from '../../../shared/wire/order.ts';
import { PersonName, PlatformAddress, PlatformContact } from '../../../shared/wire/platform-contact.ts';
import { PlatformError } from '../../../shared/wire/platform-error.ts';
import { Money } from '../../../shared/wire/platform-money.ts';
import { statusCodeWords } from './status-codes.ts';
import { object, value, type Worded } from './words.ts';

/** What is said of each parameter of `GET /api/application`. */
export const applicationQueryWords: { [Name in keyof ApplicationQuery]-?: string } = {
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

export const platformWords: readonly Worded[] = [
  object(ApplicationList, 'ApplicationList', 'A page of applications.', {
    applications: 'In the order that was asked for; empty where nothing matches.',
  }),
  object(Application, 'Application', "A buyer's application for financing.", {
    id: 'Names the application.',
    buyerID: 'Names the buyer.',
    tenantID: 'Names the tenant the merchant belongs to.',
    merchantID: 'Names the merchant.',
    programID: 'Names the financing program.',
    paymentMethodID: 'Names the card that pays what is not lent; absent while there is none.',
    locationID: 'Names the shop it was made in; absent for what was made online.',
    cartID: 'Names the cart, the `id` of the merchant API; absent where there is none.',
    status: 'How far it has come.',
    statusCode: 'How far it has come, and why.',
    billingContact: 'Who pays; absent while nobody said.',
    shippingContact: 'Who receives the order; absent while nobody said.',
    order: 'What the buyer wants to purchase.',
    offers: 'What the buyer may choose from, or chose from.',
    paymentAgreements: 'What the buyer signed.',
    metadata: 'What the merchant said of the cart. There when `metadata.eq` is true.',
    createdAt: 'When it began.',
    updatedAt: 'When it last changed.',
    expiresAt: 'When it ends, or ended, unless the purchase was made before.',
  }),
  value(ApplicationStatus, 'ApplicationStatus', "The states of a buyer's application for financing."),
  value(StatusCode, 'StatusCode', statusCodeWords()),
  object(Order, 'Order', 'What a buyer wants to purchase.', {
    subTotal: 'The sum of the articles, each times its quantity.',
    totalDiscounts: 'What is taken off.',
    totalShipping: 'What shipping costs.',
    totalTax: 'The tax: with articles, the sum of their taxes, each times its quantity.',
    totalPrice: '`subTotal + totalShipping + totalTax - totalDiscounts`, more than 0.',
    items: 'The articles; empty for an order that was priced as a whole.',
    discountCode: 'What the buyer typed for a discount.',
    pickupInformation: 'Who fetches the order, and where.',
  }),
  object(OrderItem, 'OrderItem', 'An article of an order.', {
    name: 'What the buyer reads.',
    sku: "The merchant's own number of the article.",
    quantity: 'How many pieces.',
    unitPrice: 'The price of one.',
    unitTax: 'The tax on one.',
    imageUrl: 'A picture of it.',
    detailUrl: 'The page of it.',
  }),
  object(PickupInformation, 'PickupInformation', 'Who fetches an order, and where.', {
    name: 'Who.',
    address: 'Where.',
    phone: 'A phone with its country code, `+12025550123`.',
  }),
  object(PlatformContact, 'PlatformContact', 'A person, as the platform API names one.', {
    name: 'What the person is called.',
    phone: 'With its country code, `+12025550123`.',
    address: 'Where the person lives, or is sent something.',
    email: 'An e-mail address.',
  }),
  object(PersonName, 'PersonName', 'What a person is called.', {
    givenName: 'First name.',
    familyName: 'Last name.',
    additionalName: 'Further names.',
  }),
  object(PlatformAddress, 'PlatformAddress', 'A place, as the platform API names one.', {
    address1: 'Street and number.',
    address2: 'What else leads there: a flat, a floor.',
    locality: 'City.',
    postalCode: 'ZIP code.',
    region: 'ISO 3166-2, `US-CA`.',
    country: 'ISO 3166-1 alpha-2, `US`.',
  }),
  object(Money, 'Money', 'An amount.', {
    currency: 'ISO 4217, `USD`.',
    value: 'In the minor unit of the currency: cents.',
  }),
  object(Offer, 'Offer', 'A plan that a buyer may choose, or has chosen.', {
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
  object(PaymentAgreement, 'PaymentAgreement', 'What a buyer signed.', {
    id: 'Names the agreement.',
    offer: 'The plan that was chosen.',
    consentedAt: 'When it was signed.',
    disclosureHash: 'SHA-256 of what was disclosed before the signature, hexadecimal.',
    documentHash: 'SHA-256 of the page that the buyer keeps, hexadecimal.',
    disclosure: 'The figures that were disclosed before the signature.',
  }),
  object(AgreementDisclosure, 'AgreementDisclosure', 'The figures that the law has shown before a signature.', {
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
  object(DisclosedPayment, 'DisclosedPayment', 'A payment that was disclosed.', {
    dueDate: 'The day it is due.',
    amount: 'What is paid.',
  }),
  object(PlatformError, 'PlatformError', 'What the platform API answers to say no.', {
    message: 'For an engineer: what was refused, what was expected, what came.',
    reason: 'Which refusal it is; never changes its meaning.',
    domain: 'Whose reasons these are: always `platform.fairterm`.',
    metadata: 'More of it where there is more: `parameter`, `claim`, `expected`, `received`.',
  }),
];
