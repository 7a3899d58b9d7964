import { cartOfChairs, exampleIds } from './carts.ts';

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
