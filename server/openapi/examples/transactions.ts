import { exampleIds } from './carts.ts';

const ada = {
  fullName: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '5550100100',
  address: '12 Analytical Way',
  address2: '',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
};

/** What is answered once the purchase of `cartOfChairs` is authorized. */
export const transactionAnswer = {
  serviceTransactionId: exampleIds.transaction,
  status: 'AUTHORIZED',
  createdAt: '2026-03-02T15:04:07.472000Z',
  merchantOrderId: 'ORDER-1',
  total: 147500,
  adjustedTotal: 147500,
  totalTax: null,
  shippingCost: 2500,
  shippingMethodCode: 'standard',
  shippingMethodName: 'Standard, 3 to 5 days',
  trackingNumber: '',
  carrierName: '',
  lineItems: [
    {
      id: '1',
      sku: 'CHAIR-1',
      price: 75000,
      quantity: 2,
      product: {
        name: 'Chair',
        sku: 'CHAIR-1',
        imageUrl: 'https://shop.example/chair.jpg',
        detailUrl: 'https://shop.example/chair',
      },
    },
  ],
  discounts: [{ amount: 5000, description: 'Spring sale' }],
  billingContact: ada,
  shippingContact: ada,
};
