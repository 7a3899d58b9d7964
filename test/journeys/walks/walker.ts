/** Walks through a checkout over HTTP and checks the invariants after every action. */
import { expect } from 'vitest';
import { hashOfCode } from '../../../server/base/ids.ts';
import { plusDays, plusMs } from '../../../server/base/time.ts';
import { typed } from '../../support/checkout.ts';
import type { FormResponse, Connection, Sending } from '../../support/http.ts';
import { createCart } from '../../support/checkout.ts';
import { Page, type PageForm } from '../../support/page.ts';
import type { TestMerchant, TestService } from '../../support/service.ts';
import type { Action, MerchantAction, Walk } from './actions.ts';
import {
  faultsOfResponse,
  faultsOfRecords,
  isWaiting,
  expectedLinkPage,
  type Records,
  recordsOf,
  type AllowedUrls,
} from './invariants.ts';
import { shopKinds } from './shops.ts';
import { fillIn, secretsInJson } from './form-input.ts';
import { storedApplications, storedTransactions } from '../../support/stored.ts';
import { dateIn } from '../../../shared/dates.ts';

/** The environment that walks share. */
export interface WalkContext {
  service: TestService;
  shops: Map<string, TestMerchant>;
  connection: Connection;
  /** Base of the callback URLs. Each walk appends its own path. */
  callbackUrl: string;
  /** Number of times that walks reached each page and status. */
  seen: Map<string, number>;
}

interface SeenPage extends FormResponse {
  /** Undefined for a redirect to another origin. */
  page?: Page;
}

/** A browser with its history. */
interface Device {
  /** Value of `Accept-Language`. */
  language: string;
  pages: SeenPage[];
  /** Index of the current page. */
  at: number;
}

const MAX_REDIRECTS = 5;
const HOUR_MS = 3_600_000;

/** @throws Error - An invariant was violated. The message contains the fault and all previous actions. */
export async function runWalk(context: WalkContext, walk: Walk, { timeMoves }: { timeMoves: boolean }): Promise<void> {
  const trace: string[] = [];
  try {
    const walker = await createWalker(context, walk, trace);
    for (const action of walk.actions) await walker.run(action);
    await walker.end(timeMoves);
  } catch (thrown) {
    (thrown as Error).message += `\n${trace.join('\n')}`;
    throw thrown;
  }
}

