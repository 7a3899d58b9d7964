/** Walks through a checkout over HTTP, and judges every step. */
import { expect } from 'vitest';
import { sessionHash } from '../../../server/checkout/session/secret.ts';
import { dateOf, plusDays, plusMs } from '../../../server/time.ts';
import { typed } from '../../support/checkout.ts';
import type { FormResponse, Connection, Sending } from '../../support/http.ts';
import { createCart } from '../../support/checkout.ts';
import { type PageForm, type ParsedPage, parsePage } from '../../support/html.ts';
import type { TestMerchant, TestService } from '../../support/service.ts';
import type { Action, MerchantAct, Walk } from './actions.ts';
import {
  faultsOfResponse,
  faultsOfRecords,
  isWaiting,
  nameOf,
  pageAtTheEnd,
  type Records,
  recordsOf,
  type WaysOut,
} from './judgement.ts';
import { shopKinds } from './shops.ts';
import { filledIn, secretsInJson } from './typing.ts';

/** Where walks are taken. */
export interface Ground {
  service: TestService;
  shops: Map<string, TestMerchant>;
  connection: Connection;
  /** Where callbacks go to; each walk has a path of its own below it. */
  callbackUrl: string;
  /** How often walks have come to each heading and each status. */
  seen: Map<string, number>;
}

interface Seen extends FormResponse {
  /** Left out where the service was left. */
  page?: ParsedPage;
}

/** What a buyer has before them, and what they have had. */
interface Device {
  /** What its browser prefers. */
  language: string;
  pages: Seen[];
  at: number;
}

const MOST_HOPS = 5;
const HOUR_MS = 3_600_000;

/** @throws Error - something did not hold; says what, and the way that led there. */
export async function takeWalk(ground: Ground, walk: Walk, { timeMoves }: { timeMoves: boolean }): Promise<void> {
  const trace: string[] = [];
  try {
    const walker = await givenWalker(ground, walk, trace);
    for (const action of walk.actions) await walker.take(action);
    await walker.end(timeMoves);
  } catch (thrown) {
    (thrown as Error).message += `\n${trace.join('\n')}`;
    throw thrown;
  }
}

