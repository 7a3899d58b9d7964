import { fixture, html, waitUntil } from '@open-wc/testing';
import { FinancingButton } from '../../widget/index.ts';

/** URL of fixtures with the standard program and a program `short`, which offers six months only. */
export const STANDARD = '/test/widget/fixtures/standard';

let keys = 0;

/** Returns a key that no other test has used, so that no response is cached. */
export const freshKey = (): string => `key-${++keys}`;

/** Adds an element with these attributes to the page. Defaults to a $500.00 purchase with a cart. */
export function renderButton(attributes: Record<string, string | undefined> = {}, label = ''): Promise<FinancingButton> {
  const element = document.createElement('financing-button');
  const all = { 'api-key': freshKey(), service: STANDARD, amount: '50000', 'cart-url': '/checkout/c_1', ...attributes };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) element.setAttribute(name, value);
  element.textContent = label;
  return fixture<FinancingButton>(html`${element}`);
}

/** Waits until `condition` is true. The timeout is longer than that of `waitUntil`, for slow machines. */
export const until = (condition: () => unknown, message: string): Promise<void> =>
  waitUntil(() => Boolean(condition()), message, { timeout: 15_000 });

/** Waits until the element has left `loading`. */
export async function settled(element: FinancingButton): Promise<void> {
  await until(() => !element.matches(':state(loading)'), 'still loading');
  await element.updateComplete;
}

/** Like `renderButton`, and waits until the element has loaded. */
export async function renderSettledButton(...arguments_: Parameters<typeof renderButton>): Promise<FinancingButton> {
  const element = await renderButton(...arguments_);
  await settled(element);
  return element;
}

/** Returns the text of a part; empty if it does not exist. */
export const textOf = (element: FinancingButton, part: string): string => partOf(element, part)?.textContent?.trim() ?? '';

export const partOf = (element: FinancingButton, part: string): HTMLElement | null =>
  element.shadowRoot!.querySelector<HTMLElement>(`[part='${part}']`);

export const linkOf = (element: FinancingButton): HTMLAnchorElement | null => element.shadowRoot!.querySelector('a');

const { fetch } = window;
const requested: string[] = [];
window.fetch = (...request) => {
  requested.push(new Request(...request).url);
  return fetch.apply(window, request);
};

/** Returns the number of requests that the page has sent for the programs of `key`. */
export const requestsFor = (key: string): number =>
  requested.filter((url) => url.endsWith(`/storefront/programs?key=${key}`)).length;
