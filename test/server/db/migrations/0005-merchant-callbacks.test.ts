import { expect, it } from 'vitest';
import { createMerchant, changeMerchant } from '../../../../server/merchants/merchants.ts';
import { callbacksOf } from '../../../../server/merchants/store.ts';
import { createDatabaseAt, describeOnEveryEngine } from '../../../support/databases.ts';

const at = '2026-11-21T09:30:00.000000Z';

describeOnEveryEngine('Migration 0005', (engine) => {
  it('lets callback URLs be registered for merchants from before it, and rejects unknown merchants', async () => {
    const database = await createDatabaseAt('0004-recipients', engine);
    const merchant = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
    const { merchantId } = await createMerchant(database, 'sandbox', merchant, at);

    await database.migrate();

    expect(await callbacksOf(database.query, merchantId)).toEqual([]);
    const url = 'https://shop.example/callback';
    for (let times = 0; times < 2; times++) await changeMerchant(database, 'sandbox', merchantId, { addCallbacks: [url] }, at);
    expect(await callbacksOf(database.query, merchantId)).toEqual([url]);
    const unknown = database.write((tx) => tx.insertInto('merchant_callbacks').values({ merchantId: 'unknown', url }).execute());
    await expect(unknown).rejects.toThrow(/foreign key/i);
  });
});
