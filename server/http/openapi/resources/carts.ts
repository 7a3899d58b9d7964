import * as wire from '../../../../shared/wire/cart.ts';
import { ContactInput } from '../../../../shared/wire/contact.ts';
import { createResource, describing } from '../operation.ts';
import { asLowAsExample } from './as-low-as.ts';

/** Descriptions of the fields of a contact. */
export const contactFields = {
  fullName:
    'Full name. The buyer checks how one of more than two words is split, so `firstName` and `lastName` save them a look.',
  address: 'Street and number.',
  address2: 'Apartment, suite or unit.',
  city: 'City.',
  state: 'Two-letter code of a US state or DC.',
  email: 'Email address.',
};

export const exampleIds = {
  cart: '019b0b5c-2c44-7c61-8a57-3a9f3d3f0c52',
  transaction: '019b0b5c-31f1-7f0e-9d0c-2f6c5d0b7a11',
  buyer: '019b0b5c-2f10-7c11-8d0a-0e2f9b1c6a35',
  merchant: '019b0b5c-1a07-7d3e-b1c0-6e0b2f8f4d29',
};

/** The product of the examples. */
export const chair = {
  name: 'Chair',
  sku: 'CHAIR-1',
  imageUrl: 'https://shop.example/chair.jpg',
  detailUrl: 'https://shop.example/chair',
};

export const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  address: '12 Analytical Way',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
  email: 'ada@example.com',
};

export const cartOfChairs = {
  options: {
    orderRef: 'ORDER-1',
    callbackUrl: 'https://shop.example/fairterm/callback',
    completeUrl: 'https://shop.example/thank-you',
    errorUrl: 'https://shop.example/cart',
    items: [{ ...chair, price: 75_000, quantity: 2 }],
    discounts: [{ amount: 5_000, description: 'Spring sale' }],
    shippingOptions: [{ type: 'Standard, 3 to 5 days', typeId: 'standard', cost: 2_500 }],
    shippingContact: { ...ada, phone: '555-010-0100' },
    metadata: { campaign: 'spring' },
    buyerId: exampleIds.buyer,
  },
};

const cartOfOnePrice = { expiration: '2099-12-31', options: { orderRef: 'ORDER-2', customTotal: 129_900, tax: 9_900 } };

/** The response for `cartOfChairs`. */
export const cartExample = {
  id: exampleIds.cart,
  merchantId: exampleIds.merchant,
  cartName: '',
  expiration: '2026-03-09',
  url: 'http://localhost:4000/c/enL2uoGTW0fRAcs5HxAddQ',
  createdBy: 'Merchant API',
  isCustomTotal: false,
  options: {
    ...cartOfChairs.options,
    shippingContact: { ...ada, phone: '5550100100' },
    disableEditShipping: false,
    requireShippingContact: false,
  },
  status: 'open',
  asLowAs: {
    ...asLowAsExample.asLowAs,
    monthly: 6806,
    amount: '$68.06',
    asLowAsText:
      'Example: a $1,475.00 purchase over 24 months at 9.99% APR, fixed, requires 23 monthly payments of $68.06 and a last payment of $67.97, for a total of $1,633.35. Rates range from 5.99% APR to 29.99% APR and depend on your credit, the amount and the term; not everyone qualifies for the rate in the example. Financing is subject to credit approval, for purchases from $50.00 to $30,000.00. Loans are made by Fairterm Lending.',
  },
};

/** Describes the parameters of every list of the merchant API. */
export const listDescriptions = (items: string) => ({
  'createdAt[gte]': `Only ${items} that were created at this time or later: a timestamp, or a date in UTC.`,
  'createdAt[lt]': `Only ${items} that were created before this time: a timestamp, or a date in UTC.`,
  email: `Only ${items} of the buyer with this e-mail address, regardless of case.`,
  limit: `Maximum number of ${items} on a page.`,
  after: 'Id of the last item of the previous page.',
});

const queryDescriptions: { [Name in keyof wire.CartQuery]-?: string } = {
  orderRef: 'Only carts with this `orderRef`.',
  status: 'Only carts with this status.',
  ...listDescriptions('carts'),
  email: 'Only carts for which you provided this e-mail address of the buyer, regardless of case.',
};

const describe = describing({ ...wire, ContactInput });

