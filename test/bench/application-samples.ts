/** Sample applications in every status, created with the operations of the built service. */
import { keysOf } from '../../shared/objects.ts';
import type { CheckoutDeps } from '../../server/checkout/session/deps.ts';
import type { Cart } from '../../server/purchases/carts/store.ts';
import type { Application } from '../../server/lending/applications/store.ts';
import type { Merchant } from '../../server/merchants/store.ts';
import { CALLBACK_RULES, checkoutDeps } from './purchases.ts';
import { benchKeys, dist } from './built.ts';

const CARTS = 40;
const NOW = '2026-11-21T12:00:00.000000Z' as const;
const FIRST_NAMES = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Katherine', 'Donald', 'Radia'];
const LAST_NAMES = ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Johnson', 'Knuth', 'Perlman'];

/** Checkouts by the steps that a buyer takes, and the status codes that an application can have afterwards. `digits` selects the test buyer. */
const CHECKOUTS: { codes: string[]; steps: string[]; digits?: string }[] = [
  { codes: ['100000', '800100'], steps: ['details'] },
  { codes: ['200000', '800200', '700100', '700200'], steps: ['details', 'apply'], digits: '1001' },
  { codes: ['300000'], steps: ['details', 'apply'], digits: '2001' },
  { codes: ['300200'], steps: ['details', 'apply'], digits: '2002' },
  { codes: ['300300'], steps: ['details', 'apply'], digits: '2003' },
  { codes: ['300400'], steps: ['details', 'apply'], digits: '2004' },
  { codes: ['510000'], steps: ['details', 'apply', 'plan'], digits: '1001' },
  { codes: ['610000'], steps: ['finish'] },
];

/**
 * @param {string} file - Path of the SQLite database to create.
 * @returns Stored rows: a `tenant`, a `merchant`, a `program`, a `cart`, and `applications` by their status code.
 */
export async function createSamples(file: string) {
  const { openSqlite } = await dist('server/db/sqlite.js');
  const { createMerchant } = await dist('server/merchants/merchants.js');
  const { findTenant, requireMerchant } = await dist('server/merchants/store.js');
  const { programsOf } = await dist('server/lending/programs/store.js');
  const { createCart } = await dist('server/purchases/carts/carts.js');
  const { findApplicationOfCart } = await dist('server/lending/applications/store.js');

  const database = openSqlite(file, benchKeys);
  await database.migrate();
  const shop = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
  const { merchantId, tenantId } = await createMerchant(database, 'sandbox', shop, NOW);
  const merchant = await requireMerchant(database.query, merchantId);
  const deps = await checkoutDeps(database);

  const applications: Record<string, Application[]> = {};
  let cart: Cart | undefined;
  for (let number = 0; number < CARTS; number++) {
    for (const checkout of CHECKOUTS) {
      ({ cart } = await createCart(database, merchant, { options: optionsOf(number) }, NOW, { callbacks: CALLBACK_RULES }));
      await takeSteps(deps, merchant, cart, buyerOf(number), checkout);
      const row = (await findApplicationOfCart(database.query, cart.id))!;
      if (!checkout.codes.includes(row.statusCode))
        throw new Error(`expected one of ${checkout.codes.join()}, but found ${row.statusCode}`);
      for (const code of checkout.codes)
        (applications[code] ??= []).push({ ...row, status: await statusOf(code), requestId: null });
    }
  }
  const tenant = await findTenant(database.query, tenantId);
  const [program] = await programsOf(database.query, merchantId);
  await database.close();
  return { tenant, merchant, program, cart: { ...cart, status: 'EXPIRED', transactionId: null }, applications };
}

async function takeSteps(
  deps: CheckoutDeps,
  merchant: Merchant,
  { id, code }: { id: string; code: string },
  billing: ReturnType<typeof buyerOf>,
  { steps, digits = '1001' }: { steps: string[]; digits?: string },
) {
  const { startApplication } = await dist('server/checkout/steps/details/submit.js');
  const { requestDecision } = await dist('server/checkout/waiting/request-decision.js');
  const { choosePlan } = await dist('server/checkout/steps/plan.js');
  const { findApplicationOfCart } = await dist('server/lending/applications/store.js');
  const { getSession } = await dist('server/checkout/session/load.js');
  const { runCheckout } = await dist('server/operations/sandbox/run-checkout.js');
  const applicant = { dateOfBirth: '1990-12-10', taxIdLast4: digits, annualIncomeCents: 8_400_000 };
  const application = async () => (await findApplicationOfCart(deps.database.query, id))!;
  const take: Record<string, () => Promise<unknown>> = {
    details: () => startApplication(deps, code, { billing, shipping: billing, shippingTypeId: 'ground', language: 'en' }, NOW),
    apply: async () => requestDecision(deps, await application(), applicant, NOW),
    plan: async () => {
      const shown = await application();
      const { plans } = await getSession(deps.database.query, shown.id, NOW);
      return choosePlan(deps.database, shown, plans[0]!.offerId, NOW);
    },
    finish: () => runCheckout(deps, merchant.id, id, 'approved', NOW),
  };
  for (const step of steps) await take[step]!();
}

async function statusOf(code: string) {
  const { statusCodes } = await dist('shared/wire/status-codes.js');
  return keysOf(statusCodes).find((status) => Object.values<string>(statusCodes[status]).includes(code))!;
}

/** Returns the options of a cart with one to four items that cost a few hundred dollars in total. */
function optionsOf(number: number) {
  const items = Array.from({ length: 1 + (number % 4) }, (_, item) => ({
    name: ['Dining Chair, Oak', 'Reading Lamp', 'Sofa, Three Seats, Grey Wool', 'Side Table'][item],
    sku: `ART-${1_000 + 7 * number + item}`,
    price: 24_900 + 1_300 * number + 5_000 * item,
    quantity: 1 + ((number + item) % 2),
    imageUrl: `https://shop.example/images/articles/${number}-${item}.jpg`,
    detailUrl: `https://shop.example/articles/${number}-${item}`,
  }));
  const shippingOptions = [{ type: 'Ground', typeId: 'ground', cost: 1_500 }];
  const discounts = number % 3 === 0 ? [{ amount: 1_000, description: 'Welcome' }] : [];
  return {
    orderRef: `A-${number}`,
    completeUrl: 'https://shop.example/thanks',
    items,
    discounts,
    shippingOptions,
    tax: 1_900 + number,
    disableEditShipping: false,
    requireShippingContact: false,
    metadata: { channel: 'web', campaign: `autumn-${number}` },
  };
}

function buyerOf(number: number) {
  const firstName = FIRST_NAMES[number % 8]!;
  const lastName = LAST_NAMES[(number * 5) % 8]!;
  return {
    firstName,
    lastName,
    email: `${firstName}.${lastName}.${number}@example.com`.toLowerCase(),
    phone: '5550100100',
    address: `${10 + number} Analytical Way`,
    address2: number % 4 === 0 ? 'Apt 4' : '',
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
  };
}
