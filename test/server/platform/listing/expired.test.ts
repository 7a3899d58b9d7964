/** Lists of applications of every status code before and after they expire, compared with a reference that filters all rows in memory. */
import { expect, it } from 'vitest';
import { statusCodes } from '../../../../shared/wire/status-codes.ts';
import { addApplication } from '../../../../server/lending/applications/store.ts';
import { addCart } from '../../../../server/purchases/carts/store.ts';
import { newId } from '../../../../server/base/ids.ts';
import { readApplicationPage } from '../../../../server/platform/listing/routes.ts';
import { createMerchant } from '../../../../server/merchants/merchants.ts';
import { requireMerchant } from '../../../../server/merchants/store.ts';
import { type Instant, plusDays, plusMs } from '../../../../server/base/time.ts';
import { describeOnEveryEngine, createDatabase } from '../../../support/databases.ts';
import { applicationRow, cartRow } from '../../../support/purchases.ts';

const NOW: Instant = '2026-03-31T12:00:00.000000Z';
const OPEN = ['STARTED', 'NEEDS_ACTION', 'APPROVED', 'ATTEMPTED_PREPARE_CHECKOUT', 'CHECKOUT_PREPARED', 'CHECKOUT_EXTENDED'];
const BUYER = newId();

const states = Object.entries(statusCodes).flatMap(([status, codes]) =>
  Object.values<string>(codes).map((statusCode) => ({ status, statusCode })),
);

interface Row {
  id: string;
  status: string;
  statusCode: string;
  buyerId: string;
  createdAt: Instant;
  updatedAt: Instant;
  expiresAt: Instant;
}

/** Every status code with each expiry, twice: of one buyer, and of others. */
const rows: Row[] = states.flatMap(({ status, statusCode }, index) =>
  [plusDays(NOW, -1), NOW, plusMs(NOW, 1), plusDays(NOW, 1)].flatMap((expiresAt, at) =>
    [BUYER, newId()].map((buyerId, turn) => {
      const createdAt = plusDays(NOW, -20 - ((index * 7 + at * 3 + turn) % 11));
      return { id: newId(), status, statusCode, buyerId, createdAt, updatedAt: plusDays(createdAt, (index + at) % 5), expiresAt };
    }),
  ),
);

const visible = (code: string) => (/^300[1234]00$/.test(code) ? '300000' : /^400[123]00$/.test(code) ? '400000' : code);
const hasPassed = ({ status, expiresAt }: Row) => OPEN.includes(status) && expiresAt <= NOW;

/** The status that is shown. An application whose decision is pending is denied by the job, and does not expire. */
function shown(row: Row): [status: string, code: string] {
  const { status, statusCode } = row;
  if (!hasPassed(row) || statusCode === '100100') return [status, visible(statusCode)];
  const isIncomplete = status === 'NEEDS_ACTION' || statusCode === '100200';
  return ['EXPIRED', isIncomplete ? '800300' : status === 'STARTED' ? '800100' : '800200'];
}

type Question = Record<string, string | string[]>;

function expectedRows(question: Question): unknown[] {
  const one = (name: string) => question[name] as string | undefined;
  const [by, direction] = one('sort')!.split('.') as ['createdAt' | 'updatedAt', 'asc' | 'desc'];
  const sign = direction === 'asc' ? 1 : -1;
  return rows
    .filter((row) => {
      const [status, code] = shown(row);
      return (
        (!one('status.eq') || status === one('status.eq')) &&
        (!question['statusCode.eq'] || question['statusCode.eq'].includes(code)) &&
        !question['statusCode.ne']?.includes(code) &&
        (one('showExpired.eq') !== 'false' || (status !== 'EXPIRED' && !hasPassed(row))) &&
        (!one('buyerID.eq') || row.buyerId === one('buyerID.eq')) &&
        (!one('updatedAt.gte') || row.updatedAt >= one('updatedAt.gte')!)
      );
    })
    .toSorted((a, b) => sign * (`${a[by]} ${a.id}` < `${b[by]} ${b.id}` ? -1 : 1))
    .map((row) => [row.id, ...shown(row)]);
}

const codes = ['100000', '100100', '200000', '400000', '610000', '800100', '800300'];
const questions: Question[] = [
  {},
  ...Object.keys(statusCodes).map((status) => ({ 'status.eq': status })),
  ...codes.flatMap((code) => [{ 'statusCode.eq': [code] }, { 'statusCode.ne': [code] }]),
  { 'statusCode.eq': ['800100', '800300', '100000', '610000'] },
  { 'statusCode.ne': ['800200', '100000'] },
  { 'showExpired.eq': 'false' },
  { 'showExpired.eq': 'false', 'statusCode.ne': ['100000'] },
  { 'status.eq': 'EXPIRED', 'updatedAt.gte': plusDays(NOW, -22) },
].flatMap((question: Question) => [question, { ...question, 'buyerID.eq': BUYER }]);

describeOnEveryEngine('Lists of applications that have expired', async (engine) => {
  const database = await createDatabase(engine);
  const shop = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
  const { merchantId, tenantId } = await createMerchant(database, 'sandbox', shop, plusDays(NOW, -40));
  const { defaultProgramId: programId } = await requireMerchant(database.query, merchantId);
  await database.write(async (tx) => {
    for (const row of rows) {
      const owner = { id: row.id, tenantId, merchantId, programId, at: row.createdAt };
      await addCart(tx, cartRow(owner));
      await addApplication(tx, { ...applicationRow(owner), ...row, status: row.status as 'STARTED' });
    }
  });

  const scopes = [{ tenantId }, { tenantId, merchantId }, { tenantId, merchantId, programId }];

  it.each(['createdAt.asc', 'createdAt.desc', 'updatedAt.asc', 'updatedAt.desc'])(
    'have the status that is shown, in the order %s and on each page',
    async (sort) => {
      for (const [index, filters] of questions.entries()) {
        const question = { ...filters, sort, limit: '90' };
        const scope = scopes[index % 3]!;
        const found: unknown[] = [];
        let position: Record<string, string> | undefined = {};
        while (position) {
          const { applications, next } = await readApplicationPage(database, { ...question, ...position }, scope, NOW);
          found.push(...applications.map(({ id, status, statusCode }) => [id, status, statusCode]));
          position = next && { 'lastTimestamp.eq': next.lastTimestamp, 'lastID.eq': next.lastId };
        }
        expect({ question, found }).toEqual({ question, found: expectedRows(question) });
      }
    },
    60_000,
  );
});