const schemas = [
  describe(['CartItem', 'AcceptedCartItem'], 'A line item. Price times quantity is at most 99999999999 cents.', {
    name: 'Name shown to the buyer. Default: the SKU.',
    sku: 'Your stock keeping unit, which cancels and refunds of line items refer to. May be empty.',
    price: 'Unit price in cents.',
    quantity: 'Number of units.',
    imageUrl:
      'URL of a picture, shown at checkout if it is an http or https URL. May be empty, null or relative. URLs of other schemes are stored as empty strings.',
    detailUrl: 'URL of the product page, with the same rules as `imageUrl`.',
  }),
  describe('ShippingOption', 'A shipping option that the buyer can choose.', {
    type: 'Name shown to the buyer.',
    typeId: 'Your id of the option, returned as `shippingMethodCode`. Unique within a cart.',
    cost: 'Cost in cents.',
  }),
  describe('Discount', 'A discount on the total. Not applied to a `customTotal`.', {
    amount: 'Amount in cents.',
    description: 'Name shown to the buyer.',
  }),
  describe(
    ['ContactInput', 'AcceptedContact'],
    'A person and their address: a `fullName`, or `firstName` and `lastName`, or all three.',
    {
      ...contactFields,
      firstName: 'Given name.',
      lastName: 'Family name.',
      zip: 'US ZIP code. ZIP+4 is accepted and stored as its first five digits.',
      phone: 'US phone number in any punctuation, stored as ten digits. `+` is followed by `1`.',
    },
  ),
  describe(
    ['CartOptions', 'AcceptedCartOptions'],
    'Options of a cart. Either `items` or `customTotal` is required; `customTotal` overrides all other amounts.',
    {
      orderRef: 'Your reference, returned in the callback and in the redirect. At most 200 characters.',
      callbackUrl:
        'URL to which the callback is sent after a completed checkout. A user name and password in it are sent as HTTP Basic. Must be https in live mode, with the port 80, 443 or one above 1023, and a host on the public internet. In live mode, a cart of a page can have only a registered one.',
      completeUrl:
        'URL to which the buyer is redirected after a completed checkout, with `transactionId` and `orderRef` in the query, which replace parameters of the same names. Default: the URL of your store.',
      errorUrl:
        'URL to which the buyer is redirected, unchanged, if no plan is offered for the amount or the buyer cancels. After any other failure, a page states the reason and leads there after 30 seconds, unless the buyer stays on it; a denial and other notices link there. Default: the URL of your store.',
      createdBy: 'Creator of the cart; also accepted next to `options`. At most 200 characters.',
      cartName: 'Name of the cart, such as that of a promotion.',
      financingProgramId: 'Id of one of your financing programs. Default: your default program.',
      items: 'Line items.',
      discounts: 'Discounts.',
      shippingOptions: 'Shipping options that the buyer can choose from. A single option is preselected.',
      shippingContact: 'Recipient and shipping address, which prefill the checkout.',
      billingContact: 'Buyer and billing address, which prefill the checkout.',
      disableEditShipping: 'True if the buyer cannot change the shipping address.',
      requireShippingContact: 'True if the buyer must enter a shipping address.',
      customTotal: 'Total in cents, including shipping, tax and discounts.',
      tax: 'Tax in cents. At most the `customTotal`, if there is one, which includes it.',
      metadata: 'String key–value pairs for your own systems. The platform API returns them with the application on request.',
      buyerId:
        'Your UUID of the buyer (RFC 9562), if known: the `buyerID` of the platform API. Default: a new one for each application.',
    },
  ),
  describe('CreateCartRequest', 'A cart to create. Unknown fields are ignored.', {
    expiration:
      'Last day on which the link works, until the end of the day in every US time zone. Today in any US time zone is accepted. Default: seven days from now.',
    createdBy: 'Creator of the cart. At most 200 characters. Default: `Merchant API`.',
    cartName: 'Name of the cart; also accepted in `options`.',
    options: 'Items or total, contacts and URLs.',
  }),
  describe('Cart', 'A cart and its checkout link. A cart cannot be updated; create another one instead.', {
    id: 'Id of the cart.',
    merchantId: 'Id of the merchant.',
    cartName: 'Name of the cart, or empty.',
    expiration: 'Last day on which the link works, until the end of the day in every US time zone.',
    url: 'Checkout link. It opens the first form and reveals nothing about a checkout that a buyer has started.',
    createdBy: 'Creator of the cart.',
    isCustomTotal: 'True if the cart is priced by its `customTotal`.',
    options: 'Accepted options.',
    asLowAs:
      'Lowest monthly payment for the initial total of the checkout, which includes a single shipping option but not several options.',
    status:
      '`open` until a buyer starts an application, `in-progress` while there is one, `completed` with a purchase, `ended` without one, and `expired` when the link no longer works. A buyer may start again after `ended`, while the link works.',
    reason:
      'Only with `ended` or `expired`. `canceled-by-buyer`; `canceled-by-merchant`: you expired the cart; `amount-out-of-range`: no plan for the amount; `unavailable`: no plan is offered now; `not-completed`: every end that depends on the buyer. The reasons of a lender are only for the buyer.',
  }),
  describe('CartList', 'A page of carts.', { carts: 'Carts, the newest first. Empty if no cart matches.' }),
  describe('EmailCartRequest', 'Recipient of a cart link by email.', {
    email: 'Email address of the recipient.',
    name: 'Name of the recipient, for the salutation.',
  }),
  describe('TextCartRequest', 'Recipient of a cart link by text message.', {
    phone: 'US phone number in any punctuation. `+` is followed by `1`.',
  }),
  describe('SharedCart', 'Confirmation that a message was accepted for sending.', {
    message: 'The confirmation as a sentence.',
  }),
];

