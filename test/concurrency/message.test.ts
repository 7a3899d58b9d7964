import { expect, it } from 'vitest';
import { createCart } from '../support/checkout.ts';
import { describeOnEveryEngine } from '../support/databases.ts';
import { concurrently, startServices, statusesOf } from './processes.ts';

const limits = { perRecipient: 3, perMerchant: 5 };
const addresses = ['ada@example.com', 'ADA@example.com', 'ada+1@example.com', 'Ada+x+y@Example.com'];

describeOnEveryEngine('Concurrent e-mails with links to carts', (engine) => {
  const recipient = 'At path: email -- Expected at most 3 e-mails to one recipient a day';
  const merchant = 'Expected at most 5 e-mails of one merchant a day';
  it.each([
    ['to one recipient, with any spelling of the address,', 3, recipient, (index: number) => addresses[index % 4]!],
    ['of one merchant', 5, merchant, (index: number) => `buyer${index}@example.com`],
  ])('%s are limited exactly', async (_title, limit, description, addressOf) => {
    const { service, merchants, moveClocks } = await startServices(engine, { messageLimits: { email: limits, text: limits } });
    moveClocks('2026-11-22T18:00:00.000000Z');
    const cart = await createCart(merchants[0]!, {}, { expiration: '2026-11-30' });
    const emailTo = (index: number, address: string) =>
      merchants[index % merchants.length]!.post(`/carts/${cart.id}/email`, { email: address, name: 'Ada' });

    const responses = await concurrently((index) => emailTo(index, addressOf(index)), 12);

    expect(statusesOf(responses)).toEqual([...Array(limit).fill(200), ...Array(12 - limit).fill(429)]);
    expect(await service.database.query.selectFrom('outbox').select('id').execute()).toHaveLength(limit);
    const rejected = responses.find(({ status }) => status === 429)!;
    expect(rejected.body).toEqual({
      description: `${description}, but received more. Retry after midnight UTC.`,
      error: true,
      type: 'INTERNAL_ERROR',
      code: 'rate-limited',
    });
    const seconds = Number(rejected.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(21_500);
    expect(seconds).toBeLessThanOrEqual(21_600);

    const other = await service.createMerchant();
    const { id } = await createCart(other);
    expect(await other.post(`/carts/${id}/email`, { email: 'eve@example.com', name: 'Eve' })).toMatchObject({ status: 200 });
    expect(await merchants[0]!.post(`/carts/${cart.id}/text`, { phone: '5550100100' })).toMatchObject({ status: 200 });
  });
});
