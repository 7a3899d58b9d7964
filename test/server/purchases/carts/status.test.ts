/** The status of a cart in the merchant API, and the reason of an end without a purchase. */
import { describe, expect, it } from 'vitest';
import { dateIn } from '../../../../shared/dates.ts';
import { plusDays } from '../../../../server/base/time.ts';
import type { CartOptions } from '../../../../shared/wire/cart.ts';
import { createCart, open, reachAgreement, reachDecision, sessionUrl, submit } from '../../../support/checkout.ts';
import { startService } from '../../../support/service.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('The status of a cart', () => {
  const expire = (id: string) => merchant.post(`/carts/${id}/expire`);
  const cancel = async (url: string) => submit(await open(`${sessionUrl(await submit(await open(url)))}/cancel`));
  const applyAs = (taxIdLast4: string) => (url: string) => reachDecision(url, { taxIdLast4 });
  const nothing = async () => undefined;

  type Reach = (url: string, id: string) => unknown;
  it.each<[event: string, status: string, reason: string | undefined, Reach, days?: number, customTotal?: number]>([
    ['before a buyer has started', 'open', undefined, nothing],
    ['while the buyer applies', 'in-progress', undefined, async (url) => submit(await open(url))],
    ['while the lender decides', 'in-progress', undefined, applyAs('5002')],
    ['while the lender needs an action', 'in-progress', undefined, applyAs('4001')],
    ['after an approval', 'in-progress', undefined, applyAs('1001')],
    ['after a purchase', 'completed', undefined, async (url) => submit(await reachAgreement(url))],
    ['after a purchase, when its link has expired', 'completed', undefined, async (url) => submit(await reachAgreement(url)), 9],
    [
      'while the lender confirms the signature of an expired link',
      'in-progress',
      undefined,
      async (url, id) => {
        await submit(await reachAgreement(url, { taxIdLast4: '6001' }));
        await expire(id);
      },
    ],
    ['after the buyer canceled', 'ended', 'canceled-by-buyer', cancel],
    ['after the buyer canceled, when its link has expired', 'expired', 'canceled-by-buyer', cancel, 9],
    ['after the merchant expired it', 'expired', 'canceled-by-merchant', (_url, id) => expire(id)],
    [
      'after the merchant expired it during an application',
      'expired',
      'canceled-by-merchant',
      async (url, id) => {
        await submit(await open(url));
        await expire(id);
      },
    ],
    ['with an amount below all plans', 'ended', 'amount-out-of-range', nothing, 0, 4_999],
    ['with an amount above all plans', 'ended', 'amount-out-of-range', nothing, 0, 3_000_001],
    ['after a denial', 'ended', 'not-completed', applyAs('2001')],
    ['after the lender had no plan', 'ended', 'not-completed', applyAs('3001')],
    ['after an approval has expired', 'ended', 'not-completed', applyAs('1001'), 8],
    ['after a denial, when its link has expired', 'expired', 'not-completed', applyAs('2001'), 32],
    ['after its last day without an application', 'expired', 'not-completed', nothing, 32],
  ])('%s is %s with the reason %s', async (_event, status, reason, reach, days = 0, customTotal) => {
    const options: Partial<CartOptions> = customTotal === undefined ? {} : { items: undefined, customTotal };
    const before = service.clock.now();
    const expiration = days === 8 || days === 32 ? { expiration: dateIn(plusDays(before, 30), 'UTC') } : {};
    const { id, url } = await createCart(merchant, options, expiration);
    await reach(url, id);
    service.clock.moveTo(plusDays(before, days));
    const { body } = await merchant.get(`/carts/${id}`);
    service.clock.moveTo(before);
    expect([body.status, body.reason]).toEqual([status, reason]);
    expect(Object.hasOwn(body, 'reason')).toBe(reason !== undefined);
  });

  it('is in-progress after the buyer has started again', async () => {
    const { id, url } = await createCart(merchant);
    await cancel(url);
    await submit(await open(`${url}/restart`));
    expect((await merchant.get(`/carts/${id}`)).body).toMatchObject({ status: 'in-progress' });
  });
});