async function createWalker(
  { service, shops, connection, callbackUrl: receiverUrl, seen }: WalkContext,
  walk: Walk,
  trace: string[],
) {
  const { options, days } = shopKinds[walk.shop]!;
  const merchant = shops.get(walk.shop)!;
  const name = `${process.pid}-${(walkCount += 1)}`;
  const callbackUrl = `${receiverUrl}/${name}`;
  const urls = walk.urls && {
    completeUrl: 'https://shop.example/thanks?lang=en',
    errorUrl: 'https://shop.example/pay?again',
  };
  const expiration = days === undefined ? {} : { expiration: dateIn(plusDays(service.clock.now(), days), 'UTC') };
  const orderRef = walk.orderRef ? `O ${name}` : '';
  const cart = await createCart(merchant, { ...options, ...urls, callbackUrl, ...(orderRef && { orderRef }) }, expiration);

  const orderRefQuery = new URLSearchParams({ orderRef }).toString();
  const allowed: AllowedUrls = {
    cartUrl: cart.url,
    errorUrl: urls ? urls.errorUrl : 'https://shop.example/',
    storeUrl: 'https://shop.example/',
    completeUrl: `https://shop.example/${urls ? 'thanks?lang=en&' : '?'}transactionId=:id&${orderRefQuery}`,
  };
  const devices: Device[] = walk.languages.map((language) => ({ language, pages: [], at: -1 }));
  /** Every session secret in the URLs and forms of the pages seen, also of those that `back` has dropped. */
  const secrets = new Set<string>();
  let records: Records = await recordsOf(service.database, cart.id, callbackUrl);

  const count = (key: string): void => void seen.set(key, (seen.get(key) ?? 0) + 1);

  function assertNone(faults: readonly string[], what: string): void {
    if (faults.length > 0) throw new Error(`${what}: ${faults.join('; ')}`);
  }

  const send = (device: Device, url: string, sending: Sending = {}): Promise<FormResponse | undefined> =>
    connection.send(url, { ...sending, headers: { 'accept-language': device.language } });

  /** Checks a response and follows its redirects within the service. */
  async function followRedirects(device: Device, first: FormResponse, sent: Sending): Promise<SeenPage> {
    let response = first;
    let sending = sent;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const { status, method, url, headers, text } = response;
      const page = status === 303 ? undefined : new Page(url, { text });
      trace.push(`  ${method} ${url.slice(cart.url.length)} -> ${status} ${headers.location ?? page?.headings.join()}`);
      assertNone(faultsOfResponse(response, page, allowed, sending), `${method} ${url} responded with ${status} and`);
      if (page) count(`${page.step} in ${page.language}`);
      for (const secret of secretsOf(url, page)) secrets.add(secret);
      const next = headers.location && new URL(headers.location, url);
      if (headers.location === allowed.errorUrl) count('errorUrl');
      if (!next || next.origin !== new URL(cart.url).origin) return { ...response, ...(page && { page }) };
      sending = {};
      response = (await send(device, next.href))!;
    }
    throw new Error(`Too many redirects: ${response.url}`);
  }

  function show(device: Device, page: SeenPage): void {
    device.pages.splice(device.at + 1, Infinity, page);
    device.at += 1;
  }

  async function go(device: Device, url: string, sending: Sending = {}): Promise<void> {
    const response = await send(device, url, sending);
    if (response) show(device, await followRedirects(device, response, sending));
  }

  const openLink = (device: Device): Promise<void> => go(device, cart.url);

  async function submit(device: Device, action: Extract<Action, { act: 'submit' }>): Promise<void> {
    const { form, filling, button, mode } = action;
    const prepare = (from: Device): { url: string; sending: Sending } | undefined => {
      const forms = from.pages[from.at]?.page?.forms ?? [];
      const chosen = forms[form % Math.max(forms.length, 1)];
      return chosen && requestOf(chosen, fillIn(chosen, filling, button));
    };
    const first = prepare(device);
    if (!first) return followOrOpen(device, form);
    if (mode === 'after request' || mode === 'during response') {
      await send(device, first.url, { ...first.sending, abort: mode });
      return;
    }
    const other = devices.find((candidate) => candidate !== device)!;
    const second = mode === 'twice' ? first : mode === 'once' ? undefined : prepare(other);
    const secondDevice = mode === 'twice' ? device : other;
    const concurrent = [{ by: device, ...first }, ...(second ? [{ by: secondDevice, ...second }] : [])];
    const responses = await Promise.all(concurrent.map(({ by, url, sending }) => send(by, url, sending)));
    const pages = await Promise.all(concurrent.map(({ by, sending }, index) => followRedirects(by, responses[index]!, sending)));
    // After a double click, a browser shows the response to the later request.
    show(device, mode === 'twice' ? pages.at(-1)! : pages[0]!);
    if (second && mode !== 'twice') show(other, pages[1]!);
  }

  async function followOrOpen(device: Device, link: number): Promise<void> {
    const links = (device.pages[device.at]?.page?.links ?? []).filter((url) => url.startsWith(cart.url));
    await (links.length > 0 ? go(device, links[link % links.length]!) : openLink(device));
  }

  async function actAsMerchant(what: MerchantAction): Promise<void> {
    const { transactionId } = records;
    const responses = [];
    if (what === 'retrieve') responses.push(await merchant.get(`/carts/${cart.id}`));
    else if (what === 'expire') responses.push(await merchant.post(`/carts/${cart.id}/expire`));
    else if (what === 'sandbox checkout') responses.push(await merchant.post('/sandbox/checkouts', { cartId: cart.id }));
    else if (transactionId) responses.push(await merchant.post(`/transactions/actions/${transactionId}`, { type: what }));
    if (transactionId) responses.push(await merchant.get(`/transactions/${transactionId}`));
    for (const { status, text, body } of responses) {
      trace.push(`  response to the merchant: ${status} ${body?.code ?? body?.status ?? ''}`);
      const leaked = secretsInJson.filter((secret) => secret.test(text));
      assertNone(leaked.map(String), 'The response to the merchant contains');
      if (status >= 300)
        expect([
          'not-approved',
          'cart-closed',
          'changed-meanwhile',
          'wrong-state',
          'amount-too-large',
          'card-declined',
        ]).toContain(body.code);
    }
  }

  async function act(action: Action): Promise<void> {
    if (action.act === 'merchant') return actAsMerchant(action.what);
    if (action.act === 'wait') return service.clock.moveTo(plusMs(service.clock.now(), action.hours * HOUR_MS));
    const device = devices[action.device]!;
    const current = device.pages[device.at];
    if (action.act === 'open') return openLink(device);
    // The second device opens the session of the first.
    if (!current) return go(device, devices.flatMap(({ pages }) => sessionIn(pages.at(-1)?.url ?? '') ?? [])[0] ?? cart.url);
    if (action.act === 'follow') return followOrOpen(device, action.link);
    if (action.act === 'back') {
      device.at = Math.max(0, device.at - action.pages);
      return undefined;
    }
    if (action.act === 'reload') return go(device, current.page ? current.url : cart.url);
    if (action.act === 'submit') return submit(device, action);
    const form = Object.entries(typed);
    const session = action.step === 'restart' ? undefined : sessionIn(current.url);
    return go(device, `${session ?? cart.url}/${action.step}`, action.isPost ? { method: 'POST', form } : {});
  }

  async function countReplaced(): Promise<void> {
    const applications = service.database.query.selectFrom('applications').select(['status', 'statusCode']);
    const replaced = await applications.where('cartId', '=', cart.id).where('supersededAt', 'is not', null).execute();
    for (const { status, statusCode } of replaced) count(`${status} ${statusCode}`);
  }

  async function checkRecords(): Promise<void> {
    const now = await recordsOf(service.database, cart.id, callbackUrl);
    const faults = faultsOfRecords(records, now);
    if (now.statusCode && now.statusCode !== records.statusCode) count(`${now.status} ${now.statusCode}`);
    if (now.applicationId !== records.applicationId) await countReplaced();
    records = now;
    assertNone(faults, 'The database contains');
  }

  return {
    run: async (action: Action): Promise<void> => {
      trace.push(JSON.stringify(action).slice(0, 300));
      await act(action);
      await checkRecords();
    },
    /**
     * Opens the link once more and checks the page against the stored data.
     *
     * @param timeMoves - If true, first waits for an outstanding response of the lender.
     */
    end: async (timeMoves: boolean): Promise<void> => {
      if (timeMoves && isWaiting(records)) await waitForLender();
      await openLink(devices[0]!);
      await checkRecords();
      const { page, headers } = devices[0]!.pages.at(-1)!;
      const shown = page ? page.step : headers.location === allowed.errorUrl ? 'errorUrl' : headers.location;
      const expected = expectedLinkPage(records) ?? shown;
      assertNone(shown === expected ? [] : [`the page ${shown}, not ${expected}`], 'The link shows');
      assertNone(await storedSecrets(service, cart.id), 'The database contains');
    },
  };

  async function waitForLender(): Promise<void> {
    trace.push('(an hour passes)');
    service.clock.moveTo(plusMs(service.clock.now(), HOUR_MS));
    const device = devices[0]!;
    const secret = [...secrets].find((known) => hashOfCode(known) === records.sessionHash);
    await go(device, secret ? `${cart.url}/${secret}` : cart.url);
    const { page, headers, status } = device.pages.at(-1)!;
    // The checkout has expired. The job, which uses the system clock, has not stored this yet.
    if (headers.location === allowed.errorUrl || status === 410) return;
    const pending = page?.forms.find(({ action }) => new URL(action).pathname.endsWith('/check'));
    if (pending)
      await go(device, pending.action, { method: 'POST', form: pending.fields.map((field) => [field.name, field.value]) });
    await checkRecords();
    assertNone(isWaiting(records) ? [`${records.status} ${records.statusCode}`] : [], 'An hour later, the status is still');
  }
}

/** Returns the part of a URL that identifies the session. */
const sessionIn = (url: string): string | undefined => /^[^?#]*\/c\/[\w-]{22}\/[\w-]{22}(?=[/?#]|$)/.exec(url)?.[0];

/** Returns the session secrets in a URL and in the forms of its page. */
function secretsOf(url: string, page: Page | undefined): string[] {
  const fields = (page?.forms ?? []).flatMap((form) => form.fields).filter(({ name }) => name === 'nextSecret');
  return [...(sessionIn(url)?.split('/').slice(-1) ?? []), ...fields.map(({ value }) => value)];
}

let walkCount = 0;

function requestOf({ method, action }: PageForm, form: [string, string][]): { url: string; sending: Sending } {
  if (method === 'POST') return { url: action, sending: { method, form } };
  const url = new URL(action);
  url.search = new URLSearchParams(form).toString();
  return { url: url.href, sending: {} };
}

/** Returns the patterns of data meant only for the lender that match the stored rows of a cart. */
async function storedSecrets({ database }: TestService, cartId: string): Promise<string[]> {
  const rows = await Promise.all([storedApplications(database, cartId), storedTransactions(database, cartId)]);
  return secretsInJson.filter((secret) => secret.test(JSON.stringify(rows))).map(String);
}
