/** Pagination of the list of applications by the Link header, by cursor and by offset. */
import { describe, expect, it } from 'vitest';
import { type ListApplications, createListing, type Listed, queryOf } from '../../support/applications.ts';
import type { Instant } from '../../../server/base/time.ts';

const idOf = (number: number) => `0190a5b0-2222-7000-8000-${String(number).padStart(12, '0')}`;
const timeOf = (number: number): Instant => `2026-03-31T12:00:00.${String(number).padStart(6, '0')}Z`;

/** Thirty applications share each creation time, and ten each update time. Those with the last creation time are approved. */
const rows = Array.from({ length: 90 }, (_, index) => ({
  // Neither time has the same order as the ids.
  id: idOf((index * 37) % 90),
  createdAt: timeOf(index % 3),
  updatedAt: timeOf((index * 7) % 9),
  ...(index % 3 < 2
    ? { status: 'STARTED' as const, statusCode: '100000' }
    : { status: 'APPROVED' as const, statusCode: '200000' }),
}));
const sorts = ['createdAt.asc', 'createdAt.desc', 'updatedAt.asc', 'updatedAt.desc'] as const;

/** Returns the ids of the rows in the given order, calculated independently of the service. */
const inOrder = (sort: string, unsorted: readonly (typeof rows)[number][] = rows) => {
  const ascending = unsorted
    .map((row) => ({ id: row.id, key: `${sort.startsWith('createdAt') ? row.createdAt : row.updatedAt} ${row.id}` }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ id }) => id);
  return sort.endsWith('.asc') ? ascending : ascending.toReversed();
};

const listed = await createListing(undefined, ['many', 'two pages', 'changing']);
const [many, twoPages] = listed.sellers as [Listed['sellers'][0], Listed['sellers'][0]];
const owner = ({ tenantId, merchantId, programId }: Listed['sellers'][0]) => ({
  tenantId,
  merchantId,
  programId,
});
await listed.createApplications(rows.map((row) => ({ ...row, ...owner(many) })));
await listed.createApplications(Array.from({ length: 400 }, (_, index) => ({ id: idOf(1_000 + index), ...owner(twoPages) })));
const list = await listed.listAs({ tenantId: many.tenantId });

