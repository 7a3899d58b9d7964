import { randomUUID } from 'node:crypto';
import { chair } from '../../support/checkout.ts';
import { type ApiResponse, fetchResponse, startService, type TestMerchant, type TestService } from '../../support/service.ts';

export const shop = 'https://shop.example';
export const mobile = 'https://m.shop.example:8443';
export const elsewhere = 'https://other.example';

export interface Pages {
  service: TestService;
  /** Whose pages are those of `shop` and `mobile`. */
  merchant: TestMerchant;
  /** Whose are those of `elsewhere`. */
  other: TestMerchant;
  /** A request of the merchant's page for a cart of a chair, with a key of its own; say only what matters. */
  bodyOf(options?: object, rest?: object): string;
  /** Sends it as a browser does for a page of `origin`, that of the shop unless it is said; null says none. */
  send(body: BodyInit, from?: { origin?: string | null; headers?: Record<string, string> }): Promise<ApiResponse>;
  cartsOf(merchant: TestMerchant): Promise<{ id: string; program_id: string }[]>;
}

/** A service without limits, and two merchants with pages. */
export async function givenPages(): Promise<Pages> {
  const service = await startService();
  const merchant = await service.createMerchant({ storeUrl: `${shop}/en/`, origins: [mobile] });
  const other = await service.createMerchant({ name: 'Other', storeUrl: `${elsewhere}/` });
  return {
    service,
    merchant,
    other,
    bodyOf: (options = { items: [chair] }, rest = {}) =>
      JSON.stringify({ key: merchant.apiKey, idempotencyKey: randomUUID(), options, ...rest }),
    send: (body, { origin = shop, headers = {} } = {}) =>
      fetchResponse(`${service.publicUrl}/storefront/carts`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain;charset=UTF-8', ...(origin !== null && { origin }), ...headers },
        body,
      }),
    cartsOf: ({ merchantId }) =>
      service.database.query.selectFrom('carts').selectAll().where('merchant_id', '=', merchantId).execute(),
  };
}

export function isReadableBy({ headers }: ApiResponse, origin: string): boolean {
  return headers.get('access-control-allow-origin') === origin;
}
