import { describe, expect, it } from 'vitest';
import type { ApplicationList } from '../../../../shared/wire/application.ts';
import { createListing, queryOf } from '../../../support/applications.ts';

const ID = '0190a5b0-0000-7000-8000-000000000001';
const HASH = 'ab'.repeat(32);

const UUID = 'a UUID';
const CODES = 'at most 100 codes of six digits';
const BOOLEAN = 'true or false';
const DATE = 'a date such as 2026-03-31, or a timestamp such as 2026-03-31T12:00:00Z';
const TIMESTAMP = 'a timestamp such as 2026-03-31T12:00:00Z';
const LIMIT = 'a whole number from 1 to 200';
const OFFSET = 'a whole number from 0 to 999999999999999';
const SORT = 'one of createdAt.asc, createdAt.desc, updatedAt.asc, updatedAt.desc';
const STATUS =
  'one of STARTED, APPROVED, DENIED, INELIGIBLE, NEEDS_ACTION, ATTEMPTED_PREPARE_CHECKOUT, CHECKOUT_PREPARED, ' +
  'ATTEMPTED_CHECKOUT, CHECKOUT_COMPLETED, CHECKOUT_EXTENDED, CANCELLED, EXPIRED';

/** For each parameter: the expected format, and invalid values. */
const rejected: [parameters: string[], expected: string, values: string[]][] = [
  [
    ['buyerID.eq', 'merchantID.eq'],
    UUID,
    ['', 'unknown', ID.slice(0, -1), `${ID}0`, ID.replaceAll('-', ''), `{${ID}}`, ` ${ID}`, ID.replace('a', 'g'), "' or 1=1 --"],
  ],
  [['buyerID.eq'], UUID, [`${ID.slice(0, -1)}\0`, `${ID.slice(0, -1)}١`]],
  [['status.eq'], STATUS, ['', 'approved', 'CANCELED', 'APPROVED,DENIED', 'toString', '__proto__']],
  [
    ['statusCode.eq', 'statusCode.ne'],
    CODES,
    ['', '30010', '3001000', '30010a', 'DENIED', '300100,300200', '٣٠٠١٠٠', '300100\n', '-30010'],
  ],
  [['showExpired.eq', 'metadata.eq'], BOOLEAN, ['', '1', '0', 'TRUE', 'True', 'yes', 'null', 'true ']],
  [
    ['normalizedAddressHash.eq'],
    'a SHA-256 in 64 hexadecimal digits',
    ['', HASH.slice(1), `${HASH}a`, `g${HASH.slice(1)}`, '1 Main St'],
  ],
  [
    ['updatedAt.gte', 'updatedAt.lte'],
    DATE,
    ['', '2026-02-30', '2026-02-29', '2026-13-01', '2026-00-01', '2026-01-00', '2026-2-1', '20260201', '02/01/2026', 'today'],
  ],
  [['updatedAt.gte'], DATE, ['2026-04-31', '2026-02-01T00:00:00', '2026-02-01 ', '+002026-02-01', '10000-01-01']],
  [['sort'], SORT, ['', 'createdAt', 'createdat.desc', 'createdAt.DESC', '-createdAt', 'id.asc', 'createdAt.asc,id']],
  [
    ['limit'],
    LIMIT,
    ['', '0', '201', '-1', '1.5', '1e2', '0x10', '010', '+10', ' 10', '10 ', 'ten', 'NaN', '١٠', '9'.repeat(40)],
  ],
  [['offset'], OFFSET, ['', '-1', '-0', '1.0', '1e3', '00', '1000000000000000', '9'.repeat(30), 'null']],
];

const invalidTimestamps = [
  '',
  '2026-03-31',
  '2026-03-31T12:00:00',
  '2026-03-31T12:00Z',
  '2026-03-31 12:00:00Z',
  '2026-02-30T12:00:00Z',
  '2026-03-31T24:00:00Z',
  '2026-03-31T12:60:00Z',
  // Leap seconds are at the end of a month in UTC.
  '2026-03-31T12:00:60Z',
  '2026-06-29T23:59:60Z',
  '2026-06-30T23:59:60-01:00',
  '2026-06-30T23:59:61Z',
  '2026-03-31T12:00:00.Z',
  '2026-03-31T12:00:00,5Z',
  '2026-03-31T12:00:00+24:00',
  '2026-03-31T12:00:00+0200',
  '2026-03-31T12:00:00+02',
  '2026-03-31T12:00:00ZZ',
  '-0001-12-31T23:59:59Z',
  '10000-01-01T00:00:00Z',
  '1774958400',
];

/** Unknown parameter names. */
const unknownNames =
  'colour Limit STATUS.EQ status status.ne statusCode.eq[] statusCode.eq[0] tenantID.eq programID.eq createdAt.gte __proto__ ' +
  'constructor hasOwnProperty <script>';
