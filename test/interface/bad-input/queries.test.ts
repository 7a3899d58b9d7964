/** Parameters that the lists of the merchant API reject. */
import { expect, it } from 'vitest';
import { completeCheckoutAndAct } from '../../support/checkout.ts';
import { startService } from '../../support/service.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const service = await startService();
const merchant = await service.createMerchant();
await completeCheckoutAndAct(merchant, [{ type: 'authorize' }, { type: 'settle' }]);
const { id } = (await merchant.post('/sandbox/settlements')).body.settlements[0];

const rejected = [
  ['/transactions', 'limit=0 limit=201 limit=010 status=SETTLE orderRef= orderRef=A&orderRef=B orderref=A cartId=1 email=ada'],
  ['/transactions', `createdAt[gte]=20260101 createdAt[lt]=2026-02-30 after=1 after=${UNKNOWN}`],
  [
    '/events',
    'limit=201 type=order.shipped types=cart.expired type=cart.expired&type=cart.expired createdAt[gte]=yesterday after=1',
  ],
  ['/settlements', `limit=0 limit=201 day[gte]=2026-02-30 from=2026-01-01 after=unknown after=${UNKNOWN}`],
  [`/settlements/${id}`, `day[gte]=2026-01-01 after=${UNKNOWN}.1.unknown`],
] as const;
const queries = rejected.flatMap(([path, list]) => list.split(' ').map((query): [string, string] => [path, query]));

it.each(queries)('GET %s rejects %s with the path, the expected and the received value', async (path, query) => {
  const { status, body } = await merchant.get(`${path}?${query}`);
  const [, name, message] = /^At path: (\S+) -- (.+)$/.exec(body.description) ?? [];
  expect([status, body.code, name]).toEqual([400, 'invalid-request', query.split('=')[0]]);
  expect(message).toMatch(/^Expected .+, but received .+$/);
});
