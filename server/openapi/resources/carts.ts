import { type NamedSchema, objectSchema, type Operation, type Resource } from '../operation.ts';
import {
  Cart,
  CartItem,
  CartOptions,
  CreateCartRequest,
  Discount,
  ShippingOption,
  EmailCartRequest,
  SharedCart,
  TextCartRequest,
} from '../../../shared/wire/cart.ts';
import { ContactInput } from '../../../shared/wire/contact.ts';

/** Ids as they look. */
export const exampleIds = {
  cart: '019b0b5c-2c44-7c61-8a57-3a9f3d3f0c52',
  transaction: '019b0b5c-31f1-7f0e-9d0c-2f6c5d0b7a11',
  buyer: '019b0b5c-2f10-7c11-8d0a-0e2f9b1c6a35',
  merchant: '019b0b5c-1a07-7d3e-b1c0-6e0b2f8f4d29',
};

const ada = {
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
    items: [
      {
        name: 'Chair',
        sku: 'CHAIR-1',
        price: 75_000,
        quantity: 2,
        imageUrl: 'https://shop.example/chair.jpg',
        detailUrl: 'https://shop.example/chair',
      },
    ],
    discounts: [{ amount: 5_000, description: 'Spring sale' }],
    shippingOptions: [{ type: 'Standard, 3 to 5 days', typeId: 'standard', cost: 2_500 }],
    shippingContact: { ...ada, phone: '555-010-0100' },
    metadata: { campaign: 'spring' },
    buyerId: exampleIds.buyer,
  },
};

export const cartOfOnePrice = { expiration: '2099-12-31', options: { orderRef: 'ORDER-2', customTotal: 129_900, tax: 9_900 } };

/** What is answered to `cartOfChairs`. */
export const cartAnswer = {
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
  asLowAs: {
    monthly: 6806,
    amount: '$68.06',
    termLength: 24,
    termInterval: 'Month',
    apr: 0.0999,
    minApr: 0.0599,
    maxApr: 0.2999,
    asLowAsText:
      'Example: a $1,475.00 purchase over 24 months at 9.99% APR, fixed, takes 23 monthly payments of $68.06 and a last payment of $67.97, $1,633.35 in total. Rates run from 5.99% APR to 29.99% APR and depend on your credit, the amount and the term; not everyone qualifies for the rate in the example. Financing is subject to credit approval, for purchases from $50.00 to $30,000.00. Loans are made by Fairterm Lending.',
  },
};

const schemas: readonly NamedSchema[] = [
  objectSchema(
    CartItem,
    'CartItem',
    'An article. Its price times its quantity is at most 99999999999 cents.',
    {
      name: 'What the buyer reads. Left out, it is the sku.',
      sku: 'Your number of the article. Cancellations and refunds of line items name it. May be empty.',
      price: 'Cents, for one.',
      quantity: 'How many; multiplies the price.',
      imageUrl: 'Address of a picture, shown at checkout when it begins with http or https. May be empty or null.',
      detailUrl: "Address of the article's page. May be empty or null.",
    },
    'AcceptedCartItem',
  ),
  objectSchema(ShippingOption, 'ShippingOption', 'One way to ship that the buyer may pick.', {
    type: 'What the buyer reads.',
    typeId: 'What you read: it comes back as `shippingMethodCode`. No two options of a cart have the same.',
    cost: 'Cents.',
  }),
  objectSchema(Discount, 'Discount', 'Taken off the total, unless the cart has a `customTotal`.', {
    amount: 'Cents.',
    description: 'What the buyer reads.',
  }),
  objectSchema(
    ContactInput,
    'ContactInput',
    'A person and where they live: a `fullName`, or `firstName` and `lastName`, or all three.',
    {
      fullName: 'The whole name.',
      firstName: 'Given name.',
      lastName: 'Family name.',
      address: 'Street and number.',
      address2: 'Apartment, suite, unit.',
      city: 'City.',
      state: 'US state or DC, by its two letters.',
      zip: 'US zip. ZIP+4 is taken; its first five digits are kept.',
      email: 'E-mail address.',
      phone: 'US phone number, however it is punctuated; its ten digits are kept.',
    },
    'AcceptedContact',
  ),
  objectSchema(
    CartOptions,
    'CartOptions',
    'What is sold, to whom, and where to go afterwards. Priced by `items`, or by a `customTotal`, which wins over all other costs; one of the two there must be.',
    {
      orderRef: 'Your reference. It comes back in the callback and in the redirect.',
      callbackUrl: 'Where the callback is sent after a successful checkout. A user and a password in it go as HTTP Basic.',
      completeUrl:
        "Where the buyer goes after success, with `transactionId` and `orderRef` in the query. Left out, your store's address.",
      errorUrl:
        "Where the buyer is redirected after a failure, exactly as given: no offer, a technical failure, a canceled application, an expired link. Left out, your store's address.",
      createdBy: 'Who made the cart; taken here as well as beside `options`.',
      cartName: 'A name for the cart, for a promotion.',
      financingProgramId: 'Id of one of your financing programs. Left out, your default program.',
      items: 'The articles.',
      discounts: 'What is taken off.',
      shippingOptions: 'What the buyer picks from. A single one is picked already.',
      shippingContact: 'Where it is sent, filled in for the buyer.',
      billingContact: 'Who pays, filled in for the buyer.',
      disableEditShipping: 'Whether the buyer may not change where it is sent.',
      requireShippingContact: 'Whether the buyer must say where it is sent.',
      customTotal: 'Cents: the whole price, with shipping, taxes and discounts.',
      tax: 'Cents of tax.',
      metadata: 'String key–value pairs for your own systems. The platform API returns them with the application on request.',
      buyerId:
        'Who buys, where you know: a UUID of your own for that person, the `buyerID` of the platform API. Left out, each application has a buyer of its own.',
    },
    'AcceptedCartOptions',
  ),
  objectSchema(CreateCartRequest, 'CreateCartRequest', 'A cart to be made. What is not named here is ignored.', {
    expiration:
      'The last day on which the link works, through its end in every US time zone. Today in any of them is accepted. Left out, the link works for seven days.',
    createdBy: 'Who made the cart. Left out, `Merchant API`.',
    cartName: 'What the cart is called; taken here as well as in `options`.',
    options: 'What is sold, to whom, and where to go afterwards.',
  }),
  objectSchema(Cart, 'Cart', 'A cart and its checkout link. A cart cannot be changed; make another one.', {
    id: 'Id of the cart.',
    merchantId: 'Id of the merchant.',
    cartName: 'The name it was given, or empty.',
    expiration: 'The last day on which the link works, through its end in every US time zone.',
    url: 'The checkout link. It opens the first form, and shows nothing of a checkout that a buyer has started.',
    createdBy: 'Who made it.',
    isCustomTotal: 'Whether `customTotal` is its price.',
    options: 'What was accepted of the options.',
    asLowAs:
      'The lowest monthly price of the total that the checkout opens with: a single shipping option counts, options the buyer has yet to pick from do not.',
  }),
  objectSchema(EmailCartRequest, 'EmailCartRequest', "Who gets the cart's link by e-mail.", {
    email: 'Where it is sent.',
    name: 'Name for the salutation of the email.',
  }),
  objectSchema(TextCartRequest, 'TextCartRequest', "The phone that gets the cart's link.", {
    phone: 'US phone number, however it is punctuated.',
  }),
  objectSchema(SharedCart, 'SharedCart', 'Accepted for sending. The sandbox stores the message instead.', {
    message: 'The same as a sentence.',
  }),
];

