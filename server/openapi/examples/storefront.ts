import { cartAnswer, exampleIds } from './carts.ts';

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
