import { dateIn } from '../../../../shared/dates.ts';
import type { PluginTransformResultArgs } from 'kysely';
import { expect, it } from 'vitest';
import type { CartStatus } from '../../../../shared/wire/cart.ts';
import { connectionOf, withConnection } from '../../../../server/db/engine.ts';
import { plusDays } from '../../../../server/base/time.ts';
import { readTransactionPage } from '../../../../server/purchases/transactions/list.ts';
import { presentTransactions } from '../../../../server/purchases/transactions/present.ts';
import { deleteTransactionContacts } from '../../../../server/purchases/transactions/store.ts';
import { chair, completeCheckout, completeCheckoutAndAct, createCart, open, submit } from '../../../support/checkout.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';
import { transactionsWith } from '../../../support/purchases.ts';

const ids = (response: { body: { transactions: { serviceTransactionId: string }[] } }) =>
  response.body.transactions.map(({ serviceTransactionId }) => serviceTransactionId);
const nextOf = (response: { headers: Headers }) =>
  /<[^>]*?\/(\w+\?[^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describeOnEveryEngine('GET /transactions', async (engine) => {
  const service = await startService(engine);
  const merchant = await service.createMerchant();
  const cartA = await createCart(merchant, { orderRef: 'A' });
  const { transactionId: a } = await merchant.fairterm.sandbox.checkout({ cartId: cartA.id });
  const b = await completeCheckout(merchant, { orderRef: 'B' });
  const { id: c } = await completeCheckoutAndAct(merchant, [{ type: 'authorize', merchantOrderId: 'C-1' }], { orderRef: 'C' });
  const { id: sameReference } = await completeCheckoutAndAct(merchant, [{ type: 'cancel' }], { orderRef: 'B' });
  await completeCheckout(await service.createMerchant(), { orderRef: 'B' });
  const { createdAt, billingContact } = await merchant.fairterm.transactions.retrieve(b);

  it.each<[string, () => Record<string, string>, () => string[]]>([
    ['without filters', () => ({}), () => [sameReference, c, b, a]],
    ['by orderRef', () => ({ orderRef: 'B' }), () => [sameReference, b]],
    ['by orderRef and status', () => ({ orderRef: 'B', status: 'CANCELED' }), () => [sameReference]],
    ['by merchantOrderId', () => ({ merchantOrderId: 'C-1' }), () => [c]],
    ['by cartId in upper case', () => ({ cartId: cartA.id.toUpperCase() }), () => [a]],
    ['by status', () => ({ status: 'PENDING' }), () => [b, a]],
    ['by e-mail address in another case', () => ({ email: billingContact.email.toUpperCase() }), () => [sameReference, c, b, a]],
    ['from a time on', () => ({ 'createdAt[gte]': createdAt }), () => [sameReference, c, b]],
    ['before a time', () => ({ 'createdAt[lt]': createdAt }), () => [a]],
    ['from a day on', () => ({ 'createdAt[gte]': plusDays(service.clock.now(), 1).slice(0, 10) }), () => []],
  ])('lists the transactions of the merchant %s, the newest first', async (_name, query, expected) => {
    expect(ids(await merchant.get(`/transactions?${new URLSearchParams(query())}`))).toEqual(expected());
  });

  it('reads a constant number of queries for a page, and presents each transaction as it is retrieved', async () => {
    const shop = await service.createMerchant();
    const actions = [{ type: 'authorize' }, { type: 'settle' }, { type: 'refund', amount: 1_000 }];
    for (let count = 0; count < 2; count += 1) {
      await completeCheckoutAndAct(shop, actions);
      const cart = await createCart(shop);
      const { transactionId: withCard } = await shop.fairterm.sandbox.checkout({
        cartId: cart.id,
        outcome: 'remainder-declined',
      });
      await shop.post(`/transactions/actions/${withCard}`, { type: 'cancel' });
    }
    const { query } = service.database;
    const queriesOf = async (limit: number) => {
      let count = 0;
      const transformResult = async ({ result }: PluginTransformResultArgs) => {
        count += 1;
        return result;
      };
      const counting = withConnection(
        query.withPlugin({ transformQuery: ({ node }) => node, transformResult }),
        connectionOf(query),
      );
      const now = service.clock.now();
      const page = await readTransactionPage(counting, transactionsWith(), shop.merchantId, { limit: String(limit) }, now);
      expect((await presentTransactions(counting, page.transactions, now)).length).toBe(limit);
      return count;
    };
    expect(await queriesOf(4)).toBe(await queriesOf(2));
    const { transactions } = (await shop.get('/transactions')).body;
    expect(transactions).toHaveLength(4);
    for (const transaction of transactions) {
      expect((await shop.get(`/transactions/${transaction.serviceTransactionId}`)).body).toEqual(transaction);
    }
  });

  it('continues at the link of each page, with the same filters', async () => {
    const pages: string[][] = [];
    let next: string | undefined = 'transactions?createdAt[gte]=2000-01-01&limit=3';
    while (next) {
      const response = await merchant.get(`/${next}`);
      pages.push(ids(response));
      next = nextOf(response);
    }
    expect(pages).toEqual([[sameReference, c, b], [a]]);
  });

  it('lists an expired transaction as EXPIRED before the job has run, and not as PENDING', async () => {
    const late = await startService(engine);
    const shop = await late.createMerchant();
    const id = await completeCheckout(shop);
    late.clock.moveTo(plusDays(late.clock.now(), 7));

    const [listed] = (await shop.get('/transactions')).body.transactions;
    expect([listed.serviceTransactionId, listed.status]).toEqual([id, 'EXPIRED']);
    expect(ids(await shop.get('/transactions?status=PENDING'))).toEqual([]);
  });

  it('does not find a buyer by e-mail address after the contacts were deleted', async () => {
    const shop = await service.createMerchant();
    const { id, transaction } = await completeCheckoutAndAct(shop, [{ type: 'cancel' }]);
    const { email } = transaction.billingContact;
    expect(ids(await shop.get(`/transactions?email=${email}`))).toEqual([id]);

    // As erasure and retention do, which have to wait for years after a purchase.
    const { merchantId } = shop;
    await service.database.write((tx) => deleteTransactionContacts(tx, { merchantId, id }, service.clock.now()));

    expect(ids(await shop.get(`/transactions?email=${email}`))).toEqual([]);
    expect(ids(await shop.get('/transactions'))).toEqual([id]);
  });
});

describeOnEveryEngine('GET /carts', async (engine) => {
  const service = await startService(engine);
  const merchant = await service.createMerchant();
  const contact = { firstName: 'Ada', lastName: 'Lovelace', address: '1 Main', city: 'Austin', state: 'TX' };
  const idOf = async (creation: Promise<{ id: string }>) => (await creation).id;
  const listed = async (query: string) => (await merchant.get(`/carts?${query}`)).body.carts.map(({ id }: { id: string }) => id);

  const today = dateIn(service.clock.now(), 'UTC');
  const carts = {
    open: await idOf(createCart(merchant, { orderRef: 'A', billingContact: { ...contact, email: 'Ada@shop.example' } })),
    ended: await idOf(createCart(merchant, { items: [{ ...chair, price: 1 }] })),
    completed: await idOf(createCart(merchant, { orderRef: 'B' })),
    expired: await idOf(createCart(merchant, {}, { expiration: today })),
    'in-progress': '',
  } satisfies Record<CartStatus, string>;
  await merchant.fairterm.sandbox.checkout({ cartId: carts.completed });
  await merchant.fairterm.carts.expire(carts.expired);
  const started = await createCart(merchant, { orderRef: 'A' });
  await submit(await open(started.url));
  carts['in-progress'] = started.id;

  it.each(Object.keys(carts) as CartStatus[])('lists the carts with the status %s', async (status) => {
    expect((await merchant.get(`/carts/${carts[status]}`)).body.status).toBe(status);
    expect(await listed(`status=${status}`)).toEqual([carts[status]]);
  });

  it('lists carts by reference, e-mail address and time, the newest first', async () => {
    expect(await listed('orderRef=A')).toEqual([carts['in-progress'], carts.open]);
    expect(await listed('orderRef=A&status=open')).toEqual([carts.open]);
    expect(await listed('email=ada@SHOP.example')).toEqual([carts.open]);
    expect(await listed('createdAt[lt]=2000-01-01')).toEqual([]);
    const all = [carts['in-progress'], carts.expired, carts.completed, carts.ended, carts.open];
    expect(await listed('')).toEqual(all);
    expect(await listed(`limit=2&after=${carts.expired}`)).toEqual([carts.completed, carts.ended]);
  });

  it('presents each cart as it is retrieved, and has the same link as the client follows', async () => {
    const found = await listOf(merchant.fairterm.carts.list({}, { pageSize: 2 }));
    expect(found.length).toBe(5);
    for (const cart of found) expect(cart).toEqual(await merchant.fairterm.carts.retrieve(cart.id));
    expect(nextOf(await merchant.get('/carts?limit=2'))).toBe(`carts?limit=2&after=${carts.expired}`);
    expect(nextOf(await merchant.get('/carts?limit=5'))).toBeUndefined();
  });

  it('reads a limited number of carts for a status, and the client continues after a short page', async () => {
    const shop = await service.createMerchant();
    const { id } = await createCart(shop, { orderRef: 'oldest' });
    await submit(await open((await shop.fairterm.carts.retrieve(id)).url));
    const row = await service.database.query.selectFrom('carts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    // Copies, whose sealed values cannot be opened.
    const copies = Array.from({ length: 1_100 }, (_, number) => {
      const end = String(number).padStart(12, '0');
      const copyId = `00000000-0000-4000-8000-${end}`;
      return { ...row, id: copyId, codeHash: end.padStart(64, '0'), createdAt: plusDays(row.createdAt, 1) };
    });
    for (let start = 0; start < copies.length; start += 500) {
      await service.database.write((tx) =>
        tx
          .insertInto('carts')
          .values(copies.slice(start, start + 500))
          .execute(),
      );
    }

    const first = await shop.get('/carts?status=in-progress');
    expect(first.body.carts).toEqual([]);
    expect(nextOf(first)).toMatch(/^carts\?status=in-progress&after=/);
    const found = await listOf(shop.fairterm.carts.list({ status: 'in-progress' }, { pageSize: 10 }));
    expect(found.map(({ options }) => options.orderRef)).toEqual(['oldest']);
  });
});
