/** Every page of the hosted checkout, and how to reach it. */
import { casesOf } from './campaign.ts';
import { listen } from './http.ts';
import { onCleanup } from './cleanup.ts';
import type { Page as Tab } from 'playwright-core';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { type CreditDecision, UnknownOutcomeError } from '../../server/lending/lenders/lender.ts';
import { sandboxLender } from '../../server/lending/lenders/sandbox-lender.ts';
import { findCheckoutByCode } from '../../server/checkout/session/store.ts';
import { importProgram } from '../../server/lending/programs/import.ts';
import { revokeDocumentLink } from '../../server/agreements/document-link.ts';
import { plusDays, systemClock } from '../../server/base/time.ts';
import type { Database } from '../../server/db/database.ts';
import { chair, copyOf, open, post, reachAgreement, reachDecision, sessionUrl, submit, typed } from './checkout.ts';
import { createDatabase } from './databases.ts';
import { Page } from './page.ts';
import { contactsOfCart } from './page-measures.ts';
import { startApp, type TestApp } from './app.ts';
import { createProgram, elaborateProgram, promotionalProgram } from './programs.ts';
import { changeSealed, storedDeliveries, storedTransactions } from './stored.ts';

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
async function startPictureServer(): Promise<Pictures> {
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

/** The same page in a popup, where a failed checkout shows a page instead of redirecting to the shop, at once or after half a minute. */
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
  isDocument: boolean;
  /** Takes a new checkout to the page, which can be opened any number of times. */
  reach(shop: CheckoutShop): Promise<Place>;
}

