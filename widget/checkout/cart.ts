import type { CartOptions } from '../../shared/wire/cart.ts';
import type { FinancingButton } from '../financing-button.ts';

type Options = { [Name in keyof CartOptions]?: CartOptions[Name] | undefined };

/**
 * Returns the options of the cart that the page describes, with shipping and tax as the page calculates them.
 *
 * Shipping and tax that the page calculated are valid only for its shipping address, so the buyer cannot change that address unless
 * the page sets `disableEditShipping` to false.
 *
 * @throws The errors of `calculateShipping` and `calculateTax`.
 */
export async function cartOptionsOf(button: FinancingButton): Promise<Options> {
  const { calculateShipping, calculateTax, shippingContact, billingContact } = button;
  const options: Options = {
    financingProgramId: button.program ?? undefined,
    items: button.items,
    discounts: button.discounts,
    shippingOptions: button.shippingOptions,
    tax: button.tax,
    customTotal: button.customTotal,
    shippingContact,
    billingContact,
    orderRef: button.orderRef,
    completeUrl: button.completeUrl,
    errorUrl: button.errorUrl,
    callbackUrl: button.callbackUrl,
    disableEditShipping: button.disableEditShipping,
  };
  // Called sequentially: if both rejected at once, the second would be an unhandled rejection in the page.
  if (calculateShipping) options.shippingOptions = await calculateShipping(shippingContact);
  if (calculateTax) options.tax = await calculateTax(shippingContact, billingContact);
  options.disableEditShipping ??= !!(shippingContact && (calculateShipping ?? calculateTax));
  return options;
}

/**
 * Creates a cart and returns the URL of its checkout.
 *
 * @param serviceUrl     - Base URL of the service with a trailing slash.
 * @param apiKey         - The merchant's public API key.
 * @param idempotencyKey - A UUID. The service returns the same cart for the same key and options.
 * @throws Error if the request fails. The message contains the response of the service.
 */
export async function createCart(serviceUrl: string, apiKey: unknown, idempotencyKey: string, options: Options): Promise<string> {
  // A `text/plain` body without custom headers needs no CORS preflight.
  const response = await fetch(new URL('storefront/carts', serviceUrl), {
    method: 'POST',
    body: JSON.stringify({ key: apiKey, idempotencyKey, options }),
    credentials: 'omit',
  });
  if (!response.ok) throw new Error(await response.text());
  const { url } = await response.json();
  return new URL(url).href;
}
