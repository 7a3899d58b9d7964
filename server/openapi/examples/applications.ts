import { exampleIds } from './carts.ts';

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

/** A page with the purchase of `cartOfChairs`. */
export const applicationList = {
  applications: [
    {
      id: '019b0b5c-2f10-7a43-9a6e-51c4de0b7f02',
      buyerID: '019b0b5c-2f10-7c11-8d0a-0e2f9b1c6a35',
      tenantID: '019b0b5c-1a07-7a2c-8f11-64f0a2c9d7e8',
      merchantID: exampleIds.merchant,
      programID: '019b0b5c-1a08-7b90-a3d2-90b1c7e6f405',
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
      offers: [],
      paymentAgreements: [],
      createdAt: '2026-03-02T15:01:52.118000Z',
      updatedAt: '2026-03-02T15:04:07.472000Z',
      expiresAt: '2026-03-02T16:01:52.118000Z',
    },
  ],
};