/** Carts and their links in the OpenAPI document, with their schemas. Merchants authenticate with a key pair. */
export const carts = createResource('Carts', 'key-pair', schemas, {
  createCart: {
    call: 'POST /carts',
    summary: 'Create a cart',
    description: 'Redirect the buyer to the `url` of the response.',
    request: {
      body: wire.CreateCartRequest,
      examples: {
        items: { summary: 'With line items', value: cartOfChairs },
        customTotal: { summary: 'With a custom total', value: cartOfOnePrice },
      },
    },
    returns: { description: 'The cart.', body: wire.Cart, example: cartExample },
    errors: ['program-not-found', 'changed-meanwhile'],
  },
  listCarts: {
    call: 'GET /carts',
    summary: 'List carts',
    description:
      'Lists your carts, the newest first. The header `link` has the URL of the next page, which is equally fast on every page. With a `status`, a page can have fewer carts than its limit, or none, although there is a next page: follow `link`. Unknown and repeated parameters are rejected.',
    query: { struct: wire.CartQuery, descriptions: queryDescriptions, example: { orderRef: 'ORDER-1', limit: 50 } },
    returns: { description: 'A page of carts.', body: wire.CartList, headers: ['link'], example: { carts: [cartExample] } },
  },
  getCart: {
    call: 'GET /carts/{cartId}',
    summary: 'Retrieve a cart',
    description: 'Returns the cart with its accepted options, also after it has expired or was completed.',
    returns: { description: 'The cart.', body: wire.Cart, example: cartExample },
  },
  expireCart: {
    call: 'POST /carts/{cartId}/expire',
    summary: 'Expire a cart',
    description:
      'The checkout link shows an error message from then on. Expiring an expired or completed cart has no effect. A body is ignored.',
    ignoresBody: true,
    responses: { 204: { description: 'The cart has expired.' } },
    errors: ['changed-meanwhile'],
  },
  emailCart: {
    call: 'POST /carts/{cartId}/email',
    summary: 'Email a cart link',
    description:
      'The email is sent after the response. The sandbox stores it instead: see `listMessages`. Emails are limited per day (UTC), to one recipient and of one merchant; beyond that the response is 429 with `retry-after`. Each email has a link with which its recipient opts out of further ones from you; after that, this call is rejected with `recipient-opted-out` and sends nothing.',
    request: {
      body: wire.EmailCartRequest,
      examples: { buyer: { summary: 'To a buyer', value: { email: 'ada@example.com', name: 'Ada Lovelace' } } },
    },
    returns: { description: 'Accepted for sending.', body: wire.SharedCart },
    errors: ['cart-closed', 'recipient-opted-out', 'not-configured', 'changed-meanwhile'],
  },
  textCart: {
    call: 'POST /carts/{cartId}/text',
    summary: 'Text a cart link',
    description:
      'The text message is sent after the response. The sandbox stores it instead: see `listMessages`. Text messages are limited like emails.',
    request: { body: wire.TextCartRequest, examples: { buyer: { summary: 'To a buyer', value: { phone: '555-010-0100' } } } },
    returns: { description: 'Accepted for sending.', body: wire.SharedCart },
    errors: ['cart-closed', 'not-configured', 'changed-meanwhile'],
  },
});
