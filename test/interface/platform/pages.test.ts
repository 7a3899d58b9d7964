/** Page after page, by the address that each answer gives of the next. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type ListApplications, givenListed, type Listed, queryOf } from '../../support/applications.ts';

const idOf = (number: number) => `0190a5b0-2222-7000-8000-${String(number).padStart(12, '0')}`;
const momentOf = (number: number) => `2026-03-31T12:00:00.${String(number).padStart(6, '0')}Z`;

/** Thirty applications share each moment of beginning, and ten others each moment of change. Those of the last moment are approved. */
const rows = Array.from({ length: 90 }, (_, index) => ({
  // So that neither moment runs with the ids.
  id: idOf((index * 37) % 90),
  created_at: momentOf(index % 3),
  updated_at: momentOf((index * 7) % 9),
  ...(index % 3 < 2
    ? { status: 'STARTED' as const, status_code: '100000' }
    : { status: 'APPROVED' as const, status_code: '200000' }),
}));
const sorts = ['createdAt.asc', 'createdAt.desc', 'updatedAt.asc', 'updatedAt.desc'] as const;

/** The rows as `sort` has them, read with nothing but this line. */
const inOrder = (sort: string, of: readonly (typeof rows)[number][] = rows) => {
  const ascending = of
    .map((row) => ({ id: row.id, key: `${sort.startsWith('createdAt') ? row.created_at : row.updated_at} ${row.id}` }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ id }) => id);
  return sort.endsWith('.asc') ? ascending : ascending.toReversed();
};

