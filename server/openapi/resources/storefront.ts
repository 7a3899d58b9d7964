import { type NamedSchema, objectSchema, type Operation, type Resource } from '../operation.ts';
import { cartAnswer, exampleIds } from './carts.ts';
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

export const cartOfPage = {
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

/** What is answered to `cartOfPage`. */
export const openedCart = { id: exampleIds.cart, url: cartAnswer.url, expiration: cartAnswer.expiration };

const version = '0.1.0-6f1d0c2b9a3e';

/** As after a first release. */
export const widgetManifest = {
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
  objectSchema(OpenCartRequest, 'OpenCartRequest', 'A cart that a page opens. What is not named here is ignored.', {
    key: 'Your API key. It is public; the secret never belongs on a page.',
    idempotencyKey:
      'A random UUID, a new one for each intention of a buyer. Never the number of an order: a request with the same key and body returns the same cart.',
    options:
      'What is sold, to whom, and where to go afterwards: on your registered origins only. `createdBy` and `cartName` are not taken from pages.',
  }),
  objectSchema(OpenedCart, 'OpenedCart', 'The cart that was opened. More of it only your server may read.', {
    id: 'Names the cart in calls of your server.',
    url: 'The checkout link. It opens the first form, and shows nothing of a checkout that a buyer has started.',
    expiration: 'The last day on which the link works, through its end in every US time zone.',
  }),
];

const widgetSchemas: readonly NamedSchema[] = [
  objectSchema(WidgetManifest, 'WidgetManifest', 'Every release of the widget.', {
    current: 'The version that `/widget/v1/` has.',
    versions: 'What was released, by its version. Each is served for good.',
  }),
  objectSchema(WidgetVersion, 'WidgetVersion', 'A release of the widget.', {
    releasedAt: 'When this service had it first.',
    files: 'Its files by their names.',
  }),
  objectSchema(WidgetFile, 'WidgetFile', 'A file that pages load.', {
    url: 'Where it is. What is there never changes.',
    integrity: 'What a page writes as `integrity`, so that browsers run nothing else: SHA-384.',
    bytes: 'Its length before it is compressed.',
  }),
];

const programSchemas: readonly NamedSchema[] = [
  objectSchema(ProgramDocument, 'ProgramDocument', 'What a page needs to quote on its own.', {
    defaultProgramId: 'Id of the program that is quoted when none is named.',
    programs: 'Every program of the merchant that is sold today.',
    texts: 'What disclosures say.',
  }),
  objectSchema(RateSheet, 'RateSheet', 'What a quote is worked out from. Amounts are in the minor unit of the currency.', {
    id: 'What `financingProgramId` names it by.',
    version: 'Its version.',
    currency: 'The currency of its amounts.',
    amount: 'The purchases that are financed.',
    downPayment: 'What is paid on the day of the loan: the larger of the two.',
    paymentRounding: 'How the level payment becomes a whole minor unit.',
    firstDue: 'The sentence that says when the first payment is due; empty when that is a month after the loan.',
    oddMonths: 'The time beyond a month that the first period bears interest for.',
    fees: 'Charges for making the loan.',
    advertisedTiers: 'Ids of the tiers whose rates may stand in an example.',
    offers: 'The terms, in the order of their ids.',
    caps: 'What no loan may cost.',
    closing: 'The last sentences of every disclosure.',
  }),
  objectSchema(SheetCurrency, 'SheetCurrency', 'A currency.', {
    code: 'ISO 4217 code.',
    digits: 'How many digits its minor unit has.',
  }),
  objectSchema(SheetAmount, 'SheetAmount', 'Bounds of a purchase.', { minCents: 'The least.', maxCents: 'The most.' }),
  objectSchema(SheetDownPayment, 'SheetDownPayment', 'A down payment: the larger of the two.', {
    percentBps: 'Basis points of the purchase.',
    minCents: 'The least.',
  }),
  objectSchema(SheetOddMonths, 'SheetOddMonths', 'Months as a fraction.', { above: 'Its numerator.', below: 'Its denominator.' }),
  objectSchema(SheetCaps, 'SheetCaps', 'Basis points a year that no loan may cost more than.', {
    maxAprBps: 'The APR.',
    advertisedAprBps: 'The APR of an example, lawful wherever its reader may live.',
    maprCapBps: 'The military rate; null when no loans to covered borrowers are made.',
  }),
  objectSchema(RateSheetOffer, 'RateSheetOffer', 'A number of payments, and what it costs each tier.', {
    id: 'Names the offer.',
    termLength: 'Number of monthly payments.',
    tierAprBps: 'Yearly interest in basis points, by the id of the tier.',
    minCents: "The least purchase; null means the program's own bound.",
    maxCents: "The largest purchase; null means the program's own bound.",
    firstPeriod: 'The first period as the annual percentage rate counts it.',
    promo: 'The days of a promotion; null without a promotion.',
  }),
  objectSchema(OfferPromotion, 'OfferPromotion', 'The days on which an offer is sold, in UTC.', {
    from: 'The first.',
    to: 'The last.',
    text: 'The sentence that names them.',
  }),
  objectSchema(FirstPeriod, 'FirstPeriod', 'The time until the first payment is due.', {
    months: 'Whole months.',
    days: 'Odd days before them.',
  }),
  objectSchema(
    RateSheetFee,
    'RateSheetFee',
    'A charge for making the loan: a share of the purchase plus a flat sum, within bounds.',
    {
      kind: 'What it is for.',
      amountBps: 'Basis points of the purchase less the down payment.',
      flatCents: 'What is added to that.',
      minCents: 'The least it is.',
      maxCents: 'The most it is; null for no bound.',
      financeCharge: 'Whether it is part of the finance charge.',
      financed: 'Whether it is lent along with the purchase.',
      mapr: 'Whether the military rate counts it.',
    },
  ),
  objectSchema(LocalizedText, 'LocalizedText', 'The same in every language.', { en: 'In English.', es: 'In Spanish.' }),
  objectSchema(TextsByLanguage, 'TextsByLanguage', 'What disclosures say, by language.', {
    en: 'In English.',
    es: 'In Spanish.',
  }),
  objectSchema(FeeNames, 'FeeNames', 'What each kind of fee is called.', {
    origination: 'For making the loan.',
    application: 'For applying.',
    participation: 'For taking part.',
    service: 'For a service.',
  }),
  objectSchema(DisclosureTexts, 'DisclosureTexts', 'Sentences with places for figures, each named after the field it shows.', {
    language: 'Which language.',
    locale: 'BCP 47 tag by which amounts, rates and dates are written.',
    version: 'Raised with every change of the wording.',
    months: 'One month, and several.',
    days: 'One day, and several.',
    example: 'The example.',
    down: 'Stands in `example` when there is a down payment.',
    firstPayment: 'A first payment that differs from the others.',
    levelPayments: 'One level payment, and several.',
    lastPayment: 'A last payment that differs from the others.',
    and: 'Before the last of several payments.',
    firstDue: 'Said when the first payment is not due a month after the loan.',
    feeLent: 'A fee that is lent.',
    feeToday: 'A fee that is due on the day of the loan.',
    inFinanceCharge: 'Of a fee that is part of the finance charge.',
    notInFinanceCharge: 'Of a fee that is not.',
    feeKinds: 'What each kind of fee is called.',
    noFinanceCharge: 'Said of a loan that costs nothing.',
    rates: 'From and to which APR there are loans.',
    limits: 'From and to which amount there are loans.',
    promotion: 'The days of a promotion.',
    states: 'Where there are no loans.',
    lender: 'Who makes the loans.',
    notice: 'What a state wants said.',
    outOfRange: 'Said instead of all others where there is no example.',
    notOffered: 'The same where no other amount would help.',
  }),
];

const operations: readonly Operation[] = [
  {
    id: 'openCart',
    method: 'post',
    path: '/storefront/carts',
    tag: 'Service',
    summary: 'Create a cart from a page',
    description:
      "What `<financing-button>` does when it is pressed and has no `cart-url`. It takes any content type, so that a page can send `text/plain`, which browsers do not ask about first. The same body sent again, with its `idempotencyKey`, is answered with the same cart for 72 hours.\n\nWhoever sees the page can edit it: amounts, articles and `orderRef` are the visitor's word. Read the transaction from your server, and compare its total with your order's before you authorize it. A body is at most 128 KiB.",
    caller: 'anyone',
    parameters: ['origin'],
    request: { body: OpenCartRequest, examples: { chair: { summary: 'One article', value: cartOfPage } } },
    answers: {
      200: { description: 'The cart.', body: OpenedCart, headers: ['access-control-allow-origin'], example: openedCart },
    },
    refusals: ['unauthenticated', 'origin-not-registered', 'program-not-found', 'rate-limited', 'changed-meanwhile'],
  },
  {
    id: 'getPrograms',
    method: 'get',
    path: '/storefront/programs',
    tag: 'Service',
    summary: 'List financing programs for pages',
    description: '`<financing-button>` loads this once and quotes every amount of a page with it.',
    caller: 'anyone',
    parameters: ['key', 'ifNoneMatch'],
    answers: {
      200: {
        description: 'The programs that are effective today.',
        body: ProgramDocument,
        headers: ['etag', 'cache-control', 'access-control-allow-origin'],
      },
      304: { description: 'Not modified.', headers: ['etag', 'cache-control', 'access-control-allow-origin'] },
    },
    refusals: ['unauthenticated', 'origin-not-registered', 'rate-limited'],
  },
  {
    id: 'getWidgetManifest',
    method: 'get',
    path: '/widget/manifest.json',
    tag: 'Service',
    summary: 'Widget manifest',
    description:
      'Where each file of each release is, for good, and the hash that a page names in `integrity`. `/widget/v1/` has the files of `current`.',
    caller: 'anyone',
    parameters: ['ifNoneMatch'],
    answers: {
      200: {
        description: 'The latest release first.',
        body: WidgetManifest,
        headers: ['etag', 'cache-control'],
        example: widgetManifest,
      },
      304: { description: 'Not modified.', headers: ['etag', 'cache-control'] },
    },
    refusals: [],
  },
  {
    id: 'getFragment',
    method: 'get',
    path: '/widget/v1/fragment',
    tag: 'Service',
    summary: 'Render a financing button',
    description:
      'The markup of a `<financing-button>` that is readable before its script runs, and without one. Your server writes it into a page.',
    caller: 'anyone',
    parameters: ['key', 'amount', 'program', 'cartUrl', 'lang', 'show', 'mode', 'theme', 'label', 'ifNoneMatch'],
    answers: {
      200: {
        description: 'The element, with a declarative shadow root.',
        type: 'text/html',
        body: { schema: { type: 'string' } },
        headers: ['etag', 'cache-control', 'access-control-allow-origin'],
      },
      304: { description: 'Not modified.', headers: ['etag', 'cache-control', 'access-control-allow-origin'] },
    },
    refusals: ['invalid-request', 'unauthenticated', 'origin-not-registered', 'program-not-found', 'rate-limited'],
  },
];

export const storefront: Resource = { operations, schemas: [...cartSchemas, ...widgetSchemas, ...programSchemas] };
