/** Creates carts and takes their checkouts to any step, over HTTP alone. */
import type { Cart, CreateCartRequest, Transaction } from 'fairterm/client';
import { rateSheet } from '../../shared/programs/rate-sheet.ts';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { standardProgram } from '../../server/as-low-as/standard-program.ts';
import { type Answer, fetchAnswer, type TestMerchant } from './service.ts';

/** The standard program, as every merchant starts with it. */
export const program = standardProgram;

/** What it is quoted from. */
export const sheet = rateSheet(program);

/** What verbs of the checkout are given where nothing is to be mailed. */
export const noMail = { publicUrl: 'http://localhost', outlet: 'refused', mode: 'sandbox' } as const;

/** One chair for $750.00. */
export const chair = { name: 'Chair', sku: 'CHAIR-1', price: 75_000, quantity: 1, imageUrl: '', detailUrl: '' };

/** A cart of one chair; say only what matters. */
export async function createCart(
  merchant: TestMerchant,
  options: Partial<CartOptions> = {},
  rest: Omit<CreateCartRequest, 'options'> = {},
): Promise<Cart> {
  return merchant.fairterm.carts.create({ ...rest, options: { items: [chair], ...options } });
}

/** A purchase of one chair, signed and PENDING. */
export async function completeCheckout(merchant: TestMerchant, options: Partial<CartOptions> = {}): Promise<string> {
  const cart = await createCart(merchant, options);
  const { transactionId } = await merchant.fairterm.sandbox.checkout({ cartId: cart.id });
  return transactionId;
}

/** The purchase above, taken further by `actions`, each as the merchant sends it. Answers the transaction as it is then. */
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

/** What a buyer types; a form takes what it asks for. */
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

/** A page as a buyer without scripts has it before them. */
export interface Page extends Answer {
  url: string;
  /** Where its form is sent. */
  action: string;
  heading: string;
}

/** Opens an address and follows where it leads, on the service's own pages only. */
export async function open(url: string): Promise<Page> {
  return arrive(url, await fetchAnswer(url));
}

/**
 * Sends the form of a page to where it leads, with what was typed over what the page holds.
 *
 * @param place - Where the form leads that is meant, such as `/extend`; left out, the one that stays on the page.
 */
export async function submit(page: Page, over: Record<string, string> = {}, place?: string): Promise<Page> {
  const { action, fields } = formOf(page, place);
  const answer = await post(action, { ...typed, ...fields, ...over });
  return arrive(action, answer);
}

/** Posts a form without following where that leads. */
export function post(url: string, fields: Record<string, string>): Promise<Answer> {
  return fetchAnswer(url, { method: 'POST', body: new URLSearchParams(fields) });
}

/** Opens the page of a step, and posts its form as it was shown, with these fields, without following where that leads. */
export async function postFresh(url: string, fields: Record<string, string>): Promise<Answer> {
  const { text } = await fetchAnswer(url);
  return post(url, { ...fieldsOf({ text, url }), ...fields });
}

/** The hidden fields and picked choices of a page's form. */
export function fieldsOf(page: Pick<Page, 'text' | 'url'>): Record<string, string> {
  return formOf(page).fields;
}

function fieldsIn(form: string): Record<string, string> {
  const inputs = [...form.matchAll(/<input\s[^>]*>/g)].map(([tag]) => tag);
  const kept = inputs.filter((tag) => /type="hidden"/.test(tag) || (/type="radio"/.test(tag) && /\schecked/.test(tag)));
  return Object.fromEntries(kept.map((tag) => [attribute(tag, 'name'), attribute(tag, 'value')]));
}

/** The form that leads to a place; without one, the form that is posted to where the page itself is, or else the first. */
function formOf({ text, url }: Pick<Page, 'text' | 'url'>, place?: string): { action: string; fields: Record<string, string> } {
  const forms = [...text.matchAll(/<form\s[^>]*>[^]*?<\/form>/g)].map(([content]) => ({
    action: new URL(attribute(content, 'action').replaceAll('&amp;', '&'), url).href,
    fields: fieldsIn(content),
  }));
  const leadsTo = (end: string) => forms.find(({ action }) => new URL(action).pathname.endsWith(end));
  if (place !== undefined && !leadsTo(place)) throw new Error(`No form of ${url} leads to ${place}: ${text}`);
  return leadsTo(place ?? new URL(url).pathname) ?? forms[0] ?? { action: url, fields: {} };
}

/** From an opened link to the agreement, ready to be signed. */
export async function reachAgreement(url: string, over: Record<string, string> = {}): Promise<Page> {
  let page = await open(url);
  for (const heading of ['Your details', 'Apply for financing', 'Choose your plan']) {
    if (page.heading !== heading) throw new Error(`Expected "${heading}", but arrived at "${page.heading}": ${page.text}`);
    page = await submit(page, over);
  }
  return page;
}

async function arrive(url: string, answer: Answer): Promise<Page> {
  const location = answer.headers.get('location');
  const next = location && new URL(location, url);
  if (next && next.origin === new URL(url).origin) return open(next.href);
  return pageAt(url, answer);
}

/**
 * The address of the session that a page belongs to, `http://…/c/CODE/SECRET`: where its own links lead, or else where it is. After
 * a form was posted, the page may be at the address that the session had before.
 */
export function sessionUrl({ url, text = '' }: { url: string; text?: string }): string {
  const link = /<a class="language" href="([^"?]*)/.exec(text)?.[1] ?? url;
  const session = /^.*\/c\/[\w-]{22}\/[\w-]{22}/.exec(new URL(link, url).href)?.[0];
  if (!session) throw new Error(`Expected a page of a session, but received ${url}`);
  return session;
}

/** The address under which the checkout continues once the form of a page is accepted, wherever its answer leads. */
export function renewedUrl(page: Pick<Page, 'text' | 'url'>): string {
  const link = /^.*\/c\/[\w-]{22}/.exec(page.url)?.[0];
  return `${link}/${fieldsOf(page)['nextSecret']}`;
}

/** What an address answered, as the page that it is. */
export function pageAt(url: string, answer: Answer): Page {
  const { action } = formOf({ text: answer.text, url });
  return { ...answer, url, action, heading: /<h1>([^<]*)<\/h1>/.exec(answer.text)?.[1] ?? '' };
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}

/** The address of the copy that the page of a completed checkout leads to. */
export function copyIn({ text, url }: Page): string {
  const path = /href="(\/a\/[\w-]{22})"/.exec(text)?.[1];
  if (!path) throw new Error(`There is no link to a copy: ${text}`);
  return new URL(path, url).href;
}

/**
 * Finds digits that somebody typed, and not the same ones in a time, an id or a hash, where chance puts them sooner or later.
 *
 * @param source how they may be written, as a regular expression
 */
export const typedDigits = (source: string): RegExp => new RegExp(`(?<![\\w.-])(?:${source})(?![\\w-])`);
