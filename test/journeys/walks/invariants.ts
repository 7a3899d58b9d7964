/** Invariants of every response to a buyer and of the stored data, for every walk. */
import { standardProgram } from '../../../server/lending/programs/standard-program.ts';
import { sql } from 'kysely';
import { transitions } from '../../../server/lending/applications/lifecycle.ts';
import { statusCodes } from '../../../shared/wire/status-codes.ts';
import type { Database } from '../../../server/db/database.ts';
import type { ApplicationStatus } from '../../../shared/wire/application.ts';
import type { FormResponse, Sending } from '../../support/http.ts';
import type { Page } from '../../support/page.ts';
import { storedDeliveries } from '../../support/stored.ts';
import { personalData, secretsOfBuyers } from './form-input.ts';

/** Allowed targets of the links and redirects of a checkout. */
export interface AllowedUrls {
  cartUrl: string;
  errorUrl: string;
  /** Target of the link on the page that the cart's link shows for a signed or completed checkout. */
  storeUrl: string;
  /** Redirect target after a purchase. `:id` is a placeholder for the transaction id. */
  completeUrl: string;
}

const STATUSES = [200, 303, 403, 404, 422];

/** Returns the faults of a response, usually an empty list. `page` is the parsed page, if there is one. */
export function faultsOfResponse(
  { status, headers, text, method, url }: FormResponse,
  page: Page | undefined,
  allowed: AllowedUrls,
  sent: Sending = {},
): string[] {
  const faults: string[] = [];
  const expect = (isMet: boolean, fault: string): void => void (isMet || faults.push(fault));
  // A walk may start a checkout more often than the limit of applications per cart allows.
  const isLimited = status === 429 && page?.step === 'too-many-applications';
  const isExpiredLink = status === 410 && page?.step === 'expired';
  const isUnreachableLender = status === 503 && page?.step === 'apply';
  expect(STATUSES.includes(status) || isLimited || isExpiredLink || isUnreachableLender, `the status ${status}`);
  expect(headers['cache-control'] === 'no-store', 'a response that may be cached');
  expect(headers['referrer-policy'] === 'no-referrer', 'a referrer policy other than no-referrer');
  expect(headers['set-cookie'] === undefined, 'a cookie');
  expect(headers['x-content-type-options'] === 'nosniff', 'no x-content-type-options: nosniff');

  // A rejected form is shown again with the submitted values for correction, except the digits of the tax number.
  const isOwnForm = method === 'POST' && status === 422 && new URL(url).pathname.endsWith('/apply');
  const mayReturn = (secret: RegExp) => isOwnForm && !secret.source.includes('7391(') && sent.form !== undefined;
  const leaked = secretsOfBuyers.filter((secret) => !mayReturn(secret) && secret.test(text + String(headers.location)));
  expect(leaked.length === 0, `personal data: ${leaked.join(', ')}`);

  // At the link itself, only the response to a form contains the submitted values.
  const isAtLink = new URL(url).pathname.split('/', 4)[3]?.length !== 22;
  if (isAtLink && method === 'GET') {
    for (const data of personalData) expect(!data.test(text), `personal data at the link of the cart: ${data}`);
  }

  if (status === 303) {
    expect(text === '', 'a redirect with a body');
    expect(isAllowed(String(headers.location), allowed), `a redirect to ${headers.location}`);
    return faults;
  }
  expect(headers['content-type'] === 'text/html; charset=utf-8', `content-type: ${headers['content-type']}`);
  expect(
    /default-src 'none'.*form-action.*frame-ancestors/.test(String(headers['content-security-policy'])),
    'no content security policy',
  );
  expect(page !== undefined, 'no page');
  if (!page) return faults;
  expect(page.headings.length === 1, `${page.headings.length} headings`);
  expect(page.step !== '' && page.step !== 'unexpected-error', `an unexpected page: "${page.heading}"`);
  for (const link of page.links) expect(isAllowed(link, allowed), `a link to ${link}`);
  for (const { action } of page.forms) expect(action.startsWith(allowed.cartUrl), `a form for ${action}`);
  return [...faults, ...page.faults];
}

/** Path of a signed agreement and of its PDF. */
const DOCUMENT_PATH = /^\/a\/[\w-]{22}(\/agreement\.pdf)?$/;

/** Pages of the lender, as links contain them. */
const LENDER_URLS = [standardProgram.servicing!.payUrl, standardProgram.lender.privacyNotice!.url].map(
  (url) => new URL(url).href,
);

/** The website on which buyers lift the freeze of a credit file. */
const BUREAU_URL = new URL(standardProgram.lender.creditBureau!.website).href;

function isAllowed(url: string, { cartUrl, errorUrl, storeUrl, completeUrl }: AllowedUrls): boolean {
  // Contacts of the operator and the lender.
  if (/^(tel:\d+|mailto:[\w.@-]+)$/.test(url) || LENDER_URLS.includes(url) || url === BUREAU_URL) return true;
  const own = new URL(cartUrl);
  const { origin, pathname } = new URL(url, own);
  if (origin === own.origin) return pathname.startsWith(own.pathname) || DOCUMENT_PATH.test(pathname);
  const [before, after] = completeUrl.split(':id') as [string, string];
  return (
    url === errorUrl ||
    url === storeUrl ||
    (url.startsWith(before) &&
      url.endsWith(after) &&
      /^[\da-f-]{36}$/.test(url.slice(before.length, url.length - after.length || undefined)))
  );
}

