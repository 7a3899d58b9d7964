import { describe, expect, it } from 'vitest';
import { plusDays } from '../../../../server/base/time.ts';
import { chair, createCart, open, reachAgreement, reachDecision, sessionUrl, submit } from '../../../support/checkout.ts';
import { startService } from '../../../support/service.ts';
import { storedApplication } from '../../../support/stored.ts';
import { dateIn } from '../../../../shared/dates.ts';

const service = await startService();
const merchant = await service.createMerchant();

describe('A buyer', () => {
  const applicationOf = (cartId: string) => storedApplication(service.database, cartId);

  describe('who cancels an application', () => {
    it('confirms the cancellation, which is final', async () => {
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

    it('cannot cancel a signed application', async () => {
      const cart = await createCart(merchant);
      const agreement = await reachAgreement(cart.url);
      const confirmation = await open(`${sessionUrl(agreement)}/cancel`);
      await submit(agreement);
      expect(await submit(confirmation)).toMatchObject({ step: 'completed' });
      expect(await applicationOf(cart.id)).toMatchObject({ status: 'CHECKOUT_COMPLETED' });
    });

    it('is shown the details instead of a confirmation before the application exists', async () => {
      const cart = await createCart(merchant);
      expect(await open(`${cart.url}/cancel`)).toMatchObject({ step: 'details' });
    });
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

  it('whose cart is expired by the merchant has a CANCELLED application', async () => {
    const cart = await createCart(merchant);
    await reachAgreement(cart.url);
    expect(await merchant.post(`/carts/${cart.id}/expire`)).toMatchObject({ status: 204 });
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'CANCELLED', statusCode: '700200' });
    expect(await open(cart.url)).toMatchObject({ status: 410, step: 'expired' });
  });

  it('who is approved for a part pays the remainder by card and purchases the whole order', async () => {
    const cart = await createCart(merchant);
    const card = await submit(await reachDecision(cart.url, { taxIdLast4: '1101' }));
    expect(card).toMatchObject({ status: 200, step: 'card' });
    expect(card.text).toContain('$450.00');
    expect(card.text).toContain('$300.00');
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'ATTEMPTED_PREPARE_CHECKOUT', financedCents: 45_000 });
    const agreement = await submit(card);
    expect(await applicationOf(cart.id)).toMatchObject({ status: 'CHECKOUT_PREPARED', statusCode: '510000' });
    const signed = await submit(agreement);
    const transactionId = new URL(signed.headers.get('location')!).searchParams.get('transactionId')!;
    expect((await merchant.get(`/transactions/${transactionId}`)).body).toMatchObject({ status: 'PENDING', total: 75_000 });
    const { paymentAgreements } = await applicationOf(cart.id);
    expect(paymentAgreements).toMatchObject([{ disclosure: { amountFinancedCents: 45_000 } }]);
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
