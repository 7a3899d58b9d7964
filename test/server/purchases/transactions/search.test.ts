import { beforeAll, describe, expect, it } from 'vitest';
import { NO_CONTACT, toTransactionContact } from '../../../../server/base/contact.ts';
import { referenceOf } from '../../../../server/lending/applications/reference.ts';
import { newId } from '../../../../server/base/ids.ts';
import { type Instant, plusDays, plusMs } from '../../../../server/base/time.ts';
import { readTransactions } from '../../../../server/purchases/transactions/list.ts';
import { positionOfTransaction } from '../../../../server/purchases/transactions/list-store.ts';
import { filtersOfSearch } from '../../../../server/purchases/transactions/search.ts';
import { deleteTransactionContacts } from '../../../../server/purchases/transactions/store.ts';
import { createDatabase, describeOnEveryEngine, everythingStored } from '../../../support/databases.ts';
import { createBuyer, transactions } from '../../../support/purchases.ts';

const FIRST: Instant = '2026-11-20T09:30:00.000000Z';
const contact = (firstName: string, lastName: string, over: Partial<typeof NO_CONTACT> = {}) =>
  toTransactionContact({ ...NO_CONTACT, firstName, lastName, ...over });

describe('filtersOfSearch', () => {
  it.each([
    ['  ', [{}]],
    ['018F6B7C-0000-7000-8000-000000000001', ['id', 'cartId']],
    ['Ada@Example.com', ['email']],
    ['ORDER-7', ['orderRef', 'merchantOrderId', 'words']],
    ['F7K2-9QXM', ['orderRef', 'merchantOrderId', 'applicationIdEnd', 'words']],
    ['+1 (555) 010-0177', ['orderRef', 'merchantOrderId', 'phone']],
    ['555-010', ['orderRef', 'merchantOrderId']],
    ['+5550100177', ['orderRef', 'merchantOrderId']],
    ['5550100177', ['orderRef', 'merchantOrderId', 'phone']],
    ['$1,299', ['orderRef', 'merchantOrderId', 'totalCents']],
    ['12,99', ['orderRef', 'merchantOrderId']],
    ['1299.5', ['orderRef', 'merchantOrderId', 'totalCents']],
    ["José O'Neill-Smith", ['orderRef', 'merchantOrderId', 'words']],
  ])('reads "%s" as everything that it may mean', (text, names) => {
    const filters = filtersOfSearch(text);
    expect(text.trim() === '' ? filters : filters.flatMap((one) => Object.keys(one))).toEqual(names);
  });

  it('compares amounts in cents, and words without case and accents', () => {
    expect(filtersOfSearch('$1,299')).toContainEqual({ totalCents: 129_900 });
    expect(filtersOfSearch('1299.5')).toContainEqual({ totalCents: 129_950 });
    expect(filtersOfSearch('José O’Neill-Smith')).toContainEqual({ words: ['jose', 'oneill', 'smith'] });
    expect(filtersOfSearch('Minh Đặng')).toContainEqual({ words: ['minh', 'dang'] });
  });
});

describe('A search with typographic hyphens and blanks', () => {
  it.each([
    ['018F6B7C\u20120000\u20137000\u20108000\u2212000000000001', '018F6B7C-0000-7000-8000-000000000001'],
    ['555\u2011010\u00a00177', '555-010 0177'],
    ['F7K2\u2013\u00a09QXM', 'F7K2-9QXM'],
    ['ORDER\u20147', 'ORDER-7'],
    ['$\u00a01,299', '$ 1,299'],
  ])('finds by "%s" everything that "%s" finds, and the number as it was typed', (typed, plain) => {
    const names = ['orderRef', 'merchantOrderId'];
    const found = filtersOfSearch(typed);
    expect(found).toEqual(expect.arrayContaining(filtersOfSearch(plain).filter((one) => !names.includes(Object.keys(one)[0]!))));
    if (!('id' in found[0]!)) expect(found).toContainEqual({ orderRef: typed });
  });
});

