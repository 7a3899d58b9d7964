import { describe, expect, it } from 'vitest';
import { plusDays, plusMs } from '../../../../server/base/time.ts';
import { chair, createCart, open, reachAgreement, sessionUrl, submit } from '../../../support/checkout.ts';
import { startService } from '../../../support/service.ts';
import { storedApplication } from '../../../support/stored.ts';
import { dateIn } from '../../../../shared/dates.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('A buyer', () => {
  const applicationOf = (cartId: string) => storedApplication(service.database, cartId);

  it('confirms the cancellation of an application, which is final', async () => {
    const cart = await createCart(merchant, { errorUrl: 'https://shop.example/bag?order=7' });
    const agreement = await reachAgreement(cart.url);
    const confirmation = await open(`${sessionUrl(agreement)}/cancel`);
    expect(confirmation).toMatchObject({ status: 200, step: 'cancel' });
    expect((await submit(confirmation)).headers.get('location')).toBe('https://shop.example/bag?order=7');
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'CANCELLED', statusCode: '700100' });
    for (const form of [agreement, confirmation]) {
      expect((await submit(form)).headers.get('location')).toBe('https://shop.example/bag?order=7');
    }
  });

  it('whose order is only eligible with some shipping options can choose one of them', async () => {
    const shippingOptions = [
      { type: 'Pickup', typeId: 'pickup', cost: 0 },
      { type: 'Ground', typeId: 'ground', cost: 500 },
    ];
    const cart = await createCart(merchant, { items: [{ ...chair, price: 4_900 }], shippingOptions });
    const details = await open(cart.url);
    expect(details.step).toBe('details');
    const pickup = await submit(details, { shippingTypeId: 'pickup' });
    expect(pickup.step).toBe('excluded');
    const again = await open(`${sessionUrl(pickup)}/details`);
    expect(await submit(again, { shippingTypeId: 'ground' })).toMatchObject({ step: 'apply' });
  });

  it('can use a link until its last day has ended in every US time zone [CHOICE-19] [STATE-13]', async () => {
    const startedAt = service.clock.now();
    const cart = await createCart(merchant);
    // A day ends last in American Samoa, 11 hours behind UTC.
    const end = plusDays(`${cart.expiration}T11:00:00.000000Z`, 1);
    service.clock.moveTo(plusMs(end, -1_000));
    const before = await open(cart.url);
    service.clock.moveTo(plusMs(end, 1_000));
    const after = await open(cart.url);
    service.clock.moveTo(startedAt);
    expect([before.step, after.status, after.step]).toEqual(['details', 410, 'expired']);
  });

  it('who needs more time for an expiring approval can extend it once', async () => {
    const startedAt = service.clock.now();
    const cart = await createCart(merchant, {}, { expiration: dateIn(plusDays(startedAt, 60), 'UTC') });
    const session = sessionUrl(await reachAgreement(cart.url));
    const { expiresAt } = await applicationOf(cart.id);
    try {
      service.clock.moveTo(plusDays(expiresAt, -1));
      const agreement = await open(session);
      await submit(agreement, {}, '/extend');
      expect(await applicationOf(cart.id)).toMatchObject({
        status: 'CHECKOUT_EXTENDED',
        statusCode: '620000',
        expiresAt: plusDays(expiresAt, 7),
      });
      service.clock.moveTo(plusDays(expiresAt, 6));
      const stillOpen = await open(session);
      expect(stillOpen).toMatchObject({ status: 200, step: 'agreement' });
      expect(stillOpen.text).not.toContain('/extend');
      expect(await submit(stillOpen)).toMatchObject({ status: 303 });
    } finally {
      service.clock.moveTo(startedAt);
    }
  });
});
