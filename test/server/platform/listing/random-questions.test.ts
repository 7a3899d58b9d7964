/**
 * Compares responses to random queries, for random applications and tokens, with a reference implementation that filters and sorts
 * all rows in memory. It is written from the interface and shares no code with the service.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { statusCodes } from '../../../../shared/wire/status-codes.ts';
import type { Application, ApplicationStatus } from '../../../../shared/wire/application.ts';
import { campaign, campaignTimeoutMs, rerunCommand } from '../../../support/campaign.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import {
  type ListApplications,
  createListing,
  type Listed,
  queryOf,
  type StoredApplication,
} from '../../../support/applications.ts';
import type { Instant } from '../../../../server/base/time.ts';

const RUNS = 12;

// Adjacent days, their first and last instants, and instants that several rows share.
const instants: Instant[] = [
  '2026-03-30T23:59:59.999999Z',
  '2026-03-31T00:00:00.000000Z',
  '2026-03-31T12:00:00.000000Z',
  '2026-03-31T12:00:00.000001Z',
  '2026-03-31T23:59:59.999999Z',
  '2026-04-01T00:00:00.000000Z',
  '2026-04-02T08:30:00.500000Z',
];
const days = ['2026-03-29', '2026-03-30', '2026-03-31', '2026-04-01', '2026-04-02', '2026-04-03'];
const sorts = ['createdAt.asc', 'createdAt.desc', 'updatedAt.asc', 'updatedAt.desc'];
const buyers = ['b1', 'b2', 'b3'].map((start) => `${start}000000-0000-4000-8000-000000000000`);
const unknownBuyer = 'ffffffff-0000-4000-8000-000000000000';
const hashes = ['', 'a'.repeat(64), '0b'.repeat(32)];

const states = Object.entries(statusCodes).flatMap(([status, codes]) =>
  Object.values(codes).map((code) => ({ status: status as ApplicationStatus, statusCode: code })),
);
const codes = [...states.map(({ statusCode }) => statusCode), '400000', '999999'];
const OPEN = ['STARTED', 'NEEDS_ACTION', 'APPROVED', 'ATTEMPTED_PREPARE_CHECKOUT', 'CHECKOUT_PREPARED', 'CHECKOUT_EXTENDED'];
const PAST: Instant = '2026-04-30T00:00:00.000000Z';

/** Tenant of each seller. The last one has no applications. */
const TENANTS = ['a', 'a', 'b', 'c'];

const applicationArbitrary = fc.record({
  id: fc.uuid(),
  seller: fc.constantFrom(0, 0, 0, 1, 2),
  isOther: fc.boolean(),
  buyerId: fc.constantFrom(...buyers),
  normalizedAddressHash: fc.constantFrom(...hashes),
  // Four frequent states, so that some pages contain only one code.
  state: fc.oneof(fc.constantFrom(...states.slice(4, 8)), fc.constantFrom(...states)),
  createdAt: fc.constantFrom(...instants),
  updatedAt: fc.constantFrom(...instants),
  expiresAt: fc.constantFrom<Instant>(PAST, '9000-01-01T00:00:00.000000Z'),
});

const applicationsArbitrary = fc.uniqueArray(applicationArbitrary, { selector: ({ id }) => id, maxLength: 60, size: 'max' });

const anySeller = fc.constantFrom(0, 0, 0, 1, 2, 3);
const anyCase = <T extends string>(of: fc.Arbitrary<T>) =>
  fc.tuple(of, fc.boolean()).map(([text, isUpper]) => (isUpper ? text.toUpperCase() : text));

/** Generates at most `maxLength` of the fields, so that queries find rows. */
const subsetOf = <T extends object>(of: { [Name in keyof T]: fc.Arbitrary<T[Name]> }, maxLength: number) =>
  fc
    .tuple(fc.record(of), fc.subarray(Object.keys(of) as (keyof T)[], { maxLength }))
    .map(([all, names]) => Object.fromEntries(names.map((name) => [name, (all as T)[name]])) as Partial<T>);