/** Unknown parameter names, and how the error message quotes them. */
const quotedNames: [sent: string, quoted: string][] = [
  ...unknownNames.split(' ').map((name): [string, string] => [name, name]),
  ['', '(no name)'],
  [' limit', '?limit'],
  ['limit\0', 'limit?'],
  ['li\nmit', 'li?mit'],
  ['\u{1F600}', '??'],
  ['x'.repeat(3_000), `${'x'.repeat(57)}...`],
];

const { sellers, listAs, tokenFor, createApplications, service } = await createListing();
const { publicUrl } = service;
const { tenantId } = sellers[0]!;
const list = await listAs({ tenantId });
const token = await tokenFor({ tenantId });
const at = '2026-03-31T12:00:00.123456Z';
await createApplications([
  { id: ID, createdAt: at, updatedAt: at, status: 'STARTED', statusCode: '100000', normalizedAddressHash: HASH },
]);

describe('GET /api/application rejects', () => {
  /** Expects the error response that names the parameter, the expected format and the received value. */
  async function expectRejected(query: string, parameter: string, expected: string, received: string): Promise<void> {
    const { status, body } = await list(query);
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        message: `${parameter}: expected ${expected}, but received ${received}.`,
        reason: 'INVALID_PARAMETER',
        domain: 'platform.fairterm',
        metadata: { parameter, expected, received },
      },
    });
    // Long values are shortened.
    expect(body.message.length).toBeLessThan(500);
  }

  const single = rejected.flatMap(([parameters, expected, values]) =>
    parameters.flatMap((parameter) => values.map((sent) => [parameter, sent, expected] as const)),
  );
  it.each(single)('the value %s=%j', async (parameter, sent, expected) => {
    const received = JSON.stringify(sent);
    const shortened = received.length > 60 ? `${received.slice(0, 57)}...` : received;
    await expectRejected(queryOf({ [parameter]: sent }), parameter, expected, shortened);
  });

  it.each(invalidTimestamps)('the value lastTimestamp.eq=%j', async (sent) => {
    await expectRejected(
      queryOf({ 'lastTimestamp.eq': sent, 'lastID.eq': ID }),
      'lastTimestamp.eq',
      TIMESTAMP,
      JSON.stringify(sent),
    );
  });

  it.each(['', 'last', `${ID}-`])('the value lastID.eq=%j', async (sent) => {
    const query = queryOf({ 'lastTimestamp.eq': '2026-03-31T12:00:00Z', 'lastID.eq': sent });
    await expectRejected(query, 'lastID.eq', UUID, JSON.stringify(sent));
  });

  it('lastTimestamp.eq without lastID.eq, and lastID.eq without lastTimestamp.eq', async () => {
    const timestamp = { 'lastTimestamp.eq': '2026-03-31T12:00:00Z' };
    await expectRejected(queryOf(timestamp), 'lastID.eq', `${UUID} with lastTimestamp.eq`, 'none');
    await expectRejected(queryOf({ 'lastID.eq': ID }), 'lastTimestamp.eq', `${TIMESTAMP} with lastID.eq`, 'none');
  });

  const names =
    'buyerID.eq, merchantID.eq, status.eq, statusCode.eq, statusCode.ne, showExpired.eq, normalizedAddressHash.eq, metadata.eq, ' +
    'updatedAt.gte, updatedAt.lte, lastTimestamp.eq, lastID.eq, sort, limit, offset';
  it.each(quotedNames)('the unknown parameter %j', async (sent, quoted) => {
    await expectRejected(queryOf({ [sent]: '1' }), quoted, `one of ${names}`, 'an unknown name');
  });

  it.each([
    ['limit', '10', '10'],
    ['status.eq', 'APPROVED', 'DENIED'],
  ])('the parameter %s if it is repeated', async (parameter, ...values) => {
    await expectRejected(queryOf({ [parameter]: values }), parameter, 'one value', '2 values');
    await expectRejected(
      `${parameter}=${values[0]}&%${parameter.charCodeAt(0).toString(16)}${parameter.slice(1)}=${values[1]}`,
      parameter,
      'one value',
      '2 values',
    );
  });

  it('an invalid code among valid ones, and more than 100 codes', async () => {
    await expectRejected(queryOf({ 'statusCode.eq': ['300000', '30', '310000'] }), 'statusCode.eq', CODES, '"30"');
    await expectRejected(queryOf({ 'statusCode.ne': Array(101).fill('300000') }), 'statusCode.ne', CODES, '101 values');
    expect((await list({ 'statusCode.ne': Array(100).fill('300000'), 'statusCode.eq': Array(100).fill('100000') })).status).toBe(
      200,
    );
  });

  it('an invalid parameter after 1,100 others', async () => {
    const after = (repeated: string) => `${repeated.repeat(1_100)}limit=201`;
    await expectRejected(after('&'), 'limit', LIMIT, '"201"');
    await expectRejected(after('limit=1&'), 'limit', 'one value', '1101 values');
  });

  it.each([
    ['limit=%zz', 'limit', LIMIT, '"%zz"'],
    ['limit=%ff', 'limit', LIMIT, '"\ufffd"'],
    ['limit=1%E0%A4%A', 'limit', LIMIT, '"1\ufffd%A"'],
    ['limit=1;offset=2', 'limit', LIMIT, '"1;offset=2"'],
  ])('the malformed query %j', async (query, parameter, expected, received) => {
    await expectRejected(query, parameter, expected, received);
  });

  it('a long value, which it shortens in the message', async () => {
    await expectRejected(`sort=${'x'.repeat(10_000)}`, 'sort', SORT, `"${'x'.repeat(56)}...`);
  });
});

