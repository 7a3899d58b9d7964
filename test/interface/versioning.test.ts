import { expect, it } from 'vitest';
import { createCart, completeCheckout } from '../support/checkout.ts';
import { startService } from '../support/service.ts';

const merchant = await (await startService()).createMerchant();

it('The merchant API has paths without a version [VER-1]', async () => {
  const transactionId = await completeCheckout(merchant);
  const { id } = await createCart(merchant);
  for (const [method, path, body] of [
    ['GET', `/transactions/${transactionId}`],
    ['PUT', `/transactions/${transactionId}`, '{}'],
    ['POST', `/transactions/${transactionId}/shipment`, '{}'],
    ['POST', `/transactions/actions/${transactionId}`, '{"type":"authorize"}'],
    ['POST', '/carts', '{"options":{"customTotal":5000}}'],
    ['GET', `/carts/${id}`],
    ['POST', '/aslowas', '{"customTotal":5000}'],
  ] as const) {
    expect(await merchant.call(method, path, body ? { body } : {})).toMatchObject({ status: 200 });
  }
});

it.each(['v1', 'v2', 'api', 'api/v1'])('The merchant API responds 404 below /%s [VER-1]', async (prefix) => {
  expect(await merchant.post(`/${prefix}/aslowas`, { customTotal: 5_000 })).toMatchObject({ status: 404 });
});
