import { expect, it } from 'vitest';
import { deleteUnusedCarts } from '../../../../server/purchases/carts/cleanup.ts';
import { createCart as addCart } from '../../../../server/purchases/carts/carts.ts';
import { requireMerchant } from '../../../../server/merchants/store.ts';
import { addHold } from '../../../../server/operations/retention/store.ts';
import { plusDays, type Instant } from '../../../../server/base/time.ts';
import { chair, open, submit } from '../../../support/checkout.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';
import { storedApplication } from '../../../support/stored.ts';

describeOnEveryEngine('The cleanup of carts', (engine) => {
  it('deletes only storefront carts that expired 30 days ago without an application that a lender received', async () => {
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
    const merchantCart = await addCartOf('Merchant API');
    const start = async ({ code }: { code: string }) => submit(await open(`${service.publicUrl}/c/${code}`));
    const started = await addCartOf('Storefront');
    const restarted = await addCartOf('Storefront');
    const held = await addCartOf('Storefront');
    const sent = await addCartOf('Storefront');
    await start(started);
    await start(restarted);
    await submit(await open(`${service.publicUrl}/c/${restarted.code}/restart`));
    await start(held);
    const { id: heldId } = await storedApplication(database, held.id);
    await database.write((tx) => addHold(tx, { applicationId: heldId, reason: 'a lawsuit', setAt: clock.now() }));
    await submit(await start(sent), { taxIdLast4: '4001' });
    const remaining = async () => (await database.query.selectFrom('carts').select('id').execute()).map(({ id }) => id).sort();

    const lastDay: Instant = `${storefrontCarts[0]!.expiresOn}T12:00:00.000000Z`;
    expect(await deleteUnusedCarts(database, 30, plusDays(lastDay, 30))).toBe(0);
    expect(await deleteUnusedCarts(database, 30, plusDays(lastDay, 31))).toBe(122);
    expect(await remaining()).toEqual([merchantCart.id, held.id, sent.id].sort());
    const applications = await database.query.selectFrom('applications').select('cartId').execute();
    expect(applications.map(({ cartId }) => cartId).sort()).toEqual([held.id, sent.id].sort());
  });
});
