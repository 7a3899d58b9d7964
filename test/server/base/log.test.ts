/** Lines of the log by which an operator's alerts tell failures of others from faults of the service. */
import { describe, expect, it } from 'vitest';
import { chair, reachDecision } from '../../support/checkout.ts';
import { startReceiver, status } from '../../support/http.ts';
import { respondsWith, startLender } from '../../support/lenders.ts';
import { startService, type TestService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

const WARN = 40;
const ERROR = 50;

/** Waits for a line of the log with this part of the service. */
const lineAt = (service: TestService, at: string) =>
  until(() => service.logged.map((line) => JSON.parse(line)).find((line) => line.at === at));

async function createCart(service: TestService, callbackUrl?: string) {
  const merchant = await service.createMerchant();
  const { id: cartId, url } = await merchant.fairterm.carts.create({
    options: { items: [chair], ...(callbackUrl && { callbackUrl }) },
  });
  return { merchant, cartId, url };
}

describe('The log of a service', () => {
  it('has a warning without the address for a webhook whose receiver rejects it', async () => {
    const service = await startService();
    const receiver = await startReceiver(status(410));
    const { merchant, cartId } = await createCart(service, `${receiver.url}/callback?token=hush`);
    await merchant.fairterm.sandbox.checkout({ cartId });

    expect(await lineAt(service, 'delivery')).toMatchObject({
      level: WARN,
      merchantId: merchant.merchantId,
      deliveryId: expect.any(String),
      channel: 'callback',
      attempt: 1,
      statusCode: 410,
      failure: 'The receiver responded with 410',
      retryAt: null,
    });
    expect(service.logged.join('')).not.toContain('hush');
  });

  it('has a warning for a signed response of a lender that is invalid', async () => {
    const bank = await startLender(respondsWith({ outcome: 'approved', tierId: 'Z', limitCents: null }));
    const service = await startService(undefined, { lender: bank.endpoint });
    const { url } = await createCart(service);
    await reachDecision(url);

    expect(await lineAt(service, 'lender')).toMatchObject({
      level: WARN,
      path: '/decisions',
      failure: 'responded with 200 with an invalid response: tierId: expected one of A, B, C, but received a text',
    });
  });

  it('has an error for a fault of the database', async () => {
    const service = await startService();
    const { get } = await service.createMerchant();
    await service.database.write((tx) => tx.schema.alterTable('carts').renameTo('moved').execute());
    const { status: received, headers } = await get('/carts/01990000-0000-7000-8000-00000000000a');

    const requestId = headers.get('x-request-id');
    const lines = () => service.logged.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId);
    await until(() => lines().length === 2);
    expect(received).toBe(500);
    expect(lines()).toMatchObject([
      { level: ERROR, stack: expect.arrayContaining([expect.stringMatching(/^ +at /)]) },
      { level: 30, code: 'fault' },
    ]);
  });
});
