/** Creates carts and takes their checkouts to any step, over HTTP alone. */
import { createSecretKey } from 'node:crypto';
import type { Cart, CreateCartRequest, Transaction } from '@fairterm/client';
import { rateSheet } from '../../shared/programs/rate-sheet.ts';
import { CAPITAL_ZIPS } from '../../shared/wire/us-states.ts';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { operatorIn } from '../../server/base/config/operator.ts';
import { findCheckoutByCode } from '../../server/checkout/session/store.ts';
import { sandboxGateway } from '../../server/purchases/cards/sandbox-gateway.ts';
import type { CheckoutDeps } from '../../server/checkout/session/deps.ts';
import { sandboxLender } from '../../server/lending/lenders/sandbox-lender.ts';
import { signedAgreement } from '../../server/agreements/agreement.ts';
import type { Database } from '../../server/db/database.ts';
import { storedDeliveries } from './stored.ts';
import { standardProgram } from '../../server/lending/programs/standard-program.ts';
import { fixedFields, Page, textOf } from './page.ts';
import { type ApiResponse, fetchResponse, type TestMerchant } from './service.ts';

/** The default program of every new merchant. */
export const program = standardProgram;

/** The rate sheet of the standard program. */
export const sheet = rateSheet(program);

/** The merchant and the service of an e-mail, without a brand. */
export const emailSender = {
  merchant: { name: 'Acme Goods', logo: null, accent: null, supportEmail: null, supportPhone: null, supportUrl: null },
  publicUrl: 'https://pay.example',
};

/** The operator of services in tests. */
export const testOperator = operatorIn({}, 'sandbox')!;

/** The mail dependency of checkout functions in tests without e-mail. */
export const noMail = {
  publicUrl: 'http://localhost',
  handling: 'unavailable',
  textHandling: 'unavailable',
  mode: 'sandbox',
  documentLinkDays: 90,
  operator: testOperator,
  noticeKey: createSecretKey(Buffer.alloc(32)),
} as const;

/** The key of one-time codes in tests without a service. */
export const codeKey = createSecretKey(Buffer.alloc(32));

/** Dependencies of checkout functions, with the lender and the cards of the sandbox, and without e-mail. */
export const checkoutDeps = (database: Database, overrides: Partial<CheckoutDeps> = {}): CheckoutDeps => ({
  database,
  lender: sandboxLender(),
  cards: sandboxGateway,
  approvals: { approvalDays: 7, extensionDays: 7 },
  mail: noMail,
  codeKey,
  onException: () => undefined,
  wakeDelivery: () => undefined,
  ...overrides,
});

/** One chair for $750.00. */
export const chair = { name: 'Chair', sku: 'CHAIR-1', price: 75_000, quantity: 1, imageUrl: '', detailUrl: '' };

/** Creates a cart of one chair. `options` override its defaults. */
export async function createCart(
  merchant: TestMerchant,
  options: Partial<CartOptions> = {},
  rest: Omit<CreateCartRequest, 'options'> = {},
): Promise<Cart> {
  return merchant.fairterm.carts.create({ ...rest, options: { items: [chair], ...options } });
}

/** Completes a purchase of one chair, and returns the id of the PENDING transaction. */
export async function completeCheckout(merchant: TestMerchant, options: Partial<CartOptions> = {}): Promise<string> {
  const cart = await createCart(merchant, options);
  const { transactionId } = await merchant.fairterm.sandbox.checkout({ cartId: cart.id });
  return transactionId;
}

/** Completes a purchase of one chair and applies `actions`, and returns the resulting transaction. */
export async function completeCheckoutAndAct(
  merchant: TestMerchant,
  actions: readonly { type: string; [field: string]: unknown }[],
  options: Partial<CartOptions> = {},
): Promise<{ id: string; transaction: Transaction }> {
  const id = await completeCheckout(merchant, options);
  const { transactions } = merchant.fairterm;
  let transaction = await transactions.retrieve(id);
  for (const { type, ...request } of actions) {
    const act = transactions[type as 'authorize' | 'settle' | 'cancel' | 'refund'].bind(transactions);
    transaction = await act(id, request);
  }
  return { id, transaction };
}

/** Values for every field of the checkout. A form uses the fields that it has. */
export const typed = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '(555) 010-0100',
  address: '12 Analytical Way',
  address2: '',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
  dateOfBirth: '12/10/1990',
  taxIdLast4: '1001',
  annualIncome: '$84,000',
  consent: 'yes',
  electronic: 'yes',
  agree: 'yes',
  signedName: 'Ada Lovelace',
};

/** The input of a buyer who ships to another person and address. */
export const elsewhere = {
  shipElsewhere: 'yes',
  shippingFirstName: 'Howard',
  shippingLastName: 'Aiken',
  shippingAddress: '33 Oxford Street',
  shippingAddress2: '',
  shippingCity: 'Cambridge',
  shippingState: 'MA',
  shippingZip: '02138',
};

