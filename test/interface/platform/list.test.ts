/** The parameters of the list of applications. Random tests in test/server/platform/listing/ cover combinations. */
import { describe, expect, it } from 'vitest';
import { statusCodes } from '../../../shared/wire/status-codes.ts';
import { ApplicationStatus } from '../../../shared/wire/application.ts';
import { createListing } from '../../support/applications.ts';

const idOf = (number: number) => `0190a5b0-3333-7000-8000-${String(number).padStart(12, '0')}`;

/** One application per status code, at different times. Index 0 was created first. */
const rows = Object.entries(statusCodes)
  .flatMap(([status, codes]) => Object.values(codes).map((code: string) => ({ status: status as ApplicationStatus, code })))
  .map(({ status, code }, index) => ({
    id: idOf(index),
    status,
    statusCode: code,
    buyerId: idOf(100 + (index % 2)),
    normalizedAddressHash: String(index % 3).repeat(64),
    metadata: { channel: 'web' },
    createdAt: `2026-02-01T00:${10 + index}:00.000000Z` as const,
    updatedAt: `2026-03-${10 + (index % 20)}T${index < 10 ? '00:00:00.000000' : '23:59:59.999999'}Z` as const,
  }));

const { sellers, listAs, tokenFor, createApplications, service } = await createListing();
await createApplications(rows);
const { tenantId } = sellers[0]!;
const list = await listAs({ tenantId });

describe('The list of applications', () => {
  /** Requests all matches on one page, oldest first, and expects the rows that `isFound` selects. */
  async function expectFound(query: Record<string, string | string[]>, isFound: (row: (typeof rows)[number]) => boolean) {
    const { status, ids } = await list({ ...query, sort: 'createdAt.asc', limit: '200' });
    expect([status, ids]).toEqual([200, rows.filter(isFound).map(({ id }) => id)]);
  }

  it('filters by buyer [LIST-1]', () => expectFound({ 'buyerID.eq': idOf(101) }, (row) => row.buyerId === idOf(101)));

  it.each(Object.keys(ApplicationStatus.schema))('filters by status %s [LIST-3]', (status) =>
    expectFound({ 'status.eq': status }, (row) => row.status === status),
  );

  it('filters by one or several status codes [LIST-4]', async () => {
    await expectFound({ 'statusCode.eq': '300900' }, (row) => row.statusCode === '300900');
    const requested = ['300900', '100100', '800200', '123456'];
    await expectFound({ 'statusCode.eq': requested }, (row) => requested.includes(row.statusCode));
  });

  it('excludes status codes [LIST-5]', async () => {
    const requested = ['300900', '100100', '123456'];
    await expectFound({ 'statusCode.ne': '300900' }, (row) => row.statusCode !== '300900');
    await expectFound({ 'statusCode.ne': requested }, (row) => !requested.includes(row.statusCode));
    await expectFound(
      { 'statusCode.ne': requested, 'statusCode.eq': ['300900', '310000'] },
      (row) => row.statusCode === '310000',
    );
  });

  it('includes expired applications unless they are excluded [LIST-6]', async () => {
    await expectFound({}, () => true);
    await expectFound({ 'showExpired.eq': 'true' }, () => true);
    await expectFound({ 'showExpired.eq': 'false' }, (row) => row.status !== 'EXPIRED');
  });

  it('filters by address hash [LIST-7]', () =>
    expectFound({ 'normalizedAddressHash.eq': '1'.repeat(64) }, (row) => row.normalizedAddressHash.startsWith('1')));

  it('includes the metadata of the cart on request [LIST-8]', async () => {
    const metadataOf = async (query: string) => (await list(query)).applications.map(({ metadata }) => metadata);
    expect(await metadataOf('metadata.eq=true&limit=1')).toEqual([{ channel: 'web' }]);
    expect(await metadataOf('metadata.eq=false&limit=1')).toEqual([undefined]);
    expect(await metadataOf('limit=1')).toEqual([undefined]);
  });

  it('filters by update time between two UTC dates, both inclusive [LIST-9] [LIST-10]', async () => {
    const day = ({ updatedAt }: (typeof rows)[number]) => updatedAt.slice(0, 10);
    await expectFound({ 'updatedAt.gte': '2026-03-15' }, (row) => day(row) >= '2026-03-15');
    await expectFound({ 'updatedAt.lte': '2026-03-15' }, (row) => day(row) <= '2026-03-15');
    await expectFound({ 'updatedAt.gte': '2026-03-15', 'updatedAt.lte': '2026-03-15' }, (row) => day(row) === '2026-03-15');
  });

  it('sorts by creation or update time, newest first by default [LIST-13]', async () => {
    const byCreation = rows.map(({ id }) => id);
    const key = (row: (typeof rows)[number]) => row.updatedAt + row.id;
    const byUpdate = rows.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)).map(({ id }) => id);
    expect((await list('limit=200')).ids).toEqual(byCreation.toReversed());
    expect((await list('limit=200&sort=createdAt.desc')).ids).toEqual(byCreation.toReversed());
    expect((await list('limit=200&sort=createdAt.asc')).ids).toEqual(byCreation);
    expect((await list('limit=200&sort=updatedAt.asc')).ids).toEqual(byUpdate);
    expect((await list('limit=200&sort=updatedAt.desc')).ids).toEqual(byUpdate.toReversed());
  });

  it('is an object with an applications field, even if the list is empty [LIST-16] [LIST-17]', async () => {
    const { status, body, headers } = await list('limit=2');
    expect([status, Object.keys(body), body.applications.length]).toEqual([200, ['applications'], 2]);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const empty = await list({ 'buyerID.eq': idOf(999) });
    expect([empty.status, empty.text, empty.next]).toEqual([200, '{"applications":[]}', undefined]);
  });

  it('is not cacheable', async () => {
    expect((await list()).headers.get('cache-control')).toBe('no-store');
  });
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
