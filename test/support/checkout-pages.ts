/** Every page of the hosted checkout, and how to reach it. */
import { casesOf } from './campaign.ts';
import { texts } from '../../server/texts.ts';
import { listen } from './http.ts';
import { onCleanup } from './cleanup.ts';
import type { Page as Tab } from 'playwright-core';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { findCartByCode } from '../../server/carts/store.ts';
import { importProgram } from '../../server/programs/import.ts';
import { revokeDocumentLink } from '../../server/agreements/revoke-link.ts';
import { plusDays, systemClock } from '../../server/time.ts';
import type { Database } from '../../server/db/database.ts';
import { chair, copyOf, fieldsOf, open, type Page, post, reachAgreement, sessionUrl, submit } from './checkout.ts';
import { createDatabase } from './databases.ts';
import type { ApiResponse } from './service.ts';
import { startApp, type TestApp } from './app.ts';
import { createProgram, elaborateProgram, promotionalProgram } from './programs.ts';
import { changeSealed } from './stored.ts';

/** Page names, which are keys of the texts, by heading for each language. */
const pageNames = Object.fromEntries(
  Object.entries(texts).map(([language, groups]) => [
    language,
    new Map(
      Object.entries(groups)
        // Excludes the page for internal errors, which tests should not reach.
        .filter(([name, group]) => name !== 'unexpectedError' && typeof group === 'object' && 'title' in group)
        .map(([name, group]) => [(group as { title: string }).title, name]),
    ),
  ]),
);

/** Returns the name of the page with this heading: `details` for `Your details` in English. Undefined if there is no such page. */
export function pageNamed(heading: string, language: string): string | undefined {
  return pageNames[language]?.get(heading);
}

export interface Pictures {
  /** Base URL without a trailing slash. Every path below it is a picture. */
  url: string;
  /** Holds back all picture responses until `release`. */
  hold(): void;
  release(): void;
}

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480" viewBox="0 0 640 480">
  <rect width="640" height="480" fill="#d9cbb5"/><circle cx="320" cy="250" r="130" fill="#6b4f36"/>
