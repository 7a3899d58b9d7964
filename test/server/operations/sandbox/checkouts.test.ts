import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createLender } from '../../../../demo/lender/lender.ts';
import { lenderIn } from '../../../../server/base/config/lender.ts';
import { createCart, open, reachAgreement } from '../../../support/checkout.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { startReceiver } from '../../../support/http.ts';
import { SECRET } from '../../../support/lenders.ts';
import { startService } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('POST /sandbox/checkouts', () => {
  const run = (cartId: unknown, outcome?: string | null) => merchant.post('/sandbox/checkouts', { cartId, outcome });

  it('completes a checkout, returns the transaction and sends the callback [EVT-1] [EVT-2] [STATE-1]', async () => {
    const { url: callbackUrl, received } = await startReceiver();
    const cart = await createCart(merchant, { orderRef: 'O-1', callbackUrl });
    const { status, body } = await run(cart.id);
    expect(status).toBe(200);
    expect((await merchant.get(`/transactions/${body.transactionId}`)).body).toMatchObject({ status: 'PENDING', total: 75_000 });
    await until(() => received.length === 1);
    expect(JSON.parse(received[0]!.body)).toEqual({ transactionId: body.transactionId, orderRef: 'O-1' });
  });

  it('treats null as a missing outcome', async () => {
    const { status, body } = await run((await createCart(merchant)).id, null);
    expect(status).toBe(200);
    expect((await merchant.get(`/transactions/${body.transactionId}`)).body.status).toBe('PENDING');
  });

  it('returns the same transaction if it is repeated', async () => {
    const cart = await createCart(merchant);
    expect((await run(cart.id)).body).toEqual((await run(cart.id)).body);
  });

  it('responds with 422 for the outcome `denied`, and to every later request [SVC-1] [SVC-3] [CHOICE-41]', async () => {
    const cart = await createCart(merchant);
    for (let times = 0; times < 2; times++) {
      expect(await run(cart.id, 'denied')).toMatchObject({ status: 422, body: { error: true, code: 'not-approved' } });
    }
    expect((await run(cart.id)).body).toMatchObject({ code: 'not-approved' });
  });

  it('rejects the outcome `denied` for a checkout that is already approved', async () => {
    const cart = await createCart(merchant);
    const agreement = await reachAgreement(cart.url);
    expect(await run(cart.id, 'denied')).toMatchObject({ status: 400, body: { code: 'cart-closed' } });
    expect(await open(agreement.url)).toMatchObject({ step: 'agreement' });
  });

  it('has the outcomes of the configured lender, which books the loan', async () => {
    const server = createLender([SECRET]).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onCleanup(() => server.close().closeAllConnections());
    const { port } = server.address() as AddressInfo;
    const lender = lenderIn({ LENDER_URL: `http://127.0.0.1:${port}`, LENDER_SECRET: SECRET }, 'sandbox')!;
    const { fairterm } = await (await startService(undefined, { lender })).createMerchant();
    const checkout = async (outcome: 'approved' | 'denied' | 'remainder-declined') => {
      const { id: cartId } = await fairterm.carts.create({ options: { customTotal: 75_000 } });
      const { transactionId } = await fairterm.sandbox.checkout({ cartId, outcome });
      return (await fairterm.transactions.retrieve(transactionId)).financing;
    };

    expect(await checkout('approved')).toMatchObject({ loanNumber: 'RL-000001', amount: 75_000 });
    expect(await checkout('remainder-declined')).toMatchObject({ loanNumber: 'RL-000002', amount: 45_000 });
    await expect(checkout('denied')).rejects.toMatchObject({ code: 'not-approved' });
  });

  it('rejects an amount that no plan finances', async () => {
    const cart = await createCart(merchant, { items: undefined, customTotal: 100 });
    expect(await run(cart.id)).toMatchObject({ status: 422, body: { code: 'not-approved' } });
  });
});
