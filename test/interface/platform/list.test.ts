/** The list of applications and its pages. Random tests in test/server/platform/listing/ cover all filters, orders and pages. */
import { describe, expect, it } from 'vitest';
import { createListing, type Listed, queryOf } from '../../support/applications.ts';
import type { Instant } from '../../../server/base/time.ts';

const idOf = (number: number) => `0190a5b0-2222-7000-8000-${String(number).padStart(12, '0')}`;
const timeOf = (number: number): Instant => `2026-03-31T12:00:00.${String(number).padStart(6, '0')}Z`;

/** Forty applications that share creation times and update times. */
const rows = Array.from({ length: 40 }, (_, index) => ({
  // Neither time has the same order as the ids.
  id: idOf((index * 17) % 40),
  createdAt: timeOf(index % 3),
  updatedAt: timeOf((index * 7) % 9),
  status: 'STARTED' as const,
  statusCode: '100000',
}));
const sorts = ['createdAt.asc', 'createdAt.desc', 'updatedAt.asc', 'updatedAt.desc'] as const;

/** Returns the ids of the rows in the given order, calculated independently of the service. */
const inOrder = (sort: string, unsorted: readonly (typeof rows)[number][]) => {
  const ascending = unsorted
    .map((row) => ({ id: row.id, key: `${sort.startsWith('createdAt') ? row.createdAt : row.updatedAt} ${row.id}` }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ id }) => id);
  return sort.endsWith('.asc') ? ascending : ascending.toReversed();
};

const listed = await createListing(undefined, ['some', 'many', 'changing']);
const { service, tokenFor, listAs } = listed;
const [{ tenantId }, many, changingSeller] = listed.sellers as [Listed['sellers'][0], Listed['sellers'][0], Listed['sellers'][0]];
const owner = ({ tenantId: id, merchantId, programId }: Listed['sellers'][0]) => ({ tenantId: id, merchantId, programId });
await listed.createApplications(rows);
const list = await listAs({ tenantId });

describe('The list of applications', () => {
  it('is an object with an applications field, even if the list is empty [LIST-16] [LIST-17]', async () => {
    const { status, body, headers } = await list('limit=2');
    expect([status, Object.keys(body), body.applications.length]).toEqual([200, ['applications'], 2]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const empty = await list({ 'buyerID.eq': idOf(999) });
    expect([empty.status, empty.text, empty.next]).toEqual([200, '{"applications":[]}', undefined]);
  });

  it('has at most 200 applications on a page, and 10 by default [LIST-14] [PLIM-1]', async () => {
    await listed.createApplications(Array.from({ length: 400 }, (_, index) => ({ id: idOf(1_000 + index), ...owner(many) })));
    const listMany = await listAs({ tenantId: many.tenantId });
    const first = await listMany('limit=200');
    const second = await listMany(new URL(first.next!).search.slice(1));
    expect([first.ids.length, second.ids.length, second.next]).toEqual([200, 200, undefined]);
    expect(new Set([...first.ids, ...second.ids]).size).toBe(400);
    expect((await listMany()).ids).toHaveLength(10);
  });

  it('contains applications that were changed at the very timestamp of updatedAt.gte and of updatedAt.lte', async () => {
    const [at, earlier, later] = [timeOf(3), timeOf(2), timeOf(4)];
    const changedAt = (...times: string[]) => rows.filter(({ updatedAt }) => times.includes(updatedAt)).length;
    for (const [from, to, count] of [
      [at, at, changedAt(at)],
      [earlier, at, changedAt(earlier, at)],
      [at, later, changedAt(at, later)],
    ] as const) {
      expect((await list({ 'updatedAt.gte': from, 'updatedAt.lte': to, limit: '200' })).ids).toHaveLength(count);
    }
  });

  it('links to the next page at the URL of the service, with all other parameters [LIST-18]', async () => {
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
    expect(url.origin + url.pathname).toBe(`${service.publicUrl}/api/application`);
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

  it.each(sorts)(
    'sorted by %s neither skips nor repeats unchanged applications while others are added or changed [LIST-18]',
    async (sort) => {
      const seller = owner(changingSeller);
      const listPage = await listAs({ tenantId: seller.tenantId });
      const start = 10_000 + 1_000 * sorts.indexOf(sort);
      const initial = rows.map((row, index) => ({
        ...row,
        ...seller,
        id: idOf(start + ((index * 17) % 40)),
        buyerId: idOf(start),
      }));
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
        await service.database.write((tx) =>
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

describe('A limit of the list of applications', () => {
  it.each([
    ['limit', ['1', '200'], ['0', '201'], 'PLIM-1'],
    ['offset', ['0', '1'], ['-1'], 'PLIM-2'],
    ['statusCode.eq', ['100000'], ['10000', '1000000', '10000x'], 'PLIM-3'],
    ['statusCode.ne', ['100000'], ['10000', '1000000', '10000x'], 'PLIM-3'],
  ])('applies to %s, which accepts %j but not %j [%s] [PERR-4]', async (name, accepted, rejected) => {
    for (const value of accepted) expect([value, (await list({ [name]: value })).status]).toEqual([value, 200]);
    for (const value of rejected) {
      const { status, body } = await list({ [name]: value });
      expect([status, body.reason, body.metadata.parameter, body.metadata.received]).toEqual([
        400,
        'INVALID_PARAMETER',
        name,
        JSON.stringify(value),
      ]);
    }
  });

  it('applies to the number of status codes and to the length of the URL [PLIM-4]', async () => {
    const codes = (count: number) => ({ 'statusCode.eq': Array<string>(count).fill('100000') });
    expect((await list(codes(100))).status).toBe(200);
    expect((await list(codes(101))).status).toBe(400);
    // 600 status codes exceed the limit of parameters. A URL beyond the header limit is rejected by the HTTP server.
    expect((await list(codes(600))).status).toBe(400);
    const authorization = `Bearer ${await tokenFor({ tenantId })}`;
    const tooLong = await fetch(`${service.publicUrl}/api/application?${'x'.repeat(16_384)}`, { headers: { authorization } });
    expect(tooLong.status).toBe(431);
    expect((await list()).status).toBe(200);
  });
});
