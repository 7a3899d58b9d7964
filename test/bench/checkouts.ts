/** Checkouts for a benchmark, each advanced to a different page by submitting forms without scripts. */
import { Page } from '../support/page.ts';
import { postTo } from './purchases.ts';

const typed = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '(555) 010-0100',
  address: '12 Analytical Way',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
  // Only submitted if the cart has several shipping options.
  shippingTypeId: '0',
  dateOfBirth: '12/10/1990',
  taxIdLast4: '1001',
  annualIncome: '$84,000',
  consent: 'yes',
  electronic: 'yes',
  agree: 'yes',
  signedName: 'Ada Lovelace',
};

/**
 * @param {string} origin - Origin of the service.
 * @param {string} authorization - Header of a merchant.
 * @param {object} cart - Body of `POST /carts`.
 * @returns {Promise<Record<string, string>>} Path of each page by its name.
 */
export async function completeCheckouts(origin: string, authorization: string, cart: object) {
  const newLink = async () => {
    const { url } = await postTo(origin, authorization)('/carts', cart);
    return new URL(url!).pathname;
  };
  const pathAfter = async (forms: number, over = {}) => {
    const link = await newLink();
    let page = await open(origin + link);
    let session = link;
    for (let sent = 0; sent < forms; sent++) {
      page = await send(page!, over);
      session = page ? pathOf(page.url).split('/').slice(0, 4).join('/') : session;
    }
    // The last form redirects to the shop. The buyer can return to the session.
    return page ? pathOf(page.url) : session;
  };
  return {
    details: await pathAfter(0),
    apply: await pathAfter(1),
    plans: await pathAfter(2),
    agreement: await pathAfter(3),
    completed: await pathAfter(4),
    declined: await pathAfter(2, { taxIdLast4: '2001' }),
  };
}

/** Completes the checkout at a link by submitting its forms. Returns the id of the transaction. */
export async function completeCheckout(link: string): Promise<string> {
  let page = (await open(link))!;
  for (;;) {
    const location = await redirectAfter(page);
    const transactionId = location.searchParams.get('transactionId');
    if (transactionId) return transactionId;
    page = (await open(location.href))!;
  }
}

/** Follows redirects within the service. Returns undefined if a redirect leads to another origin. */
async function open(url: string): Promise<Page | undefined> {
  const response = await fetch(url, { redirect: 'manual' });
  const location = response.headers.get('location');
  if (!location) return new Page(url, { text: await response.text() });
  const next = new URL(location, url);
  return next.origin === new URL(url).origin ? open(next.href) : undefined;
}

async function send(page: Page, over: object) {
  const location = await redirectAfter(page, over);
  return location.origin === new URL(page.url).origin ? open(location.href) : undefined;
}

/** Submits the form of a page and returns the address that the response redirects to. */
async function redirectAfter(page: Page, over = {}): Promise<URL> {
  const { url, body } = filledIn(page, over);
  const response = await fetch(url, { method: 'POST', redirect: 'manual', body });
  if (response.status !== 303)
    throw new Error(`Expected a redirect to the next page, but received ${response.status} for ${body}`);
  return new URL(response.headers.get('location')!, url);
}

/** Returns the path and the body with which a buyer submits the form of the page at `path`. */
export async function filledForm(origin: string, path: string) {
  const { url, body } = filledIn((await open(origin + path))!, {});
  return { path: pathOf(url), body: body.toString() };
}

function filledIn(page: Page, over: object) {
  return { url: page.action, body: new URLSearchParams({ ...typed, ...page.fields, ...over }) };
}

function pathOf(url: string) {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
