import { languageName } from '../parameters.ts';
import { inEachLanguage } from '../../../shared/languages/index.ts';
import { cacheable, createResource, type NamedSchema, objectSchema } from '../operation.ts';
import { cartExample, exampleIds } from './carts.ts';
import {
  DisclosureTexts,
  FeeNames,
  FirstPeriod,
  LocalizedText,
  OfferPromotion,
  ProgramDocument,
  RateSheet,
  RateSheetFee,
  RateSheetOffer,
  SheetAmount,
  SheetCaps,
  SheetCurrency,
  SheetDownPayment,
  SheetOddMonths,
  TextsByLanguage,
} from '../../../shared/wire/program-document.ts';
import { OpenCartRequest, OpenedCart, WidgetFile, WidgetManifest, WidgetVersion } from '../../../shared/wire/storefront.ts';

const cartOfPage = {
  key: 'ft_sandbox_key_0nT1dYbN4VqvB3m0rW2kXw',
  idempotencyKey: '5e2f7a44-8c1d-4d0e-9a57-0b6f3c1d2e90',
  options: {
    orderRef: 'ORDER-3',
    completeUrl: 'https://shop.example/thank-you',
    items: [
      {
        name: 'Chair',
        sku: 'CHAIR-1',
        price: 75_000,
        quantity: 1,
        imageUrl: 'https://shop.example/chair.jpg',
        detailUrl: 'https://shop.example/chair',
      },
    ],
  },
};

/** The response for `cartOfPage`. */
const openedCart = { id: exampleIds.cart, url: cartExample.url, expiration: cartExample.expiration };

const version = '0.1.0-6f1d0c2b9a3e';

/** The manifest after the first release. */
const widgetManifest = {
  current: version,
  versions: {
    [version]: {
      releasedAt: '2026-11-21T09:30:00.000000Z',
      files: {
        'financing-button.js': {
          url: `https://financing.example/widget/${version}/financing-button.js`,
          integrity: 'sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC',
          bytes: 26200,
        },
      },
    },
  },
};

const cartSchemas: readonly NamedSchema[] = [
  objectSchema(OpenCartRequest, 'OpenCartRequest', 'A cart to create from a page. Unknown fields are ignored.', {
    key: 'Your API key, which is public. Never send the secret from a page.',
    idempotencyKey:
      'A random UUID, new for each cart that a buyer wants to create. Do not use an order id: a request with the same key and body returns the same cart.',
    options:
      'Items or total, contacts and URLs, which must be on your registered origins. Pictures and pages of items on other origins are stored as empty strings. `createdBy` and `cartName` are ignored.',
  }),
  objectSchema(OpenedCart, 'OpenedCart', 'The created cart. Your server can retrieve the rest of it.', {
    id: 'Id of the cart.',
    url: 'Checkout link. It opens the first form and reveals nothing about a checkout that a buyer has started.',
    expiration: 'Last day on which the link works, until the end of the day in every US time zone.',
  }),
];

const widgetSchemas: readonly NamedSchema[] = [
  objectSchema(WidgetManifest, 'WidgetManifest', 'Releases of the widget.', {
    current: 'Version at `/widget/v1/`.',
    versions: 'Releases by version. All of them stay available.',
  }),
  objectSchema(WidgetVersion, 'WidgetVersion', 'A release of the widget.', {
    releasedAt: 'When this service first had the release.',
    files: 'Files by name.',
  }),
  objectSchema(WidgetFile, 'WidgetFile', 'A file of the widget.', {
    url: 'URL of the file. Its content never changes.',
    integrity: 'SHA-384 of the file for the attribute `integrity`.',
    bytes: 'Uncompressed size in bytes.',
  }),
];

