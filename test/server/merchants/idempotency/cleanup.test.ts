import { expect, it } from 'vitest';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';

describeOnEveryEngine('A service that starts', (engine) => {
  it('deletes expired idempotency keys only', async () => {
    const databaseUrl = await createMigratedDatabaseUrl(engine);
    const database = openTestDatabase(databaseUrl);
    const merchant = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
    const { merchantId } = await createMerchant(database, 'sandbox', merchant, '2026-11-21T09:30:00.000000Z');
    const row = { merchantId, fingerprint: 'f', holder: 'h', leasedUntil: '' as const };
    const rows = [
      { ...row, key: 'expired', expiresAt: '2026-01-01T00:00:00.000000Z' as const },
      { ...row, key: 'valid', expiresAt: '8999-01-01T00:00:00.000000Z' as const },
    ];
    await database.write((tx) => tx.insertInto('idempotency_keys').values(rows).execute());

    await startService(engine, { databaseUrl });

    const keys = async () => (await database.query.selectFrom('idempotency_keys').select('key').execute()).map(({ key }) => key);
    await until(async () => (await keys()).length === 1);
    expect(await keys()).toEqual(['valid']);
  });
});