describeOnEveryEngine('Search of orders', async (engine) => {
  const database = await createDatabase(engine);
  const buyer = await createBuyer(database, FIRST);
  const other = await createBuyer(database, FIRST);
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const ada = contact('Ada', 'Lovelace', { email: 'ada@example.com', phone: '5550100177' });
    const jose = contact('José', 'García López', { email: 'jose@example.com', phone: '+1 (555) 010-0188' });
    const add = async (name: string, number: number, over: Parameters<typeof buyer.createPurchase>[0]) => {
      ids[name] = await buyer.createPurchase({ createdAt: plusMs(FIRST, number * 1_000), ...over });
    };
    await add('ada', 1, { billingContact: ada, shippingContact: ada, orderRef: 'ORDER-1' });
    await add('adaSettled', 2, { billingContact: ada, status: 'SETTLED', totalCents: 129_900, merchantOrderId: '1299' });
    await add('gift', 3, { billingContact: jose, shippingContact: contact('Ada', 'Byron') });
    await add('jose', 4, { billingContact: jose, orderRef: 'lovelace', totalCents: 129_950 });
    ids['foreign'] = await other.createPurchase({ billingContact: ada, orderRef: 'ORDER-1', totalCents: 129_900 });
  });

  async function idsOf(filters: Parameters<typeof readTransactions>[3], at: Instant): Promise<string[]> {
    const page = await readTransactions(database.query, transactions, buyer.merchantId, filters, { limit: 10 }, at);
    return page.transactions.map(({ id }) => id);
  }

  interface Options {
    limit?: number;
    status?: 'SETTLED';
    maxRead?: number;
  }

  async function search(text: string, { limit = 10, status, maxRead }: Options = {}): Promise<string[]> {
    const found: string[] = [];
    let after: string | undefined;
    do {
      const position = after === undefined ? undefined : await positionOfTransaction(database.query, buyer.merchantId, after);
      const filters = filtersOfSearch(text).map((one) => ({ ...one, status }));
      const page = { limit, after: position, maxRead };
      const { transactions: selected, next } = await readTransactions(
        database.query,
        transactions,
        buyer.merchantId,
        filters,
        page,
        plusDays(FIRST, 1),
      );
      found.push(...selected.map(({ id }) => Object.entries(ids).find(([, one]) => one === id)![0]));
      after = next;
    } while (after !== undefined);
    return found;
  }

  it.each([
    ['ada', ['gift', 'adaSettled', 'ada']],
    ['lovelace ADA', ['adaSettled', 'ada']],
    ['Ada Byron', ['gift']],
    ['garcia', ['jose', 'gift']],
    ['Jose  Lopez', ['jose', 'gift']],
    ['ada garcia', ['gift']],
    ['ada unknown', []],
    ['love', []],
    ['lovelace', ['jose', 'adaSettled', 'ada']],
    ['ORDER-1', ['ada']],
    ['ADA@example.com', ['adaSettled', 'ada']],
    ['555 010 0177', ['adaSettled', 'ada']],
    ['15550100188', ['jose', 'gift']],
    ['1299', ['adaSettled']],
    ['$1,299.50', ['jose']],
    ['$50', ['gift', 'ada']],
  ])('finds "%s", the newest first', async (text, expected) => {
    expect(await search(text)).toEqual(expected);
    expect(await search(text, { limit: 1 })).toEqual(expected);
    expect(await search(text, { maxRead: 1 })).toEqual(expected);
  });

  it('finds an order by its ids and its short reference', async () => {
    for (const text of [
      ids['gift']!,
      ids['gift']!.toUpperCase(),
      referenceOf(ids['gift']!),
      referenceOf(ids['gift']!).toLowerCase(),
    ]) {
      expect(await search(text)).toEqual(['gift']);
    }
    expect(await search(ids['foreign']!)).toEqual([]);
    expect(await search(referenceOf(ids['foreign']!))).toEqual([]);
  });

  it('reads a limited number of purchases for a page, and continues after them', async () => {
    const page = async (text: string, after?: string) => {
      const position = after === undefined ? undefined : await positionOfTransaction(database.query, buyer.merchantId, after);
      const filters = filtersOfSearch(text).map((one) => ({ ...one, status: 'SETTLED' as const }));
      const limits = { limit: 10, maxRead: 1, after: position };
      return readTransactions(database.query, transactions, buyer.merchantId, filters, limits, plusDays(FIRST, 1));
    };
    const first = await page('ada');
    expect(first).toEqual({ transactions: [], next: ids['gift'], readUntil: plusMs(FIRST, 3_000) });
    const second = await page('ada', first.next);
    expect(second).toMatchObject({ transactions: [{ id: ids['adaSettled'] }], next: ids['adaSettled'] });
    const third = await page('ada', second.next);
    expect(third).toMatchObject({ transactions: [], next: ids['ada'] });
    expect(await page('ada', third.next)).toEqual({ transactions: [], next: undefined });
    expect(await page('$50')).toMatchObject({ transactions: [], next: ids['gift'] });
  });

  it('combines a search with a status', async () => {
    for (const maxRead of [1, 2, 3]) {
      expect(await search('ada', { status: 'SETTLED', maxRead })).toEqual(['adaSettled']);
      expect(await search('1299', { status: 'SETTLED', maxRead })).toEqual(['adaSettled']);
    }
    expect(await search('ada', { status: 'SETTLED' })).toEqual(['adaSettled']);
    expect(await search('$1,299', { status: 'SETTLED' })).toEqual(['adaSettled']);
    expect(await search(referenceOf(ids['gift']!), { status: 'SETTLED' })).toEqual([]);
  });

  it('lists what expires in a range of time, without what has expired', async () => {
    const list = async (hours: number) => {
      const now = plusMs(plusDays(FIRST, 7), hours * 3_600_000);
      return idsOf([{ status: 'PENDING' as const, statusUntil: plusMs(FIRST, 3_500) }], now);
    };
    expect(await list(-1)).toEqual([ids['gift'], ids['ada']]);
    expect(await list(1)).toEqual([]);
  });

  it('stores hashes that are different for each merchant, and deletes them with the contacts', async () => {
    const hashes = async (id: string) => {
      const rows = await database.query.selectFrom('order_words').selectAll().where('transactionId', '=', id).execute();
      return rows.map(({ hash }) => hash);
    };
    const own = await hashes(ids['ada']!);
    expect(own.length).toBe(3);
    expect(await hashes(ids['adaSettled']!)).toEqual(own);
    const foreign = await hashes(ids['foreign']!);
    expect(foreign.length).toBe(3);
    expect(foreign.filter((hash) => own.includes(hash))).toEqual([]);
    const stored = await everythingStored(database, { isSealed: true });
    expect(['5550100177', 'García', 'garcia'].filter((text) => stored.includes(text))).toEqual([]);

    const erased = await buyer.createPurchase({ billingContact: contact('Grace', 'Hopper'), createdAt: plusMs(FIRST, 9_000) });
    expect((await hashes(erased)).length).toBe(2);
    const ref = { merchantId: buyer.merchantId, id: erased };
    await database.write((tx) => deleteTransactionContacts(tx, ref, FIRST));
    expect(await hashes(erased)).toEqual([]);
    expect(await idsOf(filtersOfSearch('Hopper'), FIRST)).toEqual([]);
  });

  it('stores a limited number of words', async () => {
    const name = Array.from({ length: 60 }, (_, number) => `w${number}`).join(' ');
    const id = await buyer.createPurchase({ billingContact: contact(name, newId()), createdAt: plusMs(FIRST, 10_000) });
    const rows = await database.query.selectFrom('order_words').select('hash').where('transactionId', '=', id).execute();
    expect(rows.length).toBe(20);
  });
});