async function givenWalker({ service, shops, connection, callbackUrl: receiverUrl, seen }: Ground, walk: Walk, trace: string[]) {
  const { options, days } = shopKinds[walk.shop]!;
  const merchant = shops.get(walk.shop)!;
  const name = `${process.pid}-${(walkCount += 1)}`;
  const callbackUrl = `${receiverUrl}/${name}`;
  const addresses = walk.addresses && {
    completeUrl: 'https://shop.example/thanks?lang=en',
    errorUrl: 'https://shop.example/pay?again',
  };
  const expiration = days === undefined ? {} : { expiration: dateOf(plusDays(service.clock.now(), days)) };
  const orderRef = walk.orderRef ? `O ${name}` : '';
  const cart = await createCart(merchant, { ...options, ...addresses, callbackUrl, ...(orderRef && { orderRef }) }, expiration);

  const requested = new URLSearchParams({ orderRef }).toString();
  const ways: WaysOut = {
    ownUrl: cart.url,
    errorUrl: addresses ? addresses.errorUrl : 'https://shop.example/',
    storeUrl: 'https://shop.example/',
    completeUrl: `https://shop.example/${addresses ? 'thanks?lang=en&' : '?'}transactionId=:id&${requested}`,
  };
  const devices: Device[] = ['en-US', 'es-MX'].map((language) => ({ language, pages: [], at: -1 }));
  let records: Records = await recordsOf(service.database, cart.id, callbackUrl);

  const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);

  function require(faults: readonly string[], what: string): void {
    if (faults.length > 0) throw new Error(`${what}: ${faults.join('; ')}`);
  }

  const send = (device: Device, url: string, sending: Sending = {}): Promise<FormResponse | undefined> =>
    connection.send(url, { ...sending, headers: { 'accept-language': device.language } });

  /** Judges an answer, and what it leads to. */
  async function arrive(device: Device, first: FormResponse, sent: Sending): Promise<Seen> {
    let response = first;
    let sending = sent;
    for (let hops = 0; hops <= MOST_HOPS; hops++) {
      const { status, method, url, headers, text } = response;
      const page = status === 303 ? undefined : parsePage(text, url);
      trace.push(`  ${method} ${url.slice(cart.url.length)} -> ${status} ${headers.location ?? page?.headings.join()}`);
      require(faultsOfResponse(response, page, ways, sending), `${method} ${url} answered ${status} with`);
      if (page) note(`${nameOf(page)} in ${page.language}`);
      const next = headers.location && new URL(headers.location, url);
      if (headers.location === ways.errorUrl) note('errorUrl');
      if (!next || next.origin !== new URL(cart.url).origin) return { ...response, ...(page && { page }) };
      sending = {};
      response = (await send(device, next.href))!;
    }
    throw new Error(`Redirects without an end: ${response.url}`);
  }

  function show(device: Device, page: Seen): void {
    device.pages.splice(device.at + 1, Infinity, page);
    device.at += 1;
  }

  async function go(device: Device, url: string, sending: Sending = {}): Promise<void> {
    const response = await send(device, url, sending);
    if (response) show(device, await arrive(device, response, sending));
  }

  const openLink = (device: Device): Promise<void> => go(device, cart.url);

  async function submit(device: Device, action: Extract<Action, { act: 'submit' }>): Promise<void> {
    const { form, filling, button, manner } = action;
    const prepared = (from: Device): { url: string; sending: Sending } | undefined => {
      const forms = from.pages[from.at]?.page?.forms ?? [];
      const chosen = forms[form % Math.max(forms.length, 1)];
      return chosen && sendingOf(chosen, filledIn(chosen, filling, button));
    };
    const one = prepared(device);
    if (!one) return followOrOpen(device, form);
    if (manner === 'cut when sent' || manner === 'cut when answered') {
      await send(device, one.url, { ...one.sending, cut: manner === 'cut when sent' ? 'sent' : 'answered' });
      return;
    }
    const other = devices.find((candidate) => candidate !== device)!;
    const second = manner === 'twice' ? one : manner === 'once' ? undefined : prepared(other);
    const secondDevice = manner === 'twice' ? device : other;
    const together = [{ by: device, ...one }, ...(second ? [{ by: secondDevice, ...second }] : [])];
    const responses = await Promise.all(together.map(({ by, url, sending }) => send(by, url, sending)));
    const arrived = await Promise.all(together.map(({ by, sending }, index) => arrive(by, responses[index]!, sending)));
    // A double click shows what the later request led to.
    show(device, manner === 'twice' ? arrived.at(-1)! : arrived[0]!);
    if (second && manner !== 'twice') show(other, arrived[1]!);
  }

  async function followOrOpen(device: Device, link: number): Promise<void> {
    const links = (device.pages[device.at]?.page?.links ?? []).filter((address) => address.startsWith(cart.url));
    await (links.length > 0 ? go(device, links[link % links.length]!) : openLink(device));
  }

  async function ofMerchant(what: MerchantAct): Promise<void> {
    const { transactionId } = records;
    const responses = [];
    if (what === 'ask') responses.push(await merchant.get(`/carts/${cart.id}`));
    else if (what === 'expire') responses.push(await merchant.post(`/carts/${cart.id}/expire`));
    else if (what === 'run') responses.push(await merchant.post('/sandbox/checkouts', { cartId: cart.id }));
    else if (transactionId) responses.push(await merchant.post(`/transactions/actions/${transactionId}`, { type: what }));
    if (transactionId) responses.push(await merchant.get(`/transactions/${transactionId}`));
    for (const { status, text, body } of responses) {
      trace.push(`  the merchant hears ${status} ${body?.code ?? body?.status ?? ''}`);
      const leaked = secretsInJson.filter((secret) => secret.test(text));
      require(leaked.map(String), `The merchant receives`);
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
    if (action.act === 'merchant') return ofMerchant(action.what);
    if (action.act === 'wait') return service.clock.moveTo(plusMs(service.clock.now(), action.hours * HOUR_MS));
    const device = devices[action.device]!;
    const current = device.pages[device.at];
    if (action.act === 'open') return openLink(device);
    // A second device is given the address where the first is.
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

  async function noteReplaced(): Promise<void> {
    const applications = service.database.query.selectFrom('applications').select(['status', 'status_code']);
    const replaced = await applications.where('cart_id', '=', cart.id).where('superseded_at', 'is not', null).execute();
    for (const { status, status_code } of replaced) note(`${status} ${status_code}`);
  }

  async function watch(): Promise<void> {
    const now = await recordsOf(service.database, cart.id, callbackUrl);
    const faults = faultsOfRecords(records, now);
    if (now.statusCode && now.statusCode !== records.statusCode) note(`${now.status} ${now.statusCode}`);
    if (now.applicationId !== records.applicationId) await noteReplaced();
    records = now;
    require(faults, 'There is');
  }

  return {
    take: async (action: Action): Promise<void> => {
      trace.push(JSON.stringify(action).slice(0, 300));
      await act(action);
      await watch();
    },
    /**
     * The link is opened once more, and shows what has come of it all.
     *
     * @param timeMoves - Then what still waits for a lender is waited for.
     */
    end: async (timeMoves: boolean): Promise<void> => {
      if (timeMoves && isWaiting(records)) await waitForLender();
      await openLink(devices[0]!);
      await watch();
      const { page, headers } = devices[0]!.pages.at(-1)!;
      const shown = page ? nameOf(page) : headers.location === ways.errorUrl ? 'errorUrl' : headers.location;
      const expected = pageAtTheEnd(records) ?? shown;
      require(shown === expected ? [] : [`the page ${shown}, not ${expected}`], 'The link shows');
      require(await storedSecrets(service, cart.id), 'There is kept');
    },
  };

  /** Every secret that an address or a form has named. */
  function knownSecrets(): string[] {
    const pages = devices.flatMap(({ pages: seenPages }) => seenPages);
    return pages.flatMap(({ url, page }) => [
      ...(sessionIn(url)?.split('/').slice(-1) ?? []),
      ...(page?.forms ?? []).flatMap(({ fields }) =>
        fields.filter((field) => field.name === 'nextSecret').map(({ value }) => value),
      ),
    ]);
  }

  async function waitForLender(): Promise<void> {
    trace.push('(an hour passes)');
    service.clock.moveTo(plusMs(service.clock.now(), HOUR_MS));
    const device = devices[0]!;
    const secret = knownSecrets().find((known) => sessionHash(known) === records.sessionHash);
    await go(device, secret ? `${cart.url}/${secret}` : cart.url);
    const { page, headers } = device.pages.at(-1)!;
    // Its time is over: the sweep, which comes by the machine's clock, has yet to write it.
    if (headers.location === ways.errorUrl) return;
    const pending = page?.forms.find(({ action }) => new URL(action).pathname.endsWith('/check'));
    if (pending)
      await go(device, pending.action, { method: 'POST', form: pending.fields.map((field) => [field.name, field.value]) });
    await watch();
    require(isWaiting(records) ? [`${records.status} ${records.statusCode}`] : [], 'An hour later there still is');
  }
}

/** The address of the session that another belongs to. */
const sessionIn = (url: string): string | undefined => /^[^?#]*\/c\/[\w-]{22}\/[\w-]{22}(?=[/?#]|$)/.exec(url)?.[0];

let walkCount = 0;

function sendingOf({ method, action }: PageForm, form: [string, string][]): { url: string; sending: Sending } {
  if (method === 'POST') return { url: action, sending: { method, form } };
  const url = new URL(action);
  url.search = new URLSearchParams(form).toString();
  return { url: url.href, sending: {} };
}

/** What only the lender was to hear, in what is stored of a cart. */
async function storedSecrets({ database }: TestService, cartId: string): Promise<string[]> {
  const rows = await Promise.all(
    (['applications', 'transactions'] as const).map((table) =>
      database.query.selectFrom(table).selectAll().where('cart_id', '=', cartId).execute(),
    ),
  );
  return secretsInJson.filter((secret) => secret.test(JSON.stringify(rows))).map(String);
}
