import type { CartOptions } from '../../shared/wire/cart.ts';
import type { FinancingOptions } from '../options.ts';

type Options = Partial<CartOptions>;

/**
 * The options of a cart, with shipping and tax as the page works them out.
 *
 * What was worked out for an address holds for that address: the buyer cannot change it then, unless the page says so.
 *
 * @throws Whatever the page's functions throw.
 */
export async function optionsOf(source: FinancingOptions): Promise<Options> {
  const options: Options = { financingProgramId: source.program ?? undefined };
  // Functions among them do not get as far as JSON.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is of that class or one derived from it
  for (const name of (source.constructor as typeof FinancingOptions).data) Reflect.set(options, name, Reflect.get(source, name));
  const { calculateShipping, calculateTax } = source;
  const { shippingContact, billingContact } = options;
  // One after the other: of two that fail at once, the page would see the second as a rejection that nobody handles.
  if (calculateShipping) options.shippingOptions = await calculateShipping(shippingContact);
  if (calculateTax) options.tax = await calculateTax(shippingContact, billingContact);
  options.disableEditShipping ??= !!(shippingContact && (calculateShipping ?? calculateTax));
  return options;
}

/**
 * Asks the service for a cart.
 *
 * @param service        - Its base address, with a slash at the end.
 * @param idempotencyKey - A UUID. Asked again with the same key and options, the service answers with the same cart.
 * @returns The link to its checkout.
 * @throws Error - there is no answer, or another one; the message has what the service says.
 */
export async function openCart(service: string, key: unknown, idempotencyKey: string, options: Options): Promise<string> {
  // Text, and no header: the browser then needs no preflight.
  const answer = await fetch(new URL('storefront/carts', service), {
    method: 'POST',
    body: JSON.stringify({ key, idempotencyKey, options }),
    credentials: 'omit',
  });
  if (!answer.ok) throw new Error(await answer.text());
  const { url } = await answer.json();
  return new URL(url).href;
}
