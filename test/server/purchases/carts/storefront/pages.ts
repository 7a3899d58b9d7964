import { randomUUID } from 'node:crypto';
import { chair } from '../../../../support/checkout.ts';
import { type ApiResponse, fetchResponse, startService, type TestMerchant } from '../../../../support/service.ts';

export const shopOrigin = 'https://shop.example';
export const mobileOrigin = 'https://m.shop.example:8443';
export const otherOrigin = 'https://other.example';

/** Starts a service with the merchant of `shopOrigin` and `mobileOrigin`, and the one of `otherOrigin`. */
export async function startStorefront() {
  const service = await startService();
  const merchant = await service.createMerchant({ storeUrl: `${shopOrigin}/en/`, origins: [mobileOrigin] });
  const other = await service.createMerchant({ name: 'Other', storeUrl: `${otherOrigin}/` });
  return {
    service,
    merchant,
    other,
    /** Returns the body of a cart request with a new idempotency key; by default for a chair. */
    bodyOf: (options: object = { items: [chair] }, rest: object = {}): string =>
      JSON.stringify({ key: merchant.apiKey, idempotencyKey: randomUUID(), options, ...rest }),
    /** Sends a cart request as a browser does for a page of `origin`, by default `shopOrigin`. Null omits the header. */
    send: (
      body: BodyInit,
      { origin = shopOrigin, headers = {} }: { origin?: string | null; headers?: Record<string, string> } = {},
    ) =>
      fetchResponse(`${service.publicUrl}/storefront/carts`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain;charset=UTF-8', ...(origin !== null && { origin }), ...headers },
        body,
      }),
    cartsOf: ({ merchantId }: TestMerchant) =>
      service.database.query.selectFrom('carts').selectAll().where('merchantId', '=', merchantId).execute(),
  };
}

/** Returns true if CORS allows pages of `origin` to read the response. */
export function allowsOrigin({ headers }: ApiResponse, origin: string): boolean {
  return headers.get('access-control-allow-origin') === origin;
}