const programSchemas: readonly NamedSchema[] = [
  objectSchema(ProgramDocument, 'ProgramDocument', 'Data with which a page calculates quotes.', {
    defaultProgramId: 'Id of the default program.',
    programs: 'Programs of the merchant that are effective today.',
    texts: 'Texts of disclosures.',
  }),
  objectSchema(RateSheet, 'RateSheet', 'Terms of a program. Amounts are in the minor unit of the currency.', {
    id: 'Id of the program, as in `financingProgramId`.',
    version: 'Version of the program.',
    timeZone: 'IANA time zone of the days of promotions.',
    currency: 'Currency of the amounts.',
    amount: 'Amounts that are financed.',
    downPayment: 'Down payment, which is paid on the day of the loan.',
    paymentRounding: 'Rounding of the level payment to the minor unit.',
    firstDue: 'Sentence with the due date of the first payment. Empty if it is due a month after the loan.',
    oddMonths: 'Time in addition to a month for which the first period bears interest.',
    fees: 'Fees for making the loan.',
    advertisedTiers: 'Ids of the tiers whose rates an example may show.',
    tierLabels: 'Names of these tiers by id.',
    offers: 'Offers in the order of their ids.',
    caps: 'Limits of the cost of a loan.',
    closing: 'Last sentences of every disclosure.',
  }),
  objectSchema(SheetCurrency, 'SheetCurrency', 'A currency.', {
    code: 'ISO 4217 code.',
    digits: 'Number of decimal digits of the minor unit.',
  }),
  objectSchema(SheetAmount, 'SheetAmount', 'Range of purchase amounts.', {
    minCents: 'Smallest amount in cents.',
    maxCents: 'Largest amount in cents.',
  }),
  objectSchema(SheetDownPayment, 'SheetDownPayment', 'A down payment: the larger of the two amounts.', {
    percentBps: 'Share of the purchase in basis points.',
    minCents: 'Smallest down payment in cents.',
  }),
  objectSchema(SheetOddMonths, 'SheetOddMonths', 'A number of months as a fraction.', {
    above: 'Numerator.',
    below: 'Denominator.',
  }),
  objectSchema(SheetCaps, 'SheetCaps', 'Limits of annual rates in basis points.', {
    maxAprBps: 'Highest APR of a loan.',
    advertisedAprBps: 'Highest APR of an example, which is lawful in every state.',
    maprCapBps: 'Highest military APR of all loans. Null if only loans to covered borrowers are limited, to 36 %.',
  }),
  objectSchema(RateSheetOffer, 'RateSheetOffer', 'A term and its rates by tier.', {
    id: 'Id of the offer.',
    termLength: 'Number of monthly payments.',
    tierAprBps: 'Annual interest rate in basis points, by id of the tier.',
    minCents: 'Smallest purchase in cents. Null: that of the program.',
    maxCents: 'Largest purchase in cents. Null: that of the program.',
    firstPeriod: 'First period for the calculation of the APR.',
    promo: 'Promotion, or null.',
  }),
  objectSchema(OfferPromotion, 'OfferPromotion', 'Days on which an offer is available, in the time zone of the program.', {
    from: 'First day.',
    to: 'Last day.',
    text: 'Sentence with the days.',
  }),
  objectSchema(FirstPeriod, 'FirstPeriod', 'Time until the first payment is due.', {
    months: 'Whole months.',
    days: 'Odd days before the whole months.',
  }),
  objectSchema(
    RateSheetFee,
    'RateSheetFee',
    'A fee for making the loan: a share of the purchase plus a fixed amount, within limits.',
    {
      kind: 'Kind of fee.',
      amountBps: 'Share of the purchase after the down payment, in basis points.',
      flatCents: 'Fixed amount in cents.',
      minCents: 'Smallest fee in cents.',
      maxCents: 'Largest fee in cents, or null for no limit.',
      financeCharge: 'Whether the fee is part of the finance charge.',
      financed: 'Whether the fee is part of the loan.',
      mapr: 'Whether the fee counts toward the military APR.',
    },
  ),
  objectSchema(
    LocalizedText,
    'LocalizedText',
    'A text in every language.',
    inEachLanguage((language) => `${languageName(language)}.`),
  ),
  objectSchema(
    TextsByLanguage,
    'TextsByLanguage',
    'Texts of disclosures by language.',
    inEachLanguage((language) => `${languageName(language)}.`),
  ),
  objectSchema(FeeNames, 'FeeNames', 'Name of each kind of fee.', {
    origination: 'Origination fee.',
    application: 'Application fee.',
    participation: 'Participation fee.',
    service: 'Service fee.',
  }),
  objectSchema(DisclosureTexts, 'DisclosureTexts', 'Texts with placeholders, named after the fields that they show.', {
    language: 'Language of the texts.',
    locale: 'BCP 47 tag for formatting amounts, rates and dates.',
    version: 'Version of the texts. It increases with every change.',
    months: 'One month, and several months.',
    days: 'One day, and several days.',
    example: 'The example.',
    down: 'Part of `example` about a down payment.',
    firstPayment: 'First payment, if it differs from the others.',
    levelPayments: 'One level payment, and several level payments.',
    lastPayment: 'Last payment, if it differs from the others.',
    and: 'Conjunction before the last of several payments.',
    firstDue: 'Due date of the first payment, if it is not a month after the loan.',
    feeLent: 'Fee that is part of the loan.',
    feeToday: 'Fee that is due on the day of the loan.',
    inFinanceCharge: 'Addition for a fee that is part of the finance charge.',
    notInFinanceCharge: 'Addition for a fee that is not part of the finance charge.',
    feeKinds: 'Name of each kind of fee.',
    noFinanceCharge: 'Text for a loan without a finance charge.',
    rates: 'Range of APRs.',
    limits: 'Range of purchase amounts.',
    promotion: 'Days of a promotion.',
    states: 'States without loans.',
    lender: 'Name of the lender.',
    notice: 'Notice that a state requires.',
    outOfRange: 'Text if no example is possible for the amount.',
    notOffered: 'Text if no example is possible for any amount.',
  }),
];