describe('Pages of the list of applications', () => {
  /** Follows the links from the first page. Returns all ids, and the number of pages. */
  async function readAll(listPage: ListApplications, query: string): Promise<{ ids: string[]; pages: number }> {
    const ids: string[] = [];
    let next: string | undefined = query;
    let pages = 0;
    while (next !== undefined) {
      const response: Awaited<ReturnType<ListApplications>> = await listPage(next);
      ids.push(...response.ids);
      next = response.next && new URL(response.next).search.slice(1);
      pages += 1;
    }
    return { ids, pages };
  }

  // A full last page has no link to a next page.
  const cases = sorts.flatMap((sort) => [1, 7, 30, 90, 200].map((limit) => [sort, limit, Math.ceil(90 / limit)] as const));
  it.each(cases)(
    'sorted by %s with the limit %i contain every application once [LIST-11] [LIST-12] [LIST-13] [LIST-18]',
    async (sort, limit, pages) => {
      expect(await readAll(list, queryOf({ sort, limit: String(limit) }))).toEqual({ ids: inOrder(sort), pages });
    },
  );

  it.each(sorts)('sorted by %s contain every application once if several status codes match [LIST-4] [LIST-18]', async (sort) => {
    const included = await readAll(list, queryOf({ sort, limit: '7', 'statusCode.eq': ['100000', '200000', '310000'] }));
    expect(included.ids).toEqual(inOrder(sort));
    const notExcluded = await readAll(list, queryOf({ sort, limit: '7', 'statusCode.ne': '200000' }));
    expect(notExcluded.ids).toEqual(
      inOrder(
        sort,
        rows.filter(({ statusCode }) => statusCode !== '200000'),
      ),
    );
  });

  it('have at most 200 applications, and 10 by default [LIST-14] [PLIM-1]', async () => {
    const listTwoPages = await listed.listAs({ tenantId: listed.sellers[1]!.tenantId });
    expect(await readAll(listTwoPages, 'limit=200')).toMatchObject({ pages: 2 });
    expect((await readAll(listTwoPages, 'limit=200')).ids).toHaveLength(400);
    expect((await listTwoPages('limit=200')).ids).toHaveLength(200);
    expect((await listTwoPages()).ids).toHaveLength(10);
  });

  it('can be requested by offset, and are empty beyond the end [LIST-15] [PLIM-2]', async () => {
    const all = inOrder('createdAt.desc');
    const pageAt = async (offset: number) => {
      const { status, ids, next } = await list({ offset: String(offset), limit: '30' });
      return { status, ids, hasNext: next !== undefined };
    };
    expect(await pageAt(0)).toEqual({ status: 200, ids: all.slice(0, 30), hasNext: true });
    expect(await pageAt(45)).toEqual({ status: 200, ids: all.slice(45, 75), hasNext: true });
    expect(await pageAt(60)).toEqual({ status: 200, ids: all.slice(60), hasNext: false });
    expect(await pageAt(89)).toEqual({ status: 200, ids: all.slice(89), hasNext: false });
    expect(await pageAt(90)).toEqual({ status: 200, ids: [], hasNext: false });
    expect(await pageAt(999_999_999_999_999)).toEqual({ status: 200, ids: [], hasNext: false });
  });

  it('can be requested by offset in any sort order [LIST-4] [LIST-15]', async () => {
    const codes = { 'statusCode.eq': ['100000', '200000'], limit: '30' };
    for (const sort of sorts) {
      const all = inOrder(sort);
      for (const offset of [0, 20, 45, 75]) {
        const { ids, next } = await list({ ...codes, sort, offset: String(offset) });
        expect([sort, offset, ids, next !== undefined]).toEqual([sort, offset, all.slice(offset, offset + 30), offset < 60]);
      }
    }
  });

  it('start at the offset from the cursor if both are given [LIST-12] [LIST-15]', async () => {
    const all = inOrder('updatedAt.asc');
    const last = rows.find(({ id }) => id === all[19])!;
    const after = { sort: 'updatedAt.asc', 'lastTimestamp.eq': last.updatedAt, 'lastID.eq': last.id };
    expect((await list({ ...after, limit: '5' })).ids).toEqual(all.slice(20, 25));
    const { ids, next } = await list({ ...after, limit: '5', offset: '10' });
    expect(ids).toEqual(all.slice(30, 35));
    // The link continues after these applications without an offset.
    expect((await list(new URL(next!).search.slice(1))).ids).toEqual(all.slice(35, 40));
  });

  it('link to the next page at the URL of the service, with all other parameters [LIST-18]', async () => {
    const query = {
      'statusCode.eq': ['100000', '200000'],
      'statusCode.ne': ['300000', '310000'],
      'showExpired.eq': 'false',
      'metadata.eq': 'true',
      'updatedAt.gte': '2026-03-01',
      'updatedAt.lte': '2026-04-01',
      sort: 'updatedAt.desc',
      limit: '5',
    };
    const { ids, next } = await list(`${queryOf(query)}&offset=3`);
    const url = new URL(next!);
    expect(url.origin + url.pathname).toBe(`${listed.service.publicUrl}/api/application`);
    const last = rows.find(({ id }) => id === ids.at(-1))!;
    expect(
      Object.fromEntries([...new Set(url.searchParams.keys())].map((name) => [name, url.searchParams.getAll(name)])),
    ).toEqual({
      ...Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat()])),
      'lastTimestamp.eq': [last.updatedAt],
      'lastID.eq': [last.id],
    });
    // Following links have the same parameters.
    const following = await list(url.search.slice(1));
    expect([...new URL(following.next!).searchParams.keys()]).toEqual([...url.searchParams.keys()]);
  });

  it.each(['createdAt.asc', 'createdAt.desc', 'updatedAt.asc', 'updatedAt.desc'] as const)(
    'sorted by %s neither skip nor repeat unchanged applications while others are added or changed [LIST-18]',
    async (sort) => {
      const seller = owner(listed.sellers[2]!);
      const listPage = await listed.listAs({ tenantId: seller.tenantId });
      const start = 10_000 + 1_000 * sorts.indexOf(sort);
      const initial = rows
        .slice(0, 40)
        .map((row, index) => ({ ...row, ...seller, id: idOf(start + ((index * 17) % 40)), buyerId: idOf(start) }));
      await listed.createApplications(initial);
      const changing = new Set(initial.filter((_, index) => index % 5 === 0).map(({ id }) => id));

      const readIds: string[] = [];
      let page = await listPage({ sort, limit: '3', 'buyerID.eq': idOf(start) });
      for (let turn = 0; ; turn += 1) {
        readIds.push(...page.ids);
        if (!page.next) break;
        const time = timeOf(turn % 9);
        await listed.createApplications([
          { ...seller, id: idOf(start + 100 + turn), buyerId: idOf(start), createdAt: time, updatedAt: time },
        ]);
        const changedId = [...changing][turn % changing.size]!;
        await listed.service.database.write((tx) =>
          tx
            .updateTable('applications')
            .set({ updatedAt: timeOf(20 + turn) })
            .where('id', '=', changedId)
            .execute(),
        );
        page = await listPage(new URL(page.next).search.slice(1));
      }

      const unchanged = initial.filter(({ id }) => !changing.has(id));
      const unchangedRead = readIds.filter((id) => unchanged.some((row) => row.id === id));
      expect(unchangedRead).toEqual(inOrder(sort, unchanged));
    },
  );
});
