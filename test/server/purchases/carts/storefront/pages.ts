import { randomUUID } from 'node:crypto';
import { chair } from '../../../../support/checkout.ts';
import {
  type ApiResponse,
  fetchResponse,
  startService,
  type TestMerchant,
  type TestService,
} from '../../../../support/service.ts';

export const shopOrigin = 'https://shop.example';
export const mobileOrigin = 'https://m.shop.example:8443';
export const otherOrigin = 'https://other.example';

export interface Pages {
  service: TestService;
  /** Merchant with the origins `shopOrigin` and `mobileOrigin`. */
  merchant: TestMerchant;
  /** Merchant with the origin `otherOrigin`. */
  other: TestMerchant;
  /** Returns the body of a cart request with a new idempotency key; by default for a chair. */
  bodyOf(options?: object, rest?: object): string;
  /** Sends a cart request as a browser does for a page of `origin`, by default `shopOrigin`. Null omits the header. */
  send(body: BodyInit, from?: { origin?: string | null; headers?: Record<string, string> }): Promise<ApiResponse>;
  cartsOf(merchant: TestMerchant): Promise<{ id: string; programId: string }[]>;
}

/** Starts a service with two merchants. */
export async function startStorefront(): Promise<Pages> {
  const service = await startService();
  const merchant = await service.createMerchant({ storeUrl: `${shopOrigin}/en/`, origins: [mobileOrigin] });
  const other = await service.createMerchant({ name: 'Other', storeUrl: `${otherOrigin}/` });
  return {
    service,
    merchant,
    other,
    bodyOf: (options = { items: [chair] }, rest = {}) =>
      JSON.stringify({ key: merchant.apiKey, idempotencyKey: randomUUID(), options, ...rest }),
    send: (body, { origin = shopOrigin, headers = {} } = {}) =>
      fetchResponse(`${service.publicUrl}/storefront/carts`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain;charset=UTF-8', ...(origin !== null && { origin }), ...headers },
        body,
      }),
    cartsOf: ({ merchantId }) =>
      service.database.query.selectFrom('carts').selectAll().where('merchantId', '=', merchantId).execute(),
  };
}

/** Returns true if CORS allows pages of `origin` to read the response. */
export function allowsOrigin({ headers }: ApiResponse, origin: string): boolean {
  return headers.get('access-control-allow-origin') === origin;
}
