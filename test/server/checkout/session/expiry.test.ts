import { describe, expect, it } from 'vitest';
import { plusDays, plusMs } from '../../../../server/base/time.ts';
import { createCart, open, reachAgreement, sessionUrl, submit } from '../../../support/checkout.ts';
import { startService } from '../../../support/service.ts';
import { dateIn } from '../../../../shared/dates.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('In a checkout,', () => {
  const moveTo = (now: string) => merchant.post('/sandbox/clock', { now });

  it('a link works until its last day has ended in every US time zone [CHOICE-19] [STATE-13]', async () => {
    const cart = await createCart(merchant, { errorUrl: 'https://shop.example/cart?order=7' });
    // A day ends last in American Samoa, 11 hours behind UTC.
    const end = plusDays(`${cart.expiration}T11:00:00.000000Z`, 1);
    expect(await moveTo(plusMs(end, -30_000))).toMatchObject({ status: 200 });
    expect(await open(cart.url)).toMatchObject({ step: 'details' });

    await moveTo(plusMs(end, 1_000));
    expect(await open(cart.url)).toMatchObject({ status: 410, step: 'expired' });
  });

  it('an agreement opened the day before is shown again with new dates before it can be signed', async () => {
    const cart = await createCart(merchant);
    // Late in the day, so that the next day is only a minute away.
    await moveTo(`${service.clock.now().slice(0, 10)}T23:59:00.000000Z`);
    const agreement = await reachAgreement(cart.url);
    await moveTo(plusMs(service.clock.now(), 120_000));
    const redisplayed = await submit(agreement);
    expect(redisplayed).toMatchObject({ status: 422, step: 'agreement' });
    expect(redisplayed.text).toContain('The agreement has changed since you opened this page');
    expect(await submit(redisplayed)).toMatchObject({ status: 303 });
  });

  it('an approval lasts seven days, even if the link lasts longer', async () => {
    const cart = await createCart(merchant, {}, { expiration: dateIn(plusDays(service.clock.now(), 60), 'UTC') });
    const agreement = await reachAgreement(cart.url);
    await moveTo(plusDays(service.clock.now(), 8));
    expect((await submit(agreement)).buttonLinks).toEqual(['https://shop.example/']);
  });

  it('an application can be continued eight days later, with changed details, up to the signature', async () => {
    const cart = await createCart(merchant, {}, { expiration: dateIn(plusDays(service.clock.now(), 365), 'UTC') });
    const session = sessionUrl(await submit(await open(cart.url)));
    await moveTo(plusDays(service.clock.now(), 8));
    expect(await open(session)).toMatchObject({ status: 200, step: 'apply' });
    const details = await open(`${session}/details`);
    expect(details).toMatchObject({ status: 200, step: 'details' });
    const application = await submit(details, { firstName: 'Grace' });
    expect(application).toMatchObject({ step: 'apply' });
    const plans = await submit(application);
    expect(plans).toMatchObject({ status: 200, step: 'plans' });
    expect(await submit(await submit(plans), { signedName: 'Grace Lovelace' })).toMatchObject({ status: 303 });
  });

  it('a link without expiration can be used to sign an agreement', async () => {
    const cart = await createCart(merchant, {}, { expiration: '9999-12-31' });
    expect(await reachAgreement(cart.url)).toMatchObject({ step: 'agreement' });
  });

  it.each(['', 'tomorrow', '2026-13-01T00:00:00Z', 7])('the sandbox clock rejects %j', async (now) => {
    expect(await merchant.post('/sandbox/clock', { now })).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  });
});
