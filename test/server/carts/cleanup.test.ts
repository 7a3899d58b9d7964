import { expect, it } from 'vitest';
import { deleteUnusedCarts } from '../../../server/carts/cleanup.ts';
import { createCart as addCart } from '../../../server/carts/carts.ts';
import { getMerchant } from '../../../server/merchants/store.ts';
import { plusDays } from '../../../server/time.ts';
import { chair, open, submit } from '../../support/checkout.ts';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { startService } from '../../support/service.ts';

describeOnEveryEngine('The cleanup of carts', (engine) => {
  it('deletes carts of pages that expired 30 days ago without an application, and no others', async () => {
    const service = await startService(engine);
    const { database, clock } = service;
    const { merchantId } = await service.createMerchant();
    const merchant = await getMerchant(database.query, merchantId);
    const created = async (createdBy: string) =>
      (
        await addCart(
          database,
          merchant,
          { createdBy, options: { items: [chair], disableEditShipping: false, requireShippingContact: false } },
          clock.now(),
          { callbacks: { mode: 'sandbox', allowLoopback: true, allowedHosts: [] } },
        )
      ).cart;
    const carts = await Promise.all(Array.from({ length: 120 }, () => created('Storefront')));
    const [ofServer, applied] = [await created('Merchant API'), await created('Storefront')];
    await submit(await open(`${service.publicUrl}/c/${applied.code}`));
    const remaining = async () => (await database.query.selectFrom('carts').select('id').execute()).map(({ id }) => id).sort();

    const lastDay = `${carts[0]!.expires_on}T12:00:00.000000Z`;
    expect(await deleteUnusedCarts(database, 30, plusDays(lastDay, 30))).toBe(0);
    expect(await deleteUnusedCarts(database, 30, plusDays(lastDay, 31))).toBe(120);
    expect(await remaining()).toEqual([ofServer.id, applied.id].sort());
  });
});
