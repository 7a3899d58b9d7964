import type { CartOptions } from '../../shared/wire/cart.ts';
import type { FinancingButton } from '../financing-button.ts';

type Options = { [Name in keyof CartOptions]?: CartOptions[Name] | undefined };

/** Returns the options of the cart that the page describes. */
export function cartOptionsOf(button: FinancingButton): Options {
  return {
    financingProgramId: button.program ?? undefined,
    items: button.items,
    discounts: button.discounts,
    shippingOptions: button.shippingOptions,
    tax: button.tax,
    customTotal: button.customTotal,
    shippingContact: button.shippingContact,
    billingContact: button.billingContact,
    orderRef: button.orderRef,
    completeUrl: button.completeUrl,
    errorUrl: button.errorUrl,
    callbackUrl: button.callbackUrl,
    disableEditShipping: button.disableEditShipping,
  };
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