const claims = {
  merchant: anySeller,
  program: fc.tuple(anySeller, fc.boolean()),
  buyer: fc.constantFrom(...buyers, unknownBuyer),
};

const tokenArbitrary = fc.record({
  tenant: fc.constantFrom(0, 0, 0, 2, 3),
  bound: fc.oneof(subsetOf(claims, 0), subsetOf(claims, 3)),
});

const filters = {
  merchant: fc.tuple(anySeller, fc.boolean()),
  'buyerID.eq': anyCase(fc.constantFrom(...buyers, unknownBuyer)),
  'status.eq': fc.constantFrom(...Object.keys(statusCodes)),
  'statusCode.eq': fc.array(fc.constantFrom(...codes), { minLength: 1, maxLength: 12 }),
  'statusCode.ne': fc.array(fc.constantFrom(...codes), { minLength: 1, maxLength: 6 }),
  'showExpired.eq': fc.constantFrom('true', 'false'),
  'normalizedAddressHash.eq': anyCase(fc.constantFrom(...hashes.slice(1), 'f'.repeat(64))),
  'metadata.eq': fc.constantFrom('true', 'false'),
  'updatedAt.gte': fc.constantFrom(...days),
  'updatedAt.lte': fc.constantFrom(...days),
  /** A cursor at an existing row, or at a position without a row. */
  after: fc.record({ row: fc.nat(80), instant: fc.constantFrom(...instants), id: anyCase(fc.uuid()) }),
};

const page = {
  sort: fc.constantFrom(...sorts),
  limit: fc.constantFrom(1, 2, 3, 7, 40, 200),
  offset: fc.constantFrom(0, 1, 5, 15),
};

const queryArbitrary = fc.record({
  token: tokenArbitrary,
  // Often a single filter, which finds more rows.
  filters: fc.oneof(subsetOf(filters, 1), subsetOf(filters, 3)),
  page: subsetOf(page, 3),
});
type GeneratedQuery = typeof queryArbitrary extends fc.Arbitrary<infer T> ? T : never;

const queriesArbitrary = fc.array(queryArbitrary, { minLength: 25, maxLength: 25 });

type Rows = StoredApplication[];
type Parameters = Record<string, string | string[]>;
interface Token {
  tenantId: string;
  merchantId?: string;
  programId?: string;
  buyerId?: string;
}

/** Returns the status code that is shown in place of one that reveals a reason. */
function visibleCode(code: string): string {
  if (/^300[1234]00$/.test(code)) return '300000';
  return /^400[123]00$/.test(code) ? '400000' : code;
}

const hasExpired = ({ status, expiresAt }: StoredApplication) => OPEN.includes(status) && expiresAt === PAST;

/** Returns the status and the code that are shown. The job denies an application whose decision is pending, which does not expire. */
function shown(row: StoredApplication): [status: string, code: string] {
  const { status, statusCode } = row;
  if (!hasExpired(row) || statusCode === '100100') return [status, visibleCode(statusCode)];
  const isIncomplete = status === 'NEEDS_ACTION' || statusCode === '100200';
  return ['EXPIRED', isIncomplete ? '800300' : status === 'STARTED' ? '800100' : '800200'];
}

