import { ANY_PAGE, parsedLink } from '../url.ts';
import { basicAuthorization, serviceAddress } from './address.ts';
import { exchange, Lost } from './exchange.ts';
import { ownPlatform, type Platform } from './platform.ts';
import type { FragmentRequest } from './requests.ts';
import type { FairtermOptions } from './send.ts';

/** A page waits for it. */
const TIMEOUT_MS = 800;

export interface FragmentOptions {
  /** How long the page may wait; 800 ms by default. */
  timeoutMs?: number;
}

/** What a server writes into the shop's pages. */
export class Widget {
  readonly #address: string;
  readonly #apiKey: string;
  readonly #authorization: string;
  readonly #platform: Platform;

  constructor({ serviceUrl, apiKey, secret, platform }: FairtermOptions) {
    this.#address = serviceAddress(serviceUrl);
    this.#apiKey = apiKey;
    this.#authorization = basicAuthorization(apiKey, secret);
    this.#platform = { ...ownPlatform, ...platform };
  }

  /**
   * Markup of a `<financing-button>`, with its estimate in it: readable before its script runs, and without one.
   *
   * Never rejects, so that a page of the shop is never broken: if the service says no, or nothing in time, it is the element
   * without an estimate, which its script asks for, and a link to the cart.
   *
   * @returns HTML. Every value in it is escaped.
   */
  async fragment(request: FragmentRequest, { timeoutMs = TIMEOUT_MS }: FragmentOptions = {}): Promise<string> {
    const { cartUrl, label, ...rest } = request;
    // A `javascript:` address in a link would run in the shop's page with the shop's rights.
    const href = cartUrl && parsedLink(cartUrl, ANY_PAGE) ? cartUrl : undefined;
    const attributes = { ...rest, 'cart-url': href };
    try {
      const query = new URLSearchParams(wordsOf({ key: this.#apiKey, ...attributes, label }));
      const url = `${this.#address}/widget/v1/fragment?${query}`;
      const headers = { authorization: this.#authorization, accept: 'text/html' };
      const answer = await exchange({ method: 'GET', url, headers, body: undefined }, this.#platform, timeoutMs);
      if (!(answer instanceof Lost) && answer.status === 200 && answer.text.startsWith('<financing-button ')) return answer.text;
    } catch {
      // A request that cannot be sent must not break the page.
    }
    const all = wordsOf({ 'api-key': this.#apiKey, service: this.#address, ...attributes });
    const written = all.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('');
    const link = href && `<a slot="fallback" href="${escaped(href)}">${escaped(label || 'Pay over time')}</a>`;
    return `<financing-button${written}>${escaped(label ?? '')}${link ?? ''}</financing-button>`;
  }
}

/** Those that are there. */
const wordsOf = (named: Record<string, string | number | undefined>): [name: string, value: string][] =>
  Object.entries(named).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));

const escaped = (value: string): string => value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