describe('GET /api/application accepts', () => {
  // True if the only application, which was created at noon on March 31, is listed.
  it.each([
    ['&&', true],
    ['offset=999999999999999&statusCode.eq=100000&statusCode.eq=310000', false],
    ['statusCode.eq=100000&statusCode.ne=100000', false],
    ['status.eq=EXPIRED&showExpired.eq=false', false],
    ['updatedAt.gte=2026-04-01&updatedAt.lte=2026-03-31', false],
    ['updatedAt.gte=0000-01-01&updatedAt.lte=9999-12-31', true],
    ['updatedAt.gte=2024-02-29', true],
    ['updatedAt.gte=0000-01-01T00:00:00Z&updatedAt.lte=9999-12-31T23:59:59.999999Z', true],
    ['updatedAt.gte=2016-12-31T23:59:60Z', true],
    ['updatedAt.lte=2026-06-30T23:59:60Z', true],
    ['updatedAt.lte=1969-12-31T23:59:59Z', false],
    ['updatedAt.lte=9999-12-31T23:59:59-23:59', true],
  ])('the query %j', async (query, isListed) => {
    const { status, ids } = await list(query);
    expect([status, ids]).toEqual([200, isListed ? [ID] : []]);
  });

  const BEFORE = '00000000-0000-0000-0000-000000000000';
  const AFTER = 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF';
  // Encoded timestamp and id of the last row of a page, and true if the application follows it in ascending order.
  it.each([
    ['2026-03-31T12:00:00.123456Z', BEFORE, true],
    ['2026-03-31T12:00:00.123456Z', ID, false],
    ['2026-03-31T12:00:00.123456Z', ID.toUpperCase(), false],
    ['2026-03-31T12:00:00.123456Z', AFTER, false],
    ['2026-03-31T12:00:00.1Z', AFTER, true],
    ['2026-03-31T12:00:00.12346Z', BEFORE, false],
    ['2026-03-31T12:00:00.12345699Z', BEFORE, true],
    ['2026-03-31T12:00:00.1234569999Z', AFTER, false],
    ['2026-03-31T12:00:00.1234559999999999999999Z', AFTER, true],
    ['2026-03-31T14:00:00.123456%2B02:00', BEFORE, true],
    ['2026-03-31T12:00:00.123456-00:00', BEFORE, true],
    ['8999-12-31T23:59:59.999999999Z', BEFORE, false],
    ['0000-01-01T00:00:00Z', AFTER, true],
    ['0000-01-01T00:00:00%2B14:00', AFTER, true],
    ['1969-12-31T23:59:59.123456Z', AFTER, true],
    ['9999-12-31T23:59:59.999999999-23:59', BEFORE, false],
    ['1990-12-31T23:59:60Z', AFTER, true],
    ['2016-12-31T15:59:60.5-08:00', AFTER, true],
    ['2026-06-30T23:59:60Z', BEFORE, false],
  ])('lastTimestamp.eq=%s with lastID.eq=%s', async (timestamp, id, isListed) => {
    const { status, ids } = await list(`sort=createdAt.asc&lastTimestamp.eq=${timestamp}&lastID.eq=${id}`);
    expect([status, ids]).toEqual([200, isListed ? [ID] : []]);
  });

  // Spellings that are accepted but missing from the API description.
  it.each([
    ['2026-03-31t12:00:00.123456z', true],
    ['2026-03-31t12:00:00.123457z', false],
    // A plus sign that is not percent-encoded.
    ['2026-03-31T14:00:00.123456+02:00', true],
    ['2026-03-31T14:00:00.123457+02:00', false],
  ])('lastTimestamp.eq=%s in lower case or with an unencoded plus sign', async (timestamp, isListed) => {
    const query = `sort=createdAt.asc&lastTimestamp.eq=${timestamp}&lastID.eq=${BEFORE}`;
    const response = await fetch(`${publicUrl}/api/application?${query}`, { headers: { authorization: `Bearer ${token}` } });
    const { applications } = (await response.json()) as ApplicationList;
    expect([response.status, applications.map(({ id }) => id)]).toEqual([200, isListed ? [ID] : []]);
  });
});
