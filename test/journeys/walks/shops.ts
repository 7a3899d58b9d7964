/** Shops and carts for random walks. */
import type { CartOptions } from '../../../shared/wire/cart.ts';
import { importProgram } from '../../../server/lending/programs/import.ts';
import { type Instant, plusDays } from '../../../server/base/time.ts';
import { chair } from '../../support/checkout.ts';
import { createFee, createProgram, createOffer } from '../../support/programs.ts';
import type { TestMerchant, TestService } from '../../support/service.ts';
import { dateIn } from '../../../shared/dates.ts';

interface ShopKind {
  /** Differences from the standard program. */
  program?: (today: Instant) => Record<string, unknown>;
  options: Partial<CartOptions>;
  /** Days until the cart expires. Omitted: the default. */
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
  'with two shipping options': { options: { shippingOptions: [ground, express] } },
  'with one shipping option and a shipping contact': { options: { shippingOptions: [ground], shippingContact: pickup } },
  'with a fixed shipping contact': { options: { shippingContact: pickup, disableEditShipping: true } },
  'that requires a shipping contact': { options: { requireShippingContact: true, tax: 6_000 } },
  'with a total and no items': { options: { items: undefined, customTotal: 49_900 } },
  'with many items': {
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
  'with an excluded state, and a minimum age in another': {
    program: () => ({ states: { excluded: ['IA'], overrides: { AL: { minAge: 19 } } } }),
    options: {},
  },
  'with a promotion that ends tomorrow': {
    program: (today) => ({
      offers: [
        createOffer({ tierAprBps: { A: 999, B: 1_999, C: 2_999 } }),
        createOffer({
          id: 'promotion',
          termLength: 12,
          tierAprBps: { A: 0, B: 0, C: 0 },
          promo: { kind: 'zero-apr', from: dateIn(today, 'UTC'), to: dateIn(plusDays(today, 1), 'UTC') },
        }),
      ],
    }),
    options: {},
  },
  'with a down payment and a fee': {
    program: () => ({
      downPayment: { percentBps: 1_000 },
      fees: [createFee({ flatCents: 2_500 })],
    }),
    options: {},
  },
  'above the maximum amount': { options: { items: undefined, customTotal: 3_000_001 } },
  'below the minimum amount': { options: { items: undefined, customTotal: 4_999 } },
  'that expires tomorrow': { options: {}, days: 0 },
};

export const shopNames = Object.keys(shopKinds);

/** Creates a merchant for each kind of shop. */
export async function createShops(service: TestService): Promise<Map<string, TestMerchant>> {
  const now = service.clock.now();
  const shops = new Map<string, TestMerchant>();
  for (const [name, { program }] of Object.entries(shopKinds)) {
    const merchant = await service.createMerchant({ name: `Shop ${shops.size}` });
    const version = program && createProgram({ id: 'own', ...program(now) });
    if (version) await importProgram(service.database, version, [merchant.merchantId], { asDefault: true }, now);
    shops.set(name, merchant);
  }
  return shops;
}