describe('Pages of applications', () => {
  let listed: Listed;
  let list: ListApplications;
  beforeAll(async () => {
    listed = await givenListed(undefined, ['many', 'two pages', 'while reading']);
    const [many, twoPages] = listed.sellers as [Listed['sellers'][0], Listed['sellers'][0]];
    const of = ({ tenantId, merchantId, programId }: Listed['sellers'][0]) => ({
      tenant_id: tenantId,
      merchant_id: merchantId,
      program_id: programId,
    });
    await listed.givenApplications(rows.map((row) => ({ ...row, ...of(many) })));
    await listed.givenApplications(Array.from({ length: 400 }, (_, index) => ({ id: idOf(1_000 + index), ...of(twoPages) })));
    list = await listed.listAs({ tenantId: many.tenantId });
  });

  /** Every id, by following the links; and how many pages that took. */
  async function walk(listPage: ListApplications, query: string): Promise<{ ids: string[]; pages: number }> {
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

  // A last page that is full is the last all the same.
  const walks = sorts.flatMap((sort) => [1, 7, 30, 90, 200].map((limit) => [sort, limit, Math.ceil(90 / limit)] as const));
  it.each(walks)(
    'by %s and %i at a time contain every application once [LIST-11] [LIST-12] [LIST-13] [LIST-18]',
    async (sort, limit, pages) => {
      expect(await walk(list, queryOf({ sort, limit: String(limit) }))).toEqual({ ids: inOrder(sort), pages });
    },
  );

  it.each(sorts)('by %s contain every application once even if several codes match [LIST-4] [LIST-18]', async (sort) => {
    const both = await walk(list, queryOf({ sort, limit: '7', 'statusCode.eq': ['100000', '200000', '310000'] }));
    expect(both.ids).toEqual(inOrder(sort));
    const others = await walk(list, queryOf({ sort, limit: '7', 'statusCode.ne': '200000' }));
    expect(others.ids).toEqual(
      inOrder(
        sort,
        rows.filter(({ status_code }) => status_code !== '200000'),
      ),
    );
  });

  it('have at most 200 applications, and 10 by default [LIST-14] [PLIM-1]', async () => {
    const ofTwoPages = await listed.listAs({ tenantId: listed.sellers[1]!.tenantId });
    expect(await walk(ofTwoPages, 'limit=200')).toMatchObject({ pages: 2 });
    expect((await walk(ofTwoPages, 'limit=200')).ids).toHaveLength(400);
    expect((await ofTwoPages('limit=200')).ids).toHaveLength(200);
    expect((await ofTwoPages()).ids).toHaveLength(10);
  });

  it('can be requested by number, and one past the end is empty [LIST-15] [PLIM-2]', async () => {
    const all = inOrder('createdAt.desc');
    const numbered = async (offset: number) => {
      const { status, ids, next } = await list({ offset: String(offset), limit: '30' });
      return { status, ids, hasNext: next !== undefined };
    };
    expect(await numbered(0)).toEqual({ status: 200, ids: all.slice(0, 30), hasNext: true });
    expect(await numbered(45)).toEqual({ status: 200, ids: all.slice(45, 75), hasNext: true });
    expect(await numbered(60)).toEqual({ status: 200, ids: all.slice(60), hasNext: false });
    expect(await numbered(89)).toEqual({ status: 200, ids: all.slice(89), hasNext: false });
    expect(await numbered(90)).toEqual({ status: 200, ids: [], hasNext: false });
    expect(await numbered(999_999_999_999_999)).toEqual({ status: 200, ids: [], hasNext: false });
  });

  it('can be read by offset in any sort order [LIST-4] [LIST-15]', async () => {
    const codes = { 'statusCode.eq': ['100000', '200000'], limit: '30' };
    for (const sort of sorts) {
      const all = inOrder(sort);
      for (const offset of [0, 20, 45, 75]) {
        const { ids, next } = await list({ ...codes, sort, offset: String(offset) });
        expect([sort, offset, ids, next !== undefined]).toEqual([sort, offset, all.slice(offset, offset + 30), offset < 60]);
      }
    }
  });

  it('start at the offset after the cursor if both are given [LIST-12] [LIST-15]', async () => {
    const all = inOrder('updatedAt.asc');
    const at = rows.find(({ id }) => id === all[19])!;
    const after = { sort: 'updatedAt.asc', 'lastTimestamp.eq': at.updated_at, 'lastID.eq': at.id };
    expect((await list({ ...after, limit: '5' })).ids).toEqual(all.slice(20, 25));
    const { ids, next } = await list({ ...after, limit: '5', offset: '10' });
    expect(ids).toEqual(all.slice(30, 35));
    // The next one begins after these, and is counted from there.
    expect((await list(new URL(next!).search.slice(1))).ids).toEqual(all.slice(35, 40));
  });

  it('link to the next page, with all other parameters, at the URL of the service [LIST-18]', async () => {
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
      'lastTimestamp.eq': [last.updated_at],
      'lastID.eq': [last.id],
    });
    // From there on, it is the same parameters over and over, not more of them.
    const following = await list(url.search.slice(1));
    expect([...new URL(following.next!).searchParams.keys()]).toEqual([...url.searchParams.keys()]);
  });

  it.each(['createdAt.asc', 'createdAt.desc', 'updatedAt.asc', 'updatedAt.desc'] as const)(
    'by %s neither skip nor repeat unchanged applications while others are added and changed [LIST-18]',
    async (sort) => {
      const { tenantId, merchantId, programId } = listed.sellers[2]!;
      const of = { tenant_id: tenantId, merchant_id: merchantId, program_id: programId };
      const listPage = await listed.listAs({ tenantId });
      const start = 10_000 + 1_000 * sorts.indexOf(sort);
      const own = rows
        .slice(0, 40)
        .map((row, index) => ({ ...row, ...of, id: idOf(start + ((index * 17) % 40)), buyer_id: idOf(start) }));
      await listed.givenApplications(own);
      const changing = new Set(own.filter((_, index) => index % 5 === 0).map(({ id }) => id));

      const seen: string[] = [];
      let page = await listPage({ sort, limit: '3', 'buyerID.eq': idOf(start) });
      for (let turn = 0; ; turn += 1) {
        seen.push(...page.ids);
        if (!page.next) break;
        const moment = momentOf(turn % 9);
        await listed.givenApplications([
          { ...of, id: idOf(start + 100 + turn), buyer_id: idOf(start), created_at: moment, updated_at: moment },
        ]);
        const moved = [...changing][turn % changing.size]!;
        await listed.service.database.write((tx) =>
          tx
            .updateTable('applications')
            .set({ updated_at: momentOf(20 + turn) })
            .where('id', '=', moved)
            .execute(),
        );
        page = await listPage(new URL(page.next).search.slice(1));
      }

      const unchanged = own.filter(({ id }) => !changing.has(id));
      const seenOfThem = seen.filter((id) => unchanged.some((row) => row.id === id));
      expect(seenOfThem).toEqual(inOrder(sort, unchanged));
    },
  );
});