export const storefront = createResource('Storefront', 'none', [...cartSchemas, ...widgetSchemas, ...programSchemas], {
  openCart: {
    call: 'POST /storefront/carts',
    summary: 'Create a cart from a page',
    description:
      'Sent by `<financing-button>` without a `cart-url` when a buyer clicks it. Any content type is accepted, so that pages can send `text/plain`, for which browsers send no preflight request. The same body with the same `idempotencyKey` returns the same cart for 72 hours.\n\nVisitors can modify the page, including amounts, items and `orderRef`. Retrieve the transaction from your server, and compare its total with the total of your order before you authorize it. Therefore `completeUrl` and `errorUrl` must have registered origins, and `callbackUrl` must be registered itself; in the sandbox, a registered origin suffices for it, too. A body is at most 16 KiB.',
    parameters: ['origin'],
    request: { body: OpenCartRequest, examples: { chair: { summary: 'With one line item', value: cartOfPage } } },
    responses: {
      200: { description: 'The cart.', body: OpenedCart, headers: ['access-control-allow-origin'], example: openedCart },
    },
    errors: ['unauthenticated', 'origin-not-registered', 'program-not-found', 'changed-meanwhile'],
  },
  getPrograms: {
    call: 'GET /storefront/programs',
    summary: 'List financing programs for pages',
    description: '`<financing-button>` loads this document once and calculates every quote on a page from it.',
    parameters: ['key', 'ifNoneMatch'],
    responses: cacheable(
      {
        description: 'The programs that are effective today.',
        body: ProgramDocument,
      },
      ['access-control-allow-origin'],
    ),
    errors: ['unauthenticated', 'origin-not-registered'],
  },
  getWidgetManifest: {
    call: 'GET /widget/manifest.json',
    summary: 'Retrieve the widget manifest',
    description:
      'Lists the files of each release with their permanent URLs and hashes for the attribute `integrity`. `/widget/v1/` has the files of the `current` release.',
    parameters: ['ifNoneMatch'],
    responses: cacheable({
      description: 'The releases, newest first.',
      body: WidgetManifest,
      example: widgetManifest,
    }),
  },
});
