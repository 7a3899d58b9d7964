import { ANY_PAGE, parseLink } from '../url.ts';
import { basicAuthorization, baseUrlOf, type FairtermOptions } from './options.ts';
import { NoResponse, sendOnce } from './request.ts';
import type { FragmentRequest } from './request-types.ts';
import { defaultRuntime, type Runtime } from './runtime.ts';

export interface FragmentOptions {
  /** Timeout of the request to the service, which delays the page. Default: 800 ms. */
  timeoutMs?: number;
}

/** Server-side rendering of the widget. */
export class Widget {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #authorization: string;
  readonly #runtime: Runtime;

  constructor(options: FairtermOptions) {
    this.#baseUrl = baseUrlOf(options.serviceUrl);
    this.#apiKey = options.apiKey;
    this.#authorization = basicAuthorization(options);
    this.#runtime = { ...defaultRuntime, ...options.runtime };
  }

  /**
   * Returns the markup of a `<financing-button>` including its estimate, which is readable without JavaScript.
   *
   * Never rejects, so that it cannot break a page. If the service is slow or rejects the request, returns the element without
   * an estimate, and with a link to the cart; its script then loads the estimate.
   *
   * @returns HTML. Every value in it is escaped.
   */
  async fragment(request: FragmentRequest, { timeoutMs = 800 }: FragmentOptions = {}): Promise<string> {
    const { cartUrl, label, ...rest } = request;
    // A `javascript:` URL in a link would run as a script of the shop's page.
    const href = cartUrl && parseLink(cartUrl, ANY_PAGE) ? cartUrl : undefined;
    const attributes = { ...rest, 'cart-url': href };
    try {
      const query = new URLSearchParams(definedEntries({ key: this.#apiKey, ...attributes, label }));
      const url = `${this.#baseUrl}/widget/v1/fragment?${query}`;
      const headers = { authorization: this.#authorization, accept: 'text/html' };
      const response = await sendOnce({ method: 'GET', url, headers }, this.#runtime, timeoutMs);
      const isFragment = !(response instanceof NoResponse) && response.status === 200;
      if (isFragment && response.text.startsWith('<financing-button ')) return response.text;
    } catch {
      // A request that cannot be sent must not break the page.
    }
    const entries = definedEntries({ 'api-key': this.#apiKey, service: this.#baseUrl, ...attributes });
    const markup = entries.map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('');
    const link = href && `<a slot="fallback" href="${escapeHtml(href)}">${escapeHtml(label || 'Pay over time')}</a>`;
    return `<financing-button${markup}>${escapeHtml(label ?? '')}${link ?? ''}</financing-button>`;
  }
}

/** Returns the entries that are neither undefined nor empty, as strings. */
function definedEntries(record: Record<string, string | number | undefined>): [name: string, value: string][] {
  return Object.entries(record).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
