/** The platform client of `@fairterm/client` with the real service. */
import { FairtermPlatform } from '@fairterm/client';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../server/base/time.ts';
import { completeCheckout } from '../support/checkout.ts';
import { startService } from '../support/service.ts';

const PURCHASES = 5;

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of all) items.push(item);
  return items;
}

const service = await startService();
const merchant = await service.createMerchant();
const other = await service.createMerchant();
for (let count = 0; count < PURCHASES; count++) await completeCheckout(merchant);
await completeCheckout(other);
const platformOf = ({ apiKey, secret }: { apiKey: string; secret: string }) =>
  new FairtermPlatform({ serviceUrl: service.publicUrl, apiKey, secret });
const platform = platformOf(merchant);

describe('A server with the platform client', () => {
  it('reads every application of the merchant exactly once', async () => {
    const { applications, next } = await platform.applications.list({}, { limit: 200 });
    expect([applications.length, next]).toEqual([PURCHASES, undefined]);
    for (const application of applications) {
      expect(application).toMatchObject({
        tenantID: merchant.tenantId,
        merchantID: merchant.merchantId,
        status: 'CHECKOUT_COMPLETED',
      });
    }

    for (const pageSize of [1, 2, PURCHASES, PURCHASES + 1]) {
      const all = await collect(platform.applications.all({}, { pageSize }));
      expect(all).toEqual(applications);
    }
    const oldestFirst = await collect(platform.applications.all({}, { sort: 'createdAt.asc', pageSize: 2 }));
    expect(oldestFirst).toEqual(applications.toReversed());
  });

  it('reads applications that change between pages again, and misses none', async () => {
    const { query } = service.database;
    const before = await collect(platform.applications.all({}, { sort: 'updatedAt.asc' }));
    const read: string[] = [];
    for await (const { id } of platform.applications.all({}, { sort: 'updatedAt.asc', pageSize: 2 })) {
      read.push(id);
      if (read.length > 2) continue;
      const changed = { updatedAt: systemClock.now() };
      await service.database.write(async (tx) => {
        await tx.updateTable('applications').set(changed).where('id', '=', id).execute();
      });
    }

    const ids = before.map(({ id }) => id);
    expect(read).toEqual([...ids, ...ids.slice(0, 2)]);
    expect(await query.selectFrom('applications').select('id').execute()).toHaveLength(PURCHASES + 1);
  });
});
