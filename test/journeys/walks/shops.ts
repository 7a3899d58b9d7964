/** The kinds of shops and carts that random walks begin at. */
import type { CartOptions } from '../../../shared/wire/cart.ts';
import { importProgram } from '../../../server/merchants/import-program.ts';
import { dateOf, type Instant, plusDays } from '../../../server/time.ts';
import { chair } from '../../support/checkout.ts';
import { givenFee, givenProgram, givenOffer } from '../../support/programs.ts';
import type { TestMerchant, TestService } from '../../support/service.ts';

interface ShopKind {
  /** What its program has otherwise than the standard one. */
  program?: (today: Instant) => Record<string, unknown>;
  options: Partial<CartOptions>;
  /** For how many days the link works; left out, as long as links do. */
  days?: number;
}

const ground = { type: 'Ground', typeId: 'ground', cost: 500 };
const express = { type: 'Express', typeId: 'express', cost: 2_900 };
const pickup = {
  fullName: 'Store Pickup',
  address: '1 Main Street',
  city: 'Boise',
  state: 'ID',
  zip: '83702',
  email: 'pickup@shop.example',
  phone: '5550100199',
} as never;

export const shopKinds: Record<string, ShopKind> = {
  plain: { options: {} },
  'with two ways of shipping': { options: { shippingOptions: [ground, express] } },
  'with one way of shipping, to a known buyer': { options: { shippingOptions: [ground], shippingContact: pickup } },
  'that fixes where to ship': { options: { shippingContact: pickup, disableEditShipping: true } },
  'that asks where to ship': { options: { requireShippingContact: true, tax: 6_000 } },
  'that says no more than a total': { options: { items: undefined, customTotal: 49_900 } },
  'with many articles': {
    options: {
      items: Array.from({ length: 40 }, (_, index) => ({
        ...chair,
        sku: `CHAIR-${index}`,
        name: `Chair "${index}" & <cushion>`,
        imageUrl: 'https://img.example/chair.png',
      })),
      discounts: [{ description: 'Welcome', amount: 10_000 }],
    },
  },
  'that sells nothing in some states, and asks for an age in others': {
    program: () => ({ states: { excluded: ['IA'], overrides: { AL: { minAge: 19 } } } }),
    options: {},
  },
  'with a promotion that is over tomorrow': {
    program: (today) => ({
      offers: [
        givenOffer({ tierAprBps: { A: 999, B: 1_999, C: 2_999 } }),
        givenOffer({
          id: 'promotion',
          termLength: 12,
          tierAprBps: { A: 0, B: 0, C: 0 },
          promo: { kind: 'zero-apr', from: dateOf(today), to: dateOf(plusDays(today, 1)) },
        }),
      ],
    }),
    options: {},
  },
  'that takes a part at once, and a fee': {
    program: () => ({
      downPayment: { percentBps: 1_000 },
      fees: [givenFee({ flatCents: 2_500 })],
    }),
    options: {},
  },
  'that is too dear': { options: { items: undefined, customTotal: 3_000_001 } },
  'that is too cheap': { options: { items: undefined, customTotal: 4_999 } },
  'whose link is over tomorrow': { options: {}, days: 0 },
};

export const shopNames = Object.keys(shopKinds);

/** A shop of each kind. */
export async function givenShops(service: TestService): Promise<Map<string, TestMerchant>> {
  const now = service.clock.now();
  const shops = new Map<string, TestMerchant>();
  for (const [name, { program }] of Object.entries(shopKinds)) {
    const merchant = await service.createMerchant({ name: `Shop ${shops.size}` });
    const version = program && givenProgram({ id: 'own', ...program(now) });
    if (version) await importProgram(service.database, version, [merchant.merchantId], { asDefault: true }, now);
    shops.set(name, merchant);
  }
  return shops;
}