</svg>`;

/** Starts a shop's server for landscape pictures. A test can delay its responses. */
export async function startPictureServer(): Promise<Pictures> {
  let delayed: (() => void)[] | undefined;
  const { url, stop } = await listen((_request, response) => {
    const send = () => response.writeHead(200, { 'content-type': 'image/svg+xml', 'cache-control': 'no-store' }).end(PICTURE);
    if (delayed) delayed.push(send);
    else send();
  });
  onCleanup(stop);
  return {
    url,
    hold: () => (delayed ??= []),
    release: () => {
      for (const send of delayed ?? []) send();
      delayed = undefined;
    },
  };
}

/** The way to a page: open `url`, and then submit the form there with `fields`, if there are any. */
export interface Place {
  url: string;
  fields?: Record<string, string>;
  /** Returns a URL for a single visit, if submitting the form moves the checkout to another URL. */
  renew?: () => Promise<string>;
}

/** The same page in Spanish. */
export function inSpanish({ url, renew, ...rest }: Place): Place {
  const translated = (original: string) => {
    const { href, searchParams } = new URL(original);
    searchParams.set('lang', 'es');
    return `${href.split('?')[0]}?${searchParams}`;
  };
  return { ...rest, url: translated(url), ...(renew && { renew: async () => translated(await renew()) }) };
}

/** The same page in a popup, where a failed checkout shows a page instead of redirecting to the shop. */
function inWindow({ url, ...rest }: Place): Place {
  const popupUrl = new URL(url);
  popupUrl.searchParams.set('display', 'popup');
  return { ...rest, url: popupUrl.href };
}

export interface CheckoutPage {
  name: string;
  status: number;
  heading: string;
  /** The page is stored permanently, in its original language and with inline styles. */
  isDocument?: true;
  /** Takes a new checkout to the page, which can be opened any number of times. */
  reach(shop: CheckoutShop): Promise<Place>;
}

/** Fetches the page over HTTP, without a browser. */
export async function fetchPlace({ url, fields, renew }: Place): Promise<ApiResponse & { heading: string }> {
  const page = await open(renew ? await renew() : url);
  const response = fields ? await post(page.url, { ...fieldsOf(page), ...fields }) : page;
  return { ...response, heading: /<h1>([^<]*)<\/h1>/.exec(response.text)?.[1] ?? '' };
}

/** Opens the page in a browser. If the place has fields, fills them in and submits the form. */
export async function visitPlace(tab: Tab, { url, fields, renew }: Place): Promise<void> {
  // In a popup without an opener, the page of a failed checkout would redirect to the shop.
  await tab.addInitScript('globalThis.opener = { closed: false, postMessage: () => undefined };');
  await tab.goto(renew ? await renew() : url, { waitUntil: 'domcontentloaded' });
  if (!fields) return;
  const loaded = tab.waitForEvent('domcontentloaded');
  await tab.evaluate((values) => {
    const form = document.querySelector<HTMLFormElement>('main form')!;
    for (const [name, value] of Object.entries(values)) {
      const control = form.elements.namedItem(name) as HTMLInputElement;
      if (control.type === 'checkbox') control.checked = true;
      else control.value = value;
    }
    form.requestSubmit();
  }, fields);
  await loaded;
}

/** A shop whose carts lead to every checkout page. */
export interface CheckoutShop {
  database: Database;
  pictures: Pictures;
  app: TestApp;
  /** Returns the link of a cart of three items that uses every cart field. */
  link(options?: Partial<CartOptions>): Promise<string>;
}

export async function startCheckoutShop(): Promise<CheckoutShop> {
  const database = await createDatabase('sqlite');
  const pictures = await startPictureServer();
  const app = await startApp(database, {});
  for (const program of [elaborateProgram, promotionalProgram, cautiousProgram]) {
    await importProgram(database, program, [app.merchantId], { asDefault: false }, systemClock.now());
  }
  const link: CheckoutShop['link'] = async (options) => (await app.createCart({ ...richCart(pictures.url), ...options })).url;
  return { database, pictures, app, link };
}

const richCart = (picturesUrl: string): Partial<CartOptions> => ({
  items: [
    {
      name: 'Arbor belt-drive turntable',
      sku: 'AT-TT-01',
      price: 129_900,
      quantity: 1,
      imageUrl: `${picturesUrl}/1`,
      detailUrl: '',
    },
    { name: 'Record brush', sku: 'AT-BR-07', price: 2_450, quantity: 2, imageUrl: `${picturesUrl}/2`, detailUrl: '' },
    { name: 'Delivery by two people', sku: 'AT-DL-02', price: 4_900, quantity: 1, imageUrl: '', detailUrl: '' },
  ],
  discounts: [{ amount: 5_000, description: 'Welcome discount' }],
  shippingOptions: [
    { type: 'Ground, 3 to 5 days', typeId: 'ground', cost: 0 },
    { type: 'Express, next day', typeId: 'express', cost: 2_900 },
  ],
  tax: 10_870,
  completeUrl: 'https://shop.example/thanks',
  errorUrl: 'https://shop.example/bag',
});

/** Very long and right-to-left text, as buyers and shops enter it. */
export const difficultNames = {
  long: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  rightToLeft: 'كرسي خشبي فاخر (طراز 12)',
  emoji: 'Garden set 🪑🌿👩‍👩‍👧‍👦',
};

const rightToLeftName = 'يوسف الخشبي';

const itemsWithDifficultNames = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const name = Object.values(difficultNames)[index % 3]!;
    return { ...chair, name: `${name} ${index + 1}`, sku: `SKU-${index}`, price: 12_345, quantity: 1 + (index % 3) };
  });

/** A program that asks for as much as it can: a full tax number, a hard inquiry and a one-time code. */
const cautiousProgram = createProgram({
  id: 'cautious',
  name: 'Cautious',
  inquiry: { application: 'hard', acceptance: 'hard' },
  application: { taxId: 'full' },
  signature: { code: 'email' },
});

const at = ({ url }: Page): Place => ({ url });
const shipping = { shippingTypeId: 'ground' };
const elaborate = { financingProgramId: elaborateProgram.id };
const promotional = { financingProgramId: promotionalProgram.id };
const cautious = { financingProgramId: cautiousProgram.id };
const taxId = '123-45-1001';
const toApplication = async (shop: CheckoutShop, options?: Partial<CartOptions>, over?: Record<string, string>) =>
  submit(await open(await shop.link(options)), { ...shipping, ...over });
/** Returns the page that follows the application of a test buyer. */
const toDecision = async (shop: CheckoutShop, taxIdLast4: string, options?: Partial<CartOptions>) =>
  submit(await toApplication(shop, options), { taxIdLast4 });
const toCard = async (shop: CheckoutShop, options?: Partial<CartOptions>) => submit(await toDecision(shop, '1101', options));
const toAgreement = (url: string) => reachAgreement(url, shipping);

const toCopy = async ({ app, database }: CheckoutShop) => {
  const { id, url } = await app.createCart();
  const agreement = await reachAgreement(url);
  await submit(agreement);
  const application = database.query.selectFrom('applications').select('id').where('cartId', '=', id);
  const { id: applicationId } = await application.executeTakeFirstOrThrow();
  return { url: await copyOf(await open(sessionUrl(agreement)), database), applicationId };
};
/** A signed copy from a year ago. */
const toOldCopy = async (shop: CheckoutShop) => {
  const moveClock = (now: string) => shop.app.post('/sandbox/clock', { now });
  await moveClock(plusDays(systemClock.now(), -365));
  const copy = await toCopy(shop);
  await moveClock(systemClock.now());
  return copy;
};

/** Every page of the hosted checkout, and how to reach it. */
export const checkoutPages: readonly CheckoutPage[] = [
  { name: 'details', status: 200, heading: 'Your details', reach: async (shop) => at(await open(await shop.link())) },
  {
    name: 'details with errors',
    status: 422,
    heading: 'Your details',
    reach: async (shop) => ({
      ...at(await open(await shop.link())),
      fields: { firstName: rightToLeftName, lastName: difficultNames.long, email: 'unknown', shipElsewhere: 'yes' },
    }),
  },
  {
    name: 'details of a cart of 50 items',
    status: 200,
    heading: 'Your details',
    reach: async (shop) => at(await open(await shop.link({ items: itemsWithDifficultNames(50) }))),
  },
  {
    name: 'details of a fixed address without a ZIP',
    status: 200,
    heading: 'Your details',
    reach: async (shop) => {
      const shippingContact = { fullName: 'Store Pickup', address: '1 Main Street', city: 'Boise', state: 'ID' };
      return at(await open(await shop.link({ shippingContact, billingContact: undefined, disableEditShipping: true })));
    },
  },
  {
    name: 'details before a hard inquiry',
    status: 200,
    heading: 'Your details',
    reach: async (shop) => at(await open(await shop.link(cautious))),
  },
  { name: 'apply', status: 200, heading: 'Apply for financing', reach: async (shop) => at(await toApplication(shop)) },
  {
    name: 'apply with errors',
    status: 422,
    heading: 'Apply for financing',
    reach: async (shop) => ({ ...at(await toApplication(shop)), fields: { dateOfBirth: '2/30/1990', annualIncome: 'much' } }),
  },
  {
    name: 'apply with a full tax number',
    status: 200,
    heading: 'Apply for financing',
    reach: async (shop) => at(await toApplication(shop, cautious)),
  },
  {
    name: 'apply in a state with a notice',
    status: 200,
    heading: 'Apply for financing',
    reach: async (shop) => at(await toApplication(shop, {}, { city: 'Madison', state: 'WI', zip: '53703' })),
  },
  {
    name: 'plans',
    status: 200,
    heading: 'Choose your plan',
    reach: async (shop) => at(await submit(await toApplication(shop))),
  },
  {
    name: 'plans without a credit score',
    status: 200,
    heading: 'Choose your plan',
    reach: async (shop) => at(await toDecision(shop, '1004')),
  },
  {
    name: 'plans of a smaller offer',
    status: 200,
    heading: 'Choose your plan',
    reach: async (shop) => at(await toDecision(shop, '1101')),
  },
  {
    name: 'plans with a promotion',
    status: 200,
    heading: 'Choose your plan',
    reach: async (shop) => at(await submit(await toApplication(shop, promotional))),
  },
  { name: 'agreement', status: 200, heading: 'Review and sign', reach: async (shop) => at(await toAgreement(await shop.link())) },
  {
    name: 'agreement of a program with everything',
    status: 200,
    heading: 'Review and sign',
    reach: async (shop) => at(await reachAgreement(await shop.link(elaborate), { ...shipping, offerId: 'a36' })),
  },
  { name: 'card', status: 200, heading: 'Your card', reach: async (shop) => at(await toCard(shop, elaborate)) },
  {
    name: 'agreement after a card',
    status: 200,
    heading: 'Review and sign',
    reach: async (shop) => at(await submit(await toCard(shop, elaborate))),
  },
  {
    name: 'agreement of a covered borrower at a military address',
    status: 200,
    heading: 'Review and sign',
    reach: async (shop) => {
      const military = { ...shipping, address: 'PSC 3, Box 1201', city: 'APO', state: 'AE', zip: '09021' };
      return at(await reachAgreement(await shop.link(), { ...military, taxIdLast4: '1201' }));
    },
  },
  {
    name: 'agreement after sending a code',
    status: 200,
    heading: 'Review and sign',
    reach: async (shop) =>
      at(await submit(await reachAgreement(await shop.link(cautious), { ...shipping, taxId }), {}, '/signing-code')),
  },
  {
    name: 'agreement with errors',
    status: 422,
    heading: 'Review and sign',
    reach: async (shop) => ({ ...at(await toAgreement(await shop.link())), fields: {} }),
  },
  {
    name: 'completed',
    status: 200,
    heading: 'Your purchase is complete',
    reach: async (shop) => {
      const names = { firstName: rightToLeftName, lastName: difficultNames.long };
      const agreement = await reachAgreement(await shop.link(), { ...shipping, ...names });
      await submit(agreement);
      return { url: sessionUrl(agreement) };
    },
  },
  {
    name: 'completed after a card',
    status: 200,
    heading: 'Your purchase is complete',
    reach: async (shop) => {
      const agreement = await submit(await toCard(shop));
      await submit(agreement);
      return { url: sessionUrl(agreement) };
    },
  },
  {
    name: 'completed after sending the code of the copy',
    status: 200,
    heading: 'Your purchase is complete',
    reach: async (shop) => {
      const agreement = await toAgreement(await shop.link());
      await submit(agreement);
      return at(await submit(await open(sessionUrl(agreement)), {}, '/copy-code'));
    },
  },
  {
    name: 'completed without e-mail',
    status: 200,
    heading: 'Your purchase is complete',
    reach: async ({ database }) => {
      const app = await startApp(database, { messageHandlings: { email: 'rejected', text: 'rejected' } });
      const agreement = await reachAgreement((await app.createCart()).url);
      await submit(agreement);
      return { url: sessionUrl(agreement) };
    },
  },
  {
    name: 'the signed copy',
    status: 200,
    heading: 'Loan agreement',
    isDocument: true,
    reach: async (shop) => {
      const card = await toCard(shop, elaborate);
      await submit(await submit(card));
      return { url: await copyOf(await open(sessionUrl(card)), shop.database) };
    },
  },
  {
    name: 'the signed copy in Spanish',
    status: 200,
    heading: 'Contrato de préstamo',
    isDocument: true,
    reach: async (shop) => {
      let page = await open(inSpanish({ url: await shop.link(elaborate) }).url);
      for (const values of [{ ...shipping, lastName: difficultNames.long }, {}, {}, {}, {}]) page = await submit(page, values);
      return { url: await copyOf(await open(sessionUrl(page)), shop.database) };
    },
  },
  {
    name: 'an old link to the signed copy',
    status: 200,
    heading: 'Open your signed agreement',
    reach: async (shop) => ({ url: (await toOldCopy(shop)).url }),
  },
  {
    name: 'an old link to the signed copy with a wrong ZIP',
    status: 422,
    heading: 'Open your signed agreement',
    reach: async (shop) => ({ url: (await toOldCopy(shop)).url, fields: { zip: '10001' } }),
  },
  {
    name: 'a revoked link to the signed copy',
    status: 410,
    heading: 'This link no longer works',
    reach: async (shop) => {
      const { url, applicationId } = await toCopy(shop);
      await revokeDocumentLink(shop.database, applicationId, systemClock.now());
      return { url };
    },
  },
  {
    name: 'waiting for a decision',
    status: 200,
    heading: 'The lender is reviewing your application',
    reach: async (shop) => at(await toDecision(shop, '5002')),
  },
  {
    name: 'waiting after signing',
    status: 200,
    heading: 'We are finishing your purchase',
    reach: async (shop) => at(await submit(await submit(await toDecision(shop, '6001')))),
  },
  {
    name: 'needs action',
    status: 200,
    heading: 'We need something from you',
    reach: async (shop) => at(await toDecision(shop, '4001')),
  },
  {
    name: 'cancel',
    status: 200,
    heading: 'Cancel your application?',
    reach: async (shop) => at(await open(`${sessionUrl(await toApplication(shop))}/cancel`)),
  },
  {
    name: 'canceled',
    status: 200,
    heading: 'Your application is canceled',
    reach: async (shop) => inWindow(at(await submit(await open(`${sessionUrl(await toApplication(shop))}/cancel`)))),
  },
  {
    name: 'declined',
    status: 200,
    heading: 'Your application was not approved',
    reach: async (shop) => at(await toDecision(shop, '2001')),
  },
  {
    name: 'declined without a credit file',
    status: 200,
    heading: 'Your application was not approved',
    reach: async (shop) => at(await toDecision(shop, '2005')),
  },
  {
    name: 'declined after signing',
    status: 200,
    heading: 'The lender did not make the loan',
    reach: async (shop) => at(await submit(await submit(await toDecision(shop, '6002')))),
  },
  {
    name: 'ineligible',
    status: 200,
    heading: 'Financing is not available for this order',
    reach: async (shop) => inWindow(at(await toDecision(shop, '3001'))),
  },
  {
    name: 'unavailable',
    status: 200,
    heading: 'Financing is not available for this order',
    reach: async (shop) => inWindow({ url: await shop.link({ items: undefined, customTotal: 4_999, tax: undefined }) }),
  },
  {
    name: 'excluded',
    status: 200,
    heading: 'Financing is not available for this order',
    reach: async (shop) => at(await toApplication(shop, elaborate, { state: 'IA' })),
  },
  {
    name: 'no lender',
    status: 503,
    heading: 'Financing is not available right now',
    reach: async (shop) => ({
      ...inWindow(at(await toApplication(shop))),
      renew: async () => inWindow(at(await toApplication(shop))).url,
      fields: { dateOfBirth: '12/10/1990', taxIdLast4: '5001', annualIncome: '84000', consent: 'yes', electronic: 'yes' },
    }),
  },
  {
    name: 'the link of a checkout in progress',
    status: 200,
    heading: 'This checkout is already in progress',
    reach: async (shop) => {
      const url = await shop.link();
      await submit(await open(url), shipping);
      return { url };
    },
  },
  {
    name: 'starting again',
    status: 200,
    heading: 'Your details',
    reach: async (shop) => {
      const url = await shop.link();
      await submit(await open(url), shipping);
      return { url: `${url}/restart` };
    },
  },
  {
    name: 'started again elsewhere',
    status: 200,
    heading: 'This checkout was started again elsewhere',
    reach: async (shop) => {
      const url = await shop.link();
      const first = await submit(await open(url), shipping);
      await submit(await open(`${url}/restart`), shipping);
      return { url: sessionUrl(first) };
    },
  },
  {
    name: 'too many applications',
    status: 429,
    heading: 'Too many applications',
    reach: async (shop) => {
      const url = await shop.link();
      await submit(await open(url), shipping);
      for (let starts = 2; starts <= 5; starts++) await submit(await open(`${url}/restart`), shipping);
      return { url: `${url}/restart` };
    },
  },
  {
    name: 'the link of a signed checkout',
    status: 200,
    heading: 'This order is being completed',
    reach: async (shop) => {
      const url = await shop.link();
      await submit(await reachAgreement(url, { ...shipping, taxIdLast4: '6001' }));
      return { url };
    },
  },
  {
    name: 'the link of a completed checkout',
    status: 200,
    heading: 'This order is complete',
    reach: async (shop) => {
      const url = await shop.link();
      await submit(await toAgreement(url));
      return { url };
    },
  },
  {
    name: 'expired',
    status: 410,
    heading: 'This checkout link has expired',
    reach: async ({ app }) => {
      const { id, url } = await app.createCart();
      await app.post(`/carts/${id}/expire`, {});
      return { url };
    },
  },
  {
    name: 'the link after a canceled application',
    status: 200,
    heading: 'This checkout has ended',
    reach: async (shop) => {
      const url = await shop.link();
      const applying = await submit(await open(url), shipping);
      await submit(await open(`${sessionUrl(applying)}/cancel`));
      return inWindow({ url });
    },
  },
  {
    name: 'expired approval',
    status: 410,
    heading: 'This checkout link has expired',
    reach: async (shop) => {
      const plans = await submit(await toApplication(shop));
      const { id } = (await findCartByCode(shop.database.query, new URL(plans.url).pathname.split('/')[2]!))!;
      const expired = { expiresAt: plusDays(systemClock.now(), -1) };
      await shop.database.write((tx) => tx.updateTable('applications').set(expired).where('cartId', '=', id).execute());
      return inWindow({ url: sessionUrl(plans) });
    },
  },
  {
    name: 'unknown link',
    status: 404,
    heading: 'We could not find this checkout',
    reach: async (shop) => ({ url: new URL('/c/unknown', await shop.link()).href }),
  },
  {
    name: 'unexpectedError',
    status: 500,
    heading: 'Something went wrong on our side',
    reach: async ({ app, database }) => {
      const { id, url } = await app.createCart();
      await changeSealed(database, 'carts', id, { options: null });
      return { url };
    },
  },
];

const typicalPages = [
  'details with errors',
  'details of a fixed address without a ZIP',
  'apply',
  'plans with a promotion',
  'agreement of a program with everything',
  'card',
  'the signed copy',
  'waiting for a decision',
  'declined',
  'cancel',
];

/** Pages that a test opens in a browser. */
export const openedPages = casesOf(checkoutPages, ({ name }) => typicalPages.includes(name));