const tag = 'Carts';
const caller = 'merchant';

const operations: readonly Operation[] = [
  {
    id: 'createCart',
    method: 'post',
    path: '/carts',
    tag,
    summary: 'Create a cart',
    description: 'Redirect the buyer to the `url` of the response.',
    caller,
    request: {
      body: CreateCartRequest,
      examples: {
        items: { summary: 'Priced by its articles', value: cartOfChairs },
        customTotal: { summary: 'Priced as a whole', value: cartOfOnePrice },
      },
    },
    answers: { 200: { description: 'The cart.', body: Cart, example: cartAnswer } },
    refusals: ['program-not-found', 'changed-meanwhile'],
  },
  {
    id: 'getCart',
    method: 'get',
    path: '/carts/{cartId}',
    tag,
    summary: 'Retrieve a cart',
    caller,
    parameters: ['cartId'],
    answers: { 200: { description: 'The cart.', body: Cart, example: cartAnswer } },
    refusals: ['cart-not-found'],
  },
  {
    id: 'expireCart',
    method: 'post',
    path: '/carts/{cartId}/expire',
    tag,
    summary: 'Expire a cart',
    description:
      'Its link shows a message from then on. Expiring an expired or completed cart changes nothing. A body is ignored.',
    caller,
    ignoresBody: true,
    parameters: ['cartId'],
    answers: { 204: { description: 'The cart has expired.' } },
    refusals: ['cart-not-found', 'changed-meanwhile'],
  },
  {
    id: 'emailCart',
    method: 'post',
    path: '/carts/{cartId}/email',
    tag,
    summary: 'Email a cart link',
    description: 'The email is sent after the response. The sandbox stores it instead: read it with `listMessages`.',
    caller,
    parameters: ['cartId'],
    request: {
      body: EmailCartRequest,
      examples: { buyer: { summary: 'To a buyer', value: { email: 'ada@example.com', name: 'Ada Lovelace' } } },
    },
    answers: { 200: { description: 'Accepted for sending.', body: SharedCart } },
    refusals: ['cart-not-found', 'cart-closed', 'not-configured', 'changed-meanwhile'],
  },
  {
    id: 'textCart',
    method: 'post',
    path: '/carts/{cartId}/text',
    tag,
    summary: 'Text a cart link',
    description: 'The text is sent after the response. The sandbox stores it instead: read it with `listMessages`.',
    caller,
    parameters: ['cartId'],
    request: { body: TextCartRequest, examples: { buyer: { summary: 'To a buyer', value: { phone: '555-010-0100' } } } },
    answers: { 200: { description: 'Accepted for sending.', body: SharedCart } },
    refusals: ['cart-not-found', 'cart-closed', 'not-configured', 'changed-meanwhile'],
  },
];

export const carts: Resource = { operations, schemas };
