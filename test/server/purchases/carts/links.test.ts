/** Carts that users of the console create. */
import { expect, it } from 'vitest';
import { createCart as addCart } from '../../../../server/purchases/carts/carts.ts';
import { readCartPage } from '../../../../server/purchases/carts/list.ts';
import { newId } from '../../../../server/base/ids.ts';
import { requireMerchant } from '../../../../server/merchants/store.ts';
import { addUser } from '../../../../server/console/users/store.ts';
import { chair, createCart, open, submit } from '../../../support/checkout.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { fetchResponse, startService } from '../../../support/service.ts';

describeOnEveryEngine('A cart of a user', async (engine) => {
  const service = await startService(engine);
  const { database, clock } = service;
  const shop = await service.createMerchant();
  const merchant = await requireMerchant(database.query, shop.merchantId);
  const userId = newId();
  await database.write(async (tx) => {
    const { tenantId, id: merchantId } = merchant;
    const user = { id: userId, tenantId, merchantId, role: 'support', refundLimitCents: 0 } as const;
    const identity = { name: 'Ada', email: 'ada@acme.example', emailHash: 'a'.repeat(64) };
    await addUser(tx, { ...user, ...identity, createdAt: clock.now(), removedAt: null });
  });
  const create = async () => {
    const options = { items: [chair], disableEditShipping: false, requireShippingContact: false };
    const callbacks = { mode: 'sandbox', allowLoopback: true, allowedHosts: [] } as const;
    const { cart } = await addCart(database, merchant, { createdBy: 'Ada', options }, clock.now(), { callbacks, userId });
    return { ...cart, url: `${service.publicUrl}/c/${cart.code}` };
  };
  const list = async (query: Record<string, string> = {}) => {
    const { carts } = await readCartPage(database.query, merchant.id, query, clock.now(), true);
    return carts.map(({ cart: { id, openedAt, createdBy } }) => ({ id, isOpened: openedAt !== null, createdBy }));
  };

  it('is listed apart from other carts, and records when its link was first opened', async () => {
    const other = await createCart(shop);
    const first = await create();
    const second = await create();
    const unopened = { id: second.id, isOpened: false, createdBy: 'Ada' };
    expect(await list()).toEqual([unopened, { id: first.id, isOpened: false, createdBy: 'Ada' }]);

    await fetchResponse(other.url);
    await open(first.url);
    const openedAt = (await readCartPage(database.query, merchant.id, {}, clock.now(), true)).carts[1]!.cart.openedAt;
    await submit(await open(first.url));
    await open(first.url);
    expect(await list()).toEqual([unopened, { id: first.id, isOpened: true, createdBy: 'Ada' }]);
    expect(await list({ status: 'open' })).toEqual([unopened]);
    expect(await list({ status: 'in-progress' })).toMatchObject([{ id: first.id }]);
    const { carts } = await readCartPage(database.query, merchant.id, {}, clock.now());
    expect(carts.map(({ cart }) => [cart.id, cart.openedAt])).toEqual([
      [second.id, null],
      [first.id, openedAt],
      [other.id, null],
    ]);
  });
});
