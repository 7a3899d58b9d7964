/**
 * Random applications, tokens and questions: what is answered over HTTP is what reading every row one by one comes to. The reading
 * below is written from the interface alone, and shares nothing with the service.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { statusCodes } from '../../../../server/applications/lifecycle.ts';
import type { Application, ApplicationStatus } from '../../../../shared/wire/application.ts';
import { campaign, campaignTimeoutMs, replayCommand } from '../../../support/campaign.ts';
import { describeOnEveryEngine } from '../../../support/databases.ts';
import {
  type ListApplications,
  givenListed,
  type Listed,
  queryOf,
  type StoredApplication,
} from '../../../support/applications.ts';

const RUNS = 12;

/** Days that touch, their first and last moments, and moments that many share. */
const moments = [
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
  Object.values(codes).map((code) => ({ status: status as ApplicationStatus, status_code: code })),
);
const codes = [...states.map(({ status_code }) => status_code), '400000', '999999'];

/** Two sellers of one tenant, one of another, and one who sold nothing. */
const TENANTS = ['a', 'a', 'b', 'c'];

const application = fc.record({
  id: fc.uuid(),
  seller: fc.constantFrom(0, 0, 0, 1, 2),
  isOther: fc.boolean(),
  buyer_id: fc.constantFrom(...buyers),
  normalized_address_hash: fc.constantFrom(...hashes),
  // Many of a few, so that pages are full of one code, too.
  state: fc.oneof(fc.constantFrom(...states.slice(4, 8)), fc.constantFrom(...states)),
  created_at: fc.constantFrom(...moments),
  updated_at: fc.constantFrom(...moments),
});

const world = fc.uniqueArray(application, { selector: ({ id }) => id, maxLength: 60, size: 'max' });

const someSeller = fc.constantFrom(0, 0, 0, 1, 2, 3);
const anyCase = <T extends string>(of: fc.Arbitrary<T>) =>
  fc.tuple(of, fc.boolean()).map(([text, isUpper]) => (isUpper ? text.toUpperCase() : text));

/** Some of what an object has: few enough of it that something is found. */
const someOf = <T extends object>(of: { [Name in keyof T]: fc.Arbitrary<T[Name]> }, maxLength: number) =>
  fc
    .tuple(fc.record(of), fc.subarray(Object.keys(of) as (keyof T)[], { maxLength }))
    .map(([all, stored]) => Object.fromEntries(stored.map((name) => [name, (all as T)[name]])) as Partial<T>);

const bearer = fc.record({
  tenant: fc.constantFrom(0, 0, 0, 2, 3),
  bound: someOf(
    { merchant: someSeller, program: fc.tuple(someSeller, fc.boolean()), buyer: fc.constantFrom(...buyers, unknownBuyer) },
    3,
  ),
});

const filters = {
  merchant: fc.tuple(someSeller, fc.boolean()),
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
  after: fc.record({ row: fc.nat(80), moment: fc.constantFrom(...moments), id: anyCase(fc.uuid()) }),
};

const page = {
  sort: fc.constantFrom(...sorts),
  limit: fc.constantFrom(1, 2, 3, 7, 40, 200),
  offset: fc.constantFrom(0, 1, 5, 15),
};

