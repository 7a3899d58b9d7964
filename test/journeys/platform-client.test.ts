/** The platform client of `@fairterm/client` with the real service. */
import { FairtermPlatform, FairtermPlatformError } from '@fairterm/client';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../server/base/time.ts';
import { createTokenIssuer } from '../../server/platform/tokens/issue.ts';
import { completeCheckout } from '../support/checkout.ts';
import { startService } from '../support/service.ts';
import { dateIn } from '../../shared/dates.ts';

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
  const catchError = (call: Promise<unknown>) => call.catch((thrown: unknown) => thrown);

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

  it('supports every filter of the service', async () => {
    const [application] = (await platform.applications.list({}, { limit: 1 })).applications;
    const { buyerID, merchantID, updatedAt } = application!;
    const day = dateIn(updatedAt, 'UTC');
    const filters = {
      'buyerID.eq': buyerID,
      'merchantID.eq': merchantID,
      'status.eq': 'CHECKOUT_COMPLETED',
      'statusCode.eq': ['610000', '620000'],
      'statusCode.ne': ['300000'],
      'showExpired.eq': false,
      'metadata.eq': true,
      'updatedAt.gte': day,
      'updatedAt.lte': '9999-12-31',
    } as const;

    const { applications } = await platform.applications.list(filters);

    expect(applications).toMatchObject([{ id: application!.id, metadata: {} }]);
    expect((await platform.applications.list({ ...filters, 'normalizedAddressHash.eq': 'f'.repeat(64) })).applications).toEqual(
      [],
    );
    expect((await platform.applications.list({}, { offset: PURCHASES - 1 })).applications).toHaveLength(1);
  });

  it.each<[string, () => Promise<unknown>, object]>([
    [
      'a page size of 201',
      () => platform.applications.list({}, { limit: 201 }),
      { status: 400, reason: 'INVALID_PARAMETER', metadata: expect.objectContaining({ parameter: 'limit' }) },
    ],
    [
      'another merchant',
      () => platform.applications.list({ 'merchantID.eq': '019b0b5c-1a07-7d3e-b1c0-6e0b2f8f4d29' }),
      { status: 403, reason: 'MERCHANT_CONFLICT' },
    ],
    [
      'an invalid secret',
      () => platformOf({ ...merchant, secret: 'ft_sandbox_secret_no' }).applications.list(),
      { status: 401, reason: 'UNAUTHENTICATED' },
    ],
  ])('receives the reason of the rejection: %s', async (_title, call, expected) => {
    const error = await catchError(call());

    expect(error).toBeInstanceOf(FairtermPlatformError);
    expect(error).toMatchObject({ domain: 'platform.fairterm', requestId: expect.stringMatching(/^[\da-f-]{36}$/), ...expected });
  });

  it('can use tokens from a callback, and requests a new one after one has expired', async () => {
    const grant = { tenantId: merchant.tenantId, scope: 'r:application' };
    const lifetimesSeconds = [-3_600, 3_600];
    let requested = 0;
    const issue = createTokenIssuer(service.database, systemClock, service.publicUrl);
    const token = () => issue(grant, lifetimesSeconds[requested++]);
    const tenants = new FairtermPlatform({ serviceUrl: service.publicUrl, token });

    expect((await tenants.applications.list()).applications).toHaveLength(PURCHASES);

    expect(requested).toBe(2);
    const expired = await issue(grant, -3_600);
    const withExpiredToken = new FairtermPlatform({ serviceUrl: service.publicUrl, token: expired });
    expect(await catchError(withExpiredToken.applications.list())).toMatchObject({ status: 401, reason: 'TOKEN_EXPIRED' });
  });
});
