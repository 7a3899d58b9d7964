/** Filters beyond the scope of a token. Random tests in test/server/platform/listing/ cover every combination of claims. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createListing, type Listed } from '../../support/applications.ts';

const buyers = ['a', 'b', 'c'].map((digit) => `0190a5b0-0000-7000-8000-00000000000${digit}`);
const [ada, bo, buyerWithoutApplications] = buyers as [string, string, string];
const UNKNOWN = 'ffffffff-0000-4000-8000-000000000000';

describe('The scope of a token', () => {
  let listed: Listed;
  /** One application for each combination of merchant, program and buyer. Two merchants belong to the same tenant. */
  let rows: { id: string; tenantId: string; merchantId: string; programId: string; buyerId: string }[];
  beforeAll(async () => {
    listed = await createListing(undefined, ['one', 'one', 'two', 'without applications']);
    const owners = listed.sellers
      .slice(0, 3)
      .flatMap(({ tenantId, merchantId, programId, otherProgramId }) =>
        [programId, otherProgramId].flatMap((id) =>
          [ada, bo].map((buyerId) => ({ tenantId, merchantId, programId: id, buyerId })),
        ),
      );
    rows = owners.map((owner, index) => ({ id: `0190a5b0-1111-7000-8000-0000000000${10 + index}`, ...owner }));
    await listed.createApplications(rows);
  });

  it('of a merchant selects the merchant’s applications, and a filter for another merchant is rejected [SCOPE-3] [LIST-2] [PERR-3]', async () => {
    const [own, sibling, foreign] = listed.sellers as [Listed['sellers'][0], Listed['sellers'][0], Listed['sellers'][0]];
    const list = await listed.listAs(own);

    for (const requested of [own.merchantId, own.merchantId.toUpperCase()]) {
      const response = await list({ 'merchantID.eq': requested, 'buyerID.eq': ada });
      expect([response.status, response.ids]).toEqual([200, [rows[0]!.id]]);
    }
    // The error is the same for merchants of the same tenant, of another tenant and unknown ones, with any other filter.
    for (const requested of [sibling.merchantId, foreign.merchantId, UNKNOWN]) {
      for (const otherFilter of [
        {},
        { 'buyerID.eq': buyerWithoutApplications },
        { 'statusCode.eq': '999999' },
        { 'updatedAt.gte': '9999-12-31' },
      ]) {
        const { status, body } = await list({ 'merchantID.eq': requested, ...otherFilter });
        expect([status, body]).toMatchObject([
          403,
          {
            reason: 'MERCHANT_CONFLICT',
            metadata: { parameter: 'merchantID.eq', expected: own.merchantId, received: requested },
          },
        ]);
      }
    }
  });

  it('of a tenant gets the same response for ids of another tenant as for unknown ids [SCOPE-1] [PERR-5]', async () => {
    const [{ tenantId }, , foreignSeller] = listed.sellers as [Listed['sellers'][0], unknown, Listed['sellers'][0]];
    const foreign = rows.find((row) => row.tenantId === foreignSeller.tenantId)!;
    const time = '2026-11-21T09:30:00Z';
    const pairs: [name: string, foreign: string, unknown: string][] = [
      ['merchantID.eq', foreignSeller.merchantId, UNKNOWN],
      ['merchantID.eq', foreignSeller.tenantId, UNKNOWN],
      ['buyerID.eq', foreignSeller.programId, UNKNOWN],
      ['normalizedAddressHash.eq', 'a'.repeat(64), 'b'.repeat(64)],
    ];
    await listed.createApplications([
      {
        ...foreign,
        id: '0190a5b0-1111-7000-8000-000000000099',
        buyerId: foreignSeller.programId,
        normalizedAddressHash: 'a'.repeat(64),
      },
    ]);
    const list = await listed.listAs({ tenantId });
    for (const [name, foreignId, unknownId] of pairs) {
      const one = await list({ [name]: foreignId });
      const other = await list({ [name]: unknownId });
      expect([one.status, one.text, one.headers.get('link')]).toEqual([other.status, other.text, other.headers.get('link')]);
      expect(one.text).toBe('{"applications":[]}');
    }
    // A cursor is only a position. The application at this position can belong to another tenant.
    const listAfter = async (id: string) =>
      (await list({ sort: 'createdAt.asc', 'lastTimestamp.eq': time, 'lastID.eq': id })).ids;
    expect(await listAfter(foreign.id)).toEqual(await listAfter(foreign.id.replace(/.$/, (last) => (last === '8' ? '9' : '8'))));
  });
});