/** Reference implementation: returns all matching rows in order. */
function matchingRows(rows: Rows, token: Token, requested: Parameters): Rows {
  const matches = (name: string, value: string) =>
    !(name in requested) || (requested[name] as string).toLowerCase() === value.toLowerCase();
  const [by, direction] = ((requested['sort'] as string | undefined) ?? 'createdAt.desc').split('.');
  const key = (row: StoredApplication) => `${by === 'createdAt' ? row.createdAt : row.updatedAt} ${row.id}`;
  const sign = direction === 'asc' ? 1 : -1;
  const order = (one: string, other: string) => sign * (one < other ? -1 : one > other ? 1 : 0);
  const last =
    requested['lastID.eq'] && `${requested['lastTimestamp.eq'] as string} ${(requested['lastID.eq'] as string).toLowerCase()}`;
  return rows
    .filter(
      (row) =>
        row.tenantId === token.tenantId &&
        (!token.merchantId || row.merchantId === token.merchantId) &&
        (!token.programId || row.programId === token.programId) &&
        (!token.buyerId || row.buyerId === token.buyerId),
    )
    .filter((row) => {
      const [status, code] = shown(row);
      return (
        matches('merchantID.eq', row.merchantId) &&
        matches('buyerID.eq', row.buyerId) &&
        matches('status.eq', status) &&
        matches('normalizedAddressHash.eq', row.normalizedAddressHash) &&
        (!requested['statusCode.eq'] || requested['statusCode.eq'].includes(code)) &&
        !requested['statusCode.ne']?.includes(code) &&
        !(requested['showExpired.eq'] === 'false' && (status === 'EXPIRED' || hasExpired(row))) &&
        (!requested['updatedAt.gte'] || row.updatedAt.slice(0, 10) >= (requested['updatedAt.gte'] as string)) &&
        (!requested['updatedAt.lte'] || row.updatedAt.slice(0, 10) <= (requested['updatedAt.lte'] as string)) &&
        (!last || order(key(row), last) > 0)
      );
    })
    .toSorted((one, other) => order(key(one), key(other)));
}

describeOnEveryEngine('GET /api/application with random queries', (engine) => {
  const rules =
    '[LIST-1] [LIST-3] [LIST-4] [LIST-5] [LIST-6] [LIST-7] [LIST-9] [LIST-10] [LIST-11] [LIST-12] [LIST-13] [LIST-15] [LIST-18] [PLIM-2] [SCOPE-1] [SCOPE-2] [SCOPE-4] [SCOPE-5]';
  it(`returns the same applications as filtering all rows in memory ${rules}`, { timeout: campaignTimeoutMs }, async () => {
    const listed = await createListing(engine, TENANTS, { hasJobs: false });
    const tally = { rows: 0, full: 0, empty: 0, conflicts: 0, next: 0, masked: 0, expired: 0 };

    const property = fc.asyncProperty(applicationsArbitrary, queriesArbitrary, async (applications, queries) => {
      await listed.deleteApplications();
      const rows = applications.map(({ seller, isOther, state, ...rest }) => {
        const { tenantId, merchantId, programId, otherProgramId } = listed.sellers[seller]!;
        const ids = { tenantId, merchantId, programId: isOther ? otherProgramId : programId };
        return { ...rest, ...state, ...ids };
      });
      if (rows.length > 0) await listed.createApplications(rows);
      for (const query of queries) await expectSameResult(listed, rows as Rows, query, tally);
    });
    const result = await fc.check(property, campaign(RUNS));

    if (result.failed) {
      const { seed, counterexample, counterexamplePath, errorInstance } = result;
      const command = rerunCommand(seed, counterexamplePath, 'test/server/platform/listing/random-questions');
      expect.fail(
        `${(errorInstance as Error).message}\n\nCounterexample: ${JSON.stringify(counterexample)}\nTo reproduce: ${command}`,
      );
    }
    // Each kind of response must occur, so that the comparison is meaningful.
    if (process.env['FC_PATH'] === undefined) expect(Object.entries(tally).filter(([, count]) => count < RUNS / 8)).toEqual([]);
  });
});

