/** Several purchases with one order reference: what the event of a new one names, and which orders wait for a person. */
import { expect, it } from 'vitest';
import { type Instant, plusDays, plusMs } from '../../../../server/base/time.ts';
import { readTransactions } from '../../../../server/purchases/transactions/list.ts';
import {
  countWithSharedOrderRef,
  dismissSharedOrderRef,
  listOtherPurchases,
} from '../../../../server/purchases/transactions/other-purchases-store.ts';
import { getTransaction, type Transaction } from '../../../../server/purchases/transactions/store.ts';
import { expireTransactions } from '../../../../server/purchases/transactions/expire.ts';
import { createDatabase, describeOnEveryEngine } from '../../../support/databases.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';

const NOW: Instant = '2026-11-20T09:30:00.000000Z';

describeOnEveryEngine('Purchases with one order reference', async (engine) => {
  const database = await createDatabase(engine);
  const { query } = database;

  async function createShop() {
    const buyer = await createBuyer(database, NOW);
    const { merchantId } = buyer;
    let number = 0;
    const act = (id: string, ...types: ('authorize' | 'settle' | 'cancel' | 'refund')[]) =>
      types.reduce<Promise<unknown>>(
        (before, type) =>
          before.then(() => transactions.act({ database, actor: 'system' }, { merchantId, id }, { type }, plusMs(NOW, 60_000))),
        Promise.resolve(),
      );
    return {
      merchantId,
      act,
      buy: (over: Partial<Transaction> = {}) => {
        const createdAt = plusMs(NOW, (number += 1));
        return buyer.createPurchase({ orderRef: 'ORDER-1', createdAt, statusSince: createdAt, ...over });
      },
      /** Ids in the event of a new purchase. */
      othersInEvent: async (id: string): Promise<string[]> => {
        const event = await query
          .selectFrom('events')
          .select('dataJson')
          .where('transactionId', '=', id)
          .where('type', '=', 'transaction.created')
          .executeTakeFirstOrThrow();
        return JSON.parse(event.dataJson).otherTransactionIds;
      },
      waiting: async () => {
        const filters = [{ hasSharedOrderRef: true as const }];
        const page = await readTransactions(query, transactions, merchantId, filters, { limit: 50 }, NOW);
        const ids = page.transactions.map(({ id }) => id);
        expect(await countWithSharedOrderRef(query, merchantId, 1_000)).toBe(ids.length);
        return ids;
      },
    };
  }
  type Shop = Awaited<ReturnType<typeof createShop>>;

  it.each<[string, (shop: Shop) => Promise<unknown>, boolean]>([
    ['PENDING', (shop) => shop.buy(), true],
    ['AUTHORIZED', async (shop) => shop.act(await shop.buy(), 'authorize'), true],
    ['SETTLED', async (shop) => shop.act(await shop.buy(), 'authorize', 'settle'), true],
    ['CANCELED', async (shop) => shop.act(await shop.buy(), 'cancel'), false],
    ['REFUNDED', async (shop) => shop.act(await shop.buy(), 'authorize', 'settle', 'refund'), false],
    ['EXPIRED', (shop) => shop.buy({ status: 'EXPIRED' }), false],
    ['of another order', (shop) => shop.buy({ orderRef: 'ORDER-2' }), false],
    ['without a reference', (shop) => shop.buy({ orderRef: '' }), false],
    ['of another merchant', async () => (await createShop()).buy(), false],
  ])('are named in the event of a new one, and let it wait, if one is %s: %#', async (_name, addFirst, isNamed) => {
    const shop = await createShop();
    await addFirst(shop);
    const [first] = await query.selectFrom('transactions').select('id').where('merchantId', '=', shop.merchantId).execute();
    const second = await shop.buy();
    expect(await shop.othersInEvent(second)).toEqual(isNamed ? [first!.id] : []);
    expect(await shop.waiting()).toEqual(isNamed ? [second] : []);
  });

  it('do not include those of empty references', async () => {
    const shop = await createShop();
    await shop.buy({ orderRef: '' });
    const second = await shop.buy({ orderRef: '' });
    expect(await shop.othersInEvent(second)).toEqual([]);
    expect(await listOtherPurchases(query, await getTransaction(query, shop.merchantId, second))).toEqual([]);
    expect(await shop.waiting()).toEqual([]);
  });

  it('are named up to ten, the newest first, and the waiting ones are counted up to a limit', async () => {
    const shop = await createShop();
    const ids: string[] = [];
    for (let count = 0; count < 12; count += 1) ids.unshift(await shop.buy());
    expect(await shop.othersInEvent(ids[0]!)).toEqual(ids.slice(1, 11));
    expect(await shop.waiting()).toEqual(ids.slice(0, 11));
    expect(await countWithSharedOrderRef(query, shop.merchantId, 3)).toBe(3);
  });

  it.each<[string, 'first' | 'second', (shop: Shop, id: string) => Promise<unknown>]>([
    ['first is canceled', 'first', (shop, id) => shop.act(id, 'cancel')],
    ['second is canceled', 'second', (shop, id) => shop.act(id, 'cancel')],
    ['first is refunded', 'first', (shop, id) => shop.act(id, 'authorize', 'settle', 'refund')],
    ['second is refunded', 'second', (shop, id) => shop.act(id, 'authorize', 'settle', 'refund')],
  ])('no longer wait when the %s', async (_name, which, end) => {
    const shop = await createShop();
    const ids = { first: await shop.buy(), second: await shop.buy() };
    expect(await shop.waiting()).toEqual([ids.second]);
    await end(shop, ids[which]);
    expect(await shop.waiting()).toEqual([]);
  });

  it('no longer wait when one expires', async () => {
    const shop = await createShop();
    await shop.buy({ statusSince: plusDays(NOW, -7) });
    const second = await shop.buy();
    expect(await shop.waiting()).toEqual([second]);
    await expireTransactions({ database, transactions, now: NOW, onError: (thrown) => expect.fail(String(thrown)) });
    expect(await shop.waiting()).toEqual([]);
  });

  it('wait until all but one are canceled', async () => {
    const shop = await createShop();
    const [first, second, third] = [await shop.buy(), await shop.buy(), await shop.buy()];
    expect(await shop.waiting()).toEqual([third, second]);
    await shop.act(first, 'cancel');
    expect(await shop.waiting()).toEqual([third, second]);
    await shop.act(second, 'cancel');
    expect(await shop.waiting()).toEqual([]);
  });

  it('no longer wait once a person has dismissed them, and a later change does not mark them again', async () => {
    const shop = await createShop();
    await shop.buy();
    const second = await shop.buy();
    const other = await createShop();
    await database.write((tx) => dismissSharedOrderRef(tx, { merchantId: other.merchantId, id: second }));
    expect(await shop.waiting()).toEqual([second]);
    await database.write((tx) => dismissSharedOrderRef(tx, { merchantId: shop.merchantId, id: second }));
    expect(await shop.waiting()).toEqual([]);
    await shop.act(second, 'authorize');
    expect(await shop.waiting()).toEqual([]);
    const third = await shop.buy();
    expect(await shop.waiting()).toEqual([third]);
  });

  it('are found by a search among those that wait', async () => {
    const shop = await createShop();
    for (const orderRef of ['ORDER-1', 'ORDER-2']) {
      await shop.buy({ orderRef });
      await shop.buy({ orderRef });
    }
    const [ofSecondOrder] = await shop.waiting();
    const filters = [{ hasSharedOrderRef: true as const, orderRef: 'ORDER-2' }];
    const page = { limit: 10, maxRead: 100 };
    const found = await readTransactions(query, transactions, shop.merchantId, filters, page, NOW);
    expect(found.transactions.map(({ id }) => id)).toEqual([ofSecondOrder]);
  });
});