/** Fetches the page over HTTP, without a browser. */
export async function fetchPlace({ url, fields, renew }: Place): Promise<Page> {
  const page = await open(renew ? await renew() : url);
  return fields ? new Page(page.url, await post(page.url, { ...page.fields, ...fields })) : page;
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
const difficultNames = {
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
/** A page that the sandbox's lender leaves after some seconds, and that each visit therefore reaches anew. */
const passing = async (reach: () => Promise<Page>): Promise<Place> => ({
  url: (await reach()).url,
  renew: async () => (await reach()).url,
});
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

/** Opens the link in the e-mail about a denial, whose notice has reasons. */
const toNotice = async (shop: CheckoutShop) => {
  await toDecision(shop, '2001');
  const { body } = (await storedDeliveries(shop.database)).findLast(({ channel }) => channel === 'email')!;
  return open(/http:\/\/[^\s"\\]+\/n\/[\w-]+/.exec(body)![0]);
};

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

/** Signs the agreement of an order that the loan pays in part, and then changes the order. Returns its session and its signed copy. */
const toChange = async ({ app, database }: CheckoutShop, changes: readonly object[], over: Record<string, string> = {}) => {
  const { id, url } = await app.createCart();
  const agreement = await reachAgreement(url, { taxIdLast4: '1101', ...over });
  await submit(agreement);
  const copyUrl = await copyOf(await open(sessionUrl(agreement)), database);
  const [purchase] = await storedTransactions(database, id);
  for (const change of changes) await app.post(`/transactions/actions/${purchase!.id}`, change);
  return { sessionUrl: sessionUrl(agreement), copyUrl };
};
const changedPages = (
  name: string,
  heading: string,
  changes: readonly object[],
  over: Record<string, string> = {},
): CheckoutPage[] => [
  pageCalled(`completed, then ${name}`, heading, async (shop) => ({ url: (await toChange(shop, changes, over)).sessionUrl })),
  pageCalled(
    `the signed copy, then ${name}`,
    'Loan agreement',
    async (shop) => ({
      url: (await toChange(shop, changes, over)).copyUrl,
    }),
    { isDocument: true },
  ),
];

/** Ends the application of a page a day ago. */
const expire = async ({ database }: CheckoutShop, page: Page) => {
  const { cart } = (await findCheckoutByCode(database.query, new URL(page.url).pathname.split('/')[2]!))!;
  const expired = { expiresAt: plusDays(systemClock.now(), -1) };
  await database.write((tx) => tx.updateTable('applications').set(expired).where('cartId', '=', cart.id).execute());
  return page;
};

const pageCalled = (
  name: string,
  heading: string,
  reach: CheckoutPage['reach'],
  { status = 200, isDocument = false } = {},
): CheckoutPage => ({ name, heading, reach, status, isDocument });

/** Every page of the hosted checkout, and how to reach it. */
export const checkoutPages: readonly CheckoutPage[] = [
  pageCalled('details', 'Your details', async (shop) => at(await open(await shop.link()))),
  pageCalled(
    'details with errors',
    'Your details',
    async (shop) => ({
      ...at(await open(`${await shop.link()}/details`)),
      fields: { firstName: rightToLeftName, lastName: difficultNames.long, email: 'unknown', shipElsewhere: 'yes' },
    }),
    { status: 422 },
  ),
  pageCalled('details of a cart of 50 items', 'Your details', async (shop) =>
    at(await open(await shop.link({ items: itemsWithDifficultNames(50) }))),
  ),
  pageCalled('details of a fixed address without a ZIP', 'Your details', async (shop) => {
    const shippingContact = { fullName: 'Store Pickup', address: '1 Main Street', city: 'Boise', state: 'ID' };
    return at(await open(await shop.link({ shippingContact, billingContact: undefined, disableEditShipping: true })));
  }),
  pageCalled('details of a cart with contacts', 'Your details', async (shop) => at(await open(await shop.link(contactsOfCart)))),
  pageCalled('details before a hard inquiry', 'Your details', async (shop) => at(await open(await shop.link(cautious)))),
  pageCalled('apply', 'Apply for financing', async (shop) => at(await toApplication(shop))),
  pageCalled(
    'apply with errors',
    'Apply for financing',
    async (shop) => ({ ...at(await toApplication(shop)), fields: { dateOfBirth: '2/30/1990', annualIncome: 'much' } }),
    { status: 422 },
  ),
  pageCalled('apply with a full tax number', 'Apply for financing', async (shop) => at(await toApplication(shop, cautious))),
  pageCalled('apply in a state with a notice', 'Apply for financing', async (shop) =>
    at(await toApplication(shop, {}, { city: 'Madison', state: 'WI', zip: '53703' })),
  ),
  pageCalled('plans', 'You’re approved for $1,455.70', async (shop) => at(await submit(await toApplication(shop)))),
  pageCalled('plans without a credit score', 'You’re approved for $1,455.70', async (shop) => at(await toDecision(shop, '1004'))),
  pageCalled('plans of a smaller offer', 'You’re approved for $873.42, with $582.28 left to pay', async (shop) =>
    at(await toDecision(shop, '1101')),
  ),
  pageCalled('plans with a promotion', 'You’re approved for $1,310.13', async (shop) =>
    at(await submit(await toApplication(shop, promotional))),
  ),
  pageCalled('agreement', 'Review and sign', async (shop) => at(await toAgreement(await shop.link()))),
  pageCalled('agreement of a program with everything', 'Review and sign', async (shop) =>
    at(await reachAgreement(await shop.link(elaborate), { ...shipping, offerId: 'a36' })),
  ),
  pageCalled('card', 'Your card', async (shop) => at(await toCard(shop, elaborate))),
  pageCalled('agreement after a card', 'Review and sign', async (shop) => at(await submit(await toCard(shop, elaborate)))),
  pageCalled('agreement of a covered borrower at a military address', 'Review and sign', async (shop) => {
    const military = { ...shipping, address: 'PSC 3, Box 1201', city: 'APO', state: 'AE', zip: '09021' };
    return at(await reachAgreement(await shop.link(), { ...military, taxIdLast4: '1201' }));
  }),
  pageCalled('agreement after sending a code', 'Review and sign', async (shop) =>
    at(await submit(await reachAgreement(await shop.link(cautious), { ...shipping, taxId }), {}, '/signing-code')),
  ),
  pageCalled(
    'agreement with errors',
    'Review and sign',
    async (shop) => ({ ...at(await toAgreement(await shop.link())), fields: {} }),
    { status: 422 },
  ),
  pageCalled('completed', 'Your purchase is complete', async (shop) => {
    const names = { firstName: rightToLeftName, lastName: difficultNames.long };
    const agreement = await reachAgreement(await shop.link(), { ...shipping, ...names });
    await submit(agreement);
    return { url: sessionUrl(agreement) };
  }),
  pageCalled('completed after a card', 'Your purchase is complete', async (shop) => {
    const agreement = await submit(await toCard(shop));
    await submit(agreement);
    return { url: sessionUrl(agreement) };
  }),
  pageCalled('completed after sending the code of the copy', 'Your purchase is complete', async (shop) => {
    const agreement = await toAgreement(await shop.link());
    await submit(agreement);
    return at(await submit(await open(sessionUrl(agreement)), {}, '/copy-code'));
  }),
  ...changedPages('canceled', 'No loan was made', [{ type: 'authorize' }, { type: 'cancel' }]),
  ...changedPages('reduced', 'Your purchase is complete', [{ type: 'cancel', amount: 20_000 }]),
  ...changedPages('refunded in part', 'Your purchase is complete', [
    { type: 'authorize' },
    { type: 'settle' },
    { type: 'refund', amount: 20_000 },
  ]),
  ...changedPages('refunded', 'Your purchase is complete', [{ type: 'authorize' }, { type: 'settle' }, { type: 'refund' }]),
  ...changedPages('its card declined', 'Your purchase is complete', [{ type: 'authorize' }], { card: 'tok_declined' }),
  pageCalled('completed without e-mail', 'Your purchase is complete', async ({ database }) => {
    const app = await startApp(database, { messageHandlings: { email: 'unavailable', text: 'unavailable' } });
    const agreement = await reachAgreement((await app.createCart()).url);
    await submit(agreement);
    return { url: sessionUrl(agreement) };
  }),
  pageCalled(
    'the signed copy',
    'Loan agreement',
    async (shop) => {
      const card = await toCard(shop, elaborate);
      await submit(await submit(card));
      return { url: await copyOf(await open(sessionUrl(card)), shop.database) };
    },
    { isDocument: true },
  ),
  pageCalled(
    'the signed copy in Spanish',
    'Contrato de préstamo',
    async (shop) => {
      let page = await open(inSpanish({ url: await shop.link(elaborate) }).url);
      for (const values of [{ ...shipping, lastName: difficultNames.long }, {}, {}, {}, {}]) page = await submit(page, values);
      return { url: await copyOf(await open(sessionUrl(page)), shop.database) };
    },
    { isDocument: true },
  ),
  pageCalled('an old link to the signed copy', 'Open your signed agreement', async (shop) => ({
    url: (await toOldCopy(shop)).url,
  })),
  pageCalled(
    'an old link to the signed copy with a wrong ZIP',
    'Open your signed agreement',
    async (shop) => ({ url: (await toOldCopy(shop)).url, fields: { zip: '10001' } }),
    { status: 422 },
  ),
  pageCalled(
    'a revoked link to the signed copy',
    'This link no longer works',
    async (shop) => {
      const { url, applicationId } = await toCopy(shop);
      await revokeDocumentLink(shop.database, applicationId, systemClock.now());
      return { url };
    },
    { status: 410 },
  ),
  pageCalled('the link to a notice', 'Read your decision', async (shop) => at(await toNotice(shop))),
  pageCalled('the link to a notice, after the code was sent', 'Read your decision', async (shop) =>
    at(await submit(await toNotice(shop), {}, '/code')),
  ),
  pageCalled(
    'the link to a notice, with a wrong code',
    'Read your decision',
    async (shop) => ({ ...at(await submit(await toNotice(shop), {}, '/code')), fields: { noticeCode: '12' } }),
    { status: 422 },
  ),
  pageCalled('waiting for a decision', 'The lender is reviewing your application', (shop) =>
    passing(() => toDecision(shop, '5002')),
  ),
  pageCalled('waiting after signing', 'We are finishing your purchase', (shop) =>
    passing(async () => submit(await submit(await toDecision(shop, '6001')))),
  ),
  pageCalled('approved, but the order is closed', 'Approved, but this order is closed', async ({ database }) => {
    const approved: CreditDecision = { outcome: 'approved', tierId: 'A', limitCents: null };
    const decide = () => Promise.reject(new UnknownOutcomeError('No response'));
    const app = await startApp(database, { lender: { ...sandboxLender(), decide, decisionOf: async () => approved } });
    const { id, url } = await app.createCart();
    const waiting = sessionUrl(await reachDecision(url));
    await app.post(`/carts/${id}/expire`, {});
    await app.post('/sandbox/clock', { now: plusDays(systemClock.now(), 1) });
    await open(waiting);
    return { url: waiting };
  }),
  pageCalled('needs action', 'Unfreeze your credit file', async (shop) => at(await toDecision(shop, '4001'))),
  pageCalled('needs confirmation of the identity', 'Confirm your identity', async (shop) => at(await toDecision(shop, '4002'))),
  pageCalled('needs other details', 'Correct your details', async (shop) => at(await toDecision(shop, '4003'))),
  pageCalled(
    'no card can be accepted',
    'Financing is not available right now',
    async ({ database }) => {
      const app = await startApp(database, { cards: undefined });
      await importProgram(database, elaborateProgram, [app.merchantId], { asDefault: true }, systemClock.now());
      const applying = await submit(await open((await app.createCart()).url));
      const { dateOfBirth, taxIdLast4, annualIncome, consent, electronic } = typed;
      return { ...inWindow(at(applying)), fields: { dateOfBirth, taxIdLast4, annualIncome, consent, electronic } };
    },
    { status: 503 },
  ),
  pageCalled('cancel', 'Cancel your application?', async (shop) =>
    at(await open(`${sessionUrl(await toApplication(shop))}/cancel`)),
  ),
  pageCalled('canceled', 'Your application is canceled', async (shop) =>
    inWindow(at(await submit(await open(`${sessionUrl(await toApplication(shop))}/cancel`)))),
  ),
  pageCalled('declined', 'Your application was not approved', async (shop) => at(await toDecision(shop, '2001'))),
  pageCalled('declined without a credit file', 'Your application was not approved', async (shop) =>
    at(await toDecision(shop, '2005')),
  ),
  pageCalled('declined after signing', 'The lender did not make the loan', async (shop) =>
    at(await submit(await submit(await toDecision(shop, '6002')))),
  ),
  pageCalled('ineligible', 'Financing is not available for this order', async (shop) =>
    inWindow(at(await toDecision(shop, '3001'))),
  ),
  pageCalled('unavailable', 'Financing is not available for this order', async (shop) =>
    inWindow({ url: await shop.link({ items: undefined, customTotal: 4_999, tax: undefined }) }),
  ),
  pageCalled('excluded', 'Financing is not available for this order', async (shop) =>
    at(await toApplication(shop, elaborate, { state: 'IA' })),
  ),
  pageCalled(
    'apply after the lender did not answer',
    'Fairterm Lending could not be reached',
    async (shop) => inWindow(at(await toDecision(shop, '5001'))),
    { status: 503 },
  ),
  pageCalled(
    'apply after a link to continue was sent',
    'Fairterm Lending could not be reached',
    async (shop) => inWindow(at(await submit(await toDecision(shop, '5001'), {}, '/continue-link'))),
    { status: 503 },
  ),
  pageCalled('a link to continue', 'Continue your application', async (shop) => {
    await submit(await toDecision(shop, '5001'), {}, '/continue-link');
    const { body } = (await storedDeliveries(shop.database)).at(-1)!;
    return { url: /\S+\/continue\/[\w-]+/.exec((JSON.parse(body) as { text: string }).text)![0] };
  }),
  pageCalled('the link of a checkout in progress', 'This checkout is already in progress', async (shop) => {
    const url = await shop.link();
    await submit(await open(url), shipping);
    return { url };
  }),
  pageCalled('starting again', 'Your details', async (shop) => {
    const url = await shop.link();
    await submit(await open(url), shipping);
    return { url: `${url}/restart` };
  }),
  pageCalled('started again elsewhere', 'This checkout was started again elsewhere', async (shop) => {
    const url = await shop.link();
    const first = await submit(await open(url), shipping);
    await submit(await open(`${url}/restart`), shipping);
    return { url: sessionUrl(first) };
  }),
  pageCalled(
    'too many applications',
    'Too many applications',
    async (shop) => {
      const url = await shop.link();
      await submit(await open(url), shipping);
      for (let starts = 2; starts <= 5; starts++) await submit(await open(`${url}/restart`), shipping);
      return { url: `${url}/restart` };
    },
    { status: 429 },
  ),
  pageCalled('the link of a signed checkout', 'This order is being completed', async (shop) => {
    const url = await shop.link();
    await submit(await reachAgreement(url, { ...shipping, taxIdLast4: '6001' }));
    return { url };
  }),
  pageCalled('the link of a completed checkout', 'This order is complete', async (shop) => {
    const url = await shop.link();
    await submit(await toAgreement(url));
    return { url };
  }),
  pageCalled(
    'expired',
    'This checkout link has expired',
    async ({ app }) => {
      const { id, url } = await app.createCart();
      await app.post(`/carts/${id}/expire`, {});
      return { url };
    },
    { status: 410 },
  ),
  pageCalled('the link after a canceled application', 'This checkout has ended', async (shop) => {
    const url = await shop.link();
    const applying = await submit(await open(url), shipping);
    await submit(await open(`${sessionUrl(applying)}/cancel`));
    return inWindow({ url });
  }),
  pageCalled(
    'ended by the merchant',
    'This checkout has ended',
    async ({ app }) => {
      const { id, url } = await app.createCart();
      const plans = await reachDecision(url);
      await app.post(`/carts/${id}/expire`, {});
      return inWindow({ url: sessionUrl(plans) });
    },
    { status: 410 },
  ),
  pageCalled(
    'expired application',
    'Your application has expired',
    async (shop) => inWindow({ url: sessionUrl(await expire(shop, await toDecision(shop, '4001'))) }),
    { status: 410 },
  ),
  pageCalled(
    'expired approval',
    'Your approval has expired',
    async (shop) => inWindow({ url: sessionUrl(await expire(shop, await toDecision(shop, '1001'))) }),
    { status: 410 },
  ),
  pageCalled(
    'unknown link',
    'We could not find this checkout',
    async (shop) => ({ url: new URL('/c/unknown', await shop.link()).href }),
    { status: 404 },
  ),
  pageCalled(
    'unexpectedError',
    'Something went wrong on our side',
    async ({ app, database }) => {
      const { id, url } = await app.createCart();
      await changeSealed(database, 'carts', id, { options: null });
      return { url };
    },
    { status: 500 },
  ),
];

const typicalPages = [
  'details of a cart with contacts',
  'details with errors',
  'details of a fixed address without a ZIP',
  'apply',
  'apply after the lender did not answer',
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