const question = fc.record({
  token: bearer,
  filters: someOf(filters, 3),
  page: someOf(page, 3),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

const questions = fc.array(question, { minLength: 12, maxLength: 12 });

type World = StoredApplication[];
type Parameters = Record<string, string | string[]>;
interface Token {
  tenantId: string;
  merchantId?: string;
  programId?: string;
  buyerId?: string;
}

/** Returns the status code shown to a merchant in place of a platform-only code. */
function codeShown(code: string, token: Token): string {
  const isMerchants = 'merchantId' in token || 'programId' in token;
  if (isMerchants && /^300[1234]00$/.test(code)) return '300000';
  return isMerchants && /^400[123]00$/.test(code) ? '400000' : code;
}

/** Everything a question finds, in order, by reading every row. */
function found(rows: World, token: Token, requested: Parameters): World {
  const is = (name: string, value: string) =>
    !(name in requested) || (requested[name] as string).toLowerCase() === value.toLowerCase();
  const [by, direction] = ((requested['sort'] as string | undefined) ?? 'createdAt.desc').split('.');
  const key = (row: StoredApplication) => `${by === 'createdAt' ? row.created_at : row.updated_at} ${row.id}`;
  const sign = direction === 'asc' ? 1 : -1;
  const order = (one: string, other: string) => sign * (one < other ? -1 : one > other ? 1 : 0);
  const last =
    requested['lastID.eq'] && `${requested['lastTimestamp.eq'] as string} ${(requested['lastID.eq'] as string).toLowerCase()}`;
  return rows
    .filter(
      (row) =>
        row.tenant_id === token.tenantId &&
        (!token.merchantId || row.merchant_id === token.merchantId) &&
        (!token.programId || row.program_id === token.programId) &&
        (!token.buyerId || row.buyer_id === token.buyerId),
    )
    .filter((row) => {
      const code = codeShown(row.status_code, token);
      return (
        is('merchantID.eq', row.merchant_id) &&
        is('buyerID.eq', row.buyer_id) &&
        is('status.eq', row.status) &&
        is('normalizedAddressHash.eq', row.normalized_address_hash) &&
        (!requested['statusCode.eq'] || requested['statusCode.eq'].includes(code)) &&
        !requested['statusCode.ne']?.includes(code) &&
        !(requested['showExpired.eq'] === 'false' && row.status === 'EXPIRED') &&
        (!requested['updatedAt.gte'] || row.updated_at.slice(0, 10) >= (requested['updatedAt.gte'] as string)) &&
        (!requested['updatedAt.lte'] || row.updated_at.slice(0, 10) <= (requested['updatedAt.lte'] as string)) &&
        (!last || order(key(row), last) > 0)
      );
    })
    .toSorted((one, other) => order(key(one), key(other)));
}

describeOnEveryEngine('GET /api/application answers random questions', (engine) => {
  it('with the same applications as reading and filtering every row', { timeout: campaignTimeoutMs }, async () => {
    const listed = await givenListed(engine, TENANTS);
    const tally = { rows: 0, full: 0, empty: 0, conflicts: 0, next: 0, masked: 0 };

    const property = fc.asyncProperty(world, questions, async (applications, all) => {
      await listed.deleteApplications();
      const rows = applications.map(({ seller, isOther, state, ...rest }) => {
        const { tenantId, merchantId, programId, otherProgramId } = listed.sellers[seller]!;
        const of = { tenant_id: tenantId, merchant_id: merchantId, program_id: isOther ? otherProgramId : programId };
        return { ...rest, ...state, ...of };
      });
      if (rows.length > 0) await listed.givenApplications(rows);
      for (const each of all) await list(listed, rows as World, each, tally);
    });
    const result = await fc.check(property, campaign(RUNS));

    if (result.failed) {
      const { seed, counterexample, counterexamplePath, errorInstance } = result;
      const replay = replayCommand(seed, counterexamplePath, 'random-questions');
      expect.fail(
        `${(errorInstance as Error).message}\n\nThe example: ${JSON.stringify(counterexample)}\nTo repeat it: ${replay}`,
      );
    }
    // Every kind of answer has to occur, so that the comparison proves something.
    if (process.env['FC_PATH'] === undefined) expect(Object.entries(tally).filter(([, count]) => count < RUNS / 8)).toEqual([]);
  });
});

async function list(
  { sellers, listAs }: Listed,
  rows: World,
  { token: { tenant, bound }, filters: filtered, page: paged }: Question,
  tally: Record<'rows' | 'full' | 'empty' | 'conflicts' | 'next' | 'masked', number>,
): Promise<void> {
  const { merchant, program, buyer } = bound;
  const requested = { ...filtered, ...paged };
  const own: Token = {
    tenantId: sellers[tenant]!.tenantId,
    ...(merchant !== undefined && { merchantId: sellers[merchant]!.merchantId }),
    ...(program !== undefined && { programId: sellers[program[0]]![program[1] ? 'otherProgramId' : 'programId'] }),
    ...(buyer !== undefined && { buyerId: buyer }),
  };
  const parameters = parametersOf(requested, rows, sellers);
  const asBearer = await listAs(own);
  const response = await asBearer(parameters);
  const what = JSON.stringify({ own, query: queryOf(parameters) });

  const requestedMerchant = (parameters['merchantID.eq'] as string | undefined)?.toLowerCase();
  if (own.merchantId && requestedMerchant && requestedMerchant !== own.merchantId) {
    expectSame(what, [response.status, response.body.reason], [403, 'MERCHANT_CONFLICT']);
    tally.conflicts += 1;
    return;
  }

  const all = found(rows, own, parameters);
  const { limit = 10, offset = 0 } = requested;
  expectPage(response, all.slice(offset, offset + limit), own, what);
  for (const { metadata } of response.applications) {
    expectSame(what, metadata === undefined, requested['metadata.eq'] !== 'true');
  }
  expectSame(`another page, ${what}`, response.next !== undefined, all.length > offset + limit);
  if (response.next) {
    const following = await asBearer(new URL(response.next).search.slice(1));
    expectPage(following, all.slice(offset + limit, offset + 2 * limit), own, `the next page, ${what}`);
  }
  tally.rows += response.ids.length;
  tally.full += Number(response.ids.length === limit);
  tally.empty += Number(response.ids.length === 0);
  tally.next += Number(response.next !== undefined);
  tally.masked += all.filter((row) => row.status_code !== codeShown(row.status_code, own)).length;
}

function expectPage(
  { status, applications }: Awaited<ReturnType<ListApplications>>,
  rows: World,
  token: Token,
  what: string,
): void {
  expectSame(what, status, 200);
  // Whatever else is wrong with an answer, this must never be.
  expectSame(
    `outside of the scope, ${what}`,
    applications.filter((each) => isForeign(each, token)),
    [],
  );
  expectSame(
    what,
    applications.map(({ id, status: its, statusCode }) => [id, its, statusCode]),
    rows.map((row) => [row.id, row.status, codeShown(row.status_code, token)]),
  );
}

function expectSame(what: string, actual: unknown, expected: unknown): void {
  const [is, shouldBe] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== shouldBe) throw new Error(`${what}: expected ${shouldBe}, but received ${is}`);
}

function isForeign({ tenantID, merchantID, programID, buyerID }: Application, token: Token): boolean {
  return (
    tenantID !== token.tenantId ||
    (token.merchantId !== undefined && merchantID !== token.merchantId) ||
    (token.programId !== undefined && programID !== token.programId) ||
    (token.buyerId !== undefined && buyerID !== token.buyerId)
  );
}

function parametersOf(
  { merchant, after, limit, offset, ...rest }: Question['filters'] & Question['page'],
  rows: World,
  sellers: Listed['sellers'],
): Parameters {
  const row = after && rows[after.row];
  const at = row && (rest.sort?.startsWith('updatedAt') ? row.updated_at : row.created_at);
  const id = merchant && sellers[merchant[0]]!.merchantId;
  return {
    ...(rest as Parameters),
    ...(id && { 'merchantID.eq': merchant[1] ? id.toUpperCase() : id }),
    ...(after && { 'lastTimestamp.eq': at ?? after.moment, 'lastID.eq': row?.id ?? after.id }),
    ...(limit !== undefined && { limit: String(limit) }),
    ...(offset !== undefined && { offset: String(offset) }),
  };
}
