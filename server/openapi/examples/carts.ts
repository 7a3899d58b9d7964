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
