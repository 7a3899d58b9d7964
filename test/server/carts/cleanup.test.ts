import { expect, it } from 'vitest';
import { deleteUnusedCarts } from '../../../server/carts/cleanup.ts';
import { createCart as addCart } from '../../../server/carts/carts.ts';
import { requireMerchant } from '../../../server/merchants/store.ts';
import { plusDays } from '../../../server/time.ts';
import { chair, open, submit } from '../../support/checkout.ts';
import { describeOnEveryEngine } from '../../support/databases.ts';
import { startService } from '../../support/service.ts';

describeOnEveryEngine('The cleanup of carts', (engine) => {
  it('deletes only storefront carts that expired 30 days ago without an application', async () => {
    const service = await startService(engine);
    const { database, clock } = service;
    const { merchantId } = await service.createMerchant();
    const merchant = await requireMerchant(database.query, merchantId);
    const addCartOf = async (createdBy: string) =>
      (
        await addCart(
          database,
          merchant,
          { createdBy, options: { items: [chair], disableEditShipping: false, requireShippingContact: false } },
          clock.now(),
          { callbacks: { mode: 'sandbox', allowLoopback: true, allowedHosts: [] } },
        )
      ).cart;
    const storefrontCarts = await Promise.all(Array.from({ length: 120 }, () => addCartOf('Storefront')));
    const [merchantCart, cartWithApplication] = [await addCartOf('Merchant API'), await addCartOf('Storefront')];
    await submit(await open(`${service.publicUrl}/c/${cartWithApplication.code}`));
    const remaining = async () => (await database.query.selectFrom('carts').select('id').execute()).map(({ id }) => id).sort();

    const lastDay = `${storefrontCarts[0]!.expires_on}T12:00:00.000000Z`;
    expect(await deleteUnusedCarts(database, 30, plusDays(lastDay, 30))).toBe(0);
    expect(await deleteUnusedCarts(database, 30, plusDays(lastDay, 31))).toBe(120);
    expect(await remaining()).toEqual([merchantCart.id, cartWithApplication.id].sort());
  });
});