/** Everything stored for one cart at one moment. */
export interface Records {
  /** Status of the cart. */
  cart: 'OPEN' | 'EXPIRED' | 'COMPLETED';
  transactionId: string | null;
  /** Number of transactions. */
  transactions: number;
  /** Number of applications that are not superseded. */
  applications: number;
  /** Number of superseded applications without a final status. */
  supersededOpen: number;
  callbacks: number;
  /** Fields of the application that is not superseded. */
  applicationId: string | null;
  sessionHash: string | null;
  status: ApplicationStatus | null;
  statusCode: string | null;
}

/** Reads again if a callback was added meanwhile: a request whose connection the walk has closed is still processed. */
export async function recordsOf(database: Database, cartId: string, callbackUrl: string): Promise<Records> {
  const countCallbacks = async () => (await storedDeliveries(database)).filter(({ url }) => url === callbackUrl).length;
  const callbacks = await countCallbacks();
  const { rows } = await sql<Record<Exclude<keyof Records, 'callbacks'>, any>>`
    select c.status as "cart", c.transaction_id as "transactionId", a.status as "status", a.status_code as "statusCode",
      a.id as "applicationId", a.session_hash as "sessionHash",
      (select count(*) from transactions where cart_id = c.id) as "transactions",
      (select count(*) from applications where cart_id = c.id and superseded_at is null) as "applications",
      (select count(*) from applications where cart_id = c.id and superseded_at is not null
        and status not in ('CANCELLED', 'DENIED', 'INELIGIBLE', 'EXPIRED')) as "supersededOpen"
    from carts c left join applications a on a.cart_id = c.id and a.superseded_at is null where c.id = ${cartId}`.execute(
    database.query,
  );
  if ((await countCallbacks()) !== callbacks) return recordsOf(database, cartId, callbackUrl);
  const { transactions, applications, supersededOpen, ...rest } = rows[0]!;
  return {
    ...(rest as Records),
    transactions: Number(transactions),
    applications: Number(applications),
    supersededOpen: Number(supersededOpen),
    callbacks,
  };
}

/** Returns the faults of the stored data, compared with the previous records. */
export function faultsOfRecords(before: Records, now: Records): string[] {
  const faults: string[] = [];
  const expect = (isMet: boolean, fault: string): void => void (isMet || faults.push(fault));
  const isBought = now.cart === 'COMPLETED';
  expect(now.applications <= 1, `${now.applications} current applications`);
  expect(now.supersededOpen === 0, `${now.supersededOpen} superseded applications without a final status`);
  const isReplaced = before.applicationId !== null && before.applicationId !== now.applicationId;
  const isSigned = before.status === 'ATTEMPTED_CHECKOUT' || before.status === 'CHECKOUT_COMPLETED';
  expect(!isReplaced || !isSigned, `another application after one that was ${before.status}`);
  expect(now.transactions === (isBought ? 1 : 0), `${now.transactions} transactions of a cart that is ${now.cart}`);
  expect((now.transactionId !== null) === isBought, `the transaction ${now.transactionId} of a cart that is ${now.cart}`);
  expect((now.status === 'CHECKOUT_COMPLETED') === isBought, `an application ${now.status} of a cart that is ${now.cart}`);
  expect(now.callbacks === (isBought ? 1 : 0), `${now.callbacks} callbacks of a cart that is ${now.cart}`);
  // An agreement signed in time is completed even if the merchant expired the link in the meantime.
  const isFinished = before.status === 'ATTEMPTED_CHECKOUT' && now.cart === 'COMPLETED';
  expect(now.cart === before.cart || before.cart === 'OPEN' || isFinished, `a cart that was ${before.cart} and is ${now.cart}`);
  expect(before.transactionId === null || before.transactionId === now.transactionId, 'another transaction');
  expect(
    isReachable(isReplaced ? null : before.status, now.status),
    `an application that was ${before.status} and is ${now.status}`,
  );
  expect(hasCode(now), `the code ${now.statusCode} for ${now.status}`);
  return faults;
}

function hasCode({ status, statusCode }: Records): boolean {
  return status === null ? statusCode === null : Object.values<string>(statusCodes[status]).includes(statusCode ?? '');
}

/** Returns the page that the link must show. Undefined if the records allow several. */
export function expectedLinkPage({ cart, status }: Records): string | undefined {
  if (cart === 'COMPLETED') return 'bought';
  if (status === 'ATTEMPTED_CHECKOUT') return 'signed';
  return cart === 'EXPIRED' ? 'expired' : undefined;
}

/** Returns true if a lender was sent a request or notification and its response has not been received. */
export const isWaiting = ({ status, statusCode }: Records): boolean => status === 'ATTEMPTED_CHECKOUT' || statusCode === '100100';

/** Returns true if the transition table leads from one status to another in any number of steps. */
function isReachable(from: ApplicationStatus | null, to: ApplicationStatus | null): boolean {
  if (from === to) return true;
  if (from === null) return isReachable('STARTED', to);
  const reached = new Set<ApplicationStatus>([from]);
  for (const status of reached) {
    for (const move of Object.values<{ from: readonly ApplicationStatus[]; to: ApplicationStatus }>(transitions)) {
      if (move.from.includes(status)) reached.add(move.to);
    }
  }
  return to !== null && reached.has(to);
}