export type { Page };

/** Opens a URL and follows redirects within the service. */
export async function open(url: string): Promise<Page> {
  return followRedirects(url, await fetchResponse(url));
}

/**
 * Submits the form of a page with the default values, the values in the page and those in `over`, and follows redirects.
 *
 * @param path - The end of the form's URL, such as `/extend`. Defaults to the form that is submitted to the page's own URL.
 */
export async function submit(page: Page, over: Record<string, string> = {}, path?: string): Promise<Page> {
  const form = path === undefined ? page.form : page.formFor(path);
  if (path !== undefined && !form) throw new Error(`Expected a form of ${page.url} for ${path}, but received ${page.text}`);
  const action = form?.action ?? page.url;
  const fields = { ...typed, ...expectedSignature(page), ...(form && fixedFields(form)), ...withZip(over) };
  return followRedirects(action, await post(action, fields));
}

/** Returns input with a ZIP code of its state, because the checkout asks about one of another state. */
export function withZip(input: Record<string, string>): Record<string, string> {
  const zip = CAPITAL_ZIPS[input['state'] ?? ''];
  return { ...(zip && { zip }), ...input };
}

/** Returns the name that an agreement page expects as the signature. */
function expectedSignature(page: Page): { signedName?: string } {
  const [hint] = page.elements('p', { id: 'signedName-hint' }).map(textOf);
  return hint === undefined ? {} : { signedName: hint.slice(hint.indexOf(': ') + 2) };
}

/** Posts a form without following redirects. */
export function post(url: string, fields: Record<string, string>): Promise<ApiResponse> {
  return fetchResponse(url, { method: 'POST', body: new URLSearchParams(fields) });
}

/** Opens the page of a step, and posts its form with these fields, without following redirects. */
export async function postFresh(url: string, fields: Record<string, string>): Promise<ApiResponse> {
  const page = new Page(url, await fetchResponse(url));
  return post(url, { ...page.fields, ...fields });
}

/** Opens a link and submits forms until a step is shown. `over` replaces values of all forms. */
export async function reachStep(url: string, step: string, over: Record<string, string> = {}): Promise<Page> {
  let page = await open(url);
  for (let submitted = 0; page.step !== step; submitted++) {
    if (submitted === 5 || page.status !== 200) {
      throw new Error(`Expected the step ${step}, but received ${page.status} ${page.step}: ${page.text}`);
    }
    page = await submit(page, over);
  }
  return page;
}

/** Opens a link, submits the details and the application, and returns the page that shows the decision. */
export async function reachDecision(url: string, over: Record<string, string> = {}): Promise<Page> {
  return submit(await reachStep(url, 'apply', over), over);
}

/** Opens a link and submits forms until the agreement is shown. */
export function reachAgreement(url: string, over: Record<string, string> = {}): Promise<Page> {
  return reachStep(url, 'agreement', over);
}

async function followRedirects(url: string, response: ApiResponse): Promise<Page> {
  const location = response.headers.get('location');
  const next = location && new URL(location, url);
  if (next && next.origin === new URL(url).origin) return open(next.href);
  return new Page(url, response);
}

/**
 * Returns the URL of a page's session, `http://…/c/CODE/SECRET`, from the links of the page or else from its URL. After a form
 * was posted, the page's URL may contain the previous secret.
 */
export function sessionUrl(page: Page): string {
  const link = page.attribute('a', 'href', { class: 'language' }) ?? page.url;
  const session = /^.*\/c\/[\w-]{22}\/[\w-]{22}/.exec(new URL(link, page.url).href)?.[0];
  if (!session) throw new Error(`Expected a page of a session, but received ${page.url}`);
  return session;
}

/** Returns the session URL after the form of a page is accepted. */
export function renewedUrl(page: Page): string {
  const link = /^.*\/c\/[\w-]{22}/.exec(page.url)?.[0];
  return `${link}/${page.fields['nextSecret']}`;
}

/** Returns the URL of the buyer's copy in the e-mail about the completed checkout of this page. */
export async function copyOf({ url }: { url: string }, database: Database): Promise<string> {
  const checkout = await findCheckoutByCode(database.query, new URL(url).pathname.split('/')[2]!);
  const code = signedAgreement(checkout!.application!)?.documentCode;
  const emails = (await storedDeliveries(database)).map(({ body }) => body);
  const [link] = emails.flatMap((body) => new RegExp(`https?://[^\\s"]*/a/${code}`).exec(body) ?? []);
  if (!link) throw new Error(`Expected an e-mail with the link to the buyer's copy of ${url}`);
  return link;
}

/**
 * Returns a pattern for digits that a buyer typed. It does not match the same digits within a time, an id or a hash.
 *
 * @param source - The digits as the source of a regular expression.
 */
export const typedDigits = (source: string): RegExp => new RegExp(`(?<![\\w.-])(?:${source})(?![\\w-])`);