async function expectSameResult(
  { sellers, listAs }: Listed,
  rows: Rows,
  { token: { tenant, bound }, filters: filtered, page: paged }: GeneratedQuery,
  tally: Record<'rows' | 'full' | 'empty' | 'conflicts' | 'next' | 'masked' | 'expired', number>,
): Promise<void> {
  const { merchant, program, buyer } = bound;
  const requested = { ...filtered, ...paged };
  const token: Token = {
    tenantId: sellers[tenant]!.tenantId,
    ...(merchant !== undefined && { merchantId: sellers[merchant]!.merchantId }),
    ...(program !== undefined && { programId: sellers[program[0]]![program[1] ? 'otherProgramId' : 'programId'] }),
    ...(buyer !== undefined && { buyerId: buyer }),
  };
  const parameters = parametersOf(requested, rows, sellers);
  const list = await listAs(token);
  const response = await list(parameters);
  const description = JSON.stringify({ token, query: queryOf(parameters) });

  const requestedMerchant = (parameters['merchantID.eq'] as string | undefined)?.toLowerCase();
  if (token.merchantId && requestedMerchant && requestedMerchant !== token.merchantId) {
    expectSame(description, [response.status, response.body.reason], [403, 'MERCHANT_CONFLICT']);
    tally.conflicts += 1;
    return;
  }

  const all = matchingRows(rows, token, parameters);
  const { limit = 10, offset = 0 } = requested;
  expectPage(response, all.slice(offset, offset + limit), token, description);
  for (const { metadata } of response.applications) {
    expectSame(description, metadata === undefined, requested['metadata.eq'] !== 'true');
  }
  expectSame(`has next page, ${description}`, response.next !== undefined, all.length > offset + limit);
  if (response.next) {
    const following = await list(new URL(response.next).search.slice(1));
    expectPage(following, all.slice(offset + limit, offset + 2 * limit), token, `the next page, ${description}`);
  }
  tally.rows += response.ids.length;
  tally.full += Number(response.ids.length === limit);
  tally.empty += Number(response.ids.length === 0);
  tally.next += Number(response.next !== undefined);
  tally.masked += all.filter((row) => row.statusCode !== visibleCode(row.statusCode)).length;
  tally.expired += all.filter(hasExpired).length;
}

function expectPage(
  { status, applications }: Awaited<ReturnType<ListApplications>>,
  rows: Rows,
  token: Token,
  description: string,
): void {
  expectSame(description, status, 200);
  // Checked first, because it is the worst failure.
  expectSame(
    `outside the token's scope, ${description}`,
    applications.filter((application) => isOutsideScope(application, token)),
    [],
  );
  expectSame(
    description,
    applications.map(({ id, status: its, statusCode }) => [id, its, statusCode]),
    rows.map((row) => [row.id, ...shown(row)]),
  );
}

function expectSame(description: string, actual: unknown, expected: unknown): void {
  const actualJson = JSON.stringify(actual);
  const expectedJson = JSON.stringify(expected);
  if (actualJson !== expectedJson) throw new Error(`${description}: expected ${expectedJson}, but received ${actualJson}`);
}

function isOutsideScope({ tenantID, merchantID, programID, buyerID }: Application, token: Token): boolean {
  return (
    tenantID !== token.tenantId ||
    (token.merchantId !== undefined && merchantID !== token.merchantId) ||
    (token.programId !== undefined && programID !== token.programId) ||
    (token.buyerId !== undefined && buyerID !== token.buyerId)
  );
}

function parametersOf(
  { merchant, after, limit, offset, ...rest }: GeneratedQuery['filters'] & GeneratedQuery['page'],
  rows: Rows,
  sellers: Listed['sellers'],
): Parameters {
  const row = after && rows[after.row];
  const at = row && (rest.sort?.startsWith('updatedAt') ? row.updatedAt : row.createdAt);
  const id = merchant && sellers[merchant[0]]!.merchantId;
  return {
    ...(rest as Parameters),
    ...(id && { 'merchantID.eq': merchant[1] ? id.toUpperCase() : id }),
    ...(after && { 'lastTimestamp.eq': at ?? after.instant, 'lastID.eq': row?.id ?? after.id }),
    ...(limit !== undefined && { limit: String(limit) }),
    ...(offset !== undefined && { offset: String(offset) }),
  };
}
